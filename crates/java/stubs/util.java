// Collections and the like. What they hold is not looked at: what comes out may be anything.
package java.util;

import java.util.function.*;

public interface Iterator<E> {
    //@ pure
    boolean hasNext();
    //@ pure
    E next();
    void remove();
}
public interface Enumeration<E> {
    //@ pure
    boolean hasMoreElements();
    //@ pure
    E nextElement();
}
public interface Comparator<T> { int compare(T one, T other); }
public interface Collection<E> extends Iterable<E> {
    //@ pure
    int size();
    //@ pure
    boolean isEmpty();
    //@ pure
    boolean contains(Object value);
    boolean add(E value);
    boolean remove(Object value);
    boolean addAll(Collection<? extends E> values);
    boolean removeAll(Collection<?> values);
    void clear();
    /*@ non_null */ Object[] toArray();
    <T> /*@ non_null */ T[] toArray(T[] array);
    /*@ non_null */ Iterator<E> iterator();
}
public interface List<E> extends Collection<E> {
    //@ pure
    E get(int index);
    E set(int index, E value);
    void add(int index, E value);
    E remove(int index);
    //@ pure
    int indexOf(Object value);
    //@ pure
    int lastIndexOf(Object value);
    void sort(Comparator<? super E> order);
    /*@ non_null */ List<E> subList(int from, int to);
    static <E> /*@ non_null */ List<E> of(E... values);
}
public interface Set<E> extends Collection<E> { static <E> /*@ non_null */ Set<E> of(E... values); }
public interface Queue<E> extends Collection<E> {
    boolean offer(E value);
    E poll();
    E remove();
    //@ pure
    E peek();
    //@ pure
    E element();
}
public interface Deque<E> extends Queue<E> {
    void addFirst(E value);
    void addLast(E value);
    E removeFirst();
    E removeLast();
    E pollFirst();
    E pollLast();
    //@ pure
    E getFirst();
    //@ pure
    E getLast();
    //@ pure
    E peekFirst();
    //@ pure
    E peekLast();
    void push(E value);
    E pop();
}
public interface Map<K, V> {
    //@ pure
    int size();
    //@ pure
    boolean isEmpty();
    //@ pure
    V get(Object key);
    V put(K key, V value);
    V remove(Object key);
    //@ pure
    boolean containsKey(Object key);
    //@ pure
    boolean containsValue(Object value);
    //@ pure
    V getOrDefault(Object key, V value);
    V putIfAbsent(K key, V value);
    V computeIfAbsent(K key, Function<? super K, ? extends V> function);
    V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function);
    void putAll(Map<? extends K, ? extends V> other);
    void clear();
    //@ pure
    /*@ non_null */ Set<K> keySet();
    //@ pure
    /*@ non_null */ Collection<V> values();
    //@ pure
    /*@ non_null */ Set<Map.Entry<K, V>> entrySet();
    void forEach(BiConsumer<? super K, ? super V> action);
    interface Entry<K, V> {
        //@ pure
        K getKey();
        //@ pure
        V getValue();
        V setValue(V value);
    }
    static <K, V> /*@ non_null */ Map<K, V> of();
}
public abstract class AbstractCollection<E> implements Collection<E> { }
public abstract class AbstractList<E> extends AbstractCollection<E> implements List<E> { protected int modCount; }
public class ArrayList<E> extends AbstractList<E> implements List<E> {
    public ArrayList() { }
    public ArrayList(int capacity) { }
    public ArrayList(Collection<? extends E> other) { }
}
public class LinkedList<E> extends AbstractList<E> implements List<E>, Deque<E> {
    public LinkedList() { }
}
public class ArrayDeque<E> extends AbstractCollection<E> implements Deque<E> {
    public ArrayDeque() { }
}
public class PriorityQueue<E> extends AbstractCollection<E> implements Queue<E> {
    public PriorityQueue() { }
}
public class HashSet<E> extends AbstractCollection<E> implements Set<E> {
    public HashSet() { }
    public HashSet(Collection<? extends E> other) { }
}
public class TreeSet<E> extends AbstractCollection<E> implements Set<E> {
    public TreeSet() { }
}
public abstract class AbstractMap<K, V> implements Map<K, V> { }
public class HashMap<K, V> extends AbstractMap<K, V> implements Map<K, V> {
    public HashMap() { }
    public HashMap(Map<? extends K, ? extends V> other) { }
}
public class LinkedHashMap<K, V> extends HashMap<K, V> {
    public LinkedHashMap() { }
}
public class TreeMap<K, V> extends AbstractMap<K, V> implements Map<K, V> {
    public TreeMap() { }
}
public final class Collections {
    private Collections() { }
    public static native <T> /*@ non_null */ List<T> synchronizedList(List<T> list);
    public static native <K, V> /*@ non_null */ Map<K, V> synchronizedMap(Map<K, V> map);
    public static native <T> /*@ non_null */ List<T> unmodifiableList(List<? extends T> list);
    public static native <T> /*@ non_null */ Set<T> unmodifiableSet(Set<? extends T> set);
    public static native <K, V> /*@ non_null */ Map<K, V> unmodifiableMap(Map<? extends K, ? extends V> map);
    //@ pure
    public static native <T> /*@ non_null */ List<T> emptyList();
    public static native <T> void sort(List<T> list);
}
public final class Arrays {
    private Arrays() { }
    //@ pure
    public static native <T> /*@ non_null */ List<T> asList(T... values);
    //@ pure
    public static native /*@ non_null */ String toString(int[] values);
    //@ pure
    public static native /*@ non_null */ String toString(Object[] values);
    // An array of the same class, of which nothing is known but its length.
    //@ pure
    private static native Object[] alike(Object[] original);
    //@ requires length >= 0
    public static <T> /*@ non_null */ T[] copyOf(T[] original, int length) {
        int known = original.length;
        Object[] copy = alike(original);
        //@ assume copy != null && copy.length == length
        return (T[]) copy;
    }
    //@ requires length >= 0
    public static <T, U> /*@ non_null */ T[] copyOf(U[] original, int length, Class<? extends T[]> type) {
        int known = original.length;
        Object[] copy = alike(original);
        //@ assume copy != null && copy.length == length
        return (T[]) copy;
    }
    //@ requires 0 <= from && from <= original.length && from <= to
    public static <T> /*@ non_null */ T[] copyOfRange(T[] original, int from, int to) {
        int known = original.length;
        Object[] copy = alike(original);
        //@ assume copy != null && copy.length == to - from
        return (T[]) copy;
    }
    public static /*@ non_null */ boolean[] copyOf(boolean[] original, int length) {
        boolean[] copy = new boolean[length];
        System.arraycopy(original, 0, copy, 0, original.length < length ? original.length : length);
        return copy;
    }
    public static /*@ non_null */ byte[] copyOf(byte[] original, int length) {
        byte[] copy = new byte[length];
        System.arraycopy(original, 0, copy, 0, original.length < length ? original.length : length);
        return copy;
    }
    public static /*@ non_null */ char[] copyOf(char[] original, int length) {
        char[] copy = new char[length];
        System.arraycopy(original, 0, copy, 0, original.length < length ? original.length : length);
        return copy;
    }
    public static /*@ non_null */ short[] copyOf(short[] original, int length) {
        short[] copy = new short[length];
        System.arraycopy(original, 0, copy, 0, original.length < length ? original.length : length);
        return copy;
    }
    public static /*@ non_null */ int[] copyOf(int[] original, int length) {
        int[] copy = new int[length];
        System.arraycopy(original, 0, copy, 0, original.length < length ? original.length : length);
        return copy;
    }
    public static /*@ non_null */ long[] copyOf(long[] original, int length) {
        long[] copy = new long[length];
        System.arraycopy(original, 0, copy, 0, original.length < length ? original.length : length);
        return copy;
    }
    public static /*@ non_null */ float[] copyOf(float[] original, int length) {
        float[] copy = new float[length];
        System.arraycopy(original, 0, copy, 0, original.length < length ? original.length : length);
        return copy;
    }
    public static /*@ non_null */ double[] copyOf(double[] original, int length) {
        double[] copy = new double[length];
        System.arraycopy(original, 0, copy, 0, original.length < length ? original.length : length);
        return copy;
    }
}
public final class Objects {
    private Objects() { }
    //@ pure
    public static native boolean equals(Object one, Object other);
    //@ pure
    public static native int hash(Object... values);
    public static <T> /*@ non_null */ T requireNonNull(T value) {
        if (value == null) throw new NullPointerException();
        return value;
    }
}
public final class Optional<T> {
    private final T value;
    private Optional(T value) { this.value = value; }
    public static <T> /*@ non_null */ Optional<T> of(T value) {
        if (value == null) throw new NullPointerException();
        return new Optional<T>(value);
    }
    public static <T> /*@ non_null */ Optional<T> ofNullable(T value) { return new Optional<T>(value); }
    public static <T> /*@ non_null */ Optional<T> empty() { return new Optional<T>(null); }
    public boolean isPresent() { return value != null; }
    public boolean isEmpty() { return value == null; }
    public /*@ non_null */ T get() {
        if (value == null) throw new NoSuchElementException();
        return value;
    }
    public /*@ non_null */ T orElseThrow() {
        if (value == null) throw new NoSuchElementException();
        return value;
    }
    public T orElse(T other) { return value != null ? value : other; }
    public T orElseGet(Supplier<? extends T> supplier) { return value != null ? value : supplier.get(); }
    public void ifPresent(Consumer<? super T> action) {
        if (value != null) action.accept(value);
    }
    public void ifPresentOrElse(Consumer<? super T> action, Runnable otherwise) {
        if (value != null) action.accept(value);
        else otherwise.run();
    }
    public /*@ non_null */ Optional<T> filter(Predicate<? super T> test) {
        if (value == null || test.test(value)) return this;
        return new Optional<T>(null);
    }
    public <U> /*@ non_null */ Optional<U> map(Function<? super T, ? extends U> function) {
        if (value == null) return new Optional<U>(null);
        return new Optional<U>(function.apply(value));
    }
    public <U> Optional<U> flatMap(Function<? super T, Optional<U>> function) {
        if (value == null) return new Optional<U>(null);
        return function.apply(value);
    }
}
public class Random {
    public Random() { }
    public Random(long seed) { }
    //@ pure
    public native int nextInt();
    //@ pure
    public native int nextInt(int bound);
    //@ pure
    public native boolean nextBoolean();
    //@ pure
    public native double nextDouble();
}
public class Date {
    public Date() { }
    public Date(long time) { }
    //@ pure
    public native long getTime();
    public native void setTime(long time);
}
public class NoSuchElementException extends RuntimeException {
    public NoSuchElementException() { }
    public NoSuchElementException(String message) { }
}
public class ConcurrentModificationException extends RuntimeException {
    public ConcurrentModificationException() { }
}
public class EmptyStackException extends RuntimeException {
    public EmptyStackException() { }
}
