package calls.known_runnable;

// A class of the program is a task that changes what the caller has seen, from inside of its monitor.
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
        return item.hashCode(); //~ error[null-receiver]
    }
}

class Clearing implements Runnable {
    private final /*@ non_null */ Room room;

    Clearing(/*@ non_null */ Room room) {
        this.room = room;
    }

    public void run() {
        room.clear();
    }
}
