//: proved: 28
package visibility.leaked_this;

// The constructor hands out its object before it is finished.
class Listener {
    static volatile Listener last;
    private final int[] data;

    Listener() {
        last = this; //~ error[invariant-broken]
        data = new int[4];
    }

    int first() {
        return data[0];
    }
}
