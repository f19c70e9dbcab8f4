//! The constructs of Chalice.

use super::{Grammar, check, fields, names, variants};
use chalice::syntax;
use driver::Language;

variants! {
    ITEMS: syntax::Item = [Class, Channel];
    MEMBERS: syntax::Member =
        [Field, Invariant, Method, Predicate, Function, Condition, Coupling, Transform];
    SPECS: syntax::Spec = [Requires, Ensures, Lockchange];
    TYPES: syntax::TypeKind = [Int, Bool, String, Name, Seq, Set, Token, Error];
    STMTS: syntax::StmtKind = [
        Assert, Assume, Block, Local, Specification, Call, If, While, Share, Unshare, Reorder,
        Acquire, Release, Lock, Downgrade, Free, Assign, Fold, Unfold, Fork, Join, Wait, Signal,
        Send, Receive,
    ];
    MODES: syntax::Mode = [Write, Read];
    RIGHT_SIDES: syntax::Rhs = [New, Expr];
    EXPRS: syntax::ExprKind = [
        Int, Bool, Null, Str, This, Result, Waitlevel, Lockbottom, Name, Field, Apply, AllFields,
        AllElements, BackPointers, Any, Not, Neg, And, Or, Binary, Conditional, Index, Slice, Range,
        Seq, Nil, Set, EmptySet, Length, Old, Assigned, Holds, Credit, Unfolding, Eval, Quantified,
        Acc, Rd, RdStar, RdAmount, Error,
    ];
    OPERATORS: syntax::BinaryOp = [
        Iff, Implies, Eq, Ne, Lt, Le, Gt, Ge, LockBelow, In, NotIn, Append, Add, Sub, Mul, Div, Mod,
    ];
    QUANTIFIERS: syntax::Quantifier = [Forall, Exists, Sum, Max];
    DOMAINS: syntax::Domain = [In, Type, Set];
    STATES: syntax::StateKind = [Acquire, Release, Fork];
}

fields! {
    OF_CLASS: syntax::Class = [external, module, refines] besides [name, members, span];
    OF_CHANNEL: syntax::Channel = [condition] besides [name, params, span];
    OF_FIELD: syntax::Field = [ghost, volatile, tracked] besides [param, span];
    OF_PREDICATE: syntax::Predicate = [params] besides [name, body, span];
    OF_FUNCTION: syntax::Function =
        [unlimited, is_static, specs, body] besides [name, params, ty, span];
    OF_CONDITION: syntax::Condition = [condition] besides [name, span];
    OF_LOCAL: syntax::Local = [ghost, constant, init] besides [param];
    OF_SPECIFICATION: syntax::Specification = [ghost, constant, before] besides [targets, after];
    OF_WHILE: syntax::While = [invariants, lockchange] besides [cond, body];
    OF_BOUNDS: syntax::Bounds = [lower, upper] besides [];
    OF_NEW: syntax::New = [inits, bounds] besides [class, span];
}

fn constructs() -> Vec<String> {
    let variants = names(
        "::",
        &[
            ("Item", ITEMS),
            ("Member", MEMBERS),
            ("Spec", SPECS),
            ("TypeKind", TYPES),
            ("StmtKind", STMTS),
            ("Mode", MODES),
            ("Rhs", RIGHT_SIDES),
            ("ExprKind", EXPRS),
            ("BinaryOp", OPERATORS),
            ("Quantifier", QUANTIFIERS),
            ("Domain", DOMAINS),
            ("StateKind", STATES),
        ],
    );
    let fields = names(
        ".",
        &[
            ("Class", OF_CLASS),
            ("Channel", OF_CHANNEL),
            ("Field", OF_FIELD),
            ("Predicate", OF_PREDICATE),
            ("Function", OF_FUNCTION),
            ("Condition", OF_CONDITION),
            ("Local", OF_LOCAL),
            ("Specification", OF_SPECIFICATION),
            ("While", OF_WHILE),
            ("Bounds", OF_BOUNDS),
            ("New", OF_NEW),
        ],
    );
    variants.into_iter().chain(fields).collect()
}

#[test]
fn no_engine_proves_wrong_chalice() {
    check(&Grammar {
        language: Language::Chalice,
        constructs: constructs(),
        exempt: &[
            ("TypeKind::Error", "stands for what does not parse"),
            ("ExprKind::Error", "stands for what does not parse"),
            ("ExprKind::Binary", "each operator has a program"),
            ("ExprKind::Quantified", "each quantifier has a program"),
        ],
        table: include_str!("chalice.txt"),
        shown: |text| {
            let file = source::SourceMap::default().add("program", text);
            format!("{:?}", chalice::parse(file, text).0)
        },
    });
}
