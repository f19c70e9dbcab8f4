//! The names of items, per module, and finding them.

use super::{Resolver, fault};
use crate::ast::{Ident, Path};
use crate::hir::{ConstId, EnumId, GlobalId, ModuleId, OpaqueId, PredId, ProcId, ThreadId};
use diagnostic::{Code, most_similar};
use source::{Name, Span};
use std::collections::BTreeMap;

/// The meaning of an item's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Const(ConstId),
    Enum(EnumId),
    Opaque(OpaqueId),
    Alias(usize),
    Global(GlobalId),
    Pred(PredId),
    Function(PredId),
    Thread(ThreadId),
    Proc(ProcId),
    Module(ModuleId),
    /// A variant's short name, with every enumeration that has it.
    Variants(Vec<(EnumId, u32)>),
}

impl Symbol {
    /// For messages: the kind of thing that the name stands for.
    pub(super) fn describe(&self) -> &'static str {
        match self {
            Self::Const(_) => "a constant",
            Self::Enum(_) | Self::Opaque(_) | Self::Alias(_) => "a type",
            Self::Global(_) => "a shared variable",
            Self::Pred(_) => "a predicate",
            Self::Function(_) => "a function",
            Self::Thread(_) => "a thread",
            Self::Proc(_) => "a procedure",
            Self::Module(_) => "a module",
            Self::Variants(_) => "a variant",
        }
    }
}

/// The tables of names.
#[derive(Default)]
pub(super) struct Symbols {
    pub(super) root: Table,
    pub(super) modules: Vec<Table>,
}

pub(super) type Table = BTreeMap<Name, Declared>;

/// A name's meaning and its first declaration.
#[derive(Clone)]
pub(super) struct Declared {
    pub(super) symbol: Symbol,
    pub(super) span: Span,
}

impl Symbols {
    /// The meaning of an unqualified name in a module: the module's own names hide those outside.
    pub(super) fn visible(&self, module: Option<ModuleId>, name: &Name) -> Option<&Declared> {
        let inside = module.and_then(|module| self.modules[module.index()].get(name));
        inside.or_else(|| self.root.get(name))
    }

    pub(super) fn table_mut(&mut self, module: Option<ModuleId>) -> &mut Table {
        match module {
            Some(module) => &mut self.modules[module.index()],
            None => &mut self.root,
        }
    }
}

impl Resolver {
    /// The meaning of a path, names of code and quantifiers aside. Silent if it has none.
    pub(super) fn find(&self, path: &Path) -> Option<Symbol> {
        let (first, rest) = path.segments.split_first()?;
        let mut symbol = self.symbols.visible(self.context.module, &first.name)?.symbol.clone();
        for segment in rest {
            symbol = self.member(&symbol, &segment.name)?;
        }
        Some(symbol)
    }

    fn member(&self, symbol: &Symbol, name: &Name) -> Option<Symbol> {
        match symbol {
            Symbol::Module(module) => self.symbols.modules[module.index()]
                .get(name)
                .map(|declared| declared.symbol.clone()),
            Symbol::Enum(id) => {
                let variants = &self.program.enums[id.index()].variants;
                let at = variants.iter().position(|variant| variant == name)?;
                Some(Symbol::Variants(vec![(*id, source::number(at))]))
            }
            Symbol::Thread(id) => self.part_of_thread(*id, name).map(Symbol::Global),
            _ => None,
        }
    }

    /// The meaning of a path; reports if it has none.
    pub(super) fn lookup(&mut self, path: &Path) -> Option<Symbol> {
        let found = self.find(path);
        if found.is_none() {
            self.unknown(path);
        }
        found
    }

