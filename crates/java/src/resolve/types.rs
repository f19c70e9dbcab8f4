//! Types with their arguments, as the resolver sees them.

use super::World;
use crate::tree::{Bound, Prim};
use crate::typed::{ClassId, Ty};

source::ids! {
    /// Index into [`World::vars`].
    VarId,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum T {
    Void,
    Null,
    Prim(Prim),
    /// Without arguments if they are not known, or if there are none.
    Class(ClassId, Vec<T>),
    Array(Box<T>),
    Var(VarId),
    Wildcard(Option<(Bound, Box<T>)>),
    /// A library type that was not found, and whatever comes from one.
    Unknown,
    Map(Box<T>, Box<T>),
    Set(Box<T>),
    /// Of `tid`.
    Thread,
}

/// What type variables stand for.
pub(super) type Substitution = Vec<(VarId, T)>;

impl T {
    pub(super) fn class(id: ClassId) -> Self {
        Self::Class(id, Vec::new())
    }

    pub(super) fn is_numeric(&self) -> bool {
        matches!(self, Self::Prim(prim) if *prim != Prim::Boolean)
    }

    pub(super) fn is_primitive(&self) -> bool {
        matches!(self, Self::Prim(_))
    }

    pub(super) fn is_reference(&self) -> bool {
        !matches!(self, Self::Void | Self::Prim(_) | Self::Map(..) | Self::Set(_) | Self::Thread)
    }

    /// With variables replaced.
    pub(super) fn with(&self, known: &Substitution) -> Self {
        if known.is_empty() {
            return self.clone();
        }
        match self {
            Self::Var(var) => {
                let found = known.iter().find(|(other, _)| other == var);
                found.map_or_else(|| self.clone(), |(_, ty)| ty.clone())
            }
            Self::Class(id, args) => {
                Self::Class(*id, args.iter().map(|arg| arg.with(known)).collect())
            }
            Self::Array(element) => Self::Array(Box::new(element.with(known))),
            Self::Wildcard(Some((bound, ty))) => {
                Self::Wildcard(Some((*bound, Box::new(ty.with(known)))))
            }
            other => other.clone(),
        }
    }

    /// Whether a variable or something unknown is part of it.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Var(_) | Self::Unknown => true,
            Self::Class(_, args) => args.iter().any(Self::is_open),
            Self::Array(inner) | Self::Wildcard(Some((_, inner))) => inner.is_open(),
            _ => false,
        }
    }

    /// A wildcard as the best type that is known of its values.
    pub(super) fn captured(&self) -> Self {
        match self {
            Self::Wildcard(Some((Bound::Extends | Bound::Super, ty))) => ty.captured(),
            Self::Wildcard(None) => Self::Unknown,
            other => other.clone(),
        }
    }
}

