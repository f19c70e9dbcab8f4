//! Texts of any kind are translated without failing, and the result is a program of Plato.

use source::SourceMap;

/// Random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % end
    }

    fn words(&mut self, words: &[&str], most: usize) -> String {
        let count = self.below(most);
        let words: Vec<&str> = (0..count).map(|_| words[self.below(words.len())]).collect();
        words.join(" ")
    }
}

const WORDS: &[&str] = &[
    "int",
    "x",
    "y",
    "a",
    "m",
    "f",
    "main",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ";",
    ",",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "&&",
    "||",
    "!",
    "==",
    "<",
    "?",
    ":",
    "++",
    "--",
    "+=",
    "<<",
    "0",
    "1",
    "2",
    "255",
    "0x7fffffff",
    "1.5",
    "'c'",
    "\"text\"",
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "goto",
    "struct",
    "enum",
    "typedef",
    "static",
    "const",
    "unsigned",
    "char",
    "void",
    "_Bool",
    "pthread_t",
    "pthread_mutex_t",
    "pthread_create",
    "pthread_join",
    "pthread_mutex_lock",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__VERIFIER_nondet_int",
    "assert",
    "reach_error",
    "\n",
    "#define",
    "#if",
    "#endif",
    "//",
    "/*",
    "*/",
    "ä",
    "\\",
    "$",
    "->",
    ".",
    "sizeof",
    "__attribute__",
    "NULL",
    "__thread",
    "_Atomic",
    "_Static_assert",
    "asm",
    "extern",
    "({",
    "})",
    "constructor",
    "#include <assert.h>",
    "#include",
    "#elif",
    "#else",
    "#undef",
    "#pragma",
    "defined",
    "##",
    "#define F(a, ...) a ## __VA_ARGS__ # a",
    "F(x, y)",
    "\\\n",
    "...",
];

const STATEMENTS: &[&str] = &[
    "x = x + 1;",
    "y++;",
    "int l = x;",
    "int k;",
    "l = k;",
    "if (x == y) {",
    "while (x < 2) {",
    "} else {",
    "}",
    "}",
    "for (int i = 0; i < 3; i++) {",
    "a[x] = y;",
    "x = a[1] + a[y]--;",
    "assert(x == y);",
    "reach_error();",
    "break;",
    "continue;",
    "return 0;",
    "pthread_mutex_lock(&m);",
    "pthread_mutex_unlock(&m);",
    "pthread_t t;",
    "pthread_create(&t, 0, f, 0);",
    "pthread_create(&t, 0, f, &x);",
    "pthread_join(t, 0);",
    "__VERIFIER_atomic_begin();",
    "__VERIFIER_atomic_end();",
    "x = __VERIFIER_nondet_int();",
    "__VERIFIER_assume(x >= 0 && x < 4);",
    "x = g(y, &x);",
    "switch (x) {",
    "case 1:",
    "default:",
    "do {",
    "} while (y);",
    "x = y && g(1, &y) || !x;",
    "unsigned char c = x;",
    "x += c << 3;",
    "x = y ? a[0] : g(x, &a[1]);",
    "abort();",
    "goto ERROR;",
    "ERROR:",
    "x = y = x++;",
    "*p = 1;",
    "n++;",
    "x = n += y;",
    "own = own + 1;",
    "static int s = 1; x = s++;",
    "static __thread int o; y = o++;",
    "x = atomic_fetch_add(&n, y);",
    "x = __sync_bool_compare_and_swap(&y, 1, x);",
    "printf(\"%d\", x++ / y);",
    "exit(g(x, &y));",
    "pthread_exit((void *)(long)x++);",
    "pthread_t h[2]; pthread_create(&h[x], 0, f, 0);",
    "pthread_join(h[1], 0);",
    "(void)sizeof(x++), ({ if (x) ; else __assert_fail(); });",
    "int b[] = {x, y}; g(1, b);",
    "x = pthread_mutex_trylock(&m);",
    "{ enum { x = 3 }; y = x; }",
    "case 1 ... 3:",
    "__VERIFIER_atomic_begin(); int z = x; int w = __VERIFIER_nondet_int(); __VERIFIER_atomic_end(); y = z + w;",
];

fn check(text: &str) {
    let mut sources = SourceMap::default();
    let file = sources.add("random.c", text);
    let translated = c::translate(file, text, &[]);
    for span in translated.diagnostics.iter().map(|one| one.primary.span) {
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{text}");
    }
    let resolved = plato::resolve(&translated.tree, &[]);
    assert!(resolved.diagnostics.is_empty(), "{text}\n{:#?}", resolved.diagnostics);
}

#[test]
fn no_words_are_too_strange() {
    let mut random = Random(1);
    for _ in 0..3_000 {
        let text = random.words(WORDS, 80);
        check(&text);
        check(&format!("int x; int main() {{ {text} }}"));
    }
}

#[test]
fn no_statements_are_too_strange() {
    let mut random = Random(2);
    for _ in 0..3_000 {
        let (one, other, main) = (
            random.words(STATEMENTS, 8),
            random.words(STATEMENTS, 8),
            random.words(STATEMENTS, 15),
        );
        check(&format!(
            "int x, y, a[3]; _Atomic int n; __thread int own; pthread_mutex_t m;\nint g(int n, int *p) {{ {one} }}\nvoid *f(void *p) {{ {other} }}\n\
             int main() {{ {main} }}"
        ));
    }
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, inside: &str, close: &str| {
        format!("int main() {{ {}{inside}{} }}", open.repeat(5_000), close.repeat(5_000))
    };
    check(&deep("{", "", "}"));
    check(&deep("if (1) ", ";", ""));
    check(&deep("(", "1", ")"));
    check(&deep("- ", "1", ""));
    check(&format!("int main() {{ int x = 1{}; }}", " + 1".repeat(20_000)));
    check(&format!("#define A A A\n#define B A B\nint main() {{ {} }}", "B ".repeat(3_000)));
}

/// A thread's local state has as many parts as its functions have variables.
#[test]
fn long_functions_have_few_variables() {
    let text = format!("int x; int main() {{ {} }}", "x = x + 1; x = f(x) * f(2); ".repeat(500));
    let text = format!("int f(int y) {{ return y; }} {text}");
    let mut sources = SourceMap::default();
    let translated = c::translate(sources.add("long.c", &text), &text, &[]);
    let main = translated.tree.items.iter().find_map(|item| match &item.kind {
        plato::ast::ItemKind::Proc(one) if one.name.name.as_str() == "main()" => Some(one),
        _ => None,
    });
    let stmts = &main.expect("there is a procedure for `main`").body.stmts;
    let is_declaration =
        |stmt: &&plato::ast::Stmt| matches!(stmt.kind, plato::ast::StmtKind::Var(_));
    assert!(stmts.len() > 2_000);
    assert!(stmts.iter().filter(is_declaration).count() < 5);
}
