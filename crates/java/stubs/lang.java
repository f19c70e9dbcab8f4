// What every Java program knows, as far as checks need it. Methods without a body do nothing to
// objects of the program; `pure` says that this is no assumption but certain.
package java.lang;

import java.util.Iterator;
import java.util.function.Supplier;

public class Object {
    public Object() { }
    //@ pure
    public final native /*@ non_null */ Class<?> getClass();
    //@ pure
    public native int hashCode();
    //@ pure
    public native boolean equals(Object other);
    protected native Object clone() throws CloneNotSupportedException;
    //@ pure
    public native /*@ non_null */ String toString();
    public final native void notify();
    public final native void notifyAll();
    public final native void wait() throws InterruptedException;
    public final native void wait(long millis) throws InterruptedException;
    public final native void wait(long millis, int nanos) throws InterruptedException;
    protected native void finalize() throws Throwable;
}

public interface Comparable<T> { int compareTo(T other); }
public interface Runnable { void run(); }
public interface AutoCloseable { void close() throws Exception; }
public interface Cloneable { }
public interface Appendable { }
public interface Iterable<T> {
    /*@ non_null */ Iterator<T> iterator();
    default void forEach(java.util.function.Consumer<? super T> action) {
        Iterator<T> rest = iterator();
        while (rest.hasNext()) action.accept(rest.next());
    }
}
public interface CharSequence {
    //@ pure
    int length();
    //@ pure
    char charAt(int index);
    //@ pure
    CharSequence subSequence(int start, int end);
    //@ pure
    /*@ non_null */ String toString();
}

public final class Class<T> {
    //@ pure
    public native /*@ non_null */ String getName();
    //@ pure
    public native /*@ non_null */ String getSimpleName();
    //@ pure
    public native boolean isInstance(Object value);
}

public abstract class Enum<E extends Enum<E>> implements Comparable<E> {
    protected Enum() { }
    //@ pure
    public final native int ordinal();
    //@ pure
    public final native /*@ non_null */ String name();
    //@ pure
    public final native int compareTo(E other);
}

public abstract class Record { protected Record() { } }

public final class String implements CharSequence, Comparable<String> {
    public String() { }
    public String(String other) { }
    public String(char[] characters) { }
    //@ pure
    public native int length();
    //@ pure
    public native boolean isEmpty();
    //@ pure
    public native boolean isBlank();
    //@ pure
    public native char charAt(int index);
    //@ pure
    public native boolean equalsIgnoreCase(String other);
    //@ pure
    public native boolean contains(CharSequence part);
    //@ pure
    public native boolean startsWith(String prefix);
    //@ pure
    public native boolean endsWith(String suffix);
    //@ pure
    public native int indexOf(String part);
    //@ pure
    public native int indexOf(int character);
    //@ pure
    public native int lastIndexOf(String part);
    //@ pure
    public native int compareTo(String other);
    //@ pure
    public native /*@ non_null */ String substring(int start);
    //@ pure
    public native /*@ non_null */ String substring(int start, int end);
    //@ pure
    public native CharSequence subSequence(int start, int end);
    //@ pure
    public native /*@ non_null */ String trim();
    //@ pure
    public native /*@ non_null */ String toLowerCase();
    //@ pure
    public native /*@ non_null */ String toUpperCase();
    //@ pure
    public native /*@ non_null */ String replace(CharSequence one, CharSequence other);
    //@ pure
    public native /*@ non_null */ String concat(String other);
    //@ pure
    public native /*@ non_null */ String intern();
    //@ pure
    public native /*@ non_null */ String[] split(String pattern);
    //@ pure
    public native /*@ non_null */ char[] toCharArray();
    //@ pure
    public static native /*@ non_null */ String format(String format, Object... values);
    //@ pure
    public static native /*@ non_null */ String join(CharSequence separator, CharSequence... parts);
    //@ pure
    public static native /*@ non_null */ String valueOf(Object value);
    //@ pure
    public static native /*@ non_null */ String valueOf(int value);
    //@ pure
    public static native /*@ non_null */ String valueOf(long value);
    //@ pure
    public static native /*@ non_null */ String valueOf(boolean value);
    //@ pure
    public static native /*@ non_null */ String valueOf(char value);
    //@ pure
    public static native /*@ non_null */ String valueOf(double value);
}

