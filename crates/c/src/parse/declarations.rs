//! Types, variables and functions.

use super::{Answer, Parser};
use crate::syntax::{Declared, Function, Initial, Type, Unit};
use crate::tokens::Kind;

/// What stands before the names of a declaration.
pub(super) struct Base {
    pub(super) ty: Type,
    pub(super) is_static: bool,
    is_typedef: bool,
    is_extern: bool,
}

/// A name with its type, and its parameters if it is a function.
struct Declarator {
    name: String,
    ty: Type,
    params: Option<Vec<Declared>>,
}

impl Parser {
    /// A declaration or a function outside of functions.
    pub(super) fn external(&mut self, unit: &mut Unit) -> Answer<()> {
        if self.eat(";") {
            return Ok(());
        }
        let start = self.span();
        let base = self.base()?;
        if self.eat(";") {
            return Ok(());
        }
        loop {
            let declarator = self.declarator(&base.ty)?;
            if let Some(params) = &declarator.params
                && self.is("{")
            {
                let span = self.since(start);
                let body = self.block()?;
                let Declarator { name, ty, .. } = declarator.clone_parts();
                unit.functions.retain(|function| function.name != name);
                unit.functions.push(Function { name, ty, params: params.clone(), body, span });
                return Ok(());
            }
            let value = if self.eat("=") { Some(self.initial()?) } else { None };
            if base.is_typedef {
                self.typedefs.insert(declarator.name, declarator.ty);
            } else if declarator.params.is_none() {
                let Declarator { name, ty, .. } = declarator;
                let span = self.since(start);
                // Declared more than once, a variable has the value that one of them gives.
                let known = unit.globals.iter().position(|known| known.name == name);
                let declared = Declared { name, ty, value, is_static: base.is_static, span };
                match known {
                    Some(at)
                        if declared.value.is_some()
                            || !base.is_extern && unit.globals[at].value.is_none() =>
                    {
                        unit.globals[at] = declared;
                    }
                    Some(_) => {}
                    None => unit.globals.push(declared),
                }
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
            let start = self.span();
            let Declarator { name, ty, params } = self.declarator(&base.ty)?;
            let value = if self.eat("=") { Some(self.initial()?) } else { None };
            let span = self.since(start);
            if base.is_typedef {
                self.typedefs.insert(name, ty);
            } else if params.is_none() && !base.is_extern {
                all.push(Declared { name, ty, value, is_static: base.is_static, span });
            }
            if !self.eat(",") {
                self.expect(";")?;
                return Ok(all);
            }
        }
    }

    /// Whether a declaration begins here.
    pub(super) fn starts_type(&self) -> bool {
        let Kind::Name(name) = self.kind() else { return false };
        is_type_word(name) || known_type(name).is_some() || self.typedefs.contains_key(name)
    }

    pub(super) fn base(&mut self) -> Answer<Base> {
        let mut base =
            Base { ty: Type::Void, is_static: false, is_typedef: false, is_extern: false };
        let mut words: Vec<String> = Vec::new();
        let mut named = None;
        loop {
            self.skip_attributes();
            let Kind::Name(name) = self.kind().clone() else { break };
            match name.as_str() {
                "static" => base.is_static = true,
                "typedef" => base.is_typedef = true,
                "extern" => base.is_extern = true,
                "const" | "volatile" | "register" | "inline" | "_Atomic" | "__volatile__"
                | "__const" | "_Noreturn" | "auto" | "_Thread_local" | "__thread"
                | "__inline__" => {}
                "struct" | "union" | "enum" => {
                    named = Some(self.tagged()?);
                    continue;
                }
                _ if is_type_word(&name) => words.push(name.clone()),
                _ if named.is_none() && words.is_empty() => {
                    let ty = known_type(&name).or_else(|| self.typedefs.get(&name).cloned());
                    let Some(ty) = ty else { break };
                    named = Some(ty);
                }
                _ => break,
            }
            self.advance();
        }
        base.ty = match named {
            Some(ty) => ty,
            None if words.is_empty() && !base.is_static && !base.is_extern => {
                return self.stuck("a type is expected here");
            }
            None => simple(&words),
        };
        Ok(base)
    }

    /// `struct s { ... }` and the like: only enumerations are understood.
    fn tagged(&mut self) -> Answer<Type> {
        let Kind::Name(word) = self.kind().clone() else {
            return self.stuck("a type is expected here");
        };
        self.advance();
        self.skip_attributes();
        let tag = if let Kind::Name(_) = self.kind() { self.name()? } else { String::new() };
        if word == "enum" {
            if self.eat("{") {
                self.variants()?;
            }
            return Ok(Type::Int(32, false));
        }
        if self.is("{") && !self.skip_brackets() {
            return self.stuck("this does not end");
        }
        Ok(Type::Other(format!("{word} {tag}").trim_end().to_owned()))
    }

    fn variants(&mut self) -> Answer<()> {
        let mut next = 0;
        while !self.eat("}") {
            let name = self.name()?;
            if self.eat("=") {
                let value = self.conditional()?;
                let Some(value) =
                    crate::constant::value(&value, &|name| self.constants.get(name).copied())
                else {
                    return self.stuck("a constant is expected here");
                };
                next = value;
            }
            self.constants.insert(name, next);
            next += 1;
            if !self.eat(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(())
    }

    /// `*name[size]` and the like.
    fn declarator(&mut self, base: &Type) -> Answer<Declarator> {
        let mut ty = base.clone();
        self.skip_attributes();
        while self.eat("*") {
            ty = Type::Pointer(Box::new(ty));
            while self.eat_word("const") || self.eat_word("volatile") || self.eat_word("restrict") {
            }
            self.skip_attributes();
        }
        if self.is("(") {
            // A pointer to a function.
            if !self.skip_brackets() || self.is("(") && !self.skip_brackets() {
                return self.stuck("this does not end");
            }
            let ty = Type::Other("a pointer to a function".to_owned());
            return Ok(Declarator { name: String::new(), ty, params: None });
        }
        let name = if let Kind::Name(_) = self.kind() { self.name()? } else { String::new() };
        self.skip_attributes();
        let mut params = None;
        if self.is("(") {
            params = Some(self.params()?);
            self.skip_attributes();
        }
        let mut sizes = Vec::new();
        while self.eat("[") {
            sizes.push(if self.is("]") { None } else { Some(Box::new(self.conditional()?)) });
            self.expect("]")?;
        }
        self.skip_attributes();
        for size in sizes.into_iter().rev() {
            ty = Type::Array(Box::new(ty), size);
        }
        Ok(Declarator { name, ty, params })
    }

    fn params(&mut self) -> Answer<Vec<Declared>> {
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.eat(")") {
            if self.eat("...") {
                continue;
            }
            let start = self.span();
            let base = self.base()?;
            let Declarator { name, mut ty, .. } = self.declarator(&base.ty)?;
            if let Type::Array(element, _) = ty {
                ty = Type::Pointer(element);
            }
            if ty != Type::Void {
                let span = self.since(start);
                params.push(Declared { name, ty, value: None, is_static: false, span });
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
        let Declarator { ty, .. } = self.declarator(&base.ty)?;
        Ok(ty)
    }
}

impl Declarator {
    fn clone_parts(&self) -> Self {
        Self { name: self.name.clone(), ty: self.ty.clone(), params: None }
    }
}

fn is_type_word(name: &str) -> bool {
    matches!(
        name,
        "int"
            | "char"
            | "short"
            | "long"
            | "unsigned"
            | "signed"
            | "void"
            | "_Bool"
            | "bool"
            | "float"
            | "double"
            | "const"
            | "volatile"
            | "static"
            | "extern"
            | "register"
            | "struct"
            | "union"
            | "enum"
            | "typedef"
            | "__signed__"
            | "_Atomic"
            | "__int128"
            | "inline"
            | "_Noreturn"
            | "__extension__"
            | "__inline"
            | "__inline__"
    )
}

fn simple(words: &[String]) -> Type {
    let has = |word: &str| words.iter().any(|found| found == word);
    let signed = !has("unsigned");
    if has("float") || has("double") {
        return Type::Other("a number with a fraction".to_owned());
    }
    if has("__int128") {
        return Type::Other("a number of 128 bits".to_owned());
    }
    match () {
        () if has("void") => Type::Void,
        () if has("_Bool") || has("bool") => Type::Bool,
        () if has("char") => Type::Int(8, signed),
        () if has("short") => Type::Int(16, signed),
        () if has("long") => Type::Int(64, signed),
        () => Type::Int(32, signed),
    }
}

/// Types of the libraries, known by name.
fn known_type(name: &str) -> Option<Type> {
    Some(match name {
        "pthread_t" => Type::Thread,
        "pthread_mutex_t" => Type::Mutex,
        "pthread_cond_t" => Type::Condition,
        "pthread_attr_t" | "pthread_mutexattr_t" | "pthread_condattr_t" => Type::Ignored,
        "size_t" | "uintptr_t" | "uint64_t" => Type::Int(64, false),
        "ssize_t" | "intptr_t" | "int64_t" | "ptrdiff_t" => Type::Int(64, true),
        "uint32_t" | "u_int32_t" | "uint" => Type::Int(32, false),
        "int32_t" => Type::Int(32, true),
        "uint16_t" => Type::Int(16, false),
        "int16_t" => Type::Int(16, true),
        "uint8_t" => Type::Int(8, false),
        "int8_t" => Type::Int(8, true),
        "atomic_int" => Type::Int(32, true),
        _ => return None,
    })
}
