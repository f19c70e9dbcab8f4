//! Expressions of a typed program as text, with full names of shared variables.

use plato::hir::{BinaryOp, Expr, ExprKind, Program, Root, Ty};

/// How an expression is written.
pub(crate) struct Words<'a> {
    pub(crate) program: &'a Program,
    /// What a variable is called where the text will stand; `None` if it cannot be named there.
    pub(crate) name: &'a dyn Fn(Root) -> Option<String>,
}

/// How tightly operators bind, loosest first.
mod level {
    pub(super) const ANY: u8 = 0;
    pub(super) const CONDITIONAL: u8 = 1;
    pub(super) const IFF: u8 = 2;
    pub(super) const IMPLIES: u8 = 3;
    pub(super) const OR: u8 = 4;
    pub(super) const AND: u8 = 5;
    pub(super) const COMPARISON: u8 = 6;
    pub(super) const SUM: u8 = 7;
    pub(super) const PRODUCT: u8 = 8;
    pub(super) const UNARY: u8 = 9;
    pub(super) const ATOM: u8 = 10;
}

impl Words<'_> {
    /// The text of an expression, unless something in it has no name there.
    pub(crate) fn text(&self, expr: &Expr) -> Option<String> {
        self.at_least(expr, level::ANY)
    }

    /// The text of an operand that must bind at least this tightly.
    fn at_least(&self, expr: &Expr, least: u8) -> Option<String> {
        let (text, level) = self.bare(expr)?;
        Some(if level < least { format!("({text})") } else { text })
    }

    fn bare(&self, expr: &Expr) -> Option<(String, u8)> {
        let atom = |text: String| Some((text, level::ATOM));
        match &expr.kind {
            ExprKind::Int(value) if *value < 0 => Some((value.to_string(), level::UNARY)),
            ExprKind::Int(value) => atom(value.to_string()),
            ExprKind::Bool(value) => atom(value.to_string()),
            ExprKind::Var { root, primed: false } => atom((self.name)(*root)?),
            ExprKind::Const(id) => atom(self.program.consts[id.index()].name.to_string()),
            ExprKind::Tid => atom("tid".to_owned()),
            ExprKind::Nobody => atom("0".to_owned()),
            ExprKind::Thread(id) => atom(self.program.threads[id.index()].name.to_string()),
            ExprKind::Variant(id, at) => {
                let info = &self.program.enums[id.index()];
                atom(format!("{}.{}", info.name, info.variants[*at as usize]))
            }
            ExprKind::Not(inner) => {
                Some((format!("!{}", self.at_least(inner, level::UNARY)?), level::UNARY))
            }
            ExprKind::Neg(inner) => {
                Some((format!("-{}", self.at_least(inner, level::ATOM)?), level::UNARY))
            }
            ExprKind::And(all) => Some((self.joined(all, " && ", level::AND + 1)?, level::AND)),
            ExprKind::Or(all) => Some((self.joined(all, " || ", level::OR + 1)?, level::OR)),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(cond, then, otherwise) => {
                let cond = self.at_least(cond, level::CONDITIONAL + 1)?;
                let (then, otherwise) = (self.text(then)?, self.text(otherwise)?);
                Some((format!("{cond} ? {then} : {otherwise}"), level::CONDITIONAL))
            }
            ExprKind::Index(map, key) => {
                atom(format!("{}[{}]", self.at_least(map, level::ATOM)?, self.text(key)?))
            }
            ExprKind::Update(map, key, value) => {
                let map = self.at_least(map, level::ATOM)?;
                atom(format!("{map}[{} := {}]", self.text(key)?, self.text(value)?))
            }
            ExprKind::ConstMap(value) => atom(format!("[_ => {}]", self.text(value)?)),
            ExprKind::Set(all) => atom(format!("{{{}}}", self.joined(all, ", ", level::ANY)?)),
            ExprKind::Size(set) => {
                Some((format!("#{}", self.at_least(set, level::ATOM)?), level::UNARY))
            }
            ExprKind::In(element, set) => {
                let element = self.at_least(element, level::SUM)?;
                let set = self.at_least(set, level::SUM)?;
                Some((format!("{element} in {set}"), level::COMPARISON))
            }
            ExprKind::Pred { pred, args, primed: false } => {
                let args = self.joined(args, ", ", level::ANY)?;
                atom(format!("{}({args})", self.program.preds[pred.index()].name))
            }
            ExprKind::Var { primed: true, .. }
            | ExprKind::Bound(_)
            | ExprKind::Quantified(..)
            | ExprKind::Pred { primed: true, .. }
            | ExprKind::At(..) => None,
        }
    }

    fn joined(&self, all: &[Expr], between: &str, least: u8) -> Option<String> {
        let all: Option<Vec<String>> = all.iter().map(|one| self.at_least(one, least)).collect();
        Some(all?.join(between))
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<(String, u8)> {
        let (sign, level) = match op {
            BinaryOp::Add | BinaryOp::Union => ("+", level::SUM),
            BinaryOp::Sub | BinaryOp::Difference => ("-", level::SUM),
            BinaryOp::Mul | BinaryOp::Intersection => ("*", level::PRODUCT),
            BinaryOp::Div => ("/", level::PRODUCT),
            BinaryOp::Mod => ("%", level::PRODUCT),
            BinaryOp::Eq => ("==", level::COMPARISON),
            BinaryOp::Ne => ("!=", level::COMPARISON),
            BinaryOp::Lt => ("<", level::COMPARISON),
            BinaryOp::Le | BinaryOp::Subset => ("<=", level::COMPARISON),
            BinaryOp::Gt => (">", level::COMPARISON),
            BinaryOp::Ge => (">=", level::COMPARISON),
            BinaryOp::Implies => ("==>", level::IMPLIES),
            BinaryOp::Iff => ("<==>", level::IFF),
        };
        // Sums and products associate to the left; other operators take operands that bind more
        // tightly, so that nobody has to know how they associate.
        let is_chain = level >= level::SUM;
        let left = self.at_least(left, if is_chain { level } else { level + 1 })?;
        let right = self.at_least(right, level + 1)?;
        Some((format!("{left} {sign} {right}"), level))
    }
}