public final class StringBuilder implements CharSequence, Appendable {
    public StringBuilder() { }
    public StringBuilder(int capacity) { }
    public StringBuilder(String text) { }
    //@ pure
    public native /*@ non_null */ StringBuilder append(Object value);
    //@ pure
    public native /*@ non_null */ StringBuilder append(String value);
    //@ pure
    public native /*@ non_null */ StringBuilder append(int value);
    //@ pure
    public native /*@ non_null */ StringBuilder append(long value);
    //@ pure
    public native /*@ non_null */ StringBuilder append(char value);
    //@ pure
    public native /*@ non_null */ StringBuilder append(boolean value);
    //@ pure
    public native /*@ non_null */ StringBuilder append(double value);
    //@ pure
    public native int length();
    //@ pure
    public native char charAt(int index);
    //@ pure
    public native CharSequence subSequence(int start, int end);
    //@ pure
    public native /*@ non_null */ StringBuilder reverse();
    //@ pure
    public native void setLength(int length);
}

public abstract class Number {
    public Number() { }
    //@ pure
    public abstract int intValue();
    //@ pure
    public abstract long longValue();
    //@ pure
    public native double doubleValue();
}
public final class Integer extends Number implements Comparable<Integer> {
    public static final int MAX_VALUE = 2147483647;
    public static final int MIN_VALUE = -2147483648;
    //@ pure
    public native int intValue();
    //@ pure
    public native long longValue();
    //@ pure
    public native int compareTo(Integer other);
    //@ pure
    public static native int parseInt(String text);
    //@ pure
    public static native /*@ non_null */ Integer valueOf(int value);
    //@ pure
    public static native /*@ non_null */ String toString(int value);
    //@ pure
    public static native /*@ non_null */ String toHexString(int value);
    //@ pure
    public static native int compare(int one, int other);
    //@ pure
    public static native int numberOfLeadingZeros(int value);
    //@ pure
    public static native int bitCount(int value);
    public static int max(int one, int other) { return one >= other ? one : other; }
    public static int min(int one, int other) { return one <= other ? one : other; }
    public static int sum(int one, int other) { return one + other; }
}
public final class Long extends Number implements Comparable<Long> {
    public static final long MAX_VALUE = 9223372036854775807L;
    public static final long MIN_VALUE = -9223372036854775808L;
    //@ pure
    public native int intValue();
    //@ pure
    public native long longValue();
    //@ pure
    public native int compareTo(Long other);
    //@ pure
    public static native long parseLong(String text);
    //@ pure
    public static native /*@ non_null */ Long valueOf(long value);
    //@ pure
    public static native /*@ non_null */ String toString(long value);
    //@ pure
    public static native int compare(long one, long other);
    public static long sum(long one, long other) { return one + other; }
}
public final class Short extends Number { public native int intValue(); public native long longValue(); }
public final class Byte extends Number { public native int intValue(); public native long longValue(); }
public final class Double extends Number {
    public native int intValue();
    public native long longValue();
    //@ pure
    public static native double parseDouble(String text);
    //@ pure
    public static native /*@ non_null */ Double valueOf(double value);
    //@ pure
    public static native int compare(double one, double other);
}
public final class Float extends Number { public native int intValue(); public native long longValue(); }
public final class Boolean implements Comparable<Boolean> {
    public static final Boolean TRUE;
    public static final Boolean FALSE;
    //@ pure
    public native boolean booleanValue();
    //@ pure
    public native int compareTo(Boolean other);
    //@ pure
    public static native /*@ non_null */ Boolean valueOf(boolean value);
    //@ pure
    public static native boolean parseBoolean(String text);
}
public final class Character implements Comparable<Character> {
    //@ pure
    public native char charValue();
    //@ pure
    public native int compareTo(Character other);
    //@ pure
    public static native boolean isDigit(char value);
    //@ pure
    public static native boolean isLetter(char value);
    //@ pure
    public static native boolean isWhitespace(char value);
}
public final class Void { }

public final class Math {
    private Math() { }
    public static int max(int one, int other) { return one >= other ? one : other; }
    public static int min(int one, int other) { return one <= other ? one : other; }
    public static long max(long one, long other) { return one >= other ? one : other; }
    public static long min(long one, long other) { return one <= other ? one : other; }
    public static int abs(int value) { return value >= 0 ? value : -value; }
    public static long abs(long value) { return value >= 0 ? value : -value; }
    //@ pure
    public static native double abs(double value);
    //@ pure
    public static native double max(double one, double other);
    //@ pure
    public static native double min(double one, double other);
    //@ pure
    public static native double sqrt(double value);
    //@ pure
    public static native double pow(double one, double other);
    //@ pure
    public static native double random();
    //@ pure
    public static native long round(double value);
    //@ pure
    public static native double floor(double value);
    //@ pure
    public static native double ceil(double value);
}

