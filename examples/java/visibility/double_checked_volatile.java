//: proved: 27
package visibility.double_checked_volatile;

// With `volatile`, the test outside of the lock sees the object as its constructor left it.
class Helper {
    private final int number;

    Helper(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}

class Lazy {
    private volatile Helper helper;

    Helper get() {
        if (helper == null) {
            synchronized (this) {
                if (helper == null) {
                    helper = new Helper(42);
                }
            }
        }
        return helper;
    }
}
