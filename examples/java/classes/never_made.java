package classes.never_made;

// Of a private class that the program makes no object of, no method runs. Of one that others can name, somebody may make an object.
abstract class Shape {
    abstract int sides();
}

class Shapes {
    private static class Square extends Shape {
        @Override
        int sides() {
            return 4;
        }
    }

    private static class Point extends Shape {
        @Override
        int sides() {
            return 0;
        }
    }

    static Shape square() {
        return new Square();
    }

    //@ ensures \result > 0
    static int sides(/*@ non_null */ Shape shape) {
        return shape.sides();
    }
}

abstract class Sound {
    abstract int loudness();
}

class Bell extends Sound {
    @Override
    int loudness() {
        return 9;
    }
}

class Silence extends Sound {
    @Override
    int loudness() {
        return 0;
    }
}

class Sounds {
    //@ ensures \result > 0 //~ error[postcondition-failed]
    static int loudness(/*@ non_null */ Sound sound) {
        return sound.loudness();
    }
}

// An object of a class below is one of the private class too.
abstract class Animal {
    abstract int legs();
}

class Animals {
    private static class Worm extends Animal {
        @Override
        int legs() {
            return 0;
        }
    }

    static class Earthworm extends Worm {
    }

    //@ ensures \result > 0 //~ error[postcondition-failed]
    static int legs(/*@ non_null */ Animal animal) {
        return animal.legs();
    }
}
