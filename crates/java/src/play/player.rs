//! A program with all that its runs share.

use super::checks::{ClassFormula, Touches};
use super::code::Code;
use super::compile;
use super::machine::Stop;
use super::store::Store;
use crate::typed::{
    ClassId, ClassKind, Expr, ExprKind, FieldId, Formula, MethodId, Origin, Program, open, walk,
};
use source::Span;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// A program that is ready to run.
pub(super) struct Player<'p> {
    pub(super) program: &'p Program,
    codes: Vec<OnceCell<Code<'p>>>,
    initializers: BTreeMap<ClassId, Code<'p>>,
    names: BTreeMap<&'p str, ClassId>,
    /// Fields whose accesses order threads.
    ordering: BTreeSet<FieldId>,
    pub(super) invariants: Vec<ClassFormula<'p>>,
    pub(super) relies: Vec<ClassFormula<'p>>,
    /// What is taken for granted.
    pub(super) axioms: Vec<ClassFormula<'p>>,
    /// Fields that are never null once others can see the object, with the places that say so.
    pub(super) non_null: Vec<(FieldId, Span)>,
    /// Methods that code outside of the program calls.
    pub(super) methods: Vec<MethodId>,
    /// Classes of which it makes objects.
    pub(super) made: Vec<ClassId>,
    pub(super) main: Option<MethodId>,
    /// The store after all class initializers: the same for all runs.
    /// Whether an annotation says who writes elements of arrays.
    pub(super) elements_are_ordered: bool,
    pub(super) started: OnceCell<Result<Started, Stop>>,
}

/// Where runs start.
#[derive(Clone, Debug)]
pub(super) struct Started {
    pub(super) store: Store,
    pub(super) initialized: BTreeSet<ClassId>,
    pub(super) instructions: usize,
}

impl<'p> Player<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut player = Self {
            program,
            codes: program.methods.iter().map(|_| OnceCell::new()).collect(),
            initializers: BTreeMap::new(),
            names: BTreeMap::new(),
            ordering: BTreeSet::new(),
            invariants: Vec::new(),
            relies: Vec::new(),
            axioms: Vec::new(),
            non_null: Vec::new(),
            methods: Vec::new(),
            made: Vec::new(),
            main: None,
            elements_are_ordered: says_of_elements(program),
            started: OnceCell::new(),
        };
        for id in program.class_ids() {
            let class = program.class(id);
            player.names.entry(class.qualified.as_str()).or_insert(id);
            if let Some(body) = &class.static_init {
                player.initializers.insert(id, compile::initializer(body, class.span));
            }
            player.formulas(id);
            if class.origin == Origin::Checked {
                player.callable(id);
            }
        }
        player
    }

    pub(super) fn code(&self, method: MethodId) -> &Code<'p> {
        let about = self.program.method(method);
        self.codes[method.index()].get_or_init(|| compile::method(about))
    }

    pub(super) fn initializer(&self, class: ClassId) -> Option<&Code<'p>> {
        self.initializers.get(&class)
    }

    /// A class by its name with its package.
    pub(super) fn class_called(&self, qualified: &str) -> Option<ClassId> {
        self.names.get(qualified).copied()
    }

    /// Whether accesses of a field order threads, so that there are no races on it.
    pub(super) fn orders(&self, field: FieldId) -> bool {
        self.ordering.contains(&field)
    }

    fn formulas(&mut self, id: ClassId) {
        let class = self.program.class(id);
        for formula in &class.spec.invariants {
            let one = self.formula(id, formula, None);
            self.invariants.push(one);
        }
        for formula in &class.spec.axioms {
            let one = self.formula(id, formula, None);
            self.axioms.push(one);
        }
        for formula in &class.spec.env_assumptions {
            let one = self.formula(id, formula, None);
            self.relies.push(one);
            // What annotations say of a field replaces the search for races on it.
            walk::deep(&formula.expr, &mut |part| {
                if let ExprKind::Field(_, field) | ExprKind::Static(field) = &part.kind {
                    self.ordering.insert(*field);
                }
            });
        }
        for field in &class.fields {
            let about = self.program.field(*field);
            for formula in &about.spec.unwritable {
                let one = self.formula(id, formula, Some(*field));
                self.relies.push(one);
            }
            let is_library = class.origin == Origin::Library;
            if about.is_volatile
                || about.is_ghost
                || is_library
                || !about.spec.unwritable.is_empty()
            {
                self.ordering.insert(*field);
            }
            if about.spec.is_non_null && !is_library {
                self.non_null.push((*field, about.span));
            }
        }
    }

    fn formula(
        &self,
        class: ClassId,
        formula: &'p Formula,
        field: Option<FieldId>,
    ) -> ClassFormula<'p> {
        let is_own = |field: &FieldId| !self.program.field(*field).is_static;
        let is_about_object =
            field.as_ref().is_some_and(is_own) || is_about_object(self.program, &formula.expr);
        let touches = Touches::new(&formula.expr, field);
        ClassFormula { class, formula, field, is_about_object, touches }
    }

    /// What code outside of the program can do with a class.
    fn callable(&mut self, id: ClassId) {
        let program = self.program;
        let class = program.class(id);
        let is_made = !class.is_abstract && !open::is_hidden(program, id);
        if is_made && matches!(class.kind, ClassKind::Class | ClassKind::Record) {
            self.made.push(id);
        }
        let is_thread =
            program.well_known.thread.is_some_and(|thread| program.is_subclass(id, thread));
        for method in &class.methods {
            let about = program.method(*method);
            if open::is_main(about) {
                self.main = Some(*method);
                continue;
            }
            let is_run = is_thread && about.name.as_str() == "run" && about.params.is_empty();
            let is_called = about.is_open
                && !about.is_constructor
                && about.body.is_some()
                && !is_run
                && !about.name.as_str().starts_with('<');
            if is_called {
                self.methods.push(*method);
            }
        }
    }
}

/// Whether an annotation says when others write elements of arrays.
fn says_of_elements(program: &Program) -> bool {
    let mut found = program.fields.iter().any(|field| !field.spec.elements_unwritable.is_empty());
    for formula in program.classes.iter().flat_map(|class| &class.spec.env_assumptions) {
        walk::deep(&formula.expr, &mut |part| found |= matches!(part.kind, ExprKind::Index(..)));
    }
    found
}

/// Whether a formula speaks of an object, not of static fields alone.
fn is_about_object(program: &Program, expr: &Expr) -> bool {
    let mut found = false;
    walk::deep(expr, &mut |part| {
        found |= match &part.kind {
            ExprKind::This => true,
            ExprKind::Field(_, field) => !program.field(*field).is_static,
            _ => false,
        };
    });
    found
}
