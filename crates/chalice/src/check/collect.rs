//! Collects all declarations, before any formula or code is looked at.

use super::symbols::{Global, Member, Symbols};
use super::types::resolve_type;
use crate::hir::{self, ChannelId, ClassId, Program, Type};
use crate::syntax::{self, Ident, Item, Param};
use diagnostic::{Code, Diagnostic};
use source::{Name, Span};
use std::collections::BTreeMap;

/// The meaning of names, and a program whose contracts and bodies are still empty.
pub(super) fn collect(
    tree: &syntax::Program,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Symbols, Program) {
    let mut collector =
        Collector { symbols: Symbols::default(), program: Program::default(), diagnostics };
    for item in &tree.items {
        collector.name_item(item);
    }
    let classes = tree.items.iter().filter_map(|item| match item {
        Item::Class(class) => Some(class),
        Item::Channel(_) => None,
    });
    let classes: Vec<_> = classes.zip((0..).map(ClassId)).collect();
    for &(class, id) in &classes {
        collector.name_members(class, id);
    }
    for &(class, id) in &classes {
        collector.type_members(class, id);
    }
    collector.check_circles(&classes);
    collector.type_channels(tree);
    (collector.symbols, collector.program)
}

struct Collector<'c> {
    symbols: Symbols,
    program: Program,
    diagnostics: &'c mut Vec<Diagnostic>,
}

/// Declares a name. A second declaration is reported, and the first stays.
pub(super) fn declare<T>(
    names: &mut BTreeMap<Name, (T, Span)>,
    ident: &Ident,
    meaning: T,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if let Some((_, first)) = names.get(&ident.name) {
        diagnostics.push(duplicate(ident, *first));
        return;
    }
    names.insert(ident.name.clone(), (meaning, ident.span));
}

pub(super) fn duplicate(ident: &Ident, first: Span) -> Diagnostic {
    let message = format!("`{}` is declared twice", ident.name);
    Diagnostic::new(Code::DuplicateName, ident.span, message)
        .at("declared again")
        .label(first, "declared here first")
        .help("rename one of them")
}

