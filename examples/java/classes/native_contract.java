package classes.native_contract;

// What is written of a native method stands for it, and is taken for granted.
class Device {
    private volatile int last;

    //@ requires id > 0
    //@ ensures \result > id
    private native int next(int id);

    //@ requires id > 0
    //@ action: also_modifies last ensures last == id && \result == \old(last)
    private native int swap(int id);

    int follow(int id) {
        if (id <= 0) {
            return 0;
        }
        int found = next(id);
        //@ assert found > id
        swap(found);
        swap(id - 1); //~ error[precondition-failed]
        return found;
    }
}
