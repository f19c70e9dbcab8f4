package visibility.states;

// A service is new, runs, and is over: 0, 1, 2, and never back. Each change is made under the monitor; everybody may look.
class Service {
    private static final int NEW = 0;
    private static final int RUNNING = 1;
    private static final int OVER = 2;
    private volatile int state; //@ unwritable_by_env_if this.holder == tid
    //@ global_invariant 0 <= state && state <= 2
    //@ env_assumption \old(state) <= state

    synchronized void begin() {
        if (state != NEW) {
            throw new IllegalStateException();
        }
        state = RUNNING;
    }

    synchronized void end() {
        state = OVER;
    }

    boolean isOver() {
        return state == OVER;
    }

    void onceOver() {
        if (state == OVER) {
            assert state == OVER;
        }
        if (state == RUNNING) {
            assert state != NEW;
            assert state == RUNNING; //~ error[assertion-failed]
        }
    }

    synchronized void restart() {
        if (state == OVER) {
            state = RUNNING; //~ error[rely-violated]
        }
    }

    void beginWithoutLock() {
        if (state == NEW) {
            state = RUNNING; //~ error[rely-violated] //~ error[rely-violated]
        }
    }

    synchronized void skip() {
        state = state + 1; //~ error[invariant-broken]
    }
}
