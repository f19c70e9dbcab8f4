//: proved: 282
package paper.vector;

// Paper 2, section 7.3, in our own words: a growing array of which every method but two holds the monitor. The count is
// read without the lock in `lastIndexOf(Object)`: another thread may shrink the array before it is used.
class Vector {
    protected Object[] data;
    protected int count;
    //@ global_invariant data != null
    //@ global_invariant 0 <= count && count <= data.length

    //@ requires capacity >= 0
    Vector(int capacity) {
        data = new Object[capacity];
    }

    synchronized int size() {
        return count;
    }

    synchronized boolean isEmpty() {
        return count == 0;
    }

    synchronized int capacity() {
        return data.length;
    }

    synchronized Object get(int index) {
        if (index < 0 || index >= count) {
            throw new ArrayIndexOutOfBoundsException("index");
        }
        return data[index];
    }

    synchronized void set(int index, Object value) {
        if (index < 0 || index >= count) {
            throw new ArrayIndexOutOfBoundsException("index");
        }
        data[index] = value;
    }

    private void grow(int least) {
        Object[] old = data;
        if (least > old.length) {
            int length = 2 * old.length;
            if (length < least) {
                length = least;
            }
            Object[] larger = new Object[length];
            for (int i = 0; i < count; i++) {
                larger[i] = old[i];
            }
            data = larger;
        }
    }

    synchronized void add(Object value) {
        grow(count + 1);
        data[count] = value;
        count++;
    }

    synchronized void removeAll() {
        for (int i = 0; i < count; i++) {
            data[i] = null;
        }
        count = 0;
    }

    synchronized Object removeLast() {
        if (count == 0) {
            return null;
        }
        count--;
        Object last = data[count];
        data[count] = null;
        return last;
    }

    synchronized void trim() {
        if (count < data.length) {
            Object[] smaller = new Object[count];
            for (int i = 0; i < count; i++) {
                smaller[i] = data[i];
            }
            data = smaller;
        }
    }

    synchronized int indexOf(Object value) {
        for (int i = 0; i < count; i++) {
            if (data[i] == value) {
                return i;
            }
        }
        return -1;
    }

    boolean contains(Object value) {
        return indexOf(value) >= 0;
    }

    //@ requires index < count && this.holder == tid
    synchronized int lastIndexOf(Object value, int index) {
        for (int i = index; i >= 0; i--) {
            if (data[i] == value) {
                return i;
            }
        }
        return -1;
    }

    int lastIndexOf(Object value) {
        return lastIndexOf(value, count - 1); //~ error[data-race] //~ error[precondition-failed]
    }
}
