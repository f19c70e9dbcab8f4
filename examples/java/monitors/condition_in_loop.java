//: proved: 31
package monitors.condition_in_loop;

// The condition is tested again whenever the thread comes back.
class Box {
    private Object content;

    synchronized void put(/*@ non_null */ Object item) {
        content = item;
        notify();
    }

    synchronized int take() throws InterruptedException {
        while (content == null) {
            wait();
        }
        int code = content.hashCode();
        content = null;
        return code;
    }
}
