//: proved: 39
package races.escaped;

// Once the object is stored where others find it, it is no longer private.
class Point {
    int x;
}

class Geometry {
    private volatile Point last;

    int remember(int x) {
        Point point = new Point();
        point.x = x;
        last = point;
        return point.x; //~ error[data-race] "`x` is read"
    }

    int before(int x) {
        Point point = new Point();
        point.x = x;
        int result = point.x;
        last = point;
        return result;
    }
}
