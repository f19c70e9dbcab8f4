//: proved: 23
package classes.new_object;

// What is promised of all objects is due when a constructor ends, also of fields that it does not
// mention.
class Range { //~ error[invariant-broken]
    private volatile int low;
    private final int high = 10;
    //@ global_invariant low < high && 0 < low

    int get() {
        int found = low;
        assert found < 10;
        return found;
    }
}

class Interval {
    private volatile int low = 1;
    private final int high = 10;
    //@ global_invariant low < high && 0 < low

    int get() {
        int found = low;
        assert found < 10;
        return found;
    }
}
