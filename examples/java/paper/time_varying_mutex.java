//: proved: 82
package paper.time_varying_mutex;

// Paper 1, section 6.3: which lock protects the block depends on whether it is in use. While it is, that is the lock of its
// owner; while it is not, that of the list of free blocks.
class Disk {
    private static final Object inodeLock = new Object();
    private static final Object busyLock = new Object();
    private static volatile boolean inode; //@ unwritable_by_env_if inodeLock.holder == tid
    private static volatile boolean busy; //@ unwritable_by_env_if busyLock.holder == tid
    /*@ unwritable_by_env_if (busy && inodeLock.holder == tid) || (!busy && busyLock.holder == tid) @*/
    private static volatile int block;
    //@ global_invariant inodeLock.holder == null && inode ==> busy
    //@ env_assumption inodeLock.holder == tid && \old(busy) ==> busy

    //@ requires inodeLock.holder != tid
    static void allocateAndWrite() {
        synchronized (inodeLock) {
            if (!inode) {
                synchronized (busyLock) {
                    busy = true;
                }
                inode = true;
            }
            block = 1;
            //@ assert block == 1
        }
    }

    static void clearIfFree() {
        synchronized (busyLock) {
            if (!busy) {
                block = 0;
                //@ assert block == 0
            }
        }
    }
}
