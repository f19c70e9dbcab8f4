//! Locks of fields of Java that nobody wrote down: found, proved, and written into the text.

use crate::analysis::check;
use crate::language::Language;
use crate::options::{Input, Options};
use crate::results::Run;
use diagnostic::Code;
use java::FoundGuard;
use source::{FileId, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};
use verdict::{TaskName, Verdict};

/// A lock that was found for a field.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The field, with its class.
    pub field: String,
    /// The lock as the class names it.
    pub lock: String,
    /// Where the field is declared.
    pub span: Span,
    /// Whether each access is shown to hold it.
    pub is_proved: bool,
    /// Whether there is a place for it in the text.
    pub is_writable: bool,
}

/// The locks of the fields of a program.
#[derive(Clone, Debug)]
pub struct Guards {
    /// In the order of the text.
    pub guards: Vec<Guard>,
    /// The inputs with the proved ones.
    pub written: Vec<Input>,
    /// What the inputs come to.
    pub run: Run,
}

/// Finds locks of fields of a program in Java, or says why not.
pub fn guards(inputs: &[Input], options: &Options) -> Result<Guards, String> {
    if inputs.iter().any(|input| Language::of(&input.name) != Language::Java) {
        return Err("locks of fields are looked for in Java only".to_owned());
    }
    let run = check(inputs, options, &|_| {});
    if run.files.iter().any(|file| file.status == crate::Status::Rejected) {
        return Err("the input is rejected; `rely check` says why".to_owned());
    }
    let checks = Checks::new(&run);
    let mut places: BTreeMap<Span, String> = BTreeMap::new();
    let mut guards = Vec::new();
    for found in found(inputs, options) {
        let is_proved = found.accesses.iter().all(|access| checks.hold(*access));
        // A comment behind another declaration would belong to that one.
        let place = found.declaration.filter(|place| indentation(inputs, *place).is_some());
        if let (true, Some(place)) = (is_proved, place) {
            places.insert(place, format!("//@GuardedBy(\"{}\")", found.lock));
        }
        let (is_writable, FoundGuard { field, span, lock, .. }) = (place.is_some(), found);
        guards.push(Guard { field, lock, span, is_proved, is_writable });
    }
    guards.sort_by_key(|guard| (guard.span.file, guard.span.start));
    let written = write(inputs, &places);
    is_kept(&run, &written, options)?;
    Ok(Guards { guards, written, run })
}

fn found(inputs: &[Input], options: &Options) -> Vec<FoundGuard> {
    let mut sources = SourceMap::default();
    let add = |input: &Input| sources.add(input.name.as_str(), input.text.as_str());
    let ids: Vec<FileId> = inputs.iter().map(add).collect();
    java::read(&mut sources, &ids, &*options.library).found_guards
}

/// What was found out of accesses.
struct Checks {
    held: BTreeSet<Span>,
    failed: BTreeSet<Span>,
    /// Whether there is code of which nothing was found out.
    has_gaps: bool,
}

impl Checks {
    fn new(run: &Run) -> Self {
        let mut checks = Self { held: BTreeSet::new(), failed: BTreeSet::new(), has_gaps: false };
        for result in run.files.iter().flat_map(|file| &file.results) {
            let about = &result.obligation;
            let is_access = matches!(
                about.code,
                Code::DataRace | Code::UnguardedAccess | Code::AnnotationMissing
            );
            match (&result.verdict, is_access) {
                (Verdict::Proved(_), true) => _ = checks.held.insert(about.span),
                (Verdict::Proved(_) | Verdict::Refuted(_), false) => {}
                (Verdict::Refuted(_) | Verdict::Unknown(_), true) => {
                    checks.failed.insert(about.span);
                }
                (Verdict::Unknown(_), false) => checks.has_gaps = true,
            }
        }
        checks
    }

    /// Whether an access holds what it needs. Of one on an object that nobody else knows, nothing
    /// is asked.
    fn hold(&self, access: Span) -> bool {
        !self.failed.contains(&access) && (self.held.contains(&access) || !self.has_gaps)
    }
}

/// The inputs with annotations before declarations, in comments, so that they need no import.
fn write(inputs: &[Input], places: &BTreeMap<Span, String>) -> Vec<Input> {
    let mut written = inputs.to_vec();
    // From the end, so that places stay where they are.
    for (place, annotation) in places.iter().rev() {
        let indentation = indentation(inputs, *place).unwrap_or_default();
        let text = &mut written[place.file.0 as usize].text;
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        text.insert_str(place.start as usize, &format!("{annotation}{end}{indentation}"));
    }
    written
}

/// What stands before a declaration that is the first on its line.
fn indentation(inputs: &[Input], place: Span) -> Option<&str> {
    let before = inputs[place.file.0 as usize].text.get(..place.start as usize)?;
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    Some(&before[line..]).filter(|text| text.chars().all(char::is_whitespace))
}

/// Whether the program comes to the same with what was written.
fn is_kept(run: &Run, written: &[Input], options: &Options) -> Result<(), String> {
    let after = check(written, options, &|_| {});
    // One annotation on two fields is one thing to rely on, so that less may have to be shown.
    let verdicts = |run: &Run| {
        let mut open: BTreeMap<TaskName, (usize, usize)> = BTreeMap::new();
        for result in run.files.iter().flat_map(|file| &file.results) {
            let (refuted, unknown) = open.entry(result.task.clone()).or_default();
            match result.verdict {
                Verdict::Proved(_) => {}
                Verdict::Refuted(_) => *refuted += 1,
                Verdict::Unknown(_) => *unknown += 1,
            }
        }
        open
    };
    if verdicts(run) == verdicts(&after) {
        return Ok(());
    }
    Err("the program with the locks that were found does not come to the same".to_owned())
}