impl Collector<'_> {
    fn name_item(&mut self, item: &Item) {
        let (ident, meaning) = match item {
            Item::Class(class) => {
                let id = ClassId::from_index(self.program.classes.len());
                self.program.classes.push(empty_class(class));
                self.symbols.members.push(BTreeMap::new());
                if class.refines.is_some() {
                    self.symbols.refining.insert(id);
                }
                (&class.name, Global::Class(id))
            }
            Item::Channel(channel) => {
                let id = ChannelId::from_index(self.program.channels.len());
                self.program.channels.push(hir::Channel {
                    name: channel.name.name.clone(),
                    span: channel.name.span,
                    params: Vec::new(),
                    locals: Vec::new(),
                    where_clause: None,
                });
                (&channel.name, Global::Channel(id))
            }
        };
        declare(&mut self.symbols.globals, ident, meaning, self.diagnostics);
    }

    fn name_members(&mut self, class: &syntax::Class, id: ClassId) {
        for member in &class.members {
            let (ident, meaning) = match member {
                syntax::Member::Field(field) => (&field.param.name, self.add_field(field, id)),
                syntax::Member::Method(method) => (&method.name, self.add_method(method, id)),
                syntax::Member::Predicate(predicate) => {
                    (&predicate.name, self.add_predicate(predicate, id))
                }
                syntax::Member::Function(function) => {
                    (&function.name, self.add_function(function, id))
                }
                syntax::Member::Condition(condition) => {
                    (&condition.name, self.add_condition(condition, id))
                }
                syntax::Member::Transform(name, span) => {
                    self.needs_refines(class, "a method that refines another", *span);
                    (name, Member::Transform)
                }
                syntax::Member::Coupling(span) => {
                    self.needs_refines(class, "`replaces`", *span);
                    continue;
                }
                syntax::Member::Invariant(_) => continue,
            };
            let names = &mut self.symbols.members[id.index()];
            declare(names, ident, meaning, self.diagnostics);
        }
    }

    /// Refuses a clause about a refinement in a class that refines nothing.
    fn needs_refines(&mut self, class: &syntax::Class, what: &str, span: Span) {
        if class.refines.is_none() {
            let message = format!("{what} in a class that refines nothing");
            let error = Diagnostic::new(Code::MisplacedStatement, span, message)
                .help("write `class C refines D`");
            self.diagnostics.push(error);
        }
    }

    fn add_field(&mut self, field: &syntax::Field, class: ClassId) -> Member {
        let id = hir::FieldId::from_index(self.program.fields.len());
        self.program.fields.push(hir::Field {
            name: field.param.name.name.clone(),
            span: field.param.name.span,
            class,
            ty: Type::Int,
            ghost: field.ghost,
            volatile: field.volatile,
        });
        if field.tracked {
            self.symbols.tracked.insert(id);
        }
        self.program.classes[class.index()].fields.push(id);
        Member::Field(id)
    }

    fn add_method(&mut self, method: &syntax::Method, class: ClassId) -> Member {
        let id = hir::MethodId::from_index(self.program.methods.len());
        let end = method.body.span;
        self.program.methods.push(hir::Method {
            name: method.name.name.clone(),
            span: method.name.span,
            class,
            params: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            spec: hir::Spec::default(),
            body: Vec::new(),
            end: Span { start: end.end.saturating_sub(1).max(end.start), ..end },
        });
        self.program.classes[class.index()].methods.push(id);
        Member::Method(id)
    }

    fn add_predicate(&mut self, predicate: &syntax::Predicate, class: ClassId) -> Member {
        let id = hir::PredicateId::from_index(self.program.predicates.len());
        self.program.predicates.push(hir::Predicate {
            name: predicate.name.name.clone(),
            span: predicate.name.span,
            class,
            params: Vec::new(),
            locals: Vec::new(),
            body: hir::Assertion {
                kind: hir::AssertionKind::And(Vec::new()),
                span: predicate.body.span,
            },
        });
        self.program.classes[class.index()].predicates.push(id);
        Member::Predicate(id)
    }

    fn add_function(&mut self, function: &syntax::Function, class: ClassId) -> Member {
        let id = hir::FunctionId::from_index(self.program.functions.len());
        self.program.functions.push(hir::Function {
            name: function.name.name.clone(),
            span: function.name.span,
            class,
            is_static: function.is_static,
            unlimited: function.unlimited,
            params: Vec::new(),
            locals: Vec::new(),
            ty: Type::Int,
            requires: Vec::new(),
            ensures: Vec::new(),
            body: None,
        });
        self.program.classes[class.index()].functions.push(id);
        Member::Function(id)
    }

    fn add_condition(&mut self, condition: &syntax::Condition, class: ClassId) -> Member {
        let id = hir::ConditionId::from_index(self.program.conditions.len());
        self.program.conditions.push(hir::Condition {
            name: condition.name.name.clone(),
            span: condition.name.span,
            class,
            where_clause: None,
            locals: Vec::new(),
        });
        self.program.classes[class.index()].conditions.push(id);
        Member::Condition(id)
    }

    /// Types of fields and signatures, in the order in which the members got their ids.
    fn type_members(&mut self, class: &syntax::Class, id: ClassId) {
        let mut fields = self.program.classes[id.index()].fields.clone().into_iter();
        let mut functions = self.program.classes[id.index()].functions.clone().into_iter();
        for member in &class.members {
            match member {
                syntax::Member::Field(field) => {
                    let ty = self.param_type(&field.param);
                    if field.tracked {
                        self.check_tracked(field, &ty);
                    }
                    if let Some(id) = fields.next() {
                        self.program.fields[id.index()].ty = ty;
                    }
                }
                syntax::Member::Method(method) => {
                    let params = self.param_types(&method.params);
                    let results = self.param_types(&method.results);
                    self.symbols.methods.push((params, results));
                }
                syntax::Member::Predicate(predicate) => {
                    let params = self.param_types(&predicate.params);
                    self.symbols.predicates.push(params);
                }
                syntax::Member::Function(function) => {
                    let params = self.param_types(&function.params);
                    let ty = resolve_type(&function.ty, &self.symbols, self.diagnostics);
                    if let Some(id) = functions.next() {
                        self.program.functions[id.index()].ty = ty.clone();
                    }
                    self.symbols.functions.push((params, ty));
                }
                syntax::Member::Condition(_)
                | syntax::Member::Invariant(_)
                | syntax::Member::Coupling(_)
                | syntax::Member::Transform(..) => {}
            }
        }
        self.check_refined(class, id);
    }

    /// Reports classes that refine themselves, directly or by way of others.
    fn check_circles(&mut self, classes: &[(&syntax::Class, ClassId)]) {
        let named = |name: &Name| classes.iter().find(|(class, _)| class.name.name == *name);
        for (class, _) in classes {
            let mut at = class.refines.as_ref();
            // A longer chain runs into a circle that this class is not part of.
            for _ in 0..classes.len() {
                let Some(refined) = at else { break };
                if refined.name == class.name.name {
                    let message = format!("class `{}` refines itself", class.name.name);
                    let span = class.refines.as_ref().map_or(class.span, |first| first.span);
                    let error = Diagnostic::new(Code::RecursiveDefinition, span, message);
                    self.diagnostics.push(error.at("leads back to this class"));
                    break;
                }
                at = named(&refined.name).and_then(|(class, _)| class.refines.as_ref());
            }
        }
    }

    fn check_refined(&mut self, class: &syntax::Class, id: ClassId) {
        let Some(refined) = &class.refines else { return };
        if !matches!(self.symbols.globals.get(&refined.name), Some((Global::Class(_), _))) {
            let message = format!("there is no class `{}`", refined.name);
            let error = Diagnostic::new(Code::UnknownName, refined.span, message);
            self.diagnostics.push(error.at("not declared"));
        }
        let what = format!("class `{}`, which refines another", class.name.name);
        self.program.classes[id.index()].unsupported = Some((what, class.span));
    }

    /// Back-pointers lead to objects, so a tracked field must hold an object.
    fn check_tracked(&mut self, field: &syntax::Field, ty: &Type) {
        let is_class = matches!(ty, Type::Object(_));
        let error_was_reported = *ty == Type::Unsupported
            && !field
                .param
                .ty
                .as_ref()
                .is_some_and(|ty| matches!(ty.kind, syntax::TypeKind::Set(_)));
        if !is_class && !error_was_reported {
            let message = format!("the tracked field `{}` is no reference", field.param.name.name);
            let error = Diagnostic::new(Code::TypeMismatch, field.span, message)
                .at("needs a class as its type")
                .help("drop `tracked`, or give it the type of a class");
            self.diagnostics.push(error);
        }
    }

    fn type_channels(&mut self, tree: &syntax::Program) {
        for item in &tree.items {
            if let Item::Channel(channel) = item {
                let params = self.param_types(&channel.params);
                self.symbols.channels.push(params);
            }
        }
    }

    fn param_types(&mut self, params: &[Param]) -> Vec<Type> {
        params.iter().map(|param| self.param_type(param)).collect()
    }

    /// A type that is left out is `int`.
    fn param_type(&mut self, param: &Param) -> Type {
        match &param.ty {
            Some(ty) => resolve_type(ty, &self.symbols, self.diagnostics),
            None => Type::Int,
        }
    }
}

fn empty_class(class: &syntax::Class) -> hir::Class {
    hir::Class {
        name: class.name.name.clone(),
        span: class.name.span,
        fields: Vec::new(),
        methods: Vec::new(),
        predicates: Vec::new(),
        functions: Vec::new(),
        conditions: Vec::new(),
        invariants: Vec::new(),
        rely: Vec::new(),
        locals: Vec::new(),
        unsupported: None,
    }
}
