package locks.semaphores;

import java.util.concurrent.Semaphore;

// A bounded buffer of semaphores: they count places and items. They do not say who may use the indices; a monitor does.
class Buffer {
    private final Semaphore free = new Semaphore(8);
    private final Semaphore used = new Semaphore(0);
    private final Object[] items = new Object[8];
    private int putIndex;
    private int takeIndex;
    //@ global_invariant items.length == 8
    //@ global_invariant 0 <= putIndex && putIndex < 8
    //@ global_invariant 0 <= takeIndex && takeIndex < 8

    void put(Object item) throws InterruptedException {
        free.acquire();
        synchronized (this) {
            items[putIndex] = item;
            putIndex = putIndex == 7 ? 0 : putIndex + 1;
        }
        used.release();
    }

    Object take() throws InterruptedException {
        used.acquire();
        Object item;
        synchronized (this) {
            item = items[takeIndex];
            takeIndex = takeIndex == 7 ? 0 : takeIndex + 1;
        }
        free.release();
        return item;
    }

    void putBesidePermit(Object item) throws InterruptedException {
        free.acquire();
        items[putIndex] = item; //~ error[data-race] "`putIndex`" //~ error[data-race] "an element of `items`"
        used.release();
    }
}
