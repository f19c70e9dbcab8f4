package paper.dekker_wrong;

// Mutual exclusion by two flags, paper 1, section 6.1, with two mistakes: the first thread looks at the flag of the other
// before it raises its own, the second one lowers its flag while it is still inside.
class Dekker {
    //@ ghost static Thread first unwritable_by_env_if true
    //@ ghost static Thread second unwritable_by_env_if true
    private static volatile boolean a1; //@ unwritable_by_env_if tid == first
    private static volatile boolean a2; //@ unwritable_by_env_if tid == second
    //@ ghost static boolean cs1 unwritable_by_env_if tid == first
    //@ ghost static boolean cs2 unwritable_by_env_if tid == second
    //@ global_invariant !(cs1 && cs2)
    //@ global_invariant (cs1 ==> a1) && (cs2 ==> a2)

    //@ requires tid == first && tid != second && !cs1
    static void one() {
        boolean inside = !a2;
        //~ error[invariant-broken]
        //@ {{
        a1 = true;
        //@ set cs1 = inside
        //@ }}
        if (inside) {
            //@ set cs1 = false
        }
        a1 = false;
    }

    //@ requires tid == second && tid != first && !cs2
    static void other() {
        boolean inside;
        a2 = true;
        //@ {{
        inside = !a1;
        //@ set cs2 = inside
        //@ }}
        a2 = false; //~ error[invariant-broken]
        //@ set cs2 = false
    }
}
