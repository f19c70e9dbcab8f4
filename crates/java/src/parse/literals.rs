//! Literals.

use super::Reader;
use crate::tree::Literal;
use tree_sitter::Node;

impl Reader<'_> {
    /// The value of a literal; `None` if a node is none.
    pub(super) fn literal(&mut self, node: Node<'_>) -> Option<Literal> {
        Some(match node.kind() {
            "true" => Literal::Bool(true),
            "false" => Literal::Bool(false),
            "null_literal" => Literal::Null,
            "character_literal" => {
                let text = self.text(node);
                Literal::Char(character(text.get(1..text.len().saturating_sub(1))?)?)
            }
            "string_literal" => Literal::Text(self.text(node).to_owned()),
            "decimal_floating_point_literal" | "hex_floating_point_literal" => {
                let is_float = self.text(node).ends_with(['f', 'F'])
                    && node.kind() == "decimal_floating_point_literal";
                if is_float { Literal::Float } else { Literal::Double }
            }
            "decimal_integer_literal" => self.integer(node, 10, 0),
            "hex_integer_literal" => self.integer(node, 16, 2),
            "octal_integer_literal" => self.integer(node, 8, 1),
            "binary_integer_literal" => self.integer(node, 2, 2),
            _ => return None,
        })
    }

    /// A number after a prefix. Other than decimal ones may set the bit of the sign.
    fn integer(&mut self, node: Node<'_>, radix: u32, prefix: usize) -> Literal {
        let text = self.text(node).replace('_', "");
        let digits = text.trim_end_matches(['l', 'L']);
        let is_long = digits.len() < text.len();
        let bits = if is_long { 64 } else { 32 };
        let value = i128::from_str_radix(digits.get(prefix..).unwrap_or_default(), radix);
        // `-2147483648` is written with a literal that is one too large.
        let limit = if radix == 10 { (1i128 << (bits - 1)) + 1 } else { 1i128 << bits };
        let Some(value) = value.ok().filter(|value| *value < limit) else {
            self.error(node, "a number that is too large");
            return Literal::Int(0);
        };
        let is_negative = radix != 10 && value >= 1i128 << (bits - 1);
        let value = if is_negative { value - (1i128 << bits) } else { value };
        if is_long { Literal::Long(value) } else { Literal::Int(value) }
    }
}

/// The number of a character between quotes.
fn character(text: &str) -> Option<u32> {
    let Some(escaped) = text.strip_prefix('\\') else {
        return text.chars().next().map(u32::from);
    };
    let first = escaped.chars().next()?;
    Some(match first {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'b' => 8,
        'f' => 12,
        's' => 32,
        'u' => u32::from_str_radix(escaped.trim_start_matches('u'), 16).ok()?,
        '0'..='7' => u32::from_str_radix(escaped, 8).ok()?,
        other => u32::from(other),
    })
}
