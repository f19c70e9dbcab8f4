//! Names that the libraries of C and POSIX add to a text: headers, and constants.

/// Known headers. They are not read: the names that they declare are known, or refused where they
/// are used.
const HEADERS: &[&str] = &[
    "assert.h",
    "ctype.h",
    "errno.h",
    "fcntl.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "math.h",
    "memory.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "signal.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/time.h",
    "sys/types.h",
    "threads.h",
    "time.h",
    "unistd.h",
];

/// Whether `#include <name>` is known.
pub(crate) fn is_header(name: &str) -> bool {
    HEADERS.contains(&name)
}

/// Macros that no compiler for POSIX threads defines while it reads C.
const NEVER: &[&str] = &[
    "_WIN32",
    "_WIN64",
    "_MSC_VER",
    "__cplusplus",
    "__MINGW32__",
    "__CYGWIN__",
    "__APPLE__",
    "__CPROVER",
    "__CPROVER__",
];

/// Whether a macro that the text does not define may be defined all the same: compilers and headers
/// define macros, too.
pub(crate) fn may_be_defined(name: &str) -> bool {
    let reserved = name.starts_with('_') && !NEVER.contains(&name);
    let error = name.strip_prefix('E').is_some_and(|rest| {
        constant(name).is_some() || rest.starts_with(|c: char| c.is_ascii_digit())
    });
    let prefixes = [
        "PTHREAD_", "ATOMIC_", "SIG", "INT_", "INTPTR", "INTMAX", "UINT", "SCHED_", "SEM_", "PRI",
        "SCN",
    ];
    let suffixes = ["_MAX", "_MIN", "_BIT", "_C"];
    let words = [
        "NULL",
        "EOF",
        "BUFSIZ",
        "assert",
        "errno",
        "bool",
        "true",
        "false",
        "offsetof",
        "stdin",
        "stdout",
        "stderr",
        "unix",
        "linux",
        "i386",
        "noreturn",
        "static_assert",
        "thread_local",
        "and",
        "or",
        "not",
    ];
    reserved
        || error
        || constant(name).is_some()
        || prefixes.iter().any(|prefix| name.starts_with(prefix))
        || suffixes.iter().any(|suffix| name.ends_with(suffix))
        || words.contains(&name)
}

/// The value of a macro that headers define as a number, its number of bits, and whether it is
/// signed.
pub(crate) fn constant(name: &str) -> Option<(i128, u32, bool)> {
    let int = |value: i128| Some((value, 32, true));
    match name {
        "NULL" | "false" | "EXIT_SUCCESS" | "PTHREAD_MUTEX_NORMAL" | "PTHREAD_MUTEX_DEFAULT" => {
            int(0)
        }
        "true" | "EXIT_FAILURE" | "EPERM" | "PTHREAD_MUTEX_RECURSIVE" => int(1),
        "PTHREAD_MUTEX_ERRORCHECK" => int(2),
        "ESRCH" => int(3),
        "EINTR" => int(4),
        "EAGAIN" => int(11),
        "ENOMEM" => int(12),
        "EBUSY" => int(16),
        "EINVAL" => int(22),
        "EDEADLK" => int(35),
        "ETIMEDOUT" => int(110),
        "CHAR_BIT" => int(8),
        "SCHAR_MAX" | "CHAR_MAX" | "INT8_MAX" => int(127),
        "SCHAR_MIN" | "CHAR_MIN" | "INT8_MIN" => int(-128),
        "UCHAR_MAX" | "UINT8_MAX" => int(255),
        "SHRT_MAX" | "INT16_MAX" => int(32_767),
        "SHRT_MIN" | "INT16_MIN" => int(-32_768),
        "USHRT_MAX" | "UINT16_MAX" => int(65_535),
        "INT_MAX" | "INT32_MAX" => int((1 << 31) - 1),
        "INT_MIN" | "INT32_MIN" => int(-(1 << 31)),
        "UINT_MAX" | "UINT32_MAX" => Some(((1 << 32) - 1, 32, false)),
        "LONG_MAX" | "LLONG_MAX" | "INT64_MAX" => Some(((1 << 63) - 1, 64, true)),
        "LONG_MIN" | "LLONG_MIN" | "INT64_MIN" => Some((-(1 << 63), 64, true)),
        "ULONG_MAX" | "ULLONG_MAX" | "UINT64_MAX" | "SIZE_MAX" => Some(((1 << 64) - 1, 64, false)),
        _ => None,
    }
}
