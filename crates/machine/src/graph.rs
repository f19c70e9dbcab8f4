//! Bodies as graphs of steps.

use plato::hir::{Body, Expr, LabelId, ProcId, Program, Stmt, StmtKind, ThreadId};
use source::Span;

/// A place in the code of a program.
pub type Pc = usize;

/// What stands at a place.
pub enum Node<'p> {
    /// A statement that is one step.
    Op(&'p Stmt, Pc),
    /// The evaluation of a condition, or an arbitrary choice.
    Branch(Branch<'p>),
    /// No step: goes on at one of these.
    Choose(Vec<Pc>),
    /// One step that runs from the first place to the next [`Node::Leave`], and goes on at the
    /// second.
    Atomic(Span, Pc, Pc),
    /// The end of an atomic block.
    Leave,
    /// Enters a procedure; when it ends, its results are written and the caller goes on.
    Call(&'p Stmt, Pc),
    /// Writes the results of the running procedure.
    Return(&'p Stmt, Pc),
    /// The end of a body.
    End,
    /// Replaced before anybody sees it.
    Reserved,
}

/// A condition.
pub struct Branch<'p> {
    /// Where it is written.
    pub span: Span,
    /// The condition; `None` is an arbitrary choice.
    pub cond: Option<&'p Expr>,
    /// Where a thread goes on if it holds.
    pub then: Pc,
    /// Where it goes on otherwise.
    pub otherwise: Pc,
    /// What holds here, if it is the head of a loop.
    pub invariants: &'p [Expr],
    /// The places of the loop are between this one and the head.
    pub end: Pc,
}

/// Whose code stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// That of a thread.
    Thread(ThreadId),
    /// That of a procedure.
    Proc(ProcId),
}

/// All code of a program.
#[derive(Default)]
pub struct Graph<'p> {
    /// What stands at each place.
    pub nodes: Vec<Node<'p>>,
    /// Whose code each node is.
    owners: Vec<Owner>,
    /// The labels, each with the place it stands at. A label at something that is no step stands
    /// at the step after it.
    labels: Vec<(Pc, LabelId)>,
    /// For each place the labels of the steps that a thread there may take next.
    labels_of: Vec<Vec<LabelId>>,
    owner: Option<Owner>,
    /// Where each thread begins.
    pub threads: Vec<Pc>,
    /// Where each procedure begins.
    pub procs: Vec<Pc>,
}

/// Where the jumps in a block go.
#[derive(Clone, Copy)]
struct Exits<'e> {
    body: Pc,
    /// The innermost loop or labelled block.
    around: Option<&'e Around<'e>>,
}

/// A loop or labelled block.
struct Around<'e> {
    label: Option<LabelId>,
    after: Pc,
    /// Of a loop.
    head: Option<Pc>,
    /// What is around it in turn.
    outer: Option<&'e Around<'e>>,
}

impl<'e> Exits<'e> {
    /// The loop or block of this label, or the innermost loop.
    fn target(self, label: Option<LabelId>) -> Option<&'e Around<'e>> {
        let mut all = std::iter::successors(self.around, |one| one.outer);
        match label {
            Some(_) => all.find(|one| one.label == label),
            None => all.find(|one| one.head.is_some()),
        }
    }
}

/// The code of a program.
pub fn compile(program: &Program) -> Graph<'_> {
    let mut code = Graph::default();
    for (id, thread) in program.thread_ids().zip(&program.threads) {
        code.owner = Some(Owner::Thread(id));
        let entry = code.whole(&thread.body.stmts);
        code.threads.push(entry);
    }
    for (id, proc) in (0u32..).map(ProcId).zip(&program.procs) {
        code.owner = Some(Owner::Proc(id));
        let entry = code.whole(&proc.body.stmts);
        code.procs.push(entry);
    }
    code.find_labels();
    code
}

impl<'p> Graph<'p> {
    /// The places with a step that a thread at this place may take next.
    pub fn ready(&self, pc: Pc) -> Vec<Pc> {
        match &self.nodes[pc] {
            Node::Choose(all) => all.iter().flat_map(|&pc| self.ready(pc)).collect(),
            _ => vec![pc],
        }
    }

    /// Where the step at a place is written.
    pub fn span(&self, pc: Pc) -> Option<Span> {
        match &self.nodes[pc] {
            Node::Op(stmt, _) | Node::Call(stmt, _) | Node::Return(stmt, _) => Some(stmt.span),
            Node::Branch(branch) => Some(branch.span),
            Node::Atomic(span, ..) => Some(*span),
            Node::Choose(_) | Node::Leave | Node::End | Node::Reserved => None,
        }
    }

