package locks.write_conditions;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantReadWriteLock;

// To wait for a condition of a write lock gives up the write lock, and comes back when nobody reads or writes.
class Store {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Condition notEmpty = lock.writeLock().newCondition();
    private int count;
    //@ global_invariant 0 <= count

    void put() {
        lock.writeLock().lock();
        try {
            count++;
            notEmpty.signal();
        } finally {
            lock.writeLock().unlock();
        }
    }

    void take() throws InterruptedException {
        lock.writeLock().lock();
        try {
            while (count == 0) {
                notEmpty.await();
            }
            count--;
        } finally {
            lock.writeLock().unlock();
        }
    }

    int size() {
        lock.readLock().lock();
        try {
            return count;
        } finally {
            lock.readLock().unlock();
        }
    }

    void takeWithoutLoop() throws InterruptedException {
        lock.writeLock().lock();
        try {
            if (count == 0) {
                notEmpty.await();
            }
            count--; //~ error[invariant-broken]
        } finally {
            lock.writeLock().unlock();
        }
    }

    void waitAsReader() throws InterruptedException {
        lock.readLock().lock();
        try {
            notEmpty.await(); //~ error[monitor-not-held]
        } finally {
            lock.readLock().unlock();
        }
    }

    void wake() {
        notEmpty.signalAll(); //~ error[monitor-not-held]
    }
}
