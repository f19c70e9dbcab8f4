//! Items.

use super::Parser;
use super::recovery::may_start_item;
use crate::ast::{
    ConstItem, EnumItem, Expr, Formula, Ident, Item, ItemKind, ModuleItem, Never, Path, PredItem,
    Type, TypeItem, TypeKind, VarItem,
};
use crate::lexer::TokenKind;
use parsing::{Parsed, Reported, Rules, syntax_error};

impl Parser<'_> {
    pub(super) fn file_items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.is_at(TokenKind::End) {
            if self.is_at(TokenKind::CloseBrace) {
                let error =
                    syntax_error(self.span(), "unexpected `}`").at("closes nothing that is open");
                self.error(error);
                self.bump();
                continue;
            }
            self.item_or_skip(false, &mut items);
        }
        items
    }

    fn item_or_skip(&mut self, in_module: bool, items: &mut Vec<Item>) {
        if self.eat(TokenKind::Semicolon) {
            return;
        }
        let found = self.one_or_skip(|p| p.item(in_module), |p| p.skip_to_item(in_module));
        items.extend(found.into_iter().flatten());
    }

    /// An item, or one for each of several constants that are declared together.
    fn item(&mut self, in_module: bool) -> Parsed<Vec<Item>> {
        let start = self.span();
        let keyword = self.kind();
        let is_atomic = keyword == TokenKind::Atomic && self.nth(1) == TokenKind::Proc;
        let is_word = |p: &Self, word| p.is_at_word(word) && p.nth(1) == TokenKind::Ident;
        let (function, condition) = (is_word(self, "func"), is_word(self, "condition"));
        if !may_start_item(keyword) && !is_atomic && !function && !condition {
            return Err(self.not_an_item());
        }
        self.bump();
        if keyword == TokenKind::Const {
            let consts = self.const_items()?;
            let span = self.span_from(start);
            self.end_item(in_module);
            let item = |one| Item { kind: ItemKind::Const(one), span };
            return Ok(consts.into_iter().map(item).collect());
        }
        let kind = match keyword {
            TokenKind::Ident if condition => {
                ItemKind::Condition(self.comma_list(|p| p.ident("the name of a condition"))?)
            }
            TokenKind::Ident => ItemKind::Pred(self.func_item()?),
            TokenKind::Type => ItemKind::Type(self.type_item()?),
            TokenKind::Enum => {
                return Ok(vec![Item { kind: self.enum_item()?, span: self.span_from(start) }]);
            }
            TokenKind::Var => ItemKind::Var(self.var_item()?),
            TokenKind::Mutex => {
                ItemKind::Mutex(self.comma_list(|p| p.ident("the name of a mutex"))?)
            }
            TokenKind::Init => ItemKind::Init(self.formula()?),
            TokenKind::Invariant => ItemKind::Invariant(self.formula()?),
            TokenKind::Rely => ItemKind::Rely(self.formula()?),
            TokenKind::Never => ItemKind::Never(self.never()?),
            TokenKind::Pred => ItemKind::Pred(self.pred_item()?),
            TokenKind::Proc | TokenKind::Atomic => {
                if is_atomic {
                    self.bump();
                }
                let proc = Box::new(self.proc_item(is_atomic)?);
                return Ok(vec![Item { kind: ItemKind::Proc(proc), span: self.span_from(start) }]);
            }
            TokenKind::Thread => {
                let thread = Box::new(self.thread_item()?);
                return Ok(vec![Item {
                    kind: ItemKind::Thread(thread),
                    span: self.span_from(start),
                }]);
            }
            _ => return Ok(vec![self.module_item(in_module)?]),
        };
        let span = self.span_from(start);
        self.end_item(in_module);
        Ok(vec![Item { kind, span }])
    }

    fn not_an_item(&mut self) -> Reported {
        let found = self.describe();
        let error = syntax_error(self.span(), format!("expected an item, found {found}"))
            .at("no item starts like this")
            .help(
                "items are `const`, `type`, `enum`, `var`, `mutex`, `condition`, `init`, `invariant`, `rely`, `never`, `pred`, \
                 `func`, `proc`, `thread` and `module`; statements stand inside a `thread` or a `proc`",
            );
        self.error(error)
    }

    /// Constants that share a type and a value, if they have one.
    fn const_items(&mut self) -> Parsed<Vec<ConstItem>> {
        let names = self.comma_list(|p| p.ident("the name of a constant"))?;
        let ty = self.declared_type("int");
        let value = self.initial_value();
        let one = |name| ConstItem { name, ty: ty.clone(), value: value.clone() };
        Ok(names.into_iter().map(one).collect())
    }

    fn type_item(&mut self) -> Parsed<TypeItem> {
        let name = self.ident("the name of a type")?;
        let alias = if self.eat(TokenKind::Eq) { Some(self.type_or_error()) } else { None };
        Ok(TypeItem { name, alias })
    }

    fn enum_item(&mut self) -> Parsed<ItemKind> {
        let name = self.ident("the name of an enumeration")?;
        self.expect(TokenKind::OpenBrace)?;
        let mut variants = Vec::new();
        while !self.is_at(TokenKind::CloseBrace) {
            variants.push(self.ident("the name of a variant")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::CloseBrace)?;
        self.eat(TokenKind::Semicolon);
        Ok(ItemKind::Enum(EnumItem { name, variants }))
    }

    fn var_item(&mut self) -> Parsed<VarItem> {
        let names = self.comma_list(|p| p.ident("the name of a variable"))?;
        let ty = self.declared_type("int");
        let value = self.initial_value();
        let guard = self.guard()?;
        Ok(VarItem { names, ty, value, guard })
    }

    /// `guarded by lock`.
    fn guard(&mut self) -> Parsed<Option<Path>> {
        if !self.is_at_word("guarded") {
            return Ok(None);
        }
        self.bump();
        if !self.is_at_word("by") {
            return Err(self.unexpected("`by` and the name of a lock"));
        }
        self.bump();
        Ok(Some(self.path("the name of a lock")?))
    }

    /// `: T`; a fault in it does not lose the declaration.
    fn declared_type(&mut self, example: &str) -> Type {
        if self.eat(TokenKind::Colon) {
            return self.type_or_error();
        }
        let found = self.describe();
        let error =
            syntax_error(self.previous_span(), format!("expected `:` and a type, found {found}"))
                .at("the type is missing after this")
                .help(format!("for example `: {example}`"));
        self.error(error);
        Type { kind: TypeKind::Error, span: self.previous_span() }
    }

    fn initial_value(&mut self) -> Option<Expr> {
        if self.is_at(TokenKind::Assign) {
            let error = syntax_error(self.span(), "`:=` in a declaration")
                .at("assigns, which only statements do")
                .help("write `=` for the initial value of a shared variable or a constant");
            self.error(error);
        } else if !self.is_at(TokenKind::Eq) {
            return None;
        }
        self.bump();
        Some(self.expr_or_error())
    }

    /// `name: e`, the keyword being taken already.
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        let start = self.previous_span();
        let name = self.formula_name()?;
        let expr = self.expr_or_error();
        Ok(Formula { name, expr, span: self.span_from(start) })
    }

    fn formula_name(&mut self) -> Parsed<Option<Ident>> {
        if self.nth(1) != TokenKind::Colon || !self.is_at(TokenKind::Ident) {
            return Ok(None);
        }
        let name = self.ident("a name")?;
        self.bump();
        Ok(Some(name))
    }

    fn never(&mut self) -> Parsed<Never> {
        if self.is_at_word("deadlock") && self.nth(1) == TokenKind::Semicolon {
            self.bump();
            return Ok(Never::Deadlock);
        }
        if !self.is_at_word("race")
            || !matches!(self.nth(1), TokenKind::Semicolon | TokenKind::Ident)
        {
            return Ok(Never::Formula(self.formula()?));
        }
        self.bump();
        if self.is_at(TokenKind::Semicolon) {
            return Ok(Never::Race(Vec::new()));
        }
        if !self.is_at_word("on") {
            return Err(self.unexpected("`;` or `on`"));
        }
        self.bump();
        Ok(Never::Race(self.comma_list(|p| p.path("the name of a variable"))?))
    }

    fn pred_item(&mut self) -> Parsed<PredItem> {
        let name = self.ident("the name of a predicate")?;
        let params = if self.is_at(TokenKind::OpenParen) { self.params()? } else { Vec::new() };
        if self.is_at(TokenKind::OpenBrace) {
            let error = syntax_error(self.span(), "expected `=` and a formula, found `{`")
                .help("a predicate is a formula: `pred locked(i: Tid) = m == i;`");
            return Err(self.error(error));
        }
        let body = self.definition()?;
        Ok(PredItem { name, params, ty: None, body })
    }

    /// `name(params): ty = e`, the word `func` being taken already.
    fn func_item(&mut self) -> Parsed<PredItem> {
        let name = self.ident("the name of a function")?;
        let params = if self.is_at(TokenKind::OpenParen) { self.params()? } else { Vec::new() };
        let ty = Some(self.declared_type("int"));
        if self.is_at(TokenKind::OpenBrace) {
            let error = syntax_error(self.span(), "expected `=` and an expression, found `{`")
                .help(
                    "a function is an expression: `func larger(a, b: int): int = a > b ? a : b;`",
                );
            return Err(self.error(error));
        }
        let body = self.definition()?;
        Ok(PredItem { name, params, ty, body })
    }

    /// `= e`.
    fn definition(&mut self) -> Parsed<Expr> {
        if self.is_at(TokenKind::Assign) {
            let error = syntax_error(self.span(), "`:=` in a definition")
                .at("assigns, which only statements do")
                .help("write `=`");
            self.error(error);
            self.bump();
        } else {
            self.expect(TokenKind::Eq)?;
        }
        Ok(self.expr_or_error())
    }

    fn module_item(&mut self, in_module: bool) -> Parsed<Item> {
        let start = self.previous_span();
        if in_module {
            let error = syntax_error(start, "a module inside a module")
                .at("modules do not nest")
                .help("close the outer module first");
            return Err(self.error(error));
        }
        let name = self.ident("the name of a module")?;
        let open = self.expect(TokenKind::OpenBrace)?.span;
        let mut items = Vec::new();
        while !matches!(self.kind(), TokenKind::CloseBrace | TokenKind::End) {
            self.item_or_skip(true, &mut items);
        }
        if !self.eat(TokenKind::CloseBrace) {
            self.missing_close_brace(open);
        }
        let span = self.span_from(start);
        Ok(Item { kind: ItemKind::Module(ModuleItem { name, items }), span })
    }
}
