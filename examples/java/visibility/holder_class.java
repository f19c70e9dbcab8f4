//: proved: 34
package visibility.holder_class;

// The class inside is initialized when it is first used, once, and before anybody gets the object. No lock has to be taken.
class Catalogue {
    private final int[] pages = new int[100];

    private static class Once {
        static final /*@ non_null */ Catalogue CATALOGUE = new Catalogue();
    }

    private Catalogue() {
    }

    static /*@ non_null */ Catalogue get() {
        return Once.CATALOGUE;
    }

    int page(int number) {
        return 0 <= number && number < pages.length ? pages[number] : 0;
    }

    static void sameForAll() {
        Catalogue one = get();
        Catalogue other = get();
        assert one == other;
    }
}
