//: proved: 3
package classes.old_value;

// The value at the start of a method cannot be spoken of yet: nothing is claimed.
class Counter {
    private volatile int count;

    //@ ensures count == \old(count) //~ unknown[unsupported]
    void increment() {
        count = count + 1;
    }
}
