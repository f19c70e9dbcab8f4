//! Every text gets an answer.

use contract::read;
use source::SourceMap;

const TEXT: &str = include_str!("../../../../examples/szumo/bank/transfer.szumo");

fn faults(text: &str) -> usize {
    let mut sources = SourceMap::default();
    read(sources.add("x.szumo", text), text, &[]).diagnostics.len()
}

#[test]
fn cut_texts() {
    for end in (0..TEXT.len()).filter(|&end| TEXT.is_char_boundary(end)) {
        faults(&TEXT[..end]);
    }
    assert_eq!(faults(TEXT), 0);
}

#[test]
fn texts_with_a_word_less() {
    let words: Vec<&str> = TEXT.split_inclusive(' ').collect();
    for left_out in 0..words.len() {
        let text: String = words
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != left_out)
            .map(|(_, word)| *word)
            .collect();
        faults(&text);
    }
}

#[test]
fn deep_texts() {
    let deep = format!("root class A {{ cond c; sync {}c ==> x; }}", "!(".repeat(5000));
    assert!(faults(&deep) > 0);
    assert!(faults(&format!("system S {{ {}", "for i in 0..2 { ".repeat(5000))) > 0);
}
