package monitors.pool_wrong;

// Three mistakes of a pool: a worker that is woken takes a task that another one has got, a worker runs what may be no
// task, and workers that stop are counted without a lock.
interface Task {
    void work();
}

class Node {
    final Task task;
    final Node next;

    Node(Task task, Node next) {
        this.task = task;
        this.next = next;
    }
}

class Store {
    private Node top;
    int stopped;

    synchronized void add(Task task) {
        top = new Node(task, top);
        notify();
    }

    synchronized Task take() throws InterruptedException {
        if (top == null) {
            wait();
        }
        Task task = top.task; //~ error[null-receiver]
        top = top.next;
        return task;
    }
}

class Worker extends Thread {
    private final /*@ non_null */ Store store;

    Worker(/*@ non_null */ Store store) {
        this.store = store;
    }

    public void run() {
        try {
            Task task = store.take();
            task.work(); //~ error[null-receiver]
        } catch (InterruptedException e) {
            store.stopped++; //~ error[data-race] "`stopped`"
        }
    }
}
