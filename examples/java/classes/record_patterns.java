package classes.record_patterns;

// A pattern of a record takes the object apart. What it declares is known where it fits, and a component may be null.
sealed interface Shape permits Circle, Rectangle, Group {
}

record Circle(int radius) implements Shape {
}

record Rectangle(int width, int height) implements Shape {
}

record Group(Shape first, String name) implements Shape {
}

class Shapes {
    //@ ensures \result >= 1
    static int size(/*@ non_null */ Shape shape) {
        return switch (shape) {
            case Circle(int radius) when radius > 0 -> radius;
            case Rectangle(var width, int height) when width > 0 && height > 1 -> width + height;
            case Group(Circle(int radius), String name) when radius >= 1 -> radius;
            case Circle circle -> 1;
            case Rectangle rectangle -> 1;
            case Group group -> 1;
        };
    }

    //@ ensures \result >= 0 //~ error[postcondition-failed]
    static int wrongSize(/*@ non_null */ Shape shape) {
        return switch (shape) {
            case Circle(int radius) -> 0;
            case Rectangle(int width, var height) when width > 0 -> height;
            default -> 0;
        };
    }

    static int length(Object object) {
        if (object instanceof Group(var first, String name) && name != null) {
            return name.length();
        }
        return 0;
    }

    static int wrongLength(Object object) {
        if (object instanceof Group(var first, String name)) {
            return name.length(); //~ error[null-receiver]
        }
        return 0;
    }

    // A pattern of a record inside of another one does not fit null, and one with the type of the component does.
    static int depth(Object object) {
        if (object instanceof Group(Group(Shape first, var name), var other)) {
            return 10 / (first == null ? 0 : 2); //~ error[division-by-zero]
        }
        return object instanceof Group(Rectangle inner, var name) ? inner.width() : 0;
    }

    static void same(Object object) {
        if (object instanceof Rectangle(int width, int height)) {
            Rectangle other = new Rectangle(width, height);
            assert other.width() == width;
            assert other.height() == width; //~ error[assertion-failed]
        }
    }
}

// Where nothing fits, which is so for a group of nothing, an exception ends the method, after what stands behind `finally`.
class Counted {
    private int spare;
    //@ global_invariant spare >= 0

    synchronized int count(/*@ non_null */ Group group) {
        int parts = 0;
        try {
            parts = switch (group) {
                case Group(Circle circle, var name) -> 1;
                case Group(Rectangle rectangle, var name) -> 2;
                case Group(Group inner, var name) -> 3;
            };
            return parts;
        } finally {
            spare = parts - 1; //~ error[invariant-broken]
        }
    }
}

// Exceptions of an accessor get another class on their way through a pattern.
record Odd(int number) {
    public int number() {
        return 10 / number; //~ error[division-by-zero]
    }
}

class Odds {
    static int of(Object object) {
        return object instanceof Odd(int number) ? number : 0; //~ unknown[unsupported]
    }
}
