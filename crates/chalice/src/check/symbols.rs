//! The meaning of names outside of declarations.

use crate::hir::{
    ChannelId, ClassId, ConditionId, FieldId, FunctionId, MethodId, PredicateId, Type,
};
use source::{Name, Span};
use std::collections::{BTreeMap, BTreeSet};

/// All names at the top level and in classes.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// Classes and channels.
    pub(super) globals: BTreeMap<Name, (Global, Span)>,
    /// The members of each class.
    pub(super) members: Vec<BTreeMap<Name, (Member, Span)>>,
    /// Types of in- and out-parameters.
    pub(super) methods: Vec<(Vec<Type>, Vec<Type>)>,
    /// Types of parameters, and of the value.
    pub(super) functions: Vec<(Vec<Type>, Type)>,
    /// Types of parameters.
    pub(super) predicates: Vec<Vec<Type>>,
    /// The types of the values that a message carries.
    pub(super) channels: Vec<Vec<Type>>,
    /// Classes that refine another: their names are known, their meaning is not.
    pub(super) refining: BTreeSet<ClassId>,
    /// Fields whose back-pointers are known.
    pub(super) tracked: BTreeSet<FieldId>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Global {
    Class(ClassId),
    Channel(ChannelId),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Member {
    Field(FieldId),
    Method(MethodId),
    Predicate(PredicateId),
    Function(FunctionId),
    Condition(ConditionId),
    /// A method of a class that refines another.
    Transform,
}

impl Symbols {
    pub(super) fn member(&self, class: ClassId, name: &Name) -> Option<Member> {
        self.members.get(class.index())?.get(name).map(|&(member, _)| member)
    }
}

impl Member {
    /// A description in words.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Field(_) => "a field",
            Self::Method(_) | Self::Transform => "a method",
            Self::Predicate(_) => "a predicate",
            Self::Function(_) => "a function",
            Self::Condition(_) => "a condition",
        }
    }
}
