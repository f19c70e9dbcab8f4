//: proved: 20
package races.synchronized_counter;

// Every access holds the monitor of the counter; nobody has to say so.
class Counter {
    private int count;

    synchronized void increment() {
        count++;
    }

    synchronized int get() {
        return count;
    }
}
