// Atomic variables: each method is one step on a volatile field.
package java.util.concurrent.atomic;

import java.util.function.*;

public class AtomicInteger extends Number {
    private volatile int value;
    public AtomicInteger() { }
    public AtomicInteger(int value) { this.value = value; }
    public final int get() { return value; }
    public final void set(int next) { value = next; }
    public final void lazySet(int next) { value = next; }
    public int intValue() { return value; }
    public long longValue() { return value; }
    public final int getAndSet(int next) {
        int old;
        //@ {{
        old = value;
        value = next;
        //@ }}
        return old;
    }
    public final boolean compareAndSet(int expected, int next) {
        boolean done;
        //@ {{
        done = value == expected;
        if (done) value = next;
        //@ }}
        return done;
    }
    public final int getAndIncrement() { return getAndAdd(1); }
    public final int getAndDecrement() { return getAndAdd(-1); }
    public final int getAndAdd(int delta) {
        int old;
        //@ {{
        old = value;
        value = old + delta;
        //@ }}
        return old;
    }
    public final int incrementAndGet() { return getAndAdd(1) + 1; }
    public final int decrementAndGet() { return getAndAdd(-1) - 1; }
    public final int addAndGet(int delta) { return getAndAdd(delta) + delta; }
}
public class AtomicLong extends Number {
    private volatile long value;
    public AtomicLong() { }
    public AtomicLong(long value) { this.value = value; }
    public final long get() { return value; }
    public final void set(long next) { value = next; }
    public int intValue() { return (int) value; }
    public long longValue() { return value; }
    public final boolean compareAndSet(long expected, long next) {
        boolean done;
        //@ {{
        done = value == expected;
        if (done) value = next;
        //@ }}
        return done;
    }
    public final long getAndIncrement() { return getAndAdd(1); }
    public final long getAndDecrement() { return getAndAdd(-1); }
    public final long getAndAdd(long delta) {
        long old;
        //@ {{
        old = value;
        value = old + delta;
        //@ }}
        return old;
    }
    public final long incrementAndGet() { return getAndAdd(1) + 1; }
    public final long decrementAndGet() { return getAndAdd(-1) - 1; }
    public final long addAndGet(long delta) { return getAndAdd(delta) + delta; }
}
public class AtomicBoolean {
    private volatile boolean value;
    public AtomicBoolean() { }
    public AtomicBoolean(boolean value) { this.value = value; }
    public final boolean get() { return value; }
    public final void set(boolean next) { value = next; }
    public final boolean getAndSet(boolean next) {
        boolean old;
        //@ {{
        old = value;
        value = next;
        //@ }}
        return old;
    }
    public final boolean compareAndSet(boolean expected, boolean next) {
        boolean done;
        //@ {{
        done = value == expected;
        if (done) value = next;
        //@ }}
        return done;
    }
}
public class AtomicReference<V> {
    private volatile V value;
    public AtomicReference() { }
    public AtomicReference(V value) { this.value = value; }
    public final V get() { return value; }
    public final void set(V next) { value = next; }
    public final V getAndSet(V next) {
        V old;
        //@ {{
        old = value;
        value = next;
        //@ }}
        return old;
    }
    public final boolean compareAndSet(V expected, V next) {
        boolean done;
        //@ {{
        done = value == expected;
        if (done) value = next;
        //@ }}
        return done;
    }
}
