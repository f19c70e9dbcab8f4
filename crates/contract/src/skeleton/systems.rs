//! A system: its units, their initial bindings, and its threads.

use super::names::{Names, fresh, snake};
use crate::design::ClassId;
use crate::system::System;
use std::collections::BTreeSet;
use std::fmt::Write;

pub(crate) fn write(system: &System, names: &mut Names, text: &mut String) {
    let module = names.module(system.name.as_str());
    let _ = writeln!(text, "/// System `{}`.\npub mod {module} {{", system.name);
    let fields = fields(system);
    text.push_str("    /// The shared units.\n    #[derive(Debug)]\n    pub struct Units {\n");
    text.push_str("        /// The running design.\n        pub system: szumo::System,\n");
    for field in &fields {
        let all: Vec<String> =
            field.units.iter().map(|&unit| format!("`{}`", system.name(unit))).collect();
        let class = names.class(field.class);
        let data = format!("szumo::Unit<super::{class}Data>");
        let data = if field.is_family { format!("Vec<{data}>") } else { data };
        let _ = writeln!(text, "        /// {}.", all.join(", "));
        let _ = writeln!(text, "        pub {}: {data},", field.name);
    }
    text.push_str("    }\n\n");
    start(system, &fields, names, text);
    if !system.roots.is_empty() {
        run(system, names, text);
    }
    text.push_str("}\n");
}

/// A field for a unit or for a family of units of one class.
struct Field {
    name: String,
    family: String,
    class: ClassId,
    is_family: bool,
    units: Vec<usize>,
}

fn fields(system: &System) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut used = BTreeSet::from(["system".to_owned()]);
    for (id, unit) in system.units.iter().enumerate() {
        if unit.thread.is_some() {
            continue;
        }
        let (family, is_family) = match unit.name.as_str().split_once('[') {
            Some((family, _)) => (family, true),
            None => (unit.name.as_str(), false),
        };
        let known = fields
            .iter_mut()
            .find(|one| is_family && one.family == family && one.class == unit.class);
        if let Some(field) = known {
            field.units.push(id);
            continue;
        }
        let name = fresh(snake(family), &mut used);
        let (family, class) = (family.to_owned(), unit.class);
        fields.push(Field { name, family, class, is_family, units: vec![id] });
    }
    fields
}

fn start(system: &System, fields: &[Field], names: &Names, text: &mut String) {
    text.push_str("    /// Makes the units; then threads can run.\n");
    text.push_str("    pub fn start(is_logged: bool) -> Result<Units, szumo::Error> {\n");
    text.push_str("        let mut design = szumo::Design::new();\n");
    text.push_str("        if is_logged {\n            design.log();\n        }\n");
    for class in 0..system.classes.len() {
        let _ = writeln!(text, "        design.class(super::{}::class());", names.class(class));
    }
    for (id, unit) in system.units.iter().enumerate() {
        let (name, class) = (unit.name.as_str(), system.class(id).name.as_str());
        let is_bound = system.slots(id).any(|slot| !system.bindings[slot].is_empty());
        let _ = match unit.thread {
            Some(_) if !is_bound => writeln!(text, "        design.root({name:?}, {class:?});"),
            Some(_) => writeln!(text, "        let u{id} = design.root({name:?}, {class:?});"),
            None => writeln!(
                text,
                "        let u{id} = design.unit({name:?}, {class:?}, super::{}Data::default());",
                names.class(unit.class)
            ),
        };
    }
    for (id, unit) in system.units.iter().enumerate() {
        let from = if unit.thread.is_some() { format!("u{id}") } else { format!("u{id}.id()") };
        for (variable, slot) in system.class(id).variables.iter().zip(system.slots(id)) {
            let to: Vec<String> =
                system.bindings[slot].iter().map(|unit| format!("u{unit}.id()")).collect();
            if !to.is_empty() {
                let (name, to) = (variable.name.as_str(), to.join(", "));
                let _ = writeln!(text, "        design.bind({from}, {name:?}, &[{to}]);");
            }
        }
    }
    text.push_str("        Ok(Units {\n            system: design.start()?,\n");
    for field in fields {
        let units: Vec<String> = field.units.iter().map(|unit| format!("u{unit}")).collect();
        let units = units.join(", ");
        let units = if field.is_family { format!("vec![{units}]") } else { units };
        let _ = writeln!(text, "            {}: {units},", field.name);
    }
    text.push_str("        })\n    }\n");
}

/// One function for each root class, which its threads run.
fn run(system: &System, names: &Names, text: &mut String) {
    let mut classes: Vec<ClassId> = Vec::new();
    for &root in &system.roots {
        if !classes.contains(&system.units[root].class) {
            classes.push(system.units[root].class);
        }
    }
    let mut used: BTreeSet<String> =
        ["units", "scope", "threads", "roots", "root", "realm", "number"].map(str::to_owned).into();
    let bodies: Vec<String> =
        classes.iter().map(|&class| fresh(snake(names.class(class)), &mut used)).collect();
    text.push_str("\n    /// Runs all threads: each gets its root and its number among those of its class. Returns the first error.\n");
    text.push_str("    pub fn run(\n        units: &Units,\n");
    for (&class, body) in classes.iter().zip(&bodies) {
        let of = names.class(class);
        let _ = writeln!(
            text,
            "        {body}: impl Fn(super::{of}<'_>, usize) -> Result<(), szumo::Error> + Sync,"
        );
    }
    text.push_str("    ) -> Result<(), szumo::Error> {\n");
    text.push_str("        let roots = units.system.roots();\n");
    text.push_str("        std::thread::scope(|scope| {\n");
    text.push_str("            let mut threads = Vec::new();\n");
    for (&class, body) in classes.iter().zip(&bodies) {
        let threads = (0..system.roots.len())
            .filter(|&thread| system.units[system.roots[thread]].class == class);
        let threads: Vec<usize> = threads.collect();
        let _ = writeln!(text, "            let {body} = &{body};");
        let _ = write!(
            text,
            "            for (number, thread) in {threads:?}.into_iter().enumerate() {{
                let root = roots[thread];
                threads.push(scope.spawn(move || {{
                    let mut realm = units.system.enter(root)?;
                    {body}(super::{of} {{ realm: &mut realm }}, number)
                }}));
            }}
",
            of = names.class(class),
        );
    }
    text.push_str(
        "            threads.into_iter().try_for_each(|one| {
                one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }
",
    );
}
