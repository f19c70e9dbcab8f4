//: proved: 127
package locks.one_permit;

import java.util.concurrent.Semaphore;

// A semaphore with one permit is a lock: who has the permit keeps others away.
class Counter {
    private final Semaphore mutex = new Semaphore(1);
    private int count;

    void up() throws InterruptedException {
        mutex.acquire();
        try {
            count++;
        } finally {
            mutex.release();
        }
    }

    int get() {
        mutex.acquireUninterruptibly();
        int found = count;
        mutex.release();
        return found;
    }

    boolean upIfFree() {
        if (mutex.tryAcquire()) {
            count++;
            mutex.release();
            return true;
        }
        return false;
    }
}

// A method that nobody else calls may give the permit back for those that have it.
class Helped {
    private final Semaphore mutex = new Semaphore(1);
    private int count;

    private void end() {
        count++;
        mutex.release();
    }

    void up() {
        mutex.acquireUninterruptibly();
        end();
    }

    int upAndGet() throws InterruptedException {
        mutex.acquire();
        try {
            return count;
        } finally {
            end();
        }
    }
}

class Declared {
    private static final Semaphore MUTEX = new Semaphore(1, true);
    @GuardedBy("MUTEX") private static int count;

    static void up() {
        MUTEX.acquireUninterruptibly();
        twice();
        MUTEX.release();
    }

    @GuardedBy("MUTEX")
    private static void twice() {
        count++;
        count++;
    }
}

@interface GuardedBy { String value(); }
