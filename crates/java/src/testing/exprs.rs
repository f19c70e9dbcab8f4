//! Typed expressions as text.

use super::Printer;
use crate::tree::{BinaryOp, Prim, UnaryOp};
use crate::typed::{Callee, Expr, ExprKind, Place, Quantified, Ty};

impl Printer<'_> {
    pub(super) fn exprs(self, exprs: &[Expr]) -> String {
        let all: Vec<String> = exprs.iter().map(|expr| self.expr(expr)).collect();
        all.join(", ")
    }

    pub(super) fn expr(self, expr: &Expr) -> String {
        let ty = || self.program.type_name(&expr.ty);
        match &expr.kind {
            ExprKind::Int(value) if expr.ty == Ty::Prim(Prim::Int) => value.to_string(),
            ExprKind::Int(value) => format!("{value}:{}", ty()),
            ExprKind::Float => format!("?:{}", ty()),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Text(text) => text.to_string(),
            ExprKind::Null => "null".to_owned(),
            ExprKind::Local(local) => format!("${}", local.0),
            ExprKind::This => "this".to_owned(),
            ExprKind::Field(object, field) => self.field_of(object, *field),
            ExprKind::Static(field) => self.static_field(*field),
            ExprKind::Index(array, index) => format!("{}[{}]", self.expr(array), self.expr(index)),
            ExprKind::Length(array) => format!("{}.length", self.expr(array)),
            ExprKind::NewArray(sizes) => format!("new {}({})", ty(), self.exprs(sizes)),
            ExprKind::ArrayOf(values) => format!("{}{{{}}}", ty(), self.exprs(values)),
            ExprKind::Unary(op, operand) => format!("{}{}", unary(*op), self.expr(operand)),
            ExprKind::Binary(op, left, right) => {
                format!("({} {} {})", self.expr(left), binary(*op), self.expr(right))
            }
            ExprKind::Concat(parts) => format!("concat({})", self.exprs(parts)),
            ExprKind::Conditional(cond, one, other) => {
                format!("({} ? {} : {})", self.expr(cond), self.expr(one), self.expr(other))
            }
            ExprKind::InstanceOf(value, of, local) => {
                let local = local.map_or(String::new(), |local| format!(" ${}", local.0));
                format!("({} is {}{local})", self.expr(value), self.program.type_name(of))
            }
            ExprKind::Cast(value) => format!("cast<{}>({})", ty(), self.expr(value)),
            ExprKind::Convert(value) => format!("convert<{}>({})", ty(), self.expr(value)),
            ExprKind::Box(value) => format!("box({})", self.expr(value)),
            ExprKind::Unbox(value) => format!("unbox<{}>({})", ty(), self.expr(value)),
            ExprKind::ClassObject(of) => format!("{}.class", self.program.type_name(of)),
            ExprKind::Unsupported(what) => format!("<{what}>"),
            _ => self.larger(expr),
        }
    }

    /// `object.f`, with its class if that is not the one of the object.
    fn field_of(self, object: &Expr, field: crate::typed::FieldId) -> String {
        let field = self.program.field(field);
        let is_own = object.ty == Ty::Class(field.class);
        let class = if is_own {
            String::new()
        } else {
            format!("{}::", self.program.class(field.class).name)
        };
        format!("{}.{class}{}", self.expr(object), field.name)
    }

    fn static_field(self, field: crate::typed::FieldId) -> String {
        let field = self.program.field(field);
        format!("{}.{}", self.program.class(field.class).name, field.name)
    }

    /// Expressions with effects or structure, and those of annotations.
    fn larger(self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Call(callee) => self.call(callee),
            ExprKind::New { class, constructor, args, captured } => {
                let name = constructor.map_or_else(
                    || format!("{}(?)", self.program.class(*class).name),
                    |id| self.program.method_name(id),
                );
                let captured: Vec<String> = captured
                    .iter()
                    .map(|(field, value)| {
                        format!("{}: {}", self.program.field(*field).name, self.expr(value))
                    })
                    .collect();
                let made = format!(
                    "new {} <{name}>({})",
                    self.program.class(*class).name,
                    self.exprs(args)
                );
                if captured.is_empty() {
                    made
                } else {
                    format!("({made} with {})", captured.join(", "))
                }
            }
            ExprKind::Assign(place, value) => {
                format!("({} = {})", self.place(place), self.expr(value))
            }
            ExprKind::AssignOp(place, op, at, value) => {
                let at = self.program.type_name(at);
                format!("({} {}=<{at}> {})", self.place(place), binary(*op), self.expr(value))
            }
            ExprKind::Step { place, by, gives_old } => {
                let old = if *gives_old { "old " } else { "" };
                format!("({old}{} += {by})", self.place(place))
            }
            ExprKind::Switch(switch) => {
                let mut text = format!("switch<{}> {{\n", self.program.type_name(&switch.ty));
                self.switch(switch, 4, &mut text);
                text + "    }"
            }
            ExprKind::CloneOf(inner) => format!("{}.clone()", self.expr(inner)),
            ExprKind::Size(inner) => format!("\\size({})", self.expr(inner)),
            ExprKind::Old(inner) => format!("\\old({})", self.expr(inner)),
            ExprKind::Result => "\\result".to_owned(),
            ExprKind::Tid => "\\tid".to_owned(),
            ExprKind::MainThread => "\\main".to_owned(),
            ExprKind::Holder(object) => format!("{}.\\holder", self.expr(object)),
            ExprKind::Started(object) => format!("{}.\\started", self.expr(object)),
            ExprKind::Bound(bound) => format!("#{}", bound.0),
            ExprKind::Quantified(quantified) => self.quantified(quantified),
            ExprKind::SetOf(all) => format!("{{{}}}", self.exprs(all)),
            ExprKind::MapAt(map, key) => format!("{}[[{}]]", self.expr(map), self.expr(key)),
            ExprKind::MapWith(map, key, value) => {
                format!("{}[{} := {}]", self.expr(map), self.expr(key), self.expr(value))
            }
            _ => "?".to_owned(),
        }
    }

    /// `object.<C.m(T)>(args)`; `!` if the text decides what runs.
    fn call(self, callee: &Callee) -> String {
        let receiver = callee.receiver.as_ref();
        let receiver = receiver.map_or(String::new(), |object| format!("{}.", self.expr(object)));
        let name = callee
            .method
            .map_or_else(|| format!("? {}", callee.name), |id| self.program.method_name(id));
        let fixed = if callee.is_virtual { "" } else { "!" };
        format!("{receiver}{fixed}<{name}>({})", self.exprs(&callee.args))
    }

    fn quantified(self, quantified: &Quantified) -> String {
        let word = if quantified.is_forall { "forall" } else { "exists" };
        let vars: Vec<String> = quantified
            .vars
            .iter()
            .map(|(id, name, ty)| format!("{} {name}#{}", self.program.type_name(ty), id.0))
            .collect();
        let range = quantified.range.as_ref();
        let range = range.map_or(String::new(), |range| format!("{}; ", self.expr(range)));
        format!("({word} {}; {range}{})", vars.join(", "), self.expr(&quantified.body))
    }

    pub(super) fn place(self, place: &Place) -> String {
        match place {
            Place::Local(local, _) => format!("${}", local.0),
            Place::Field(object, field, _) => self.field_of(object, *field),
            Place::Static(field, _) => self.static_field(*field),
            Place::Index(array, index, _) => format!("{}[{}]", self.expr(array), self.expr(index)),
            Place::MapAt(inner, key, _) => format!("{}[[{}]]", self.place(inner), self.expr(key)),
        }
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::Not => "!",
        UnaryOp::Complement => "~",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "||",
        BinaryOp::And => "&&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::BitAnd => "&",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::ShiftRightUnsigned => ">>>",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Implies => "==>",
        BinaryOp::Iff => "<==>",
        BinaryOp::In => "\\in",
        BinaryOp::Union => "\\union",
        BinaryOp::Minus => "\\minus",
    }
}
