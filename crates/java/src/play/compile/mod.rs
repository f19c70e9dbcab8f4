//! Typed methods to instructions.

mod exprs;
mod stmts;

use super::code::{Code, Handler, Instr, Op};
use crate::typed::{Body, Label, Method, Stmt, Ty};
use source::Span;

/// The code of a method.
pub(super) fn method(method: &Method) -> Code<'_> {
    let Some(body) = &method.body else { return Code::default() };
    let mut compiler = Compiler::new(body);
    if method.is_synchronized {
        if method.is_static {
            compiler.emit(Op::ClassObject(Ty::Class(method.class)), method.span);
        } else {
            compiler.emit(Op::This, method.span);
        }
        compiler.monitor(&body.stmts, method.span);
    } else {
        compiler.stmts(&body.stmts);
    }
    compiler.finish(method.span)
}

/// The code of a class initializer.
pub(super) fn initializer(body: &Body, span: Span) -> Code<'_> {
    let mut compiler = Compiler::new(body);
    compiler.stmts(&body.stmts);
    compiler.finish(span)
}

/// Something that jumps leave.
enum Scope<'p> {
    /// A statement that `break` and `continue` leave, with the jumps whose targets are not known
    /// yet.
    Labelled { label: Label, breaks: Vec<usize>, continues: Vec<usize> },
    /// A switch expression, with the variable of its value.
    Value { result: usize, jumps: Vec<usize> },
    /// A `try` that catches.
    Handled,
    /// A `try` with code that runs on every way out.
    Finally(&'p [Stmt]),
    /// A monitor that is held, in a variable.
    Monitor(usize, Span),
}

struct Compiler<'p> {
    instrs: Vec<Instr<'p>>,
    locals: usize,
    scopes: Vec<Scope<'p>>,
    /// How many values are on the stack.
    height: usize,
}

impl<'p> Compiler<'p> {
    fn new(body: &'p Body) -> Self {
        let locals = body.locals.len();
        Self { instrs: Vec::new(), locals, scopes: Vec::new(), height: 0 }
    }

    fn finish(mut self, span: Span) -> Code<'p> {
        self.emit(Op::Return(false), span);
        Code { instrs: self.instrs, locals: self.locals }
    }

    fn emit(&mut self, op: Op<'p>, span: Span) -> usize {
        self.instrs.push(Instr { op, span });
        self.instrs.len() - 1
    }

    fn here(&self) -> usize {
        self.instrs.len()
    }

    fn temp(&mut self) -> usize {
        self.locals += 1;
        self.locals - 1
    }

    /// A jump whose target is set later.
    fn jump(&mut self, span: Span) -> usize {
        self.emit(Op::Jump(0), span)
    }

    fn jump_if(&mut self, wanted: bool, span: Span) -> usize {
        self.emit(Op::JumpIf(wanted, 0), span)
    }

    /// Lets a jump end here.
    fn land(&mut self, at: usize) {
        let here = self.here();
        match &mut self.instrs[at].op {
            Op::Jump(target) | Op::JumpIf(_, target) => *target = here,
            Op::Handle(handler) => handler.target = here,
            _ => {}
        }
    }

    /// Runs what must run on the way out of all scopes from a number on.
    fn leave(&mut self, outside: usize, span: Span) {
        let mut inner: Vec<Scope<'p>> = self.scopes.drain(outside..).collect();
        // Each cleanup runs outside of its own scope.
        let mut left = Vec::new();
        while let Some(scope) = inner.pop() {
            match &scope {
                Scope::Labelled { .. } | Scope::Value { .. } => {}
                Scope::Handled => {
                    self.emit(Op::Unhandle, span);
                }
                Scope::Finally(stmts) => {
                    self.emit(Op::Unhandle, span);
                    let stmts: &'p [Stmt] = stmts;
                    let count = inner.len();
                    self.scopes.append(&mut inner);
                    self.stmts(stmts);
                    inner = self.scopes.split_off(self.scopes.len() - count);
                }
                Scope::Monitor(lock, at) => {
                    let (lock, at) = (*lock, *at);
                    self.emit(Op::Unhandle, at);
                    self.emit(Op::Load(lock), at);
                    self.emit(Op::Exit, at);
                }
            }
            left.push(scope);
        }
        self.scopes.extend(left.into_iter().rev());
    }

    /// A monitor whose object is on the stack, held for some statements.
    fn monitor(&mut self, stmts: &'p [Stmt], span: Span) {
        let lock = self.temp();
        self.emit(Op::Store(lock), span);
        self.emit(Op::Load(lock), span);
        self.emit(Op::Enter, span);
        let handler = self.handler(None, span);
        self.scopes.push(Scope::Monitor(lock, span));
        self.stmts(stmts);
        self.scopes.pop();
        self.emit(Op::Unhandle, span);
        self.emit(Op::Load(lock), span);
        self.emit(Op::Exit, span);
        let after = self.jump(span);
        self.land(handler);
        self.emit(Op::Load(lock), span);
        self.emit(Op::Exit, span);
        self.emit(Op::Throw(None), span);
        self.land(after);
    }

    fn handler(
        &mut self,
        catches: Option<Vec<(Vec<crate::typed::ClassId>, bool, usize)>>,
        span: Span,
    ) -> usize {
        let height = self.height;
        self.emit(Op::Handle(Handler { catches, target: 0, height }), span)
    }
}
