//: proved: 77
package visibility.peterson;

// Mutual exclusion by two flags and a turn: who wants to go in gives way to the other, and waits while the other wants to go
// in and has the turn. Ghosts say how far each thread is: it has given way (`polite`), it is inside (`in`).
class Peterson {
    //@ ghost static Thread first unwritable_by_env_if true
    //@ ghost static Thread second unwritable_by_env_if true
    private static volatile boolean wants1; //@ unwritable_by_env_if tid == first
    private static volatile boolean wants2; //@ unwritable_by_env_if tid == second
    private static volatile int turn;
    //@ ghost static boolean polite1 unwritable_by_env_if tid == first
    //@ ghost static boolean polite2 unwritable_by_env_if tid == second
    //@ ghost static boolean in1 unwritable_by_env_if tid == first
    //@ ghost static boolean in2 unwritable_by_env_if tid == second
    //@ global_invariant (in1 ==> polite1) && (polite1 ==> wants1)
    //@ global_invariant (in2 ==> polite2) && (polite2 ==> wants2)
    //@ global_invariant in1 && polite2 ==> turn == 1
    //@ global_invariant in2 && polite1 ==> turn == 2

    //@ requires tid == first && tid != second && !polite1
    static void one() {
        wants1 = true;
        //@ {{
        turn = 2;
        //@ set polite1 = true
        //@ }}
        boolean inside = false;
        //@ loop_invariant tid == first && tid != second && polite1 && wants1 && (in1 <==> inside)
        while (!inside) {
            //@ {{
            inside = !wants2;
            //@ set in1 = inside
            //@ }}
            if (!inside) {
                //@ {{
                inside = turn == 1;
                //@ set in1 = inside
                //@ }}
            }
        }
        //@ assert in1 && !in2
        //@ {{
        wants1 = false;
        //@ set polite1 = false
        //@ set in1 = false
        //@ }}
    }

    //@ requires tid == second && tid != first && !polite2
    static void other() {
        wants2 = true;
        //@ {{
        turn = 1;
        //@ set polite2 = true
        //@ }}
        boolean inside = false;
        //@ loop_invariant tid == second && tid != first && polite2 && wants2 && (in2 <==> inside)
        while (!inside) {
            //@ {{
            inside = !wants1;
            //@ set in2 = inside
            //@ }}
            if (!inside) {
                //@ {{
                inside = turn == 2;
                //@ set in2 = inside
                //@ }}
            }
        }
        //@ assert in2 && !in1
        //@ {{
        wants2 = false;
        //@ set polite2 = false
        //@ set in2 = false
        //@ }}
    }
}
