//! Constants, and values that are known before the run.

use super::collect::Declarations;
use super::order::order;
use super::scope::Context;
use super::symbols::Symbol;
use super::{Resolver, fault};
use crate::ast::{self, Ident, Path};
use crate::hir::{BinaryOp, ConstId, Expr, ExprKind, ModuleId, Ty, Value};
use diagnostic::{Code, Diagnostic};
use parsing::LARGEST_LITERAL;
use source::Span;

impl Resolver {
    /// Abbreviations of types and constants, which may need each other, in an order in which they
    /// can be known.
    pub(super) fn types_and_constants(
        &mut self,
        declarations: &Declarations<'_>,
        definitions: &[(String, String)],
    ) {
        let needs = self.needs(declarations);
        let (sorted, cycles) = order(&needs);
        let consts = declarations.consts.len();
        let mut broken = vec![false; needs.len()];
        for cycle in cycles {
            let name = |node: usize| match node.checked_sub(consts) {
                None => &declarations.consts[node].1.name,
                Some(alias) => declarations.aliases[alias].1,
            };
            let names: Vec<&Ident> = cycle.iter().map(|&node| name(node)).collect();
            self.report(recursive(&names));
            for node in cycle {
                broken[node] = true;
            }
        }
        for node in sorted {
            if broken[node] {
                continue;
            }
            if let Some(alias) = node.checked_sub(consts) {
                let (module, _, ty) = declarations.aliases[alias];
                let context = Context { module, ..Context::default() };
                self.aliases[alias] = self.within(context, |r| r.ty(ty));
            } else {
                let (module, item) = declarations.consts[node];
                let context =
                    Context { module, constant: true, place: "a constant", ..Context::default() };
                self.within(context, |r| r.constant(ConstId::from_index(node), item, definitions));
            }
        }
    }

