//: proved: 21
package races.confined;

// An object that only its maker knows needs no lock.
class Point {
    int x, y;
}

class Geometry {
    int distance(int x, int y) {
        Point point = new Point();
        point.x = x;
        point.y = y;
        return point.x + point.y;
    }
}
