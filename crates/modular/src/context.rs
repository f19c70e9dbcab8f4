//! What all lowering shares: the program, the terms, the meaning of names that have one value
//! throughout.

use crate::layout::{Layout, Roll, layout};
use logic::{Func, Quantifier, Sort, Symbol, Term, Terms};
use plato::hir::{BoundId, Const, ConstId, GlobalId, Program, ThreadId, Ty, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What all lowering shares. Each task has its own, so that tasks can be decided in parallel.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    /// The program.
    pub program: &'a Program,
    /// The store of terms.
    pub terms: Terms,
    /// Which numbers stand for which threads.
    pub layout: Layout,
    /// True of symbols that have one value throughout.
    pub axioms: Vec<Term>,
    /// Symbols that have one value throughout and are worth showing.
    pub constants: Vec<(Symbol, String, Ty)>,
    /// Per global its symbol.
    pub globals: Vec<Symbol>,
    pub(crate) bound: BTreeMap<BoundId, Term>,
    pub(crate) constant_maps: BTreeSet<Func>,
    /// Functions that give sizes of sets, whose axioms stand in `axioms`.
    pub(crate) sized: BTreeSet<Func>,
    /// Values listed instead of quantified over, at most.
    pub(crate) most_listed: i128,
    families: BTreeMap<ThreadId, Term>,
}

impl<'a> Context<'a> {
    /// A fresh context for the program.
    pub fn new(program: &'a Program, roll: Arc<Roll>) -> Self {
        let mut terms = Terms::default();
        let layout = layout(&mut terms, program, roll, &mut |terms, id| {
            let symbol = terms.symbol(const_name(&program.consts[id.index()]), Sort::Int);
            terms.constant(symbol)
        });
        let mut context = Self {
            program,
            axioms: layout.facts.clone(),
            layout,
            terms,
            constants: Vec::new(),
            globals: Vec::new(),
            bound: BTreeMap::new(),
            constant_maps: BTreeSet::new(),
            sized: BTreeSet::new(),
            most_listed: crate::types::MAX_LISTED,
            families: BTreeMap::new(),
        };
        for global in &program.globals {
            let sort = context.sort(&global.ty);
            let symbol = context.terms.symbol(format!("{}@", global.name), sort);
            context.globals.push(symbol);
        }
        context.declare_symbolic_constants();
        context
    }

    fn declare_symbolic_constants(&mut self) {
        for constant in self.program.consts.iter().filter(|constant| constant.value.is_none()) {
            let sort = self.sort(&constant.ty);
            let symbol = self.terms.symbol(const_name(constant), sort);
            let term = self.terms.constant(symbol);
            if let Some(fact) = self.in_type(&constant.ty, term) {
                self.axioms.push(fact);
            }
            self.constants.push((symbol, constant.name.to_string(), constant.ty.clone()));
        }
    }

    /// The term of a named constant.
    pub fn const_term(&mut self, id: ConstId) -> Term {
        let constant = &self.program.consts[id.index()];
        match constant.value {
            Some(Value::Int(value)) => self.terms.int(value),
            Some(Value::Bool(value)) => self.terms.bool(value),
            Some(Value::Variant(_, index)) => self.terms.int(i128::from(index)),
            None => {
                let sort = self.sort(&constant.ty);
                let symbol = self.terms.symbol(const_name(constant), sort);
                self.terms.constant(symbol)
            }
        }
    }

    /// The term of a thread's name: its number, or the set of its copies.
    pub fn thread_term(&mut self, id: ThreadId) -> Term {
        let thread = &self.program.threads[id.index()];
        if thread.count == plato::hir::Count::One {
            return self.layout.block(&mut self.terms, id).0;
        }
        if let Some(&term) = self.families.get(&id) {
            return term;
        }
        let symbol = self
            .terms
            .symbol(format!("{}@family", thread.name), Sort::array(Sort::Int, Sort::Bool));
        let set = self.terms.constant(symbol);
        let binder = self.terms.binder("i", Sort::Int);
        let member = self.terms.bound(binder);
        let entry = self.terms.select(set, member);
        let inside = self.layout.is_copy_of(&mut self.terms, member, id);
        let same = self.terms.eq(entry, inside);
        let axiom =
            self.terms.quantified(Quantifier::Forall, vec![binder], vec![vec![entry]], same);
        self.axioms.push(axiom);
        self.families.insert(id, set);
        set
    }

    /// A symbol that holds another value of the global: a copy from before a step, say.
    pub fn copy_of(&mut self, global: GlobalId, role: &str) -> Symbol {
        let info = &self.program.globals[global.index()];
        let sort = self.sort(&info.ty);
        self.terms.symbol(format!("{}@{role}", info.name), sort)
    }

    /// All globals.
    pub fn global_ids(&self) -> impl Iterator<Item = GlobalId> + use<> {
        crate::mentions::all_globals(self.program)
    }
}

fn const_name(constant: &Const) -> String {
    constant_symbol(constant.name.as_str())
}

/// The name of the symbol for a constant without a value.
pub fn constant_symbol(name: &str) -> String {
    format!("{name}@const")
}
