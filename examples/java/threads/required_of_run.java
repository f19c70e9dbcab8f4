package threads.required_of_run;

// Threads and the library call `run`, and know nothing of what it requires: that must hold whenever they do.
class Worker extends Thread {
    private final int amount;

    Worker(int amount) {
        this.amount = amount;
    }

    //@ requires tid == this
    //@ requires amount > 0 //~ error[precondition-failed]
    public void run() {
        int part = amount;
        //@ assert part > 0
    }

    static void begin() {
        new Worker(0).start();
    }
}

class Task implements Runnable {
    private final int amount;
    //@ global_invariant amount >= 0

    //@ requires amount >= 0
    Task(int amount) {
        this.amount = amount;
    }

    //@ requires amount >= 0
    public void run() {
        int part = amount;
        //@ assert part >= 0
    }
}

class Other implements Runnable {
    private volatile int amount;

    //@ requires amount > 0 //~ error[precondition-failed]
    public void run() {
    }
}
