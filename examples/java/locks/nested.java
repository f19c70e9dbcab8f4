package locks.nested;

// A transfer holds the monitors of both accounts, one inside of the other; each guards the balance of its own account.
class Account {
    private int balance;
    //@ global_invariant 0 <= balance

    synchronized void deposit(int amount) {
        if (amount > 0) {
            balance += amount;
        }
    }

    boolean transfer(/*@ non_null */ Account target, int amount) {
        if (amount < 0) {
            return false;
        }
        synchronized (this) {
            synchronized (target) {
                if (balance < amount) {
                    return false;
                }
                balance -= amount;
                target.balance += amount;
                return true;
            }
        }
    }

    boolean transferUnderOneMonitor(/*@ non_null */ Account target, int amount) {
        if (amount < 0) {
            return false;
        }
        synchronized (this) {
            if (balance < amount) {
                return false;
            }
            balance -= amount;
            target.balance += amount; //~ error[data-race]
            return true;
        }
    }
}
