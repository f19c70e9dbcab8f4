//: proved: 41
package locks.reentrant_lock;

import java.util.concurrent.locks.ReentrantLock;

// Explicit locks guard like monitors.
class Account {
    private final ReentrantLock lock = new ReentrantLock();
    private int balance;

    void deposit(int amount) {
        lock.lock();
        try {
            balance += amount;
        } finally {
            lock.unlock();
        }
    }

    int wrong() {
        return balance; //~ error[data-race] "without holding `lock`"
    }

    void twice() {
        lock.lock();
        balance++;
        lock.unlock();
        lock.unlock(); //~ error[monitor-not-held]
    }
}
