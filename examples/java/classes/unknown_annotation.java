//: proved: 12
package classes.unknown_annotation;

class Log {
    private int lines;

    //@ assignable lines //~ warning[annotation-unknown]
    synchronized void line() {
        lines++;
    }
}
