//: proved: 93
package paper.apprentice;

// Paper 2, section 7.1: one thread makes jobs, each job counts in the container that it was given. The container of a
// job is set before the job is started, and never again.
class Container {
    int counter; //@ unwritable_by_env_if this.holder == tid
    //@ env_assumption \old(counter) <= counter
}

class Job extends Thread {
    Container objref; //@ unwritable_by_env_if tid == main || objref != null
    //@ global_invariant this.start ==> objref != null

    public void run() {
        while (true) {
            increment();
        }
    }

    private void increment() {
        synchronized (objref) {
            objref.counter = objref.counter + 1;
        }
    }

    //@ requires tid == main && !this.start && this.objref == null
    void setref(/*@ non_null */ Container container) {
        objref = container;
    }
}

class Apprentice {
    public static void main(String[] args) {
        Container container = new Container();
        while (true) {
            Job job = new Job();
            job.setref(container);
            job.start();
        }
    }
}