public final class System {
    private System() { }
    public static final /*@ non_null */ java.io.PrintStream out;
    public static final /*@ non_null */ java.io.PrintStream err;
    //@ pure
    public static native long currentTimeMillis();
    //@ pure
    public static native long nanoTime();
    //@ pure
    public static native int identityHashCode(Object value);
    //@ pure
    public static native String getProperty(String name);
    //@ pure
    public static native String getenv(String name);
    public static native void exit(int status);
    public static native void arraycopy(Object from, int start, Object to, int at, int length);
}

public class Thread implements Runnable {
    private final Runnable target;
    public Thread() { this.target = null; }
    public Thread(Runnable target) { this.target = target; }
    public Thread(Runnable target, String name) { this.target = target; }
    public Thread(String name) { this.target = null; }
    public void run() { if (target != null) target.run(); }
    public native void start();
    public final native void join() throws InterruptedException;
    public final native void join(long millis) throws InterruptedException;
    //@ pure
    public native void interrupt();
    //@ pure
    public native boolean isInterrupted();
    //@ pure
    public final native boolean isAlive();
    //@ pure
    public final native void setDaemon(boolean daemon);
    //@ pure
    public final native void setName(String name);
    //@ pure
    public final native /*@ non_null */ String getName();
    //@ pure
    public native long getId();
    //@ pure
    public final native void setPriority(int priority);
    //@ pure
    public static native boolean interrupted();
    public static native Thread currentThread();
    public static native boolean holdsLock(Object lock);
    public static native void sleep(long millis) throws InterruptedException;
    //@ pure
    public static native void yield();
    //@ pure
    public static native void onSpinWait();
}

public class ThreadLocal<T> {
    public ThreadLocal() { }
    //@ pure
    public native T get();
    public native void set(T value);
    public native void remove();
    public static native <S> /*@ non_null */ ThreadLocal<S> withInitial(Supplier<? extends S> supplier);
}

public class Throwable {
    public Throwable() { }
    public Throwable(String message) { }
    public Throwable(String message, Throwable cause) { }
    public Throwable(Throwable cause) { }
    //@ pure
    public native String getMessage();
    //@ pure
    public native Throwable getCause();
    //@ pure
    public native void printStackTrace();
    //@ pure
    public native void addSuppressed(Throwable other);
}

