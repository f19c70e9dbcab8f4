//! Programs with `guarded by` and `atomic proc`: several variables change together under locks,
//! with mistakes about which.

use super::rng::Rng;
use std::fmt::Write as _;

/// A random program. Two variables are kept equal, a third has a lock of its own, a fourth is not
/// guarded.
pub(crate) fn program(rng: &mut Rng) -> String {
    let mut slips = *rng.pick(&[0, 0, 0, 1, 1, 2]);
    let mut text = String::from(
        "mutex m, n;\nvar a, b: int = 0 guarded by m;\nvar c: int = 0 guarded by n;\nvar open: int = 0;\n",
    );
    text.push_str("invariant open >= 0;\n");
    let same = rng.percent(85);
    if same {
        text.push_str("invariant same: a == b;\n");
    }
    let procs = 1 + rng.below(2);
    for index in 0..procs {
        procedure(rng, index, &mut slips, &mut text);
    }
    let copies = *rng.pick(&["", "[2]", "[*]"]);
    let _ = writeln!(text, "thread T{copies} {{");
    for _ in 0..=rng.below(2) {
        let _ = writeln!(text, "  p{}();", rng.below(procs));
    }
    if same && rng.percent(60) {
        text.push_str("  acquire m;\n  assert a == b;\n  release m;\n");
    }
    text.push_str("}\n");
    let look = if same && rng.percent(50) { "assert a == b;" } else { "assert open >= 0;" };
    let locked = slips == 0 || rng.percent(50);
    let body = if locked { format!("acquire m; {look} release m;") } else { look.to_owned() };
    let _ = writeln!(text, "thread Watcher {{ {body} }}");
    text
}

/// Acquires, accesses, at most one step that others see, releases; or not quite.
fn procedure(rng: &mut Rng, index: usize, slips: &mut usize, text: &mut String) {
    let amount = 1 + rng.below(2);
    let with_c = rng.percent(40);
    let with_open = rng.percent(40);
    let mut lines = vec!["acquire m;".to_owned()];
    if with_c {
        lines.push("acquire n;".to_owned());
    }
    let mut work = vec![format!("a := a + {amount};"), format!("b := b + {amount};")];
    if with_c {
        work.push("c := c + 1;".to_owned());
    }
    if with_open {
        let at = rng.below(work.len() + 1);
        work.insert(at, "atomic { open := open + 1; }".to_owned());
    }
    lines.extend(work);
    let mut ends = vec!["release m;".to_owned()];
    if with_c {
        ends.insert(rng.below(2), "release n;".to_owned());
    }
    lines.extend(ends);
    while *slips > 0 && rng.percent(80) {
        *slips -= 1;
        slip(rng, &mut lines);
    }
    let _ = writeln!(text, "atomic proc p{index}()");
    if rng.percent(60) {
        let open = if with_open { ", open" } else { "" };
        let c = if with_c { ", c" } else { "" };
        let _ = writeln!(
            text,
            "  action modifies a, b{c}{open} ensures a' == a + {amount} && b' == b + {amount}"
        );
    }
    let _ = writeln!(text, "{{\n  {}\n}}", lines.join("\n  "));
}

/// One mistake: a line too many, too few, or in the wrong place.
fn slip(rng: &mut Rng, lines: &mut Vec<String>) {
    let at = rng.below(lines.len());
    let other = rng.below(lines.len());
    match rng.below(5) {
        0 => lines.swap(at, other),
        1 => {
            lines.remove(at);
        }
        2 => lines.insert(at, "open := open + 1;".to_owned()),
        3 => lines.insert(at, "release m;\n  acquire m;".to_owned()),
        _ => lines.insert(at, "a := a + 1;".to_owned()),
    }
}
