//: proved: 45
package visibility.immutable;

// Final fields never change once others can see the object.
final class Range {
    private final int low, high;
    //@ global_invariant low <= high

    //@ requires low <= high
    Range(int low, int high) {
        this.low = low;
        this.high = high;
    }

    int length() {
        int length = high - low;
        //@ assert length >= 0
        return length;
    }
}

class Holder {
    private volatile Range range = new Range(0, 1);

    void grow() {
        Range old = range;
        range = new Range(0, old.length() + 1);
    }
}
