//! Classes of an installed JDK, with annotations of ours, through the verifier.
//!
//! Nothing of the classes is kept here: an annotation is inserted before the first line that
//! begins with a short anchor, and the sources come from the JDK.

use crate::checkout::Checkout;
use crate::command::{cargo, output, step};
use anyhow::{Context as _, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// A class, with annotations and the lines before which they go.
struct Patched {
    path: &'static str,
    /// Anchor and annotation.
    lines: &'static [(&'static str, &'static str)],
}

/// How many seconds a class may take.
const SECONDS: u64 = 60;

const CLASSES: &[Patched] = &[
    Patched {
        path: "java/util/Vector",
        lines: &[
            ("protected Object[] elementData;", "//@ monitored\n/*@ non_null */"),
            ("protected int elementCount;", "//@ monitored"),
            (
                "protected int capacityIncrement;",
                "//@ global_invariant 0 <= elementCount && elementCount <= elementData.length",
            ),
        ],
    },
    Patched {
        path: "java/util/Hashtable",
        lines: &[
            ("private transient Entry<?,?>[] table;", "//@ monitored\n/*@ non_null */"),
            ("private transient int count;", "//@ monitored"),
            ("private int threshold;", "//@ monitored"),
        ],
    },
    Patched { path: "java/util/Stack", lines: &[] },
    Patched { path: "java/lang/StringBuffer", lines: &[] },
    Patched {
        path: "java/util/Timer",
        lines: &[("boolean newTasksMayBeScheduled", "//@ guarded_by queue")],
    },
    Patched {
        path: "java/util/concurrent/ArrayBlockingQueue",
        lines: &[
            ("int takeIndex;", "//@ guarded_by lock"),
            ("int putIndex;", "//@ guarded_by lock"),
            ("int count;", "//@ guarded_by lock"),
            ("final ReentrantLock lock;", "/*@ non_null */"),
            ("private final Condition notEmpty;", "/*@ non_null */"),
            ("private final Condition notFull;", "/*@ non_null */"),
        ],
    },
    Patched {
        path: "java/util/concurrent/LinkedBlockingQueue",
        lines: &[
            ("transient Node<E> head;", "//@ guarded_by takeLock"),
            ("private transient Node<E> last;", "//@ guarded_by putLock"),
        ],
    },
    Patched {
        path: "java/util/concurrent/CyclicBarrier",
        lines: &[
            ("private int count;", "//@ guarded_by lock"),
            ("private Generation generation =", "//@ guarded_by lock\n/*@ non_null */"),
        ],
    },
];

/// Checks the classes and prints what is proved of each method, and how long the solver took.
pub(crate) fn jdk_classes(checkout: &Checkout, arguments: &[String]) -> anyhow::Result<()> {
    let (source, only) = match arguments {
        [option, path, only @ ..] if option == "--source" => (PathBuf::from(path), only),
        _ => bail!(
            "usage: cargo xtask jdk-classes --source PATH [CLASS]...\n  PATH is a `src.zip`, or a folder with its content"
        ),
    };
    step(&mut cargo(&["build", "--release", "--package", "rely"]))?;
    let folder = checkout.target.join("jdk-classes");
    std::fs::create_dir_all(&folder)?;
    for class in CLASSES {
        let name = class.path.rsplit('/').next().unwrap_or(class.path);
        if !only.is_empty() && !only.iter().any(|wanted| wanted == name) {
            continue;
        }
        let text = annotated(&source_of(&source, class.path)?, class)?;
        let file = folder.join(format!("{name}.java"));
        std::fs::write(&file, text)?;
        check(checkout, name, &file)?;
    }
    Ok(())
}

/// The text of a class.
fn source_of(source: &Path, class: &str) -> anyhow::Result<String> {
    let inner = format!("java.base/{class}.java");
    if source.is_dir() {
        return read(&source.join(&inner));
    }
    let archive = source.display().to_string();
    output("unzip", &["-p", &archive, &inner])
        .with_context(|| format!("cannot read {inner} in {archive} with `unzip`"))
}

/// A class with its annotations. An anchor that is not found is an error: the class has changed.
fn annotated(text: &str, class: &Patched) -> anyhow::Result<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (anchor, annotation) in class.lines {
        let at = lines.iter().position(|line| line.trim_start().starts_with(anchor));
        let Some(at) = at else { bail!("{}: no line begins with `{anchor}`", class.path) };
        lines.insert(at, (*annotation).to_owned());
    }
    Ok(lines.join("\n") + "\n")
}

