package classes.refinement;

// A method that overrides another one requires no more than it and promises no less.
abstract class Shape {
    //@ requires factor >= 0
    //@ ensures \result >= 0
    abstract int scaled(int factor);

    abstract /*@ non_null */ Shape copy();
}

class Square extends Shape {
    private final int side;

    //@ requires side >= 0
    Square(int side) {
        if (side < 0) {
            throw new IllegalArgumentException();
        }
        this.side = side;
    }

    //@ global_invariant side >= 0

    int scaled(int factor) {
        return factor < 0 ? 0 : factor + side;
    }

    Shape copy() {
        return new Square(side);
    }
}

class Careful extends Shape {
    //@ requires factor > 0 //~ error[precondition-failed] "more than what is required"
    int scaled(int factor) {
        return factor - 1;
    }

    Shape copy() { //~ error[postcondition-failed] "the result may be null"
        return null;
    }
}

class Sloppy extends Shape {
    int scaled(int factor) { //~ error[postcondition-failed] "what the overridden method promises"
        return factor - 1;
    }

    Shape copy() {
        return this;
    }
}
