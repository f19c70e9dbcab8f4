//! The constructs of pushdown systems.

use super::{Grammar, check, fields, names, variants};
use driver::Language;

variants! {
    TOPS: pds::Top = [Any, Empty, Is];
}

fields! {
    OF_SYSTEM: pds::System = [threads, initial, targets] besides [states];
    OF_THREAD: pds::Thread = [rules] besides [span, first];
    OF_RULE: pds::Rule = [top, word] besides [span, from, to];
    OF_TARGET: pds::Target = [state] besides [span, tops];
}

fn constructs() -> Vec<String> {
    let variants = names("::", &[("Top", TOPS)]);
    let fields = names(
        ".",
        &[("System", OF_SYSTEM), ("Thread", OF_THREAD), ("Rule", OF_RULE), ("Target", OF_TARGET)],
    );
    variants.into_iter().chain(fields).collect()
}

#[test]
fn no_engine_proves_wrong_pushdown_systems() {
    check(&Grammar {
        language: Language::Pds,
        constructs: constructs(),
        exempt: &[],
        table: include_str!("pds.txt"),
        shown: |text| {
            let file = source::SourceMap::default().add("program", text);
            format!("{:?}", pds::parse(file, text).0)
        },
    });
}
