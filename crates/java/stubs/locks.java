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
    private final ReentrantLock lock;
    Condition(ReentrantLock lock) { this.lock = lock; }
    public void await() throws InterruptedException { lock.wait(); }
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        lock.wait();
        return lock.isFair();
    }
    public long awaitNanos(long nanos) throws InterruptedException {
        lock.wait();
        return lock.getQueueLength();
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
