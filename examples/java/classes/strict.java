//: strict
package classes.strict;

// Nothing is taken for granted: what a library does to objects of the program is not known.
class Journal {
    private int entries;

    synchronized void add(/*@ non_null */ Device out) { //~ warning[unresolved-type]
        entries++;
        out.println(entries); //~ unknown[assumed] "nothing is known of the method `println`"
    }

    synchronized int entries() {
        return entries;
    }
}
