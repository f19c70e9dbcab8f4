package races.later;

// The body of a lambda expression runs when it is called, not where it is written: by then, the monitor is given back.
class Meter {
    private int value;

    synchronized void add() {
        value++;
    }

    synchronized /*@ non_null */ Runnable adder() {
        return () -> {
            synchronized (this) {
                value++;
            }
        };
    }

    synchronized /*@ non_null */ Runnable adderWithoutMonitor() {
        return () -> {
            value++; //~ error[data-race] "without holding the monitor"
        };
    }

    synchronized void reset() {
        new Thread(() -> {
            value = 0; //~ error[data-race] "without holding the monitor"
        }).start();
    }
}
