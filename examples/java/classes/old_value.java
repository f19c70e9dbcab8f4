//: proved: 26
package classes.old_value;

// `\old` is the value when the method began, before it entered its monitor.
class Counter {
    private int count;
    private volatile int turns;
    //@ env_assumption \old(turns) <= turns

    //@ ensures \old(turns) <= turns
    int turn() {
        int seen = turns;
        return seen;
    }

    //@ ensures count == \old(count) + 1 //~ error[postcondition-failed]
    synchronized void increment() {
        count = count + 1;
    }

    //@ requires this.holder == tid
    //@ ensures count == \old(count) + 1
    void incrementHeld() {
        count = count + 1;
    }
}
