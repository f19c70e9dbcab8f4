//: proved: 36
package locks.latch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

// Whoever got through the latch knows that it was opened.
class Gate {
    private final CountDownLatch latch = new CountDownLatch(1);

    void open() {
        latch.countDown();
    }

    void pass() throws InterruptedException {
        latch.await();
        assert latch.getCount() == 0;
    }

    void passInTime() throws InterruptedException {
        latch.await(1, TimeUnit.SECONDS);
        assert latch.getCount() == 0; //~ error[assertion-failed]
    }
}
