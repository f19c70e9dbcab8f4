//: proved: 25
package monitors.exceptions;

// However the block is left, the monitor is given back, and handlers run.
class Parser {
    private int depth;
    private int failures;

    synchronized int parse(/*@ non_null */ int[] input, int count) {
        int sum = 0;
        try {
            for (int i = 0; i < count; i++) {
                sum += input[i];
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            failures++;
        } finally {
            depth++;
        }
        return sum;
    }

    int wrong(/*@ non_null */ int[] input) {
        int sum = 0;
        for (int i = 0; i <= input.length; i++) {
            sum += input[i]; //~ error[index-out-of-range]
        }
        return sum;
    }

    int right(/*@ non_null */ int[] input) {
        int sum = 0;
        for (int i = 0; i < input.length; i++) {
            sum += input[i];
        }
        for (int number : input) {
            sum -= number;
        }
        return sum;
    }
}
