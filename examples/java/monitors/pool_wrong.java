package monitors.pool_wrong;

// Two mistakes of a pool: a worker that is woken takes a task that another one has got, and it runs what may be no
// task.
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

    synchronized void add(Task task) {
        top = new Node(task, top);
        notify();
    }

    synchronized Task take() throws InterruptedException {
        if (top == null) {
            wait();
        }
        Task task = top.task; //~ error[null-receiver] //~ error[null-receiver]
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
        }
    }
}
