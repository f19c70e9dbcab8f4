//: proved: 406
package paper.readers;

// Paper 2, section 7.2: a readers-writer lock, known to its clients by a writer and a set of readers. Its methods are compared
// with what is written of them, and clients see nothing else. The table belongs to whoever writes under `disk`, and to a worker
// that reads under `disk` and holds the monitor of `memory`.

class ReadersWriterLock {
    private boolean hasWriter; //@ unwritable_by_env_if this.holder == tid
    private int count; //@ unwritable_by_env_if this.holder == tid
    //@ ghost Thread writer unwritable_by_env_if this.holder == tid || writer == tid
    //@ ghost set<Thread> readers unwritable_by_env_if this.holder == tid
    //@ env_assumption \old(writer) != tid ==> writer != tid
    //@ env_assumption tid \in \old(readers) <==> tid \in readers
    //@ global_invariant hasWriter <==> writer != null
    //@ global_invariant writer != null ==> readers == {}
    //@ global_invariant count == \size(readers)

    /*@ requires writer != tid && !(tid \in readers)
        modifies count, holder
        action: also_modifies readers
          ensures \old(writer) == null && readers == (\old(readers) \union {tid})
    @*/
    synchronized void beginRead() {
        //@ loop_invariant holder == tid && writer != tid && !(tid \in readers)
        while (hasWriter) {
            await();
        }
        int now = count;
        //@ {{
        count = now + 1;
        //@ set readers = readers \union {tid}
        //@ }}
    }

    /*@ requires tid \in readers
        modifies count
        action: also_modifies readers ensures readers == (\old(readers) \minus {tid})
    @*/
    synchronized void endRead() {
        int now = count;
        //@ {{
        count = now - 1;
        //@ set readers = readers \minus {tid}
        //@ }}
        if (now == 1) {
            notifyAll();
        }
    }

    /*@ requires writer != tid && !(tid \in readers)
        modifies hasWriter, holder
        action: also_modifies writer
          ensures \old(writer) == null && \old(readers) == {} && writer == tid
        ensures writer == tid
    @*/
    synchronized void beginWrite() {
        //@ loop_invariant holder == tid && writer != tid && !(tid \in readers)
        while (hasWriter || count > 0) {
            await();
        }
        //@ {{
        hasWriter = true;
        //@ set writer = tid
        //@ }}
    }

    /*@ requires writer == tid
        modifies hasWriter
        action: also_modifies writer ensures writer == null
    @*/
    synchronized void endWrite() {
        //@ {{
        hasWriter = false;
        //@ set writer = null
        //@ }}
        notifyAll();
    }

    private void await() {
        try {
            wait();
        } catch (InterruptedException e) {
        }
    }
}

class Table {
    private static final ReadersWriterLock disk = new ReadersWriterLock();
    private static final Object memory = new Object();
    //@ ghost static Thread background unwritable_by_env_if true
    /*@ unwritable_by_env_if (tid == background && disk.writer == tid)
          || (tid != background && tid \in disk.readers && memory.holder == tid) @*/
    private static int entries;

    //@ requires tid == background && disk.writer != tid && !(tid \in disk.readers)
    static void snapshot() {
        disk.beginWrite();
        int before = entries;
        entries = 0;
        //@ assert entries == 0
        disk.endWrite();
    }

    //@ requires tid != background && disk.writer != tid && !(tid \in disk.readers)
    static void insert() {
        disk.beginRead();
        synchronized (memory) {
            int before = entries;
            entries = before + 1;
            //@ assert entries == before + 1
        }
        disk.endRead();
    }
}
