//! Random listings with loops on DMMs.

use std::fmt::Write;

use crate::run::choices::Choices;

struct Generator<'a> {
    choices: Choices<'a>,
    text: String,
    depth: usize,
    /// What may be read here: variables of the loops around, and scalars.
    scope: Vec<String>,
    in_nest: bool,
    names: usize,
}

/// A listing whose addresses do not depend on memory, nearly always inside their arrays.
pub fn listing(bytes: &[u8]) -> String {
    let text = "\
algorithm random(n, m)
inout a[n] : i64
inout g[n, m + 2] : i64
output h[9 × n] : i64

";
    let mut it = Generator {
        choices: Choices::new(bytes),
        text: text.to_owned(),
        depth: 0,
        scope: vec!["n".to_owned(), "m".to_owned()],
        in_nest: false,
        names: 0,
    };
    for _ in 0..=it.choices.below(2) {
        match it.choices.below(3) {
            0 => {
                let to = it.choices.of(&["2", "m", "n / 3"]);
                it.line(&format!("for z ← 0 to {to} do"));
                it.inside("z", Generator::blocks);
            }
            _ => it.blocks(),
        }
    }
    it.text
}

impl Generator<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.depth);
    }

    /// Inside a loop of this variable.
    fn inside(&mut self, variable: &str, write: impl FnOnce(&mut Self)) {
        let scope = self.scope.len();
        self.scope.push(variable.to_owned());
        self.depth += 1;
        write(self);
        self.depth -= 1;
        self.scope.truncate(scope);
    }

    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn blocks(&mut self) {
        let (depth, scope) = (self.depth, self.scope.clone());
        let q = self.choices.of(&["m", "1", "m + 3", "7"]);
        let loops = 1 + self.choices.below(3);
        for inner in 0..loops {
            let variable = self.name("b");
            let outer = self.scope.last().cloned().unwrap_or_default();
            let (from, to) = match self.choices.below(if inner == 0 { 4 } else { 6 }) {
                0 => ("0".to_owned(), "n / m".to_owned()),
                1 => ("1".to_owned(), "5".to_owned()),
                2 => ("0".to_owned(), if inner == 0 { "n" } else { "2" }.to_owned()),
                3 => ("m".to_owned(), "m + 1".to_owned()),
                4 => (outer, "3".to_owned()),
                _ => ("0".to_owned(), format!("{outer} / 2")),
            };
            let with =
                if inner + 1 == loops { format!(" with {q} threads") } else { String::new() };
            self.line(&format!("for {variable} ← {from} to {to} do in parallel on DMMs{with}"));
            self.depth += 1;
            self.scope.push(variable);
        }
        for array in ["shared s[m + 1] : i64", "shared t[3, m] : i64"] {
            self.line(array);
        }
        let registers = self.choices.below(3);
        if registers > 0 {
            self.line("register r[2] : i64");
            let variable = self.scope.last().cloned().unwrap_or_default();
            let some = format!("if i × 2 ≠ {variable} then r[({variable} + i) mod 2] ← i");
            // Now and then some threads have no value in some of their registers.
            let fill = match self.choices.below(12) {
                0..8 => &["r[0] ← i", "r[1] ← a[0]"][..],
                8 => &["r[1] ← i"],
                _ => &[&*some],
            };
            self.line(&format!("for i ← 0 to {q} - 1 do in parallel"));
            self.depth += 1;
            fill.iter().for_each(|line| self.line(line));
            self.depth -= 1;
        }
        for (loops, cell) in [("for i ← 0 to m do in parallel", "s[i]"), ("", "t[i, j]")] {
            if loops.is_empty() {
                self.line("for i ← 0 to 2 do in parallel");
                self.depth += 1;
            }
            self.line(if loops.is_empty() { "for j ← 0 to m-1 do in parallel" } else { loops });
            self.depth += 1;
            self.line(&format!("{cell} ← 1"));
            self.depth -= 1 + usize::from(loops.is_empty());
        }
        self.scope.push("u".to_owned());
        let value = self.integer(2);
        self.line(&format!("u ← {}", value.replace('u', "m")));
        self.body(4, registers > 0);
        (self.depth, self.scope) = (depth, scope);
    }

    fn body(&mut self, most: usize, registers: bool) {
        for _ in 0..=self.choices.below(most) {
            self.statement(registers);
        }
    }

    fn statement(&mut self, registers: bool) {
        let deep = self.depth > 8;
        match self.choices.below(if deep { 4 } else { 12 }) {
            0..=2 => self.store(registers),
            3 if !self.in_nest => {
                let value = self.integer(2);
                self.line(&format!("u ← {value} mod 50"));
            }
            3 => {
                let name = self.name("x");
                let value = self.integer(2);
                self.line(&format!("{name} ← {value}"));
                self.scope.push(name);
            }
            4 | 5 => {
                let condition = self.condition();
                self.line(&format!("if {condition} then"));
                self.deeper(2, registers);
                if self.choices.below(3) == 0 {
                    self.line("else");
                    self.deeper(2, registers);
                }
            }
            6 | 7 => {
                let (head, variable) = self.head();
                self.line(&format!("{head} do"));
                self.inside(&variable, |it| it.body(2, registers));
            }
            8 => {
                let counter = self.name("w");
                let start = self.integer(1);
                self.line(&format!("{counter} ← {start} mod 4"));
                self.line(&format!("while {counter} > 0 do"));
                self.inside(&counter.clone(), |it| {
                    it.body(2, registers);
                    it.line(&format!("{counter} ← {counter} - 1"));
                });
            }
            9 if !self.in_nest => {
                let name = format!("L{}:", self.choices.below(3));
                self.line(&name);
                self.deeper(2, registers);
            }
            10 if self.in_nest || self.choices.below(4) == 0 => {
                let (name, element) = (self.name("y"), self.element(registers));
                self.line(&format!("{name} ← {element}"));
                let right = self.index("n");
                self.line(&format!("if {name} > 3 then {name} ← {name} + 2"));
                self.line(&format!("a[{right}] ← {name}"));
            }
            _ if self.in_nest => self.store(registers),
            _ => self.nest(registers),
        }
    }

    fn deeper(&mut self, most: usize, registers: bool) {
        let scope = self.scope.len();
        self.depth += 1;
        self.body(most, registers);
        self.depth -= 1;
        self.scope.truncate(scope);
    }

    /// A loop's head and variable.
    fn head(&mut self) -> (String, String) {
        let variable = self.name("v");
        let around = self.scope[self.choices.below(self.scope.len())].clone();
        let (from, to) = match self.choices.below(8) {
            0 => ("1".to_owned(), "2".to_owned()),
            1 => ("0".to_owned(), format!("min(m, n - {around} × 3) - 1")),
            2 => (around.clone(), format!("{around} + 3")),
            3 => ("0".to_owned(), format!("{around} mod 4")),
            4 => ("u mod 3".to_owned(), "m".to_owned()),
            5 => (format!("max(m - {around}, 0)"), format!("{around} / 2")),
            _ => ("0".to_owned(), "m - 1".to_owned()),
        };
        let head = match self.choices.below(6) {
            0 => format!("for {variable} ← {from} to {to} step 2"),
            1 => format!("for {variable} ← {to} downto {from}"),
            _ => format!("for {variable} ← {from} to {to}"),
        };
        (head, variable)
    }

    fn nest(&mut self, registers: bool) {
        let (depth, scope) = (self.depth, self.scope.clone());
        for _ in 0..=self.choices.below(2) {
            let (head, variable) = self.head();
            self.line(&format!("{head} do in parallel"));
            self.depth += 1;
            self.scope.push(variable);
        }
        self.in_nest = true;
        self.body(3, registers);
        self.in_nest = false;
        (self.depth, self.scope) = (depth, scope);
    }

    fn store(&mut self, registers: bool) {
        let (value, cell) = (self.element(registers), self.element(registers));
        if self.choices.below(3) == 0 {
            let (value, index) = (self.integer(1), self.integer(2));
            self.line(&format!("if {index} ≥ 0 and {index} < 9 × n then"));
            self.line(&format!("  h[{index}] ← {value}"));
        }
        self.line(&format!("{cell} ← {value} + 1"));
    }

    fn element(&mut self, registers: bool) -> String {
        match self.choices.below(if registers { 7 } else { 6 }) {
            0 | 1 => format!("a[{}]", self.index("n")),
            2 => format!("g[{}, {}]", self.index("n"), self.index("(m + 2)")),
            3 => format!("t[{}, {}]", self.index("3"), self.index("m")),
            4 | 5 => format!("s[{}]", self.index("(m + 1)")),
            _ => format!("r[{}]", self.index("2")),
        }
    }

    fn index(&mut self, extent: &str) -> String {
        let index = self.integer(2);
        match self.choices.below(24) {
            23 => index,
            1..6 => format!("min(max({index}, 0), {extent} - 1)"),
            _ => format!("{index} mod {extent}"),
        }
    }

    fn condition(&mut self) -> String {
        let sign = self.choices.of(&["<", "≥", "=", "≠", "≤", ">"]);
        let (left, right) = (self.integer(2), self.integer(1));
        match self.choices.below(5) {
            0 => format!("({left} {sign} {right} or {right} mod 3 = 1)"),
            1 => format!("({left} mod 5 {sign} 2 and {right} < 9)"),
            _ => format!("{left} {sign} {right}"),
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 || self.choices.exhausted() {
            return match self.choices.below(5) {
                0 => format!("{}", self.choices.below(6)),
                1 => self.scope[self.choices.below(self.scope.len())].clone(),
                _ => self.scope.last().cloned().unwrap_or_default(),
            };
        }
        let left = self.integer(depth - 1);
        match self.choices.below(12) {
            0..=2 => format!("({left} + {})", self.integer(depth - 1)),
            3 => format!("({left} - {})", self.integer(depth - 1)),
            4 | 5 => format!("{left} × {}", self.choices.of(&["2", "m", "n", "5", "-3"])),
            6 => format!("({left} / {})", self.choices.of(&["2", "m", "3"])),
            7 => format!("({left} mod {})", self.choices.of(&["2", "m", "3"])),
            8 => format!("min({left}, {})", self.integer(depth - 1)),
            9 => format!("({left} << 1 >> 2)"),
            10 => {
                let (right, other) = (self.integer(depth - 1), self.integer(depth - 1));
                format!("(if {left} > {right} then {right} else {other})")
            }
            _ => left,
        }
    }
}
