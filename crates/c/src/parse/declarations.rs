//! Types, variables and functions.

use super::specifiers::{Specifier, is_thread_type, known_type, simple, specifier};
use super::{Answer, Meaning, Parser, Stuck};
use crate::syntax::{Declared, Function, Initial, Type, Unit};
use crate::tokens::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// The words before the names of a declaration.
pub(super) struct Base {
    pub(super) ty: Type,
    pub(super) is_static: bool,
    is_typedef: bool,
    is_extern: bool,
    is_thread_local: bool,
}

/// A name with its type, and its parameters if it is a function.
struct Declarator {
    name: String,
    ty: Type,
    params: Option<Vec<Declared>>,
}

/// The declarations outside of functions so far.
#[derive(Default)]
pub(super) struct Globals {
    /// The position of a variable in the list, and whether it was defined and not only announced.
    variables: BTreeMap<String, (usize, bool)>,
    functions: BTreeSet<String>,
}

impl Globals {
    /// If a variable is declared more than once, it has the value that one of the declarations
    /// gives.
    fn declare(&mut self, declared: Declared, is_definition: bool, unit: &mut Unit) {
        match self.variables.get_mut(&declared.name) {
            Some((at, is_defined)) => {
                let known = &mut unit.globals[*at];
                if declared.value.is_some() && known.value.is_some() {
                    unit.lost.insert(declared.name.clone());
                }
                if declared.value.is_some() || is_definition && known.value.is_none() {
                    *known = declared;
                }
                *is_defined |= is_definition;
            }
            None => {
                let at = unit.globals.len();
                self.variables.insert(declared.name.clone(), (at, is_definition));
                unit.globals.push(declared);
            }
        }
    }

    /// A variable that is only announced has its value from somewhere else.
    pub(super) fn lose_undefined(&self, unit: &mut Unit) {
        let undefined = self.variables.iter().filter(|(_, (_, is_defined))| !is_defined);
        unit.lost.extend(undefined.map(|(name, _)| name.clone()));
    }
}

impl Parser {
    /// A declaration or a function outside of functions.
    pub(super) fn external(&mut self, unit: &mut Unit) -> Answer<()> {
        if self.eat(";") || self.static_assertion()? {
            return Ok(());
        }
        let start = self.span();
        let base = self.base()?;
        if self.eat(";") {
            return Ok(());
        }
        loop {
            let number = self.at;
            let Declarator { name, ty, params } = self.declarator(&base)?;
            if !base.is_typedef {
                self.declare(&name, Meaning::Value);
            }
            if let Some(params) = params {
                if base.is_typedef {
                    let ty = Type::Other("a type of functions".to_owned());
                    self.declare(&name, Meaning::Type(ty));
                } else if self.is("{") {
                    let span = self.since(start);
                    let body = self.scoped(|parser| {
                        for param in &params {
                            parser.declare(&param.name, Meaning::Value);
                        }
                        parser.block()
                    })?;
                    let ty = ty.plain();
                    // It is not known which of two is meant.
                    if !self.globals.functions.insert(name.clone()) {
                        unit.lost.insert(name.clone());
                    }
                    unit.functions.push(Function { name, ty, params, body, span });
                    return Ok(());
                }
            } else if base.is_typedef {
                self.declare(&name, Meaning::Type(ty));
            } else {
                let value = if self.eat("=") { Some(self.initial()?) } else { None };
                let (is_atomic, ty, span) = (ty.is_atomic(), ty.plain(), self.since(start));
                let (is_static, is_thread_local) = (base.is_static, base.is_thread_local);
                let is_definition = !base.is_extern || value.is_some();
                let declared = Declared {
                    name,
                    ty,
                    value,
                    is_static,
                    is_atomic,
                    is_thread_local,
                    number,
                    span,
                };
                self.globals.declare(declared, is_definition, unit);
            }
            if !self.eat(",") {
                return self.expect(";");
            }
        }
    }

    /// A declaration inside a function, after its base.
    pub(super) fn declared(&mut self, base: &Base) -> Answer<Vec<Declared>> {
        let mut all = Vec::new();
        if self.eat(";") {
            return Ok(all);
        }
        loop {
            let (start, number) = (self.span(), self.at);
            let Declarator { name, ty, params } = self.declarator(base)?;
            let is_variable = !base.is_typedef && params.is_none();
            if is_variable && base.is_extern {
                return self.stuck("a variable that is declared again inside of a function");
            }
            let meaning = if base.is_typedef { Meaning::Type(ty.clone()) } else { Meaning::Value };
            self.declare(&name, meaning);
            let value = if self.eat("=") { Some(self.initial()?) } else { None };
            let span = self.since(start);
            if is_variable {
                let (is_atomic, ty) = (ty.is_atomic(), ty.plain());
                // Inside of a function, only static variables can be thread-local.
                let (is_static, is_thread_local) = (base.is_static, base.is_thread_local);
                all.push(Declared {
                    name,
                    ty,
                    value,
                    is_static: is_static || is_thread_local,
                    is_atomic,
                    is_thread_local,
                    number,
                    span,
                });
            }
            if !self.eat(",") {
                self.expect(";")?;
                return Ok(all);
            }
        }
    }

