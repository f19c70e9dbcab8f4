//! Syntax tree to text, in one fixed layout. Parsing the text gives the same tree, places aside.

mod exprs;
mod stmts;

use crate::ast::{
    Clause, ClauseKind, Copies, Expr, ExprKind, File, Forked, Formula, Ident, Item, ItemKind,
    Never, Param, Path, Proc, Thread,
};
use exprs::{params, path, ty};

/// The text of a file. Comments are not part of the tree, so they are not part of the text either.
pub fn print(file: &File) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    printer.items(&file.items);
    printer.out
}

struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n("    ", self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Short items of one kind stand together; everything else is set off by an empty line.
    fn items(&mut self, items: &[Item]) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 && (has_block(item) || !same_kind(&items[at - 1], item)) {
                self.out.push('\n');
            }
            self.item(item);
        }
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Const(item) => {
                let value = value_text(item.value.as_ref());
                self.line(&format!("const {}: {}{value};", item.name.name, ty(&item.ty)));
            }
            ItemKind::Type(item) => {
                let alias =
                    item.alias.as_ref().map_or(String::new(), |alias| format!(" = {}", ty(alias)));
                self.line(&format!("type {}{alias};", item.name.name));
            }
            ItemKind::Enum(item) if item.variants.is_empty() => {
                self.line(&format!("enum {} {{}}", item.name.name));
            }
            ItemKind::Enum(item) => {
                self.line(&format!("enum {} {{ {} }}", item.name.name, names(&item.variants)));
            }
            ItemKind::Var(item) => {
                let value = value_text(item.value.as_ref());
                let guard = item.guard.as_ref();
                let guard =
                    guard.map_or(String::new(), |lock| format!(" guarded by {}", path(lock)));
                let names = names(&item.names);
                self.line(&format!("var {names}: {}{value}{guard};", ty(&item.ty)));
            }
            ItemKind::Mutex(all) => self.line(&format!("mutex {};", names(all))),
            ItemKind::Condition(all) => self.line(&format!("condition {};", names(all))),
            ItemKind::Init(item) => self.line(&format!("init {};", formula(item))),
            ItemKind::Invariant(item) => self.line(&format!("invariant {};", formula(item))),
            ItemKind::Rely(item) => self.line(&format!("rely {};", formula(item))),
            ItemKind::Unsupported(message) => self.line(&format!("// not supported: {message}")),
            ItemKind::Never(item) => self.line(&format!("never {};", never(item))),
            ItemKind::Pred(item) => {
                let list = param_list(&item.params, "");
                let head = match &item.ty {
                    Some(values) => format!("func {}{list}: {}", item.name.name, ty(values)),
                    None => format!("pred {}{list}", item.name.name),
                };
                self.line(&format!("{head} = {};", exprs::expr(&item.body)));
            }
            ItemKind::Proc(item) => self.proc(item),
            ItemKind::Thread(item) => self.thread(item),
            ItemKind::Module(item) => {
                self.line(&format!("module {} {{", item.name.name));
                self.indent += 1;
                self.items(&item.items);
                self.indent -= 1;
                self.line("}");
            }
        }
    }

    fn proc(&mut self, proc: &Proc) {
        let list = param_list(&proc.params, "()");
        let results = match param_list(&proc.results, "") {
            list if list.is_empty() => list,
            list => format!(" returns {list}"),
        };
        let clauses = proc.spec.iter().map(clause).collect();
        let atomic = if proc.is_atomic { "atomic " } else { "" };
        let head = format!("{atomic}proc {}{list}{results}", proc.name.name);
        self.headed_block(&head, clauses, &proc.body);
    }

    fn thread(&mut self, thread: &Thread) {
        let copies = match &thread.copies {
            Copies::One => String::new(),
            Copies::Counted(count) => format!("[{}]", exprs::expr(count)),
            Copies::Any => "[*]".into(),
        };
        let (head, mut clauses) = thread.forked.as_ref().map_or_else(Default::default, forked);
        clauses.extend(thread.relies.iter().map(|rely| format!("rely {}", formula(rely))));
        let head = format!("thread {}{copies}{head}", thread.name.name);
        self.headed_block(&head, clauses, &thread.body);
    }
}

