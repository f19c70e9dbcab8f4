package locks.synchronizers;

import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.StampedLock;

// What the library says of queues, barriers, atomic variables and the like.
class Jobs {
    private final BlockingQueue<String> jobs = new ArrayBlockingQueue<>(10);
    private final ConcurrentHashMap<String, String> results = new ConcurrentHashMap<>();
    private final CyclicBarrier barrier = new CyclicBarrier(2);

    void put(/*@ non_null */ String job) throws InterruptedException {
        jobs.put(job);
    }

    int take() throws InterruptedException {
        String job = jobs.take();
        results.put(job, "done");
        return job.length() + barrier.getParties();
    }

    int firstLength() {
        return jobs.poll().length(); //~ error[null-receiver]
    }
}

class Count {
    private final AtomicInteger count = new AtomicInteger();

    void up() {
        count.updateAndGet(old -> old + 1);
    }
}

class Latest {
    private final AtomicReference<String> last = new AtomicReference<>();
    private final ThreadLocal<String> own = new ThreadLocal<>();

    void put(/*@ non_null */ String job) {
        last.getAndSet(job);
        own.set(job);
    }

    int lastLength() {
        return last.get().length(); //~ error[null-receiver]
    }
}

// Nothing is known of who holds a stamped lock.
class Stamped {
    private final StampedLock lock = new StampedLock();
    private int value;

    void add() {
        long stamp = lock.writeLock();
        value = value + 1; //~ error[data-race] //~ error[data-race]
        lock.unlockWrite(stamp);
    }
}

// A barrier keeps nobody away from the field.
class Phases {
    private final CyclicBarrier barrier = new CyclicBarrier(2);
    private int phase;

    void next() throws InterruptedException, BrokenBarrierException {
        barrier.await();
        phase = phase + 1; //~ error[data-race] //~ error[data-race]
    }
}
