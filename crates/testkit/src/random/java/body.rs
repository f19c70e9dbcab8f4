//! Bodies of random methods.

use super::Shape;
use crate::random::Rng;
use std::fmt::Write as _;

/// Writes the body of a method.
pub(super) struct Writer<'w> {
    shape: &'w Shape,
    rng: &'w mut Rng,
    pub(super) text: String,
    indent: usize,
    ints: Vec<String>,
    nodes: Vec<String>,
    arrays: Vec<String>,
    others: Vec<String>,
    objects: Vec<String>,
    booleans: Vec<String>,
    locals: usize,
    in_loop: bool,
    pub(super) has_result: bool,
    pub(super) is_held: bool,
    /// Whether it calls no other methods.
    pub(super) is_helper: bool,
    ended: bool,
}

impl<'w> Writer<'w> {
    pub(super) fn new(shape: &'w Shape, params: &[&str], rng: &'w mut Rng) -> Self {
        let named = |ty: &str| -> Vec<String> {
            let fits = params.iter().filter_map(|param| param.split_once(' '));
            fits.filter(|(of, _)| *of == ty).map(|(_, name)| name.to_owned()).collect()
        };
        Self {
            ints: named("int"),
            nodes: named("Node"),
            arrays: named("int[]"),
            others: named("A"),
            objects: named("Object"),
            booleans: named("boolean"),
            shape,
            rng,
            text: String::new(),
            indent: 2,
            locals: 0,
            in_loop: false,
            has_result: false,
            is_held: false,
            is_helper: false,
            ended: false,
        }
    }

    fn line(&mut self, text: &str) {
        let indent = "    ".repeat(self.indent);
        let _ = writeln!(self.text, "{indent}{text}");
    }

    fn local(&mut self) -> String {
        self.locals += 1;
        format!("t{}", self.locals)
    }

    /// The result, at the end.
    pub(super) fn finish(&mut self) {
        if self.has_result && !self.ended {
            let value = self.int();
            self.line(&format!("return {value};"));
        }
    }

    /// A block that holds a lock.
    pub(super) fn locked(&mut self, lock: &str) {
        self.line(&format!("synchronized ({lock}) {{"));
        self.nested(1);
        self.line("}");
    }

    fn nested(&mut self, depth: usize) {
        let known = [
            self.ints.len(),
            self.nodes.len(),
            self.arrays.len(),
            self.others.len(),
            self.objects.len(),
            self.booleans.len(),
        ];
        self.indent += 1;
        self.block(depth);
        self.indent -= 1;
        self.ints.truncate(known[0]);
        self.nodes.truncate(known[1]);
        self.arrays.truncate(known[2]);
        self.others.truncate(known[3]);
        self.objects.truncate(known[4]);
        self.booleans.truncate(known[5]);
        self.ended = false;
    }

    pub(super) fn block(&mut self, depth: usize) {
        for _ in 0..=self.rng.below(2) {
            if self.ended {
                return;
            }
            self.stmt(depth);
        }
    }

    fn int(&mut self) -> String {
        let fields = self.int_fields();
        match self.rng.below(12) {
            0..=2 => (*self.rng.pick(&["0", "1", "2", "3", "-1"])).to_owned(),
            3 | 4 if !self.ints.is_empty() => self.rng.pick(&self.ints.clone()).clone(),
            5 => format!("{} + 1", self.rng.pick(&fields)),
            6 => format!("{} - 1", self.rng.pick(&fields)),
            7 if !self.ints.is_empty() => {
                format!("{} + {}", self.rng.pick(&self.ints.clone()), self.rng.pick(&fields))
            }
            8 if !self.is_helper => format!("helper({})", self.rng.pick(&fields)),
            9 if self.shape.a.is_some() && self.rng.percent(40) => "a.length".to_owned(),
            10 if self.shape.at => {
                (*self.rng.pick(&["at.get()", "at.incrementAndGet()", "at.getAndAdd(2)"]))
                    .to_owned()
            }
            11 if !self.ints.is_empty() && self.rng.percent(30) => {
                format!("4 / {}", self.rng.pick(&self.ints.clone()))
            }
            _ => self.rng.pick(&fields).clone(),
        }
    }

