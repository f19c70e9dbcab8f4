package paper.time_varying_mutex_wrong;

// The lock that depends on whether the block is in use, paper 1, section 6.3, with two mistakes: the block is taken without the
// lock of the list of free blocks, and it is cleared though it may be in use.
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
                busy = true; //~ error[rely-violated]
                inode = true;
            }
            block = 1;
            //@ assert block == 1
        }
    }

    static void clearIfFree() {
        synchronized (busyLock) {
            block = 0; //~ error[rely-violated]
        }
    }
}
