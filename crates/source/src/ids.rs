/// Makes types of numbers that stand for declarations, each an index into a table of its own.
///
/// ```
/// source::ids! {
///     /// Index into the classes.
///     ClassId,
/// }
/// assert_eq!(["Account", "Bank"][ClassId(1).index()], "Bank");
/// ```
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The one at this position.
            pub fn from_index(index: usize) -> Self {
                Self($crate::number(index))
            }
        }
    )*};
}

/// A position as a small number. No table of a program has more than 2^32 rows: texts are shorter.
pub fn number(index: usize) -> u32 {
    u32::try_from(index).expect("internal error: a table with more than 2^32 rows")
}
