package locks.only_written;

import java.util.concurrent.locks.ReentrantReadWriteLock;

// Nobody reads the field: others may rely on the lock for readers all the same.
class Flag {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    @GuardedBy("lock") private boolean isSet;

    void set() {
        lock.writeLock().lock();
        try {
            isSet = true;
        } finally {
            lock.writeLock().unlock();
        }
    }

    void clear() {
        isSet = false; //~ error[unguarded-access]
    }
}

@interface GuardedBy { String value(); }
