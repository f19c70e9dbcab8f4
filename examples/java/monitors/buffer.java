//: proved: 82
package monitors.buffer;

// A bounded buffer: indices stay inside of the array, whoever puts and takes.
class Buffer {
    private final Object[] items;
    private int count, putIndex, takeIndex;
    //@ global_invariant 0 <= putIndex && putIndex < items.length
    //@ global_invariant 0 <= takeIndex && takeIndex < items.length

    //@ requires capacity > 0
    Buffer(int capacity) {
        items = new Object[capacity];
    }

    synchronized void put(Object item) throws InterruptedException {
        while (count == items.length) {
            wait();
        }
        items[putIndex] = item;
        putIndex = (putIndex + 1) % items.length;
        count++;
        notifyAll();
    }

    synchronized Object take() throws InterruptedException {
        while (count == 0) {
            wait();
        }
        Object item = items[takeIndex];
        takeIndex = (takeIndex + 1) % items.length;
        count--;
        notifyAll();
        return item;
    }
}