    /// For each constant and then each abbreviation, the positions of those it mentions.
    fn needs(&mut self, declarations: &Declarations<'_>) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        for &(module, item) in &declarations.consts {
            let mut paths = item.ty.paths();
            paths.extend(item.value.iter().flat_map(ast::Expr::paths));
            all.push(self.positions(module, &paths, declarations.consts.len()));
        }
        for &(module, _, ty) in &declarations.aliases {
            all.push(self.positions(module, &ty.paths(), declarations.consts.len()));
        }
        all
    }

    fn positions(
        &mut self,
        module: Option<ModuleId>,
        paths: &[&Path],
        consts: usize,
    ) -> Vec<usize> {
        let found = self.within(Context { module, ..Context::default() }, |r| {
            paths.iter().filter_map(|path| r.find(path)).collect::<Vec<_>>()
        });
        let position = |symbol| match symbol {
            Symbol::Const(id) => Some(id.index()),
            Symbol::Alias(at) => Some(consts + at),
            _ => None,
        };
        found.into_iter().filter_map(position).collect()
    }

    fn constant(&mut self, id: ConstId, item: &ast::ConstItem, definitions: &[(String, String)]) {
        let Some(ty) = self.ty(&item.ty) else { return };
        let value = item.value.as_ref().map(|value| (value.span, self.check(value, &ty)));
        let name = self.program.consts[id.index()].name.clone();
        let definition = definitions.iter().rev().find(|(defined, _)| defined == name.as_str());
        let known = if let Some((defined, text)) = definition {
            self.used_definitions.push(defined.clone());
            match self.defined_value(&ty, text) {
                Ok(value) => Some(value),
                Err(wanted) => {
                    let message = format!("`{text}` is no value for the constant `{name}`");
                    let error = fault(Code::TypeMismatch, item.name.span, message)
                        .at(format!("declared with type `{}`", self.show(&ty)))
                        .help(wanted);
                    self.report(error);
                    return;
                }
            }
        } else {
            match value {
                None => None,
                Some((_, None)) => return,
                Some((span, Some(expr))) => match self.constant_value(&expr) {
                    Some(value) if self.is_in(&value, &ty, span, "constant") => Some(value),
                    _ => return,
                },
            }
        };
        let entry = &mut self.program.consts[id.index()];
        entry.ty = ty.clone();
        entry.value = known;
        self.const_types[id.index()] = Some(ty);
    }

    /// Whether an initial value lies in its variable's type; verification checks values that are
    /// not known before the run.
    pub(super) fn fits(&mut self, value: &Expr, ty: &Ty) -> bool {
        match (&value.kind, ty) {
            (ExprKind::ConstMap(inner), Ty::Map(_, ty)) => self.fits(inner, ty),
            _ => match self.evaluate(value) {
                Ok(known) => self.is_in(&known, ty, value.span, "variable"),
                Err(_) => true,
            },
        }
    }

    fn is_in(&mut self, value: &Value, ty: &Ty, span: Span, what: &str) -> bool {
        let (Value::Int(number), Ty::Range(low, high)) = (value, ty) else { return true };
        let inside = low <= number && number <= high;
        if !inside {
            let message = format!("{number} is not in {low}..{high}");
            let error = fault(Code::TypeMismatch, span, message)
                .at(format!("outside the type of the {what}"));
            self.report(error);
        }
        inside
    }

    /// The value that a definition from outside gives, or a help text.
    fn defined_value(&self, ty: &Ty, text: &str) -> Result<Value, String> {
        let text = text.trim();
        let number = || {
            let digits = text.replace('_', "");
            digits.parse().ok().filter(|number: &i128| number.abs() <= LARGEST_LITERAL)
        };
        match ty {
            Ty::Bool => match text {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                _ => Err("give `true` or `false`".into()),
            },
            Ty::Int => number().map(Value::Int).ok_or("give a number".into()),
            Ty::Range(low, high) => number()
                .filter(|number| low <= number && number <= high)
                .map(Value::Int)
                .ok_or(format!("give a number from {low} to {high}")),
            Ty::Enum(id) => {
                let declared = &self.program.enums[id.index()];
                let short = text.rsplit('.').next().unwrap_or(text);
                let at = declared.variants.iter().position(|variant| variant.as_str() == short);
                let variant = at.filter(|_| {
                    short == text
                        || text.strip_suffix(short) == Some(&format!("{}.", declared.name))
                });
                variant
                    .map(|at| Value::Variant(*id, source::number(at)))
                    .ok_or(format!("give a variant of `{}`", declared.name))
            }
            Ty::Tid | Ty::Opaque(_) | Ty::Set(_) | Ty::Map(..) => {
                Err("only numbers, truth values and variants can be given".into())
            }
        }
    }

    /// The value of a bound or a size.
    pub(super) fn constant_number(&mut self, expr: &ast::Expr) -> Option<i128> {
        let module = self.context.module;
        let context = Context { module, constant: true, place: "a constant", ..Context::default() };
        let expr = self.within(context, |r| r.check(expr, &Ty::Int))?;
        match self.constant_value(&expr)? {
            Value::Int(number) => Some(number),
            Value::Bool(_) | Value::Variant(..) => None,
        }
    }

    pub(super) fn constant_value(&mut self, expr: &Expr) -> Option<Value> {
        match self.evaluate(expr) {
            Ok(value) => Some(value),
            Err(why) => {
                self.not_constant(why.span, &why.text);
                None
            }
        }
    }

    pub(super) fn not_constant(&mut self, span: Span, what: &str) {
        let error = fault(Code::NotAConstant, span, "not known before the run")
            .at(what)
            .help("use numbers and constants with a value; `-D NAME=VALUE` gives one");
        self.report(error);
    }

    fn evaluate(&self, expr: &Expr) -> Result<Value, NotConstant> {
        let not = |text: &str| Err(NotConstant { span: expr.span, text: text.into() });
        Ok(match &expr.kind {
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Variant(id, at) => Value::Variant(*id, *at),
            ExprKind::Const(id) => match &self.program.consts[id.index()].value {
                Some(value) => value.clone(),
                None => return not("a constant without a value"),
            },
            ExprKind::Not(inner) => Value::Bool(!self.truth(inner)?),
            ExprKind::Neg(inner) => Value::Int(-self.number(inner)?),
            ExprKind::And(all) => {
                let all = all.iter().map(|one| self.truth(one)).collect::<Result<Vec<_>, _>>()?;
                Value::Bool(all.into_iter().all(|one| one))
            }
            ExprKind::Or(all) => {
                let all = all.iter().map(|one| self.truth(one)).collect::<Result<Vec<_>, _>>()?;
                Value::Bool(all.into_iter().any(|one| one))
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                return binary(*op, &left, &right)
                    .map_err(|text| NotConstant { span: expr.span, text: text.into() });
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                return self.evaluate(if self.truth(cond)? { then } else { otherwise });
            }
            ExprKind::Var { .. } => return not("a variable"),
            ExprKind::Tid | ExprKind::Nobody | ExprKind::Thread(_) => return not("a thread"),
            ExprKind::Set(_) | ExprKind::In(..) | ExprKind::Size(_) => return not("a set"),
            ExprKind::Index(..) | ExprKind::Update(..) | ExprKind::ConstMap(_) => {
                return not("a map");
            }
            ExprKind::Quantified(..) | ExprKind::Bound(_) => return not("a quantifier"),
            ExprKind::Pred { .. } | ExprKind::At(..) => return not("a predicate"),
        })
    }

    fn number(&self, expr: &Expr) -> Result<i128, NotConstant> {
        match self.evaluate(expr)? {
            Value::Int(value) => Ok(value),
            Value::Bool(_) | Value::Variant(..) => unreachable_type(expr),
        }
    }

    fn truth(&self, expr: &Expr) -> Result<bool, NotConstant> {
        match self.evaluate(expr)? {
            Value::Bool(value) => Ok(value),
            Value::Int(_) | Value::Variant(..) => unreachable_type(expr),
        }
    }
}

