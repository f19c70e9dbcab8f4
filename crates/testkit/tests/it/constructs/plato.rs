//! The constructs of Plato.

use super::{Grammar, check, fields, names, variants};
use driver::Language;
use plato::ast;

variants! {
    ITEMS: ast::ItemKind = [
        Const, Type, Enum, Var, Mutex, Condition, Init, Invariant, Rely, Never, Pred, Proc, Thread,
        Module, Unsupported,
    ];
    NEVERS: ast::Never = [Formula, Deadlock, Race];
    CLAUSES: ast::ClauseKind = [Requires, Modifies, Action, Ensures, Choose, Optional, Repeat];
    COPIES: ast::Copies = [One, Counted, Any];
    TYPES: ast::TypeKind = [Error, Int, Bool, Tid, Range, Named, Set, Map];
    STMTS: ast::StmtKind = [
        Skip, Var, Assign, Havoc, Assert, Check, Assume, Acquire, Release, Wait, Signal, Broadcast,
        Fork, Join, Cas, Action, Atomic, If, While, Loop, Choose, Block, Call, Return, Break, Continue, Unsupported,
    ];
    SOURCES: ast::Source = [Values, Call, Cas, Fork, Join];
    CONDITIONS: ast::Cond = [Expr, Any];
    EXPRS: ast::ExprKind = [
        Error, Int, Bool, Tid, Name, Apply, At, Not, Neg, And, Or, Binary, Conditional, Index,
        Update, ConstMap, Set, Size, Forall, Exists,
    ];
    OPERATORS: ast::BinaryOp =
        [Iff, Implies, Eq, Ne, Lt, Le, Gt, Ge, In, NotIn, Add, Sub, Mul, Div, Mod];
}

fields! {
    OF_CONST: ast::ConstItem = [value] besides [name, ty];
    OF_TYPE: ast::TypeItem = [alias] besides [name];
    OF_VAR: ast::VarItem = [value, guard] besides [names, ty];
    OF_PRED: ast::PredItem = [params, ty] besides [name, body];
    OF_FORMULA: ast::Formula = [name] besides [expr, span];
    OF_PROC: ast::Proc = [is_atomic, params, results, spec] besides [name, body];
    OF_THREAD: ast::Thread = [forked, relies] besides [name, copies, body];
    OF_FORKED: ast::Forked = [params, results, requires, ensures] besides [];
    OF_JOIN: ast::Join = [which] besides [thread, span];
    OF_STMT: ast::Stmt = [label, performs] besides [undisturbed, kind, span];
    OF_PERFORMS: ast::Performs = [cond] besides [action, span];
    OF_LOCAL: ast::LocalVar = [ty, value] besides [names];
    OF_ACTION: ast::Action = [modifies, requires, ensures] besides [action];
    OF_NAME: ast::NameExpr = [primed] besides [path];
}

fn constructs() -> Vec<String> {
    let variants = names(
        "::",
        &[
            ("ItemKind", ITEMS),
            ("Never", NEVERS),
            ("ClauseKind", CLAUSES),
            ("Copies", COPIES),
            ("TypeKind", TYPES),
            ("StmtKind", STMTS),
            ("Source", SOURCES),
            ("Cond", CONDITIONS),
            ("ExprKind", EXPRS),
            ("BinaryOp", OPERATORS),
        ],
    );
    let fields = names(
        ".",
        &[
            ("ConstItem", OF_CONST),
            ("TypeItem", OF_TYPE),
            ("VarItem", OF_VAR),
            ("PredItem", OF_PRED),
            ("Formula", OF_FORMULA),
            ("Proc", OF_PROC),
            ("Thread", OF_THREAD),
            ("Forked", OF_FORKED),
            ("Join", OF_JOIN),
            ("Stmt", OF_STMT),
            ("Performs", OF_PERFORMS),
            ("LocalVar", OF_LOCAL),
            ("Action", OF_ACTION),
            ("NameExpr", OF_NAME),
            // Fields of variants without names.
            ("While", &["invariants"]),
            ("Loop", &["invariants"]),
        ],
    );
    variants.into_iter().chain(fields).collect()
}

#[test]
fn no_engine_proves_wrong_plato() {
    check(&Grammar {
        language: Language::Plato,
        constructs: constructs(),
        exempt: &[
            ("TypeKind::Error", "stands for what does not parse"),
            ("ExprKind::Error", "stands for what does not parse"),
            ("ExprKind::Binary", "each operator has a program"),
            ("ItemKind::Unsupported", "is made by translations"),
            ("StmtKind::Unsupported", "is made by translations"),
            ("StmtKind::Check", "is made by translations"),
        ],
        table: include_str!("plato.txt"),
        shown: |text| {
            let file = source::SourceMap::default().add("program", text);
            format!("{:?}", plato::parse(file, text).0)
        },
    });
}
