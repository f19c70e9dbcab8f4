package classes.initializers;

// Class initializers run once, before others use the class: its static fields need no lock meanwhile.
class Settings {
    static int limit = 10;
    static int[] sizes = new int[3];
    static final Entry FIRST = new Entry(1);
    static Entry last;
    //@ global_invariant 0 < limit && limit <= 10

    static {
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = i;
        }
        limit = 0;
        limit = 5;
        last = new Entry(2);
        // Nobody else knows it yet.
        last.count = 7;
    }

    // Nobody writes it later.
    int share(int amount) {
        return amount / limit;
    }

    int first() {
        synchronized (FIRST) {
            return FIRST.count;
        }
    }
}

class Entry {
    int count;

    Entry(int count) {
        this.count = count;
    }

    synchronized void more() {
        count++;
    }
}

class Broken {
    static int limit;
    //@ global_invariant limit > 0 //~ error[invariant-broken]
}

class Outside {
    static int[] table = new int[4];

    static {
        table[4] = 1; //~ error[index-out-of-range]
    }
}

class Late {
    static /*@ non_null */ Entry entry; //~ error[invariant-broken]

    static {
        Entry made = new Entry(3);
        if (made.count == 4) {
            entry = made;
        }
    }
}

// What others can see by now is protected as always.
class Leaks {
    static final Entry OWN = new Entry(1);

    static {
        Shared.known = OWN;
        OWN.count = 2; //~ error[data-race]
    }
}

class Shared {
    static volatile Entry known;
}

enum Level {
    LOW(1), HIGH(5);

    private final int weight;

    Level(int weight) {
        this.weight = 10 / weight;
    }
}

// Each sees the other before it is ready.
class Left {
    static int value = Right.value + 1; //~ unknown[unsupported]
}

class Right {
    static int value = Left.value + 1; //~ unknown[unsupported]
}
