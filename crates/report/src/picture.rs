//! A run as a picture in text: the interleaving, and the heap at its end.

use crate::lanes::lanes;
use source::SourceMap;
use verdict::{Cell, Object, Trace};

/// The picture of a run, in lines of at most `width` characters if there is room at all.
pub fn picture(trace: &Trace, sources: &SourceMap, width: usize) -> String {
    let mut picture = lanes(trace, sources, width);
    if !trace.heap.is_empty() {
        picture.push_str("\nthe heap, with permissions:");
        for object in &trace.heap {
            picture.push('\n');
            picture.push_str(&line(object));
        }
    }
    picture
}

fn line(object: &Object) -> String {
    let variables = match object.variables.as_slice() {
        [] => String::new(),
        names => format!(" ({})", names.join(", ")),
    };
    let cells: Vec<String> = object.cells.iter().map(cell).collect();
    let cells = if cells.is_empty() { "no permission".to_owned() } else { cells.join(", ") };
    format!("{}{variables}: {cells}", object.name)
}

fn cell(cell: &Cell) -> String {
    let value = cell.value.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
    let held = cell.permission.as_ref().map(|held| format!(" ({held})")).unwrap_or_default();
    format!("{}{value}{held}", cell.name)
}

#[cfg(test)]
mod tests {
    use super::line;
    use verdict::{Cell, Object};

    #[test]
    fn objects_are_lines() {
        let object = |variables: &[&str], cells: Vec<Cell>| Object {
            name: "#1".to_owned(),
            variables: variables.iter().map(|name| (*name).to_owned()).collect(),
            cells,
        };
        let (value, permission) = (Some("3".to_owned()), Some("50%".to_owned()));
        let field = Cell { name: "n".to_owned(), value, permission };
        let told = line(&object(&["c", "this"], vec![field, Cell::state("held")]));
        assert_eq!(told, "#1 (c, this): n = 3 (50%), held");
        assert_eq!(line(&object(&[], Vec::new())), "#1: no permission");
    }
}
