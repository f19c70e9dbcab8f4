package locks.one_permit_wrong;

import java.util.concurrent.Semaphore;

// The permit is not taken, or given back by one who may not have it.
class Counter {
    private final Semaphore mutex = new Semaphore(1);
    private int count;

    void up() {
        mutex.acquireUninterruptibly();
        count++;
        mutex.release();
    }

    void down() {
        mutex.acquireUninterruptibly();
        count--;
        mutex.release();
    }

    int get() {
        return count; //~ error[data-race] "`count` is read without holding `mutex`"
    }

    void givesTooMuchBack() throws InterruptedException {
        try {
            mutex.acquire();
            count = 0;
        } finally {
            mutex.release(); //~ unknown[annotation-missing] "this may give back a permit"
        }
    }
}

// With two permits, two threads are inside at once.
class Two {
    private final Semaphore permits = new Semaphore(2);
    private int count;

    void up() {
        permits.acquireUninterruptibly();
        count = count + 1; //~ error[data-race] //~ error[data-race]
        permits.release();
    }
}

// One thread takes the permit and another one gives it back: that is a signal, and no lock.
class Signal {
    private final Semaphore turn = new Semaphore(1);
    private int count;

    void ping() {
        turn.acquireUninterruptibly();
        count = 1; //~ error[data-race]
    }

    void pong() {
        turn.release();
    }
}

// The method that gives the permit back is called by one that has it, and by one that may not have got it.
class Helped {
    private final Semaphore mutex = new Semaphore(1);
    private int count;

    private void end() {
        mutex.release(); //~ unknown[annotation-missing]
    }

    void up() {
        mutex.acquireUninterruptibly();
        count++;
        end();
    }

    void upIfFree() {
        mutex.tryAcquire();
        end();
    }
}
