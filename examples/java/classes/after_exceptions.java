package classes.after_exceptions;

// What holds if a method ends with an exception.
class Refused extends RuntimeException {
    final int code;

    Refused(int code) {
        this.code = code;
    }
}

class Account {
    private int balance;

    //@ requires this.holder == tid
    //@ exsures (Refused e) balance == \old(balance) && e.code > 0
    void withdraw(int amount) {
        if (amount > balance) {
            throw new Refused(1);
        }
        balance -= amount;
    }

    //@ requires this.holder == tid
    //@ exsures (Refused e) balance == \old(balance) //~ error[postcondition-failed]
    void withdrawWrong(int amount) {
        balance -= amount;
        if (balance < 0) {
            throw new Refused(2);
        }
    }

    // Of other exceptions nothing is said.
    //@ exsures (Refused e) false
    synchronized void other(int amount) {
        balance -= amount;
        if (balance < 0) {
            throw new IllegalStateException();
        }
    }

    //@ exsures (Refused e) e.code == 3
    private void check(int amount) {
        if (amount < 0) {
            throw new Refused(3);
        }
    }

    //@ exsures (Refused e) e.code == 3 //~ error[postcondition-failed]
    private void checkWrong(int amount) {
        if (amount < 0) {
            throw new Refused(4);
        }
    }

    synchronized void both(int amount) {
        try {
            check(amount);
        } finally {
            balance = 0;
        }
    }

    void wrong(int amount) {
        checkWrong(amount);
    }
}

// Callers of a method with actions know it too.
class Gate {
    volatile boolean open;

    //@ modifies open
    //@ exsures (Refused e) e.code == 7
    void pass() {
        if (!open) {
            throw new Refused(7);
        }
        open = false;
    }

    //@ modifies open
    //@ exsures (Refused e) e.code == 7
    void passWrong() { //~ error[postcondition-failed]
        if (!open) {
            throw new Refused(8);
        }
    }

    void twice() {
        try {
            pass();
            pass();
        } catch (Refused refused) {
            //@ assert refused.code == 7
            //@ assert refused.code == 8 //~ error[assertion-failed]
        }
    }
}

// Methods that override others keep to it.
class Side extends Account {
    void withdraw(int amount) {
        throw new Refused(amount > 1 ? amount : 1);
    }
}

class WrongSide extends Gate {
    void pass() { //~ error[postcondition-failed]
        throw new Refused(6);
    }
}
