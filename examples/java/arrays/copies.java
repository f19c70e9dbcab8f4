package arrays.copies;

// Parts of arrays are copied within bounds, or not.
class Copies {
    private Object[] items = new Object[8];
    private int count;
    //@ global_invariant items != null && 0 <= count && count <= items.length

    synchronized void insertAt(int index, Object item) {
        if (index < 0 || index > count) {
            throw new IndexOutOfBoundsException();
        }
        if (count == items.length) {
            Object[] larger = new Object[2 * count + 1];
            System.arraycopy(items, 0, larger, 0, count);
            items = larger;
        }
        System.arraycopy(items, index, items, index + 1, count - index);
        items[index] = item;
        count++;
    }

    synchronized void removeAt(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException();
        }
        System.arraycopy(items, index + 1, items, index, count - index - 1);
        count--;
        items[count] = null;
    }

    synchronized void removeTooMuch(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException();
        }
        System.arraycopy(items, index + 1, items, index, count - index); //~ error[index-out-of-range]
    }

    synchronized void copyInto(Object[] target) {
        System.arraycopy(items, 0, target, 0, count); //~ error[null-receiver] //~ error[index-out-of-range] //~ error[bad-cast]
    }

    static int copiesKeepValues(int value) {
        int[] one = new int[3];
        one[1] = value;
        int[] other = new int[3];
        System.arraycopy(one, 0, other, 1, 2);
        //@ assert other[2] == value && other[0] == 0 && other[1] == 0
        //@ assert other[1] == value //~ error[assertion-failed]
        return other[0];
    }

    static int clonesKeepValues(int value) {
        int[] one = new int[2];
        one[1] = value;
        int[] other = one.clone();
        one[1] = 0;
        //@ assert other.length == 2 && other[1] == value
        return other[2]; //~ error[index-out-of-range]
    }
}
