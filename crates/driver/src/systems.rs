//! Pushdown systems: what a search found out about their targets, as results and diagnostics.

use crate::diagnose;
use crate::findings::Findings;
use crate::run::{Engine, ObligationResult, Options};
use diagnostic::{Code, Diagnostic};
use pds::{Found, System};
use source::{SourceMap, Span};
use verdict::{Obligation, Trace, Verdict};

const CODE: Code = Code::NeverReached;

/// Decides all targets of a system.
pub(crate) fn search_system(system: &System, options: &Options, sources: &SourceMap) -> Findings {
    let engine = match options.engine {
        Engine::ThreadModular | Engine::Pushdown => pds::Engine::Pushdown,
        Engine::Pairs => pds::Engine::Pairs,
        Engine::Explore => pds::Engine::Explore,
        // Those that are not for pushdown systems were refused before.
        Engine::Auto | Engine::Symbolic | Engine::Deductive => pds::Engine::Ladder,
    };
    let budget = options.budget();
    let verified = pds::verify(system, engine, &budget);
    let mut searched = Findings { tried: verified.tried, ..Findings::default() };
    for (span, found) in verified.targets {
        let verdict = match found {
            Found::Unreachable(evidence) => Verdict::Proved(evidence),
            Found::Reached(trace) => {
                searched.diagnostics.push(reached(span, &trace, sources));
                Verdict::Refuted(trace)
            }
            Found::Open(reason) => {
                let open = diagnose::unknown(&reason, span);
                searched.diagnostics.push(open.at("not decided whether this can be reached"));
                Verdict::Unknown(reason)
            }
        };
        let task = "search".to_owned();
        let obligation = Obligation::new(CODE, span, CODE.info().summary);
        searched.results.push(ObligationResult { task, obligation, verdict });
    }
    searched
}

fn reached(span: Span, trace: &Trace, sources: &SourceMap) -> Diagnostic {
    let message = "a configuration is reached that must never be reached";
    let mut diagnostic = Diagnostic::new(CODE, span, message);
    diagnostic.picture = diagnose::lanes(trace, sources);
    diagnose::note_on_trace(diagnostic, trace)
}
