//! Random programs whose threads work through procedures with specifications, some of them in
//! modules.
//!
//! The oracle runs bodies and knows nothing of specifications, so callers assert their conclusions
//! from a specification, and many relies and invariants are written where only specifications keep
//! them: outside of the module. The first line says which slips were made.

mod bodies;
mod callers;
mod cells;
mod maker;
mod specification;
mod steps;
mod stutter;

use super::Rng;
use cells::World;
use maker::Maker;
use specification::Proc;
use std::fmt::Write as _;

/// How the first line of a program without slips begins.
pub(crate) const NO_SLIP: &str = "// no slip";

/// The program of a seed.
pub(super) fn program(rng: &mut Rng) -> String {
    let mut writer = Writer {
        world: World::new(rng),
        procs: Vec::new(),
        texts: Vec::new(),
        slips: *rng.pick(&[0, 0, 0, 1, 1, 1, 2]),
        made: Vec::new(),
        fresh: 0,
        rng,
    };
    writer.lock_procedures();
    for _ in 0..*writer.rng.pick(&[1, 2, 2, 3]) {
        let maker = Maker::new(&mut writer);
        let (procedure, plan) = maker.make();
        writer.write_procedure(procedure, &plan);
    }
    let threads: Vec<String> = (0..writer.world.crowd.len()).map(|at| writer.thread(at)).collect();
    writer.finish(&threads)
}

/// The text so far.
struct Writer<'r> {
    rng: &'r mut Rng,
    world: World,
    procs: Vec<Proc>,
    /// Texts of procedures, and the modules they are in.
    texts: Vec<(usize, String)>,
    /// The number of mistakes that may still be made.
    slips: usize,
    made: Vec<&'static str>,
    fresh: usize,
}

impl Writer<'_> {
    /// Decides whether a mistake of this name is made here.
    fn slip(&mut self, name: &'static str) -> bool {
        let made = self.slips > 0 && self.rng.percent(8);
        if made {
            self.slips -= 1;
            self.made.push(name);
        }
        made
    }

    fn new_name(&mut self, letter: &str) -> String {
        self.fresh += 1;
        format!("{letter}{}", self.fresh)
    }

    fn finish(mut self, threads: &[String]) -> String {
        let mut promises: Vec<Vec<String>> =
            (0..self.world.modules.len()).map(|module| self.world.promises(module)).collect();
        for all in &mut promises {
            if !all.is_empty() && self.slip("a promise is missing") {
                all.remove(self.rng.below(all.len()));
            }
        }
        let mut text = if self.made.is_empty() {
            format!("{NO_SLIP}\n")
        } else {
            format!("// slips: {}\n", self.made.join(", "))
        };
        for (module, name) in self.world.modules.iter().enumerate().rev() {
            let mut inner = self.world.variables(module);
            for promise in &promises[module] {
                let _ = writeln!(inner, "{promise}");
            }
            for (_, procedure) in self.texts.iter().filter(|(at, _)| *at == module) {
                inner.push_str(procedure);
            }
            if module == 0 {
                text.push_str(&inner);
            } else {
                let _ = writeln!(text, "module {name} {{\n{}}}", indented(&inner));
            }
        }
        threads.iter().for_each(|thread| text.push_str(thread));
        text
    }
}

/// Two spaces before each line.
fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |all, line| all + "  " + line + "\n")
}
