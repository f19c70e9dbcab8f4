//: proved: 7
package checks.started_twice;

class Starter {
    void go(/*@ non_null */ Thread thread) {
        thread.start(); //~ error[started-twice]
    }
}
