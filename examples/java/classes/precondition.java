//: proved: 4
package classes.precondition;

class Window {
    private volatile int size;

    //@ requires 3 < width && width < 2 //~ warning[unreachable-code] "no caller can satisfy this"
    void resize(int width) {
        size = width;
    }
}
