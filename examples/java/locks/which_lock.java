//: proved: 34
package locks.which_lock;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

// An interface does not say that one thread holds the lock at a time; where the field gets its
// object, that can be seen, and elsewhere it is taken for granted. It is not the lock of the field.
class Counter {
    private final Lock lock = new ReentrantLock();
    private int count;

    void increment() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    void incrementUnder(/*@ non_null */ Lock other) {
        other.lock();
        count++; //~ error[data-race] "`count` is read without holding `lock`"
        other.unlock();
    }

    void incrementUnderMonitor() {
        synchronized (lock) { //~ unknown[unsupported] "the monitor of a lock"
            count++;
        }
    }
}
