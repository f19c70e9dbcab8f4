//! What may hold at the heads of loops: formulas made of the words of a method, for somebody who
//! verifies the text with them and drops those that fail. Nothing here is evidence, and a formula
//! that means nothing where it would stand is the caller's to drop.

use crate::syntax::{
    Block, Class, Expr, ExprKind, Item, Local, Member, Method, Param, Program, Rhs, Spec, Stmt,
    StmtKind, Target, While,
};
use source::Span;
use std::collections::BTreeSet;

/// A loop, with formulas that may hold at its head.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The method that it stands in, with its class: `Class.method`.
    pub method: String,
    /// Where its condition stands.
    pub head: usize,
    /// Where its body begins, and invariants end.
    pub at: usize,
    /// The formulas: permissions first, then what is known of monitors, then other facts.
    pub guesses: Vec<Guess>,
}

/// A formula that may hold at the head of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The formula.
    pub text: String,
    /// Whether it is, or says something about, what the loop is given, so that other formulas may
    /// need it.
    pub is_given: bool,
    /// What to try if it fails.
    pub weaker: Option<String>,
}

/// What loops are given of places that they only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// A part of the permission, so that what is known of the place stays known outside.
    Part,
    /// All of it, and what contracts and monitor invariants speak of.
    All,
}

impl Guess {
    fn given(text: String) -> Self {
        Self { text, is_given: true, weaker: None }
    }

    fn fact(text: impl ToString) -> Self {
        Self { text: text.to_string(), is_given: false, weaker: None }
    }
}

/// The loops of a text, outer ones first.
pub fn loops(text: &str, tree: &Program, given: Given) -> Vec<Loop> {
    let mut found = Vec::new();
    for class in classes(tree) {
        for member in &class.members {
            if let Member::Method(method) = member {
                let mut words = Words::new(text, class, method);
                words.of_method();
                let mut whiles = Vec::new();
                collect(&method.body, &mut whiles);
                found.extend(whiles.into_iter().map(|one| words.of_loop(one, given)));
            }
        }
    }
    found
}

/// The loops of a text as they are written, outer ones first.
pub fn whiles(tree: &Program) -> Vec<&While> {
    let mut found = Vec::new();
    for member in classes(tree).flat_map(|class| &class.members) {
        if let Member::Method(method) = member {
            collect(&method.body, &mut found);
        }
    }
    found
}

fn classes(tree: &Program) -> impl Iterator<Item = &Class> {
    tree.items.iter().filter_map(|item| match item {
        Item::Class(class) => Some(class),
        Item::Channel(_) => None,
    })
}

fn collect<'a>(block: &'a Block, found: &mut Vec<&'a While>) {
    for stmt in &block.stmts {
        if let StmtKind::While(one) = &stmt.kind {
            found.push(one);
        }
        blocks(stmt, &mut |block| collect(block, found));
    }
}

/// The blocks directly inside of a statement.
fn blocks<'a>(stmt: &'a Stmt, with: &mut dyn FnMut(&'a Block)) {
    match &stmt.kind {
        StmtKind::Block(block) | StmtKind::Lock(_, _, block) => with(block),
        StmtKind::While(one) => with(&one.body),
        StmtKind::If(_, then, otherwise) => {
            with(then);
            if let Some(otherwise) = otherwise {
                blocks(otherwise, with);
            }
        }
        _ => {}
    }
}

/// Limit on the names that are compared with each other.
const MANY_NAMES: usize = 7;
/// Limit on the numbers of the code that names are compared with.
const MANY_NUMBERS: usize = 4;

/// What a method speaks of.
struct Words<'a> {
    text: &'a str,
    class: &'a Class,
    method: &'a Method,
    /// Parts of contracts, invariants and conditions, as they stand in the text.
    conditions: BTreeSet<String>,
    /// Objects whose monitors are acquired, released, waited for, or sent to.
    monitors: BTreeSet<String>,
    /// Names of parameters, results and locals.
    names: Vec<String>,
    numbers: BTreeSet<i128>,
    /// What is required, with a local for the value that it has at first.
    counted: BTreeSet<String>,
}

/// Places in objects that code uses.
#[derive(Default)]
struct Places {
    read: BTreeSet<String>,
    written: BTreeSet<String>,
    /// What calls need: parts of contracts.
    needed: BTreeSet<String>,
    /// Channels that are received from.
    owed: BTreeSet<String>,
}

impl<'a> Words<'a> {
    fn new(text: &'a str, class: &'a Class, method: &'a Method) -> Self {
        let (conditions, monitors) = (BTreeSet::new(), BTreeSet::from(["this".to_owned()]));
        let (names, numbers) = (Vec::new(), BTreeSet::from([0]));
        let counted = BTreeSet::new();
        Self { text, class, method, conditions, monitors, names, numbers, counted }
    }

