package arrays.who_writes_elements;

// What is written of elements says who leaves which of them alone: here others do not write elements before the count, and none while the monitor
// is held.
class Log {
    private final int[] entries = new int[16]; //@ elems_unwritable_by_env_if[i] i < count || this.holder == tid
    private int count; //@ unwritable_by_env_if this.holder == tid
    //@ global_invariant 0 <= count && count <= 16 && entries.length == 16
    //@ env_assumption \old(count) <= count

    synchronized void add(int entry) {
        if (count < 16) {
            entries[count] = entry;
            count++;
        }
    }

    int first() {
        int now;
        synchronized (this) {
            now = count;
        }
        if (now == 0) {
            return 0;
        }
        int one = entries[0];
        int other = entries[0];
        //@ assert one == other
        return one;
    }

    synchronized void change(int entry) {
        entries[0] = entry; //~ error[rely-violated]
    }
}

class Slots {
    private final int[] slots = new int[4]; //@ elems_unwritable_by_env_if[i] i > 0 && this.holder == tid

    synchronized void set(int value) {
        slots[1] = value;
        int now = slots[1];
        //@ assert now == value
    }

    synchronized void setFirst(int value) {
        slots[0] = value;
        int now = slots[0];
        //@ assert now == value //~ error[assertion-failed]
    }

    void setSecond(int value) {
        slots[1] = value; //~ error[rely-violated]
    }
}

// Whoever made the array may do with it what he likes.
class Kept {
    private final /*@ non_null */ int[] entries; //@ elems_unwritable_by_env_if[i] this.holder == tid //~ unknown[unsupported]

    Kept(/*@ non_null */ int[] entries) {
        this.entries = entries;
    }

    synchronized int first() {
        return entries.length == 0 ? 0 : entries[0];
    }
}
