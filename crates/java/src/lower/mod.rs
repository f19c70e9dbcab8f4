//! A method of the typed program to a program of Plato.
//!
//! Each method that others may call becomes a program of its own, with one family of threads that
//! run the method, and with the part of the heap that it touches. Objects are values of one
//! uninterpreted type, fields are maps. What is written here is the scheme of paper 2, section 6,
//! with privacy of objects, re-entrant monitors and exceptions.
//!
//! Why one method at a time is enough: what a method does to fields that its program does not have
//! is nothing; formulas about such fields alone hold because nothing in them changes.

mod accesses;
mod alloc;
mod annotations;
mod array_names;
mod array_stores;
mod arrays;
mod calls;
mod calm;
mod class_formulas;
mod classes;
mod clauses;
mod contracts;
mod control;
mod effects;
mod elements;
mod ended;
mod exceptional;
mod exprs;
mod fitting;
mod found;
mod guards;
mod heap;
mod homes;
mod inherited;
mod initializers;
mod known;
mod lambdas;
mod lengths;
mod library;
mod lock_kinds;
mod loops;
mod made;
mod monitors;
mod olds;
mod operators;
mod permits;
mod places;
mod private;
mod protect;
mod publish;
mod purpose;
mod refinement;
mod relies;
mod required;
mod roots;
mod shared_locks;
mod specified;
mod stmts;
mod stored;
mod summaries;
mod terms;

pub(crate) use found::found_guards;
pub(crate) use inherited::{add_comparisons, inherit};
pub(crate) use initializers::add_initializers;
pub(crate) use lengths::Lengths;
pub(crate) use permits::SEMAPHORE;
pub(crate) use protect::Protections;
pub(crate) use roots::{Root, roots};
pub(crate) use summaries::summarize;

use crate::typed::{ClassId, FieldId, Label, LocalId, MethodId, Program, Ty};
use calm::Held;
use control::Scope;
use diagnostic::Code;
use heap::Used;
use lock_kinds::LockKind;
use plato::ast::{self, Expr, Fault, Stmt, StmtKind, Type};
use plato::build;
use purpose::Purpose;
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Names of variables that every program has; those of Java that are called so get other names.
const RESERVED: [&str; 19] = [
    "shared", "owner", "inheap", "holder", "depth", "threadOf", "started", "class", "length",
    "boxed", "numbers", "truths", "elements", "null", "thrown", "this", "ended", "maker", "home",
];

/// The variable with the thread that runs `main`.
const MAIN: &str = "main thread";

/// A method as a program of Plato.
#[derive(Clone, Debug)]
pub(crate) struct Lowered {
    pub(crate) tree: ast::File,
    /// What was taken for granted.
    pub(crate) assumptions: Vec<Assumption>,
}

/// Something that is taken for granted and not checked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Assumption {
    pub(crate) span: Span,
    pub(crate) text: String,
}

/// Lowers a method that others may call.
pub(crate) fn lower(program: &Program, protections: &Protections, root: &Root) -> Lowered {
    // What is touched is known at the end, and needed at the start: where an object is made, all of
    // its fields get their first values.
    let mut used = Used::default();
    let (mut lowering, body) = loop {
        let mut lowering = Lowering::new(program, protections);
        lowering.used.clone_from(&used);
        let mut body = lowering.root(root);
        lowering.note_specifications(root);
        lowering.note_ends();
        lowering.relevant_formulas();
        known::simplify(&mut body, &lowering.known_names());
        lowering.used.in_heap |= known::keeps_in_heap(&mut body);
        if lowering.used == used {
            break (lowering, body);
        }
        used = lowering.used;
    };
    let mut body = body;
    let locals = lowering.locals.iter().map(|(name, _)| name.as_str()).collect();
    private::join_steps(&mut body, &locals);
    let tree = heap::file(&mut lowering, root, body);
    let assumptions = lowering.assumptions.into_iter().collect();
    Lowered { tree, assumptions }
}

