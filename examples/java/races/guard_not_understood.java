package races.guard_not_understood;

// A guard that names nothing is told, and what it is about is checked all the same: the lock of the field is looked for, and callers of the method cannot know
// which lock they need.
class Account {
    private final Object lock = new Object();
    @GuardedBy("lok") private int balance; //~ unknown[unsupported] "`lok` is not declared"

    void deposit(int amount) {
        synchronized (lock) {
            balance += amount;
        }
    }

    int get() {
        return balance; //~ error[data-race] "`balance` is read without holding `lock`"
    }

    @GuardedBy("lok") //~ unknown[unsupported]
    void report() {
    }

    void reportTwice() {
        synchronized (lock) {
            report(); //~ unknown[annotation-missing] "it is not known which lock `report` requires"
        }
    }
}

@interface GuardedBy { String value(); }
