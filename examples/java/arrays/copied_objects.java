package arrays.copied_objects;

// A copy of an object has the same array, and a lock of its own.
class Grades implements Cloneable {
    private int[] grades = new int[3];

    synchronized void set(int grade) {
        if (grades != null && grades.length > 0) {
            grades[0] = grade; //~ unknown[annotation-missing] "`grades` gets arrays that others may know"
        }
    }

    synchronized Object copy() throws CloneNotSupportedException {
        return super.clone();
    }
}
