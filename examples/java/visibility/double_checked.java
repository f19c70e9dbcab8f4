//: proved: 30
package visibility.double_checked;

// The test outside of the lock reads a field that another thread may be writing.
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
    private Helper helper;

    Helper get() {
        if (helper == null) { //~ error[data-race] "`helper` is read without holding the monitor of its `Lazy`"
            synchronized (this) {
                if (helper == null) {
                    helper = new Helper(42);
                }
            }
        }
        return helper; //~ error[data-race] "`helper` is read without holding the monitor of its `Lazy`"
    }
}
