//! How long translations of methods are, roughly, without making them.

use super::summaries::{Graph, graph, is_written};
use crate::typed::{MethodId, Program, walk};
use std::collections::BTreeMap;

/// The number of statements of each method and of all that is written out in it, each call of a
/// method counted once.
pub(crate) struct Lengths<'p> {
    program: &'p Program,
    graph: Graph,
    known: BTreeMap<MethodId, usize>,
}

impl<'p> Lengths<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self { program, graph: graph(program), known: BTreeMap::new() }
    }

    pub(crate) fn of(&mut self, id: MethodId) -> usize {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        // Recursion ends somewhere.
        self.known.insert(id, 0);
        let mut length = 0;
        if let Some(body) = &self.program.method(id).body {
            walk::all(&body.stmts, &mut |_| length += 1);
        }
        for run in self.graph.get(&id).cloned().unwrap_or_default() {
            if !is_written(self.program, run) {
                length = self.of(run).saturating_add(length);
            }
        }
        self.known.insert(id, length);
        length
    }
}