    fn int_fields(&self) -> Vec<String> {
        let mut fields = vec!["x".to_owned()];
        let has = [(self.shape.y, "y"), (self.shape.v, "v"), (self.shape.s, "s")];
        fields.extend(has.iter().filter(|(is, _)| *is).map(|(_, name)| (*name).to_owned()));
        fields
    }

    fn cond(&mut self) -> String {
        match self.rng.below(9) {
            0 if self.shape.b => (*self.rng.pick(&["b", "!b"])).to_owned(),
            1 if !self.booleans.is_empty() => self.booleans[0].clone(),
            2 if self.shape.n.is_some() => (*self.rng.pick(&["n != null", "n == null"])).to_owned(),
            3 if !self.nodes.is_empty() => {
                format!("{} != null", self.rng.pick(&self.nodes.clone()))
            }
            4 if !self.others.is_empty() => format!("{} == this", self.others[0]),
            5 => {
                let (one, other) = (self.int(), self.int());
                format!("{one} < {other} && x >= 0")
            }
            _ => {
                let (one, other) = (self.int(), self.int());
                let op = *self.rng.pick(&["<", "<=", "==", "!=", ">", ">="]);
                format!("{one} {op} {other}")
            }
        }
    }

    fn stmt(&mut self, depth: usize) {
        match self.rng.below(20) {
            0..=4 => self.assign(),
            5 | 6 => {
                let local = self.local();
                let value = self.int();
                self.line(&format!("int {local} = {value};"));
                self.ints.push(local);
            }
            7 | 8 if depth > 0 => {
                let cond = self.cond();
                self.line(&format!("if ({cond}) {{"));
                self.nested(depth - 1);
                if self.rng.percent(40) {
                    self.line("} else {");
                    self.nested(depth - 1);
                }
                self.line("}");
            }
            9 | 10 => self.on_node(),
            11 => self.on_array(),
            12 if depth > 0 => self.looping(depth),
            13 => {
                let claim = self.claim();
                self.line(&claim);
            }
            14 if depth > 0 => self.trying(depth),
            15 => self.waiting(),
            16 => self.on_other(),
            17 if depth > 0 => {
                let lock = *self.rng.pick(&["this", "A.class"]);
                self.locked(lock);
            }
            18 => self.threads(),
            19 if self.rng.percent(50) => self.leave(),
            _ => self.assign(),
        }
    }

    fn assign(&mut self) {
        let fields = self.int_fields();
        let field = self.rng.pick(&fields).clone();
        let value = self.int();
        match self.rng.below(9) {
            0 => self.line(&format!("{field}++;")),
            1 => self.line(&format!("{field} += {value};")),
            2 if self.shape.b => {
                let value = self.cond();
                self.line(&format!("b = {value};"));
            }
            3 if self.shape.y => {
                self.line("x++;");
                self.line("y++;");
            }
            4 => self.line(&format!("if ({field} > 0) {field} = {field} - 1;")),
            5 => self.line(&format!("if ({value} >= 0) {field} = {value};")),
            _ => self.line(&format!("{field} = {value};")),
        }
    }

    fn on_node(&mut self) {
        let Some(modifiers) = self.shape.n else { return self.assign() };
        let value = self.int();
        match self.rng.below(9) {
            0 => {
                let local = self.local();
                self.line(&format!("Node {local} = n;"));
                self.nodes.push(local);
            }
            1 if !self.nodes.is_empty() => {
                let node = self.rng.pick(&self.nodes.clone()).clone();
                self.line(&format!("if ({node} != null) x = {node}.val;"));
            }
            2 => self.line("if (n != null) x = n.val;"),
            3 if modifiers != "final " => {
                let local = self.local();
                self.line(&format!("Node {local} = new Node();"));
                if self.rng.percent(50) {
                    self.line(&format!("{local}.next = n;"));
                }
                self.line(&format!("n = {local};"));
                self.nodes.push(local);
            }
            4 if modifiers != "final " => {
                let from = self.nodes.last().cloned().unwrap_or("null".to_owned());
                self.line(&format!("n = {from};"));
            }
            5 if !self.nodes.is_empty() => {
                let node = self.rng.pick(&self.nodes.clone()).clone();
                self.line(&format!("synchronized ({node}) {{"));
                self.line(&format!("    {node}.next = new Node();"));
                self.line("}");
            }
            6 => {
                let local = self.local();
                self.line(&format!("Node {local} = new Node();"));
                self.line(&format!("{local}.next = {local};"));
                self.line(&format!("int {local}v = {local}.next.val;"));
                self.ints.push(format!("{local}v"));
                self.nodes.push(local);
            }
            7 => self.line(&format!("if (n != null && n.next != null) x = {value};")),
            _ => {
                let local = self.local();
                self.line(&format!("Node {local} = n == null ? new Node() : n;"));
                self.line(&format!("x = {local}.val;"));
                self.nodes.push(local);
            }
        }
    }

