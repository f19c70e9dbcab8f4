//: proved: 28
package races.static_lock;

// Static state is guarded by the object of the class.
class Ids {
    private static int next;

    static synchronized int take() {
        int id = next;
        next = id + 1;
        return id;
    }

    static int peek() {
        synchronized (Ids.class) {
            return next;
        }
    }

    synchronized int wrong() {
        return next; //~ error[data-race] "monitor of `Ids.class`"
    }
}
