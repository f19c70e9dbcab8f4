package races.class_of_subclass;

// The class of an object may be that of a subclass: circles and other shapes then take different locks for one counter.
class Shape {
    private static int drawn;
    private static int hidden;

    void draw() {
        synchronized (getClass()) {
            drawn++; //~ error[data-race] "`drawn`"
        }
    }

    void hide() {
        synchronized (Shape.class) {
            hidden++;
        }
    }
}

class Circle extends Shape {
}
