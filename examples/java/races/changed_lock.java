package races.changed_lock;

// A lock that is exchanged excludes nobody: a thread that still holds the old one works beside a thread that holds the new one.
class Score {
    private volatile /*@ non_null */ Object lock = new Object();
    private int points;

    void add(int more) {
        synchronized (lock) {
            points += more; //~ error[data-race] "`points`"
        }
    }

    void reset() {
        synchronized (lock) {
            lock = new Object();
            points = 0; //~ error[data-race] "`points`"
        }
    }
}
