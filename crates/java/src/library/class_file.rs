//! Class files, as far as signatures go (Java Virtual Machine Specification, chapter 4). Code is
//! not read.

use super::reader::{Fault, Reader};
use crate::typed::Constant;
use source::Name;

pub(crate) const PUBLIC: u16 = 0x0001;
pub(crate) const PRIVATE: u16 = 0x0002;
pub(crate) const PROTECTED: u16 = 0x0004;
pub(crate) const STATIC: u16 = 0x0008;
pub(crate) const FINAL: u16 = 0x0010;
/// Of methods.
pub(crate) const SYNCHRONIZED: u16 = 0x0020;
/// Of fields.
pub(crate) const VOLATILE: u16 = 0x0040;
/// Of methods.
pub(crate) const VARARGS: u16 = 0x0080;
pub(crate) const INTERFACE: u16 = 0x0200;
pub(crate) const ABSTRACT: u16 = 0x0400;
/// Made by the compiler: nobody can name it.
pub(crate) const SYNTHETIC: u16 = 0x1000;
pub(crate) const ANNOTATION: u16 = 0x2000;
pub(crate) const ENUM: u16 = 0x4000;

/// What a class file says. Names of classes are as in class files: `java/util/Map$Entry`.
#[derive(Debug, Default)]
pub(crate) struct ClassFile {
    pub(crate) access: u16,
    pub(crate) name: String,
    pub(crate) superclass: Option<String>,
    pub(crate) interfaces: Vec<String>,
    pub(crate) signature: Option<String>,
    pub(crate) fields: Vec<Member>,
    pub(crate) methods: Vec<Member>,
    /// Member classes of this class, and this class itself if it is one.
    pub(crate) inner: Vec<Inner>,
}

/// A field or a method.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) access: u16,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) signature: Option<String>,
    pub(crate) constant: Option<Constant>,
}

/// A class that is a member of another.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) name: String,
    pub(crate) outer: String,
    pub(crate) simple: String,
    pub(crate) access: u16,
}

/// Reads a class file.
pub(crate) fn read(bytes: &[u8]) -> Result<ClassFile, Fault> {
    let mut reader = Reader::new(bytes);
    if reader.u32()? != 0xCAFE_BABE {
        return Err("it is no class file".to_owned());
    }
    reader.bytes(4)?;
    let pool = Pool::read(&mut reader)?;
    let access = reader.u16()?;
    let name = pool.class(reader.u16()?)?.to_owned();
    let superclass = match reader.u16()? {
        0 => None,
        at => Some(pool.class(at)?.to_owned()),
    };
    let mut file = ClassFile { access, name, superclass, ..ClassFile::default() };
    for _ in 0..reader.u16()? {
        file.interfaces.push(pool.class(reader.u16()?)?.to_owned());
    }
    file.fields = members(&mut reader, &pool)?;
    file.methods = members(&mut reader, &pool)?;
    for _ in 0..reader.u16()? {
        let name = pool.text(reader.u16()?)?;
        let mut about = reader.sized()?;
        match name {
            "Signature" => file.signature = Some(pool.text(about.u16()?)?.to_owned()),
            "InnerClasses" => file.inner = inner_classes(&mut about, &pool)?,
            _ => {}
        }
    }
    Ok(file)
}

fn members(reader: &mut Reader<'_>, pool: &Pool<'_>) -> Result<Vec<Member>, Fault> {
    let mut members = Vec::new();
    for _ in 0..reader.u16()? {
        let access = reader.u16()?;
        let name = pool.text(reader.u16()?)?.to_owned();
        let descriptor = pool.text(reader.u16()?)?.to_owned();
        let (mut signature, mut constant) = (None, None);
        for _ in 0..reader.u16()? {
            let attribute = pool.text(reader.u16()?)?;
            let mut about = reader.sized()?;
            match attribute {
                "Signature" => signature = Some(pool.text(about.u16()?)?.to_owned()),
                "ConstantValue" => constant = pool.constant(about.u16()?, &descriptor)?,
                _ => {}
            }
        }
        members.push(Member { access, name, descriptor, signature, constant });
    }
    Ok(members)
}

/// Classes with a name in another class. Those in bodies cannot be named from outside.
fn inner_classes(reader: &mut Reader<'_>, pool: &Pool<'_>) -> Result<Vec<Inner>, Fault> {
    let mut all = Vec::new();
    for _ in 0..reader.u16()? {
        let (inner, outer, simple) = (reader.u16()?, reader.u16()?, reader.u16()?);
        let access = reader.u16()?;
        if outer == 0 || simple == 0 {
            continue;
        }
        all.push(Inner {
            name: pool.class(inner)?.to_owned(),
            outer: pool.class(outer)?.to_owned(),
            simple: pool.text(simple)?.to_owned(),
            access,
        });
    }
    Ok(all)
}

/// What a class file refers to by number.
struct Pool<'b> {
    entries: Vec<Entry<'b>>,
}

enum Entry<'b> {
    Text(&'b [u8]),
    Int(i64),
    Class(u16),
    String(u16),
    Other,
}

impl<'b> Pool<'b> {
    fn read(reader: &mut Reader<'b>) -> Result<Self, Fault> {
        let count = usize::from(reader.u16()?);
        let mut entries = vec![Entry::Other];
        while entries.len() < count {
            let (entry, is_double) = match reader.u8()? {
                1 => {
                    let size = usize::from(reader.u16()?);
                    (Entry::Text(reader.bytes(size)?), false)
                }
                3 => (Entry::Int(i64::from(reader.u32()?.cast_signed())), false),
                5 => (Entry::Int(reader.i64()?), true),
                7 => (Entry::Class(reader.u16()?), false),
                8 => (Entry::String(reader.u16()?), false),
                tag => {
                    let (size, is_double) = match tag {
                        4 | 9 | 10 | 11 | 12 | 17 | 18 => (4, false),
                        6 => (8, true),
                        15 => (3, false),
                        16 | 19 | 20 => (2, false),
                        _ => return Err(format!("its constants have an unknown kind {tag}")),
                    };
                    reader.bytes(size)?;
                    (Entry::Other, is_double)
                }
            };
            entries.push(entry);
            // Long numbers count twice.
            if is_double {
                entries.push(Entry::Other);
            }
        }
        Ok(Self { entries })
    }

    fn entry(&self, at: u16) -> Result<&Entry<'b>, Fault> {
        self.entries.get(usize::from(at)).ok_or_else(|| format!("it has no constant {at}"))
    }

    /// Names with characters beyond those of UTF-8 as class files have them are not known.
    fn text(&self, at: u16) -> Result<&'b str, Fault> {
        match self.entry(at)? {
            Entry::Text(bytes) => {
                std::str::from_utf8(bytes).map_err(|_| format!("its constant {at} is no UTF-8"))
            }
            _ => Err(format!("its constant {at} is no text")),
        }
    }

    fn class(&self, at: u16) -> Result<&'b str, Fault> {
        match self.entry(at)? {
            Entry::Class(name) => self.text(*name),
            _ => Err(format!("its constant {at} is no class")),
        }
    }

    /// The value of a constant field; values of numbers with a fraction are not looked at.
    fn constant(&self, at: u16, descriptor: &str) -> Result<Option<Constant>, Fault> {
        Ok(match (self.entry(at)?, descriptor) {
            (Entry::Int(value), "Z") => Some(Constant::Bool(*value != 0)),
            (Entry::Int(value), _) => Some(Constant::Int(i128::from(*value))),
            (Entry::String(text), _) => self.text(*text).ok().map(Name::from).map(Constant::Text),
            _ => None,
        })
    }
}
