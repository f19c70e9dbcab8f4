//! Attributes beside a declaration or a statement.

use super::{Answer, Parser, Stuck};
use crate::tokens::Kind;

/// Attributes that do not change the behaviour of a program: they are about warnings, speed, and
/// layout in memory.
const HARMLESS: &[&str] = &[
    "access",
    "aligned",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cold",
    "const",
    "deprecated",
    "error",
    "externally_visible",
    "fallthrough",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "noclone",
    "noinline",
    "nonnull",
    "noreturn",
    "nothrow",
    "no_instrument_function",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_thread",
    "packed",
    "pure",
    "returns_nonnull",
    "sentinel",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
    "warning",
];

/// Attributes of functions that run although nobody calls them.
const RUNS: &[&str] = &["constructor", "destructor"];

/// Fences: each thread sees the writes of others at once anyway, so they have no effect.
const FENCES: &[&str] = &["", "mfence", "lfence", "sfence", "nop", "pause"];

impl Parser {
    /// Skips attributes and words that do not matter or are about speed only. An unknown one is not
    /// skipped.
    pub(super) fn attributes(&mut self) -> Answer<()> {
        while let Kind::Name(name) = self.kind().clone() {
            match name.as_str() {
                "__attribute__" | "__attribute" => self.attribute()?,
                "_Alignas" | "alignas" => {
                    self.advance();
                    if !self.is("(") || !self.skip_brackets() {
                        return self.stuck("`(` is expected here");
                    }
                }
                "__extension__" | "__restrict" | "__restrict__" | "restrict" => self.advance(),
                "__asm__" | "__asm" | "asm" => {
                    return self.stuck("a name that the assembler knows, or code of its own");
                }
                "__declspec" => return self.stuck("`__declspec`"),
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// `__attribute__((name, name(arguments)))`
    fn attribute(&mut self) -> Answer<()> {
        self.advance();
        self.expect("(")?;
        self.expect("(")?;
        while !self.eat(")") {
            if self.eat(",") {
                continue;
            }
            let span = self.span();
            let written = self.name()?;
            let name = written.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
            let name = name.unwrap_or(&written);
            if RUNS.contains(&name) {
                let message = format!("the attribute `{name}`: a function that runs by itself");
                self.refused.push(Stuck { span, message });
            } else if !HARMLESS.contains(&name) {
                return Err(Stuck { span, message: format!("the attribute `{name}`") });
            }
            if self.is("(") && !self.skip_brackets() {
                return self.stuck("this does not end");
            }
        }
        self.expect(")")
    }

    /// `asm volatile ("" ::: "memory");` keeps compilers from moving code and has no other effect.
    /// Other assembly code is not read.
    pub(super) fn fence(&mut self) -> Answer<bool> {
        let Kind::Name(name) = self.kind() else { return Ok(false) };
        if !matches!(name.as_str(), "asm" | "__asm__" | "__asm") {
            return Ok(false);
        }
        let (before, span) = (self.at, self.span());
        self.advance();
        while self.eat_word("volatile") || self.eat_word("__volatile__") {}
        self.expect("(")?;
        let is_fence = matches!(self.kind(), Kind::Text(code) if FENCES.contains(&code.trim()));
        self.advance();
        // The texts that follow name overwritten registers; operands would be in parentheses.
        let is_one = !matches!(self.kind(), Kind::Text(_));
        while matches!(self.kind(), Kind::Text(_) | Kind::Sign(":" | ",")) {
            self.advance();
        }
        if !is_fence || !is_one || !self.is(")") {
            self.at = before;
            return Err(Stuck { span, message: "code for the machine".to_owned() });
        }
        self.advance();
        self.expect(";")?;
        Ok(true)
    }
}
