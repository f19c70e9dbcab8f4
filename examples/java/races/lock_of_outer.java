//: proved: 25
package races.lock_of_outer;

// Entries are guarded by a lock of the object around them.
class Journal {
    private final Object lock = new Object();

    class Entry {
        @GuardedBy("lock")
        private int size;

        void grow() {
            synchronized (lock) {
                size = size + 1;
            }
        }

        int peek() {
            return size; //~ error[unguarded-access] "read without holding"
        }
    }
}