    /// Whose code stands at a place.
    pub fn owner(&self, pc: Pc) -> Owner {
        self.owners[pc]
    }

    /// The body that a place belongs to.
    pub fn body_of<'a>(&self, program: &'a Program, pc: Pc) -> &'a Body {
        match self.owners[pc] {
            Owner::Thread(id) => &program.threads[id.index()].body,
            Owner::Proc(id) => &program.procs[id.index()].body,
        }
    }

    /// The labels of the steps that a thread at this place may take next.
    pub fn labels(&self, pc: Pc) -> &[LabelId] {
        &self.labels_of[pc]
    }

    fn find_labels(&mut self) {
        let of = |pc: Pc| {
            let ready = self.ready(pc);
            let here = |at: &Pc| *at == pc || ready.contains(at);
            self.labels.iter().filter(|(at, _)| here(at)).map(|(_, label)| *label).collect()
        };
        self.labels_of = (0..self.nodes.len()).map(of).collect();
    }

    fn add(&mut self, node: Node<'p>) -> Pc {
        self.nodes.push(node);
        self.owners.extend(self.owner);
        self.nodes.len() - 1
    }

    fn whole(&mut self, stmts: &'p [Stmt]) -> Pc {
        let end = self.add(Node::End);
        self.block(stmts, end, Exits { body: end, around: None })
    }

    fn block(&mut self, stmts: &'p [Stmt], next: Pc, exits: Exits<'_>) -> Pc {
        stmts.iter().rev().fold(next, |next, stmt| self.stmt(stmt, next, exits))
    }

    fn stmt(&mut self, stmt: &'p Stmt, next: Pc, exits: Exits<'_>) -> Pc {
        let entry = self.unlabelled(stmt, next, exits);
        self.labels.extend(stmt.label.map(|label| (entry, label)));
        entry
    }

    fn unlabelled(&mut self, stmt: &'p Stmt, next: Pc, exits: Exits<'_>) -> Pc {
        match &stmt.kind {
            StmtKind::Skip
            | StmtKind::Assign(_)
            | StmtKind::Havoc(_)
            | StmtKind::Assert(_)
            | StmtKind::Check(..)
            | StmtKind::Assume(_)
            | StmtKind::Acquire(_)
            | StmtKind::Release(_)
            | StmtKind::CasSwap { .. }
            | StmtKind::Cas { .. }
            | StmtKind::Action(_)
            | StmtKind::Unsupported(_) => self.add(Node::Op(stmt, next)),
            StmtKind::Atomic(stmts) => {
                let leave = self.add(Node::Leave);
                let entry = self.block(stmts, leave, Exits { body: leave, around: None });
                self.add(Node::Atomic(stmt.span, entry, next))
            }
            StmtKind::If { cond, then, otherwise } => {
                let then = self.block(then, next, exits);
                let otherwise = self.block(otherwise, next, exits);
                let (cond, span, invariants) = (cond.as_ref(), stmt.span, &[][..]);
                let branch = Branch { span, cond, then, otherwise, invariants, end: 0 };
                self.add(Node::Branch(branch))
            }
            StmtKind::While { cond, invariants, body, .. } => {
                let head = self.add(Node::Reserved);
                let (label, outer) = (stmt.label, exits.around);
                let inner = Around { label, after: next, head: Some(head), outer };
                let then = self.block(body, head, Exits { around: Some(&inner), ..exits });
                let end = self.nodes.len();
                let (cond, span) = (cond.as_ref(), stmt.span);
                self.nodes[head] =
                    Node::Branch(Branch { span, cond, then, otherwise: next, invariants, end });
                head
            }
            StmtKind::Choose(branches) => {
                let all = branches.iter().map(|branch| self.block(branch, next, exits)).collect();
                self.add(Node::Choose(all))
            }
            StmtKind::Block(stmts) => {
                let (label, outer) = (stmt.label, exits.around);
                let inner = Around { label, after: next, head: None, outer };
                self.block(stmts, next, Exits { around: Some(&inner), ..exits })
            }
            StmtKind::Call { .. } => self.add(Node::Call(stmt, next)),
            StmtKind::Return(values) if values.is_empty() => exits.body,
            StmtKind::Return(_) => self.add(Node::Return(stmt, exits.body)),
            StmtKind::Break(label) => {
                exits.target(*label).map_or(exits.body, |around| around.after)
            }
            StmtKind::Continue(label) => {
                exits.target(*label).and_then(|around| around.head).unwrap_or(exits.body)
            }
        }
    }
}