    fn slice(&self, span: Span) -> String {
        self.text[span.start as usize..span.end as usize].to_owned()
    }

    fn of_method(&mut self) {
        let method = self.method;
        for spec in &method.specs {
            if let Spec::Requires(expr) | Spec::Ensures(expr) = spec {
                self.condition(expr);
            }
        }
        for member in &self.class.members {
            if let Member::Invariant(expr) = member {
                self.condition(expr);
            }
        }
        let mut names: Vec<&Param> = method.params.iter().chain(&method.results).collect();
        self.of_block(&method.body, &mut names);
        self.names = names.into_iter().map(|param| param.name.name.to_string()).collect();
        self.names.dedup();
    }

    fn of_block<'m>(&mut self, block: &'m Block, names: &mut Vec<&'m Param>) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Assert(expr) | StmtKind::If(expr, ..) => self.condition(expr),
                StmtKind::While(one) => {
                    self.condition(&one.cond);
                    one.invariants.iter().for_each(|expr| self.condition(expr));
                }
                StmtKind::Local(Local { param, init, .. }) => {
                    names.push(param);
                    if let Some(Rhs::Expr(first)) = init {
                        self.count(param, first);
                    }
                }
                StmtKind::Acquire(_, expr)
                | StmtKind::Release(_, expr)
                | StmtKind::Lock(_, expr, _)
                | StmtKind::Share(expr, _)
                | StmtKind::Send(expr, _)
                | StmtKind::Receive(_, expr) => _ = self.monitors.insert(self.slice(expr.span)),
                _ => {}
            }
            exprs(stmt).into_iter().for_each(|expr| self.numbers_of(expr));
            let mut inside = Vec::new();
            blocks(stmt, &mut |block| inside.push(block));
            inside.into_iter().for_each(|block| self.of_block(block, names));
        }
    }

    /// Takes what is required, with a local for the value that it has at first.
    fn count(&mut self, local: &Param, first: &Expr) {
        if !matches!(first.kind, ExprKind::Int(_) | ExprKind::Name(_)) {
            return;
        }
        let first = self.slice(first.span);
        for spec in &self.method.specs {
            let Spec::Requires(expr) = spec else { continue };
            for part in self.parts(expr) {
                let new =
                    with_words(&part, |word| (word == first).then(|| local.name.name.to_string()));
                if new != part {
                    self.counted.insert(new);
                }
            }
        }
    }

    fn numbers_of(&mut self, expr: &Expr) {
        if let ExprKind::Int(value) = expr.kind {
            self.numbers.insert(value);
        }
        expr.children().into_iter().for_each(|child| self.numbers_of(child));
    }

    /// Takes a condition apart.
    fn condition(&mut self, expr: &Expr) {
        self.numbers_of(expr);
        match &expr.kind {
            ExprKind::And(parts) => parts.iter().for_each(|part| self.condition(part)),
            _ => _ = self.conditions.insert(self.slice(expr.span)),
        }
    }

    fn of_loop(&self, one: &While, given: Given) -> Loop {
        let mut places = Places::default();
        self.places_of(&one.cond, &mut places);
        self.places_in(&one.body, &mut places);
        let mut guesses = self.permissions(&places, given);
        self.of_monitors(one, &places, &mut guesses);
        let conditions = self.conditions.iter().chain(&places.needed).chain(&self.counted);
        guesses.extend(conditions.filter(|text| !is_permission(text)).map(Guess::fact));
        guesses.extend(self.comparisons(&places).iter().map(Guess::fact));
        guesses.sort_by_key(|one| !one.is_given);
        let mut known: BTreeSet<String> =
            one.invariants.iter().flat_map(|expr| self.parts(expr)).collect();
        guesses.retain(|one| known.insert(one.text.clone()));
        let method = format!("{}.{}", self.class.name.name, self.method.name.name);
        let (head, at) = (one.cond.span.start as usize, one.body.span.start as usize);
        Loop { method, head, at, guesses }
    }

    /// Permission to places.
    fn permissions(&self, places: &Places, given: Given) -> Vec<Guess> {
        let all = |place: &String| Guess {
            weaker: Some(format!("rd({place})")),
            ..Guess::given(format!("acc({place})"))
        };
        let mut guesses: Vec<Guess> = places.written.iter().map(all).collect();
        let read = places.read.difference(&places.written);
        guesses.extend(read.map(|place| match given {
            Given::Part => Guess::given(format!("rd({place})")),
            Given::All => all(place),
        }));
        let parts = places.needed.iter().chain(&self.counted);
        let parts = parts.chain(self.conditions.iter().filter(|_| given == Given::All));
        guesses.extend(parts.filter(|part| is_permission(part)).cloned().map(Guess::given));
        guesses
    }

    /// Which monitors are held or may be acquired, and what is owed.
    fn of_monitors(&self, one: &While, places: &Places, guesses: &mut Vec<Guess>) {
        for object in &self.monitors {
            let mu = if object == "this" { "mu".to_owned() } else { format!("{object}.mu") };
            guesses.push(Guess::given(format!("rd({mu})")));
            guesses.push(Guess::given(format!("holds({object})")));
            guesses.push(Guess::fact(format!("!holds({object})")));
            guesses.push(Guess::fact(format!("waitlevel << {mu}")));
            guesses.push(Guess::fact(format!("waitlevel == {mu}")));
        }
        for channel in &places.owed {
            let cond = self.slice(one.cond.span);
            guesses.push(Guess::given(format!("{cond} ==> credit({channel}, 1)")));
        }
    }

    /// What places and names may be, compared with each other and with numbers.
    fn comparisons(&self, places: &Places) -> Vec<String> {
        let mut all = Vec::new();
        let used: BTreeSet<&String> = places.read.union(&places.written).collect();
        let names = || self.names.iter().rev().take(MANY_NAMES);
        for place in &used {
            all.push(format!("{place} == old({place})"));
            all.push(format!("{place} != null"));
            all.extend(names().map(|name| format!("{name} != null ==> {name} == {place}")));
        }
        let names: Vec<&String> = names().chain(used.into_iter().take(MANY_NAMES)).collect();
        for (at, name) in names.iter().enumerate() {
            all.push(format!("{name} != null"));
            for number in self.numbers.iter().take(MANY_NUMBERS) {
                all.push(format!("{number} <= {name}"));
                all.push(format!("{name} <= {number}"));
            }
            for other in &names[at + 1..] {
                all.push(format!("{name} == {other}"));
                all.push(format!("{name} <= {other}"));
                all.push(format!("{other} <= {name}"));
            }
        }
        all
    }

    /// The parts of a written formula.
    fn parts(&self, expr: &Expr) -> Vec<String> {
        match &expr.kind {
            ExprKind::And(parts) => parts.iter().flat_map(|part| self.parts(part)).collect(),
            _ => vec![self.slice(expr.span)],
        }
    }

    fn places_in(&self, block: &Block, places: &mut Places) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Assign(target, _) if is_path(target) && !self.is_local(target) => {
                    places.written.insert(self.slice(target.span));
                    if let ExprKind::Field(object, _) = &target.kind {
                        self.places_of(object, places);
                    }
                }
                StmtKind::Call(_, target) | StmtKind::Fork(_, target) => {
                    self.needs_of(target, places);
                }
                StmtKind::Receive(_, channel) => _ = places.owed.insert(self.slice(channel.span)),
                _ => {}
            }
            let is_target = |expr: &&Expr| match &stmt.kind {
                StmtKind::Assign(target, _) => !std::ptr::eq(*expr, target),
                _ => true,
            };
            let all = exprs(stmt);
            all.into_iter().filter(is_target).for_each(|expr| self.places_of(expr, places));
            blocks(stmt, &mut |block| self.places_in(block, places));
        }
    }

    /// The places that an expression reads. Names that are no fields mean nothing as places, and
    /// are for the caller to drop.
    fn places_of(&self, expr: &Expr, places: &mut Places) {
        if is_path(expr) && !self.is_local(expr) {
            places.read.insert(self.slice(expr.span));
        }
        expr.children().into_iter().for_each(|child| self.places_of(child, places));
    }

    fn is_local(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => self.names.iter().any(|local| local == name.as_str()),
            ExprKind::This => true,
            _ => false,
        }
    }

    /// What a method of this class requires of a call.
    fn needs_of(&self, target: &Target, places: &mut Places) {
        let method = self.class.members.iter().find_map(|member| match member {
            Member::Method(method) if method.name.name == target.name.name => Some(method),
            _ => None,
        });
        let own = target.receiver.as_ref().is_none_or(|one| matches!(one.kind, ExprKind::This));
        let Some(method) = method.filter(|_| own) else { return };
        for spec in &method.specs {
            let Spec::Requires(expr) = spec else { continue };
            for part in self.parts(expr) {
                let arguments: Vec<String> =
                    target.args.iter().map(|arg| self.slice(arg.span)).collect();
                places.needed.insert(replaced(&part, &method.params, &arguments));
            }
        }
    }
}

