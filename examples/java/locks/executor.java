package locks.executor;

import java.util.concurrent.ExecutorService;

// Tasks that are handed over run some time, in some thread: what they share with others needs a lock.
class Sums {
    private final ExecutorService workers;
    private int safe;
    private int unsafe;

    Sums(/*@ non_null */ ExecutorService workers) {
        this.workers = workers;
    }

    void addLater(int value) {
        workers.execute(() -> {
            synchronized (this) {
                safe += value;
            }
        });
    }

    void addUnsafely(int value) {
        workers.submit(() -> {
            unsafe += value; //~ error[data-race]
        });
    }

    synchronized int sum() {
        return safe + unsafe;
    }
}
