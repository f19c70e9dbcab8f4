//: proved: 149
package monitors.producer_consumer;

// A slot between a producer and a consumer: the one waits until it is empty, the other until it is full.
class Slot {
    private Object item;

    synchronized void put(/*@ non_null */ Object next) throws InterruptedException {
        while (item != null) {
            wait();
        }
        //@ assert item == null
        item = next;
        notifyAll();
    }

    synchronized /*@ non_null */ Object take() throws InterruptedException {
        while (item == null) {
            wait();
        }
        Object taken = item;
        item = null;
        notifyAll();
        return taken;
    }
}

class Producer extends Thread {
    private final /*@ non_null */ Slot slot;

    Producer(/*@ non_null */ Slot slot) {
        this.slot = slot;
    }

    public void run() {
        try {
            while (true) {
                slot.put(new Object());
            }
        } catch (InterruptedException e) {
        }
    }
}

class Consumer extends Thread {
    private final /*@ non_null */ Slot slot;

    Consumer(/*@ non_null */ Slot slot) {
        this.slot = slot;
    }

    public void run() {
        try {
            while (true) {
                slot.take().hashCode();
            }
        } catch (InterruptedException e) {
        }
    }
}

class Program {
    public static void main(String[] args) {
        Slot slot = new Slot();
        new Producer(slot).start();
        new Consumer(slot).start();
    }
}
