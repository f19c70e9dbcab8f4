package classes.implemented_above;

// A method implements that of an interface which only a class below names.
interface Resettable {
    void reset();
}

class Meter {
    protected volatile int value;

    public void reset() {
        value = 1;
    }
}

class Gauge extends Meter implements Resettable {
}

class Client {
    void clear() {
        Gauge gauge = new Gauge();
        Resettable resettable = gauge;
        resettable.reset();
        //@ assert gauge.value == 1
        //@ assert gauge.value == 0 //~ error[assertion-failed]
    }
}
