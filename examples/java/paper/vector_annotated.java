package paper.vector_annotated;

// Paper 2, section 7.3, in our own words, with its annotations: fields that others leave alone while the monitor is held. The last
// index is searched for in three ways. The first reads the count without the monitor; the second holds it, but gives it up before the count is
// used; the third is right. The first two go outside of the array if others shrink it in between.
class Vector {
    /*@ unwritable_by_env_if this.holder == tid */
    protected int count;
    /*@ unwritable_by_env_if this.holder == tid */
    protected Object[] data;
    /*@ global_invariant 0 <= count && count <= data.length */
    /*@ global_invariant data != null */
    protected int step; /*@ unwritable_by_env_if this.holder == tid */

    //@ requires capacity >= 0
    Vector(int capacity, int step) {
        this.data = new Object[capacity];
        this.step = step;
    }

    //@ requires capacity >= 0
    Vector(int capacity) {
        this(capacity, 0);
    }

    Vector() {
        this(10);
    }

    synchronized void copyInto(/*@ non_null */ Object[] target) {
        if (target.length < count) {
            throw new IndexOutOfBoundsException();
        }
        System.arraycopy(data, 0, target, 0, count); //~ error[bad-cast]
    }

    synchronized void trimToSize() {
        if (count < data.length) {
            Object[] smaller = new Object[count];
            System.arraycopy(data, 0, smaller, 0, count);
            data = smaller;
        }
    }

    synchronized void ensureCapacity(int least) {
        grow(least);
    }

    private void grow(int least) {
        Object[] old = data;
        if (least > old.length) {
            int length = step > 0 ? old.length + step : 2 * old.length;
            if (length < least) {
                length = least;
            }
            Object[] larger = new Object[length];
            System.arraycopy(old, 0, larger, 0, count);
            data = larger;
        }
    }

    synchronized void setSize(int size) {
        if (size < 0) {
            throw new IndexOutOfBoundsException();
        }
        if (size > count) {
            grow(size);
        } else {
            for (int i = size; i < count; i++) {
                data[i] = null;
            }
        }
        count = size;
    }

    synchronized int capacity() {
        return data.length;
    }

    synchronized int size() {
        return count;
    }

    synchronized boolean isEmpty() {
        return count == 0;
    }

    boolean contains(Object value) {
        return indexOf(value, 0) >= 0;
    }

    int indexOf(Object value) {
        return indexOf(value, 0);
    }

    synchronized int indexOf(Object value, int from) {
        if (from < 0) {
            throw new IndexOutOfBoundsException();
        }
        for (int i = from; i < count; i++) {
            if (data[i] == value) {
                return i;
            }
        }
        return -1;
    }

    int lastIndexOf(Object value) {
        return search(value, count - 1);
    }

    int lastIndexOfUnmended(Object value) {
        int last;
        synchronized (this) {
            last = count - 1;
        }
        return search(value, last);
    }

    synchronized int lastIndexOfMended(Object value) {
        return search(value, count - 1);
    }

    private synchronized int search(Object value, int last) {
        for (int i = last; i >= 0; i--) {
            if (data[i] == value) { //~ error[index-out-of-range] //~ error[index-out-of-range]
                return i;
            }
        }
        return -1;
    }

    synchronized int lastIndexOf(Object value, int last) {
        if (last >= count) {
            throw new IndexOutOfBoundsException();
        }
        return search(value, last);
    }

    synchronized Object elementAt(int index) {
        return get(index);
    }

    synchronized Object firstElement() {
        if (count == 0) {
            throw new RuntimeException("empty");
        }
        return data[0];
    }

    synchronized Object lastElement() {
        if (count == 0) {
            throw new RuntimeException("empty");
        }
        return data[count - 1];
    }

    synchronized void setElementAt(Object value, int index) {
        set(index, value);
    }

    synchronized void removeElementAt(int index) {
        if (index >= count || index < 0) {
            throw new ArrayIndexOutOfBoundsException(index);
        }
        int after = count - index - 1;
        if (after > 0) {
            System.arraycopy(data, index + 1, data, index, after);
        }
        count--;
        data[count] = null;
    }

    synchronized void insertElementAt(Object value, int index) {
        if (index > count || index < 0) {
            throw new ArrayIndexOutOfBoundsException(index);
        }
        grow(count + 1);
        System.arraycopy(data, index, data, index + 1, count - index);
        data[index] = value;
        count++;
    }

    synchronized void addElement(Object value) {
        grow(count + 1);
        data[count] = value;
        count++;
    }

    synchronized boolean removeElement(Object value) {
        int at = indexOf(value, 0);
        if (at < 0) {
            return false;
        }
        remove(at);
        return true;
    }

    synchronized void removeAllElements() {
        for (int i = 0; i < count; i++) {
            data[i] = null;
        }
        count = 0;
    }

    synchronized Object[] toArray() {
        Object[] copy = new Object[count];
        System.arraycopy(data, 0, copy, 0, count);
        return copy;
    }

    synchronized Object get(int index) {
        if (index < 0 || index >= count) {
            throw new ArrayIndexOutOfBoundsException(index);
        }
        return data[index];
    }

    synchronized Object set(int index, Object value) {
        if (index < 0 || index >= count) {
            throw new ArrayIndexOutOfBoundsException(index);
        }
        Object old = data[index];
        data[index] = value;
        return old;
    }

    synchronized boolean add(Object value) {
        grow(count + 1);
        data[count] = value;
        count++;
        return true;
    }

    void add(int index, Object value) {
        insertElementAt(value, index);
    }

    synchronized Object remove(int index) {
        if (index < 0 || index >= count) {
            throw new ArrayIndexOutOfBoundsException(index);
        }
        Object old = data[index];
        int after = count - index - 1;
        if (after > 0) {
            System.arraycopy(data, index + 1, data, index, after);
        }
        count--;
        data[count] = null;
        return old;
    }

    void clear() {
        removeAllElements();
    }

    synchronized void swap(int one, int other) {
        if (one < 0 || one >= count || other < 0 || other >= count) {
            throw new ArrayIndexOutOfBoundsException(one);
        }
        Object kept = data[one];
        data[one] = data[other];
        data[other] = kept;
    }

    synchronized void reverse() {
        int low = 0;
        int high = count - 1;
        //@ loop_invariant this.holder == tid && 0 <= low && high < count
        while (low < high) {
            Object kept = data[low];
            data[low] = data[high];
            data[high] = kept;
            low++;
            high--;
        }
    }
}
