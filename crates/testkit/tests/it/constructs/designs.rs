//! The constructs of designs.

use super::{Grammar, check, fields, names, variants};
use contract::syntax;
use driver::Language;

variants! {
    MEMBERS: syntax::Member = [Conditions, Variables, Constraint, State, Transition, CallsAny];
    TRANSITIONS: syntax::TransitionKind = [Before, After, Step];
    VALUES: syntax::Value = [Nil, Variable, Path, Any];
    FORMULAS: syntax::Formula<()> = [True, Atom, Not, And, Or];
    DECLARATIONS: syntax::Decl = [Unit, Binding, For, Policies, Property];
    INDEXES: syntax::Index = [Number, All];
    NUMBERS: syntax::Number = [Literal, Name, Binary];
    OPERATORS: syntax::Operator = [Add, Subtract, Multiply, Modulo];
    CLAIMS: syntax::Claim = [Never, Always, NoInterference, NoStarvation];
    ATOMS: syntax::Atom = [At, Is, Held, Waits, Refers, Each];
}

fields! {
    OF_TRANSITION: syntax::Transition =
        [guard, assigns] besides [span, kind, label, from, to];
    OF_GUARD: syntax::GuardPart = [equal, right] besides [left];
    OF_SYSTEM: syntax::System = [parameters] besides [name, decls];
    OF_PARAMETER: syntax::Parameter = [is_any] besides [name, value];
}

fn constructs() -> Vec<String> {
    let variants = names(
        "::",
        &[
            ("Member", MEMBERS),
            ("TransitionKind", TRANSITIONS),
            ("Value", VALUES),
            ("Formula", FORMULAS),
            ("Decl", DECLARATIONS),
            ("Index", INDEXES),
            ("Number", NUMBERS),
            ("Operator", OPERATORS),
            ("Claim", CLAIMS),
            ("Atom", ATOMS),
        ],
    );
    let fields = names(
        ".",
        &[
            ("Transition", OF_TRANSITION),
            ("GuardPart", OF_GUARD),
            ("System", OF_SYSTEM),
            ("Parameter", OF_PARAMETER),
            // Fields of variants.
            ("Variables", &["many"]),
            ("State", &["initial", "calls"]),
        ],
    );
    variants.into_iter().chain(fields).collect()
}

#[test]
fn no_engine_proves_wrong_designs() {
    check(&Grammar {
        language: Language::Design,
        constructs: constructs(),
        exempt: &[("Number::Binary", "each operator has a program")],
        table: include_str!("designs.txt"),
        shown: |text| {
            let file = source::SourceMap::default().add("program", text);
            format!("{:?}", contract::parse(file, text).0)
        },
    });
}
