//! What is proved without asking a solver. Nothing else in this crate issues a warrant.

use crate::conditions::Conditions;
use crate::passive::Graph;
use verdict::{Evidence, ObligationId, Warrant};

/// The evidence for a site whose check became the constant `true` when its formula was made, so
/// that no run can fail there. Terms are simplified to what they are equal to, and the tests of
/// `logic` compare both on values.
pub(crate) fn simplified(conditions: &Conditions, site: usize) -> Option<Evidence> {
    let is_asked = conditions.sites[site].is_some();
    (!is_asked).then(|| Evidence::unsat(&Warrant::issue(), "simplifier"))
}

/// The evidence for an obligation without a site: a run could violate it at a site only, and the
/// graph has every place that a run gets to. If runs were cut off, there is no evidence.
pub fn no_path(graph: &Graph, obligation: ObligationId) -> Option<Evidence> {
    let has_site = graph.sites.iter().any(|site| site.obligation == obligation);
    let is_known = !has_site && graph.bounded.is_none();
    is_known.then(|| Evidence::unsat(&Warrant::issue(), "no path"))
}
