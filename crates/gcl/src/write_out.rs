//! A graph whose maps are written out as cells, to find runs that fail.
//!
//! Every run of the new graph is one of the old, with maps made of cells. Not every run of the old
//! graph is one of the new, so that nothing follows from there being none (see [`logic::Cells`]).

use crate::passive::{Event, Graph, Node, Site};
use logic::{Cells, NotWritten, Symbol, Term, Terms};
use std::collections::BTreeMap;

/// A graph without maps.
#[derive(Clone, Debug)]
pub struct WrittenOut {
    /// The graph.
    pub graph: Graph,
    /// What the symbols of maps that are shown are made of.
    pub maps: BTreeMap<Symbol, Term>,
}

/// The graph with every map from numbers as one cell for each key from zero to `last` and one for
/// all others. What should be covered is left out. That may take long, and is given up where it is
/// not to go on.
pub fn write_out(
    terms: &mut Terms,
    graph: &Graph,
    (observed, last): (&[Symbol], u32),
    goes_on: &dyn Fn() -> bool,
) -> Result<WrittenOut, NotWritten> {
    let mut cells = Cells::new(last);
    let mut background = formulas(terms, &mut cells, &graph.background)?;
    background.extend(cells.conditions());
    let mut nodes = Vec::with_capacity(graph.nodes.len());
    let mut maps = BTreeMap::new();
    let mut shown: Vec<Symbol> = observed.to_vec();
    for node in &graph.nodes {
        if !goes_on() {
            return Err(NotWritten);
        }
        let mut assumptions = formulas(terms, &mut cells, &node.assumptions)?;
        // They count where the node is passed.
        assumptions.extend(cells.conditions());
        for event in &node.events {
            if let Event::Bind { incarnation, .. } = event {
                shown.push(*incarnation);
            }
        }
        nodes.push(Node { assumptions, ..node.clone() });
    }
    for symbol in shown {
        maps.extend(cells.map(terms, symbol)?.map(|map| (symbol, map)));
    }
    let mut sites = Vec::with_capacity(graph.sites.len());
    for site in &graph.sites {
        let parts = formulas(terms, &mut cells, &site.parts)?;
        sites.push(Site { parts, ..site.clone() });
    }
    // A site has no assumptions of its own. Where they exclude runs to others, those are not found.
    background.extend(cells.conditions());
    let graph = Graph { nodes, sites, covers: Vec::new(), background, bounded: graph.bounded };
    Ok(WrittenOut { graph, maps })
}

fn formulas(
    terms: &mut Terms,
    cells: &mut Cells,
    formulas: &[Term],
) -> Result<Vec<Term>, NotWritten> {
    formulas.iter().map(|&formula| cells.formula(terms, formula)).collect()
}