    /// `_Static_assert(condition, "text");`
    pub(super) fn static_assertion(&mut self) -> Answer<bool> {
        if !self.is_word("_Static_assert") && !self.is_word("static_assert") {
            return Ok(false);
        }
        let start = self.span();
        self.advance();
        self.expect("(")?;
        let cond = self.conditional()?;
        if self.eat(",") && matches!(self.kind(), Kind::Text(_)) {
            self.advance();
        }
        self.expect(")")?;
        self.expect(";")?;
        let span = self.since(start);
        match crate::constant::value(&cond, &|_| None) {
            Some((0, _)) => {
                let message = "this is false, so that the text is no program".to_owned();
                self.refused.push(Stuck { span, message });
                Ok(true)
            }
            Some(_) => Ok(true),
            None => Err(Stuck { span, message: "a condition that is not a constant".to_owned() }),
        }
    }

    /// Whether a declaration begins here.
    pub(super) fn starts_type(&self) -> bool {
        let Kind::Name(name) = self.kind() else { return false };
        specifier(name).is_some()
            || matches!(name.as_str(), "__extension__" | "_Alignas" | "__attribute__")
            || self.named_type(name).is_some()
    }

    /// The type that a name stands for. Definitions of the types of threads in the text are those
    /// of some library and do not count.
    fn named_type(&self, name: &str) -> Option<Type> {
        match (known_type(name), self.meaning(name)) {
            (Some(known), Some(Meaning::Type(_))) if is_thread_type(&known) => Some(known),
            (_, Some(Meaning::Type(ty))) => Some(ty.clone()),
            (_, Some(Meaning::Constant(_) | Meaning::Value)) => None,
            (known, None) => known,
        }
    }

    pub(super) fn base(&mut self) -> Answer<Base> {
        let mut base = Base {
            ty: Type::Void,
            is_static: false,
            is_typedef: false,
            is_extern: false,
            is_thread_local: false,
        };
        let mut words: Vec<String> = Vec::new();
        let mut named = None;
        let mut is_atomic = false;
        loop {
            self.attributes()?;
            let Kind::Name(name) = self.kind().clone() else { break };
            match specifier(&name) {
                Some(Specifier::Static) => base.is_static = true,
                Some(Specifier::Typedef) => base.is_typedef = true,
                Some(Specifier::Extern) => base.is_extern = true,
                Some(Specifier::ThreadLocal) => base.is_thread_local = true,
                Some(Specifier::Atomic) => {
                    is_atomic = true;
                    if *self.ahead(1) == Kind::Sign("(") {
                        self.advance();
                        self.advance();
                        named = Some(self.type_name()?);
                        if !self.is(")") {
                            return self.stuck("`)` is expected here");
                        }
                    }
                }
                Some(Specifier::Harmless) => {}
                Some(Specifier::Tagged) => {
                    named = Some(self.tagged()?);
                    continue;
                }
                Some(Specifier::Word) => words.push(name.clone()),
                None if named.is_none() && words.is_empty() => {
                    let Some(ty) = self.named_type(&name) else { break };
                    named = Some(ty);
                }
                None => break,
            }
            self.advance();
        }
        base.ty = match named {
            Some(_) if !words.is_empty() => return self.stuck("one type is expected here"),
            Some(ty) => ty,
            None if words.is_empty() && !base.is_static && !base.is_extern => {
                return self.stuck("a type is expected here");
            }
            None => simple(&words),
        };
        if is_atomic {
            base.ty = Type::Atomic(Box::new(base.ty));
        }
        Ok(base)
    }

    /// `struct s { ... }` and the like: only enumerations are understood.
    fn tagged(&mut self) -> Answer<Type> {
        let Kind::Name(word) = self.kind().clone() else {
            return self.stuck("a type is expected here");
        };
        self.advance();
        self.attributes()?;
        let tag = if let Kind::Name(_) = self.kind() { self.name()? } else { String::new() };
        let tagged = format!("{word} {tag}");
        if word == "enum" {
            if self.eat("{") {
                let ty = self.variants()?;
                self.attributes()?;
                if !tag.is_empty() {
                    self.declare(&tagged, Meaning::Type(ty.clone()));
                }
                return Ok(ty);
            }
            return match self.meaning(&tagged) {
                Some(Meaning::Type(ty)) => Ok(ty.clone()),
                _ => self.stuck("an enumeration that is not known"),
            };
        }
        if self.is("{") && !self.skip_brackets() {
            return self.stuck("this does not end");
        }
        Ok(Type::Other(tagged.trim_end().to_owned()))
    }

