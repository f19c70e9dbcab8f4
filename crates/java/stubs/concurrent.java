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
public class ConcurrentHashMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
    public ConcurrentHashMap() { }
}
public interface BlockingQueue<E> extends Queue<E> {
    void put(E value) throws InterruptedException;
    E take() throws InterruptedException;
}
public class ArrayBlockingQueue<E> extends AbstractCollection<E> implements BlockingQueue<E> {
    public ArrayBlockingQueue(int capacity) { }
}
public class LinkedBlockingQueue<E> extends AbstractCollection<E> implements BlockingQueue<E> {
    public LinkedBlockingQueue() { }
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
public class CyclicBarrier {
    public CyclicBarrier(int parties) { }
    public CyclicBarrier(int parties, Runnable action) { }
    public native int await() throws InterruptedException, BrokenBarrierException;
}
