package races.lock_of_copy;

// One's own lock does not guard the same field of another object.
class Position {
    private final Object lock = new Object();
    private int x;

    void move() {
        synchronized (lock) {
            x++;
        }
    }

    int get() {
        synchronized (lock) {
            return x;
        }
    }

    void copy(/*@ non_null */ Position other) {
        int there = other.get();
        synchronized (lock) {
            x = there;
        }
    }

    void copyUnderOwnLock(/*@ non_null */ Position other) {
        synchronized (lock) {
            x = other.x; //~ error[data-race] "without holding `lock`"
        }
    }
}
