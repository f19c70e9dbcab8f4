//: proved: 19
package monitors.library_throws;

import java.io.Closeable;
import java.io.IOException;

// What a library does is not known: it may throw, and then the handler runs.
class Resource {
    private int failures;

    synchronized int close(/*@ non_null */ Closeable resource) {
        int[] codes = new int[1];
        try {
            resource.close();
        } catch (IOException e) {
            failures++;
            return codes[1]; //~ error[index-out-of-range]
        }
        return codes[0];
    }
}
