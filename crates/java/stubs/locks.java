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
public interface Condition {
    void await() throws InterruptedException;
    boolean await(long time, TimeUnit unit) throws InterruptedException;
    void awaitUninterruptibly();
    void signal();
    void signalAll();
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
    public native /*@ non_null */ Condition newCondition();
}
public interface ReadWriteLock {
    /*@ non_null */ Lock readLock();
    /*@ non_null */ Lock writeLock();
}
