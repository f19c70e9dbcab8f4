//! Lists what the front end says of every `.chalice` file of a folder.
#![allow(clippy::print_stdout, clippy::disallowed_methods, missing_docs)]
fn main() {
    let mut files = Vec::new();
    walk(std::path::Path::new(&std::env::args().nth(1).unwrap()), &mut files);
    files.sort();
    let (mut ok, mut n) = (0, 0);
    for path in files {
        n += 1;
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let mut map = source::SourceMap::default();
        let file = map.add(path.display().to_string(), text.clone());
        let (tree, mut diags) = chalice::parse(file, &text); if diags.is_empty() { diags.extend(chalice::check(&tree).1); }
        if diags.is_empty() { ok += 1; }
        for d in &diags {
            let (l, c) = map.line_column(d.primary.span);
            println!("{}:{l}:{c}: {}: {} | {}", path.display(), d.code, d.message, text.lines().nth(l-1).unwrap_or(""));
        }
    }
    println!("{ok} of {n}");
}
fn walk(dir: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    for e in std::fs::read_dir(dir).unwrap() {
        let p = e.unwrap().path();
        if p.is_dir() { walk(&p, out) } else if p.extension().is_some_and(|e| e == "chalice") { out.push(p) }
    }
}
