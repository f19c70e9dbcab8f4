//! What each step must satisfy, paper 1 section 5: `G_i = (forall j != i :: A_j) && (I ==> I')`.

use crate::environment::{self, Conjunct, Invariant, Owner};
use crate::mentions;
use diagnostic::Code;
use plato::hir::{Count, Expr, GlobalId, Program, ThreadId};
use source::{Name, Span};
use std::collections::BTreeSet;
use verdict::Obligation;

/// One formula of the guarantee.
#[derive(Clone, Debug)]
pub(super) struct Guarantee<'a> {
    /// Where it was declared.
    pub(super) item: Span,
    /// What it says.
    pub(super) kind: Kind<'a>,
    /// The variables it mentions. A step that writes none of them keeps it: relies are reflexive.
    pub(super) mentions: BTreeSet<GlobalId>,
}

/// What a formula of the guarantee says.
#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    /// What every other thread relies on.
    Rely(&'a Expr),
    /// What every other copy of this thread relies on.
    RelyOf(ThreadId, &'a Expr),
    /// An invariant, or the negation of an error set.
    Invariant(Invariant<'a>),
}

impl Guarantee<'_> {
    /// What is to be shown of a step at this place.
    pub(super) fn about(&self, span: Span) -> Obligation {
        let named = |name: Option<&Name>| name.map_or(String::new(), |name| format!(" `{name}`"));
        match &self.kind {
            Kind::Rely(_) | Kind::RelyOf(..) => Obligation::new(
                Code::RelyViolated,
                span,
                "this step does what another thread relies on not to happen",
            ),
            Kind::Invariant(Invariant { negated: true, .. }) => Obligation::new(
                Code::NeverReached,
                span,
                "this step can reach a store that must never be reached",
            ),
            Kind::Invariant(invariant) => {
                let failed = format!("this step can break the invariant{}", named(invariant.name));
                Obligation::new(Code::InvariantBroken, span, failed)
            }
        }
    }
}

/// The guarantee of a thread, or of a procedure towards the modules it knows of. The relies stand
/// as the user wrote them, also if a thread had to weaken its own: that asks for more than is
/// assumed, which is sound.
pub(super) fn guarantees<'a>(
    program: &'a Program,
    owner: &Owner,
    total: Option<u64>,
) -> Vec<Guarantee<'a>> {
    let mut out = Vec::new();
    let mut add = |formula: &'a Expr, item, kind| {
        out.push(Guarantee { item, kind, mentions: mentions::globals_of(program, formula) });
    };
    if total != Some(1) {
        for Conjunct { formula, item } in environment::common_relies(program, owner) {
            add(formula, item, Kind::Rely(formula));
        }
    }
    // A procedure's callers check its abstraction against the relies of single threads.
    if let Owner::Thread(thread) = owner {
        for id in program.thread_ids() {
            let other = &program.threads[id.index()];
            if id == *thread && other.count == Count::One {
                continue;
            }
            for rely in &other.relies {
                let formula = &rely.expr;
                add(formula, rely.span, Kind::RelyOf(id, formula));
            }
        }
    }
    for invariant in environment::invariants(program, owner) {
        add(invariant.formula, invariant.item, Kind::Invariant(invariant));
    }
    out
}
