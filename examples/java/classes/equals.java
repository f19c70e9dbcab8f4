//: proved: 5
package classes.equals;

// Two strings may be equal without being the same object.
class Names {
    int same(/*@ non_null */ String one, /*@ non_null */ String other) {
        if (one.equals(other)) {
            assert one == other; //~ error[assertion-failed]
        }
        return 0;
    }
}
