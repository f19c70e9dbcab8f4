//: proved: 137
package monitors.pool;

// Workers take tasks from one store, and run them outside of its monitor, so that a long task keeps nobody from the store.
interface Task {
    void work();
}

class Node {
    final /*@ non_null */ Task task;
    final Node next;

    Node(/*@ non_null */ Task task, Node next) {
        this.task = task;
        this.next = next;
    }
}

class Store {
    private Node top;
    private boolean closed;

    synchronized boolean add(/*@ non_null */ Task task) {
        if (closed) {
            return false;
        }
        top = new Node(task, top);
        notify();
        return true;
    }

    //@ modifies top, holder
    synchronized Task take() throws InterruptedException {
        while (top == null && !closed) {
            wait();
        }
        if (top == null) {
            return null;
        }
        Task task = top.task;
        top = top.next;
        return task;
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }
}

class Worker extends Thread {
    private final /*@ non_null */ Store store;

    Worker(/*@ non_null */ Store store) {
        this.store = store;
    }

    public void run() {
        try {
            while (true) {
                Task task = store.take();
                if (task == null) {
                    return;
                }
                task.work();
            }
        } catch (InterruptedException e) {
        }
    }
}
