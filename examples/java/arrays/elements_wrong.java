package arrays.elements_wrong;

// Elements are accessed without the lock that their other accesses hold, or without any.
class Ring {
    private final int[] slots = new int[8];

    synchronized void put(int at, int value) {
        if (at >= 0 && at < 8) {
            slots[at] = value;
        }
    }

    synchronized void clear(int at) {
        if (at >= 0 && at < 8) {
            slots[at] = 0;
        }
    }

    int first() {
        return slots[0]; //~ error[data-race] "an element of `slots` is read without holding the monitor of its `Ring`"
    }

    int[] copy() {
        return slots.clone(); //~ error[data-race]
    }

    void late(int value) {
        int[] now;
        synchronized (this) {
            now = slots;
        }
        now[0] = value; //~ error[data-race]
    }

    void later() {
        synchronized (this) {
            slots[1] = 1;
        }
        slots[2]++; //~ error[data-race] "is read without"
    }

    synchronized void takeFrom(/*@ non_null */ Ring other) {
        System.arraycopy(other.slots, 0, slots, 0, 8); //~ error[data-race] "is read without"
    }
}

class Open {
    private final int[] counts = new int[2];

    void count() {
        counts[0]++; //~ error[data-race] "an element of `counts` is written while another thread may access it"
    }
}

class Worker extends Thread {
    private final boolean[] done = new boolean[1];

    @Override
    public void run() {
        done[0] = true;
    }

    static boolean ask() {
        Worker worker = new Worker();
        worker.start();
        return worker.done[0]; //~ error[data-race]
    }
}

// The buffer is guarded, but for a reader of the array that the getter gives.
class Given {
    private final /*@ non_null */ long[] values = new long[2];

    /*@ non_null */ long[] values() {
        return values;
    }

    synchronized void set(long value) {
        values[0] = value;
    }

    static long use(/*@ non_null */ Given given) {
        long[] values = given.values();
        return values.length > 0 ? values[0] : 0; //~ error[data-race]
    }
}

// Whoever made the array may write to it without the lock.
class Foreign {
    private final /*@ non_null */ char[] given;

    Foreign(/*@ non_null */ char[] given) {
        this.given = given;
    }

    synchronized void set(char value) {
        if (given.length > 0) {
            given[0] = value; //~ unknown[annotation-missing] "`given` gets arrays that others may know"
        }
    }
}

// Nothing says to whom the rows belong.
class Rows {
    private final short[][] rows = new short[2][];

    synchronized void set(short value) {
        short[] row = rows[0];
        if (row != null && row.length > 0) {
            row[0] = value; //~ unknown[annotation-missing] "it is not known what keeps other threads away"
        }
    }
}

// A new array that gets to a field and to a variable at once is not taken for one that the variable alone has.
class Twice {
    private byte[] bytes = new byte[1];

    synchronized void set(byte value) {
        byte[] now = bytes = new byte[2];
        now[0] = value; //~ unknown[annotation-missing]
    }

    void reset() {
        byte[] now = bytes = new byte[2]; //~ error[data-race] "`bytes` is written without holding"
        now[0] = 1; //~ unknown[annotation-missing]
    }

    synchronized int get() {
        return bytes != null && bytes.length > 0 ? bytes[0] : 0;
    }
}
