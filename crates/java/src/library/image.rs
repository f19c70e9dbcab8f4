//! The file `lib/modules` of a JDK, in which all its class files stand: its index, without the
//! files themselves.
//!
//! The file begins with a header of seven numbers; then come a table that sends the hash of a path
//! to a number, the places of what is known of each path, that itself, and the texts of names.
//! Paths are `/module/package/Class.class`, and `/packages/a.b` says which modules have the
//! package.

use super::reader::Fault;

/// The size of the header.
pub const HEADER: usize = 28;

const MAGIC: u32 = 0xCAFE_DADA;
pub(crate) const HASH: u32 = 0x0100_0193;

/// Where something stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The offset of its first byte.
    pub offset: u64,
    /// How many bytes it has.
    pub size: u64,
}

/// The index of an image.
#[derive(Debug)]
pub struct Image {
    is_little: bool,
    count: usize,
    locations_size: usize,
    /// The tables, from the end of the header to where the files begin.
    tables: Vec<u8>,
}

impl Image {
    /// How many bytes the tables have that follow a header.
    pub fn tables_size(header: &[u8]) -> Result<usize, Fault> {
        let (_, count, locations, strings) = parse_header(header)?;
        let tables = count.checked_mul(8).and_then(|size| size.checked_add(locations));
        tables.and_then(|size| size.checked_add(strings)).ok_or_else(too_large)
    }

    /// An image with this header and these tables.
    pub fn new(header: &[u8], tables: Vec<u8>) -> Result<Self, Fault> {
        if tables.len() != Self::tables_size(header)? {
            return Err("it ends too early".to_owned());
        }
        let (is_little, count, locations_size, _) = parse_header(header)?;
        Ok(Self { is_little, count, locations_size, tables })
    }

    /// Where a path stands.
    pub fn find(&self, path: &str) -> Result<Option<Extent>, Fault> {
        let Some(index) = self.index(path)? else { return Ok(None) };
        let offset = self.u32(self.count * 4 + index * 4)? as usize;
        let location = Location::read(self.locations(), offset)?;
        if self.path(&location)? != path {
            return Ok(None);
        }
        if location.compressed != 0 {
            return Err("it is compressed, which is not supported".to_owned());
        }
        let start = (HEADER + self.tables.len()) as u64;
        let offset = start.checked_add(location.offset).ok_or_else(too_large)?;
        Ok(Some(Extent { offset, size: location.size }))
    }

    /// The module of a package, from what stands at `/packages/a.b`: pairs of whether nothing of
    /// the package is in the module, and the name of the module.
    pub fn module(&self, content: &[u8]) -> Result<Option<String>, Fault> {
        for pair in content.chunks_exact(8) {
            let (is_empty, name) = pair.split_at(4);
            if self.number(is_empty) == 0 {
                return Ok(Some(self.string(self.number(name) as usize)?.to_owned()));
            }
        }
        Ok(None)
    }

    /// The number of the place of a path, if there is such a path.
    fn index(&self, path: &str) -> Result<Option<usize>, Fault> {
        let Some(count) = u32::try_from(self.count).ok().filter(|count| *count > 0) else {
            return Ok(None);
        };
        let slot = hash(path, HASH) % count;
        let redirect = self.u32(slot as usize * 4)?.cast_signed();
        Ok(match redirect {
            0 => None,
            1.. => Some((hash(path, redirect.cast_unsigned()) % count) as usize),
            _ => usize::try_from(-1 - i64::from(redirect)).ok().filter(|at| *at < self.count),
        })
    }

    fn path(&self, location: &Location) -> Result<String, Fault> {
        let mut path = String::new();
        let module = self.string(location.module)?;
        if !module.is_empty() {
            path.extend(["/", module, "/"]);
        }
        let parent = self.string(location.parent)?;
        if !parent.is_empty() {
            path.extend([parent, "/"]);
        }
        path.push_str(self.string(location.base)?);
        let extension = self.string(location.extension)?;
        if !extension.is_empty() {
            path.extend([".", extension]);
        }
        Ok(path)
    }

    fn locations(&self) -> &[u8] {
        &self.tables[self.count * 8..self.count * 8 + self.locations_size]
    }

    fn string(&self, offset: usize) -> Result<&str, Fault> {
        let strings = &self.tables[self.count * 8 + self.locations_size..];
        let rest = strings.get(offset..).ok_or_else(|| "a name is missing".to_owned())?;
        let end = rest.iter().position(|byte| *byte == 0);
        let end = end.ok_or_else(|| "a name has no end".to_owned())?;
        std::str::from_utf8(&rest[..end]).map_err(|_| "a name is no UTF-8".to_owned())
    }

    fn u32(&self, at: usize) -> Result<u32, Fault> {
        let bytes = self.tables.get(at..at + 4);
        Ok(self.number(bytes.ok_or_else(|| "a table is too short".to_owned())?))
    }

    fn number(&self, bytes: &[u8]) -> u32 {
        number(bytes, self.is_little)
    }
}

fn too_large() -> Fault {
    "it is too large".to_owned()
}

fn number(bytes: &[u8], is_little: bool) -> u32 {
    let push = |number: u32, byte: &u8| number << 8 | u32::from(*byte);
    if is_little { bytes.iter().rev().fold(0, push) } else { bytes.iter().fold(0, push) }
}

/// Whether small bytes come first; how many paths there are; sizes of places and of names.
fn parse_header(header: &[u8]) -> Result<(bool, usize, usize, usize), Fault> {
    let header = header.get(..HEADER).ok_or_else(|| "it ends too early".to_owned())?;
    let is_little = number(&header[..4], true) == MAGIC;
    if !is_little && number(&header[..4], false) != MAGIC {
        return Err("it is no image of a JDK".to_owned());
    }
    let field = |at: usize| number(&header[at * 4..at * 4 + 4], is_little);
    let version = (field(1) >> 16, field(1) & 0xFFFF);
    if version.0 != 1 {
        return Err(format!("its version {}.{} is not known", version.0, version.1));
    }
    Ok((is_little, field(4) as usize, field(5) as usize, field(6) as usize))
}

pub(crate) fn hash(path: &str, seed: u32) -> u32 {
    let step = |hash: u32, byte: u8| hash.wrapping_mul(HASH) ^ u32::from(byte);
    path.bytes().fold(seed, step) & 0x7FFF_FFFF
}

/// What is known of a path.
#[derive(Default)]
struct Location {
    module: usize,
    parent: usize,
    base: usize,
    extension: usize,
    offset: u64,
    compressed: u64,
    size: u64,
}

impl Location {
    /// Each part begins with a byte: its kind, and how many more bytes it has.
    fn read(bytes: &[u8], at: usize) -> Result<Self, Fault> {
        let mut location = Self::default();
        let mut rest = bytes.get(at..).unwrap_or_default();
        loop {
            let (head, more) = rest.split_first().ok_or_else(|| "a place is missing".to_owned())?;
            let size = usize::from(head & 7) + 1;
            let kind = head >> 3;
            if kind == 0 {
                return Ok(location);
            }
            let part = more.split_at_checked(size);
            let (value, after) = part.ok_or_else(|| "a place is cut off".to_owned())?;
            let value = value.iter().fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
            let index = usize::try_from(value).map_err(|_| too_large());
            match kind {
                1 => location.module = index?,
                2 => location.parent = index?,
                3 => location.base = index?,
                4 => location.extension = index?,
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.size = value,
                _ => return Err("a place has an unknown part".to_owned()),
            }
            rest = after;
        }
    }
}
