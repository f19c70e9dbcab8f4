//! A growing SMT-LIB script: declarations come before their first use, shared subterms are defined
//! once.

use crate::print::{quote, write_node, write_term};
use crate::term::{Binder, Func, Node, Symbol, Term, Terms};
use crate::{Sort, SortName};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Subterms with fewer nodes than this are written out again rather than named.
const SMALLEST_NAMED: u32 = 6;

/// The script. Take the text written so far with [`Script::take`].
#[derive(Clone, Debug, Default)]
pub struct Script {
    text: String,
    sorts: BTreeSet<SortName>,
    symbols: BTreeSet<Symbol>,
    funcs: BTreeSet<Func>,
    defined: BTreeMap<Term, String>,
    facts: BTreeMap<Term, Facts>,
    untriggered: bool,
}

/// The facts about a term that sharing needs.
#[derive(Clone, Debug)]
struct Facts {
    nodes: u32,
    /// The variables bound outside. A term that has some is meaningless elsewhere.
    open: BTreeSet<Binder>,
}

impl Script {
    /// Declares everything that the term needs and asserts it.
    pub fn assert(&mut self, terms: &Terms, term: Term) {
        if matches!(terms.node(term), Node::Bool(true)) {
            return;
        }
        let text = self.expression(terms, term);
        let _ = writeln!(self.text, "(assert {text})");
    }

    /// Declares everything that the term needs and returns its text, for use in another command.
    pub fn expression(&mut self, terms: &Terms, term: Term) -> String {
        for shared in self.prepare(terms, term) {
            let mut body = String::new();
            write_node(&mut body, terms, shared, &|part| self.defined.get(&part).cloned());
            let name = format!("$t{}", shared.0);
            let _ = writeln!(self.text, "(define-fun {name} () {} {body})", terms.sort(shared));
            self.defined.insert(shared, name);
        }
        let mut text = String::new();
        write_term(&mut text, terms, term, &|part| self.defined.get(&part).cloned());
        text
    }

    /// Declares the symbol.
    pub fn declare(&mut self, terms: &Terms, symbol: Symbol) {
        self.declare_symbol(terms, symbol);
    }

    /// The text written since the last call.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Whether a quantifier without trigger was written: the solver then needs models to
    /// instantiate it.
    pub fn has_untriggered(&self) -> bool {
        self.untriggered
    }

    /// Declares everything below the term; returns the closed subterms that occur more than once,
    /// inner ones first.
    fn prepare(&mut self, terms: &Terms, term: Term) -> Vec<Term> {
        let mut uses: BTreeMap<Term, u32> = BTreeMap::new();
        let mut order = Vec::new();
        let mut stack = vec![(term, false)];
        while let Some((top, finished)) = stack.pop() {
            if finished {
                self.learn(terms, top);
                order.push(top);
                continue;
            }
            let count = uses.entry(top).or_default();
            *count += 1;
            if *count > 1 || self.defined.contains_key(&top) {
                continue;
            }
            stack.push((top, true));
            let node = terms.node(top);
            stack.extend(node.children().into_iter().map(|child| (child, false)));
            if let Node::Quantified { triggers, .. } = node {
                stack.extend(triggers.iter().flatten().map(|&part| (part, false)));
            }
        }
        order.retain(|shared| {
            let facts = &self.facts[shared];
            let worth_it = uses[shared] > 1 && facts.nodes >= SMALLEST_NAMED;
            worth_it && facts.open.is_empty() && *shared != term
        });
        order
    }

    fn learn(&mut self, terms: &Terms, term: Term) {
        let node = terms.node(term);
        match node {
            Node::Constant(symbol) => self.declare_symbol(terms, *symbol),
            Node::Apply(func, _) => self.declare_func(terms, *func),
            Node::Quantified { binders, triggers, .. } => {
                self.untriggered |= triggers.is_empty();
                for &binder in binders {
                    self.declare_sort(terms.binder_info(binder).1);
                }
            }
            Node::ConstArray(key, _) => self.declare_sort(key),
            _ => {}
        }
        let mut facts = Facts { nodes: 1, open: BTreeSet::new() };
        for child in node.children() {
            let below = &self.facts[&child];
            facts.nodes = facts.nodes.saturating_add(below.nodes);
            facts.open.extend(&below.open);
        }
        match node {
            Node::Bound(binder) => _ = facts.open.insert(*binder),
            Node::Quantified { binders, .. } => facts.open.retain(|open| !binders.contains(open)),
            _ => {}
        }
        self.facts.insert(term, facts);
    }

    fn declare_symbol(&mut self, terms: &Terms, symbol: Symbol) {
        if self.symbols.insert(symbol) {
            self.declare_sort(terms.symbol_sort(symbol));
            let _ = writeln!(
                self.text,
                "(declare-fun {} () {})",
                quote(terms.name(symbol)),
                terms.symbol_sort(symbol)
            );
        }
    }

    fn declare_func(&mut self, terms: &Terms, func: Func) {
        if self.funcs.insert(func) {
            let info = terms.func_info(func);
            let mut args = Vec::new();
            for sort in &info.args {
                self.declare_sort(sort);
                args.push(sort.to_string());
            }
            self.declare_sort(&info.result);
            let _ = writeln!(
                self.text,
                "(declare-fun {} ({}) {})",
                quote(&info.name),
                args.join(" "),
                info.result
            );
        }
    }

    fn declare_sort(&mut self, sort: &Sort) {
        match sort {
            Sort::Bool | Sort::Int | Sort::Real => {}
            Sort::Opaque(name) => {
                if self.sorts.insert(name.clone()) {
                    let _ = writeln!(self.text, "(declare-sort {} 0)", quote(&name.0));
                }
            }
            Sort::Array(key, value) => {
                self.declare_sort(key);
                self.declare_sort(value);
            }
        }
    }
}
