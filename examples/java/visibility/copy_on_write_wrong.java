package visibility.copy_on_write_wrong;

// A reader that fetches the array again may get another one, and a writer without the monitor throws away what others added.
class Listeners {
    private volatile /*@ non_null */ int[] ids = new int[2]; //@ unwritable_by_env_if this.holder == tid

    synchronized void clear() {
        ids = new int[0];
    }

    int last() {
        if (ids.length == 0) {
            return 0;
        }
        return ids[ids.length - 1]; //~ error[index-out-of-range]
    }

    void addWithoutMonitor() {
        ids = new int[ids.length + 1]; //~ error[rely-violated]
    }
}
