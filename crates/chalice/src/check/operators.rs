//! Operators and collections.

use super::assertions::chain;
use super::types::{adopt, fits, is_reference, refuse_waitlevel};
use super::{Checker, error_expr};
use crate::hir::{BinaryOp, Expr, ExprKind, Type};
use crate::syntax;
use source::Span;

/// The operands of an operator.
pub(super) type Pair = (Box<Expr>, Box<Expr>);

impl Checker<'_> {
    pub(super) fn operator(&mut self, e: &syntax::Expr) -> Expr {
        let span = e.span;
        match &e.kind {
            syntax::ExprKind::Not(inside) => {
                let inside = self.bool_expr(inside, "the operand of `!`");
                not(inside, span)
            }
            syntax::ExprKind::Neg(inside) => {
                let inside = self.typed(inside, &Type::Int, "the operand of `-`");
                Expr { kind: ExprKind::Neg(Box::new(inside)), ty: Type::Int, span }
            }
            syntax::ExprKind::And(parts) => self.bool_chain(BinaryOp::And, parts, span),
            syntax::ExprKind::Or(parts) => self.bool_chain(BinaryOp::Or, parts, span),
            syntax::ExprKind::Conditional(cond, then, otherwise) => {
                let cond = self.bool_expr(cond, "the condition");
                let (then, otherwise) = self.pair(then, otherwise);
                self.conditional(cond, (then, otherwise), span)
            }
            syntax::ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span),
            _ => error_expr(span),
        }
    }

    fn bool_chain(&mut self, op: BinaryOp, parts: &[syntax::Expr], span: Span) -> Expr {
        let what = if op == BinaryOp::And { "an operand of `&&`" } else { "an operand of `||`" };
        let parts = parts.iter().map(|part| self.bool_expr(part, what)).collect();
        chain(op, parts, span)
    }

    fn conditional(&mut self, cond: Expr, (mut then, mut otherwise): Pair, span: Span) -> Expr {
        adopt(&mut then, &otherwise.ty);
        adopt(&mut otherwise, &then.ty);
        let ty = if fits(&then.ty, &otherwise.ty) {
            then.ty.clone()
        } else if fits(&otherwise.ty, &then.ty) {
            otherwise.ty.clone()
        } else {
            self.different_types(span, "both values of a conditional", &then.ty, &otherwise.ty);
            Type::Unsupported
        };
        refuse_waitlevel(&mut then);
        refuse_waitlevel(&mut otherwise);
        Expr { kind: ExprKind::Ite(Box::new(cond), then, otherwise), ty, span }
    }

    fn different_types(&mut self, span: Span, what: &str, left: &Type, right: &Type) {
        let (left, right) = (self.show(left), self.show(right));
        let message = format!("{what} must have the same type, not `{left}` and `{right}`");
        self.mismatch(span, message);
    }

    fn binary(
        &mut self,
        op: syntax::BinaryOp,
        left: &syntax::Expr,
        right: &syntax::Expr,
        span: Span,
    ) -> Expr {
        match op {
            syntax::BinaryOp::Iff => self.simple(BinaryOp::Iff, (left, right), Type::Bool, span),
            syntax::BinaryOp::Implies => {
                self.simple(BinaryOp::Implies, (left, right), Type::Bool, span)
            }
            syntax::BinaryOp::Eq => self.equality(BinaryOp::Eq, left, right, span),
            syntax::BinaryOp::Ne => self.equality(BinaryOp::Ne, left, right, span),
            syntax::BinaryOp::Lt => self.comparison(BinaryOp::Lt, (left, right), span),
            syntax::BinaryOp::Le => self.comparison(BinaryOp::Le, (left, right), span),
            syntax::BinaryOp::Gt => self.comparison(BinaryOp::Gt, (left, right), span),
            syntax::BinaryOp::Ge => self.comparison(BinaryOp::Ge, (left, right), span),
            syntax::BinaryOp::LockBelow => self.lock_below(left, right, span),
            syntax::BinaryOp::In => self.contains(left, right, span),
            syntax::BinaryOp::NotIn => {
                let inside = self.contains(left, right, span);
                not(inside, span)
            }
            syntax::BinaryOp::Append => self.append(left, right, span),
            syntax::BinaryOp::Add => self.simple(BinaryOp::Add, (left, right), Type::Int, span),
            syntax::BinaryOp::Sub => self.simple(BinaryOp::Sub, (left, right), Type::Int, span),
            syntax::BinaryOp::Mul => self.simple(BinaryOp::Mul, (left, right), Type::Int, span),
            syntax::BinaryOp::Div => self.simple(BinaryOp::Div, (left, right), Type::Int, span),
            syntax::BinaryOp::Mod => self.simple(BinaryOp::Mod, (left, right), Type::Int, span),
        }
    }

    /// Operands and value of one type. Arithmetic on sets is set algebra, which is not supported.
    fn simple(
        &mut self,
        op: BinaryOp,
        (left, right): (&syntax::Expr, &syntax::Expr),
        ty: Type,
        span: Span,
    ) -> Expr {
        let (mut left, mut right) = self.pair(left, right);
        let is_set = left.ty == Type::Unsupported || right.ty == Type::Unsupported;
        if ty == Type::Int && is_set {
            let kind = ExprKind::Unsupported("an operation on sets".into());
            return Expr { kind, ty: Type::Unsupported, span };
        }
        self.want(&mut left, &ty, &format!("the left side of `{}`", text(op)));
        self.want(&mut right, &ty, &format!("the right side of `{}`", text(op)));
        Expr { kind: ExprKind::Binary(op, left, right), ty, span }
    }

    fn comparison(
        &mut self,
        op: BinaryOp,
        operands: (&syntax::Expr, &syntax::Expr),
        span: Span,
    ) -> Expr {
        let compared = self.simple(op, operands, Type::Int, span);
        Expr { ty: Type::Bool, ..compared }
    }

    fn equality(
        &mut self,
        op: BinaryOp,
        left: &syntax::Expr,
        right: &syntax::Expr,
        span: Span,
    ) -> Expr {
        let (mut left, mut right) = self.pair(left, right);
        adopt(&mut left, &right.ty);
        adopt(&mut right, &left.ty);
        if !fits(&left.ty, &right.ty) && !fits(&right.ty, &left.ty) {
            let what = format!("both sides of `{}`", text(op));
            self.different_types(span, &what, &left.ty, &right.ty);
        }
        Expr { kind: ExprKind::Binary(op, left, right), ty: Type::Bool, span }
    }

    fn lock_below(&mut self, left: &syntax::Expr, right: &syntax::Expr, span: Span) -> Expr {
        let (left, right) = self.pair(left, right);
        for operand in [&left, &right] {
            if operand.ty != Type::Mu && !is_reference(&operand.ty) {
                let found = self.show(&operand.ty);
                let message =
                    format!("`<<` compares positions in the locking order, not `{found}`");
                self.mismatch(operand.span, message);
            }
        }
        Expr { kind: ExprKind::Binary(BinaryOp::Below, left, right), ty: Type::Bool, span }
    }

    fn contains(&mut self, left: &syntax::Expr, right: &syntax::Expr, span: Span) -> Expr {
        let (mut left, right) = self.pair(left, right);
        let kind = match &right.ty {
            Type::Seq(element) => {
                self.want(&mut left, element, "an element of the sequence");
                ExprKind::Binary(BinaryOp::In, left, right)
            }
            Type::Unsupported => ExprKind::Unsupported("element of a set".into()),
            other => {
                let found = self.show(other);
                self.mismatch(right.span, format!("`in` needs a sequence, not `{found}`"));
                return error_expr(span);
            }
        };
        Expr { kind, ty: Type::Bool, span }
    }

    fn append(&mut self, left: &syntax::Expr, right: &syntax::Expr, span: Span) -> Expr {
        let (mut left, mut right) = self.pair(left, right);
        adopt(&mut left, &right.ty);
        adopt(&mut right, &left.ty);
        for operand in [&left, &right] {
            self.want_seq(operand, "an operand of `++`");
        }
        let are_seqs = matches!((&left.ty, &right.ty), (Type::Seq(_), Type::Seq(_)));
        if are_seqs && !fits(&left.ty, &right.ty) && !fits(&right.ty, &left.ty) {
            self.different_types(span, "both sides of `++`", &left.ty, &right.ty);
        }
        let ty = if fits(&left.ty, &right.ty) { left.ty.clone() } else { right.ty.clone() };
        Expr { kind: ExprKind::Binary(BinaryOp::Append, left, right), ty, span }
    }

    /// The type of the elements.
    fn want_seq(&mut self, seq: &Expr, what: &str) -> Type {
        match &seq.ty {
            Type::Seq(element) => (**element).clone(),
            Type::Unsupported => Type::Unsupported,
            other => {
                let found = self.show(other);
                self.mismatch(seq.span, format!("{what} must be a sequence, not `{found}`"));
                Type::Unsupported
            }
        }
    }

    pub(super) fn collection(&mut self, e: &syntax::Expr) -> Expr {
        let span = e.span;
        let (kind, ty) = match &e.kind {
            syntax::ExprKind::Index(seq, index) => {
                let seq = self.expr(seq);
                let element = self.want_seq(&seq, "what is indexed");
                let index = self.typed(index, &Type::Int, "the index");
                (ExprKind::SeqAt(Box::new(seq), Box::new(index)), element)
            }
            syntax::ExprKind::Slice(seq, low, high) => {
                return self.slice(seq, low.as_deref(), high.as_deref(), span);
            }
            syntax::ExprKind::Range(low, high) => {
                let low = self.typed(low, &Type::Int, "the start of a range");
                let high = self.typed(high, &Type::Int, "the end of a range");
                let kind = ExprKind::SeqRange(Box::new(low), Box::new(high));
                (kind, Type::Seq(Box::new(Type::Int)))
            }
            syntax::ExprKind::Seq(elements) => {
                let (elements, ty) = self.elements_of(elements, "the elements of a sequence");
                (ExprKind::SeqLiteral(elements), Type::Seq(Box::new(ty)))
            }
            syntax::ExprKind::Nil(ty) => {
                let ty = self.resolve_type(ty);
                (ExprKind::SeqLiteral(Vec::new()), Type::Seq(Box::new(ty)))
            }
            syntax::ExprKind::Set(elements) => {
                self.elements_of(elements, "the elements of a set");
                (ExprKind::Unsupported("a set".into()), Type::Unsupported)
            }
            syntax::ExprKind::EmptySet(ty) => {
                self.resolve_type(ty);
                (ExprKind::Unsupported("a set".into()), Type::Unsupported)
            }
            syntax::ExprKind::Length(inside) => {
                let inside = self.expr(inside);
                self.want_seq(&inside, "what stands between `|`");
                (ExprKind::SeqLength(Box::new(inside)), Type::Int)
            }
            _ => return error_expr(span),
        };
        Expr { kind, ty, span }
    }

    /// `s[i..j]` first takes `j` elements and then drops `i`, so that `j` counts from the start of
    /// `s`.
    fn slice(
        &mut self,
        seq: &syntax::Expr,
        low: Option<&syntax::Expr>,
        high: Option<&syntax::Expr>,
        span: Span,
    ) -> Expr {
        let mut seq = self.expr(seq);
        self.want_seq(&seq, "what is sliced");
        let ty = seq.ty.clone();
        if let Some(high) = high {
            let high = self.typed(high, &Type::Int, "the end of a slice");
            let kind = ExprKind::SeqTake(Box::new(seq), Box::new(high));
            seq = Expr { kind, ty: ty.clone(), span };
        }
        if let Some(low) = low {
            let low = self.typed(low, &Type::Int, "the start of a slice");
            let kind = ExprKind::SeqDrop(Box::new(seq), Box::new(low));
            seq = Expr { kind, ty, span };
        }
        seq
    }

    /// Elements of one type; `int` if there are none.
    fn elements_of(&mut self, elements: &[syntax::Expr], what: &str) -> (Vec<Expr>, Type) {
        let mut all: Vec<Expr> = Vec::new();
        let mut ty: Option<Type> = None;
        for element in elements {
            let mut element = self.expr(element);
            refuse_waitlevel(&mut element);
            match &ty {
                None => ty = Some(element.ty.clone()),
                Some(first) if fits(first, &element.ty) => {}
                Some(first) if fits(&element.ty, first) => ty = Some(element.ty.clone()),
                Some(first) => {
                    let first = first.clone();
                    self.different_types(element.span, what, &first, &element.ty);
                }
            }
            all.push(element);
        }
        (all, ty.unwrap_or(Type::Int))
    }
}

fn not(inside: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Not(Box::new(inside)), ty: Type::Bool, span }
}

fn text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Iff => "<==>",
        BinaryOp::Implies => "==>",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Below => "<<",
        BinaryOp::In => "in",
        BinaryOp::Append => "++",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
    }
}
