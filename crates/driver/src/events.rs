//! What happens during a check, announced as it happens.

use crate::results::FileReport;
use source::FileId;
use verdict::TaskName;

/// Something that happens during a check. Events of several files come in any order.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A text was read.
    Parsed {
        /// Which one.
        file: FileId,
        /// Whether it is a program; if not, nothing more happens to it.
        accepted: bool,
    },
    /// What there is to decide about a file is known.
    Planned {
        /// The file.
        file: FileId,
        /// All tasks.
        tasks: Vec<TaskName>,
    },
    /// Somebody works on a task.
    Started {
        /// Its file.
        file: FileId,
        /// The task.
        task: &'a TaskName,
    },
    /// A task is decided. What else is to be said of it stands in the report.
    Decided {
        /// Its file.
        file: FileId,
        /// The task.
        task: &'a TaskName,
        /// Whether all of it is proved.
        proved: bool,
    },
    /// Everything about a file is known.
    Finished {
        /// All of it.
        report: &'a FileReport,
    },
}
