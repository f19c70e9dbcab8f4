package races.iterator;

// Who walks along a list without its monitor sees what others change. A copy that was made under the monitor is seen by its
// owner alone.
class Names {
    private final String[] names = new String[4];
    private int count;
    //@ global_invariant 0 <= count && count <= names.length

    synchronized void add(String name) {
        if (count < names.length) {
            names[count] = name;
            count++;
        }
    }

    synchronized void clear() {
        count = 0;
    }

    synchronized /*@ non_null */ String[] copy() {
        String[] copy = new String[count];
        System.arraycopy(names, 0, copy, 0, count);
        return copy;
    }

    /*@ non_null */ Walk walk() {
        return new Walk();
    }

    class Walk {
        private int next;

        synchronized boolean hasNext() {
            return next < count; //~ error[data-race] "`count`"
        }

        synchronized String next() {
            synchronized (Names.this) {
                if (next < 0 || next >= count) {
                    return null;
                }
                return names[next++];
            }
        }
    }
}
