package classes.inherited_actions;

// A method keeps to the actions of the one that it overrides, whether or not it repeats them.
abstract class Cell {
    protected volatile int value;

    //@ requires wanted > 0
    //@ action: also_modifies value ensures value == wanted
    abstract void put(int wanted);

    //@ modifies value
    //@ ensures \result >= 0
    abstract int drain();
}

class Plain extends Cell {
    // The parameter has another name here.
    void put(int amount) {
        value = amount;
    }

    int drain() {
        value = 0;
        return 0;
    }
}

class Twice extends Cell {
    void put(int wanted) {
        value = wanted;
        value = wanted + 1; //~ error[step-not-allowed]
    }

    int drain() { //~ error[postcondition-failed]
        return -1;
    }
}

class Never extends Cell {
    void put(int wanted) { //~ error[action-missing]
    }

    int drain() {
        return 1;
    }
}

// What it says itself is compared with what it overrides.
class Exact extends Cell {
    //@ action: also_modifies value ensures value == wanted
    void put(int wanted) {
        value = wanted;
    }

    //@ ensures \result == 0
    int drain() {
        return 0;
    }
}

class Loose extends Cell {
    //@ action: also_modifies value ensures value >= wanted
    void put(int wanted) { //~ error[action-missing] //~ error[step-not-allowed]
        value = wanted + 1;
    }

    //@ modifies value
    int drain() {
        value = 7;
        return 7;
    }
}

class Client {
    void fill(/*@ non_null */ Cell cell) {
        cell.put(3);
        cell.put(0); //~ error[precondition-failed]
    }

    int empty(/*@ non_null */ Cell cell) {
        int got = cell.drain();
        //@ assert got >= 0
        return got;
    }
}
