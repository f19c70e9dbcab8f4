//! Signatures and contracts of the library, shipped with the program.

/// The files, each with all classes of one package.
pub(crate) const FILES: [(&str, &str); 8] = [
    ("java/lang.java", include_str!("../stubs/lang.java")),
    ("java/util.java", include_str!("../stubs/util.java")),
    ("jdk/internal/util.java", include_str!("../stubs/support.java")),
    ("java/util/function.java", include_str!("../stubs/function.java")),
    ("java/io.java", include_str!("../stubs/io.java")),
    ("java/util/concurrent.java", include_str!("../stubs/concurrent.java")),
    ("java/util/concurrent/atomic.java", include_str!("../stubs/atomic.java")),
    ("java/util/concurrent/locks.java", include_str!("../stubs/locks.java")),
];
