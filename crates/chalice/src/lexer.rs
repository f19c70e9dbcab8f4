//! The tokens of the language. Later editions of it reserved words that earlier programs use: they
//! are soft keywords.

use parsing::Language;

parsing::tokens! {
    others { Str "a string" }
    keywords {
        Above "above" Acc "acc" Acquire "acquire" And "and" Assert "assert" Assigned "assigned" Assume "assume"
        Below "below" Between "between" Bool "bool" Call "call" Class "class" Const "const" Downgrade "downgrade"
        Else "else" Ensures "ensures" Eval "eval" Exists "exists" External "external" False "false" Fold "fold"
        Forall "forall" Fork "fork" Free "free" Function "function" Ghost "ghost" Holds "holds" If "if" In "in"
        IntType "int" Invariant "invariant" Ite "ite" Join "join" Lock "lock" Lockbottom "lockbottom"
        Lockchange "lockchange" Method "method" New "new" Nil "nil" Null "null" Old "old" Predicate "predicate" Rd "rd"
        Release "release" Reorder "reorder" Requires "requires" Result "result" Returns "returns" Seq "seq"
        Share "share" This "this" Token "token" True "true" Unfold "unfold" Unfolding "unfolding"
        Unshare "unshare" Var "var" Waitlevel "waitlevel" While "while"
    }
    soft {
        By "by" Channel "channel" Condition "condition" Credit "credit" Empty "empty" Max "max" Module "module"
        Receive "receive" Refines "refines" Replaces "replaces" Send "send" Set "set" Signal "signal" Spec "spec"
        Static "static" StringType "string" Sum "sum" Tracked "tracked" Transforms "transforms" Unlimited "unlimited"
        Volatile "volatile"
        Wait "wait" Where "where"
    }
    symbols {
        Iff "<==>" Implies "==>" AndAnd "&&" OrOr "||" Assign ":=" ColonColon "::" EqEq "==" NotEq "!=" LessEq "<="
        GreaterEq ">=" LockBelow "<<" DotDot ".." PlusPlus "++"
        OpenBrace "{" CloseBrace "}" OpenParen "(" CloseParen ")" OpenBracket "[" CloseBracket "]" Semicolon ";"
        Comma "," Colon ":" Dot "." Question "?" Eq "=" Less "<" Greater ">" Plus "+" Minus "-" Star "*" Slash "/"
        Percent "%" Bang "!" Pipe "|" Ampersand "&" Tilde "~" At "@" Underscore "_"
    }
}

impl Language for TokenKind {
    const MAX_DEPTH: u32 = 200;
    const MAX_HEIGHT: u32 = 500;
    const SHALLOWER: &str = "name parts of it with `predicate`, `function` or `method`";
    const COMMENTS_NEST: bool = false;
    const UNDERSCORES_IN_NUMBERS: bool = false;
    const STRING: Option<Self> = Some(Self::Str);

    fn repair_of_symbol(symbol: char) -> Option<&'static str> {
        if symbol == '⊏' { Some("<<") } else { parsing::of_mathematics(symbol) }
    }
}
