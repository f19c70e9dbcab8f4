package races.instance_lock_of_static;

// Every object has a lock of its own, but there is only one counter: two objects do not exclude each other.
class Connection {
    private static final Object all = new Object();
    private static int opened;
    private static int closed;
    private final Object own = new Object();

    void open() {
        synchronized (own) {
            opened++; //~ error[data-race] "`opened`"
        }
    }

    void close() {
        synchronized (all) {
            closed++;
        }
    }

    static int closed() {
        synchronized (all) {
            return closed;
        }
    }
}
