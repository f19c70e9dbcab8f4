package races.run_at_once;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

// A lambda expression that the library runs at once runs under the locks that are held there. One that is kept runs later, without them.
class Totals {
    private int total;
    private Runnable later;

    synchronized void add(/*@ non_null */ Optional<String> text) {
        text.ifPresent(value -> total++);
    }

    synchronized void addAll(/*@ non_null */ List<String> texts) {
        texts.forEach(value -> total++);
    }

    void addWrong(/*@ non_null */ Optional<String> text) {
        text.ifPresent(value -> total++); //~ error[data-race] "`total` is read without holding"
    }

    synchronized void addLater(/*@ non_null */ Executor executor) {
        executor.execute(() -> total++); //~ error[data-race] "`total` is read without holding"
    }
}
