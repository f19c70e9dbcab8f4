//: proved: 37
package races.wrong_lock;

// Reading under one lock and writing under another protects nothing.
class Settings {
    private final Object readLock = new Object();
    private final Object writeLock = new Object();
    private int level;

    int level() {
        synchronized (readLock) {
            return level;
        }
    }

    boolean isHigh() {
        synchronized (readLock) {
            return level > 10;
        }
    }

    void set(int level) {
        synchronized (writeLock) {
            this.level = level; //~ error[data-race] "written without holding `readLock`"
        }
    }
}
