//! Horn clauses: a question of its own, since Z3 answers it with another engine.

use crate::process::Wait;
use crate::sexp::Sexp;
use crate::{Kind, Session};
use std::time::{Duration, Instant};

impl Session {
    /// A model of Horn clauses, given as declarations and assertions: what `get-model` answers.
    /// `None` if there is none, if none is found in this time, or if the solver knows nothing of
    /// such questions. It is asked in processes of its own.
    pub fn model_of_clauses(&self, clauses: &str, time: Duration) -> Option<Sexp> {
        if self.solver().kind != Kind::Z3 {
            return None;
        }
        for options in OPTIONS {
            if self.is_over() {
                return None;
            }
            match self.ask_of_clauses(&format!("{options}{clauses}"), time / 2) {
                Outcome::Model(model) => return Some(model),
                Outcome::NoModel => return None,
                Outcome::Nothing => {}
            }
        }
        None
    }

    fn ask_of_clauses(&self, text: &str, time: Duration) -> Outcome {
        let (limits, halt) = self.ends_with();
        let Ok(mut process) = self.solver().start() else { return Outcome::Nothing };
        let memory = limits.memory_mib;
        process.write(format!("(set-option :memory_max_size {memory})\n{text}\n(check-sat)\n"));
        let wait = Wait { deadline: Instant::now().checked_add(time), halt };
        match process.reply(wait).as_deref() {
            Ok("sat") => {}
            Ok("unsat") => return Outcome::NoModel,
            _ => return Outcome::Nothing,
        }
        process.write("(get-model)\n".to_owned());
        let model = process.reply(wait).ok().and_then(|text| Sexp::parse(&text).ok());
        model.map_or(Outcome::Nothing, Outcome::Model)
    }
}

enum Outcome {
    Model(Sexp),
    NoModel,
    Nothing,
}

/// How the question is asked. At first with what Z3 calls global guidance: then it looks for one
/// linear relation where it would otherwise count up. The seeds are the same in every run.
const OPTIONS: [&str; 2] = [
    "(set-logic HORN)\n(set-option :fp.spacer.global true)\n(set-option :fp.spacer.random_seed 0)\n",
    "(set-logic HORN)\n(set-option :fp.spacer.random_seed 0)\n",
];
