// Interfaces of functions.
package java.util.function;

public interface Supplier<T> { T get(); }
public interface Consumer<T> { void accept(T value); }
public interface BiConsumer<T, U> { void accept(T one, U other); }
public interface Function<T, R> { R apply(T value); }
public interface BiFunction<T, U, R> { R apply(T one, U other); }
public interface UnaryOperator<T> extends Function<T, T> { }
public interface BinaryOperator<T> extends BiFunction<T, T, T> { }
public interface Predicate<T> { boolean test(T value); }
public interface BooleanSupplier { boolean getAsBoolean(); }
public interface IntSupplier { int getAsInt(); }
public interface IntConsumer { void accept(int value); }
public interface IntFunction<R> { R apply(int value); }
public interface IntPredicate { boolean test(int value); }
public interface IntUnaryOperator { int applyAsInt(int value); }
public interface IntBinaryOperator { int applyAsInt(int one, int other); }
public interface LongUnaryOperator { long applyAsLong(long value); }
public interface LongBinaryOperator { long applyAsLong(long one, long other); }
public interface ToIntFunction<T> { int applyAsInt(T value); }
