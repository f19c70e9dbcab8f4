//: strict
package classes.axioms_strict;

class Table {
    final int size;
    //@ axiom \forall Table t; t.size > 0 //~ unknown[assumed] //~ unknown[assumed]

    Table(int size) {
        this.size = size;
    }

    int share(int amount) {
        return amount / size;
    }
}
