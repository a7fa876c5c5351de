//! Random listings with loops on DMMs.

use std::fmt::Write;

use crate::run::choices::Choices;

struct Generator<'a> {
    choices: Choices<'a>,
    text: String,
    depth: usize,
    variables: Vec<String>,
    in_nest: bool,
    counters: usize,
}

/// A whole listing, of which no block accesses what another writes.
pub fn listing(bytes: &[u8]) -> String {
    let mut it = Generator {
        choices: Choices::new(bytes),
        text: "\
algorithm random(n, m)
input a[n] : i64
inout g[64, m] : i64
output h[n] : i64

k ← 1
for i ← 0 to n-1 do in parallel
  h[i] ← a[i] + i
"
        .to_owned(),
        depth: 0,
        variables: vec![],
        in_nest: false,
        counters: 0,
    };
    for _ in 0..=it.choices.below(2) {
        it.blocks();
        it.line("k ← k + h[k mod n]");
    }
    it.text
}

impl Generator<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.depth);
    }

    fn blocks(&mut self) {
        let q = self.choices.of(&["1", "m", "m + 2", "7"]);
        let outer = self.choices.of(&["0", "n", "4", "k mod 5", "a[k mod n] mod 6", "-1"]);
        if self.choices.below(2) == 0 {
            self.line(&format!("for b ← 0 to {outer} do in parallel on DMMs with {q} threads"));
            self.depth += 1;
            self.head(q, "b");
        } else {
            let inner = self.choices.of(&["0", "1", "2", "b - 1"]);
            self.line(&format!("for b ← 0 to {outer} do in parallel on DMMs"));
            self.line(&format!("  for c ← 0 to {inner} do in parallel on DMMs with {q} threads"));
            self.depth += 2;
            self.head(q, "b × 7 + c");
        }
        self.body(5);
        self.depth = 0;
    }

    fn head(&mut self, q: &str, number: &str) {
        for line in [
            "shared s[m + 1] : i64",
            "shared t[3, m] : i64",
            "register r[2] : i64",
            "register z : i64",
            &format!("u ← {number}"),
            "x ← u mod 3",
            "y ← 2",
        ] {
            self.line(line);
        }
        let fill = [
            format!("for i ← 0 to {q} - 1 do in parallel\n  r[0] ← i\n  r[1] ← u\n  z ← a[i mod n]\n"),
            "for i ← 0 to m do in parallel\n  s[i] ← i + u\n".to_owned(),
            "for i ← 0 to 2 do in parallel\n  for j ← 0 to m-1 do in parallel\n    t[i, j] ← i × j\n"
                .to_owned(),
        ];
        for text in fill {
            if self.choices.below(30) != 29 {
                text.lines().for_each(|line| self.line(line));
            }
        }
    }

    fn body(&mut self, most: usize) {
        for _ in 0..=self.choices.below(most) {
            self.statement();
        }
    }

    fn deeper(&mut self, most: usize) {
        self.depth += 1;
        self.body(most);
        self.depth -= 1;
    }

    fn statement(&mut self) {
        match self.choices.below(if self.depth > 6 { 4 } else { 12 }) {
            0..=2 => self.store(),
            3 => {
                let (name, value) = (if self.in_nest { "v" } else { "x" }, self.integer(2));
                self.line(&format!("{name} ← {value} mod 100"));
            }
            4 | 5 => {
                let condition = self.condition();
                self.line(&format!("if {condition} then"));
                self.deeper(2);
                if self.choices.below(2) == 1 {
                    self.line("else");
                    self.deeper(2);
                }
            }
            6 => self.loop_of("", 3, true),
            7 => {
                let counter = format!("w{}", self.counters);
                self.counters += 1;
                let start = self.integer(1);
                self.line(&format!("{counter} ← {start} mod 4"));
                let condition = self.condition();
                self.line(&format!("while {counter} > 0 and {condition} do"));
                self.deeper(2);
                self.depth += 1;
                self.line(&format!("{counter} ← {counter} - 1"));
                self.depth -= 1;
            }
            8 => {
                let name = format!("L{}:", self.choices.below(3));
                if self.in_nest {
                    self.store();
                } else {
                    self.line(&name);
                    self.deeper(2);
                }
            }
            _ if self.in_nest => self.store(),
            _ => self.nest(),
        }
    }

    fn loop_of(&mut self, parallel: &str, most: usize, may_read: bool) {
        let variable = format!("v{}", self.variables.len());
        let to = match self.choices.below(5) {
            0 => "m".to_owned(),
            1 => "x mod 5".to_owned(),
            2 if may_read => {
                format!("{} mod 4", self.element())
            }
            3 => "y + 5".to_owned(),
            _ => "2".to_owned(),
        };
        let from = self.choices.of(&["0", "1", "u mod 2"]);
        let step = self.choices.of(&["", "", " step 2"]);
        self.line(&format!("for {variable} ← {from} to {to}{step} do{parallel}"));
        self.variables.push(variable);
        if most > 0 {
            self.deeper(most);
            self.variables.pop();
        }
    }

    fn nest(&mut self) {
        let (depth, outer) = (self.depth, self.variables.clone());
        let loops = 1 + self.choices.below(2);
        for inner in 0..loops {
            self.loop_of(" in parallel", 0, inner == 0);
            self.depth += 1;
        }
        self.in_nest = true;
        self.line(&format!("v ← v{} + x", outer.len()));
        for _ in 0..self.choices.below(3) {
            self.warp_word();
        }
        self.body(4);
        self.in_nest = false;
        (self.depth, self.variables) = (depth, outer);
    }

    /// All threads of a warp give each other values, in a loop or while some of them go on.
    fn warp_word(&mut self) {
        let value = self.integer(1);
        let by = self.choices.of(&["1", "2", "v mod 3", "lane()"]);
        let word = self.choices.of(&[
            "shuffle(v, 0)",
            "reduce_sum(v)",
            "(if any(v > 3) then 1 else 2)",
            "(if all(v > 3) then 1 else width())",
            "i64(ballot(v mod 2 = 1) & 0xFFFF)",
            "reduce_min(v)",
            "reduce_xor(v)",
        ]);
        let shuffle = self.choices.of(&["", "_up", "_down", "_xor"]);
        let line = match self.choices.below(4) {
            0 => format!("v ← shuffle{shuffle}(v + {value}, {by}) mod 100"),
            1 => format!("if reduce_max(v) > 5 then v ← v / 2 + {word}"),
            2 => format!("for q ← 0 to 2 do v ← (v + {word}) mod 100"),
            _ => format!("v ← v + {word} mod 100"),
        };
        self.line(&line);
    }

    fn store(&mut self) {
        let value = self.integer(2);
        let target = match self.choices.below(6) {
            0 => "z".to_owned(),
            1 => format!("r[{} mod 2]", self.integer(1)),
            2 => format!("g[u, {} mod m]", self.integer(1)),
            3 => format!("t[{} mod 3, {} mod m]", self.integer(0), self.integer(1)),
            _ => format!("s[{} mod (m + 1)]", self.integer(1)),
        };
        self.line(&format!("{target} ← {value} mod 1000"));
    }

    fn element(&mut self) -> String {
        match self.choices.below(7) {
            0 => "z".to_owned(),
            1 => format!("r[{} mod 2]", self.integer(0)),
            2 => format!("g[u, {} mod m]", self.integer(0)),
            3 => format!("t[{} mod 3, {} mod m]", self.integer(0), self.integer(0)),
            4 => format!("a[{} mod n]", self.integer(0)),
            _ => format!("s[{} mod (m + 1)]", self.integer(0)),
        }
    }

    fn condition(&mut self) -> String {
        let sign = self.choices.of(&["<", "≥", "=", "≠"]);
        let (left, right) = (self.integer(1), self.integer(1));
        match self.choices.below(4) {
            0 => format!("({left} mod 2 {sign} 1 or {} > 3)", self.element()),
            1 => format!("({left} {sign} {right} and {} < 5)", self.element()),
            _ => format!("{left} mod 3 {sign} {right} mod 3"),
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 || self.choices.exhausted() {
            return match self.choices.below(8) {
                0 => "n".to_owned(),
                1 => "k".to_owned(),
                2 => "x".to_owned(),
                3 => "u".to_owned(),
                4 if self.in_nest => "v".to_owned(),
                5 => format!("{}", self.choices.below(5)),
                _ => self.variables.last().cloned().unwrap_or_else(|| "b".to_owned()),
            };
        }
        match self.choices.below(6) {
            0..=2 => self.element(),
            3 => {
                let sign = self.choices.of(&["+", "-", "×"]);
                format!("({} {sign} {})", self.integer(depth - 1), self.integer(depth - 1))
            }
            4 => {
                let condition = self.condition();
                let (then, otherwise) = (self.integer(depth - 1), self.integer(depth - 1));
                format!("(if {condition} then {then} else {otherwise})")
            }
            _ => self.integer(0),
        }
    }
}
