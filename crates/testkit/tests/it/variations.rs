//! Variations that must not change an answer: the number of workers, answers of earlier runs, and
//! where the environment acts.

use crate::usual::{Remembered, files, usual, verdicts};
use driver::{Choice, Input, Language, Options, Run, Status};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use testkit::{Example, Header, check_examples, options};

/// The output must depend neither on the number of workers nor on earlier answers. The usual run
/// has as many workers as there are processors and finds no earlier answer. One worker then asks
/// what it asked: every answer is remembered but those that show how something fails, which are
/// asked for anew. Programs in Java take as long as all others together, so that a part of them
/// stands for all.
#[test]
fn same_text_for_one_worker_that_remembers() {
    let expected = texts(&usual().runs);
    let memory = Arc::new(usual().memory.copy());
    let examples = usual().only(|example| {
        example.language() != Language::Java || example.input.name.contains("java/races/")
    });
    let again = check_examples(&examples, |options| {
        options.jobs = 1;
        options.memory = Some(memory.clone());
    });
    for (name, text) in texts(&again) {
        assert_eq!(expected[&name], text);
    }
    let (found, added) = (memory.found(), memory.added());
    assert!(found > 5_000, "only {found} answers were remembered");
    // What depends on time may be asked about again.
    assert!(added * 50 < found, "one worker asks other questions than many: {added}");
}

/// The same for one worker that remembers nothing and has to ask everything. By the test above
/// it asks what the usual run asked, so that some examples stand for all.
#[test]
fn same_text_for_one_worker_without_memory() {
    let folders = ["plato/locks/", "plato/transfer/", "chalice/monitors/", "java/races/"];
    let examples =
        usual().only(|example| folders.iter().any(|folder| example.input.name.contains(folder)));
    let memory = Arc::new(usual().memory.copy());
    let remembered = check_examples(&examples, |options| options.memory = Some(memory.clone()));
    let asked = check_examples(&examples, |options| options.jobs = 1);
    assert_eq!(texts(&remembered), texts(&asked));
}

/// What is printed of each run, by its first file.
fn texts(runs: &[(Vec<usize>, Run)]) -> BTreeMap<String, String> {
    let first = |run: &Run| run.sources.file(run.files[0].file).name.clone();
    let text = |run: &Run| report::text(run, diagnostic::Style::Plain, usize::MAX);
    runs.iter().map(|(_, run)| (first(run), text(run))).collect()
}

/// Interference at chosen places only must not change any answer.
#[test]
fn same_verdicts_with_interference_everywhere() {
    // The solver gives up on programs whose formulas all speak of all objects then.
    let examples = usual().only(|example| {
        example.language().supports(Choice::OneCluster)
            && !example.input.name.contains("calvin/apprentice")
    });
    same_verdicts(&examples, |options| options.one_cluster = true);
}

/// One step of the environment stands for any number of them. Two in a row are slow on quantified
/// formulas, so not all programs are compared.
#[test]
fn same_verdicts_with_two_steps_of_the_environment() {
    let slow = ["stack", "copy_on_write", "ticket_lock", "readers_writer"];
    let folders = ["plato/paper/", "plato/exclusion/", "plato/procedures/"];
    let examples = usual().only(|example| {
        let name = &example.input.name;
        let is_there = folders.iter().any(|folder| name.starts_with(folder));
        is_there && !slow.iter().any(|slow| name.contains(slow))
    });
    same_verdicts(&examples, |options| options.environment_steps = 2);
}

fn same_verdicts(examples: &[Example], change: impl Fn(&mut Options)) {
    // Where a header names an engine, nothing is changed, and the usual run is not repeated: a
    // search of the whole program has no environment.
    let engine = |example: &Example| options(&example.annotations.header).engine;
    let is_usual = |example: &&Example| engine(example) == driver::Engine::default();
    let examples: Vec<Example> = examples.iter().filter(is_usual).cloned().collect();
    assert!(!examples.is_empty());
    // A question that was asked before has the answer that it had.
    let runs = check_examples(&examples, |options| {
        options.memory = Some(usual().memory.clone());
        change(options);
    });
    let usual = usual().files();
    let changed = files(&runs);
    assert_eq!(changed.len(), examples.len());
    for (name, (file, run)) in changed {
        let (usual, usual_run) = usual[name];
        assert_eq!(verdicts(usual, usual_run), verdicts(file, run), "{name}");
    }
}

const METHODS: &str = "class Numbers {
    private int[] all = new int[4];
    private int count;
    //@ global_invariant 0 <= count && count <= all.length && all != null
    synchronized void add(int one) {
        if (count < all.length) {
            all[count] = one;
            count++;
        }
    }
    synchronized int sum() {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += all[i];
        }
        return sum;
    }
    synchronized void clear() {
        count = 0;
    }
    int twice() {
        return 2 * sum();
    }
}
";

/// After an edit to the body of a method in Java, the solver is asked about this method and about
/// those that call it.
#[test]
fn an_edit_of_java_asks_about_what_it_touches() {
    let memory = Arc::new(Remembered::default());
    let asked = |text: &str| {
        let mut options = options(&Header::default());
        options.memory = Some(memory.clone());
        let input = Input { name: "Numbers.java".to_owned(), text: text.to_owned() };
        let run = driver::check(&[input], &options, &|_| {});
        assert_eq!(run.files[0].status, Status::Proved);
        let asked = run.files[0].results.iter().filter(|result| result.effort.asked > 0);
        asked.map(|result| result.task.name.clone()).collect::<BTreeSet<_>>()
    };
    assert!(asked(METHODS).len() >= 4);
    assert_eq!(asked(METHODS), BTreeSet::new());
    let edited = METHODS.replace("int sum = 0;", "int sum = 1;\n        sum--;");
    let names: Vec<String> = asked(&edited).into_iter().collect();
    assert_eq!(names, ["Numbers.sum()", "Numbers.twice()"]);
}
