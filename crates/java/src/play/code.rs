//! Methods as lists of instructions for a stack machine, so that a run can stop between any two.

use super::store::Value;
use crate::tree::{BinaryOp, UnaryOp};
use crate::typed::{
    Callee, ClassId, Expr, FieldId, Formula, LocalId, MethodId, Place, SwitchLabel, Ty,
};
use source::{Name, Span};

/// The code of a method or of a class initializer.
#[derive(Debug, Default)]
pub(super) struct Code<'p> {
    pub(super) instrs: Vec<Instr<'p>>,
    /// Local variables of the text, and those that the code needs besides.
    pub(super) locals: usize,
}

/// One instruction, with the place that it is about.
#[derive(Debug)]
pub(super) struct Instr<'p> {
    pub(super) op: Op<'p>,
    pub(super) span: Span,
}

/// Where an exception goes.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    /// The classes that are caught and where to go on for each; none for code that runs on every
    /// way out.
    pub(super) catches: Option<Vec<(Vec<ClassId>, bool, usize)>>,
    /// Where code goes on that runs on every way out.
    pub(super) target: usize,
    /// How many values are on the stack there.
    pub(super) height: usize,
}

/// What an instruction does. Operands are taken from the stack, the last one first.
#[derive(Debug)]
pub(super) enum Op<'p> {
    Push(Value),
    Text(&'p Name),
    ClassObject(Ty),
    Load(usize),
    Store(usize),
    This,
    Pop,
    Dup,
    /// Copies the two values on top.
    Dup2,
    /// Reads a field; the place is that of the object, unless it is never null.
    Field(FieldId, Option<Span>),
    /// Writes a field and gives the value.
    PutField(FieldId, Option<Span>),
    Static(FieldId),
    PutStatic(FieldId),
    /// Reads an element; the places are those of the array and of the index.
    Index(Span, Span),
    PutIndex(Span, Span),
    Length(Span),
    Call(&'p Callee),
    /// Makes an object; captured values and arguments are on the stack.
    New {
        class: ClassId,
        constructor: Option<MethodId>,
        args: usize,
        captured: Vec<FieldId>,
    },
    /// The constructor that a constructor calls first.
    Construct(MethodId, usize),
    NewArray(usize, &'p Ty, Span),
    ArrayOf(usize, &'p Ty),
    Unary(UnaryOp, &'p Ty),
    Binary(BinaryOp, &'p Ty),
    Concat(usize),
    /// From one primitive type to another.
    Convert(&'p Ty, &'p Ty),
    Box(&'p Ty),
    Unbox(Span),
    Cast(&'p Ty),
    InstanceOf(&'p Ty, Option<LocalId>),
    /// Whether a value fits a label; the constant of the label is on the stack, if it has one.
    Fits(&'p SwitchLabel),
    MustExist(Span),
    Jump(usize),
    JumpIf(bool, usize),
    Handle(Handler),
    Unhandle,
    Throw(Option<Span>),
    Enter,
    Exit,
    /// Ends the method; whether there is a result on the stack.
    Return(bool),
    /// Java's `assert`.
    Check,
    /// An expression of annotations.
    Eval(&'p Expr),
    Assert(&'p Formula),
    Assume(&'p Formula),
    Set(&'p Place, &'p Formula),
    Atomic,
    EndAtomic,
    Unsupported(&'p str),
}
