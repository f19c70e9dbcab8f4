//! Pushdown systems: what a search found out about their targets.

use super::{Loaded, Read};
use crate::analysis::Context;
use crate::findings::{Findings, Told};
use crate::results::ObligationResult;
use crate::words;
use diagnostic::{Code, Diagnostic};
use pds::System;
use search::{Answer, Found};
use source::{FileId, Span};
use verdict::{Obligation, TaskKind, Trace, Verdict};

/// Reads a text.
pub(super) fn read(id: FileId, text: &str) -> Read {
    let (system, diagnostics) = pds::parse(id, text);
    let loaded = Loaded::Pds(Box::new(system));
    Read { loaded, diagnostics, used_definitions: Vec::new() }
}

/// Decides all targets of a system.
pub(super) fn check(system: &System, file: FileId, context: &Context<'_>) -> Findings {
    let engine = context.options.engine.search().unwrap_or_default();
    let (verified, effort) =
        context.search(file, |options| pds::verify(system, engine, &options.budget()));
    let mut found = Findings::of_searches(verified.tried);
    for (span, Answer { found: answer, by }) in verified.targets {
        let (verdict, told): (Verdict, Option<Told>) = match answer {
            Found::Holds(evidence) => (Verdict::Proved(evidence), None),
            Found::Violated(trace) => {
                let told = reached(span, &trace);
                (Verdict::Refuted(trace), Some(told.into()))
            }
            Found::Open(reason) => {
                let open = words::unknown(&reason, span);
                let told = open.at("not decided whether this can be reached");
                (Verdict::Unknown(reason), Some(told.into()))
            }
        };
        let code = Code::NeverReached;
        let about = Obligation::new(code, span, code.info().summary);
        let result = ObligationResult::new(TaskKind::Search.alone(), about, verdict, by);
        found.add(ObligationResult { effort, ..result }, told);
    }
    found
}

fn reached(span: Span, trace: &Trace) -> Diagnostic {
    let message = "a configuration is reached that must never be reached";
    words::confirmation(Diagnostic::new(Code::NeverReached, span, message), trace)
}
