//: proved: 61
package visibility.copy_on_write;

// Writers exchange the whole array, one at a time; readers take the array once and then look at nothing else.
class Listeners {
    private volatile /*@ non_null */ int[] ids = new int[0]; //@ unwritable_by_env_if this.holder == tid

    synchronized void add(int id) {
        int[] now = ids;
        int[] larger = new int[now.length + 1];
        System.arraycopy(now, 0, larger, 0, now.length);
        larger[now.length] = id;
        ids = larger;
    }

    synchronized void clear() {
        ids = new int[0];
    }

    int sum() {
        int[] now = ids;
        int sum = 0;
        for (int i = 0; i < now.length; i++) {
            sum += now[i];
        }
        return sum;
    }
}
