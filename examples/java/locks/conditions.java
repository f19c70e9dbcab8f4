//: proved: 131
package locks.conditions;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

// To wait for a condition gives up the lock that it was made by.
class Buffer {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();
    private final int[] items = new int[16];
    private int count;
    //@ global_invariant 0 <= count && count <= 16

    void put(int item) throws InterruptedException {
        lock.lock();
        try {
            while (count == items.length) {
                notFull.await();
            }
            items[count] = item;
            count++;
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    int take() throws InterruptedException {
        lock.lock();
        try {
            while (count == 0) {
                notEmpty.await();
            }
            count--;
            notFull.signal();
            return items[count];
        } finally {
            lock.unlock();
        }
    }

    int takeWithoutLoop() throws InterruptedException {
        lock.lock();
        try {
            if (count == 0) {
                notEmpty.await();
            }
            count--; //~ error[invariant-broken]
            notFull.signal();
            return items[count];
        } finally {
            lock.unlock();
        }
    }

    void wake() {
        notEmpty.signal(); //~ error[monitor-not-held]
    }
}
