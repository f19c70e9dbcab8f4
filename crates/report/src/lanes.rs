//! An interleaving as text: one lane per thread, the values that changed at the right.

use source::{SourceMap, Span};
use std::fmt::Write;
use verdict::{Step, StepKind, Trace};

/// Wider statements are cut, and narrower lanes show nothing.
const STATEMENT: (usize, usize) = (10, 40);
/// Room that is left for values.
const VALUES: usize = 24;
/// A run of more threads is not drawn.
const MAX_LANES: usize = 12;
/// Nor are more steps.
const MAX_STEPS: usize = 400;
/// The width of the column with the numbers of lines.
const NUMBERS: usize = 6;
/// The width of what stands between columns.
const BETWEEN: usize = 3;

/// The picture of a run, in lines of at most `width` characters if there is room at all.
pub(crate) fn lanes(trace: &Trace, sources: &SourceMap, width: usize) -> String {
    let initial = trace.initial.iter().map(|(name, value)| format!("{name} = {value}"));
    let initial: Vec<String> = initial.collect();
    if trace.lanes.is_empty() {
        return format!("for example when {}", initial.join(", "));
    }
    let used: Vec<usize> = (0..trace.lanes.len())
        .filter(|&lane| lane == 0 || trace.steps.iter().any(|step| step.lane == lane))
        .collect();
    if used.len() > MAX_LANES || trace.steps.len() > MAX_STEPS {
        return format!(
            "a run of {} threads in {} steps; `--format json` shows all of it",
            used.len(),
            trace.steps.len()
        );
    }
    let room = width.saturating_sub(NUMBERS + BETWEEN * (used.len() + 1) + VALUES);
    let limit = (room / used.len()).clamp(STATEMENT.0, STATEMENT.1);
    let texts: Vec<String> = trace.steps.iter().map(|step| text(step, limit, sources)).collect();
    let mut table = Table::new(&used, width);
    for (column, &lane) in used.iter().enumerate() {
        let steps = trace.steps.iter().zip(&texts).filter(|(step, _)| step.lane == lane);
        let texts = steps.map(|(_, text)| text.as_str());
        table.widen(column, texts.chain([trace.lanes[lane].name.as_str()]));
    }
    let names = |lane: usize| trace.lanes[lane].name.as_str();
    table.row("line", &names, &["values".to_owned()]);
    table.row("start", &|_| "", &initial);
    for (step, text) in trace.steps.iter().zip(&texts) {
        let number = step.span.map(|span| sources.line_column(span).0.to_string());
        let number = number.unwrap_or_default();
        let number = if step.kind == StepKind::Violation { format!("> {number}") } else { number };
        let cell = |lane: usize| if lane == step.lane { text.as_str() } else { "" };
        table.row(&number, &cell, &changes(step));
    }
    table.lines.join("\n")
}

/// Rows of cells with values at the right.
struct Table<'a> {
    lanes: &'a [usize],
    widths: Vec<usize>,
    width: usize,
    lines: Vec<String>,
}

impl<'a> Table<'a> {
    fn new(lanes: &'a [usize], width: usize) -> Self {
        Self { lanes, widths: vec![0; lanes.len()], width, lines: Vec::new() }
    }

    /// Makes a column as wide as its cells.
    fn widen<'t>(&mut self, column: usize, cells: impl Iterator<Item = &'t str>) {
        self.widths[column] = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
    }

    /// Adds a row. Values that do not fit go on in rows below.
    fn row<'t>(&mut self, number: &str, cell: &dyn Fn(usize) -> &'t str, values: &[String]) {
        let left = NUMBERS + BETWEEN * (self.lanes.len() + 1) + self.widths.iter().sum::<usize>();
        let room = self.width.saturating_sub(left).max(VALUES);
        for (at, values) in wrapped(values, room).into_iter().enumerate() {
            let mut line = format!("{:>NUMBERS$}", if at == 0 { number } else { "" });
            for (&lane, &width) in self.lanes.iter().zip(&self.widths) {
                let cell = if at == 0 { cell(lane) } else { "" };
                let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
                let _ = write!(line, " | {cell}{pad}");
            }
            self.lines.push(format!("{line} | {values}").trim_end().to_owned());
        }
    }
}

