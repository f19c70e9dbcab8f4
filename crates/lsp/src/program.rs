//! What a file is checked with: the other files of its program, and the settings of its project.

use driver::{Analysis, Baseline, Input, Options};
use std::collections::BTreeMap;
use std::time::Duration;

/// What a file is checked with.
pub struct Program {
    /// Tells settings apart: what was found out under other ones counts for nothing.
    pub settings: String,
    /// How to check.
    pub options: Options,
    /// The other files that belong to one program with it.
    pub others: Vec<Input>,
    /// How long a check may take.
    pub time_limit: Option<Duration>,
    /// Findings that do not count.
    pub baseline: Option<Baseline>,
    /// The names of files as a baseline has them.
    pub known_as: BTreeMap<String, String>,
}

impl Program {
    /// The same to read other texts with, which are not checked.
    pub(crate) fn unchecked(&self) -> Self {
        Self {
            settings: String::new(),
            options: self.options.clone(),
            others: Vec::new(),
            time_limit: None,
            baseline: None,
            known_as: BTreeMap::new(),
        }
    }
}

/// Says what a file is checked with, if the editor asks for these options; or what is wrong with
/// the settings of its project.
pub type Programs = Box<dyn Fn(&Input, &Options) -> Result<Program, String>>;

/// What was found out, for each of the settings that were used last.
#[derive(Default)]
pub(crate) struct Analyses {
    /// The newest is the last.
    all: Vec<(String, Analysis)>,
}

/// More are forgotten. Each has solvers that run.
const MOST: usize = 3;

impl Analyses {
    /// What was found out under these settings.
    pub(crate) fn of(&mut self, program: &Program) -> &mut Analysis {
        let known = self.all.iter().position(|(settings, _)| *settings == program.settings);
        let one = match known {
            Some(at) => self.all.remove(at),
            None => (program.settings.clone(), Analysis::new(program.options.clone())),
        };
        if self.all.len() >= MOST {
            self.all.remove(0);
        }
        self.all.push(one);
        let last = self.all.len() - 1;
        let analysis = &mut self.all[last].1;
        // Settings of single files have the names of the files at hand.
        analysis.set_options(program.options.clone());
        analysis
    }
}
