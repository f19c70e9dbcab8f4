//! First pass: every item gets its name and its place in the tables, before any type or formula is
//! looked at.

use super::symbols::{Declared, Symbol, Table};
use super::{PredFacts, Resolver, Signature, fault};
use crate::ast::{self, Ident, Item, ItemKind, StmtKind};
use crate::hir::{
    self, ConstId, EnumId, GlobalId, ModuleId, OpaqueId, PredId, ProcId, ThreadId, Ty,
};
use diagnostic::Code;
use source::{Name, Span};
use std::collections::BTreeMap;

/// The items by kind, each at the position of its id, with the module it stands in.
#[derive(Default)]
pub(super) struct Declarations<'a> {
    pub(super) consts: Vec<(Option<ModuleId>, &'a ast::ConstItem)>,
    pub(super) aliases: Vec<(Option<ModuleId>, &'a Ident, &'a ast::Type)>,
    pub(super) vars: Vec<(Option<ModuleId>, GlobalId, &'a ast::VarItem)>,
    pub(super) preds: Vec<(Option<ModuleId>, &'a ast::PredItem)>,
    pub(super) procs: Vec<(Option<ModuleId>, &'a ast::Proc)>,
    pub(super) threads: Vec<(Option<ModuleId>, &'a ast::Thread)>,
    /// Variables with an initial value, mutexes and formulas, in the order of the text.
    pub(super) formulas: Vec<(Option<ModuleId>, FormulaSource<'a>)>,
}

/// The origin of a formula.
pub(super) enum FormulaSource<'a> {
    Initial(GlobalId, &'a Ident, &'a ast::Expr),
    /// A mutex that nobody holds, or a condition for which nobody waits.
    Empty(GlobalId, &'a Ident),
    Item(&'a Item),
}

impl Resolver {
    pub(super) fn collect<'a>(&mut self, file: &'a ast::File) -> Declarations<'a> {
        let mut declarations = Declarations::default();
        for item in &file.items {
            if let ItemKind::Module(module) = &item.kind {
                let id = ModuleId::from_index(self.program.modules.len());
                let name = module.name.name.clone();
                self.program.modules.push(hir::Module { name, span: module.name.span });
                self.symbols.modules.push(Table::new());
                self.declare(None, &module.name, Symbol::Module(id));
                for inner in &module.items {
                    self.collect_item(Some(id), inner, &mut declarations);
                }
            } else {
                self.collect_item(None, item, &mut declarations);
            }
        }
        declarations
    }

    fn collect_item<'a>(
        &mut self,
        module: Option<ModuleId>,
        item: &'a Item,
        declarations: &mut Declarations<'a>,
    ) {
        match &item.kind {
            ItemKind::Const(const_item) => {
                let id = ConstId::from_index(self.program.consts.len());
                let name = self.full_name(module, &const_item.name);
                let span = const_item.name.span;
                self.program.consts.push(hir::Const { name, ty: Ty::Int, value: None, span });
                self.const_types.push(None);
                self.declare(module, &const_item.name, Symbol::Const(id));
                declarations.consts.push((module, const_item));
            }
            ItemKind::Type(type_item) => self.collect_type(module, type_item, declarations),
            ItemKind::Enum(enum_item) => self.collect_enum(module, enum_item),
            ItemKind::Var(var) => {
                for name in &var.names {
                    let id = self.collect_global(module, name, None);
                    declarations.vars.push((module, id, var));
                    if let Some(value) = &var.value {
                        declarations
                            .formulas
                            .push((module, FormulaSource::Initial(id, name, value)));
                    }
                }
            }
            ItemKind::Mutex(names) => {
                for name in names {
                    let id = self.collect_global(module, name, Some(Ty::Tid));
                    declarations.formulas.push((module, FormulaSource::Empty(id, name)));
                }
            }
            ItemKind::Condition(names) => {
                for name in names {
                    let ty = Ty::Set(Box::new(Ty::Tid));
                    let id = self.collect_global(module, name, Some(ty));
                    declarations.formulas.push((module, FormulaSource::Empty(id, name)));
                }
            }
            ItemKind::Init(_) | ItemKind::Invariant(_) | ItemKind::Rely(_) | ItemKind::Never(_) => {
                declarations.formulas.push((module, FormulaSource::Item(item)));
            }
            ItemKind::Unsupported(message) => {
                let (message, span) = (message.clone(), item.span);
                self.program.unsupported.push(hir::Unsupported { message, span });
            }
            ItemKind::Pred(pred) => {
                self.collect_pred(module, pred);
                declarations.preds.push((module, pred));
            }
            ItemKind::Proc(proc) => {
                self.collect_proc(module, proc);
                declarations.procs.push((module, proc));
            }
            ItemKind::Thread(thread) => {
                self.collect_thread(module, thread);
                declarations.threads.push((module, thread));
            }
            // The parser refuses modules in modules.
            ItemKind::Module(_) => {}
        }
    }

    fn collect_type<'a>(
        &mut self,
        module: Option<ModuleId>,
        item: &'a ast::TypeItem,
        declarations: &mut Declarations<'a>,
    ) {
        if let Some(alias) = &item.alias {
            self.declare(module, &item.name, Symbol::Alias(self.aliases.len()));
            self.aliases.push(None);
            declarations.aliases.push((module, &item.name, alias));
        } else {
            let id = OpaqueId::from_index(self.program.opaques.len());
            let name = self.full_name(module, &item.name);
            self.program.opaques.push(hir::Opaque {
                name,
                span: item.name.span,
                size: None,
                naming: None,
            });
            self.declare(module, &item.name, Symbol::Opaque(id));
        }
    }

    fn collect_enum(&mut self, module: Option<ModuleId>, item: &ast::EnumItem) {
        let id = EnumId::from_index(self.program.enums.len());
        let name = self.full_name(module, &item.name);
        self.declare(module, &item.name, Symbol::Enum(id));
        if item.variants.is_empty() {
            let message = format!("`{}` has no variants", item.name.name);
            let error = fault(Code::EmptyType, item.name.span, message)
                .at("a type needs values")
                .help("write at least one variant, or `type T;` for a type about which nothing is known");
            self.report(error);
        }
        let mut variants: Vec<Name> = Vec::new();
        let mut first: BTreeMap<&Name, Span> = BTreeMap::new();
        for variant in &item.variants {
            if let Some(&span) = first.get(&variant.name) {
                self.duplicate(variant, span);
                continue;
            }
            first.insert(&variant.name, variant.span);
            let at = source::number(variants.len());
            variants.push(variant.name.clone());
            self.declare_variant(module, variant, (id, at));
        }
        self.program.enums.push(hir::Enum { name, variants, span: item.name.span });
    }

    /// Two enumerations may share a variant's name; then it must be written in full.
    fn declare_variant(&mut self, module: Option<ModuleId>, variant: &Ident, id: (EnumId, u32)) {
        if let Some(Declared { symbol: Symbol::Variants(all), .. }) =
            self.symbols.table_mut(module).get_mut(&variant.name)
        {
            all.push(id);
        } else {
            self.declare(module, variant, Symbol::Variants(vec![id]));
        }
    }

    /// A variable; `sync` is the type of one that threads synchronize by.
    fn collect_global(
        &mut self,
        module: Option<ModuleId>,
        name: &Ident,
        sync: Option<Ty>,
    ) -> GlobalId {
        let id = GlobalId::from_index(self.program.globals.len());
        let full = self.full_name(module, name);
        self.program.globals.push(hir::Global {
            name: full,
            ty: sync.clone().unwrap_or(Ty::Int),
            is_sync: sync.is_some(),
            guard: None,
            module,
            span: name.span,
        });
        self.global_types.push(sync);
        self.declare(module, name, Symbol::Global(id));
        id
    }

    fn collect_pred(&mut self, module: Option<ModuleId>, item: &ast::PredItem) {
        let id = PredId::from_index(self.program.preds.len());
        let name = self.full_name(module, &item.name);
        let body = super::preds::trivial(item.name.span);
        let span = item.name.span;
        self.program.preds.push(hir::Pred {
            name,
            params: Vec::new(),
            ty: Ty::Bool,
            body,
            two_store: false,
            span,
        });
        self.pred_facts.push(PredFacts::default());
        let symbol = if item.ty.is_some() { Symbol::Function(id) } else { Symbol::Pred(id) };
        self.declare(module, &item.name, symbol);
    }

    fn collect_proc(&mut self, module: Option<ModuleId>, item: &ast::Proc) {
        let id = ProcId::from_index(self.program.procs.len());
        let name = self.full_name(module, &item.name);
        self.program.procs.push(hir::Proc {
            name,
            params: Vec::new(),
            results: Vec::new(),
            spec: None,
            is_atomic: item.is_atomic,
            body: hir::Body::default(),
            module,
            span: item.name.span,
        });
        self.signatures.push(Signature::default());
        self.declare(module, &item.name, Symbol::Proc(id));
        for param in item.params.iter().chain(&item.results) {
            self.local_names.entry(param.name.name.clone()).or_insert(param.name.span);
        }
        self.collect_locals(&item.body.stmts);
    }

    fn collect_thread(&mut self, module: Option<ModuleId>, item: &ast::Thread) {
        let id = ThreadId::from_index(self.program.threads.len());
        let name = self.full_name(module, &item.name);
        let count = match &item.copies {
            ast::Copies::One => hir::Count::One,
            ast::Copies::Counted(_) | ast::Copies::Any => hir::Count::Any,
        };
        let (relies, body) = (Vec::new(), hir::Body::default());
        let (is_forked, span) = (item.forked.is_some(), item.name.span);
        self.program.threads.push(hir::Thread { name, count, relies, body, is_forked, span });
        self.declare(module, &item.name, Symbol::Thread(id));
        self.collect_forked(module, item);
        self.collect_locals(&item.body.stmts);
    }

    fn collect_locals(&mut self, stmts: &[ast::Stmt]) {
        for stmt in stmts {
            if let StmtKind::Var(var) = &stmt.kind {
                for name in &var.names {
                    self.local_names.entry(name.name.clone()).or_insert(name.span);
                }
            }
            for block in stmt.blocks() {
                self.collect_locals(&block.stmts);
            }
        }
    }

    pub(super) fn full_name(&self, module: Option<ModuleId>, name: &Ident) -> Name {
        match module {
            Some(module) => {
                Name::from(format!("{}.{}", self.program.modules[module.index()].name, name.name))
            }
            None => name.name.clone(),
        }
    }

    fn declare(&mut self, module: Option<ModuleId>, name: &Ident, symbol: Symbol) {
        let table = self.symbols.table_mut(module);
        match table.get(&name.name).map(|declared| declared.span) {
            Some(first) => self.duplicate(name, first),
            None => {
                table.insert(name.name.clone(), Declared { symbol, span: name.span });
            }
        }
    }

    pub(super) fn duplicate(&mut self, name: &Ident, first: Span) {
        let error =
            fault(Code::DuplicateName, name.span, format!("`{}` is declared twice", name.name))
                .at("the second declaration")
                .label(first, "first declared here")
                .help("rename one of them");
        self.report(error);
    }
}
