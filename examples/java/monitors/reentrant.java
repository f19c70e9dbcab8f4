//: proved: 28
package monitors.reentrant;

// A thread may enter a monitor that it holds, and keeps it until it has left as often.
class Log {
    private int lines;

    synchronized void line() {
        lines++;
    }

    synchronized void paragraph() {
        line();
        line();
        lines++;
    }
}
