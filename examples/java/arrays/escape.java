package arrays.escape;

// Who hands out its array gives away what it promises of the elements, whatever lock it holds meanwhile. A copy may be changed by
// whoever gets it.
class Grades {
    private final /*@ non_null */ int[] grades = new int[3];
    //@ global_invariant grades.length == 3 && grades[0] >= 0

    synchronized void set(int grade) {
        if (grade >= 0) {
            grades[0] = grade;
        }
    }

    synchronized /*@ non_null */ int[] all() {
        return grades;
    }

    synchronized /*@ non_null */ int[] copy() {
        int[] copy = new int[3];
        System.arraycopy(grades, 0, copy, 0, 3);
        return copy;
    }
}

class Teacher {
    static void changeCopy(/*@ non_null */ Grades grades) {
        int[] own = grades.copy();
        own[0] = -1;
    }

    static void changeAll(/*@ non_null */ Grades grades) {
        int[] all = grades.all();
        all[0] = -1; //~ error[invariant-broken] //~ error[data-race]
    }
}
