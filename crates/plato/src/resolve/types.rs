//! Types.

use super::collect::Declarations;
use super::scope::Context;
use super::symbols::Symbol;
use super::{Resolver, Signature, fault};
use crate::ast::{self, TypeKind};
use crate::hir::Ty;
use diagnostic::Code;

/// Limit on the nesting of maps: chains of abbreviations could make them as deep as the file is
/// long.
const MAX_DEPTH: usize = 60;

impl Resolver {
    pub(super) fn ty(&mut self, ty: &ast::Type) -> Option<Ty> {
        let found = self.ty_inside(ty);
        if found.is_none() {
            self.lost = Some(ty.span);
        }
        found
    }

    fn ty_inside(&mut self, ty: &ast::Type) -> Option<Ty> {
        match &ty.kind {
            TypeKind::Error => {
                self.met_error = true;
                None
            }
            TypeKind::Int => Some(Ty::Int),
            TypeKind::Bool => Some(Ty::Bool),
            TypeKind::Tid => Some(Ty::Tid),
            TypeKind::Range(low, high) => self.range(ty, low, high),
            TypeKind::Named(path) => match self.lookup_type(path)? {
                Symbol::Enum(id) => Some(Ty::Enum(id)),
                Symbol::Opaque(id) => Some(Ty::Opaque(id)),
                Symbol::Alias(at) => self.aliases[at].clone(),
                other => {
                    let error = fault(Code::TypeMismatch, path.span, "expected a type")
                        .at(format!("{}, not a type", other.describe()))
                        .help("a range of numbers is written `low..high`");
                    self.report(error);
                    None
                }
            },
            TypeKind::Set(element) => {
                let inner = self.ty(element)?;
                self.simple(&inner, element, "a set's elements")?;
                Some(Ty::Set(Box::new(inner)))
            }
            TypeKind::Map(key, value) => {
                let (inner_key, inner_value) = (self.ty(key), self.ty(value));
                let (inner_key, inner_value) = (inner_key?, inner_value?);
                self.simple(&inner_key, key, "a map's keys")?;
                if depth(&inner_value) >= MAX_DEPTH {
                    let error = fault(Code::NestingTooDeep, ty.span, "maps nested too deeply")
                        .at(format!("more than {MAX_DEPTH} levels"));
                    self.report(error);
                    return None;
                }
                Some(Ty::Map(Box::new(inner_key), Box::new(inner_value)))
            }
        }
    }

    fn lookup_type(&mut self, path: &ast::Path) -> Option<Symbol> {
        match path.segments.as_slice() {
            [only] if self.find(path).is_none() => {
                self.unknown_type_name(only);
                None
            }
            _ => self.lookup(path),
        }
    }

    fn simple(&mut self, ty: &Ty, at: &ast::Type, what: &str) -> Option<()> {
        if !matches!(ty, Ty::Set(_) | Ty::Map(..)) {
            return Some(());
        }
        let message = format!("{what} cannot be of type `{}`", self.show(ty));
        let error = fault(Code::TypeMismatch, at.span, message)
            .at("a set or a map")
            .help("use numbers, `bool`, `Tid`, an enumeration or an uninterpreted type");
        self.report(error);
        None
    }

    fn range(&mut self, ty: &ast::Type, low: &ast::Expr, high: &ast::Expr) -> Option<Ty> {
        let (low, high) = (self.constant_number(low), self.constant_number(high));
        let (low, high) = (low?, high?);
        if low > high {
            let error =
                fault(Code::EmptyType, ty.span, format!("the range {low}..{high} is empty"))
                    .at("no number is in it")
                    .help("both bounds belong to the range, the smaller one first");
            self.report(error);
            return None;
        }
        Some(Ty::Range(low, high))
    }

    pub(super) fn global_types(&mut self, declarations: &Declarations<'_>) {
        let mut last: Option<(*const ast::VarItem, Option<Ty>)> = None;
        for &(module, id, item) in &declarations.vars {
            // `var x, y: T` is resolved once, so that a fault in T is reported once.
            let ty = match &last {
                Some((same, ty)) if std::ptr::eq(*same, item) => ty.clone(),
                _ => self.within(Context { module, ..Context::default() }, |r| r.ty(&item.ty)),
            };
            last = Some((item, ty.clone()));
            if let Some(ty) = &ty {
                self.program.globals[id.index()].ty = ty.clone();
            }
            self.global_types[id.index()] = ty;
        }
    }

    pub(super) fn signatures(&mut self, declarations: &Declarations<'_>) {
        for (at, &(module, item)) in declarations.procs.iter().enumerate() {
            let context = Context { module, ..Context::default() };
            let (params, results) = self
                .within(context, |r| (r.param_types(&item.params), r.param_types(&item.results)));
            self.signatures[at] = Signature { params, results };
        }
        for (at, &(module, item)) in declarations.preds.iter().enumerate() {
            let context = Context { module, ..Context::default() };
            let (params, ty) = self
                .within(context, |r| (r.param_types(&item.params), r.value_type(item.ty.as_ref())));
            if let Some(ty) = &ty {
                self.program.preds[at].ty = ty.clone();
            }
            self.pred_facts[at].params = params;
            self.pred_facts[at].ty = ty;
        }
    }

    /// The type of the values of a predicate or function.
    fn value_type(&mut self, written: Option<&ast::Type>) -> Option<Ty> {
        let Some(written) = written else { return Some(Ty::Bool) };
        let ty = self.ty(written)?;
        if matches!(ty, Ty::Range(..)) {
            let error =
                fault(Code::TypeMismatch, written.span, "a function with values of a range")
                    .at("nobody would check that all its values are in there")
                    .help("write `int`; whether a value is in a range is checked where it is used");
            self.report(error);
            return None;
        }
        Some(ty)
    }

    /// The types of parameters. Those of a group `i, j: T` share the place, so a fault is reported
    /// for the first only.
    pub(super) fn param_types(&mut self, params: &[ast::Param]) -> Vec<Option<Ty>> {
        let mut types: Vec<Option<Ty>> = Vec::new();
        for (at, param) in params.iter().enumerate() {
            // A wrong type that several share is reported once.
            let same = at > 0 && params[at - 1].ty.span == param.ty.span;
            let is_told = same && types[at - 1].is_none();
            let ty = if is_told { None } else { self.ty(&param.ty) };
            types.push(ty);
        }
        types
    }

    /// The type as it is written.
    pub(super) fn show(&self, ty: &Ty) -> String {
        self.program.type_name(ty)
    }
}

fn depth(ty: &Ty) -> usize {
    let mut levels = 1;
    let mut ty = ty;
    while let Ty::Map(_, value) = ty {
        levels += 1;
        ty = value;
    }
    levels
}

pub(super) fn is_number(ty: &Ty) -> bool {
    matches!(ty, Ty::Int | Ty::Range(..))
}

/// Numbers mix freely; everything else must be equal.
pub(super) fn compatible(found: &Ty, wanted: &Ty) -> bool {
    found == wanted || (is_number(found) && is_number(wanted))
}

/// The type without bounds on numbers at its top.
pub(super) fn widened(ty: &Ty) -> Ty {
    if is_number(ty) { Ty::Int } else { ty.clone() }
}
