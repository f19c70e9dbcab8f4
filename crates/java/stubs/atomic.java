// Atomic variables: each method is one step on a volatile field. Methods with weaker orders (`lazySet`, `getPlain`, ...) are left
// out on purpose, so that what calls them is unknown: steps of threads no longer happen one after the other with them.
package java.util.concurrent.atomic;

import java.util.function.*;

public class AtomicInteger extends Number {
    private volatile int value;
    public AtomicInteger() { }
    public AtomicInteger(int value) { this.value = value; }
    public final int get() { return value; }
    public final void set(int next) { value = next; }
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
    public final int compareAndExchange(int expected, int next) {
        int old;
        //@ {{
        old = value;
        if (old == expected) value = next;
        //@ }}
        return old;
    }
    // It may also fail for no reason.
    //@ pure
    private native boolean fails();
    public final boolean weakCompareAndSetVolatile(int expected, int next) {
        return !fails() && compareAndSet(expected, next);
    }
    public int intValue() { return value; }
    public long longValue() { return value; }
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
    public final int updateAndGet(IntUnaryOperator function) {
        while (true) {
            int old = value;
            int next = function.applyAsInt(old);
            if (compareAndSet(old, next)) return next;
        }
    }
    public final int getAndUpdate(IntUnaryOperator function) {
        while (true) {
            int old = value;
            int next = function.applyAsInt(old);
            if (compareAndSet(old, next)) return old;
        }
    }
    public final int accumulateAndGet(int other, IntBinaryOperator function) {
        while (true) {
            int old = value;
            int next = function.applyAsInt(old, other);
            if (compareAndSet(old, next)) return next;
        }
    }
    public final int getAndAccumulate(int other, IntBinaryOperator function) {
        while (true) {
            int old = value;
            int next = function.applyAsInt(old, other);
            if (compareAndSet(old, next)) return old;
        }
    }
}
public class AtomicLong extends Number {
    private volatile long value;
    public AtomicLong() { }
    public AtomicLong(long value) { this.value = value; }
    public final long get() { return value; }
    public final void set(long next) { value = next; }
    public final long getAndSet(long next) {
        long old;
        //@ {{
        old = value;
        value = next;
        //@ }}
        return old;
    }
    public final boolean compareAndSet(long expected, long next) {
        boolean done;
        //@ {{
        done = value == expected;
        if (done) value = next;
        //@ }}
        return done;
    }
    public final long compareAndExchange(long expected, long next) {
        long old;
        //@ {{
        old = value;
        if (old == expected) value = next;
        //@ }}
        return old;
    }
    // It may also fail for no reason.
    //@ pure
    private native boolean fails();
    public final boolean weakCompareAndSetVolatile(long expected, long next) {
        return !fails() && compareAndSet(expected, next);
    }
    public int intValue() { return (int) value; }
    public long longValue() { return value; }
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
    public final long updateAndGet(LongUnaryOperator function) {
        while (true) {
            long old = value;
            long next = function.applyAsLong(old);
            if (compareAndSet(old, next)) return next;
        }
    }
    public final long getAndUpdate(LongUnaryOperator function) {
        while (true) {
            long old = value;
            long next = function.applyAsLong(old);
            if (compareAndSet(old, next)) return old;
        }
    }
    public final long accumulateAndGet(long other, LongBinaryOperator function) {
        while (true) {
            long old = value;
            long next = function.applyAsLong(old, other);
            if (compareAndSet(old, next)) return next;
        }
    }
    public final long getAndAccumulate(long other, LongBinaryOperator function) {
        while (true) {
            long old = value;
            long next = function.applyAsLong(old, other);
            if (compareAndSet(old, next)) return old;
        }
    }
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
    public final boolean compareAndExchange(boolean expected, boolean next) {
        boolean old;
        //@ {{
        old = value;
        if (old == expected) value = next;
        //@ }}
        return old;
    }
    // It may also fail for no reason.
    //@ pure
    private native boolean fails();
    public final boolean weakCompareAndSetVolatile(boolean expected, boolean next) {
        return !fails() && compareAndSet(expected, next);
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
    public final V compareAndExchange(V expected, V next) {
        V old;
        //@ {{
        old = value;
        if (old == expected) value = next;
        //@ }}
        return old;
    }
    // It may also fail for no reason.
    //@ pure
    private native boolean fails();
    public final boolean weakCompareAndSetVolatile(V expected, V next) {
        return !fails() && compareAndSet(expected, next);
    }
    public final V updateAndGet(UnaryOperator<V> function) {
        while (true) {
            V old = value;
            V next = function.apply(old);
            if (compareAndSet(old, next)) return next;
        }
    }
    public final V getAndUpdate(UnaryOperator<V> function) {
        while (true) {
            V old = value;
            V next = function.apply(old);
            if (compareAndSet(old, next)) return old;
        }
    }
    public final V accumulateAndGet(V other, BinaryOperator<V> function) {
        while (true) {
            V old = value;
            V next = function.apply(old, other);
            if (compareAndSet(old, next)) return next;
        }
    }
    public final V getAndAccumulate(V other, BinaryOperator<V> function) {
        while (true) {
            V old = value;
            V next = function.apply(old, other);
            if (compareAndSet(old, next)) return old;
        }
    }
}
