package visibility.lazy_wrong;

// Two threads find nothing there, and each makes an object of its own; and no lock says that the second sees the first.
class Catalogue {
    private static Catalogue only;
    private static volatile Catalogue visible;
    //@ env_assumption \old(visible) != null ==> visible == \old(visible)

    static Catalogue get() {
        if (only == null) { //~ error[data-race] "`only`"
            only = new Catalogue(); //~ error[data-race] "`only`"
        }
        return only; //~ error[data-race] "`only`"
    }

    static Catalogue getVisible() {
        if (visible == null) {
            visible = new Catalogue(); //~ error[rely-violated]
        }
        return visible;
    }

    static synchronized void assertOne() {
        Catalogue one = visible;
        Catalogue other = visible;
        assert one == null || one == other;
    }
}
