//! Expands the families of systems and looks up references.

use super::{duplicate, mismatch, unknown};
use crate::any_size::Sizes;
use crate::design::{Class, UnitId};
use crate::property::{Property, Scope};
use crate::resolve::Numbers;
use crate::syntax::{self, Decl, Ident, Index, Reference};
use crate::system::{Policy, System, Unit};
use diagnostic::{Code, Diagnostic};
use source::Name;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Limit on the units of a system, so that a wrong number does not use up all memory.
const MAX_UNITS: usize = 1 << 20;

/// Expands a system. `definitions` replace the values of parameters; the names of those used are
/// added to the result.
pub(crate) fn system(
    written: &syntax::System,
    classes: &Arc<[Class]>,
    definitions: &[(String, String)],
    used: &mut Vec<String>,
    faults: &mut Vec<Diagnostic>,
) -> System {
    let mut builder = Builder {
        numbers: Numbers::new(&written.parameters, definitions, used, faults),
        classes,
        units: Vec::new(),
        by_name: BTreeMap::new(),
        families: BTreeMap::new(),
        bindings: BTreeMap::new(),
        policies: Vec::new(),
        faults,
    };
    // Units first, so that the order of declarations does not matter to references.
    for decl in &written.decls {
        if let Decl::Policies(names) = decl {
            builder.policies(names);
        }
    }
    builder.decls(&written.decls, Pass::Units);
    builder.decls(&written.decls, Pass::Bindings);
    let (name, span) = (written.name.name.clone(), written.name.span);
    let mut system = builder.finish(name, span, classes);
    let mut properties = Vec::new();
    let mut numbers =
        Numbers::new(&written.parameters, definitions, &mut Vec::new(), &mut Vec::new());
    collect_properties(&written.decls, &system, &mut numbers, (&mut properties, faults));
    system.properties = properties;
    system.sizes = Sizes::new(written, definitions).map(Arc::new);
    system
}

/// Properties refer to units, so they come last.
fn collect_properties(
    decls: &[Decl],
    system: &System,
    numbers: &mut Numbers,
    (into, faults): (&mut Vec<Property>, &mut Vec<Diagnostic>),
) {
    for decl in decls {
        match decl {
            Decl::Property(written) => {
                let mut scope = Scope { system, numbers, faults };
                if let Some(property) = scope.property(written) {
                    if into.iter().any(|other: &Property| other.name == property.name) {
                        scope.faults.push(duplicate(&written.name, "property"));
                    }
                    into.push(property);
                }
            }
            Decl::For { body, .. } => misplaced(body, faults),
            Decl::Unit(..) | Decl::Binding { .. } | Decl::Policies(_) => {}
        }
    }
}

