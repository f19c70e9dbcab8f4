// Output and its failures.
package java.io;

public interface Serializable { }
public interface Closeable extends AutoCloseable { void close() throws IOException; }
public class IOException extends Exception {
    public IOException() { }
    public IOException(String message) { }
    public IOException(String message, Throwable cause) { }
}
public class PrintStream implements Closeable {
    //@ pure
    public native void println();
    //@ pure
    public native void println(Object value);
    //@ pure
    public native void println(String value);
    //@ pure
    public native void println(int value);
    //@ pure
    public native void println(long value);
    //@ pure
    public native void println(char value);
    //@ pure
    public native void println(boolean value);
    //@ pure
    public native void println(double value);
    //@ pure
    public native void print(Object value);
    //@ pure
    public native void print(String value);
    //@ pure
    public native void print(int value);
    //@ pure
    public native /*@ non_null */ PrintStream printf(String format, Object... values);
    //@ pure
    public native void flush();
    public native void close();
}
