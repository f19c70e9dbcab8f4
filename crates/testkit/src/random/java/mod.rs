//! Random small Java programs, as text.
//!
//! A class with fields that a lock protects, mostly; nodes, arrays and threads beside it. Methods
//! hold the lock, mostly. Annotations say what such fields often keep to. Nearly right programs
//! show whether a verifier is too generous.

mod body;

use super::Rng;
use body::Writer;
use std::fmt::Write as _;

/// What the class of a program has.
#[derive(Clone, Debug, Default)]
struct Shape {
    y: bool,
    v: bool,
    s: bool,
    b: bool,
    lock: bool,
    /// Modifiers of the node.
    n: Option<&'static str>,
    /// Modifiers of the array.
    a: Option<&'static str>,
    peer: bool,
    at: bool,
    last: bool,
    worker: bool,
    below: bool,
    /// The lock that methods hold.
    guard: &'static str,
    /// Methods that others call: name, parameters, whether there is a result.
    methods: Vec<(String, Vec<&'static str>, bool)>,
}

/// The program of a seed; the same seed gives the same text.
pub fn random_java(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let shape = shape(&mut rng);
    let mut text = String::new();
    if shape.at {
        text += "import java.util.concurrent.atomic.AtomicInteger;\n\n";
    }
    node(&mut text, &mut rng);
    text += "class A {\n";
    fields(&mut text, &shape, &mut rng);
    annotations(&mut text, &shape, &mut rng);
    constructor(&mut text, &shape, &mut rng);
    for at in 0..shape.methods.len() {
        method(&mut text, &shape, at, &mut rng);
    }
    helpers(&mut text, &shape, &mut rng);
    text += "}\n";
    if shape.worker {
        worker(&mut text, &shape, &mut rng);
    }
    if shape.below {
        text += "\nclass B extends A {\n";
        let own = Shape { methods: shape.methods[..1].to_vec(), ..shape.clone() };
        let mut method_text = String::new();
        method(&mut method_text, &own, 0, &mut rng);
        // Private methods are not inherited.
        text += &method_text.replace("helper(", "(");
        text += "}\n";
    }
    text
}

fn shape(rng: &mut Rng) -> Shape {
    let mut shape = Shape {
        y: rng.percent(50),
        v: rng.percent(35),
        s: rng.percent(20),
        b: rng.percent(35),
        lock: rng.percent(45),
        n: rng.percent(45).then(|| *rng.pick(&["", "private ", "volatile ", "final "])),
        a: rng.percent(30).then(|| *rng.pick(&["", "private ", "final ", "private final "])),
        peer: rng.percent(20),
        at: rng.percent(20),
        last: rng.percent(12),
        worker: rng.percent(30),
        below: rng.percent(10),
        ..Shape::default()
    };
    shape.guard = match rng.below(6) {
        0 => "A.class",
        1 | 2 if shape.lock => "lock",
        _ => "this",
    };
    let count = 2 + rng.below(2);
    for at in 0..count {
        let all = ["int p", "int q", "Node m", "A other", "boolean c", "int[] d", "Object o"];
        let mut params = Vec::new();
        for _ in 0..rng.below(3) {
            let one = *rng.pick(&all);
            if !params.contains(&one) {
                params.push(one);
            }
        }
        shape.methods.push((format!("m{at}"), params, rng.percent(50)));
    }
    shape
}

fn node(text: &mut String, rng: &mut Rng) {
    *text += "class Node {\n";
    let modifier = *rng.pick(&["", "", "final ", "volatile "]);
    let _ =
        writeln!(text, "    {modifier}int val{};", if modifier == "final " { " = 1" } else { "" });
    if rng.percent(60) {
        *text += "    Node next;\n";
    } else {
        *text += "    volatile Node next;\n";
    }
    if rng.percent(25) && modifier != "final " {
        *text += "    //@ global_invariant 0 <= val\n";
    }
    if rng.percent(50) {
        *text += "    int get() { return val; }\n";
    }
    if rng.percent(30) {
        *text += "    synchronized Node next() { return next; }\n";
    }
    *text += "}\n\n";
}

/// What is written after a field.
fn about_field(shape: &Shape, rng: &mut Rng) -> String {
    let guard = shape.guard;
    match rng.below(12) {
        0 => format!(" //@ guarded_by {guard}"),
        1 => format!(" //@ unwritable_by_env_if {guard}.holder == tid"),
        2 => " //@ monitored".to_owned(),
        _ => String::new(),
    }
}

fn fields(text: &mut String, shape: &Shape, rng: &mut Rng) {
    let modifier = if rng.percent(50) && !shape.below { "private " } else { "" };
    let about = about_field(shape, rng);
    let _ = writeln!(text, "    {modifier}int x;{about}");
    if shape.y {
        let about = about_field(shape, rng);
        let _ = writeln!(text, "    int y;{about}");
    }
    if shape.v {
        *text += "    volatile int v;\n";
    }
    if shape.s {
        *text += "    static int s;\n";
    }
    if shape.b {
        let modifier = *rng.pick(&["", "volatile "]);
        let _ = writeln!(text, "    {modifier}boolean b;");
    }
    if shape.lock {
        *text += "    final Object lock = new Object();\n";
    }
    if let Some(modifiers) = shape.n {
        let non_null = if rng.percent(20) { "/*@ non_null */ " } else { "" };
        let about = if modifiers == "final " { String::new() } else { about_field(shape, rng) };
        let _ = writeln!(text, "    {modifiers}{non_null}Node n;{about}");
    }
    if let Some(modifiers) = shape.a {
        let first =
            if modifiers.contains("final") || rng.percent(40) { " = new int[2]" } else { "" };
        let _ = writeln!(text, "    {modifiers}int[] a{first};");
    }
    if shape.peer {
        *text += "    A peer;\n";
    }
    if shape.at {
        *text += "    final AtomicInteger at = new AtomicInteger();\n";
    }
    if shape.last {
        *text += "    static volatile A last;\n";
    }
}

fn annotations(text: &mut String, shape: &Shape, rng: &mut Rng) {
    let mut invariants = vec!["0 <= x"];
    let mut relies = vec!["\\old(x) <= x"];
    if shape.y {
        invariants.extend(["x <= y", "0 <= y", "x == y"]);
        relies.push("\\old(y) <= y");
    }
    if shape.v {
        invariants.push("0 <= v");
        relies.extend(["\\old(v) <= v", "\\old(v) > 0 ==> v > 0"]);
    }
    if shape.b {
        invariants.push("b ==> 0 < x");
        relies.push("\\old(b) ==> b");
    }
    if shape.n.is_some() {
        invariants.push("n != null");
        relies.push("\\old(n) != null ==> n == \\old(n)");
    }
    if shape.a.is_some() {
        invariants.extend(["a != null", "a != null ==> x <= a.length", "a.length == 2"]);
    }
    if rng.percent(35) {
        let _ = writeln!(text, "    //@ global_invariant {}", rng.pick(&invariants));
    }
    if rng.percent(12) {
        let _ = writeln!(text, "    //@ env_assumption {}", rng.pick(&relies));
    }
}

fn constructor(text: &mut String, shape: &Shape, rng: &mut Rng) {
    let is_final = shape.n == Some("final ");
    if !is_final && rng.percent(50) {
        return;
    }
    let is_plain = shape.below || rng.percent(50);
    *text += if is_plain { "\n    A() {\n" } else { "\n    A(int k) {\n" };
    if shape.last && rng.percent(50) {
        *text += "        last = this;\n";
    }
    if is_final || shape.n.is_some() && rng.percent(50) {
        *text += "        n = new Node();\n";
    }
    if text.ends_with("A(int k) {\n") || rng.percent(30) {
        let first = if rng.percent(60) { "1" } else { "0" };
        let _ = writeln!(text, "        x = {first};");
    }
    *text += "    }\n";
}

fn method(text: &mut String, shape: &Shape, at: usize, rng: &mut Rng) {
    let (name, params, has_result) = shape.methods[at].clone();
    let is_locked = rng.percent(80);
    *text += "\n";
    if params.contains(&"int p") && rng.percent(25) {
        *text += "    //@ requires 0 <= p\n";
    }
    if rng.percent(8) {
        let _ = writeln!(text, "    //@ requires {}.holder == tid", shape.guard);
    }
    if has_result && rng.percent(25) {
        *text += "    //@ ensures 0 <= \\result\n";
    }
    if rng.percent(8) {
        *text += "    //@ ensures x >= \\old(x)\n";
    }
    let is_own = is_locked && shape.guard == "this" && rng.percent(70);
    let modifier = if is_own { "synchronized " } else { "" };
    let result = if has_result { "int" } else { "void" };
    let _ = writeln!(text, "    {modifier}{result} {name}({}) {{", params.join(", "));
    let mut writer = Writer::new(shape, &params, rng);
    writer.has_result = has_result;
    writer.is_held = is_locked;
    if is_locked && !is_own {
        writer.locked(shape.guard);
    } else {
        writer.block(2);
    }
    writer.finish();
    *text += &writer.text;
    *text += "    }\n";
}

/// Private methods, and methods that hand out objects.
fn helpers(text: &mut String, shape: &Shape, rng: &mut Rng) {
    *text += "\n    private int helper(int p) {\n";
    let mut writer = Writer::new(shape, &["int p"], rng);
    writer.has_result = true;
    writer.is_helper = true;
    writer.block(1);
    writer.finish();
    *text += &writer.text;
    *text += "    }\n";
    if rng.percent(25) {
        *text += "\n    static A make(int p) {\n        A made = new A();\n";
        let _ = writeln!(text, "        made.x = {};", rng.pick(&["p", "1", "0", "-1"]));
        *text += "        return made;\n    }\n";
        if text.contains("    A(int k) {") {
            *text = text.replace("new A()", "new A(1)");
        }
    }
    if shape.n.is_some() && rng.percent(25) {
        *text += "\n    Node take() {\n        return n;\n    }\n";
    }
    if rng.percent(15) {
        *text += "\n    Runnable task() {\n        return () -> {\n";
        let mut writer = Writer::new(shape, &[], rng);
        writer.is_helper = true;
        writer.locked(shape.guard);
        *text += &writer.text;
        *text += "        };\n    }\n";
    }
}

fn worker(text: &mut String, shape: &Shape, rng: &mut Rng) {
    let modifier = *rng.pick(&["final ", "final ", ""]);
    let _ = writeln!(text, "\nclass W extends Thread {{\n    {modifier}A own;\n    int count;");
    *text += "    W(A own) {\n        this.own = own;\n    }\n";
    *text += "    public void run() {\n        if (own != null) {\n";
    for (name, params, _) in shape.methods.iter().take(2) {
        if params.is_empty() {
            let _ = writeln!(text, "            own.{name}();");
        }
    }
    *text += "            count++;\n        }\n    }\n";
    if rng.percent(40) {
        *text += "    int count() {\n        return count;\n    }\n";
    }
    *text += "}\n";
}
