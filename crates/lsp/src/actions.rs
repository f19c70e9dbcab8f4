//! Edits that are offered. Each was tried before: with it the finding is gone and no other is new.

use crate::checker::{Found, counted};
use crate::documents::Document;
use crate::ideas::Idea;
use driver::findings;

/// An edit that mends a finding.
#[derive(Clone, Debug)]
pub(crate) struct Repair {
    pub(crate) title: String,
    /// The place of the finding, in bytes.
    pub(crate) place: (usize, usize),
    /// What to insert, and where.
    pub(crate) insertions: Vec<(usize, String)>,
}

/// An edit that is to be tried.
pub(crate) struct Candidate {
    pub(crate) repair: Repair,
    /// The whole text with it.
    pub(crate) text: String,
    /// The fingerprint of what it is to mend.
    pub(crate) finding: String,
}

/// Once there are as many edits to try, no more are looked for.
const MOST: usize = 24;

impl Document {
    /// Edits to try, and what is found without them.
    pub(crate) fn candidates(&self) -> (Found, Vec<Candidate>) {
        let Some(checked) = self.checked.as_ref().filter(|checked| checked.is_current) else {
            return (Found::default(), Vec::new());
        };
        let mut all = Vec::new();
        let report = &checked.run.files[0];
        let found = findings(&checked.run);
        for (notice, finding) in report.notices.iter().zip(&found[0]) {
            let told = &notice.diagnostic;
            let span = told.primary.span;
            if notice.allowed.is_some() || span.file != report.file || all.len() >= MOST {
                continue;
            }
            for Idea { title, insertions } in self.ideas(told) {
                let text = inserted(&self.text, &insertions);
                let place = (span.start as usize, span.end as usize);
                let repair = Repair { title, place, insertions };
                all.push(Candidate { repair, text, finding: finding.fingerprint.clone() });
            }
        }
        (counted(&checked.run), all)
    }
}

/// The text with everything inserted; places come in order.
fn inserted(text: &str, insertions: &[(usize, String)]) -> String {
    let mut out = text.to_owned();
    for (at, more) in insertions.iter().rev() {
        out.insert_str(*at, more);
    }
    out
}
