//! The tokens of the language.

use parsing::Language;

parsing::tokens! {
    others {}
    keywords {
        Action "action" Assert "assert" Assume "assume" At "at" Atomic "atomic" Bool "bool" Break "break" Call "call"
        Cas "cas" Choose "choose" Const "const" Continue "continue" Else "else" Ensures "ensures" Enum "enum"
        Exists "exists" False "false" Forall "forall" Havoc "havoc" If "if" In "in" Init "init" IntType "int"
        Invariant "invariant" Loop "loop" Modifies "modifies" Module "module" Mutex "mutex" Never "never" Or "or"
        Pred "pred" Proc "proc" Rely "rely" Requires "requires" Return "return" Returns "returns" Skip "skip"
        Thread "thread" Tid "tid" TidType "Tid" True "true" Type "type" Var "var" While "while"
    }
    soft {}
    symbols {
        Iff "<==>" Implies "==>" AndAnd "&&" OrOr "||" Assign ":=" ColonColon "::" EqEq "==" NotEq "!=" LessEq "<="
        GreaterEq ">=" FatArrow "=>" DotDot ".." PlusPlus "++" PlusAssign "+=" MinusMinus "--" MinusAssign "-="
        ThinArrow "->"
        OpenBrace "{" CloseBrace "}" OpenParen "(" CloseParen ")" OpenBracket "[" CloseBracket "]" Semicolon ";"
        Comma "," Colon ":" Dot "." Question "?" Prime "'" Eq "=" Less "<" Greater ">" Plus "+" Minus "-" Star "*"
        Slash "/" Percent "%" Bang "!" And "&" Pipe "|" Underscore "_"
        Hash "#"
    }
}

impl Language for TokenKind {
    const MAX_DEPTH: u32 = 300;
    const MAX_HEIGHT: u32 = 1000;
    const SHALLOWER: &str = "name parts of it with `pred`, `proc` or `const`";
    const COMMENTS_NEST: bool = true;
    const UNDERSCORES_IN_NUMBERS: bool = true;

    fn repair_of_symbol(symbol: char) -> Option<&'static str> {
        match symbol {
            '∉' => Some("!in"),
            '∅' => Some("{}"),
            '∪' => Some("+"),
            '∩' => Some("*"),
            '′' | '’' => Some("'"),
            _ => parsing::of_mathematics(symbol),
        }
    }
}
