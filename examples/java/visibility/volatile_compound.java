//: proved: 9
package visibility.volatile_compound;

// `volatile` makes each access visible; it does not make two accesses one.
class Sequence {
    private volatile int next;
    //@ env_assumption \old(next) <= next

    int take() {
        int taken = next;
        next = taken + 1; //~ error[rely-violated]
        return taken;
    }
}
