package races.boxed_lock;

// A number in a box is another object after it was counted up, so that the next thread waits for nothing. A text in a final
// field is a lock like any other.
class Tickets {
    private final String lock = "tickets";
    private Integer sold = 0;
    private int reserved;

    void reserve() {
        synchronized (lock) {
            reserved++;
        }
    }

    int reserved() {
        synchronized (lock) {
            return reserved;
        }
    }

    void sell() {
        synchronized (sold) { //~ error[data-race] "`sold`"
            sold = sold + 1; //~ error[data-race] "`sold` is read" //~ error[data-race] "`sold` is written"
        }
    }
}
