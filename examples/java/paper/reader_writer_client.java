//: proved: 113
package paper.reader_writer_client;

// Paper 1, section 6.2: a client of a reader-writer lock. Each method of the lock is one step, which waits until it can
// happen. The writer changes `x`; a thread that reads can rely on `x`, and `y` belongs to it.
class Lock {
    //@ ghost Thread writer unwritable_by_env_if writer == tid
    //@ ghost set<Thread> readers
    //@ env_assumption \old(writer) != tid ==> writer != tid
    //@ env_assumption tid \in \old(readers) <==> tid \in readers
    //@ global_invariant writer != null ==> readers == {}

    //@ requires writer != tid && !(tid \in readers)
    void beginWrite() {
        //@ {{
        //@ assume writer == null && readers == {}
        //@ set writer = tid
        //@ }}
    }

    //@ requires writer == tid
    void endWrite() {
        //@ {{
        //@ set writer = null
        //@ }}
    }

    //@ requires writer != tid && !(tid \in readers)
    void beginRead() {
        //@ {{
        //@ assume writer == null
        //@ set readers = readers \union {tid}
        //@ }}
    }

    //@ requires tid \in readers
    void endRead() {
        //@ {{
        //@ set readers = readers \minus {tid}
        //@ }}
    }
}

class Client {
    private static final Lock lock = new Lock();
    //@ ghost static Thread reader unwritable_by_env_if true
    private static volatile int x; //@ unwritable_by_env_if tid \in lock.readers || lock.writer == tid
    private static volatile int y; //@ unwritable_by_env_if tid == reader

    //@ requires tid != reader && lock.writer != tid && !(tid \in lock.readers)
    static void write() {
        lock.beginWrite();
        x = 3;
        //@ assert x == 3
        lock.endWrite();
    }

    //@ requires tid == reader && lock.writer != tid && !(tid \in lock.readers)
    static void read() {
        lock.beginRead();
        y = x;
        //@ assert y == x
        lock.endRead();
    }
}