/// Whether a formula speaks of permissions or debts.
fn is_permission(text: &str) -> bool {
    ["acc(", "rd(", "rd*(", "credit("].iter().any(|word| text.contains(word))
}

/// A text with arguments for parameters.
fn replaced(text: &str, params: &[Param], arguments: &[String]) -> String {
    with_words(text, |word| {
        let at = params.iter().position(|param| param.name.name.as_str() == word)?;
        arguments.get(at).cloned()
    })
}

/// A text with other words for some that are no members.
fn with_words(text: &str, other: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        out += before;
        let new = if out.ends_with('.') { None } else { other(word) };
        out += new.as_deref().unwrap_or(word);
        rest = after;
    }
    out + rest
}

/// Whether an expression is a name, or a field of an object that such an expression leads to.
fn is_path(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) => true,
        ExprKind::Field(object, _) => matches!(object.kind, ExprKind::This) || is_path(object),
        _ => false,
    }
}

/// The expressions of a statement itself.
fn exprs(stmt: &Stmt) -> Vec<&Expr> {
    match &stmt.kind {
        StmtKind::Assert(expr)
        | StmtKind::Assume(expr)
        | StmtKind::If(expr, ..)
        | StmtKind::Unshare(expr)
        | StmtKind::Acquire(_, expr)
        | StmtKind::Release(_, expr)
        | StmtKind::Lock(_, expr, _)
        | StmtKind::Downgrade(expr)
        | StmtKind::Free(expr)
        | StmtKind::Fold(expr)
        | StmtKind::Unfold(expr)
        | StmtKind::Join(_, expr)
        | StmtKind::Wait(expr)
        | StmtKind::Signal(_, expr)
        | StmtKind::Receive(_, expr) => vec![expr],
        StmtKind::While(one) => vec![&one.cond],
        StmtKind::Call(_, target) | StmtKind::Fork(_, target) => {
            target.receiver.iter().chain(&target.args).collect()
        }
        StmtKind::Send(channel, values) => std::iter::once(channel).chain(values).collect(),
        StmtKind::Assign(target, value) => std::iter::once(target).chain(of_value(value)).collect(),
        StmtKind::Local(local) => local.init.iter().flat_map(of_value).collect(),
        StmtKind::Specification(all) => all.before.iter().chain([&all.after]).collect(),
        StmtKind::Share(expr, bounds) | StmtKind::Reorder(expr, bounds) => {
            std::iter::once(expr).chain(&bounds.lower).chain(&bounds.upper).collect()
        }
        StmtKind::Block(_) => Vec::new(),
    }
}

