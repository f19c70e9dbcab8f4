package classes.private_class_wrong;

// Objects of private classes get out as objects of classes that others know, who call what these have.
class Names {
    private int count;

    private class Walk implements Runnable {
        void step() {
            count++; //~ error[data-race]
        }

        public void run() {
            step();
        }
    }

    Runnable walk() {
        return new Walk();
    }

    synchronized void add() {
        count++;
    }
}

// What a class below makes known may be called by others too.
class Library {
    private static class Base {
        int hash(Object object) {
            return object.hashCode(); //~ error[null-receiver]
        }
    }

    static class Open extends Base {
    }
}

class Workers {
    private int done;

    private class Work {
        public void run() {
            done++; //~ error[data-race]
        }
    }

    private class Worker extends Work implements Runnable {
    }

    Runnable worker() {
        return new Worker();
    }

    synchronized void one() {
        done++;
    }
}

// One of two calls does not hold the lock.
class Account {
    private int balance;

    private class Change {
        void apply() {
            balance++; //~ error[data-race] //~ error[data-race]
        }
    }

    synchronized void add() {
        new Change().apply();
    }

    void addAtOnce() {
        new Change().apply();
    }
}

// Nothing is known of the interface, which may have the method.
class Unknown {
    private int count;

    private class Listener implements elsewhere.Listener { //~ warning[unresolved-type]
        public void told() {
            count++; //~ error[data-race]
        }

        void telling() {
            synchronized (Unknown.this) {
                told();
            }
        }
    }

    Object listener() {
        return new Listener();
    }

    synchronized int count() {
        return count;
    }
}

// What is called from nowhere is looked at all the same, and so is what calls itself alone.
class Unused {
    private static class Part {
        int hash(Object object) {
            return object.hashCode(); //~ error[null-receiver]
        }
    }

    private static class One {
        One(int depth) {
            new Other(depth);
        }
    }

    private static class Other {
        Other(int depth) {
            new One(depth); //~ unknown[unsupported]
        }
    }
}
