package threads.join;

// The fields of a thread belong to its maker before it is started and after it was joined, and to the thread in between.
class Worker extends Thread {
    final int input;
    int result;

    Worker(int input) {
        this.input = input;
        this.result = -1;
    }

    //@ ensures result == input + input
    public void run() {
        result = input;
        result += input;
    }
}

class Client {
    int one() throws InterruptedException {
        Worker worker = new Worker(4);
        worker.result = 3;
        worker.start();
        worker.join();
        int found = worker.result;
        //@ assert found == 8
        return found;
    }

    int many(int count) throws InterruptedException {
        if (count < 0) {
            return 0;
        }
        Worker[] workers = new Worker[count];
        //@ loop_invariant \forall int j; 0 <= j && j < i ==> workers[j] != null
        for (int i = 0; i < count; i++) {
            workers[i] = new Worker(i);
            workers[i].start();
        }
        int sum = 0;
        //@ loop_invariant \forall int j; 0 <= j && j < count ==> workers[j] != null
        for (int i = 0; i < count; i++) {
            workers[i].join();
            int found = workers[i].result;
            //@ assert found == workers[i].input + workers[i].input
            sum += found;
        }
        return sum;
    }

    int tooEarly() {
        Worker worker = new Worker(4);
        worker.start();
        return worker.result; //~ error[data-race]
    }

    int perhapsTooEarly() throws InterruptedException {
        Worker worker = new Worker(4);
        worker.start();
        worker.join(10);
        return worker.result; //~ error[data-race]
    }

    void changes() {
        Worker worker = new Worker(4);
        worker.start();
        worker.result = 5; //~ error[data-race]
    }

    // Nobody knows who made it, and whether it was started.
    int others(/*@ non_null */ Worker worker) throws InterruptedException {
        worker.join();
        return worker.result; //~ error[data-race]
    }
}

class Forgetful extends Thread {
    int result;

    //@ ensures result == 1
    public void run() { //~ error[rely-violated]
        if (result == 0) {
            result = 2;
            throw new IllegalStateException();
        }
        result = 1;
    }
}
