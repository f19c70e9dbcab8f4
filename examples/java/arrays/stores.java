package arrays.stores;

// An array for objects of a class may have been made for those of a class below it: what is stored in it may not fit then.
class Shape {
}

class Circle extends Shape {
}

final class Leaf {
}

class Stores {
    private final Shape[] shapes = new Shape[3];
    private final Shape[] circles = new Circle[3];

    synchronized void fits(Circle circle) {
        shapes[0] = circle;
        Shape[] own = null;
        own = new Shape[2];
        own[1] = new Shape();
    }

    synchronized void fitsAsNull() {
        circles[0] = null;
    }

    synchronized void mayNotFit(Shape shape) {
        circles[0] = shape; //~ unknown[annotation-missing] "it is not known whether this `Shape[]` was made as one"
    }

    static void intoArgument(/*@ non_null */ Shape[] target, Shape shape) {
        if (target.length > 0) {
            target[0] = shape; //~ error[bad-cast] "this may not fit"
        }
    }

    static void nothingIsBelow(/*@ non_null */ Leaf[] target, /*@ non_null */ String[] names) {
        if (target.length > 0 && names.length > 0) {
            target[0] = new Leaf();
            names[0] = "leaf";
        }
    }

    synchronized void copyInto(/*@ non_null */ Object[] target) {
        if (target.length > 2) {
            System.arraycopy(shapes, 0, target, 0, 3); //~ error[bad-cast]
        }
    }

    static boolean caught(/*@ non_null */ Shape[] target, Shape shape) {
        try {
            if (target.length > 0) {
                target[0] = shape;
            }
            return true;
        } catch (ArrayStoreException e) {
            return false;
        }
    }
}