/// Lowers one method, with what it calls.
struct Lowering<'a> {
    program: &'a Program,
    protections: &'a Protections,
    used: Used,
    /// The statements of the block that is being written.
    out: Vec<Stmt>,
    /// Local variables of the thread.
    locals: Vec<(String, Type)>,
    /// How often a name was taken.
    names: BTreeMap<String, usize>,
    /// What jumps must get through, innermost last.
    scopes: Vec<Scope>,
    /// Methods that are inlined into each other, innermost last.
    frames: Vec<Frame>,
    labels: usize,
    /// Whether an exception may leave the method that is checked.
    is_left: bool,
    /// Locks that are held here, as far as the text tells.
    held: Vec<Held>,
    /// What the text tells of locks in variables.
    lock_kinds: BTreeMap<String, LockKind>,
    /// Variables with values of fields that never change: of which object, and which field.
    fixed_reads: BTreeMap<String, (Option<String>, FieldId)>,
    /// Locks that are held for reading here, as far as the text tells.
    reading: Vec<Expr>,
    /// Variables of which the text tells of which class their object is.
    exact: BTreeMap<String, lambdas::Exact>,
    /// Variables with the objects that were made so far.
    made: Vec<String>,
    /// Variables that have null or an object that others know when the method starts.
    arguments: BTreeSet<String>,
    /// Variables with objects that only this thread knows, as far as the text tells.
    private: BTreeSet<String>,
    /// Variables with arrays, and where those come from.
    arrays: BTreeMap<String, elements::ArrayFrom>,
    /// The variables and labels of switch expressions around.
    yields: Vec<(String, Label)>,
    yield_labels: u32,
    in_atomic: bool,
    /// The method that is checked.
    root: Option<MethodId>,
    /// The class whose initializer is checked.
    initializes: Option<ClassId>,
    /// Whether the method that is checked is compared with its actions.
    is_compared: bool,
    /// Whether elements are copied for which it was checked that they may be accessed.
    copies: bool,
    /// What the field that is read now is read for.
    reads_for: Purpose,
    /// Steps of Java in the step that is being written.
    steps_in_atomic: usize,
    assumptions: BTreeSet<Assumption>,
    /// Methods whose specifications stand for them.
    called: BTreeSet<MethodId>,
    /// The action that the next step is said to perform.
    witness: Option<(source::Name, Span)>,
    /// Parts of annotations that cannot be expressed.
    gaps: Vec<(String, Span)>,
}

/// A method whose body is written in place of a call.
struct Frame {
    method: Option<MethodId>,
    this: Option<Expr>,
    locals: Vec<String>,
    /// Where the result goes.
    result: Option<String>,
    /// The number of scopes around the body.
    scopes: usize,
    /// The label after the body.
    end: String,
    /// Whether a jump there was written.
    returns: bool,
    /// Values of `\old(e)`, by their places.
    olds: BTreeMap<Span, Expr>,
}

impl<'a> Lowering<'a> {
    fn new(program: &'a Program, protections: &'a Protections) -> Self {
        Self {
            program,
            protections,
            used: Used::default(),
            out: Vec::new(),
            locals: Vec::new(),
            names: RESERVED.iter().map(|name| ((*name).to_owned(), 1)).collect(),
            scopes: Vec::new(),
            frames: Vec::new(),
            labels: 0,
            is_left: false,
            held: Vec::new(),
            lock_kinds: BTreeMap::new(),
            fixed_reads: BTreeMap::new(),
            made: Vec::new(),
            arguments: BTreeSet::new(),
            reading: Vec::new(),
            exact: BTreeMap::new(),
            private: BTreeSet::new(),
            arrays: BTreeMap::new(),
            yields: Vec::new(),
            yield_labels: 0,
            in_atomic: false,
            root: None,
            initializes: None,
            is_compared: false,
            copies: false,
            reads_for: Purpose::Value,
            steps_in_atomic: 0,
            assumptions: BTreeSet::new(),
            called: BTreeSet::new(),
            witness: None,
            gaps: Vec::new(),
        }
    }

    fn push(&mut self, stmt: Stmt) {
        self.out.push(stmt);
    }

