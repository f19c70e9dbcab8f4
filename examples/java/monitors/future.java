package monitors.future;

// A result that is there later: it is given once, and does not change after that.
class Promise {
    private Object value; //@ guarded_by this
    private boolean done; //@ guarded_by this
    //@ global_invariant done ==> value != null
    //@ env_assumption \old(done) ==> done && value == \old(value)

    synchronized boolean complete(/*@ non_null */ Object result) {
        if (done) {
            return false;
        }
        value = result;
        done = true;
        notifyAll();
        return true;
    }

    synchronized /*@ non_null */ Object get() throws InterruptedException {
        while (!done) {
            wait();
        }
        return value;
    }

    synchronized void completeAgain(/*@ non_null */ Object result) {
        value = result; //~ error[rely-violated]
        done = true;
        notifyAll();
    }

    synchronized void completeTooEarly(/*@ non_null */ Object result) {
        if (!done) {
            done = true; //~ error[invariant-broken]
            value = result; //~ error[rely-violated]
            notifyAll();
        }
    }
}
