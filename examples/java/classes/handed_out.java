package classes.handed_out;

// Whoever gets an object from a method may show it to others: what is promised of it is due when the method ends.
class Account {
    private int balance;
    //@ global_invariant 0 <= balance

    static Account make() { //~ error[invariant-broken]
        Account made = new Account();
        made.balance = -1;
        return made;
    }

    static Account makeWell() {
        Account made = new Account();
        made.balance = 1;
        return made;
    }

    synchronized int use() {
        assert balance >= 0;
        return balance;
    }
}

class Refused extends RuntimeException {
    int left;
    //@ global_invariant 0 <= left

    static void refuse() {
        Refused refused = new Refused();
        refused.left = -1;
        throw refused; //~ error[invariant-broken]
    }
}

// Names of parameters are those of variables in formulas.
class Names {
    private Object kept;

    synchronized int take(int[] r, int i, int j) {
        kept = new Object();
        int[] t = {1, 2};
        return t[1];
    }
}
