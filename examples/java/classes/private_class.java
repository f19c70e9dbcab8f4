package classes.private_class;

// Nobody else can name a private class or one in a body, so that its constructors, and what it does not have from a
// class or interface that others know, are called by the program alone. They are checked where that happens.
class Chain {
    private Node first;

    private static class Node {
        final String text;
        final Node next;

        Node(String text, Node next) {
            this.text = text.trim();
            this.next = next;
        }

        int length() {
            return text.length();
        }
    }

    private Chain(Object from) {
        from.hashCode();
    }

    static Chain empty() {
        return new Chain("");
    }

    synchronized void add(String text) {
        if (text != null) {
            first = new Node(text, first);
        }
    }
}

class Account {
    private int balance;

    private class Change {
        private final int by;

        Change(int total, int parts) {
            by = total / parts;
        }

        void apply() {
            balance += by;
        }
    }

    synchronized void add(int total, int parts) {
        if (parts > 0) {
            new Change(total, parts).apply();
        }
    }

    synchronized int balance() {
        return balance;
    }
}

class Shares {
    private static class Share {
        final int size;

        Share(int total, int parts) {
            size = total / parts; //~ error[division-by-zero]
        }
    }

    static int size(int total, int parts) {
        return new Share(total, parts).size;
    }
}

// What a lambda expression of a private interface does happens where the interface is used.
class Calculator {
    private int memory;

    private interface Operation {
        int on(int number);
    }

    private synchronized void change(Operation operation) {
        memory = operation.on(memory);
    }

    void add(int number) {
        change(old -> old + number);
    }

    void clear() {
        change(old -> 0);
    }
}

// `run` is called by anybody, what it calls is not.
class Clock {
    private int time;

    Runnable hand() {
        return new Runnable() {
            void move() {
                time++;
            }

            public void run() {
                synchronized (Clock.this) {
                    move();
                }
            }
        };
    }

    synchronized int twice() {
        class Reader {
            int read() {
                return time;
            }
        }
        Reader reader = new Reader();
        return reader.read() + reader.read();
    }
}