    /// Reports the first segment of the path that has no meaning.
    fn unknown(&mut self, path: &Path) {
        let first = &path.segments[0];
        let Some(declared) = self.symbols.visible(self.context.module, &first.name) else {
            return self.unknown_first(first);
        };
        let mut symbol = declared.symbol.clone();
        for segment in &path.segments[1..] {
            if let Some(next) = self.member(&symbol, &segment.name) {
                symbol = next;
                continue;
            }
            let (name, candidates) = match &symbol {
                Symbol::Module(id) => {
                    let names = self.symbols.modules[id.index()].keys().cloned().collect();
                    (self.program.modules[id.index()].name.clone(), names)
                }
                Symbol::Enum(id) => {
                    let declared = &self.program.enums[id.index()];
                    (declared.name.clone(), declared.variants.clone())
                }
                other => {
                    let message = format!("`{}` has no parts", first.name);
                    let error = fault(Code::UnknownName, segment.span, message)
                        .at(format!("`{}` is {}", first.name, other.describe()))
                        .help("a dot follows the name of a module, an enumeration or a thread that is forked");
                    return self.report(error);
                }
            };
            let message = format!("`{name}` has no `{}`", segment.name);
            let mut error =
                fault(Code::UnknownName, segment.span, message).at("not declared there");
            if let Some(similar) = most_similar(&segment.name, candidates.iter()) {
                error = error.help(format!("did you mean `{similar}`?"));
            }
            return self.report(error);
        }
    }

    fn unknown_first(&mut self, name: &Ident) {
        if self.is_full() {
            return;
        }
        if let Some(&declared) = self.local_names.get(&name.name).filter(|_| !self.context.in_code)
        {
            let message =
                format!("`{}` is a local variable, unknown outside its thread", name.name);
            let error = fault(Code::LocalNotAllowed, name.span, message)
                .at(format!("cannot be named in {}", self.context.place))
                .label(declared, "declared here")
                .help("formulas of the program speak of shared variables; make it one with `var` at the top");
            return self.report(error);
        }
        let message = format!("there is nothing called `{}`", name.name);
        let mut error = fault(Code::UnknownName, name.span, message).at("not declared");
        let module = self.context.module.map(|module| &self.symbols.modules[module.index()]);
        let candidates = self.scope.names().chain(module.into_iter().flat_map(BTreeMap::keys));
        if let Some(similar) = most_similar(&name.name, candidates.chain(self.symbols.root.keys()))
        {
            error = error.help(format!("did you mean `{similar}`?"));
        } else if let Some(module) = self.module_with(&name.name) {
            error = error.help(format!("did you mean `{module}.{}`?", name.name));
        } else if let "acquire" | "release" = name.name.as_str() {
            error = error
                .help(format!("the statement is written `{} m;` without parentheses", name.name));
        }
        self.report(error);
    }

    /// Reports a name that is not a type; proposes only types, including those of the language.
    pub(super) fn unknown_type_name(&mut self, name: &Ident) {
        if self.is_full() {
            return;
        }
        let message = format!("there is nothing called `{}`", name.name);
        let mut error = fault(Code::UnknownName, name.span, message).at("not declared");
        let module = self.context.module.map(|module| &self.symbols.modules[module.index()]);
        let declared = module
            .into_iter()
            .chain(std::iter::once(&self.symbols.root))
            .flatten()
            .filter(|(_, declared)| declared.symbol.describe() == "a type")
            .map(|(name, _)| name);
        if let Some(similar) = most_similar(&name.name, declared) {
            error = error.help(format!("did you mean `{similar}`?"));
        } else if let Some(built_in) = similar_built_in(&name.name) {
            error = error.help(format!("did you mean `{built_in}`?"));
        } else if let Some(module) = self.module_with(&name.name) {
            error = error.help(format!("did you mean `{module}.{}`?", name.name));
        }
        self.report(error);
    }

    fn module_with(&self, name: &Name) -> Option<&Name> {
        let at = self.symbols.modules.iter().position(|table| table.contains_key(name))?;
        Some(&self.program.modules[at].name)
    }
}

/// The type of the language that a misspelt one means. Case does not count, and words of other
/// languages are known.
fn similar_built_in(name: &Name) -> Option<&'static str> {
    const WORDS: [(&str, &str); 5] =
        [("int", "int"), ("integer", "int"), ("bool", "bool"), ("boolean", "bool"), ("tid", "Tid")];
    let lower = Name::from(name.as_str().to_lowercase().as_str());
    let words = WORDS.map(|(word, _)| Name::from(word));
    let similar = most_similar(&lower, words.iter())?;
    WORDS.iter().find(|(word, _)| similar.as_str() == *word).map(|&(_, built_in)| built_in)
}