    fn on_array(&mut self) {
        let array = match (self.shape.a, self.arrays.last()) {
            (_, Some(array)) if self.rng.percent(50) => array.clone(),
            (Some(_), _) => "a".to_owned(),
            (None, Some(array)) => array.clone(),
            (None, None) => return self.assign(),
        };
        let is_final = self.shape.a.is_some_and(|modifiers| modifiers.contains("final"));
        let (index, value) = (self.int(), self.int());
        match self.rng.below(7) {
            0 => self.line(&format!("for (int i = 0; i < {array}.length; i++) {array}[i] = {value};")),
            1 => self.line(&format!(
                "if ({array} != null && {index} >= 0 && {index} < {array}.length) {array}[{index}] = {value};"
            )),
            2 if !is_final && self.shape.a.is_some() => {
                let size = *self.rng.pick(&["2", "3", "x"]);
                self.line(&format!("a = new int[{size}];"));
            }
            3 if !is_final && self.shape.a.is_some() && !self.arrays.is_empty() => {
                self.line(&format!("a = {};", self.arrays[0]));
            }
            4 => {
                let local = self.local();
                self.line(&format!("int[] {local} = {{{value}, 1}};"));
                self.line(&format!("x = {local}[1];"));
                self.arrays.push(local);
            }
            5 => self.line(&format!("if ({array} != null) for (int e : {array}) x = e;")),
            _ => self.line(&format!("if ({array} != null && {array}.length > 1) x = {array}[1];")),
        }
    }

    fn looping(&mut self, depth: usize) {
        let outside = std::mem::replace(&mut self.in_loop, true);
        match self.rng.below(3) {
            0 => {
                let local = self.local();
                let bound = self.int();
                self.line(&format!("for (int {local} = 0; {local} < {bound}; {local}++) {{"));
                self.ints.push(local);
                self.nested(depth - 1);
                self.ints.pop();
            }
            1 => {
                self.line("while (x > 0) {");
                self.nested(depth - 1);
                self.line("    x = x - 1;");
            }
            _ => {
                let local = self.local();
                self.line(&format!("int {local} = 0;"));
                self.line(&format!("while ({local} < 2) {{"));
                self.line(&format!("    {local}++;"));
                self.ints.push(local);
                self.nested(depth - 1);
            }
        }
        self.line("}");
        self.in_loop = outside;
    }

    fn claim(&mut self) -> String {
        let fields = self.int_fields();
        let field = self.rng.pick(&fields).clone();
        match self.rng.below(7) {
            0 => format!("assert {field} >= 0;"),
            1 => {
                let local = self.local();
                self.line(&format!("int {local} = {field};"));
                self.ints.push(local.clone());
                format!("assert {field} == {local};")
            }
            2 => {
                let local = self.local();
                self.line(&format!("int {local} = {field};"));
                self.ints.push(local.clone());
                format!("assert {field} >= {local};")
            }
            3 if self.shape.n.is_some() => "if (n != null) assert n.val >= 0;".to_owned(),
            4 => {
                let (one, other) = (self.int(), self.int());
                format!("assert {one} <= {other};")
            }
            5 if self.shape.y => "//@ assert x <= y".to_owned(),
            _ => format!("//@ assert {}.holder == tid", self.shape.guard),
        }
    }

