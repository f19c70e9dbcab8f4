package locks.split;

// Parts that have nothing to do with each other may have a lock each. What speaks of both needs both.
class Statistics {
    private final Object visitorsLock = new Object();
    private final Object salesLock = new Object();
    private int visitors;
    private int sales;

    void visit() {
        synchronized (visitorsLock) {
            visitors++;
        }
    }

    void sell(int price) {
        synchronized (salesLock) {
            sales += price;
        }
    }

    int visitors() {
        synchronized (visitorsLock) {
            return visitors;
        }
    }

    int together() {
        synchronized (visitorsLock) {
            synchronized (salesLock) {
                return visitors + sales;
            }
        }
    }

    void resetUnderOne() {
        synchronized (visitorsLock) {
            visitors = 0;
            sales = 0; //~ error[data-race] "`salesLock`"
        }
    }
}
