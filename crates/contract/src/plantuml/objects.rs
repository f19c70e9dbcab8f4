//! Object diagrams.
//!
//! ```text
//! title Table
//! object "P0 : Philosopher" as P0
//! object "F0 : Fork" as F0
//! P0 --> F0 : left
//! ```

use super::Reader;
use super::lines::{Line, arrow};
use crate::syntax::{Decl, Ident, Reference, System};

impl Reader {
    pub(super) fn object_diagram(&mut self, lines: &[Line<'_>]) {
        let Some(first) = lines.first() else { return };
        let title = lines.iter().find_map(|line| line.after_word("title"));
        let name = title.and_then(|title| title.ident(self.file)).unwrap_or_else(|| Ident {
            name: "Objects".into(),
            span: title.unwrap_or(*first).span(self.file),
        });
        let mut decls = Vec::new();
        for &line in lines.iter().filter(|line| !line.starts_with_word("title")) {
            let read = match line.after_word("object") {
                Some(rest) => self.object(rest).map(|decl| decls.push(decl)),
                None => self.link(line, &mut decls),
            };
            if read.is_none() {
                let what = "an object is `object \"P : Class\" as P`, a link `P --> F : variable`";
                self.not_understood(&line, what);
            }
        }
        self.design.systems.push(System { name, parameters: Vec::new(), decls });
    }

    /// `"P0 : Philosopher" as P0`
    fn object(&self, line: Line<'_>) -> Option<Decl> {
        let words = line.words();
        let (name, class) = words.first()?.split(":")?;
        let alias = match words[1..] {
            [] => name,
            [word, alias] if word.text == "as" => alias,
            _ => return None,
        };
        Some(Decl::Unit(reference(alias.ident(self.file)?), class.ident(self.file)?))
    }

    /// `P0 --> F0 : left`; several links of one variable are one binding.
    fn link(&self, line: Line<'_>, decls: &mut Vec<Decl>) -> Option<()> {
        let (ends, label) = line.split(":")?;
        let words = ends.words();
        let ends = arrow(&words)?;
        let (unit, value) = (ends.from.ident(self.file)?, ends.to.ident(self.file)?);
        let variable = label.ident(self.file)?;
        let same = decls.iter_mut().find_map(|decl| match decl {
            Decl::Binding { unit: owner, variable: other, values } => {
                let is_same = owner.name.name == unit.name && other.name == variable.name;
                is_same.then_some(values)
            }
            _ => None,
        });
        match same {
            Some(values) => values.push(reference(value)),
            None => decls.push(Decl::Binding {
                unit: reference(unit),
                variable,
                values: vec![reference(value)],
            }),
        }
        Some(())
    }
}

fn reference(name: Ident) -> Reference {
    let span = name.span;
    Reference { name, index: None, span }
}