/// Declarations that may not stand inside of `for`, however deep: they would be repeated in each
/// iteration, or never made.
fn misplaced(decls: &[Decl], faults: &mut Vec<Diagnostic>) {
    let refused = |span, message: &str| Diagnostic::new(Code::MisplacedStatement, span, message);
    for decl in decls {
        match decl {
            Decl::Property(written) => {
                let message = "a property stands outside of `for`; it may use `all` and `some`";
                faults.push(refused(written.name.span, message));
            }
            Decl::Policies(names) => {
                let first = names.first().map(|name| name.span);
                faults.extend(first.map(|at| refused(at, "a policy stands outside of `for`")));
            }
            Decl::For { body, .. } => misplaced(body, faults),
            Decl::Unit(..) | Decl::Binding { .. } => {}
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Units,
    Bindings,
}

struct Builder<'a> {
    numbers: Numbers,
    classes: &'a [Class],
    units: Vec<Unit>,
    by_name: BTreeMap<Name, UnitId>,
    families: BTreeMap<Name, Vec<UnitId>>,
    bindings: BTreeMap<(UnitId, usize), Vec<UnitId>>,
    policies: Vec<Policy>,
    faults: &'a mut Vec<Diagnostic>,
}

impl Builder<'_> {
    fn decls(&mut self, decls: &[Decl], pass: Pass) {
        for decl in decls {
            match decl {
                Decl::Unit(reference, class) if pass == Pass::Units => self.unit(reference, class),
                Decl::Binding { unit, variable, values } if pass == Pass::Bindings => {
                    self.binding(unit, variable, values);
                }
                Decl::For { name, from, to, body } => {
                    // A fault that both passes find is reported once.
                    let mut silent = Vec::new();
                    let told = pass == Pass::Units;
                    let faults = if told { &mut *self.faults } else { &mut silent };
                    let Some((from, to)) = self.numbers.range(from, to, faults) else { continue };
                    for value in from..to {
                        if self.units.len() > MAX_UNITS {
                            return;
                        }
                        self.numbers.bind(&name.name, value);
                        self.decls(body, pass);
                        self.numbers.unbind();
                    }
                }
                Decl::Unit(..) | Decl::Binding { .. } | Decl::Policies(_) | Decl::Property(_) => {}
            }
        }
    }

    fn unit(&mut self, reference: &Reference, class: &Ident) {
        let Some(id) = self.classes.iter().position(|one| one.name == class.name) else {
            self.faults.push(unknown(class, "class", self.classes.iter().map(|one| &one.name)));
            return;
        };
        let family = &reference.name.name;
        let (name, place) = match &reference.index {
            None => (family.clone(), None),
            Some(Index::All) => {
                let message = "a declaration names one unit".to_owned();
                self.faults.push(mismatch(&reference.name, message));
                return;
            }
            Some(Index::Number(number)) => {
                let Some(value) = self.numbers.value(number, self.faults) else { return };
                (member(family, value), Some((family.clone(), value)))
            }
        };
        if self.by_name.contains_key(&name) {
            let ident = Ident { name, span: reference.span };
            self.faults.push(duplicate(&ident, "unit"));
            return;
        }
        if self.units.len() == MAX_UNITS {
            let message = format!("a system has at most {MAX_UNITS} units");
            self.faults.push(mismatch(&reference.name, message));
        }
        let unit = self.units.len();
        self.by_name.insert(name.clone(), unit);
        if place.is_some() {
            self.families.entry(family.clone()).or_default().push(unit);
        }
        let span = reference.span;
        self.units.push(Unit { name, member: place, class: id, span, slots: 0, thread: None });
    }

    fn binding(&mut self, unit: &Reference, variable: &Ident, values: &[Reference]) {
        for unit in self.lookup(unit) {
            self.bind(unit, variable, values);
        }
    }

    fn bind(&mut self, unit: UnitId, variable: &Ident, values: &[Reference]) {
        let class = &self.classes[self.units[unit].class];
        let Some(at) = class.variables.iter().position(|one| one.name == variable.name) else {
            let what = format!("variable of class `{}`", class.name);
            self.faults.push(unknown(variable, &what, class.variables.iter().map(|one| &one.name)));
            return;
        };
        let declared = &class.variables[at];
        let mut found: Vec<UnitId> = Vec::new();
        for value in values {
            for one in self.lookup(value) {
                let other = &self.classes[self.units[one].class];
                if self.units[one].class != declared.class {
                    let wanted = &self.classes[declared.class].name;
                    let message = format!(
                        "`{}` refers to a `{wanted}`, and `{}` is a `{}`",
                        variable.name, self.units[one].name, other.name
                    );
                    self.faults.push(mismatch(&value.name, message));
                } else if !found.contains(&one) {
                    found.push(one);
                }
            }
        }
        if found.len() > 1 && !declared.many {
            let message = format!("`{}` refers to one unit; declare it with `[*]`", variable.name);
            self.faults.push(mismatch(variable, message));
            found.truncate(1);
        }
        if self.bindings.insert((unit, at), found).is_some() {
            let message = format!("`{}.{}` is bound already", self.units[unit].name, variable.name);
            self.faults.push(Diagnostic::new(Code::DuplicateName, variable.span, message));
        }
    }

    fn lookup(&mut self, reference: &Reference) -> Vec<UnitId> {
        lookup(reference, (&self.by_name, &self.families), &mut self.numbers, self.faults)
    }

    fn policies(&mut self, names: &[Ident]) {
        for ident in names {
            match Policy::named(ident.name.as_str()) {
                Some(policy) if self.policies.contains(&policy) => {
                    self.faults.push(duplicate(ident, "policy"));
                }
                Some(policy) => self.policies.push(policy),
                None => {
                    let known: Vec<Name> =
                        Policy::ALL.iter().map(|one| one.name().into()).collect();
                    self.faults.push(unknown(ident, "policy", known.iter()));
                }
            }
        }
    }

    fn finish(mut self, name: Name, span: source::Span, classes: &Arc<[Class]>) -> System {
        let mut roots = Vec::new();
        let mut bindings = Vec::new();
        for (id, unit) in self.units.iter_mut().enumerate() {
            let class = &self.classes[unit.class];
            unit.slots = bindings.len();
            for at in 0..class.variables.len() {
                bindings.push(self.bindings.remove(&(id, at)).unwrap_or_default());
            }
            if class.is_root {
                unit.thread = Some(roots.len());
                roots.push(id);
            }
        }
        let classes = Arc::clone(classes);
        let (units, policies) = (self.units, self.policies);
        System {
            name,
            span,
            classes,
            units,
            roots,
            bindings,
            policies,
            properties: Vec::new(),
            sizes: None,
        }
    }
}

/// `P[3]`
pub(crate) fn member(family: &Name, number: i64) -> Name {
    Name::from(format!("{family}[{number}]"))
}

/// The units that a reference means.
pub(crate) fn lookup(
    reference: &Reference,
    (by_name, families): (&BTreeMap<Name, UnitId>, &BTreeMap<Name, Vec<UnitId>>),
    numbers: &mut Numbers,
    faults: &mut Vec<Diagnostic>,
) -> Vec<UnitId> {
    let family = &reference.name.name;
    let name = match &reference.index {
        None => family.clone(),
        Some(Index::All) => {
            if let Some(all) = families.get(family) {
                return all.clone();
            }
            faults.push(unknown(&reference.name, "family", families.keys()));
            return Vec::new();
        }
        Some(Index::Number(number)) => match numbers.value(number, faults) {
            Some(value) => member(family, value),
            None => return Vec::new(),
        },
    };
    if let Some(&unit) = by_name.get(&name) {
        return vec![unit];
    }
    let ident = Ident { name, span: reference.span };
    faults.push(unknown(&ident, "unit", by_name.keys()));
    Vec::new()
}
