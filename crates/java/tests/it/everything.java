package a.b.c;

import java.util.List;
import java.util.*;
import static java.lang.Math.max;
import static java.lang.Math.*;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.Predicate;

@interface Mark {
    int value() default 1;
    String[] names() default {"a", "b"};
    Class<?> of() default Object.class;
}

interface Shape<T extends Comparable<T> & Runnable> {
    int SIDES = 4;
    T area();
    default int twice(int x) { return helper(x) * 2; }
    static int one() { return 1; }
    private int helper(int x) { return x; }
}

sealed interface Tree permits Leaf, Node {}
record Leaf(int value) implements Tree {
    static int made;
    Leaf {
        if (value < 0) throw new IllegalArgumentException();
    }
    Leaf() { this(0); }
    int next() { return value + 1; }
}
record Node(Tree left, Tree right) implements Tree {}
class Closed implements AutoCloseable { public void close() {} }
non-sealed abstract class Other implements Comparable<Other> {}

enum Color {
    RED, GREEN(2) { @Override int weight() { return 7; } }, BLUE(3),;
    private final int n;
    Color() { this(1); }
    Color(int n) { this.n = n; }
    int weight() { return n; }
}

@Mark(names = {"x"}, value = 3)
public abstract strictfp class Everything<A, B extends List<? super A>> extends Object implements Runnable, java.io.Serializable {
    static final int[] TABLE = {1, 2, 3};
    static final int[][] GRID = new int[2][], FULL = {{1}, {2, 3}};
    private transient volatile long count = 0L;
    protected String text = "a" + 'b' + 1 + null;
    int dims[][] = new int[3][4];
    ;
    static { TABLE[0] = 5; }
    { count = 1; }

    public Everything() throws Exception { super(); }
    <T> Everything(T t) throws Exception { this(); }

    abstract <T extends Runnable> void generic(T t, List<? extends T>... many) throws Exception;
    native int outside();
    synchronized void locked() { wait0(); }
    void wait0() {}
    int array()[] { return new int[] {1, 2}; }
    void receiver(Everything<A, B> this, final int x) {}

    @Override public void run() {
        int a = 0, b[] = {1}, c;
        final var inferred = new ArrayList<String>();
        a += b[0]; a -= 1; a *= 2; a /= 3; a %= 4; a <<= 1; a >>= 1; a >>>= 1; a &= 7; a |= 8; a ^= 9;
        a = a++ + ++a - a-- - --a;
        a = ~a | +a & -a ^ a << 2 >> 1 >>> 3;
        boolean p = a < 1 && a > 2 || a <= 3 != a >= 4 == !true;
        c = p ? a : b[0];
        Object o = (Object & Runnable) this;
        if (o instanceof String) a = 1; else if (o instanceof final String s && !s.isEmpty()) a = 2;
        if (o instanceof Node(Leaf(int v), var right)) a = 3;
        for (;;) { break; }
        for (int i = 0; i < 3; i++) continue;
        for (final String s : inferred) { s.length(); }
        while (a < 3) a++;
        do { a--; } while (a > 0);
        label: { break label; }
        loop: while (true) { while (true) { if (p) continue loop; break loop; } }
        switch (a) { case 1: case 2: a = 3; break; default: a = 4; }
        switch (a) { case 1, 2 -> a = 3; case 3 -> { a = 4; } default -> throw new RuntimeException(); }
        int d = switch (a) { case 1: yield 2; default: yield 3; };
        int e = switch (o) {
            case null -> 0;
            case String s when s.length() > 1 -> 1;
            case Node(Leaf l, Node(var x, var y)) -> 2;
            case Color color -> 3;
            default -> 4;
        };
        try (var in = new Closed(); in) { in.close(); }
        catch (IllegalStateException | Error ex) { throw new Error(ex); }
        finally { a = 0; }
        synchronized (this) { a = 1; }
        assert a > 0;
        assert a > 0 : "text" + a;
        Supplier<Integer> s = () -> 1;
        Function<Integer, Integer> f = x -> x + 1, g = (x) -> { return x; }, h = (Integer x) -> x, k = (final var x) -> x;
        Supplier<List<String>> l = ArrayList::new, m = ArrayList<String>::new;
        Function<Integer, int[]> n = int[]::new;
        Function<String, Integer> q = String::length;
        Runnable r = this::run, t = super::toString, u = Everything.super::hashCode;
        Object anonymous = new Object() { int field = 1; @Override public String toString() { return "x" + field; } };
        class Local { int x = a0(); int a0() { return 1; } }
        record Point(int x, int y) {}
        enum Small { ONE }
        interface Inside {}
        Inner inner = this.new Inner();
        inner = new Inner();
        Class<?> type = int.class, other = String[].class, none = void.class;
        List<String> typed = Collections.<String>emptyList();
        String block = """
            text "quoted" \
            joined
            """;
        char ch = 'x'; long lng = 0x7fL; int bin = 0b1010_1010; int oct = 017; float fl = 1.5f; double db = 1e10; double hex = 0x1.8p1;
        Everything.this.count++;
        super.toString();
        if (a == 1) ; else return;
    }

    class Inner { int x = Everything.this.dims.length; class Deep extends Inner {} }
    static class Nested<T> { T t; Nested<T> next; }
}
