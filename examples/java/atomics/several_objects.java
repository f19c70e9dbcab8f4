package atomics.several_objects;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

// Loops of the library beside several of its objects, none of which is null.
class Counters {
    private final AtomicInteger one = new AtomicInteger();
    private final AtomicInteger two = new AtomicInteger();
    private final AtomicLong three = new AtomicLong();

    int all(int by) {
        int first = one.updateAndGet(x -> x + by);
        int second = two.updateAndGet(x -> x + first);
        three.updateAndGet(x -> x + second);
        return second;
    }
}

class Late {
    private final AtomicInteger one = new AtomicInteger();
    private final AtomicLong two = new AtomicLong();
    private volatile AtomicInteger three;

    void begin() {
        three = new AtomicInteger();
    }

    int all(int by) {
        int first = one.updateAndGet(x -> x + by);
        two.addAndGet(first);
        return three.updateAndGet(x -> x + first); //~ error[null-receiver]
    }
}
