//! The meaning of the words before a declaration, and the types that are known by name.

use crate::syntax::Type;

/// The meaning of a word before the names of a declaration.
pub(super) enum Specifier {
    Static,
    Typedef,
    Extern,
    ThreadLocal,
    Atomic,
    /// Concerns speed and warnings: no effect. Also `const` and `volatile`: the compiler checks
    /// whether a program may write somewhere, and every access is a step anyway.
    Harmless,
    /// `struct`, `union` and `enum`.
    Tagged,
    /// A part of the name of a type.
    Word,
}

pub(super) fn specifier(word: &str) -> Option<Specifier> {
    Some(match word {
        "static" => Specifier::Static,
        "typedef" => Specifier::Typedef,
        "extern" => Specifier::Extern,
        "_Thread_local" | "__thread" | "thread_local" => Specifier::ThreadLocal,
        "_Atomic" => Specifier::Atomic,
        "const" | "__const" | "__const__" | "volatile" | "__volatile" | "__volatile__"
        | "register" | "auto" | "inline" | "__inline" | "__inline__" | "_Noreturn" | "noreturn" => {
            Specifier::Harmless
        }
        "struct" | "union" | "enum" => Specifier::Tagged,
        "int" | "char" | "short" | "long" | "unsigned" | "signed" | "__signed__" | "__signed"
        | "void" | "_Bool" | "bool" | "float" | "double" | "__int128" => Specifier::Word,
        _ => return None,
    })
}

pub(super) fn is_thread_type(ty: &Type) -> bool {
    matches!(ty, Type::Thread | Type::Mutex | Type::Condition | Type::Ignored)
}

pub(super) fn simple(words: &[String]) -> Type {
    let has = |word: &str| words.iter().any(|found| found == word);
    let signed = !has("unsigned");
    if has("float") || has("double") {
        return Type::Other("a number with a fraction".to_owned());
    }
    if has("__int128") {
        return Type::Other("a number of 128 bits".to_owned());
    }
    match () {
        () if has("void") && words.len() > 1 => Type::Other("a type of this name".to_owned()),
        () if has("void") => Type::Void,
        () if has("_Bool") || has("bool") => Type::Bool,
        () if has("char") => Type::Int(8, signed),
        () if has("short") => Type::Int(16, signed),
        () if has("long") => Type::Int(64, signed),
        () => Type::Int(32, signed),
    }
}

/// Types of the libraries, known by name.
pub(super) fn known_type(name: &str) -> Option<Type> {
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
        "atomic_bool" => Type::Atomic(Box::new(Type::Bool)),
        "atomic_char" | "atomic_schar" => Type::Atomic(Box::new(Type::Int(8, true))),
        "atomic_uchar" => Type::Atomic(Box::new(Type::Int(8, false))),
        "atomic_short" => Type::Atomic(Box::new(Type::Int(16, true))),
        "atomic_ushort" => Type::Atomic(Box::new(Type::Int(16, false))),
        "atomic_int" => Type::Atomic(Box::new(Type::Int(32, true))),
        "atomic_uint" => Type::Atomic(Box::new(Type::Int(32, false))),
        "atomic_long" | "atomic_llong" => Type::Atomic(Box::new(Type::Int(64, true))),
        "atomic_ulong" | "atomic_ullong" | "atomic_size_t" => {
            Type::Atomic(Box::new(Type::Int(64, false)))
        }
        _ => return None,
    })
}
