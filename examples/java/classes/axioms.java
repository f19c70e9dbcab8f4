//: proved: 10
package classes.axioms;

// An axiom is taken for granted, and counted.
class Table {
    final int size;
    //@ axiom \forall Table t; t.size > 0

    Table(int size) {
        this.size = size;
    }

    int share(int amount) {
        return amount / size;
    }
}
