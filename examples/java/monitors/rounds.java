package monitors.rounds;

// What is written of others' steps and the lock that all accesses hold are relied on together.
class Rounds {
    private int round;
    //@ env_assumption \old(round) <= round

    synchronized void next() {
        round++;
    }

    synchronized void twice() {
        int before = round;
        round++;
        round++;
        //@ assert round == before + 2
    }

    synchronized void back() {
        round--; //~ error[rely-violated]
    }
}
