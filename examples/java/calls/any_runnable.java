package calls.any_runnable;

// No class of the program is a task: what runs is not known, which is counted. It may be a thread that runs another task.
class Room {
    private Object item = new Object();
    private final Runnable after;

    Room(Runnable after) {
        this.after = after;
    }

    synchronized void clear() {
        item = null;
    }

    synchronized int use() {
        if (item == null || after == null) {
            return 0;
        }
        after.run();
        return item.hashCode();
    }

    synchronized void useNothing() {
        after.run(); //~ error[null-receiver]
    }
}
