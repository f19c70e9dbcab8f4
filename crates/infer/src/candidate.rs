//! A formula that may help.

use std::collections::BTreeMap;

/// A formula that may be missing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// Where it is to be written.
    pub place: Place,
    /// What binds its variables, such as `forall k: int ::`; may be empty.
    pub binder: String,
    /// Under which condition it says something; may be empty.
    pub premise: String,
    /// What it says then.
    pub conclusion: String,
}

/// Where a formula is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// What others do to each thread.
    Rely,
    /// What holds of every store.
    Invariant,
    /// What holds whenever a thread is at the head of the loop with this number.
    Loop(usize),
    /// What holds when the procedure with this number is called.
    Requires(usize),
    /// What the procedure with this number does from its call to its end.
    Ensures(usize),
}

impl Candidate {
    /// A formula without a condition.
    pub(crate) fn plain(place: Place, conclusion: impl Into<String>) -> Self {
        Self::under(place, "", conclusion)
    }

    /// A formula under a condition.
    pub(crate) fn under(
        place: Place,
        premise: impl Into<String>,
        conclusion: impl Into<String>,
    ) -> Self {
        let (premise, conclusion) = (premise.into(), conclusion.into());
        Self { place, binder: String::new(), premise, conclusion }
    }

    /// The same of all values of a variable.
    pub(crate) fn for_all(self, binder: &str) -> Self {
        Self { binder: binder.to_owned(), ..self }
    }

    /// The formula.
    pub fn text(&self) -> String {
        let Self { binder, premise, conclusion, .. } = self;
        let body = match premise.as_str() {
            "" => conclusion.clone(),
            premise => format!("{} ==> {}", side(premise), side(conclusion)),
        };
        if binder.is_empty() { body } else { format!("{binder} {body}") }
    }

    /// How little somebody would like to read it: the higher, the sooner it is left out.
    pub(crate) fn ugliness(&self) -> usize {
        let text = self.text();
        let words = text.split_whitespace().count();
        let bound = if self.binder.is_empty() { 0 } else { 8 };
        // What holds always reads better than what holds under some condition, and what is said of
        // whoever holds a lock better than what is said of whoever sees some values.
        let ownership = self.premise.split(" && ").any(|part| part.ends_with("== tid"));
        let premise = match (self.premise.is_empty(), ownership) {
            (true, _) | (_, true) => 0,
            _ => 2,
        };
        words + bound + premise
    }
}

/// The same formulas, those with the same condition as one; with each the positions of those that
/// it is made of.
pub(crate) fn merged(all: &[Candidate]) -> Vec<(Candidate, Vec<usize>)> {
    type Key<'a> = (Place, &'a str, &'a str, &'a str);
    let mut order: Vec<Key<'_>> = Vec::new();
    let mut positions: BTreeMap<Key<'_>, Vec<usize>> = BTreeMap::new();
    for (at, one) in all.iter().enumerate() {
        let module = module_of(&one.conclusion);
        let mut key = (one.place, one.binder.as_str(), one.premise.as_str(), module);
        // What needs no condition is easier to read apart.
        if one.premise.is_empty() {
            key.2 = one.conclusion.as_str();
        }
        if !positions.contains_key(&key) {
            order.push(key);
        }
        positions.entry(key).or_default().push(at);
    }
    let merged = order.into_iter().map(|key| {
        let of = positions.remove(&key).unwrap_or_default();
        let (place, binder, premise, _) = key;
        if of.iter().all(|&at| all[at].premise.is_empty()) {
            return (Candidate::plain(place, premise).for_all(binder), of);
        }
        if let [only] = of.as_slice() {
            return (all[*only].clone(), of);
        }
        let conclusions: Vec<String> = of.iter().map(|&at| operand(&all[at].conclusion)).collect();
        (Candidate::under(place, premise, conclusions.join(" && ")).for_all(binder), of)
    });
    merged.collect()
}

/// The module of the first variable of a module in a formula; empty if there is none.
fn module_of(text: &str) -> &str {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && !"_.".contains(c));
    words.find_map(|word| word.split_once('.')).map_or("", |(module, _)| module)
}

/// A formula as a side of `==>`.
fn side(text: &str) -> String {
    let is_loose = ["==>", " ? ", "::"].iter().any(|sign| text.contains(sign));
    if is_loose { format!("({text})") } else { text.to_owned() }
}

/// A formula as an operand of `&&`.
pub(crate) fn operand(text: &str) -> String {
    let is_loose = ["==>", "||", " ? ", "::"].iter().any(|sign| text.contains(sign));
    if is_loose { format!("({text})") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{Candidate, Place, merged};

    #[test]
    fn formulas_with_the_same_condition_are_one() {
        let rely = |premise, conclusion| Candidate::under(Place::Rely, premise, conclusion);
        let all = [
            rely("m == tid", "x' == x"),
            rely("", "n' >= n"),
            rely("m == tid", "a ==> b'"),
            rely("", "k' >= k"),
            Candidate::under(Place::Invariant, "m == tid", "x == 1"),
            Candidate::under(Place::Invariant, "p ==> q", "x == 1"),
        ];
        let found: Vec<(String, Vec<usize>)> =
            merged(&all).into_iter().map(|(one, of)| (one.text(), of)).collect();
        let expected = [
            ("m == tid ==> (x' == x && (a ==> b'))", vec![0, 2]),
            ("n' >= n", vec![1]),
            ("k' >= k", vec![3]),
            ("m == tid ==> x == 1", vec![4]),
            ("(p ==> q) ==> x == 1", vec![5]),
        ];
        let expected: Vec<(String, Vec<usize>)> =
            expected.into_iter().map(|(text, of)| (text.to_owned(), of)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_an_owner_may_rely_on_reads_best() {
        let owner = Candidate::under(Place::Rely, "m == tid", "x' == x");
        let value = Candidate::under(Place::Rely, "x == 5", "x' == x");
        let all = Candidate::under(Place::Rely, "m[k] == tid", "x'[k] == x[k]")
            .for_all("forall k: int ::");
        assert!(owner.ugliness() < value.ugliness());
        assert!(value.ugliness() < all.ugliness());
    }
}
