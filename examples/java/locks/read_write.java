package locks.read_write;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

// Readers hold the lock together, a writer holds it alone. To write, reading is not enough.
class Table {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    @GuardedBy("lock") private int size;

    int size() {
        lock.readLock().lock();
        try {
            return size;
        } finally {
            lock.readLock().unlock();
        }
    }

    void add() {
        lock.writeLock().lock();
        try {
            int old = size;
            size = size + 1;
            assert size == old + 1;
        } finally {
            lock.writeLock().unlock();
        }
    }

    void steady() {
        lock.readLock().lock();
        int before = size;
        assert size == before;
        lock.readLock().unlock();
    }

    void addWrong() {
        lock.readLock().lock();
        try {
            size = size + 1; //~ error[unguarded-access] "`size` is written"
        } finally {
            lock.readLock().unlock();
        }
    }

    int sizeWrong() {
        return size; //~ error[unguarded-access] "`size` is read"
    }

    void unlockWrong() {
        lock.readLock().unlock(); //~ error[monitor-not-held]
    }
}

// The two sides in fields of their own, and nothing written.
class Cache {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Lock reader = lock.readLock();
    private final Lock writer = lock.writeLock();
    private int entries;

    int entries() {
        reader.lock();
        try {
            return entries;
        } finally {
            reader.unlock();
        }
    }

    void add() {
        writer.lock();
        try {
            entries++;
        } finally {
            writer.unlock();
        }
    }

    void addWrong() {
        reader.lock();
        try {
            entries = entries + 1; //~ error[data-race] "`entries` is written without holding `lock`"
        } finally {
            reader.unlock();
        }
    }
}
@interface GuardedBy { String value(); }
