//! Variables of functions, and those that each thread has for itself.

use super::body::{Body, Meaning, bounds, local};
use super::globals::sized;
use super::values::converted;
use super::{Answer, Owner, Variable, refuse};
use crate::build;
use crate::syntax::{Declared, Initial, Stmt, Type};
use plato::ast;
use source::Span;

/// The reason why a variable has no place.
const NOT_OWN: &str = "a variable that each of any number of threads has for itself";

impl Body<'_, '_> {
    /// Binds the variables that each thread has for itself.
    pub(super) fn own_variables(&mut self) {
        let unit = self.lowering.unit;
        for declared in unit.globals.iter().filter(|declared| declared.is_thread_local) {
            let meaning = match self.own_variable(declared, &declared.name) {
                Some(variable) => Meaning::Variable(variable),
                None => Meaning::Other(NOT_OWN.to_owned()),
            };
            self.bind(&declared.name, meaning);
        }
    }

    /// A variable that exists once, or once for each thread; `None` if that is not known.
    fn own_variable(&mut self, declared: &Declared, wanted: &str) -> Option<Variable> {
        let owner = if declared.is_thread_local { self.owner } else { Owner::Anybody };
        if owner == Owner::Some {
            return None;
        }
        let key = (declared.number, owner);
        if let Some(variable) = self.lowering.statics.get(&key) {
            return Some(variable.clone());
        }
        let variable = self.lowering.declare(declared, wanted)?;
        self.lowering.statics.insert(key, variable.clone());
        Some(variable)
    }

    /// Declares a local variable.
    pub(super) fn declare_local(&mut self, declared: &Declared, rest: &[Stmt]) -> Answer<()> {
        let Declared { name, ty, span, .. } = declared;
        if declared.is_static {
            return self.declare_static(declared);
        }
        if lives_outside(ty) || self.is_addressed(name) {
            return self.declare_outside(declared, rest);
        }
        if !matches!(ty, Type::Int(..) | Type::Bool) {
            return self.declare_array(declared);
        }
        let value = match &declared.value {
            Some(Initial::Value(value)) => {
                let value = self.value(value)?;
                Some(converted(value, ty).expr)
            }
            Some(_) => return refuse("an initial value of this form"),
            // A variable that is written before it is read may as well be 0.
            None if !super::assigned::is_read_first(name, rest) => Some(build::int(0, *span)),
            None => None,
        };
        let plato = self.fresh(name);
        self.define(&plato, value, *span);
        self.bind(name, Meaning::Variable(local(plato, ty.clone())));
        Ok(())
    }

    /// A static variable, of which there is one, or one for each thread.
    fn declare_static(&mut self, declared: &Declared) -> Answer<()> {
        let wanted = self.fresh(&declared.name);
        let Some(variable) = self.own_variable(declared, &wanted) else {
            return refuse(match &declared.ty {
                Type::Other(what) => what,
                _ if declared.is_thread_local => NOT_OWN,
                _ => "a variable of this type",
            });
        };
        self.bind(&declared.name, Meaning::Variable(variable));
        Ok(())
    }

