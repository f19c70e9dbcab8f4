//: proved: 24
package monitors.notify_without_lock;

// `wait` and `notify` are for the holder of the monitor.
class Gate {
    private boolean open;

    void open() {
        synchronized (this) {
            open = true;
        }
        notifyAll(); //~ error[monitor-not-held]
    }

    synchronized void pass() throws InterruptedException {
        while (!open) {
            wait();
        }
    }
}
