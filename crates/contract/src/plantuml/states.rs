//! State diagrams, one for each class, which the title names.
//!
//! ```text
//! title Philosopher
//! [*] --> thinking
//! dining : eating
//! dining : calls left.use
//! thinking --> dining : before eat [left != right] / left := nil
//! ```

use super::Reader;
use super::lines::{Line, arrow};
use crate::parser::Parser;
use crate::syntax::{Ident, Member, Transition};
use source::{Name, Span};

/// A state, put together line by line.
struct Drawn {
    name: Ident,
    truths: Vec<Ident>,
    initial: Option<Span>,
    calls: Vec<(Ident, Ident)>,
}

impl Reader {
    pub(super) fn state_diagram(&mut self, lines: &[Line<'_>]) {
        let Some(first) = lines.first() else { return };
        let titles: Vec<Line<'_>> =
            lines.iter().filter_map(|line| line.after_word("title")).collect();
        let class = titles.first().and_then(|title| {
            let title = title.text.trim_matches('"');
            self.design.classes.iter().position(|class| class.name.name.as_str() == title)
        });
        let Some(class) = class else {
            let place = titles.first().unwrap_or(first);
            let what = "a state diagram has the name of a class as its title";
            return self.not_understood(place, what);
        };
        let mut states: Vec<Drawn> = Vec::new();
        let mut transitions = Vec::new();
        for &line in lines.iter().filter(|line| !line.starts_with_word("title")) {
            self.state_line(line, &mut states, &mut transitions);
        }
        let drawn = states.into_iter().map(|Drawn { name, truths, initial, calls }| {
            Member::State { name, truths, initial, calls }
        });
        let members = &mut self.design.classes[class].members;
        members.extend(drawn);
        members.extend(transitions.into_iter().map(Member::Transition));
    }

    fn state_line(
        &mut self,
        line: Line<'_>,
        states: &mut Vec<Drawn>,
        transitions: &mut Vec<Transition>,
    ) {
        let line = line.after_word("state").unwrap_or(line);
        let (head, label) =
            line.split(":").map_or((line, None), |(head, label)| (head, Some(label)));
        let words = head.words();
        if let Some(ends) = arrow(&words) {
            self.transition(line, (ends.from, ends.to), label, (states, transitions));
            return;
        }
        let Some(name) = head.ident(self.file) else {
            return self.not_understood(&line, "a state is `s` or `s : condition`");
        };
        let state = drawn(states, name);
        let Some(label) = label else { return };
        if let Some(calls) = label.after_word("calls") {
            let part = (self.file, calls.start, calls.text);
            let read = Parser::part(part, &mut self.faults, Parser::calls);
            states[state].calls.extend(read.unwrap_or_default());
        } else {
            let part = (self.file, label.start, label.text);
            let read = Parser::part(part, &mut self.faults, |parser| parser.idents("a condition"));
            states[state].truths.extend(read.unwrap_or_default());
        }
    }

    fn transition(
        &mut self,
        line: Line<'_>,
        (from, to): (Line<'_>, Line<'_>),
        label: Option<Line<'_>>,
        (states, transitions): (&mut Vec<Drawn>, &mut Vec<Transition>),
    ) {
        const ENDS: &str = "[*]";
        if to.text == ENDS {
            // The end of a life; a state without outgoing transitions means the same.
            return;
        }
        let Some(target) = to.ident(self.file) else {
            return self.not_understood(&line, "a transition leads to a state");
        };
        let at = drawn(states, target.clone());
        if from.text == ENDS {
            states[at].initial = Some(from.span(self.file));
            return;
        }
        let (Some(source), Some(label)) = (from.ident(self.file), label) else {
            return self.not_understood(&line, "a transition is `s --> t : before operation`");
        };
        drawn(states, source.clone());
        let part = (self.file, label.start, label.text);
        let read = Parser::part(part, &mut self.faults, |parser| parser.labelled(source, target));
        transitions.extend(read);
    }
}

/// The number of the state with this name, which is added if it is new.
fn drawn(states: &mut Vec<Drawn>, name: Ident) -> usize {
    let same = |state: &Drawn| -> bool {
        let known: &Name = &state.name.name;
        *known == name.name
    };
    states.iter().position(same).unwrap_or_else(|| {
        states.push(Drawn { name, truths: Vec::new(), initial: None, calls: Vec::new() });
        states.len() - 1
    })
}
