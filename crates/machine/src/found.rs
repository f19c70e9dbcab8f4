//! What searches found out about the goals of a program.

use crate::check::Violation;
use crate::goals::Goal;
use diagnostic::Code;
use plato::hir::Unsupported;
use search::Answer;
use std::collections::BTreeMap;
use verdict::StopReason;

/// What was found out.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Everything that was to be shown.
    pub goals: Vec<(Goal, Answer<Box<Violation>>)>,
    /// What was tried, in order, in a few words each.
    pub tried: Vec<String>,
}

impl Verified {
    /// Places that a translation could not express are no goals. If no run reaches one, it is left
    /// out. Otherwise it is not decided, and neither is whatever seemed to hold: a run may go on
    /// from there in any way. What goes wrong in a run that does not come there goes wrong.
    pub(crate) fn without_unsupported(
        &mut self,
        places: &BTreeMap<Goal, String>,
        whole: &[Unsupported],
    ) {
        let mut reached: Vec<(Goal, String)> = Vec::new();
        self.goals.retain(|(goal, answer)| {
            let Some(message) = places.get(goal) else { return true };
            if !answer.holds() {
                reached.push((*goal, message.clone()));
            }
            false
        });
        for Unsupported { message, span } in whole {
            reached.push((Goal { code: Code::Unsupported, span: *span }, message.clone()));
        }
        let Some((_, first)) = reached.first() else { return };
        let open = |message| Answer::open(StopReason::Unsupported(message));
        for (_, answer) in self.goals.iter_mut().filter(|(_, answer)| answer.holds()) {
            *answer = open(first.clone());
        }
        self.goals.extend(reached.into_iter().map(|(goal, message)| (goal, open(message))));
    }
}