/// Whether a program ends in twice the time that it was given; otherwise it is stopped.
fn ends_in_time(mut run: Child) -> anyhow::Result<bool> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(2 * SECONDS) {
        if run.try_wait()?.is_some() {
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    run.kill()?;
    run.wait()?;
    Ok(false)
}

#[expect(clippy::disallowed_methods, reason = "this is a tool about files")]
fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// What was found of one method.
#[derive(Default)]
struct Verdicts {
    proved: usize,
    refuted: Vec<String>,
    unknown: Vec<String>,
    /// How long each conversation with the solver took. What was decided together says the same.
    times: BTreeSet<Duration>,
}

fn check(checkout: &Checkout, name: &str, file: &Path) -> anyhow::Result<()> {
    let before = seconds_of_children();
    let program = checkout.target.join("release").join("rely");
    let run = Command::new(&program)
        .args(["check", "--format", "json", "--timeout", "5", "--time-limit"])
        .arg(SECONDS.to_string())
        .arg(file)
        .stdout(std::fs::File::create(file.with_extension("json"))?)
        .spawn()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let is_ended = ends_in_time(run)?;
    let seconds = seconds_of_children() - before;
    if !is_ended {
        println!("{name}: did not end in time, {seconds:.1} CPU seconds");
        return Ok(());
    }
    let text = read(&file.with_extension("json"))?;
    let report: Value = serde_json::from_str(&text).context("no report")?;
    let mut methods: BTreeMap<String, Verdicts> = BTreeMap::new();
    let files = report["files"].as_array().into_iter().flatten();
    for obligation in files.flat_map(|file| file["obligations"].as_array().into_iter().flatten()) {
        let method = obligation["task"]["name"].as_str().unwrap_or_default();
        let found = methods.entry(method.to_owned()).or_default();
        let seconds = obligation["seconds"].as_f64().unwrap_or_default();
        found.times.insert(Duration::try_from_secs_f64(seconds).unwrap_or_default());
        let place = format!(
            "{}:{}",
            obligation["code"].as_str().unwrap_or(""),
            obligation["place"]["line"]
        );
        match obligation["verdict"].as_str() {
            Some("proved") => found.proved += 1,
            Some("refuted") => found.refuted.push(place),
            _ => found.unknown.push(place),
        }
    }
    let proved = methods.values().filter(|one| one.refuted.is_empty() && one.unknown.is_empty());
    let refuted = methods.values().filter(|one| !one.refuted.is_empty()).count();
    println!(
        "{name}: {} methods, {} proved, {refuted} refuted, {seconds:.1} CPU seconds",
        methods.len(),
        proved.count(),
    );
    for (method, found) in &methods {
        let seconds = found.times.iter().sum::<Duration>().as_secs_f64();
        println!("  {method}: {}, {seconds:.1} s", found.told());
    }
    Ok(())
}

impl Verdicts {
    fn told(&self) -> String {
        let mut refuted = self.refuted.clone();
        let mut unknown = self.unknown.clone();
        refuted.dedup();
        unknown.dedup();
        if !refuted.is_empty() {
            format!("refuted ({}; {} proved)", refuted.join(", "), self.proved)
        } else if !unknown.is_empty() {
            unknown.truncate(4);
            format!("unknown ({}; {} proved)", unknown.join(", "), self.proved)
        } else {
            format!("proved ({})", self.proved)
        }
    }
}

/// The time that processors spent on programs that were started here and ended; zero where nobody
/// says.
fn seconds_of_children() -> f64 {
    const TICKS: f64 = 100.0;
    let Ok(text) = read(Path::new("/proc/self/stat")) else { return 0.0 };
    // The name of the program may have spaces; behind it, user and system time of children are
    // the fields 13 and 14.
    let behind = text.rsplit(')').next().unwrap_or_default();
    let fields: Vec<f64> =
        behind.split_whitespace().map(|field| field.parse().unwrap_or(0.0)).collect();
    fields.get(13).zip(fields.get(14)).map_or(0.0, |(user, system)| (user + system) / TICKS)
}