    /// Declares a local that other threads may see as a shared variable, of which there is one.
    fn declare_outside(&mut self, declared: &Declared, rest: &[Stmt]) -> Answer<()> {
        let Declared { name, ty, span, .. } = declared;
        if self.function.name != "main" && *ty != Type::Ignored {
            return refuse("a local variable outside of `main` whose address is taken");
        }
        let mut outside = declared.clone();
        if is_number(ty) || is_list(ty) {
            outside.ty = sized(ty, declared.value.as_ref(), *span);
            outside.value = None;
        }
        // The names of earlier locals are taken, too.
        let wanted = self.fresh(name);
        let Some(variable) = self.lowering.declare(&outside, &wanted) else {
            return refuse(match ty {
                Type::Other(what) => what.clone(),
                _ => "a variable of this type".to_owned(),
            });
        };
        self.bind(name, Meaning::Variable(variable.clone()));
        let place = build::place(&variable.name, Vec::new(), *span);
        match &declared.value {
            Some(Initial::Value(value)) if is_number(ty) => {
                let value = self.value(value)?;
                let value = self.settled(value);
                let value = converted(value, ty);
                self.out.push(build::assign(place, value.expr, *span));
            }
            Some(Initial::List(all)) if is_list(ty) => {
                let map = self.list(&outside.ty, all, *span)?;
                self.out.push(build::assign(place, map, *span));
            }
            // A variable that is written before it is read may as well be 0.
            None if is_number(ty) && super::assigned::is_read_first(name, rest) => {
                self.out.push(build::stmt(ast::StmtKind::Havoc(vec![place]), *span));
                let within = build::within(build::name(&variable.name, *span), bounds(ty), *span);
                self.out.push(build::stmt(ast::StmtKind::Assume(within), *span));
            }
            None if is_list(ty) => return refuse("a local array without an initial value"),
            Some(_) if is_number(ty) || is_list(ty) => {
                return refuse("an initial value of this form");
            }
            _ => {}
        }
        Ok(())
    }

    /// A local array: only with an initial value, since the elements of others are arbitrary.
    fn declare_array(&mut self, declared: &Declared) -> Answer<()> {
        let span = declared.span;
        let Type::Array(element, _) = &declared.ty else {
            return refuse(match &declared.ty {
                Type::Pointer(_) => "a pointer".to_owned(),
                Type::Other(what) => what.clone(),
                _ => "a variable of this type".to_owned(),
            });
        };
        let Some(Initial::List(all)) = &declared.value else {
            return refuse("a local array without an initial value");
        };
        if !matches!(**element, Type::Int(..) | Type::Bool) {
            return refuse("a local array of this type");
        }
        let c_type = sized(&declared.ty, declared.value.as_ref(), span);
        let ty = self.lowering.plato_type(&c_type, span)?;
        let map = self.list(&c_type, all, span)?;
        let name = self.fresh(&declared.name);
        self.out.push(build::local(&name, ty, Some(ast::Source::Values(vec![map])), span));
        self.bind(&declared.name, Meaning::Variable(local(name, c_type)));
        Ok(())
    }

    /// An array of numbers with its first values; elements without one are 0.
    fn list(&mut self, ty: &Type, all: &[Initial], span: Span) -> Answer<ast::Expr> {
        let Type::Array(element, Some(size)) = ty else {
            return refuse("an array of unknown size");
        };
        let size = self.lowering.constant(size).map(|(size, _)| size);
        if size.is_none_or(|size| usize::try_from(size).is_ok_and(|size| size < all.len())) {
            return refuse("more initial values than elements");
        }
        let zero = Box::new(build::int(0, span));
        let mut map = ast::Expr { kind: ast::ExprKind::ConstMap(zero), span };
        for (at, one) in (0..).zip(all) {
            let Initial::Value(one) = one else {
                return refuse("an initial value of this form");
            };
            let one = self.value(one)?;
            // A later value may change a variable that this one reads.
            let one = if one.known.is_some() { one } else { self.kept(one) };
            let one = converted(one, element).expr;
            let key = Box::new(build::int(at, span));
            map =
                ast::Expr { kind: ast::ExprKind::Update(Box::new(map), key, Box::new(one)), span };
        }
        Ok(map)
    }
}

fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Int(..) | Type::Bool)
}

fn is_list(ty: &Type) -> bool {
    matches!(ty, Type::Array(element, _) if is_number(element))
}

/// Whether variables of a type are declared outside of the procedure of their function.
fn lives_outside(ty: &Type) -> bool {
    match ty {
        Type::Mutex | Type::Condition | Type::Thread | Type::Ignored => true,
        Type::Array(element, _) => lives_outside(element),
        _ => false,
    }
}
