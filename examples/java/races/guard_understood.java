//: proved: 35
package races.guard_understood;

// The same with guards that are declared.
class Account {
    private final Object lock = new Object();
    @GuardedBy("lock") private int balance;

    void deposit(int amount) {
        synchronized (lock) {
            balance += amount;
        }
    }

    int get() {
        synchronized (lock) {
            return balance;
        }
    }

    @GuardedBy("lock")
    void report() {
    }

    void reportTwice() {
        synchronized (lock) {
            report();
            report();
        }
    }
}

@interface GuardedBy { String value(); }
