//! What a project sets for some of its files. A setting that means nothing for the language of a
//! file does not apply to it.

use crate::language::{Choice, Language};
use crate::options::{Engine, Options};
use crate::results::{Allowed, FileReport};
use diagnostic::{Code, Severity};
use std::collections::BTreeMap;

/// Settings for a file. What is not set stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// How to decide.
    pub engine: Option<Engine>,
    /// Limit on the states that a search may visit.
    pub states: Option<u64>,
    /// Whether what is taken for granted leaves a method undecided.
    pub strict: Option<bool>,
    /// Whether to look for specifications that say less than they seem to.
    pub hygiene: Option<bool>,
    /// Whether to look for annotations that are missing.
    pub infer: Option<bool>,
    /// How warnings are taken.
    pub severities: BTreeMap<Code, Level>,
}

/// How a warning is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It is counted and not shown.
    Off,
    /// As it is.
    Warning,
    /// It counts like something that is refuted.
    Error,
}

impl Settings {
    /// These settings, and others where they say nothing.
    pub fn or(mut self, others: &Self) -> Self {
        for (code, level) in &others.severities {
            self.severities.entry(*code).or_insert(*level);
        }
        Self {
            engine: self.engine.or(others.engine),
            states: self.states.or(others.states),
            strict: self.strict.or(others.strict),
            hygiene: self.hygiene.or(others.hygiene),
            infer: self.infer.or(others.infer),
            severities: self.severities,
        }
    }

    /// Takes warnings as they are set.
    pub(crate) fn apply(&self, report: &mut FileReport) {
        for notice in &mut report.notices {
            let told = &mut notice.diagnostic;
            match self.severities.get(&told.code) {
                Some(Level::Off) if told.severity == Severity::Warning => {
                    notice.allowed.get_or_insert(Allowed::Settings);
                }
                Some(Level::Error) if told.severity == Severity::Warning => {
                    told.severity = Severity::Error;
                }
                Some(Level::Off | Level::Warning | Level::Error) | None => {}
            }
        }
    }
}

impl Options {
    /// The options for a file.
    pub(crate) fn of(&self, name: &str) -> Self {
        let language = Language::of(name);
        let mut options = self.clone();
        let Some(settings) = self.settings.get(name) else { return options };
        if let Some(engine) = settings.engine.filter(|one| language.supports(Choice::Engine(*one)))
        {
            options.engine = engine;
        }
        if let Some(states) = settings.states {
            options.states = states;
        }
        if let Some(strict) = settings.strict.filter(|_| language.supports(Choice::Strict)) {
            options.strict = strict;
        }
        if let Some(hygiene) = settings.hygiene.filter(|_| language.supports(Choice::NoHygiene)) {
            options.hygiene = hygiene;
        }
        if settings.infer == Some(false) {
            options.infer = None;
        }
        options
    }
}