    /// Writes statements into a block of their own.
    fn nested<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> (Vec<Stmt>, R) {
        let before = std::mem::take(&mut self.out);
        let result = write(self);
        (std::mem::replace(&mut self.out, before), result)
    }

    /// A new local variable of the thread; its name is as given, or close to it.
    fn new_local(&mut self, name: &str, ty: Type) -> String {
        let count = self.names.entry(name.to_owned()).or_default();
        *count += 1;
        let unique = if *count == 1 { name.to_owned() } else { format!("{name}~{count}") };
        self.locals.push((unique.clone(), ty));
        unique
    }

    /// A variable that the text does not have; its name cannot be one of Java's.
    fn temp(&mut self, what: &str, ty: Type) -> String {
        self.new_local(&format!("${what}"), ty)
    }

    /// A new local with any value of a type.
    fn unknown_value(&mut self, what: &str, ty: &Ty, span: Span) -> Expr {
        let sort = terms::sort(ty, span);
        let local = self.temp(what, sort);
        self.push(terms::havoc(&local, span));
        let value = terms::name(&local, span);
        if ty.is_reference() {
            let known = self.is_known_object(&value);
            self.push(terms::assume(known, span));
        }
        value
    }

    /// Keeps a value that could change before it is used.
    fn kept(&mut self, what: &str, value: Expr, ty: &Ty) -> Expr {
        let span = value.span;
        let sort = terms::sort(ty, span);
        let local = self.temp(what, sort);
        if self.is_private_object(&value) {
            self.private.insert(local.clone());
        }
        self.push(terms::write(&local, Vec::new(), value, span));
        terms::name(&local, span)
    }

    fn new_label(&mut self, what: &str) -> String {
        self.labels += 1;
        format!("{what}{}", self.labels)
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("internal error: code outside of every method")
    }

    fn local_name(&self, id: LocalId) -> &str {
        let frame = self.frames.last().expect("internal error: code outside of every method");
        &frame.locals[id.index()]
    }

    /// Something that must hold here, or else an exception of a class is thrown. If the exception
    /// is caught around here, that is how the program goes on.
    fn must(&mut self, cond: Expr, fault: Fault, exception: &str, span: Span) {
        if matches!(cond.kind, ast::ExprKind::Bool(true)) {
            return;
        }
        if !self.in_atomic && self.is_caught(exception) {
            use terms::Term as _;
            let (throwing, ()) = self.nested(|lowering| lowering.throw_named(exception, span));
            self.push(terms::branch(cond.negated(), throwing, Vec::new(), span));
            return;
        }
        self.push(terms::check(cond, fault, span));
    }

    /// What cannot be expressed, at its place.
    fn unsupported(&mut self, what: &str, span: Span) {
        self.push(build::stmt(StmtKind::Unsupported(what.to_owned()), span));
    }

    fn assume_silently(&mut self, span: Span, text: impl Into<String>) {
        self.assumptions.insert(Assumption { span, text: text.into() });
    }

    /// What the text of the method is about.
    fn known_names(&self) -> known::Names {
        let is_known = |id: &&FieldId| {
            self.program.field(**id).ty.is_reference() && !self.is_being_initialized(**id)
        };
        let fields = self.used.fields.iter().filter(is_known);
        known::Names {
            locals: self.locals.iter().map(|(name, _)| name.clone()).collect(),
            arguments: self.arguments.clone(),
            fields: fields.map(|id| self.field_name(*id)).collect(),
            constants: self.used.constants.keys().cloned().collect(),
        }
    }

    /// The variable of a field.
    fn field_name(&self, id: FieldId) -> String {
        let field = self.program.field(id);
        format!("{}.{}", self.program.class(field.class).name, field.name)
    }
}

/// What is told of a check that fails.
fn fault(code: Code, failed: impl Into<String>) -> Fault {
    Fault { code, failed: failed.into(), help: None, declared: None, goes_on: false }
}

/// The variable that an expression is.
fn name_of(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ast::ExprKind::Name(name) => Some(name.path.segments[0].name.as_str()),
        _ => None,
    }
}
