//! The tokens of annotations.

use parsing::Language;

parsing::tokens! {
    others { Text "a string" }
    keywords { InstanceOf "instanceof" }
    soft {}
    symbols {
        Iff "<==>" Implies "==>" Dots "..." AtomicOpen "{{" AtomicClose "}}"
        AndAnd "&&" OrOr "||" EqEq "==" NotEq "!=" LessEq "<=" GreaterEq ">=" Assign ":=" Arrow "->" Box "[]"
        OpenBrace "{" CloseBrace "}" OpenParen "(" CloseParen ")" OpenBracket "[" CloseBracket "]" Semicolon ";"
        Comma "," Colon ":" Dot "." Question "?" Eq "=" Less "<" Greater ">" Plus "+" Minus "-" Star "*" Slash "/"
        Percent "%" Bang "!" At "@" Backslash "\\" Underscore "_" Pipe "|" Ampersand "&"
    }
}

impl Language for TokenKind {
    const MAX_DEPTH: u32 = 100;
    const MAX_HEIGHT: u32 = 300;
    const SHALLOWER: &str = "write several annotations";
    const COMMENTS_NEST: bool = false;
    const UNDERSCORES_IN_NUMBERS: bool = true;
    const STRING: Option<Self> = Some(Self::Text);

    fn repair_of_symbol(symbol: char) -> Option<&'static str> {
        parsing::of_mathematics(symbol)
    }
}