/// The reason why an expression has no value before the run.
struct NotConstant {
    span: Span,
    text: String,
}

/// Types were checked before, so this does not happen; a message costs less than a panic.
fn unreachable_type<T>(expr: &Expr) -> Result<T, NotConstant> {
    Err(NotConstant { span: expr.span, text: "of another type".into() })
}

fn binary(op: BinaryOp, left: &Value, right: &Value) -> Result<Value, &'static str> {
    match (op, left, right) {
        (BinaryOp::Eq, ..) => return Ok(Value::Bool(left == right)),
        (BinaryOp::Ne, ..) => return Ok(Value::Bool(left != right)),
        (BinaryOp::Implies, Value::Bool(a), Value::Bool(b)) => return Ok(Value::Bool(!a || *b)),
        (BinaryOp::Iff, Value::Bool(a), Value::Bool(b)) => return Ok(Value::Bool(a == b)),
        _ => {}
    }
    let (Value::Int(a), Value::Int(b)) = (left, right) else {
        return Err("no operator of constants");
    };
    if matches!(op, BinaryOp::Div | BinaryOp::Mod) && *b == 0 {
        return Err("a division by zero");
    }
    let number = match op {
        BinaryOp::Add => a.checked_add(*b),
        BinaryOp::Sub => a.checked_sub(*b),
        BinaryOp::Mul => a.checked_mul(*b),
        BinaryOp::Div => a.checked_div_euclid(*b),
        BinaryOp::Mod => a.checked_rem_euclid(*b),
        BinaryOp::Lt => return Ok(Value::Bool(a < b)),
        BinaryOp::Le => return Ok(Value::Bool(a <= b)),
        BinaryOp::Gt => return Ok(Value::Bool(a > b)),
        BinaryOp::Ge => return Ok(Value::Bool(a >= b)),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Implies | BinaryOp::Iff => None,
        BinaryOp::Union | BinaryOp::Difference | BinaryOp::Intersection | BinaryOp::Subset => None,
    };
    let small = number.filter(|number| number.abs() <= LARGEST_LITERAL);
    small.map(Value::Int).ok_or("a number beyond 2^100")
}

/// The error about definitions that need each other in a circle.
pub(super) fn recursive(names: &[&Ident]) -> Diagnostic {
    let first = names[0];
    let message = format!("the definition of `{}` needs itself", first.name);
    let mut error = fault(Code::RecursiveDefinition, first.span, message).at("needs itself");
    for name in &names[1..] {
        error = error.label(name.span, format!("by way of `{}`", name.name));
    }
    error.help("a definition may use only what is known without it")
}