impl World<'_> {
    /// A type without arguments and variables.
    pub(super) fn erased(&self, ty: &T) -> Ty {
        match ty {
            T::Void => Ty::Void,
            T::Null => Ty::Null,
            T::Prim(prim) => Ty::Prim(*prim),
            T::Class(id, _) => Ty::Class(*id),
            T::Array(element) => Ty::Array(Box::new(self.erased(element))),
            T::Var(var) => match self.vars[var.index()].bounds.first() {
                Some(bound) => self.erased(&bound.clone()),
                None => self.object().map_or(Ty::Unknown, Ty::Class),
            },
            T::Wildcard(Some((Bound::Extends, ty))) => self.erased(ty),
            T::Wildcard(_) => self.object().map_or(Ty::Unknown, Ty::Class),
            T::Unknown => Ty::Unknown,
            T::Map(key, value) => Ty::Map(Box::new(self.erased(key)), Box::new(self.erased(value))),
            T::Set(element) => Ty::Set(Box::new(self.erased(element))),
            T::Thread => Ty::Thread,
        }
    }

    /// An argument for a variable of a class as the best type that is known of its values: of `?`,
    /// the bound of the variable.
    pub(super) fn capture(&self, var: VarId, arg: &T) -> T {
        if *arg != T::Wildcard(None) {
            return arg.captured();
        }
        match self.vars[var.index()].bounds.first() {
            Some(T::Class(id, _)) => T::class(*id),
            Some(_) => T::Unknown,
            None => self.object().map_or(T::Unknown, T::class),
        }
    }

    /// The types that a class or variable directly extends and implements.
    pub(super) fn direct_supertypes(&self, ty: &T) -> Vec<T> {
        match ty {
            T::Class(id, args) => {
                let info = &self.infos[id.index()];
                let known: Substitution = if args.len() == info.params.len() {
                    info.params.iter().copied().zip(args.iter().cloned()).collect()
                } else {
                    Vec::new()
                };
                let is_raw = args.is_empty() && !info.params.is_empty();
                let supers = info.supertypes.iter().map(|ty| match (is_raw, ty) {
                    (true, T::Class(id, _)) => T::class(*id),
                    _ => ty.with(&known),
                });
                let mut supers: Vec<T> = supers.collect();
                if supers.is_empty() && self.object() != Some(*id) {
                    supers.extend(self.object().map(T::class));
                }
                supers
            }
            T::Var(var) => {
                let bounds = self.vars[var.index()].bounds.clone();
                if bounds.is_empty() {
                    self.object().map(T::class).into_iter().collect()
                } else {
                    bounds
                }
            }
            T::Wildcard(Some((Bound::Extends, ty))) => vec![(**ty).clone()],
            T::Array(_) | T::Wildcard(_) => self.object().map(T::class).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The type itself and all above it, nearest first, each class once.
    pub(super) fn supertypes(&self, ty: &T) -> Vec<T> {
        let mut all: Vec<T> = vec![ty.clone()];
        let mut at = 0;
        while at < all.len() {
            for above in self.direct_supertypes(&all[at]) {
                let is_same = |other: &T| match (other, &above) {
                    (T::Class(one, _), T::Class(other, _)) => one == other,
                    (one, other) => one == other,
                };
                if !all.iter().any(is_same) {
                    all.push(above);
                }
            }
            at += 1;
        }
        all
    }

    /// The type as an instance of a class above it, with that class's arguments.
    pub(super) fn as_super(&self, ty: &T, class: ClassId) -> Option<T> {
        let is_it = |ty: &T| matches!(ty, T::Class(id, _) if *id == class);
        self.supertypes(ty).into_iter().find(is_it)
    }

    /// Whether values of a type are values of another, looking at classes alone.
    pub(super) fn is_subtype(&self, one: &T, other: &T) -> bool {
        match (one, other) {
            (T::Unknown, _) | (_, T::Unknown) => one.is_reference() && other.is_reference(),
            (T::Prim(one), T::Prim(other)) => widens(*one, *other),
            (T::Prim(_), _) | (_, T::Prim(_)) => false,
            (T::Null, other) => other.is_reference(),
            (T::Array(one), T::Array(other)) => match (&**one, &**other) {
                (T::Prim(one), T::Prim(other)) => one == other,
                (one, other) => self.is_subtype(one, other),
            },
            (one, T::Var(var)) => {
                one == other
                    || matches!(one, T::Var(_))
                    || self.vars[var.index()].bounds.iter().all(|bound| self.is_subtype(one, bound))
            }
            (one, T::Wildcard(_)) => self.is_subtype(one, &other.captured()),
            (T::Array(_), T::Class(id, _)) => {
                let name = &self.program.class(*id).name;
                Some(*id) == self.object() || ["Cloneable", "Serializable"].contains(&name.as_str())
            }
            (one, T::Class(id, _)) => {
                Some(*id) == self.object() || self.as_super(one, *id).is_some()
            }
            (one, other) => one == other,
        }
    }

    /// The class that a primitive value is boxed to.
    pub(super) fn boxed(&self, prim: Prim) -> Option<T> {
        let name = match prim {
            Prim::Boolean => "java.lang.Boolean",
            Prim::Byte => "java.lang.Byte",
            Prim::Short => "java.lang.Short",
            Prim::Char => "java.lang.Character",
            Prim::Int => "java.lang.Integer",
            Prim::Long => "java.lang.Long",
            Prim::Float => "java.lang.Float",
            Prim::Double => "java.lang.Double",
        };
        self.by_name.get(name).copied().map(T::class)
    }

    /// The primitive type whose values a class boxes.
    pub(super) fn unboxed(&self, ty: &T) -> Option<Prim> {
        let ty = match ty {
            T::Prim(prim) => return Some(*prim),
            T::Var(_) | T::Wildcard(_) => match self.erased(ty) {
                Ty::Class(id) => id,
                _ => return None,
            },
            T::Class(id, _) => *id,
            _ => return None,
        };
        Some(match self.program.class(ty).qualified.as_str() {
            "java.lang.Boolean" => Prim::Boolean,
            "java.lang.Byte" => Prim::Byte,
            "java.lang.Short" => Prim::Short,
            "java.lang.Character" => Prim::Char,
            "java.lang.Integer" => Prim::Int,
            "java.lang.Long" => Prim::Long,
            "java.lang.Float" => Prim::Float,
            "java.lang.Double" => Prim::Double,
            _ => return None,
        })
    }

    /// Finds what variables stand for where a value of one type is passed for another.
    pub(super) fn unify(&self, formal: &T, actual: &T, free: &[VarId], known: &mut Substitution) {
        match (formal, actual) {
            (_, T::Null | T::Void) => {}
            (T::Var(var), actual) if free.contains(var) => {
                let actual = match actual {
                    T::Prim(prim) => self.boxed(*prim).unwrap_or(T::Unknown),
                    T::Wildcard(_) => actual.captured(),
                    other => other.clone(),
                };
                match known.iter_mut().find(|(other, _)| other == var) {
                    None => known.push((*var, actual)),
                    Some((_, ty)) if self.is_subtype(ty, &actual) && *ty != T::Unknown => {
                        *ty = actual;
                    }
                    Some(_) => {}
                }
            }
            (T::Array(formal), T::Array(actual)) => self.unify(formal, actual, free, known),
            (T::Wildcard(Some((_, formal))), actual) => {
                self.unify(formal, &actual.captured(), free, known);
            }
            (T::Class(id, formals), actual) if !formals.is_empty() => {
                if let Some(T::Class(_, actuals)) = self.as_super(actual, *id) {
                    for (formal, actual) in formals.iter().zip(&actuals) {
                        self.unify(formal, actual, free, known);
                    }
                }
            }
            _ => {}
        }
    }

    /// The nearest type above two, for the value of a conditional expression and the like.
    pub(super) fn join(&self, one: &T, other: &T) -> T {
        if self.is_subtype(one, other) {
            return other.clone();
        }
        let mut shared: Vec<T> = self.supertypes(one);
        shared.retain(|above| self.is_subtype(other, above));
        let is_object = |ty: &T| matches!(ty, T::Class(id, _) if Some(*id) == self.object());
        let best = shared.iter().find(|ty| !is_object(ty)).or(shared.first());
        best.cloned().unwrap_or(T::Unknown)
    }
}

/// Whether values of a primitive type are values of another.
pub(super) fn widens(one: Prim, other: Prim) -> bool {
    use Prim::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
    if one == other {
        return true;
    }
    let rank = |prim: Prim| match prim {
        Byte => 0,
        Short => 1,
        Char => 1,
        Int => 2,
        Long => 3,
        Float => 4,
        Double => 5,
        Boolean => 9,
    };
    one != Boolean && other != Boolean && other != Char && rank(one) < rank(other)
}
