package visibility.unsafe_publication;

// What one thread stores in a plain field, another may see late, or see half made. A volatile field hands over all that was
// written before.
class Settings {
    private int level;

    Settings(int level) {
        this.level = level;
    }

    int level() {
        return level;
    }
}

class Publisher {
    private Settings plain;
    private volatile Settings safe;

    void publish(int level) {
        plain = new Settings(level); //~ error[data-race] "`plain`"
        safe = new Settings(level);
    }

    int plainLevel() {
        Settings now = plain; //~ error[data-race] "`plain`"
        return now == null ? 0 : now.level();
    }

    int safeLevel() {
        Settings now = safe;
        return now == null ? 0 : now.level();
    }
}
