//: proved: 35
package races.check_then_act;

// Each access is locked, but between the test and the act others may come: the size is no longer what it was.
class Stack {
    private final int[] items = new int[10];
    private int size;
    //@ global_invariant 0 <= size && size <= 10
    //@ global_invariant items.length == 10

    synchronized boolean isEmpty() {
        return size == 0;
    }

    void popIfAny() {
        if (!isEmpty()) {
            synchronized (this) {
                size = size - 1; //~ error[invariant-broken]
            }
        }
    }
}
