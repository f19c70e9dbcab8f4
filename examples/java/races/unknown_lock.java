package races.unknown_lock;

import somewhere.other.Monitor;

// Of a lock whose class nobody knows, it is not known who holds it.
class Account {
    private final Monitor monitor; //~ warning[unresolved-type]
    @GuardedBy("monitor") private int balance;

    Account(Monitor monitor) {
        this.monitor = monitor;
    }

    int get() {
        return balance; //~ unknown[annotation-missing] "nothing is known of the type of the lock"
    }
}

@interface GuardedBy { String value(); }
