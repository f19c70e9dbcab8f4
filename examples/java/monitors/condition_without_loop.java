//: proved: 30
package monitors.condition_without_loop;

// After `wait`, the condition must be tested again: others may have been faster.
class Box {
    private Object content;

    synchronized void put(/*@ non_null */ Object item) {
        content = item;
        notify();
    }

    synchronized int take() throws InterruptedException {
        if (content == null) {
            wait();
        }
        int code = content.hashCode(); //~ error[null-receiver]
        content = null;
        return code;
    }
}
