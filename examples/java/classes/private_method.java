//: proved: 7
package classes.private_method;

// What a private method promises is checked where it is called.
class Clamp {
    //@ ensures \result >= 0
    private int positive(int number) {
        return number < 0 ? -number : number;
    }

    //@ ensures \result >= 0 //~ error[postcondition-failed]
    private int wrong(int number) {
        return number;
    }

    //@ ensures \result > 0 //~ error[postcondition-failed]
    private int nobodyCallsThis(int number) {
        return number;
    }

    int distance(int one, int other) {
        return positive(one - other);
    }

    int copy(int number) {
        return wrong(number);
    }
}
