//: proved: 39
package races.guarded_by;

// The annotation that many projects carry: who accesses the field must hold the lock.
class Registry {
    private final Object lock = new Object();
    @GuardedBy("lock") private int entries;

    void add() {
        synchronized (lock) {
            entries = entries + 1;
        }
    }

    int peek() {
        return entries; //~ error[unguarded-access] "read without holding"
    }

    @GuardedBy("lock")
    private void addTwo() {
        entries = entries + 2;
    }

    void addMany() {
        synchronized (lock) {
            addTwo();
            addTwo();
        }
    }

    void addWrong() {
        addTwo(); //~ error[precondition-failed]
    }
}
@interface GuardedBy { String value(); }
