//: proved: 54
package races.check_and_act;

// Test and act under one lock.
class Stack {
    private final int[] items = new int[10];
    private int size;
    //@ global_invariant 0 <= size && size <= 10
    //@ global_invariant items.length == 10

    synchronized boolean isEmpty() {
        return size == 0;
    }

    synchronized void popIfAny() {
        if (!isEmpty()) {
            size = size - 1;
        }
    }

    synchronized boolean push(int value) {
        if (size == items.length) {
            return false;
        }
        items[size] = value;
        size++;
        return true;
    }
}
