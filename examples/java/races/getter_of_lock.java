package races.getter_of_lock;

// A guard may be named by a method that does nothing but give it, also one of a parameter.
class Work {
    private final Object lock = new Object();
    @GuardedBy("lock()") private int done;

    final Object lock() {
        return lock;
    }

    @GuardedBy("lock()")
    void finish() {
        done++;
    }

    int done() {
        return done; //~ error[unguarded-access] "`done` is read"
    }
}

class Worker {
    @GuardedBy("work.lock()")
    void work(/*@ non_null */ Work work) {
        work.finish();
    }

    void right(/*@ non_null */ Work work) {
        synchronized (work.lock()) {
            work(work);
            work.finish();
        }
    }

    void wrong(/*@ non_null */ Work one, /*@ non_null */ Work other) {
        synchronized (one.lock()) {
            work(other); //~ error[precondition-failed] "`work`"
            other.finish(); //~ error[precondition-failed] "`finish`"
            work(one);
        }
    }
}
@interface GuardedBy { String value(); }
