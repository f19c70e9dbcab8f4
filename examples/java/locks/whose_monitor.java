package locks.whose_monitor;

// Nobody else is to enter the monitor of a door, or of a thing that stands still. A method may break that if the object that it
// locks may be one of them, as far as types tell.
class Door {
}

class Gate extends Door {
}

class Room {
    static final Door door = new Door();
    //@ env_assumption \old(door.holder) == null ==> door.holder == null
}

class Still {
    //@ env_assumption \old(this.holder) == null ==> this.holder == null
}

class Statue extends Still {
    synchronized void move() { //~ error[rely-violated]
    }
}

class Visitor {
    private final Object own = new Object();
    private int count;

    synchronized void stay() {
        count++;
    }

    void rest() {
        synchronized (own) {
        }
    }

    static synchronized void meet() {
    }

    void passGate(/*@ non_null */ Gate gate) {
        synchronized (gate) {
        }
    }

    void passDoor(/*@ non_null */ Door door) {
        synchronized (door) { //~ error[rely-violated]
        }
    }

    void pass(/*@ non_null */ Object some) {
        synchronized (some) { //~ error[rely-violated] //~ error[rely-violated]
        }
    }

    void waitFor(/*@ non_null */ Object some) throws InterruptedException {
        some.wait(); //~ error[monitor-not-held] //~ error[rely-violated] //~ error[rely-violated]
    }
}
