package classes.helper;

// A helper is checked where it is called. What holds of every object that others can see holds after its steps too.
class Range {
    private int low;
    private int high;
    //@ global_invariant low <= high

    Range(int low, int length) {
        this(low);
        if (length > 0) {
            high = low + length;
        }
    }

    // Its object need not be in order at its end: the constructor that calls it goes on.
    /*@ helper */ private Range(int low) {
        this.low = low;
        this.high = low - 1;
        fix();
    }

    /*@ helper */ private void fix() {
        high = high + 1;
    }

    /*@ helper */ private void shift(int by) {
        low = low + by; //~ error[invariant-broken]
        high = high + by;
    }

    synchronized void move(int by) {
        shift(by);
    }

    /*@ helper */ synchronized int length() { //~ warning[annotation-unknown]
        return high - low;
    }
}
