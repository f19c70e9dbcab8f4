//: proved: 36
package races.private_lock;

// A lock of its own, which nobody else can get hold of.
class Account {
    private final Object lock = new Object();
    private int balance;

    void deposit(int amount) {
        synchronized (lock) {
            balance += amount;
        }
    }

    boolean withdraw(int amount) {
        synchronized (lock) {
            if (balance < amount) {
                return false;
            }
            balance -= amount;
            return true;
        }
    }

    int balance() {
        synchronized (lock) {
            return balance;
        }
    }
}
