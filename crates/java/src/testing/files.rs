//! Class files and images of a JDK, made for tests: machines that test have no JDK.

use crate::library::image::{HASH, hash};
use crate::library::{self, signature};
use std::collections::BTreeMap;

/// What a class file is made of. Names are as in class files; what is empty is left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClassSketch<'s> {
    /// Access flags.
    pub access: u16,
    /// Its name: `a/b/C$D`.
    pub name: &'s str,
    /// Its superclass and what it implements.
    pub above: &'s [&'s str],
    /// Its head with type arguments.
    pub signature: &'s str,
    /// Access, name, descriptor and signature of each field.
    pub fields: &'s [(u16, &'s str, &'s str, &'s str)],
    /// The same of each method.
    pub methods: &'s [(u16, &'s str, &'s str, &'s str)],
    /// Access, name, name of the class around and simple name of member classes.
    pub inner: &'s [(u16, &'s str, &'s str, &'s str)],
}

/// Reads a class file with all its signatures, or says what is wrong with it.
pub fn read_class_file(bytes: &[u8]) -> Result<(), String> {
    let file = library::class_file::read(bytes)?;
    if let Some(signature) = &file.signature {
        signature::class(signature)?;
    }
    for field in &file.fields {
        signature::field(field.signature.as_ref().unwrap_or(&field.descriptor))?;
    }
    for method in &file.methods {
        signature::method(method.signature.as_ref().unwrap_or(&method.descriptor))?;
    }
    Ok(())
}

/// The bytes of a class file.
pub fn class_file(sketch: &ClassSketch<'_>) -> Vec<u8> {
    let mut pool = Pool::default();
    let mut body = Vec::new();
    push(&mut body, sketch.access);
    let (superclass, interfaces) = sketch.above.split_first().unwrap_or((&"", &[]));
    for name in [sketch.name, superclass] {
        push(&mut body, pool.class(name));
    }
    push(&mut body, interfaces.len());
    for name in interfaces {
        push(&mut body, pool.class(name));
    }
    for members in [sketch.fields, sketch.methods] {
        push(&mut body, members.len());
        for (access, name, descriptor, signature) in members {
            push(&mut body, *access);
            push(&mut body, pool.text(name));
            push(&mut body, pool.text(descriptor));
            push(&mut body, usize::from(!signature.is_empty()));
            pool.signature(signature, &mut body);
        }
    }
    let count = usize::from(!sketch.signature.is_empty()) + usize::from(!sketch.inner.is_empty());
    push(&mut body, count);
    pool.signature(sketch.signature, &mut body);
    if !sketch.inner.is_empty() {
        push(&mut body, pool.text("InnerClasses"));
        body.extend(short(2 + 8 * sketch.inner.len()).to_be_bytes());
        push(&mut body, sketch.inner.len());
        for (access, name, outer, simple) in sketch.inner {
            push(&mut body, pool.class(name));
            push(&mut body, pool.class(outer));
            push(&mut body, pool.text(simple));
            push(&mut body, *access);
        }
    }
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61];
    push(&mut bytes, pool.next + 1);
    bytes.extend(pool.bytes);
    bytes.extend(body);
    bytes
}

/// A number of four bytes; tests make nothing that is larger.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

fn push(bytes: &mut Vec<u8>, number: impl TryInto<u16>) {
    bytes.extend(number.try_into().unwrap_or_default().to_be_bytes());
}

#[derive(Default)]
struct Pool {
    bytes: Vec<u8>,
    known: BTreeMap<(u8, String), u16>,
    next: u16,
}

impl Pool {
    fn add(&mut self, kind: u8, key: &str, content: Vec<u8>) -> u16 {
        if let Some(known) = self.known.get(&(kind, key.to_owned())) {
            return *known;
        }
        self.bytes.push(kind);
        self.bytes.extend(content);
        self.next += 1;
        self.known.insert((kind, key.to_owned()), self.next);
        self.next
    }

    fn text(&mut self, text: &str) -> u16 {
        let mut content = Vec::new();
        push(&mut content, text.len());
        content.extend(text.bytes());
        self.add(1, text, content)
    }

    fn class(&mut self, name: &str) -> u16 {
        if name.is_empty() {
            return 0;
        }
        let text = self.text(name);
        self.add(7, name, text.to_be_bytes().to_vec())
    }

