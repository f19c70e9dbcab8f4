//! The page for a browser, of a run that was made by hand.

use crate::run;
use std::collections::BTreeSet;

/// The values of an attribute.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let parts = page.split(attribute).skip(1);
    parts.filter_map(|rest| rest.split_once('"')).map(|(value, _)| value).collect()
}

#[test]
fn the_page_has_everything_and_needs_nothing_else() {
    let page = report::html(&run());
    for text in ["a.plato", "refuted", "assert x == 1;", "unused-procedure", "data-name=\"x\""] {
        assert!(page.contains(text), "{text}");
    }
    // Pictures are written in the language that this name stands for.
    let others = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!others.contains("http") && !others.contains("src="), "it refers to something");
    assert_eq!(values(&page, "class=\"run\" id=\"").len(), 2);
}

#[test]
fn every_reference_leads_somewhere() {
    let page = report::html(&run());
    let ids: Vec<&str> = values(&page, " id=\"");
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), distinct.len(), "{ids:?}");
    let references = values(&page, "href=\"#");
    assert!(references.len() > 5, "{references:?}");
    for reference in references {
        assert!(distinct.contains(reference), "{reference}");
    }
}

#[test]
fn texts_are_no_markup() {
    let mut run = run();
    run.files[0].notices[0].diagnostic.message = "x < y && <script>".to_owned();
    let page = report::html(&run);
    assert!(page.contains("x &lt; y &amp;&amp; &lt;script&gt;"));
}