fn of_value(value: &Rhs) -> Vec<&Expr> {
    match value {
        Rhs::New(new) => new.inits.iter().map(|(_, expr)| expr).collect(),
        Rhs::Expr(expr) => vec![expr],
    }
}

#[cfg(test)]
mod tests {
    use super::{Given, loops, replaced};
    use crate::syntax::{Ident, Param};
    use source::{FileId, Name, Span};

    const TEXT: &str = "class C { var f: int; var kept: int; \
                        method M(n: int) requires acc(f) && credit(ch, 0 - n) { \
                        var i := 0; while (i < n) invariant 0 <= i { f := f + kept; i := i + 1; } } }";

    fn texts(given: Given) -> Vec<String> {
        let (tree, faults) = crate::parse(FileId(0), TEXT);
        assert!(faults.is_empty(), "{faults:?}");
        let found = loops(TEXT, &tree, given);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].method, "C.M");
        assert!(TEXT[found[0].at..].starts_with("{ f := "));
        found[0].guesses.iter().map(|one| one.text.clone()).collect()
    }

    #[test]
    fn loops_are_given_what_they_use() {
        let part = texts(Given::Part);
        let has = |text: &str| part.iter().any(|one| one == text);
        assert!(has("acc(f)") && has("rd(kept)") && has("i <= n") && has("credit(ch, i - n)"));
        assert!(!has("acc(kept)") && !has("acc(i)"));
        // It is written.
        assert!(!has("0 <= i"));
        assert!(texts(Given::All).iter().any(|one| one == "acc(kept)"));
    }

    #[test]
    fn arguments_stand_for_parameters() {
        let span = Span::new(FileId(0), 0, 0);
        let name = Ident { name: Name::from("x"), span };
        let params = [Param { name, ty: None }];
        let arguments = ["a.b".to_owned()];
        assert_eq!(
            replaced("acc(x.f) && y.x == x", &params, &arguments),
            "acc(a.b.f) && y.x == a.b"
        );
    }
}
