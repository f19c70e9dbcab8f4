package locks.any_lock;

import java.util.concurrent.locks.Lock;

// Whoever makes the object gives it a lock of some class. That one thread at a time holds it is taken for granted, and counted.
class Counter {
    private final /*@ non_null */ Lock lock;
    private int count;

    Counter(/*@ non_null */ Lock lock) {
        this.lock = lock;
    }

    void increment() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    int get() {
        return count; //~ error[data-race] "`count` is read without holding `lock`"
    }
}
