//! The constructs of texts, by name, so that tests can ask for a program with each of them.

use crate::lower::functions_without_effect;
use crate::parse::{ASSIGNMENTS, LEVELS};
use crate::syntax::{ExprKind, Initial, StmtKind, Type};
use crate::{parse, preprocess};
use source::FileId;

/// The variants of a type. If one is left out, this does not compile.
macro_rules! variants {
    ($enum:ident: $($variant:ident),*) => {{
        const _: fn(&$enum) = |one| match one { $($enum::$variant { .. } => {})* };
        [$(concat!(stringify!($enum), "::", stringify!($variant))),*].map(str::to_owned)
    }};
}

/// All of them: variants of the syntax tree and operators.
pub fn constructs() -> Vec<String> {
    let types = variants!(
        Type: Void, Int, Bool, Mutex, Condition, Thread, Ignored, Pointer, Array, Atomic, Other
    );
    let statements = variants!(
        StmtKind: Empty, Expr, Declare, Block, If, While, DoWhile, For, Switch, Case, Default,
        Break, Continue, Return, Goto, Label, Unsupported
    );
    let expressions = variants!(
        ExprKind: Number, Text, Name, Unary, Binary, Assign, Step, Conditional, Call, Index, Deref,
        Address, Cast, Comma, Size, Block, Unsupported
    );
    let operators = LEVELS.iter().copied().flatten().map(|sign| format!("operator {sign}"));
    let assignments = ASSIGNMENTS.iter().map(|(sign, _)| format!("assignment {sign}"));
    let all = types.into_iter().chain(statements).chain(expressions);
    all.chain(variants!(Initial: Value, List)).chain(operators).chain(assignments).collect()
}

/// Functions of the library that have no effect, so that calls of them are skipped.
pub fn passed_over() -> impl Iterator<Item = &'static str> {
    functions_without_effect()
}

/// The syntax tree of a text, as a developer sees it.
pub fn tree(file: FileId, text: &str) -> String {
    format!("{:?}", parse::parse(preprocess::tokens(file, text, &[]).tokens).0)
}
