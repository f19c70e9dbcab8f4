package calls.recursion;

// A call of a recursive method stands for what it requires and ensures, and for what its code writes.
class Numbers {
    private volatile int last;
    private volatile int other;
    private int depth;

    //@ requires n >= 0
    //@ ensures \result >= n
    int sum(int n) {
        if (n == 0) {
            return 0;
        }
        return n + sum(n - 1);
    }

    //@ requires n >= 0
    //@ ensures \result > n
    int sumWrong(int n) { //~ error[postcondition-failed]
        if (n == 0) {
            return 0;
        }
        return 1 + sumWrong(n - 1);
    }

    //@ ensures \result >= 0
    int notRequired(int n) {
        return n < -5 ? 0 : sum(n); //~ error[precondition-failed]
    }

    // Each calls the other.
    boolean isEven(int n) {
        return n == 0 || isOdd(n - 1);
    }

    boolean isOdd(int n) {
        last = n;
        return n != 0 && isEven(n - 1);
    }

    void use() {
        Numbers own = new Numbers();
        own.other = 1;
        boolean is = isEven(4);
        //@ assert own.other == 1
        int found = sum(3);
        //@ assert found >= 3
        //@ assert found == 6 //~ error[assertion-failed]
    }

    // Called with the monitor alone.
    private void count(int n) {
        depth++;
        if (n > 0) {
            count(n - 1);
        }
    }

    synchronized void start(int n) {
        count(n);
    }
}

// Nobody knows the object of a constructor yet.
class Chain {
    private final Chain next;

    Chain(int length) {
        next = length > 0 ? new Chain(length - 1) : null; //~ unknown[unsupported]
    }
}

class Nested {
    private final java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock();
    private int count;

    void deeper(int n) {
        lock.lock();
        try {
            count++;
            if (n > 0) {
                deeper(n - 1);
            }
        } finally {
            lock.unlock();
        }
    }
}

// Through an interface.
class Again implements Runnable {
    private final Runnable next;
    private volatile int runs;

    Again(/*@ non_null */ Runnable next) {
        this.next = next;
    }

    public void run() {
        runs = runs + 1;
        next.run();
    }
}
