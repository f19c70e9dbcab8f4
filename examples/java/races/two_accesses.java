//: proved: 33
package races.two_accesses;

// A thread without the lock goes on: what it does wrong later is told too, and what it does right later is not.
class Account {
    private int balance;
    private int count;

    synchronized void deposit(int amount) {
        balance = balance + amount;
        count++;
    }

    void withdraw(int amount) {
        int old = balance; //~ error[data-race] "`balance` is read without holding"
        balance = old - amount; //~ error[data-race] "`balance` is written without holding"
        count++; //~ error[data-race] "`count` is read without holding"
        synchronized (this) {
            balance = 0;
            count++;
        }
        balance += amount; //~ error[data-race] "`balance` is read without holding"
    }
}
