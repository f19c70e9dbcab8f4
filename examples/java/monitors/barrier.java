package monitors.barrier;

// A barrier that is used again and again: who comes last opens the next round for all. A round that is over does not come back.
class Barrier {
    private final int parties;
    private int waiting; //@ guarded_by this
    private int round; //@ guarded_by this
    //@ global_invariant 0 <= waiting && waiting < parties
    //@ env_assumption \old(round) <= round

    //@ requires parties > 0
    Barrier(int parties) {
        this.parties = parties;
    }

    synchronized void pass() throws InterruptedException {
        int mine = round;
        if (waiting + 1 == parties) {
            waiting = 0;
            round++;
            notifyAll();
        } else {
            waiting++;
            //@ loop_invariant mine <= round
            while (round == mine) {
                wait();
            }
        }
        //@ assert round > mine
    }

    synchronized void passWithoutLoop() throws InterruptedException {
        int mine = round;
        if (waiting + 1 == parties) {
            waiting = 0;
            round++;
            notifyAll();
        } else {
            waiting++;
            wait();
        }
        //@ assert round > mine //~ error[assertion-failed]
    }

    synchronized void passWithoutLooking() throws InterruptedException {
        waiting++; //~ error[invariant-broken]
        wait();
    }

    synchronized void restart() {
        round = 0; //~ error[rely-violated]
    }
}
