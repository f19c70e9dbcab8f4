//! Random small Chalice programs, as text.
//!
//! The writer of a body knows its permissions and some values, so most contracts and assertions are
//! right. Then lines are changed in most programs: a permission is dropped, a constant is another
//! one, statements change places.

mod body;
mod calls;
mod moves;
mod mutate;

use super::rng::Rng;
use body::{Body, Known, Method};
use std::fmt::Write as _;

/// All permission, half of it, and a `rd`.
const FULL: u32 = 100_000;
const HALF: u32 = 50_000;
const READ: u32 = 1;

/// The fields: two that are read and written with permission, and a volatile one.
const FIELDS: [&str; 3] = ["f", "g", "v"];
const VOLATILE: usize = 2;

/// What a monitor promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    AtLeast(usize, i64),
    AtMost(usize, i64),
    Equal,
    Grows(usize),
    /// Once it has the value it keeps it.
    Stays(usize, i64),
}

/// The class of the objects.
#[derive(Clone, Debug)]
struct Class {
    /// The permissions to each field that the monitor keeps.
    kept: [u32; 3],
    facts: Vec<Fact>,
    /// Whether there is a predicate `P` with all of `f`, and the fact that it promises.
    predicate: Option<Fact>,
    /// Whether there is a function that reads `f`.
    function: bool,
}

/// The program of a seed; the same seed gives the same text.
pub fn random_objects(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x000B_1EC7);
    let class = Class::new(&mut rng);
    let mut lines = class.declarations();
    let mut methods: Vec<Method> = Vec::new();
    for index in 0..2 + rng.below(3) {
        let body = Body::of_method(&class, &methods, &mut rng);
        methods.push(body.method(index, &mut lines));
    }
    lines.push("}".to_owned());
    lines.push("class Start {".to_owned());
    lines.extend(["method Main()", "{"].map(str::to_owned));
    let mut body = Body::of_main(&class, &methods, &mut rng);
    body.main();
    lines.extend(body.finish());
    lines.extend(["}", "}"].map(str::to_owned));
    for _ in 0..*rng.pick(&[0, 0, 1, 1, 1, 2, 3]) {
        mutate::mutate(&mut lines, &mut rng);
    }
    lines.join("\n") + "\n"
}

impl Class {
    fn new(rng: &mut Rng) -> Self {
        let kept = [0, 1, 2].map(|_| *rng.pick(&[FULL, FULL, FULL, HALF, READ, 0]));
        let mut facts = Vec::new();
        for (field, amount) in kept.into_iter().enumerate() {
            let is_volatile = field == VOLATILE;
            if amount == 0 && !is_volatile {
                continue;
            }
            for _ in 0..rng.below(3) {
                let bound = i64::try_from(rng.below(4)).unwrap_or(0);
                facts.push(match rng.below(6) {
                    0 | 1 => Fact::AtLeast(field, -bound),
                    2 => Fact::AtMost(field, bound + 3),
                    3 if kept[0] > 0 && kept[1] > 0 && !is_volatile => Fact::Equal,
                    4 => Fact::Stays(field, bound),
                    _ => Fact::Grows(field),
                });
            }
        }
        let predicate = rng.percent(30).then_some(Fact::AtLeast(0, 0));
        Self { kept, facts, predicate, function: rng.percent(30) }
    }

    fn declarations(&self) -> Vec<String> {
        let mut lines =
            ["class A {", "var f: int;", "var g: int;", "volatile var v: int;", "var next: A;"]
                .map(str::to_owned)
                .to_vec();
        let kept: Vec<String> = (0..3).filter_map(|at| share("", at, self.kept[at])).collect();
        if !kept.is_empty() {
            lines.push(format!("invariant {}", kept.join(" && ")));
        }
        lines.extend(self.facts.iter().map(|fact| format!("invariant {}", fact.text(""))));
        if let Some(fact) = self.predicate {
            lines.push(format!("predicate P {{ acc(f) && {} }}", fact.text("")));
        }
        if self.function {
            lines.push("function Twice(): int requires rd(f) { f + f }".to_owned());
        }
        lines
    }
}

/// `acc(o.f, 50)` and the like; `None` without permission.
fn share(object: &str, field: usize, amount: u32) -> Option<String> {
    let place = format!("{object}{}", FIELDS[field]);
    permission(&place, amount)
}

fn permission(place: &str, amount: u32) -> Option<String> {
    match amount {
        0 => None,
        amount if amount >= FULL => Some(format!("acc({place})")),
        amount if amount >= HALF => Some(format!("acc({place}, 50)")),
        _ => Some(format!("rd({place})")),
    }
}

impl Fact {
    fn text(self, object: &str) -> String {
        let name = |field: usize| format!("{object}{}", FIELDS[field]);
        match self {
            Self::AtLeast(field, bound) => format!("{bound} <= {}", name(field)),
            Self::AtMost(field, bound) => format!("{} <= {bound}", name(field)),
            Self::Equal => format!("{} == {}", name(0), name(1)),
            Self::Grows(field) => format!("old({0}) <= {0}", name(field)),
            Self::Stays(field, value) => {
                format!("(old({0}) == {value} ==> {0} == {value})", name(field))
            }
        }
    }

    fn is_about_two_states(self) -> bool {
        matches!(self, Self::Grows(_) | Self::Stays(..))
    }

    /// Whether it is known to hold.
    fn holds(self, known: &[Known; 3]) -> bool {
        match self {
            Self::AtLeast(field, bound) => match known[field] {
                Known::Is(value) => bound <= value,
                Known::Acquired(more) => more >= 0,
                _ => false,
            },
            Self::AtMost(field, bound) => match known[field] {
                Known::Is(value) => value <= bound,
                Known::Acquired(more) => more <= 0,
                _ => false,
            },
            Self::Equal => known[0] == known[1] && known[0] != Known::Nothing,
            Self::Grows(field) => matches!(known[field], Known::Acquired(more) if more >= 0),
            Self::Stays(field, _) => known[field] == Known::Acquired(0),
        }
    }
}

/// A line with the statements inside it, indented.
fn indented(lines: Vec<String>) -> Vec<String> {
    lines
        .into_iter()
        .map(|line| {
            let mut text = String::new();
            let _ = write!(text, "  {line}");
            text
        })
        .collect()
}
