//: proved: 21
package classes.unknown_library;

class Client {
    private Connection connection; //~ warning[unresolved-type]

    synchronized boolean isOpen() {
        return connection != null;
    }

    synchronized void close() {
        connection = null;
    }
}
