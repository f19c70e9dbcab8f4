package arrays.grids;

// An array of arrays that only its maker knows has all its rows.
class Grids {
    static int diagonal(int size) {
        if (size < 1) {
            return 0;
        }
        int[][] grid = new int[size][size];
        grid[0][size - 1] = 1;
        return grid[size - 1][0];
    }

    static int outside(int size) {
        int[][] grid = new int[3][size]; //~ error[negative-size]
        return grid[2][size]; //~ unknown[annotation-missing]
    }

    static int ragged() {
        int[][] grid = new int[3][];
        return grid[0][0]; //~ error[null-receiver]
    }
}