/// The text of a type.
pub(crate) fn type_text(program: &Program, ty: &Ty) -> String {
    match ty {
        Ty::Bool => "bool".to_owned(),
        Ty::Int => "int".to_owned(),
        Ty::Range(low, high) => format!("{low}..{high}"),
        Ty::Enum(id) => program.enums[id.index()].name.to_string(),
        Ty::Tid => "Tid".to_owned(),
        Ty::Opaque(id) => program.opaques[id.index()].name.to_string(),
        Ty::Set(element) => format!("set<{}>", type_text(program, element)),
        Ty::Map(key, value) => {
            format!("[{}]{}", type_text(program, key), type_text(program, value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Words;
    use plato::hir::{Program, Root};

    /// The text of what the only invariant says, which must come back as it was.
    fn check(formula: &str) {
        let text = format!(
            "enum Mode {{ Idle, Busy }} const N: int; var a, b, c: int; var p, q: bool; \
             var mode: Mode; var m: [int]int; var s: set<Tid>; mutex l; invariant {formula}; thread T {{ skip; }}"
        );
        let file = source::FileId(0);
        let resolved = plato::resolve(&plato::parse(file, &text).0, &[]);
        assert!(resolved.diagnostics.is_empty(), "{:?}", resolved.diagnostics);
        let program: Program = resolved.program;
        let name = |root: Root| match root {
            Root::Global(id) => Some(program.globals[id.index()].name.to_string()),
            Root::Local(_) => None,
        };
        let words = Words { program: &program, name: &name };
        assert_eq!(words.text(&program.invariants[0].expr).as_deref(), Some(formula));
    }

    #[test]
    fn operators_have_the_parentheses_that_they_need() {
        check("a - (b - c) == a - b + c");
        check("a * (b + 1) % 2 == -a");
        check("(p ==> q) ==> !(p && q) || !p");
        check("(p ? q : p) == (a < b)");
        check("(p || q) && (q || p)");
    }

    #[test]
    fn names_and_collections() {
        check("mode == Mode.Busy ==> m[a + 1] == N");
        check("T in s && l == T");
        check("l == 0 && #s >= 0");
        check("m[a := 3] == m");
    }
}