    fn signature(&mut self, signature: &str, body: &mut Vec<u8>) {
        if !signature.is_empty() {
            push(body, self.text("Signature"));
            body.extend(2_u32.to_be_bytes());
            push(body, self.text(signature));
        }
    }
}

/// The bytes of an image with one module `m`, from names of classes and their files.
pub fn image(classes: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut names = Names { bytes: vec![0] };
    let module = names.add("m").to_le_bytes();
    let mut files: BTreeMap<String, ([usize; 4], Vec<u8>)> = BTreeMap::new();
    for (name, bytes) in classes {
        let (package, simple) = name.rsplit_once('/').unwrap_or(("", name));
        let parts = [names.add("m"), names.add(package), names.add(simple), names.add("class")];
        files.insert(format!("/m/{name}.class"), (parts, bytes.clone()));
        let dotted = package.replace('/', ".");
        let parts = [names.add("packages"), 0, names.add(&dotted), 0];
        let mut content = vec![0; 4];
        content.extend(&module[..4]);
        files.insert(format!("/packages/{dotted}"), (parts, content));
    }
    let (mut locations, mut contents, mut places) = (vec![0], Vec::new(), Vec::new());
    for (parts, content) in files.values() {
        places.push(locations.len());
        let values = parts.iter().copied().chain([contents.len(), 0, content.len()]);
        for (value, kind) in values.zip(1_u8..) {
            locations.push(kind << 3 | 3);
            locations.extend(short(value).to_be_bytes());
        }
        locations.push(0);
        contents.extend(content);
    }
    let paths: Vec<&String> = files.keys().collect();
    let (redirects, slots) = perfect(&paths);
    let offsets = slots.iter().map(|file| file.map_or(0, |file| places[file]));
    let sizes = [0xCAFE_DADA, 1 << 16, 0, paths.len(), slots.len()];
    let sizes = sizes.into_iter().chain([locations.len(), names.bytes.len()]);
    let mut bytes: Vec<u8> = sizes.flat_map(|size| short(size).to_le_bytes()).collect();
    bytes.extend(redirects.into_iter().flat_map(i32::to_le_bytes));
    bytes.extend(offsets.flat_map(|offset| short(offset).to_le_bytes()));
    [bytes, locations, names.bytes, contents].concat()
}

struct Names {
    bytes: Vec<u8>,
}

impl Names {
    fn add(&mut self, name: &str) -> usize {
        let at = self.bytes.len();
        self.bytes.extend(name.bytes());
        self.bytes.push(0);
        at
    }
}

/// For each hash either the seed of a second hash or a slot, and the path in each slot. Paths with
/// the same hash are placed first, while there is room.
fn perfect(paths: &[&String]) -> (Vec<i32>, Vec<Option<usize>>) {
    // Odd, because the lowest bits of two hashes differ in the same way whatever the seed is.
    let count = paths.len() * 2 + 1;
    let slot = |path: &str, seed: u32| hash(path, seed) as usize % count;
    let mut buckets: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, path) in paths.iter().enumerate() {
        buckets[slot(path, HASH)].push(at);
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|bucket| std::cmp::Reverse(buckets[*bucket].len()));
    let (mut redirects, mut slots) = (vec![0; count], vec![None; count]);
    for bucket in order {
        let files = &buckets[bucket];
        let wanted = |seed: u32| files.iter().map(move |at| slot(paths[*at], seed));
        if let [file] = files.as_slice() {
            let free = slots.iter().position(Option::is_none).unwrap_or_default();
            slots[free] = Some(*file);
            redirects[bucket] = -1 - short(free).cast_signed();
        } else if !files.is_empty() {
            let is_free = |seed: &u32| {
                let distinct: std::collections::BTreeSet<usize> = wanted(*seed).collect();
                distinct.len() == files.len() && distinct.iter().all(|at| slots[*at].is_none())
            };
            let seed =
                (1..1 << 20).find(is_free).expect("internal error: no seed places all paths");
            redirects[bucket] = seed.cast_signed();
            for (at, file) in wanted(seed).collect::<Vec<_>>().into_iter().zip(files) {
                slots[at] = Some(*file);
            }
        }
    }
    (redirects, slots)
}
