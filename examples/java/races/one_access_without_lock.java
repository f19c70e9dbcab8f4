//: proved: 23
package races.one_access_without_lock;

// One method forgets the lock that all others hold.
class Counter {
    private int count;

    synchronized void increment() {
        count++;
    }

    synchronized int get() {
        return count;
    }

    void reset() {
        count = 0; //~ error[data-race] "written without holding the monitor of its `Counter`"
    }
}
