//! Class diagrams.
//!
//! ```text
//! class Philosopher <<process_root>> {
//!   eating : boolean
//!   {eating ==> left ^ right}
//! }
//! class Fork <<synchronization>>
//! Philosopher --> "1" Fork : left
//! note right of Philosopher : eating ==> left ^ right
//! ```

use super::Reader;
use super::lines::{Line, arrow};
use crate::parser::Parser;
use crate::syntax::{Class, Ident, Member};

impl Reader {
    pub(super) fn class_diagram(&mut self, lines: &[Line<'_>]) {
        let mut at = 0;
        while let Some(&line) = lines.get(at) {
            at += 1;
            if let Some(rest) = line.after_word("class") {
                self.class(rest);
                if line.text.ends_with('{') {
                    while let Some(&member) = lines.get(at) {
                        at += 1;
                        if member.text == "}" {
                            break;
                        }
                        self.attribute(member);
                    }
                }
            } else if let Some(rest) = line.after_word("note") {
                at += self.note(rest, &lines[at..]);
            } else if !line.starts_with_word("title") {
                self.association(line);
            }
        }
    }

    /// `A <<process_root>> {`
    fn class(&mut self, line: Line<'_>) {
        let line = line.text.strip_suffix('{').map_or(line, |rest| line.part(0, rest.len()));
        let (name, stereotype) = line.split("<<").unwrap_or((line, line.part(0, 0)));
        let Some(name) = name.ident(self.file) else {
            return self.not_understood(&line, "a class has a name and a stereotype");
        };
        let is_root = match stereotype.text.trim_end_matches(">>").trim() {
            "process_root" => true,
            "synchronization" => false,
            _ => {
                let what = "a class is `<<process_root>>` or `<<synchronization>>`";
                return self.not_understood(&line, what);
            }
        };
        self.design.classes.push(Class { name, is_root, members: Vec::new() });
    }

    /// A line between the braces of the class that was begun last.
    fn attribute(&mut self, line: Line<'_>) {
        let line = match line.text.strip_prefix(['+', '-', '#', '~']) {
            Some(rest) => line.part(line.text.len() - rest.len(), line.text.len()),
            None => line,
        };
        if line.text.ends_with(')') || line.text.chars().all(|c| "-.=_".contains(c)) {
            // The state diagram gives the operations; the rest are rules between parts.
            return;
        }
        let member = if line.text.starts_with('{') && line.text.ends_with('}') {
            self.constraint(line.part(1, line.text.len() - 1))
        } else {
            match line.split(":") {
                Some((name, kind)) if matches!(kind.text, "boolean" | "Boolean" | "bool") => {
                    name.ident(self.file).map(|name| Member::Conditions(vec![name]))
                }
                Some((name, kind)) => self.variable(name, kind),
                None => None,
            }
        };
        match (member, self.design.classes.last_mut()) {
            (Some(member), Some(class)) => class.members.push(member),
            // Faults in a constraint were reported when it was read.
            (None, _) if line.text.starts_with('{') => {}
            _ => self.not_understood(&line, "a member is `condition : boolean`, `variable : Class` or `{condition ==> variable}`"),
        }
    }

    fn variable(&self, name: Line<'_>, kind: Line<'_>) -> Option<Member> {
        let many = kind.text.ends_with("[*]");
        let class = if many { kind.part(0, kind.text.len() - 3) } else { kind };
        let (name, class) = (name.ident(self.file)?, class.ident(self.file)?);
        Some(Member::Variables { names: vec![name], class, many })
    }

    fn constraint(&mut self, line: Line<'_>) -> Option<Member> {
        let line = line.after_word("sync").unwrap_or(line);
        let part = (self.file, line.start, line.text);
        Parser::part(part, &mut self.faults, Parser::entailment)
    }

    /// `right of A : c ==> x`, or several lines up to `end note`; returns how many more lines it
    /// took.
    fn note(&mut self, line: Line<'_>, more: &[Line<'_>]) -> usize {
        let (head, text) = line.split(":").map_or((line, None), |(head, text)| (head, Some(text)));
        let class = head.text.split_once(" of ").map(|(_, class)| class.trim().to_owned());
        let mut texts: Vec<Line<'_>> = text.into_iter().collect();
        let mut taken = 0;
        if text.is_none() {
            let end = more.iter().position(|line| line.text == "end note");
            taken = end.map_or(more.len(), |end| end + 1);
            texts.extend(&more[..end.unwrap_or(more.len())]);
        }
        for text in texts.into_iter().filter(|text| text.text.contains("==>")) {
            let inner = text.text.trim_start_matches('{').trim_end_matches('}');
            let skipped = text.text.len() - text.text.trim_start_matches('{').len();
            let Some(member) = self.constraint(text.part(skipped, skipped + inner.len())) else {
                continue;
            };
            let classes = &mut self.design.classes;
            let found =
                classes.iter_mut().find(|one| Some(one.name.name.as_str()) == class.as_deref());
            match found {
                Some(class) => class.members.push(member),
                None => {
                    self.not_understood(&line, "a note with a constraint is `of` a class above");
                }
            }
        }
        taken
    }

    /// `A --> "*" B : x`
    fn association(&mut self, line: Line<'_>) {
        let what = "an association is `A --> \"1\" B : variable`";
        let Some((ends, label)) = line.split(":") else {
            return self.not_understood(&line, what);
        };
        let words = ends.words();
        let names = arrow(&words).and_then(|arrow| {
            let many = arrow.count.is_some_and(|count| count.text.contains('*'));
            Some((arrow.from, arrow.to.ident(self.file)?, label.ident(self.file)?, many))
        });
        let Some((from, class, name, many)) = names else {
            return self.not_understood(&line, what);
        };
        let member = Member::Variables { names: vec![name], class, many };
        let mut classes = self.design.classes.iter_mut();
        match classes.find(|class| class.name.name.as_str() == from.text) {
            Some(owner) => owner.members.push(member),
            None => {
                let ident = Ident { name: from.text.into(), span: from.span(self.file) };
                let known = self.design.classes.iter().map(|class| &class.name.name);
                self.faults.push(crate::resolve::unknown(&ident, "class", known));
            }
        }
    }
}
