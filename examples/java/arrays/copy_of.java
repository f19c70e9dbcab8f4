package arrays.copy_of;

import java.util.Arrays;

// Copies of arrays have the length that is asked for.
class Names {
    private Object[] all = new Object[4];
    private int count;
    //@ global_invariant all != null && 0 <= count && count <= all.length

    synchronized void trim() {
        all = Arrays.copyOf(all, count);
    }

    synchronized void trimTooMuch() {
        if (count > 0) {
            all = Arrays.copyOf(all, count - 1); //~ error[invariant-broken]
        }
    }

    synchronized void grow() {
        all = Arrays.copyOf(all, 2 * all.length);
    }

    synchronized /*@ non_null */ Object[] toArray() {
        return Arrays.copyOfRange(all, 0, count);
    }
}

class Numbers {
    //@ requires 0 < size && size < 10
    int larger(/*@ non_null */ int[] few, int size) {
        int[] more = Arrays.copyOf(few, few.length + size);
        more[few.length] = size;
        return more[few.length];
    }

    int smaller(/*@ non_null */ int[] few) {
        int[] less = Arrays.copyOf(few, few.length - 1); //~ error[negative-size]
        return less.length;
    }

    Object[] lessThanNothing(/*@ non_null */ Object[] few) {
        return Arrays.copyOf(few, -1); //~ error[precondition-failed]
    }

    int ofNothing(int[] few) {
        return Arrays.copyOf(few, 1).length; //~ error[null-receiver]
    }

    int partOfNothing(Object[] few) {
        return Arrays.copyOfRange(few, 0, 0).length; //~ error[null-receiver]
    }
}
