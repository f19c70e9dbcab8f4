package visibility.read_mostly;

// Many read, few write: writers exclude each other by the monitor, readers need only `volatile`. What they read never goes back.
class Counter {
    private volatile int count; //@ unwritable_by_env_if this.holder == tid
    //@ env_assumption \old(count) <= count

    synchronized void increment() {
        int before = count;
        count = before + 1;
        //@ assert count == before + 1
    }

    int get() {
        return count;
    }

    void neverGoesBack() {
        int one = count;
        int other = count;
        assert one <= other;
        assert one == other; //~ error[assertion-failed]
    }

    void incrementWithoutLock() {
        count = count + 1; //~ error[rely-violated] //~ error[rely-violated]
    }
}
