//: proved: 85
package classes.inner;

// Inner classes and functions have the object around them, and use its lock.
class Outer {
    private final Object lock = new Object();
    private int count;

    class Inner {
        void increment() {
            synchronized (lock) {
                count++;
            }
        }
    }

    Runnable task() {
        return () -> {
            synchronized (lock) {
                count++;
            }
        };
    }

    Runnable adding(int number) {
        return new Runnable() {
            public void run() {
                synchronized (lock) {
                    count += number;
                }
            }
        };
    }

    Runnable wrong() {
        return () -> {
            count++; //~ error[data-race]
        };
    }
}
