package jdk.internal.util;

public class ArraysSupport {
    private ArraysSupport() { }
    //@ pure
    private static native int any();
    // By how much more than it must be is not said.
    public static int newLength(int length, int least, int preferred) {
        int more = any();
        //@ assume more >= least
        return length + more;
    }
}
