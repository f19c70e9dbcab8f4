//! Runs of designs as pictures: a sequence diagram with a bar for as long as a unit is held, and
//! the circle of who waits for whom.

use crate::sequence::sequences;
use crate::xml::escaped;
use driver::Run;
use std::fmt::Write;
use verdict::{Message, MessageKind, Sequence};

/// The distance between lifelines.
const COLUMN: usize = 130;
/// The height of a message.
const ROW: usize = 26;
/// Above the first message.
const HEAD: usize = 70;
/// Half the width of a picture of a circle.
const RADIUS: usize = 130;
/// What threads hold is filled in these colours.
const COLOURS: [&str; 6] = ["#7fb3d5", "#f5b041", "#82c99d", "#c39bd3", "#f1948a", "#aab7b8"];

/// One picture with all drawings of a run below each other.
pub fn svg(run: &Run) -> String {
    let mut all = Vec::new();
    for file in &run.files {
        let name = &run.sources.file(file.file).name;
        all.extend(sequences(file).map(|(title, drawing)| (format!("{name}: {title}"), drawing)));
    }
    picture(&all)
}

/// Drawings with their titles, below each other.
pub(crate) fn picture(drawings: &[(String, &Sequence)]) -> String {
    let mut body = String::new();
    let (mut top, mut width) = (0, 400);
    for (title, drawing) in drawings {
        let mut canvas = Canvas { out: &mut body, drawing, top };
        top += canvas.diagram(title);
        width = width.max(COLUMN * (drawing.lifelines.len() + 1));
        if !drawing.circle.is_empty() {
            Canvas { out: &mut body, drawing, top }.circle();
            top += 2 * RADIUS + 120;
            width = width.max(2 * RADIUS + 240);
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs><marker id=\"tip\" markerWidth=\"9\" markerHeight=\"8\" refX=\"8\" refY=\"4\" orient=\"auto\"><path d=\"M0,0 L9,4 L0,8 z\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n",
        top + 20
    )
}

struct Canvas<'d> {
    out: &'d mut String,
    drawing: &'d Sequence,
    top: usize,
}

impl Canvas<'_> {
    fn x(at: usize) -> usize {
        COLUMN / 2 + 20 + at * COLUMN
    }

    fn y(&self, row: usize) -> usize {
        self.top + HEAD + row * ROW
    }

    /// Draws the sequence; says how high it is.
    fn diagram(&mut self, title: &str) -> usize {
        let drawing = self.drawing;
        let bottom = self.y(drawing.messages.len());
        self.text(20, self.top + 18, "start", title);
        for (at, lifeline) in drawing.lifelines.iter().enumerate() {
            let (x, y) = (Self::x(at), self.top + 30);
            let round = if lifeline.is_thread { 9 } else { 0 };
            let _ = writeln!(
                self.out,
                "<rect x=\"{}\" y=\"{y}\" width=\"90\" height=\"22\" rx=\"{round}\" fill=\"#f4f6f7\" stroke=\"black\"/>\n\
                 <line x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>",
                x - 45,
                y + 22
            );
            self.text(x, y + 15, "middle", &lifeline.name);
        }
        self.bars();
        for (row, message) in drawing.messages.iter().enumerate() {
            self.message(row, message);
        }
        bottom + 20 - self.top
    }

    /// A bar on a unit for as long as a thread holds it.
    fn bars(&mut self) {
        let drawing = self.drawing;
        for (row, message) in drawing.messages.iter().enumerate() {
            if message.kind != MessageKind::Acquire {
                continue;
            }
            let ends =
                |other: &Message| other.kind == MessageKind::Release && other.to == message.to;
            let after = drawing.messages[row..].iter().position(ends);
            let end = after.map_or(drawing.messages.len(), |after| row + after);
            let colour = COLOURS[message.from % COLOURS.len()];
            let (x, y) = (Self::x(message.to) - 5, self.y(row));
            let _ = writeln!(
                self.out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"10\" height=\"{}\" fill=\"{colour}\" stroke=\"#555\"/>",
                (end - row) * ROW
            );
        }
    }

    fn message(&mut self, row: usize, message: &Message) {
        let (from, to, y) = (Self::x(message.from), Self::x(message.to), self.y(row));
        let (colour, dash) = match message.kind {
            MessageKind::Step | MessageKind::Call | MessageKind::Acquire => ("black", ""),
            MessageKind::Return | MessageKind::Release => ("black", " stroke-dasharray=\"5 3\""),
            MessageKind::Wait => ("#c0392b", ""),
        };
        if from == to {
            let _ = writeln!(
                self.out,
                "<path d=\"M{from},{} h18 v10 h-18\" fill=\"none\" stroke=\"{colour}\" marker-end=\"url(#tip)\"/>",
                y - 5
            );
            self.text(from + 24, y + 4, "start", &message.text);
            return;
        }
        let _ = writeln!(
            self.out,
            "<line x1=\"{from}\" y1=\"{y}\" x2=\"{to}\" y2=\"{y}\" stroke=\"{colour}\"{dash} marker-end=\"url(#tip)\"/>"
        );
        if message.kind == MessageKind::Wait {
            let _ = writeln!(
                self.out,
                "<path d=\"M{0},{1} l12,12 m0,-12 l-12,12\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                to - 6,
                y - 6
            );
        }
        self.text(usize::midpoint(from, to), y - 4, "middle", &message.text);
    }

    /// Threads and units in a circle: red arrows wait, black ones say who holds.
    fn circle(&mut self) {
        let drawing = self.drawing;
        let nodes: Vec<usize> =
            drawing.circle.iter().flat_map(|&(thread, unit)| [thread, unit]).collect();
        let place = |at: usize| {
            #[expect(clippy::cast_precision_loss, reason = "there are few nodes")]
            let angle = std::f64::consts::TAU * at as f64 / nodes.len() as f64;
            #[expect(clippy::cast_precision_loss, reason = "pictures are small")]
            let (radius, top) = (RADIUS as f64, self.top as f64);
            (radius + 120.0 + radius * angle.sin(), top + radius + 60.0 - radius * angle.cos())
        };
        for at in 0..nodes.len() {
            let ((x1, y1), (x2, y2)) = (place(at), place((at + 1) % nodes.len()));
            // Arrows end before the boxes.
            let (dx, dy) = ((x2 - x1) * 0.25, (y2 - y1) * 0.25);
            let colour = if at % 2 == 0 { "#c0392b" } else { "black" };
            let _ = writeln!(
                self.out,
                "<line x1=\"{:.0}\" y1=\"{:.0}\" x2=\"{:.0}\" y2=\"{:.0}\" stroke=\"{colour}\" marker-end=\"url(#tip)\"/>",
                x1 + dx,
                y1 + dy,
                x2 - dx,
                y2 - dy
            );
        }
        for (at, &node) in nodes.iter().enumerate() {
            let (x, y) = place(at);
            let round = if at % 2 == 0 { 9 } else { 0 };
            let name = escaped(&drawing.lifelines[node].name);
            let _ = writeln!(
                self.out,
                "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"70\" height=\"22\" rx=\"{round}\" fill=\"#f4f6f7\" stroke=\"black\"/>\n\
                 <text x=\"{x:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{name}</text>",
                x - 35.0,
                y - 11.0,
                y + 4.0
            );
        }
    }

    fn text(&mut self, x: usize, y: usize, anchor: &str, text: &str) {
        let text = escaped(text);
        let _ =
            writeln!(self.out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>");
    }
}