/// What stands behind the name of a thread that is forked, and its clauses.
fn forked(forked: &Forked) -> (String, Vec<String>) {
    let results = match param_list(&forked.results, "") {
        list if list.is_empty() => list,
        list => format!(" returns {list}"),
    };
    let clause = |word: &'static str| move |e| format!("{word} {}", exprs::expr(e));
    let requires = forked.requires.iter().map(clause("requires"));
    let clauses = requires.chain(forked.ensures.iter().map(clause("ensures"))).collect();
    (format!("{}{results}", param_list(&forked.params, "()")), clauses)
}

fn has_block(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Proc(_) | ItemKind::Thread(_) | ItemKind::Module(_))
}

fn same_kind(left: &Item, right: &Item) -> bool {
    let is_var = |item: &Item| {
        matches!(item.kind, ItemKind::Var(_) | ItemKind::Mutex(_) | ItemKind::Condition(_))
    };
    std::mem::discriminant(&left.kind) == std::mem::discriminant(&right.kind)
        || (is_var(left) && is_var(right))
}

fn value_text(value: Option<&Expr>) -> String {
    value.map_or(String::new(), |value| format!(" = {}", exprs::expr(value)))
}

fn formula(formula: &Formula) -> String {
    let text = exprs::expr(&formula.expr);
    match &formula.name {
        Some(name) => format!("{}: {text}", name.name),
        None => text,
    }
}

fn never(never: &Never) -> String {
    match never {
        Never::Formula(inner) => match &inner.expr.kind {
            // A variable called `deadlock` must not read as the keyword.
            ExprKind::Name(_) if inner.name.is_none() => format!("({})", formula(inner)),
            _ => formula(inner),
        },
        Never::Deadlock => "deadlock".into(),
        Never::Race(all) if all.is_empty() => "race".into(),
        Never::Race(all) => format!("race on {}", paths(all)),
    }
}

fn param_list(all: &[Param], empty: &str) -> String {
    if all.is_empty() { empty.into() } else { format!("({})", params(all)) }
}

fn names(all: &[Ident]) -> String {
    all.iter().map(|ident| ident.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn paths(all: &[Path]) -> String {
    all.iter().map(path).collect::<Vec<_>>().join(", ")
}

/// A clause of a specification on one line.
fn clause(clause: &Clause) -> String {
    let block = |all: &[Clause]| {
        let inner: Vec<String> = all.iter().map(self::clause).collect();
        format!("{{ {} }}", inner.join("; "))
    };
    match &clause.kind {
        ClauseKind::Requires(formula) => format!("requires {}", exprs::expr(formula)),
        ClauseKind::Ensures(formula) => format!("ensures {}", exprs::expr(formula)),
        ClauseKind::Modifies(all, _) if all.is_empty() => "modifies ;".into(),
        ClauseKind::Modifies(all, None) => format!("modifies {}", paths(all)),
        ClauseKind::Modifies(all, Some(frame)) => {
            format!("modifies {} where {}", paths(all), exprs::expr(frame))
        }
        ClauseKind::Action(name, all, formula) => {
            let name = name.as_ref().map_or(String::new(), |name| format!(" {}", name.name));
            let modifies =
                if all.is_empty() { String::new() } else { format!(" modifies {}", paths(all)) };
            format!("action{name}{modifies} ensures {}", exprs::expr(formula))
        }
        ClauseKind::Choose(branches) => {
            let branches: Vec<String> = branches.iter().map(|branch| block(branch)).collect();
            format!("choose {}", branches.join(" or "))
        }
        ClauseKind::Optional(all) => format!("optional {}", block(all)),
        ClauseKind::Repeat(all) => format!("repeat {}", block(all)),
    }
}
