//: proved: 12
package classes.dispatch;

// What runs depends on the class of the object.
abstract class Shape {
    abstract int sides();

    int doubled() {
        int sides = sides();
        //@ assert sides == 3 || sides == 4
        return 2 * sides;
    }
}

class Triangle extends Shape {
    int sides() {
        return 3;
    }
}

class Square extends Shape {
    int sides() {
        return 4;
    }

    int wrong(/*@ non_null */ Shape other) {
        int sides = other.sides();
        //@ assert sides == 4 //~ error[assertion-failed]
        return sides;
    }
}
