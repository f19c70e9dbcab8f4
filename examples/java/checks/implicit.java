//: proved: 17
package checks.implicit;

// What Java checks when a program runs is checked before.
class Checks {
    int divide(int a, int b) {
        return a / b; //~ error[division-by-zero]
    }

    int half(int a) {
        return a / 2;
    }

    int at(int[] array, int index) {
        return array[index]; //~ error[null-receiver] //~ error[index-out-of-range]
    }

    int[] make(int size) {
        return new int[size]; //~ error[negative-size]
    }

    String cast(Object object) {
        return (String) object; //~ error[bad-cast]
    }

    String careful(Object object) {
        if (object instanceof String) {
            return (String) object;
        }
        return "";
    }

    int length(String text) {
        return text == null ? 0 : text.length();
    }
}
