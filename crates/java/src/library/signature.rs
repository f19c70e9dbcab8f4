//! Descriptors and signatures: types as class files write them (Java Virtual Machine Specification,
//! 4.3 and 4.7.9.1).

use super::reader::Fault;
use crate::tree::{Bound, Prim};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Void,
    Prim(Prim),
    /// `java/util/Map$Entry`, with the arguments of the last class.
    Class(String, Vec<Type>),
    Var(String),
    Array(Box<Type>),
    Wildcard(Option<(Bound, Box<Type>)>),
}

/// A variable with its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) bounds: Vec<Type>,
}

/// Variables and supertypes of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClassHead {
    pub(crate) params: Vec<Param>,
    /// Superclass first.
    pub(crate) supertypes: Vec<Type>,
}

/// Variables, parameters and result of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MethodHead {
    pub(crate) type_params: Vec<Param>,
    pub(crate) params: Vec<Type>,
    pub(crate) result: Type,
}

/// The type of a field.
pub(crate) fn field(text: &str) -> Result<Type, Fault> {
    let mut parser = Parser { text, at: 0 };
    let ty = parser.ty(0)?;
    parser.end()?;
    Ok(ty)
}

/// A signature or descriptor of a method. What it throws is not looked at.
pub(crate) fn method(text: &str) -> Result<MethodHead, Fault> {
    let mut parser = Parser { text, at: 0 };
    let type_params = parser.params()?;
    parser.expect('(')?;
    let mut params = Vec::new();
    while !parser.eats(')') {
        params.push(parser.ty(0)?);
    }
    let result = if parser.eats('V') { Type::Void } else { parser.ty(0)? };
    Ok(MethodHead { type_params, params, result })
}

/// A signature of a class.
pub(crate) fn class(text: &str) -> Result<ClassHead, Fault> {
    let mut parser = Parser { text, at: 0 };
    let params = parser.params()?;
    let mut supertypes = Vec::new();
    while parser.peek().is_some() {
        supertypes.push(parser.ty(0)?);
    }
    Ok(ClassHead { params, supertypes })
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

/// Types in types: arrays have at most 255 dimensions, and a deep type must not exhaust the stack.
const MAX_DEPTH: usize = 255;

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Result<char, Fault> {
        let next = self.peek().ok_or_else(|| self.fault())?;
        self.at += next.len_utf8();
        Ok(next)
    }

    fn eats(&mut self, wanted: char) -> bool {
        let is_it = self.peek() == Some(wanted);
        if is_it {
            self.at += wanted.len_utf8();
        }
        is_it
    }

    fn expect(&mut self, wanted: char) -> Result<(), Fault> {
        if self.eats(wanted) { Ok(()) } else { Err(self.fault()) }
    }

    fn end(&self) -> Result<(), Fault> {
        if self.at == self.text.len() { Ok(()) } else { Err(self.fault()) }
    }

    fn fault(&self) -> Fault {
        format!("a signature is wrong at character {}", self.at + 1)
    }

    /// All up to one of some characters.
    fn word(&mut self, ends: &[char]) -> Result<&'t str, Fault> {
        let rest = &self.text[self.at..];
        let size = rest.find(ends).filter(|size| *size > 0).ok_or_else(|| self.fault())?;
        self.at += size;
        Ok(&rest[..size])
    }

    /// `<T:Bound:Bound>`
    fn params(&mut self) -> Result<Vec<Param>, Fault> {
        let mut params = Vec::new();
        if !self.eats('<') {
            return Ok(params);
        }
        while !self.eats('>') {
            let name = self.word(&[':'])?.to_owned();
            let mut bounds = Vec::new();
            while self.eats(':') {
                // There may be no class before the interfaces.
                if self.peek() != Some(':') {
                    bounds.push(self.ty(0)?);
                }
            }
            params.push(Param { name, bounds });
        }
        Ok(params)
    }

    fn ty(&mut self, depth: usize) -> Result<Type, Fault> {
        if depth > MAX_DEPTH {
            return Err("its types are nested too deeply".to_owned());
        }
        Ok(match self.next()? {
            'B' => Type::Prim(Prim::Byte),
            'C' => Type::Prim(Prim::Char),
            'D' => Type::Prim(Prim::Double),
            'F' => Type::Prim(Prim::Float),
            'I' => Type::Prim(Prim::Int),
            'J' => Type::Prim(Prim::Long),
            'S' => Type::Prim(Prim::Short),
            'Z' => Type::Prim(Prim::Boolean),
            '[' => Type::Array(Box::new(self.ty(depth + 1)?)),
            'T' => {
                let name = self.word(&[';'])?.to_owned();
                self.expect(';')?;
                Type::Var(name)
            }
            'L' => self.class_type(depth)?,
            _ => return Err(self.fault()),
        })
    }

    /// `a/b/C<args>.D<args>;` after the `L`
    fn class_type(&mut self, depth: usize) -> Result<Type, Fault> {
        let mut name = String::new();
        loop {
            name.push_str(self.word(&['<', '.', ';'])?);
            let args = self.args(depth)?;
            match self.next()? {
                ';' => return Ok(Type::Class(name, args)),
                '.' => name.push('$'),
                _ => return Err(self.fault()),
            }
        }
    }

    fn args(&mut self, depth: usize) -> Result<Vec<Type>, Fault> {
        let mut args = Vec::new();
        if !self.eats('<') {
            return Ok(args);
        }
        while !self.eats('>') {
            let bound = match self.peek() {
                Some('*') => None,
                Some('+') => Some(Bound::Extends),
                Some('-') => Some(Bound::Super),
                _ => {
                    args.push(self.ty(depth + 1)?);
                    continue;
                }
            };
            self.next()?;
            args.push(match bound {
                Some(bound) => Type::Wildcard(Some((bound, Box::new(self.ty(depth + 1)?)))),
                None => Type::Wildcard(None),
            });
        }
        Ok(args)
    }
}
