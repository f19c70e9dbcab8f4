// Executors and synchronizers, as far as their types go.
package java.util.concurrent;

import java.util.*;
import java.util.function.*;

public enum TimeUnit { NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS, MINUTES, HOURS, DAYS;
    public native void sleep(long time) throws InterruptedException; }
public interface Callable<V> { V call() throws Exception; }
public interface Executor { void execute(Runnable command); }
public interface Future<V> {
    V get() throws InterruptedException, ExecutionException;
    boolean isDone();
    boolean cancel(boolean interrupt);
}
public interface ExecutorService extends Executor {
    void shutdown();
    /*@ non_null */ <T> Future<T> submit(Callable<T> task);
    /*@ non_null */ Future<?> submit(Runnable task);
    boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException;
}
public final class Executors {
    private Executors() { }
    public static native /*@ non_null */ ExecutorService newFixedThreadPool(int count);
    public static native /*@ non_null */ ExecutorService newCachedThreadPool();
    public static native /*@ non_null */ ExecutorService newSingleThreadExecutor();
}
public class ExecutionException extends Exception {
    public ExecutionException(Throwable cause) { }
}
public class BrokenBarrierException extends Exception {
    public BrokenBarrierException() { }
}
public class TimeoutException extends Exception {
    public TimeoutException() { }
}
public class CancellationException extends IllegalStateException {
    public CancellationException() { }
}
public interface ConcurrentMap<K, V> extends Map<K, V> {
    boolean replace(K key, V old, V value);
    boolean remove(Object key, Object value);
}
// Objects of these classes keep what they hold themselves and may be used without a lock. What comes out may be anything.
public class ConcurrentHashMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
    public ConcurrentHashMap() { }
    public ConcurrentHashMap(int capacity) { }
    public ConcurrentHashMap(int capacity, float load) { }
    public ConcurrentHashMap(Map<? extends K, ? extends V> other) { }
    //@ pure
    public native long mappingCount();
    public static native <T> /*@ non_null */ Set<T> newKeySet();
}
public class ConcurrentSkipListMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
    public ConcurrentSkipListMap() { }
}
public interface BlockingQueue<E> extends Queue<E> {
    void put(E value) throws InterruptedException;
    // Never null: no queue of this kind takes null.
    /*@ non_null */ E take() throws InterruptedException;
    boolean offer(E value, long time, TimeUnit unit) throws InterruptedException;
    E poll(long time, TimeUnit unit) throws InterruptedException;
    //@ pure
    int remainingCapacity();
    int drainTo(Collection<? super E> target);
    int drainTo(Collection<? super E> target, int most);
}
public class ArrayBlockingQueue<E> extends AbstractCollection<E> implements BlockingQueue<E> {
    public ArrayBlockingQueue(int capacity) {
        if (capacity <= 0) throw new IllegalArgumentException();
    }
    public ArrayBlockingQueue(int capacity, boolean fair) {
        if (capacity <= 0) throw new IllegalArgumentException();
    }
}
public class LinkedBlockingQueue<E> extends AbstractCollection<E> implements BlockingQueue<E> {
    public LinkedBlockingQueue() { }
    public LinkedBlockingQueue(int capacity) {
        if (capacity <= 0) throw new IllegalArgumentException();
    }
}
public class PriorityBlockingQueue<E> extends AbstractCollection<E> implements BlockingQueue<E> {
    public PriorityBlockingQueue() { }
}
public class SynchronousQueue<E> extends AbstractCollection<E> implements BlockingQueue<E> {
    public SynchronousQueue() { }
}
public class ConcurrentLinkedQueue<E> extends AbstractCollection<E> implements Queue<E> {
    public ConcurrentLinkedQueue() { }
}
public class CopyOnWriteArrayList<E> extends AbstractList<E> implements List<E> {
    public CopyOnWriteArrayList() { }
}
public class CountDownLatch {
    private volatile long count;
    //@ global_invariant 0 <= count
    //@ env_assumption count <= \old(count)
    public CountDownLatch(int count) {
        if (count < 0) throw new IllegalArgumentException();
        this.count = count;
    }
    public void await() throws InterruptedException {
        Thread.sleep(0);
        //@ assume count == 0
    }
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        Thread.sleep(0);
        return count == 0;
    }
    public void countDown() {
        //@ {{
        if (count > 0) count = count - 1;
        //@ }}
    }
    public long getCount() { return count; }
}
public class Semaphore {
    private volatile int permits;
    public Semaphore(int permits) { this.permits = permits; }
    public Semaphore(int permits, boolean fair) { this.permits = permits; }
    public void acquire() throws InterruptedException {
        Thread.sleep(0);
        acquireUninterruptibly();
    }
    public void acquireUninterruptibly() {
        //@ {{
        //@ assume permits > 0
        permits = permits - 1;
        //@ }}
    }
    public boolean tryAcquire() {
        boolean got;
        //@ {{
        got = permits > 0;
        if (got) permits = permits - 1;
        //@ }}
        return got;
    }
    public boolean tryAcquire(long time, TimeUnit unit) throws InterruptedException {
        Thread.sleep(0);
        return tryAcquire();
    }
    public void release() {
        //@ {{
        permits = permits + 1;
        //@ }}
    }
    public int availablePermits() { return permits; }
}
// What threads do before and after a barrier is not told apart: what it keeps apart is reported as a race.
public class CyclicBarrier {
    private final int parties;
    //@ global_invariant 0 < parties
    public CyclicBarrier(int parties) {
        if (parties <= 0) throw new IllegalArgumentException();
        this.parties = parties;
    }
    // The action runs later, in the thread that comes last.
    public CyclicBarrier(int parties, Runnable action) {
        if (parties <= 0) throw new IllegalArgumentException();
        this.parties = parties;
    }
    public int getParties() { return parties; }
    public native int await() throws InterruptedException, BrokenBarrierException;
    public native int await(long time, TimeUnit unit)
        throws InterruptedException, BrokenBarrierException, TimeoutException;
    //@ pure
    public native int getNumberWaiting();
    //@ pure
    public native boolean isBroken();
    public native void reset();
}
public class Phaser {
    public Phaser() { }
    public Phaser(int parties) { }
    public native int register();
    public native int arrive();
    public native int arriveAndAwaitAdvance();
    public native int arriveAndDeregister();
    //@ pure
    public native int getPhase();
}
