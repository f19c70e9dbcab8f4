package races.later_call;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

// A reference to a method of a collection uses the collection when it is called, not where it is written.
class Names {
    @GuardedBy("this") private final List<String> names = new ArrayList<>();
    private final List<String> own = new ArrayList<>();

    synchronized void add(String name) {
        names.add(name);
    }

    synchronized /*@ non_null */ Predicate<String> known() {
        return names::contains; //~ error[unguarded-access] "used later" "when it runs"
    }

    synchronized /*@ non_null */ Predicate<String> knownThen() {
        return name -> {
            synchronized (this) {
                return names.contains(name);
            }
        };
    }

    /*@ non_null */ Predicate<String> unguarded() {
        return own::contains;
    }

    synchronized void addAll(/*@ non_null */ List<String> others) {
        others.forEach(names::add);
    }
}
@interface GuardedBy { String value(); }
