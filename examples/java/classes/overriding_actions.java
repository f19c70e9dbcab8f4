package classes.overriding_actions;

// What stands for a method that overrides another one was shown for callers that satisfy what it requires.
class Counter {
    protected volatile int value;

    void reset() {
        value = 0;
    }
}

class Careful extends Counter {
    //~ error[precondition-failed] "more than what is required"
    /*@ requires value > 0
        action: also_modifies value ensures value == 0 @*/
    void reset() {
        value = 0;
    }
}

class Client {
    void clear(/*@ non_null */ Counter counter) {
        counter.reset(); //~ error[precondition-failed]
    }
}
