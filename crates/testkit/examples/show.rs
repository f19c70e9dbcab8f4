fn main(){ let a: Vec<u64> = std::env::args().skip(1).map(|s| s.parse().unwrap()).collect(); for s in a { println!("// seed {s}\n{}", testkit::random::random_program(s)); } }
