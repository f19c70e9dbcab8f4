//: proved: 270
package arrays.elements;

// Elements of arrays that belong to an object are accessed under a lock of it, or before others know the array, or nobody writes them
// afterwards. Those of a thread are handed over as its fields are.
class Ring {
    private final int[] slots = new int[8];
    private int next;
    //@ global_invariant 0 <= next && next < 8

    synchronized void put(int value) {
        slots[next] = value;
        next = (next + 1) % 8;
    }

    synchronized int sum() {
        int sum = 0;
        for (int slot : slots) {
            sum += slot;
        }
        return sum;
    }

    synchronized int[] copy() {
        return slots.clone();
    }

    synchronized void doubled() {
        int before = slots[0];
        slots[1] += before;
        int after = slots[0];
        //@ assert before == after
    }
}

class Growing {
    private final Object lock = new Object();
    private /*@ non_null */ int[] items = new int[4];
    private int count;
    //@ global_invariant 0 <= count && count <= items.length

    void add(int item) {
        synchronized (lock) {
            if (count == items.length) {
                int[] larger = new int[2 * count + 1];
                System.arraycopy(items, 0, larger, 0, count);
                larger[count] = item;
                items = larger;
            } else {
                items[count] = item;
            }
            count++;
        }
    }

    int last() {
        synchronized (lock) {
            int[] now = items;
            return count > 0 ? now[count - 1] : 0;
        }
    }
}

class Table {
    private static final int[] COUNTS = new int[3];
    private final int[] squares = new int[4];

    Table() {
        for (int i = 0; i < 4; i++) {
            squares[i] = i * i;
        }
    }

    int square(int of) {
        return of < 0 || of >= 4 ? 0 : squares[of];
    }

    static synchronized void count(int what) {
        if (what >= 0 && what < COUNTS.length) {
            COUNTS[what]++;
        }
    }
}

class Worker extends Thread {
    private final int[] results = new int[2];

    @Override
    public void run() {
        results[0] = 1;
    }

    static int use() throws InterruptedException {
        Worker worker = new Worker();
        worker.results[1] = 2;
        worker.start();
        worker.join();
        return worker.results[0] + worker.results[1];
    }
}

// The getter gives away the array: who has it needs the lock of the object that it belongs to.
class Given {
    private final /*@ non_null */ long[] values = new long[2];

    /*@ non_null */ long[] values() {
        return values;
    }

    synchronized void set(long value) {
        values[0] = value;
    }

    static long use(/*@ non_null */ Given given) {
        synchronized (given) {
            long[] values = given.values();
            return values.length > 0 ? values[0] : 0;
        }
    }
}
