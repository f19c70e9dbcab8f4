//! What searches tell.

use crate::support::{check, input, options};
use driver::{Analysis, Options, Status};
use verdict::{Halt, Verdict};

const RACE: &str = "var x: 0..3 = 0;
thread A { var t: 0..3; t := x; x := t + 1; }
thread B { var t: 0..3; t := x; x := t + 1; }
thread C { if (x == 3) { assert false; } }
never race on x;
";

/// Every notice points to its obligation, and a refutation to its run.
#[test]
fn notices_are_linked() {
    let heard = check(&mut Analysis::new(options()), &Halt::default(), input("a.plato", RACE));
    let file = heard.only_file();
    assert_eq!(file.status, Status::Refuted);
    assert!(!file.notices.is_empty());
    for notice in &file.notices {
        let about = notice.about.expect("every notice here is about an obligation");
        let result = &file.results[about.index()];
        assert_eq!(notice.diagnostic.code, result.obligation.code);
        let run = file.run_of(notice).expect("a run");
        assert!(matches!(&result.verdict, Verdict::Refuted(trace) if **trace == *run));
    }
}

#[test]
fn states_are_counted() {
    let options = options();
    let meter = options.meter.clone();
    let mut analysis = Analysis::new(Options { engine: driver::Engine::Explore, ..options });
    let text = "var x: 0..1000 = 0; thread A { while (x < 1000) { x := x + 1; } }";
    let heard = check(&mut analysis, &Halt::default(), input("a.plato", text));
    assert_eq!(heard.events[..3], ["parsed true", "planned 1", "started search"]);
    assert_eq!(heard.events[3..], ["decided search true", "finished Proved"]);
    assert!(meter.states() > 1000, "{}", meter.states());
}