    fn trying(&mut self, depth: usize) {
        self.line("try {");
        self.nested(depth - 1);
        if self.shape.n.is_some() && self.rng.percent(60) {
            self.line("    x = n.val;");
        }
        if self.rng.percent(30) {
            self.line("    if (x > 1) throw new IllegalStateException();");
        }
        if self.rng.percent(70) {
            let class = *self.rng.pick(&[
                "NullPointerException",
                "RuntimeException",
                "ArithmeticException",
                "IllegalStateException",
            ]);
            self.line(&format!("}} catch ({class} e) {{"));
            self.nested(0);
            if self.rng.percent(40) {
                self.line("} finally {");
                self.nested(0);
            }
        } else {
            self.line("} finally {");
            self.nested(0);
        }
        self.line("}");
    }

    fn waiting(&mut self) {
        let guard = self.shape.guard;
        match self.rng.below(3) {
            0 => self.line(&format!("{guard}.notifyAll();")),
            1 => {
                self.line("try {");
                self.line(&format!("    while (x == 0) {guard}.wait();"));
                self.line("} catch (InterruptedException e) {");
                self.line("}");
            }
            _ => self.assign(),
        }
    }

    fn on_other(&mut self) {
        let value = self.int();
        if let Some(other) = self.others.first().cloned() {
            match self.rng.below(5) {
                0 => self.line(&format!("if ({other} != null) {other}.x = {value};")),
                1 => {
                    self.line(&format!("if ({other} != null) {{"));
                    self.line(&format!("    synchronized ({other}) {{"));
                    self.line(&format!("        {other}.x = {value};"));
                    self.line("    }");
                    self.line("}");
                }
                2 if self.shape.peer => self.line(&format!("peer = {other};")),
                _ => {
                    let local = self.local();
                    self.line(&format!("int {local} = {other} == null ? 0 : {other}.x;"));
                    self.ints.push(local);
                }
            }
        } else if let Some(object) = self.objects.first().cloned() {
            match self.rng.below(3) {
                0 => self.line(&format!("if ({object} instanceof A) x = ((A) {object}).x;")),
                1 => self.line(&format!("if ({object} instanceof Node k) x = k.val;")),
                _ => self
                    .line(&format!("synchronized (this) {{ if ({object} == this) x = {value}; }}")),
            }
        } else if self.shape.peer {
            match self.rng.below(3) {
                0 => self.line("peer = this;"),
                1 => self.line("if (peer != null) peer.x = 1;"),
                _ => {
                    let local = self.local();
                    self.line(&format!("A {local} = peer;"));
                    self.line(&format!("if ({local} != null) x = {local}.x;"));
                    self.others.push(local);
                }
            }
        } else {
            self.assign();
        }
    }

    fn threads(&mut self) {
        if self.shape.last && self.rng.percent(40) {
            let line = *self.rng.pick(&["last = this;", "if (last != null) x = last.x;"]);
            return self.line(line);
        }
        if !self.shape.worker || self.is_helper {
            return self.assign();
        }
        match self.rng.below(4) {
            0 => self.line("new W(this).start();"),
            1 => {
                let local = self.local();
                self.line(&format!("W {local} = new W(this);"));
                self.line(&format!("{local}.count = 1;"));
                self.line(&format!("{local}.start();"));
                if self.rng.percent(30) {
                    self.line(&format!("x = {local}.count;"));
                }
            }
            2 => self.line("new Thread(() -> { synchronized (this) { x++; } }).start();"),
            _ => {
                let local = self.local();
                self.line(&format!("W {local} = new W(null);"));
                self.line(&format!("{local}.start();"));
                self.line("try {");
                self.line(&format!("    {local}.join();"));
                self.line("} catch (InterruptedException e) {");
                self.line("}");
            }
        }
    }

    fn leave(&mut self) {
        match self.rng.below(3) {
            0 if self.in_loop => self.line("break;"),
            1 if self.has_result => {
                let value = self.int();
                self.line(&format!("return {value};"));
            }
            2 => self.line("throw new IllegalStateException();"),
            _ => return self.assign(),
        }
        self.ended = true;
    }
}
