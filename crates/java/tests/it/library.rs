//! Types that come from class files.

use crate::check_with;
use expect_test::{Expect, expect};
use java::testing::{ClassSketch, class_file, image};
use java::{IMAGE_HEADER, Image, Library};
use std::collections::BTreeMap;

/// Class files by name.
#[derive(Debug, Default)]
struct Files(BTreeMap<String, Vec<u8>>);

impl Library for Files {
    fn class_file(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.0.get(name).cloned())
    }
}

impl Files {
    fn of(sketches: &[ClassSketch<'_>]) -> Self {
        let file = |sketch: &ClassSketch<'_>| (sketch.name.to_owned(), class_file(sketch));
        Self(sketches.iter().map(file).collect())
    }
}

const PUBLIC: u16 = 1;
const PRIVATE: u16 = 2;
const STATIC: u16 = 8;
const ABSTRACT: u16 = 0x400;
const INTERFACE: u16 = 0x600;
const OBJECT: &[&str] = &["java/lang/Object"];

/// A generic class with a class and an interface inside.
fn shelf() -> Files {
    let inner = &[
        (PUBLIC | STATIC | INTERFACE, "lib/Shelf$Test", "lib/Shelf", "Test"),
        (PUBLIC, "lib/Shelf$Place", "lib/Shelf", "Place"),
        (PRIVATE | STATIC, "lib/Shelf$Entry", "lib/Shelf", "Entry"),
    ];
    let shelf = ClassSketch {
        access: PUBLIC,
        name: "lib/Shelf",
        above: OBJECT,
        signature: "<T:Ljava/lang/Object;>Ljava/lang/Object;",
        fields: &[
            (PUBLIC, "first", "Ljava/lang/Object;", "TT;"),
            (PRIVATE, "hidden", "I", ""),
            (0, "near", "I", ""),
        ],
        methods: &[
            (PUBLIC, "<init>", "()V", ""),
            (PUBLIC, "put", "(Ljava/lang/Object;)Z", "(TT;)Z"),
            (PUBLIC, "find", "(Llib/Shelf$Test;)Ljava/lang/Object;", "(Llib/Shelf$Test<-TT;>;)TT;"),
            (PUBLIC, "place", "()Llib/Shelf$Place;", "()Llib/Shelf<TT;>.Place;"),
            (PUBLIC | 0x80, "all", "([I)I", ""),
            (
                PUBLIC | STATIC,
                "of",
                "(Ljava/lang/Object;)Llib/Shelf;",
                "<U:Ljava/lang/Object;>(TU;)Llib/Shelf<TU;>;",
            ),
            (PUBLIC, "lost", "()Llib/Lost;", ""),
        ],
        inner,
    };
    let test = ClassSketch {
        access: PUBLIC | INTERFACE,
        name: "lib/Shelf$Test",
        above: OBJECT,
        signature: "<A:Ljava/lang/Object;>Ljava/lang/Object;",
        methods: &[(PUBLIC | ABSTRACT, "test", "(Ljava/lang/Object;)Z", "(TA;)Z")],
        inner,
        ..ClassSketch::default()
    };
    let place = ClassSketch {
        access: PUBLIC,
        name: "lib/Shelf$Place",
        above: OBJECT,
        methods: &[(PUBLIC, "<init>", "(Llib/Shelf;I)V", ""), (PUBLIC, "number", "()I", "")],
        inner,
        ..ClassSketch::default()
    };
    let entry = ClassSketch { name: "lib/Shelf$Entry", above: OBJECT, inner, ..test };
    Files::of(&[shelf, test, place, entry])
}

#[track_caller]
fn check(text: &str, library: &Files, expect: &Expect) {
    check_with(text, library, expect);
}

#[test]
fn members_of_class_files() {
    check(
        r"
import lib.*;
class A {
    int f(Shelf<String> s, Shelf.Test<Object> t) {
        s.put(s.first);
        s.find(x -> x.length() > 0).length();
        Shelf.of('c').first.charValue();
        Shelf<String>.Place p = s.new Place(2);
        return s.all(1, 2) + s.place().number() + s.near;
    }
}",
        &shelf(),
        &expect![[r#"
            static class A < Object
              int f(Shelf, Shelf.Test)
                $0.<Shelf.put(Object)>($0.first)
                $0.<Shelf.find(Shelf.Test)>(new A$lambda1 <A$lambda1(?)>()).<String.length()>()
                !<Shelf.of(Object)>(box(99:char)).first.<Character.charValue()>()
                local $2 = (new Shelf.Place <Shelf.Place(int)>(2) with Shelf.this: $0)
                return <`Shelf` has no field `near`>
              void A()
            static lambda A$lambda1 < Object, Shelf.Test
              boolean test(String) > Shelf.Test.test(Object)
                return ($0.<String.length()>() > 0)
        "#]],
    );
}

#[test]
fn what_is_private_hides() {
    check(
        r"
class A {
    static class Entry { int n; }
    static class B extends lib.Shelf<Entry> { int f(Entry e) { return e.n + first.n; } }
}",
        &shelf(),
        &expect![[r#"
            static class A < Object
              void A()
            static class A.Entry < Object
              int n
              void Entry()
            static class A.B < Shelf
              int f(A.Entry)
                return ($0.n + this.Shelf::first.n)
              void B()
                <Shelf()>()
        "#]],
    );
}

#[test]
fn stubs_are_completed() {
    let string = ClassSketch {
        access: PUBLIC,
        name: "java/lang/String",
        above: &["java/lang/Object", "lib/Word"],
        methods: &[
            (PUBLIC, "length", "()I", ""),
            (PUBLIC, "shout", "(I)Ljava/lang/String;", ""),
            (PUBLIC, "hashCode", "()I", ""),
        ],
        ..ClassSketch::default()
    };
    let word =
        ClassSketch { access: PUBLIC | INTERFACE, name: "lib/Word", above: OBJECT, ..string };
    let word = ClassSketch { methods: &[], ..word };
    check(
        r#"
class A {
    static void g(lib.Word w) { }
    void f() { g("a"); "a".shout(1).length(); "b".hashCode(); }
}"#,
        &Files::of(&[string, word]),
        &expect![[r#"
            static class A < Object
              static void g(Word)
              void f()
                !<A.g(Word)>("a")
                "a".<String.shout(int)>(1).<String.length()>()
                "b".<Object.hashCode()>()
              void A()
        "#]],
    );
}

#[test]
fn files_that_are_missing_or_wrong() {
    let mut files = shelf();
    check(
        r"
class A { void f(lib.Shelf<String> s, lib.None n) { s.lost().go(); } }",
        &files,
        &expect![[r#"
            1:1 unresolved-type: the class file of `lib.Lost` cannot be used: a class file mentions it, and it is not there []
            2:39 unresolved-type: the type `lib.None` is not known [lib.None]
            static class A < Object
              void f(Shelf, Object)
                $0.<Shelf.lost()>().<? go>()
              void A()
        "#]],
    );
    let bytes = files.0.get_mut("lib/Shelf").map(std::mem::take).unwrap_or_default();
    files.0.insert("lib/Shelf".to_owned(), bytes[..40].to_vec());
    check(
        r"
class A { void f(lib.Shelf<String> s) { s.place(); } }",
        &files,
        &expect![[r#"
            2:18 unresolved-type: the type `lib.Shelf` is not known [lib.Shelf<String>]
            static class A < Object
              void f(Object)
                $0.<? place>()
              void A()
        "#]],
    );
}

/// Classes above and around themselves, and variables bounded by each other.
#[test]
fn circles_end() {
    let inner = &[(PUBLIC, "C$D", "E", "D"), (PUBLIC, "E", "C$D", "E")];
    let methods = &[(PUBLIC, "f", "()V", "<T:TU;U:TT;>(TT;)TU;"), (PUBLIC, "g", "(LE;)LC$D;", "")];
    let one = ClassSketch {
        access: PUBLIC,
        name: "C$D",
        above: &["E"],
        methods,
        inner,
        ..ClassSketch::default()
    };
    let other = ClassSketch { name: "E", above: &["C$D"], ..one };
    check(
        r"
class A { void h(E e) { e.g(e).f().toString(); } }",
        &Files::of(&[one, other]),
        &expect![[r#"
            static class A < Object
              void h(E)
                $0.<E.g(E)>($0).<C.D.f()>().<? toString>()
              void A()
        "#]],
    );
}

/// Cut off anywhere, or with any byte changed, a file is read or refused and nothing worse.
#[test]
fn garbled_files_are_refused() {
    let text = "class A { void f(lib.Shelf<String> s) { s.place().number(); s.find(x -> true); } }";
    let whole = shelf();
    for (name, bytes) in &whole.0 {
        assert_eq!(java::testing::read_class_file(bytes), Ok(()));
        for at in 0..bytes.len() {
            assert!(java::testing::read_class_file(&bytes[..at]).is_err());
            for value in [0, bytes[at] ^ 1, 0xFF] {
                let mut changed = bytes.clone();
                changed[at] = value;
                let _ = java::testing::read_class_file(&changed);
                // Resolving takes longer.
                if at % 53 == 0 {
                    let mut files = Files(whole.0.clone());
                    files.0.insert(name.clone(), changed);
                    java::testing::typed_with(&[text], &files);
                }
            }
        }
    }
}

fn open(bytes: &[u8]) -> Result<Image, String> {
    let size = Image::tables_size(bytes)?;
    let tables = bytes.get(IMAGE_HEADER..IMAGE_HEADER + size).ok_or("too short")?;
    Image::new(bytes, tables.to_vec())
}

fn content<'b>(bytes: &'b [u8], image: &Image, path: &str) -> Option<&'b [u8]> {
    let extent = image.find(path).ok()??;
    let start = usize::try_from(extent.offset).ok()?;
    bytes.get(start..start.checked_add(usize::try_from(extent.size).ok()?)?)
}

#[test]
fn images() {
    let names: Vec<String> = (0..40).map(|at| format!("p{}/q/C{at}", at % 7)).collect();
    let classes: Vec<(&str, Vec<u8>)> =
        names.iter().map(|name| (name.as_str(), name.clone().into_bytes())).collect();
    let bytes = image(&classes);
    let index = open(&bytes).expect("an image");
    for name in &names {
        let path = format!("/m/{name}.class");
        assert_eq!(content(&bytes, &index, &path), Some(name.as_bytes()));
        let package = name.rsplit_once('/').map_or("", |(package, _)| package).replace('/', ".");
        let modules = content(&bytes, &index, &format!("/packages/{package}")).expect("a package");
        assert_eq!(index.module(modules), Ok(Some("m".to_owned())));
    }
    assert_eq!(index.find("/m/p1/q/C0.class"), Ok(None));
    assert_eq!(index.find(""), Ok(None));
}

#[test]
fn garbled_images_are_refused() {
    let bytes = image(&[("a/B", vec![1, 2]), ("a/C", vec![3]), ("d/E", vec![4])]);
    let look = |bytes: &[u8]| {
        if let Ok(index) = open(bytes) {
            for path in ["/m/a/B.class", "/m/a/C.class", "/m/d/E.class", "/packages/a"] {
                let _ = index.module(content(bytes, &index, path).unwrap_or_default());
            }
        }
    };
    for at in 0..bytes.len() {
        look(&bytes[..at]);
        for value in [0, 1, 0x7F, 0xFF] {
            let mut changed = bytes.clone();
            changed[at] = value;
            look(&changed);
        }
    }
}