    /// The constants of an enumeration, whose type has negative numbers only if one of the
    /// constants is negative.
    fn variants(&mut self) -> Answer<Type> {
        let mut next = 0;
        let mut signed = false;
        while !self.eat("}") {
            let name = self.name()?;
            self.attributes()?;
            if self.eat("=") {
                let value = self.conditional()?;
                let Some((value, _)) = crate::constant::value(&value, &|_| None) else {
                    return self.stuck("a constant is expected here");
                };
                next = value;
            }
            if next != crate::constant::wrapped(next, 32, true) {
                return self.stuck("a constant of more than 32 bits");
            }
            signed |= next < 0;
            self.declare(&name, Meaning::Constant(next));
            next += 1;
            if !self.eat(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Type::Int(32, signed))
    }

    /// `*name[size]` and the like, after the base of the declaration.
    fn declarator(&mut self, base: &Base) -> Answer<Declarator> {
        self.deeper(|parser| parser.bare_declarator(&base.ty))
    }

    fn bare_declarator(&mut self, base: &Type) -> Answer<Declarator> {
        let mut ty = base.clone();
        self.attributes()?;
        while self.eat("*") {
            ty = Type::Pointer(Box::new(ty));
            while matches!(self.kind(), Kind::Name(name) if matches!(specifier(name), Some(Specifier::Harmless)))
            {
                self.advance();
            }
            self.attributes()?;
        }
        let mut inner = None;
        if self.eat("(") {
            inner = Some(self.deeper(|parser| parser.bare_declarator(&Type::Void))?);
            self.expect(")")?;
        }
        let name = match (&inner, self.kind()) {
            (Some(inner), _) => inner.name.clone(),
            (None, Kind::Name(_)) => self.name()?,
            _ => String::new(),
        };
        self.attributes()?;
        let mut params = None;
        if self.is("(") {
            params = Some(self.params()?);
            self.attributes()?;
        }
        let mut sizes = Vec::new();
        while self.eat("[") {
            sizes.push(if self.is("]") { None } else { Some(Box::new(self.conditional()?)) });
            self.expect("]")?;
        }
        self.attributes()?;
        for size in sizes.into_iter().rev() {
            ty = Type::Array(Box::new(ty), size);
        }
        match inner {
            // Parentheses around a name alone mean nothing.
            Some(Declarator { ty: Type::Void, params: None, .. }) | None => {
                Ok(Declarator { name, ty, params })
            }
            Some(_) => {
                let ty = Type::Other("a pointer to a function or an array".to_owned());
                Ok(Declarator { name, ty, params: None })
            }
        }
    }

    fn params(&mut self) -> Answer<Vec<Declared>> {
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.eat(")") {
            if self.eat("...") {
                continue;
            }
            let (start, number) = (self.span(), self.at);
            let base = self.base()?;
            let Declarator { name, mut ty, params: is_function } = self.declarator(&base)?;
            if let Type::Array(element, _) = ty {
                ty = Type::Pointer(element);
            }
            if is_function.is_some() {
                ty = Type::Other("a pointer to a function".to_owned());
            }
            if ty != Type::Void {
                let (is_atomic, ty, span) = (ty.is_atomic(), ty.plain(), self.since(start));
                params.push(Declared {
                    name,
                    ty,
                    value: None,
                    is_static: false,
                    is_atomic,
                    is_thread_local: false,
                    number,
                    span,
                });
            }
            if !self.eat(",") && !self.is(")") {
                return self.stuck("`,` or `)` is expected here");
            }
        }
        Ok(params)
    }

    fn initial(&mut self) -> Answer<Initial> {
        if !self.eat("{") {
            return Ok(Initial::Value(self.assignment()?));
        }
        self.deeper(|parser| {
            let mut all = Vec::new();
            while !parser.eat("}") {
                all.push(parser.initial()?);
                if !parser.eat(",") {
                    parser.expect("}")?;
                    break;
                }
            }
            Ok(Initial::List(all))
        })
    }

    /// A type without a name, as in a cast.
    pub(super) fn type_name(&mut self) -> Answer<Type> {
        let base = self.base()?;
        let Declarator { name, ty, params } = self.declarator(&base)?;
        if !name.is_empty() || params.is_some() {
            return self.stuck("a type is expected here");
        }
        Ok(ty.plain())
    }
}
