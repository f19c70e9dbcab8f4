// Locks. They are held like monitors, so that annotations speak of both in the same way.
package java.util.concurrent.locks;

import java.util.concurrent.TimeUnit;

public interface Lock {
    void lock();
    void lockInterruptibly() throws InterruptedException;
    boolean tryLock();
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;
    void unlock();
    /*@ non_null */ Condition newCondition();
}
// A class here, an interface in Java: conditions are made by locks alone.
public class Condition {
    private final Object lock;
    Condition(Object lock) { this.lock = lock; }
    //@ pure
    private static native boolean perhaps();
    //@ pure
    private static native long left();
    public void await() throws InterruptedException { lock.wait(); }
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        lock.wait();
        return perhaps();
    }
    public long awaitNanos(long nanos) throws InterruptedException {
        lock.wait();
        return left();
    }
    public void awaitUninterruptibly() {
        try {
            lock.wait();
        } catch (InterruptedException e) {
        }
    }
    public void signal() { lock.notify(); }
    public void signalAll() { lock.notifyAll(); }
}
public class ReentrantLock implements Lock {
    public ReentrantLock() { }
    public ReentrantLock(boolean fair) { }
    public native void lock();
    public native void lockInterruptibly() throws InterruptedException;
    public native boolean tryLock();
    public native boolean tryLock(long time, TimeUnit unit) throws InterruptedException;
    public native void unlock();
    public final native boolean isHeldByCurrentThread();
    //@ ensures \result.lock == this
    public /*@ non_null */ Condition newCondition() { return new Condition(this); }
    //@ pure
    public final native boolean isFair();
    //@ pure
    public native boolean isLocked();
    //@ pure
    public final native int getQueueLength();
    //@ pure
    public native int getHoldCount();
}
public interface ReadWriteLock {
    /*@ non_null */ Lock readLock();
    /*@ non_null */ Lock writeLock();
}
// Several threads hold the lock for reading, or one for writing. Whoever writes holds the monitor of the whole lock; that
// readers and writers exclude each other is said by the language, as for monitors.
public class ReentrantReadWriteLock implements ReadWriteLock {
    private final ReadLock reader;
    private final WriteLock writer;
    //@ global_invariant reader.lock == this && writer.lock == this
    public ReentrantReadWriteLock() {
        reader = new ReadLock(this);
        writer = new WriteLock(this);
    }
    public ReentrantReadWriteLock(boolean fair) {
        reader = new ReadLock(this);
        writer = new WriteLock(this);
    }
    //@ ensures \result.lock == this
    public /*@ non_null */ ReadLock readLock() { return reader; }
    //@ ensures \result.lock == this
    public /*@ non_null */ WriteLock writeLock() { return writer; }
    //@ pure
    public final native boolean isFair();
    //@ pure
    public native int getReadLockCount();
    //@ pure
    public native int getReadHoldCount();
    //@ pure
    public native int getWriteHoldCount();
    //@ pure
    public native boolean isWriteLocked();
    public final native boolean isWriteLockedByCurrentThread();
    public static class ReadLock implements Lock {
        private final ReentrantReadWriteLock lock;
        ReadLock(ReentrantReadWriteLock lock) { this.lock = lock; }
        public native void lock();
        public native void lockInterruptibly() throws InterruptedException;
        public native boolean tryLock();
        public native boolean tryLock(long time, TimeUnit unit) throws InterruptedException;
        public native void unlock();
        public /*@ non_null */ Condition newCondition() { throw new UnsupportedOperationException(); }
    }
    public static class WriteLock implements Lock {
        private final ReentrantReadWriteLock lock;
        WriteLock(ReentrantReadWriteLock lock) { this.lock = lock; }
        public native void lock();
        public native void lockInterruptibly() throws InterruptedException;
        public native boolean tryLock();
        public native boolean tryLock(long time, TimeUnit unit) throws InterruptedException;
        public native void unlock();
        //@ ensures \result.lock == this.lock
        public /*@ non_null */ Condition newCondition() { return new Condition(lock); }
        //@ pure
        public native int getHoldCount();
    }
}
// Its stamps are numbers like any others: that somebody holds it is not known, and what it guards is reported.
public class StampedLock {
    public StampedLock() { }
    public native long writeLock();
    public native long tryWriteLock();
    public native long readLock();
    public native long tryReadLock();
    //@ pure
    public native long tryOptimisticRead();
    //@ pure
    public native boolean validate(long stamp);
    public native void unlockWrite(long stamp);
    public native void unlockRead(long stamp);
    public native void unlock(long stamp);
    public native long tryConvertToWriteLock(long stamp);
    public native /*@ non_null */ Lock asReadLock();
    public native /*@ non_null */ Lock asWriteLock();
    public native /*@ non_null */ ReadWriteLock asReadWriteLock();
}
