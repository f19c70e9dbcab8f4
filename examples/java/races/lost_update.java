//: proved: 6
package races.lost_update;

// Two threads may read the same value: one of the updates is lost.
class Counter {
    private int count;

    void increment() {
        count++; //~ error[data-race] "is read while another thread may access it"
    }

    int get() {
        return count; //~ error[data-race] "is read"
    }
}
