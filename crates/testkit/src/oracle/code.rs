//! Bodies as graphs of steps.

use plato::hir::{Expr, Program, Stmt, StmtKind};
use source::Span;

/// A place in the code of a program.
pub(super) type Pc = usize;

/// What stands at a place.
pub(super) enum Node<'p> {
    /// A statement that is one step.
    Op(&'p Stmt, Pc),
    /// The evaluation of a condition, or an arbitrary choice.
    Branch(Branch<'p>),
    /// No step: goes on at one of these.
    Choose(Vec<Pc>),
    /// One step that runs from the first place to the next [`Node::Leave`], and goes on at the second.
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
pub(super) struct Branch<'p> {
    pub(super) span: Span,
    pub(super) cond: Option<&'p Expr>,
    pub(super) then: Pc,
    pub(super) otherwise: Pc,
    /// What holds here, if it is the head of a loop.
    pub(super) invariants: &'p [Expr],
    /// The places of the loop are between this one and the head.
    pub(super) end: Pc,
}

/// All code of a program.
#[derive(Default)]
pub(super) struct Code<'p> {
    pub(super) nodes: Vec<Node<'p>>,
    /// Where each thread begins.
    pub(super) threads: Vec<Pc>,
    /// Where each procedure begins.
    pub(super) procs: Vec<Pc>,
}

/// Where the jumps in a block go.
#[derive(Clone, Copy)]
struct Exits {
    body: Pc,
    /// After the loop, and its head.
    around: Option<(Pc, Pc)>,
}

/// The code of a program.
pub(super) fn compile(program: &Program) -> Code<'_> {
    let mut code = Code::default();
    for thread in &program.threads {
        let entry = code.body(&thread.body.stmts);
        code.threads.push(entry);
    }
    for proc in &program.procs {
        let entry = code.body(&proc.body.stmts);
        code.procs.push(entry);
    }
    code
}

impl<'p> Code<'p> {
    /// The places with a step that a thread at this place may take next.
    pub(super) fn ready(&self, pc: Pc) -> Vec<Pc> {
        match &self.nodes[pc] {
            Node::Choose(all) => all.iter().flat_map(|&pc| self.ready(pc)).collect(),
            _ => vec![pc],
        }
    }

    /// Where the step at a place is written.
    pub(super) fn span(&self, pc: Pc) -> Option<Span> {
        match &self.nodes[pc] {
            Node::Op(stmt, _) | Node::Call(stmt, _) | Node::Return(stmt, _) => Some(stmt.span),
            Node::Branch(branch) => Some(branch.span),
            Node::Atomic(span, ..) => Some(*span),
            Node::Choose(_) | Node::Leave | Node::End | Node::Reserved => None,
        }
    }

    fn add(&mut self, node: Node<'p>) -> Pc {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn body(&mut self, stmts: &'p [Stmt]) -> Pc {
        let end = self.add(Node::End);
        self.block(stmts, end, Exits { body: end, around: None })
    }

    fn block(&mut self, stmts: &'p [Stmt], next: Pc, exits: Exits) -> Pc {
        stmts.iter().rev().fold(next, |next, stmt| self.stmt(stmt, next, exits))
    }

    fn stmt(&mut self, stmt: &'p Stmt, next: Pc, exits: Exits) -> Pc {
        match &stmt.kind {
            StmtKind::Skip
            | StmtKind::Assign(_)
            | StmtKind::Havoc(_)
            | StmtKind::Assert(_)
            | StmtKind::Assume(_)
            | StmtKind::Acquire(_)
            | StmtKind::Release(_)
            | StmtKind::CasSwap { .. }
            | StmtKind::Cas { .. }
            | StmtKind::Action(_) => self.add(Node::Op(stmt, next)),
            StmtKind::Atomic(stmts) => {
                let leave = self.add(Node::Leave);
                let entry = self.block(stmts, leave, Exits { body: leave, around: None });
                self.add(Node::Atomic(stmt.span, entry, next))
            }
            StmtKind::If { cond, then, otherwise } => {
                let then = self.block(then, next, exits);
                let otherwise = self.block(otherwise, next, exits);
                let (cond, span) = (cond.as_ref(), stmt.span);
                self.add(Node::Branch(Branch {
                    span,
                    cond,
                    then,
                    otherwise,
                    invariants: &[],
                    end: 0,
                }))
            }
            StmtKind::While { cond, invariants, body } => {
                let head = self.add(Node::Reserved);
                let inside = Exits { around: Some((next, head)), ..exits };
                let then = self.block(body, head, inside);
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
            StmtKind::Block(stmts) => self.block(stmts, next, exits),
            StmtKind::Call { .. } => self.add(Node::Call(stmt, next)),
            StmtKind::Return(values) if values.is_empty() => exits.body,
            StmtKind::Return(_) => self.add(Node::Return(stmt, exits.body)),
            StmtKind::Break => exits.around.map_or(exits.body, |(after, _)| after),
            StmtKind::Continue => exits.around.map_or(exits.body, |(_, head)| head),
        }
    }
}
