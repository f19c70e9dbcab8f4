//: proved: 48
package paper.dekker;

// Paper 1, section 6.1: mutual exclusion by two flags. Who raised its own flag and then found the other one down may go on.
// That a thread is inside is known to annotations alone.
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
        boolean inside;
        a1 = true;
        //@ {{
        inside = !a2;
        //@ set cs1 = inside
        //@ }}
        if (inside) {
            //@ assert cs1 && !cs2
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
        if (inside) {
            //@ assert cs2 && !cs1
            //@ set cs2 = false
        }
        a2 = false;
    }
}
