package visibility.holder;

// Two values that belong together are written at once, as one object whose fields never change. Two volatile fields are
// written one after the other.
class Range {
    final int low;
    final int high;
    //@ global_invariant low <= high

    //@ requires low <= high
    Range(int low, int high) {
        this.low = low;
        this.high = high;
    }
}

class Limits {
    private volatile /*@ non_null */ Range range = new Range(0, 10);

    void set(int low, int high) {
        if (low <= high) {
            range = new Range(low, high);
        }
    }

    int width() {
        Range now = range;
        int width = now.high - now.low;
        assert width >= 0;
        return width;
    }

    int widthOfTwo() {
        int width = range.high - range.low;
        assert width >= 0; //~ error[assertion-failed]
        return width;
    }
}

class LimitsInParts {
    private volatile int low;
    private volatile int high;
    //@ global_invariant low <= high

    void set(int low, int high) {
        if (low <= high) {
            this.low = low; //~ error[invariant-broken]
            this.high = high; //~ error[invariant-broken]
        }
    }
}
