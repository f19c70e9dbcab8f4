//: proved: 33
package races.lock_of_object;

// Fields of another object, under that object's own monitor.
class Cell {
    int value;
}

class User {
    void set(/*@ non_null */ Cell cell, int value) {
        synchronized (cell) {
            cell.value = value;
        }
    }

    int get(/*@ non_null */ Cell cell) {
        synchronized (cell) {
            return cell.value;
        }
    }

    synchronized int wrong(/*@ non_null */ Cell cell) {
        return cell.value; //~ error[data-race]
    }
}
