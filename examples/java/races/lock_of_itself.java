package races.lock_of_itself;

import java.util.ArrayList;
import java.util.List;

// What the field refers to is guarded by its own monitor. To lock it, a thread reads the field; that needs no lock, because the field never changes.
class Names {
    @GuardedBy("itself") private final List<String> names = new ArrayList<>();
    @GuardedBy("itself") private /*@ non_null */ List<String> others = new ArrayList<>();

    void add(String name) {
        synchronized (names) {
            names.add(name);
        }
    }

    void addWrong(String name) {
        names.add(name); //~ error[unguarded-access] "`names` is read"
        names.add(name); //~ error[unguarded-access] "`names` is read"
    }

    // This one is exchanged: who holds the old list excludes nobody who holds the new one.
    void exchange() {
        synchronized (others) { //~ error[unguarded-access] "`others` is read"
            others = new ArrayList<>(); //~ error[unguarded-access] "`others` is written"
        }
    }
}
@interface GuardedBy { String value(); }
