//! Every form as text, for `rely dump` and bug reports.

use crate::conditions::Conditions;
use crate::passive::{Event, Graph};
use crate::{Body, Check, Stmt};
use logic::{Script, Term, Terms, print};
use std::fmt::Write;

/// Guarded commands.
pub fn dump_body(terms: &Terms, body: &Body) -> String {
    let mut out = String::new();
    for variable in &body.variables {
        let sort = terms.symbol_sort(variable.symbol);
        let fact =
            variable.fact.map(|fact| format!(" where {}", print(terms, fact))).unwrap_or_default();
        let _ = writeln!(out, "var {}: {sort}{fact};", terms.name(variable.symbol));
    }
    for &fact in &body.background {
        let _ = writeln!(out, "background {};", print(terms, fact));
    }
    write_stmts(&mut out, terms, &body.stmts, 0);
    out
}

fn write_stmts(out: &mut String, terms: &Terms, stmts: &[Stmt], depth: usize) {
    let pad = "  ".repeat(depth);
    for stmt in stmts {
        match stmt {
            Stmt::Assign(pairs) => {
                let left: Vec<&str> = pairs.iter().map(|(symbol, _)| terms.name(*symbol)).collect();
                let right: Vec<String> =
                    pairs.iter().map(|(_, value)| print(terms, *value)).collect();
                let _ = writeln!(out, "{pad}{} := {};", left.join(", "), right.join(", "));
            }
            Stmt::Havoc(symbols) => {
                let names: Vec<&str> = symbols.iter().map(|&symbol| terms.name(symbol)).collect();
                let _ = writeln!(out, "{pad}havoc {};", names.join(", "));
            }
            Stmt::Assume(term) => _ = writeln!(out, "{pad}assume {};", print(terms, *term)),
            Stmt::Assert(checks) => {
                checks.iter().for_each(|check| write_check(out, terms, check, &pad));
            }
            Stmt::Cover(term, id) => {
                _ = writeln!(out, "{pad}cover #{} {};", id.0, print(terms, *term));
            }
            Stmt::Choice(branches) => {
                for (index, branch) in branches.iter().enumerate() {
                    let _ = writeln!(out, "{pad}{} {{", if index == 0 { "choose" } else { "or" });
                    write_stmts(out, terms, branch, depth + 1);
                    let _ = writeln!(out, "{pad}}}");
                }
            }
            Stmt::Block(label, inner) => {
                let _ = writeln!(out, "{pad}block L{} {{", label.0);
                write_stmts(out, terms, inner, depth + 1);
                let _ = writeln!(out, "{pad}}}");
            }
            Stmt::Exit(label) => _ = writeln!(out, "{pad}exit L{};", label.0),
            Stmt::Loop(inner) => {
                let _ = writeln!(out, "{pad}loop");
                for invariant in &inner.invariants {
                    write_terms(out, terms, &invariant.parts, &format!("{pad}  invariant"));
                }
                write_terms(out, terms, &inner.free, &format!("{pad}  free invariant"));
                let _ = writeln!(out, "{pad}{{");
                write_stmts(out, terms, &inner.body, depth + 1);
                let _ = writeln!(out, "{pad}}}");
            }
            Stmt::Mark(mark) => _ = writeln!(out, "{pad}mark {};", mark.0),
        }
    }
}

fn write_check(out: &mut String, terms: &Terms, check: &Check, pad: &str) {
    write_terms(out, terms, &check.parts, &format!("{pad}assert #{}", check.obligation.0));
}

fn write_terms(out: &mut String, terms: &Terms, parts: &[Term], head: &str) {
    for &part in parts {
        let _ = writeln!(out, "{head} {};", print(terms, part));
    }
}

/// The passive form.
pub fn dump_graph(terms: &Terms, graph: &Graph) -> String {
    let mut out = String::new();
    for &fact in &graph.background {
        let _ = writeln!(out, "background {};", print(terms, fact));
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        let before: Vec<String> = node.predecessors.iter().map(|p| format!("n{}", p.0)).collect();
        let _ = writeln!(out, "n{index}: from [{}]", before.join(", "));
        for event in &node.events {
            match event {
                Event::Bind { variable, incarnation, .. } => {
                    let _ = writeln!(
                        out,
                        "  {} is {}",
                        terms.name(*variable),
                        terms.name(*incarnation)
                    );
                }
                Event::Mark(mark) => _ = writeln!(out, "  mark {}", mark.0),
            }
        }
        write_terms(&mut out, terms, &node.assumptions, "  assume");
        for site in graph.sites.iter().filter(|site| site.node.0 as usize == index) {
            write_terms(&mut out, terms, &site.parts, &format!("  assert #{}", site.obligation.0));
        }
        for cover in graph.covers.iter().filter(|cover| cover.node.0 as usize == index) {
            let _ = writeln!(out, "  cover #{} {}", cover.obligation.0, print(terms, cover.term));
        }
    }
    out
}

/// The formulas as a script that asks about all sites at once.
pub fn dump_smt(terms: &Terms, graph: &Graph, conditions: &Conditions) -> String {
    let mut script = Script::default();
    graph.background.iter().for_each(|&fact| script.assert(terms, fact));
    conditions.nodes.iter().for_each(|&node| script.assert(terms, node));
    let mut flags = Vec::new();
    for &(flag, meaning) in conditions.sites.iter().flatten() {
        script.assert(terms, meaning);
        flags.push(script.expression(terms, flag));
    }
    let mut text = script.take();
    let _ = writeln!(text, "(assert (or false {}))\n(check-sat)", flags.join(" "));
    text
}