/// The values, separated by commas, in lines of at most `room` characters.
fn wrapped(values: &[String], room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (at, value) in values.iter().enumerate() {
        let comma = if at + 1 < values.len() { "," } else { "" };
        let length = value.chars().count() + comma.len();
        let last = lines.last_mut().expect("internal error: there is a line");
        if last.is_empty() {
            *last = format!("{value}{comma}");
        } else if last.chars().count() + 1 + length <= room {
            let _ = write!(last, " {value}{comma}");
        } else {
            lines.push(format!("{value}{comma}"));
        }
    }
    lines
}

/// What a step does, in at most `limit` characters of its statement.
pub(crate) fn text(step: &Step, limit: usize, sources: &SourceMap) -> String {
    let statement = step.span.map(|span| one_line(sources, span, limit)).unwrap_or_default();
    match step.kind {
        StepKind::Environment => "step".to_owned(),
        StepKind::LoopHead => format!("{statement} ... some iterations"),
        StepKind::Statement | StepKind::Violation if step.text.is_empty() => statement,
        StepKind::Statement | StepKind::Violation => {
            format!("{statement} {}", step.text).trim_start().to_owned()
        }
    }
}

pub(crate) fn one_line(sources: &SourceMap, span: Span, limit: usize) -> String {
    let text: Vec<&str> = sources.text(span).split_whitespace().collect();
    let text = text.join(" ");
    if text.chars().count() <= limit {
        return text;
    }
    let cut: String = text.chars().take(limit - 3).collect();
    format!("{cut}...")
}

/// The values that changed, in words.
pub(crate) fn changes(step: &Step) -> Vec<String> {
    let change = |change: &verdict::Change| match &change.old {
        Some(old) => format!("{}: {old} -> {}", change.name, change.new),
        None => format!("{} = {}", change.name, change.new),
    };
    step.changes.iter().map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::lanes;
    use source::{SourceMap, Span};
    use verdict::{Change, Confirmation, Lane, Step, StepKind, Trace};

    const TEXT: &str = "x := x + 1; assert x == 1 && a_rather_long_name == another_one;";

    fn run() -> (Trace, SourceMap) {
        let mut sources = SourceMap::default();
        let file = sources.add("a.plato", TEXT);
        let end = u32::try_from(TEXT.len()).expect("a short text");
        let change = |name: &str| Change {
            name: name.to_owned(),
            old: Some("0".to_owned()),
            new: "1".to_owned(),
        };
        let step = |lane, kind, (start, end), changes| {
            let span = Some(Span::new(file, start, end));
            Step { lane, kind, span, text: String::new(), changes }
        };
        let steps = vec![
            step(1, StepKind::Statement, (0, 10), vec![change("x"), change("y"), change("z")]),
            step(0, StepKind::Violation, (12, end), Vec::new()),
        ];
        let names = ["T", "U"].map(|name| Lane { name: name.to_owned() });
        let initial = vec![("x".to_owned(), "0".to_owned())];
        (Trace::new(names.into(), initial, steps, Confirmation::Confirmed), sources)
    }

    #[test]
    fn without_limit() {
        let (trace, sources) = run();
        let cut = "assert x == 1 && a_rather_long_name =...";
        let pad = " ".repeat(cut.len());
        let expected = format!(
            "  line | T{0} | U          | values\n \
             start | {pad} |            | x = 0\n     \
                 1 | {pad} | x := x + 1 | x: 0 -> 1, y: 0 -> 1, z: 0 -> 1\n   \
               > 1 | {cut} |            |",
            " ".repeat(cut.len() - 1)
        );
        assert_eq!(lanes(&trace, &sources, usize::MAX), expected);
    }

    /// Statements are cut and values are wrapped, so that every line fits.
    #[test]
    fn at_a_width() {
        let (trace, sources) = run();
        for width in [70, 80, 90] {
            let picture = lanes(&trace, &sources, width);
            let widest = picture.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{width}\n{picture}");
            let told = ["x: 0 -> 1", "y: 0 -> 1", "z: 0 -> 1"];
            assert!(told.iter().all(|change| picture.contains(change)), "{picture}");
        }
    }
}
