import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.Types;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Writes what javac resolves every call to, one line for each call of a method or constructor:
 * file, offset of the end of the call in UTF-16 units, class with name and erased parameters.
 *
 * <p>{@code java Calls.java ROOT FOLDER... [-- OPTION...]}: folders are below the root; options are
 * javac's, for example {@code --patch-module java.base=ROOT}.
 */
public final class Calls extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final Trees trees;
    private final Types types;
    private final String file;
    private final PrintStream out;

    private Calls(JavacTask task, CompilationUnitTree unit, String file, PrintStream out) {
        this.unit = unit;
        this.trees = Trees.instance(task);
        this.types = task.getTypes();
        this.file = file;
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]).toAbsolutePath();
        List<Path> files = new ArrayList<>();
        List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn"));
        int at = 1;
        for (; at < args.length && !args[at].equals("--"); at++) {
            try (Stream<Path> found = Files.walk(root.resolve(args[at]))) {
                found.filter(path -> path.toString().endsWith(".java"))
                        .filter(path -> !path.endsWith("package-info.java"))
                        .sorted()
                        .forEach(files::add);
            }
        }
        options.addAll(List.of(args).subList(Math.min(at + 1, args.length), args.length));
        var compiler = ToolProvider.getSystemJavaCompiler();
        var faults = new DiagnosticCollector<JavaFileObject>();
        try (StandardJavaFileManager manager =
                        compiler.getStandardFileManager(faults, null, StandardCharsets.UTF_8);
                PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8)) {
            var inputs = manager.getJavaFileObjectsFromPaths(files);
            var task = (JavacTask) compiler.getTask(null, manager, faults, options, null, inputs);
            List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            task.analyze();
            for (CompilationUnitTree unit : units) {
                Path path = Path.of(unit.getSourceFile().toUri());
                String file = root.relativize(path).toString();
                new Calls(task, unit, file, out).scan(unit, null);
            }
        }
        faults.getDiagnostics().stream().limit(20).forEach(System.err::println);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
        tell(call);
        return super.visitMethodInvocation(call, none);
    }

    @Override
    public Void visitNewClass(NewClassTree made, Void none) {
        // The constructor of a class without a name is its own; the one above is called with the
        // same arguments.
        if (made.getClassBody() == null) {
            tell(made);
        }
        return super.visitNewClass(made, none);
    }

    private void tell(Tree call) {
        SourcePositions positions = trees.getSourcePositions();
        long end = positions.getEndPosition(unit, call);
        long start = positions.getStartPosition(unit, call);
        Element element = trees.getElement(getCurrentPath());
        // Calls that javac adds have no end.
        if (end <= start || !(element instanceof ExecutableElement)) {
            return;
        }
        var method = (ExecutableElement) element;
        StringBuilder text = new StringBuilder();
        TypeElement owner = (TypeElement) method.getEnclosingElement();
        text.append(owner.getQualifiedName()).append('.').append(method.getSimpleName());
        String between = "(";
        for (VariableElement param : method.getParameters()) {
            text.append(between).append(types.erasure(param.asType()));
            between = ",";
        }
        text.append(between.equals("(") ? "()" : ")");
        out.println(file + "\t" + end + "\t" + text);
    }
}
