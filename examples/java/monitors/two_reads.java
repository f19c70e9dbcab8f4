package monitors.two_reads;

import java.util.concurrent.locks.ReentrantLock;

// A field that is read twice: nobody changes it in between as long as its lock is held all the time, and anybody may once it was given up.
class Monitor {
    private int value;

    synchronized void set(int next) {
        value = next;
    }

    synchronized void held() {
        int one = value;
        int other = value;
        //@ assert one == other
    }

    void twice() {
        int one;
        synchronized (this) {
            one = value;
        }
        int other;
        synchronized (this) {
            other = value;
        }
        //@ assert one == other //~ error[assertion-failed]
    }

    synchronized void waits() throws InterruptedException {
        int one = value;
        this.wait();
        int other = value;
        //@ assert one == other //~ error[assertion-failed]
    }

    // The monitor of another object is no help.
    void wrong(/*@ non_null */ Monitor that) {
        synchronized (that) {
            int one = value; //~ error[data-race] "without holding"
        }
    }
}

class Locked {
    private final ReentrantLock lock = new ReentrantLock();
    private int value;

    void set(int next) {
        lock.lock();
        value = next;
        lock.unlock();
    }

    void held() {
        lock.lock();
        int one = value;
        int other = value;
        lock.unlock();
        //@ assert one == other
    }

    void twice() {
        lock.lock();
        int one = value;
        lock.unlock();
        lock.lock();
        int other = value;
        lock.unlock();
        //@ assert one == other //~ error[assertion-failed]
    }

    // In the second iteration the lock was given up since the first read.
    void inLoop(int count) {
        lock.lock();
        int one = value;
        for (int i = 0; i < count; i++) {
            int other = value;
            //@ assert one == other //~ error[assertion-failed]
            lock.unlock();
            lock.lock();
        }
        lock.unlock();
    }

    private void giveUp() {
        lock.unlock();
        lock.lock();
    }

    void called() {
        lock.lock();
        int one = value;
        giveUp();
        int other = value;
        //@ assert one == other //~ error[assertion-failed]
        lock.unlock();
    }
}

class Fixed {
    private final int value;

    Fixed(int value) {
        this.value = value;
    }

    void held() {
        int one = value;
        int other = value;
        //@ assert one == other
    }
}
