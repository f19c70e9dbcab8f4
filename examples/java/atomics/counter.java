//: proved: 13
package atomics.counter;

import java.util.concurrent.atomic.AtomicInteger;

// Atomic variables need no lock; a loop tries until nobody interferes.
class Counter {
    private final AtomicInteger count = new AtomicInteger();

    int increment() {
        return count.incrementAndGet();
    }

    int doubled() {
        while (true) {
            int old = count.get();
            if (count.compareAndSet(old, 2 * old)) {
                return 2 * old;
            }
        }
    }
}