public class Exception extends Throwable {
    public Exception() { }
    public Exception(String message) { }
    public Exception(String message, Throwable cause) { }
    public Exception(Throwable cause) { }
}
public class Error extends Throwable {
    public Error() { }
    public Error(String message) { }
    public Error(String message, Throwable cause) { }
    public Error(Throwable cause) { }
}
public class RuntimeException extends Exception {
    public RuntimeException() { }
    public RuntimeException(String message) { }
    public RuntimeException(String message, Throwable cause) { }
    public RuntimeException(Throwable cause) { }
}
public class InterruptedException extends Exception {
    public InterruptedException() { }
    public InterruptedException(String message) { }
    public InterruptedException(String message, Throwable cause) { }
    public InterruptedException(Throwable cause) { }
}
public class CloneNotSupportedException extends Exception {
    public CloneNotSupportedException() { }
    public CloneNotSupportedException(String message) { }
    public CloneNotSupportedException(String message, Throwable cause) { }
    public CloneNotSupportedException(Throwable cause) { }
}
public class NullPointerException extends RuntimeException {
    public NullPointerException() { }
    public NullPointerException(String message) { }
    public NullPointerException(String message, Throwable cause) { }
    public NullPointerException(Throwable cause) { }
}
public class IndexOutOfBoundsException extends RuntimeException {
    public IndexOutOfBoundsException() { }
    public IndexOutOfBoundsException(String message) { }
    public IndexOutOfBoundsException(int index) { }
}
public class ArrayIndexOutOfBoundsException extends IndexOutOfBoundsException {
    public ArrayIndexOutOfBoundsException() { }
    public ArrayIndexOutOfBoundsException(String message) { }
    public ArrayIndexOutOfBoundsException(int index) { }
}
public class StringIndexOutOfBoundsException extends IndexOutOfBoundsException {
    public StringIndexOutOfBoundsException() { }
    public StringIndexOutOfBoundsException(String message) { }
    public StringIndexOutOfBoundsException(String message, Throwable cause) { }
    public StringIndexOutOfBoundsException(Throwable cause) { }
}
public class NegativeArraySizeException extends RuntimeException {
    public NegativeArraySizeException() { }
    public NegativeArraySizeException(String message) { }
    public NegativeArraySizeException(String message, Throwable cause) { }
    public NegativeArraySizeException(Throwable cause) { }
}
public class ArithmeticException extends RuntimeException {
    public ArithmeticException() { }
    public ArithmeticException(String message) { }
    public ArithmeticException(String message, Throwable cause) { }
    public ArithmeticException(Throwable cause) { }
}
public class ClassCastException extends RuntimeException {
    public ClassCastException() { }
    public ClassCastException(String message) { }
    public ClassCastException(String message, Throwable cause) { }
    public ClassCastException(Throwable cause) { }
}
public class ArrayStoreException extends RuntimeException {
    public ArrayStoreException() { }
    public ArrayStoreException(String message) { }
    public ArrayStoreException(String message, Throwable cause) { }
    public ArrayStoreException(Throwable cause) { }
}
public class IllegalArgumentException extends RuntimeException {
    public IllegalArgumentException() { }
    public IllegalArgumentException(String message) { }
    public IllegalArgumentException(String message, Throwable cause) { }
    public IllegalArgumentException(Throwable cause) { }
}
public class NumberFormatException extends IllegalArgumentException {
    public NumberFormatException() { }
    public NumberFormatException(String message) { }
    public NumberFormatException(String message, Throwable cause) { }
    public NumberFormatException(Throwable cause) { }
}
public class IllegalStateException extends RuntimeException {
    public IllegalStateException() { }
    public IllegalStateException(String message) { }
    public IllegalStateException(String message, Throwable cause) { }
    public IllegalStateException(Throwable cause) { }
}
public class IllegalMonitorStateException extends RuntimeException {
    public IllegalMonitorStateException() { }
    public IllegalMonitorStateException(String message) { }
    public IllegalMonitorStateException(String message, Throwable cause) { }
    public IllegalMonitorStateException(Throwable cause) { }
}
public class IllegalThreadStateException extends IllegalArgumentException {
    public IllegalThreadStateException() { }
    public IllegalThreadStateException(String message) { }
    public IllegalThreadStateException(String message, Throwable cause) { }
    public IllegalThreadStateException(Throwable cause) { }
}
public class UnsupportedOperationException extends RuntimeException {
    public UnsupportedOperationException() { }
    public UnsupportedOperationException(String message) { }
    public UnsupportedOperationException(String message, Throwable cause) { }
    public UnsupportedOperationException(Throwable cause) { }
}
public class SecurityException extends RuntimeException {
    public SecurityException() { }
    public SecurityException(String message) { }
    public SecurityException(String message, Throwable cause) { }
    public SecurityException(Throwable cause) { }
}
public class ReflectiveOperationException extends Exception {
    public ReflectiveOperationException() { }
    public ReflectiveOperationException(String message) { }
    public ReflectiveOperationException(String message, Throwable cause) { }
    public ReflectiveOperationException(Throwable cause) { }
}
public class ClassNotFoundException extends ReflectiveOperationException {
    public ClassNotFoundException() { }
    public ClassNotFoundException(String message) { }
    public ClassNotFoundException(String message, Throwable cause) { }
    public ClassNotFoundException(Throwable cause) { }
}
public class AssertionError extends Error {
    public AssertionError() { }
    public AssertionError(Object message) { }
    public AssertionError(String message, Throwable cause) { }
}
public class OutOfMemoryError extends Error {
    public OutOfMemoryError() { }
    public OutOfMemoryError(String message) { }
    public OutOfMemoryError(String message, Throwable cause) { }
    public OutOfMemoryError(Throwable cause) { }
}
public class StackOverflowError extends Error {
    public StackOverflowError() { }
    public StackOverflowError(String message) { }
    public StackOverflowError(String message, Throwable cause) { }
    public StackOverflowError(Throwable cause) { }
}
public class ThreadDeath extends Error {
    public ThreadDeath() { }
    public ThreadDeath(String message) { }
    public ThreadDeath(String message, Throwable cause) { }
    public ThreadDeath(Throwable cause) { }
}
public @interface Override { }
public @interface Deprecated { }
public @interface SuppressWarnings { }
public @interface FunctionalInterface { }
public @interface SafeVarargs { }
