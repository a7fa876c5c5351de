//! Random listings over parameters n and m: loops whose ends depend on others, symbolic steps, nests,
//! conditions, loops that halve, double and count, addresses that depend on data, loops on DMMs.

use chacha20::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// One of them. Its addresses stay inside its arrays, whatever n.
pub fn listing(seed: u64) -> String {
    let mut writer = Writer::new(seed);
    for _ in 0..writer.rng.random_range(1..3) {
        writer.statement(0, 0, false);
    }
    writer.text
}

/// One that has all that is said above but loops on DMMs: with nests, or without any for a bulk run.
pub fn with_all(seed: u64, is_sequential: bool) -> String {
    let mut writer = Writer { has_all: true, ..Writer::new(seed) };
    writer.text = "algorithm random(n, m)\ninput a[10 × (n+9) × (n+9)] : f32\n\
                   input p[n + 9] : i32 from random(0, 7)\n\
                   output b[10 × (n+9) × (n+9)] : f32\n\n"
        .to_owned();
    for _ in 0..writer.rng.random_range(1..3) {
        writer.statement(0, 0, is_sequential);
    }
    writer.text
}

/// One with loops on DMMs.
pub fn on_dmms(seed: u64) -> String {
    let mut writer = Writer::new(seed);
    for _ in 0..writer.rng.random_range(1..3) {
        if writer.rng.random_range(0..3) == 0 {
            let head = writer.head(false);
            writer.line(0, &head);
            writer.blocks(1);
            writer.variables.clear();
        } else {
            writer.blocks(0);
        }
    }
    writer.text
}

struct Writer {
    rng: ChaCha8Rng,
    text: String,
    /// In scope; none is more than 4n + 20.
    variables: Vec<String>,
    names: usize,
    in_blocks: bool,
    /// Whether there is a parameter m, and an array p of places, and whatever uses them.
    has_all: bool,
}

impl Writer {
    fn new(seed: u64) -> Self {
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            text: "algorithm random(n)\ninput a[1000 × (n+9) × (n+9)] : f32\n\
                   output b[1000 × (n+9) × (n+9)] : f32\n\n"
                .to_owned(),
            variables: vec![],
            names: 0,
            in_blocks: false,
            has_all: false,
        }
    }

    fn blocks(&mut self, indent: usize) {
        let kept = self.variables.len();
        let loops = self.rng.random_range(1..3);
        for inner in 0..loops {
            let mut head = self.head(true) + " on DMMs";
            if inner + 1 == loops {
                let threads =
                    ["1", "3", "8", "n", "n + 2", "2×n"].choose(&mut self.rng).unwrap_or(&"1");
                head += &format!(" with {threads} threads");
            }
            self.line(indent + inner, &head);
        }
        self.line(indent + loops, "shared s[1000 × (n+9) × (n+9)] : f32");
        self.in_blocks = true;
        self.body(indent + loops, 1, false);
        self.in_blocks = false;
        self.variables.truncate(kept);
    }

    fn line(&mut self, indent: usize, line: &str) {
        self.text += &format!("{}{line}\n", "  ".repeat(indent));
    }

    fn variable(&mut self) -> Option<String> {
        self.variables.choose(&mut self.rng).cloned()
    }

    fn end(&mut self) -> String {
        let less = self.rng.random_range(0..4);
        let own = self.variable();
        match (self.rng.random_range(0..8), own) {
            (0, Some(v)) => format!("{v} + {less}"),
            (1, Some(v)) => format!("min(n - {less}, {v} + 2)"),
            (2, Some(v)) => format!("min(n-1, 2×{v} + {less})"),
            (7, Some(v)) if self.in_blocks => format!("min({}, n + 3 - {v}) - 1", less + 3),
            (3, Some(v)) => format!("n - {v}"),
            (4, _) => format!("n/2 - {less}"),
            (5, _) => format!("{}", less + 2),
            (6, _) => format!("(n-1)/{}", less + 1),
            _ => format!("n - {less}"),
        }
    }

    fn start(&mut self) -> String {
        let own = self.variable();
        match (self.rng.random_range(0..5), own) {
            (0, Some(v)) => v,
            (1, Some(v)) => format!("max(1, {v} - 2)"),
            (2, _) => "1".to_owned(),
            _ => "0".to_owned(),
        }
    }

    fn head(&mut self, parallel: bool) -> String {
        let (start, end) = (self.start(), self.end());
        self.names += 1;
        let name = format!("v{}", self.names);
        let steps = ["", "", "", " step 2", " step 3", " step m", " step 2×m", " step m×m"];
        let steps = if self.has_all { &steps[2..] } else { &steps[..5] };
        let step = steps.choose(&mut self.rng).unwrap_or(&"");
        let suffix = if parallel { " in parallel" } else { "" };
        let head = if !parallel && self.rng.random_range(0..6) == 0 {
            format!("for {name} ← {end} downto {start}{step} do")
        } else {
            format!("for {name} ← {start} to {end}{step} do{suffix}")
        };
        self.variables.push(name);
        head
    }

    fn index(&mut self) -> String {
        let mut sum = self.rng.random_range(0..3).to_string();
        for _ in 0..self.rng.random_range(0..3) {
            let Some(v) = self.variable() else { break };
            let factor = ["", "", "2×", "n×", "(n+1)×"].choose(&mut self.rng).unwrap_or(&"");
            sum += &format!(" + {factor}{v}");
        }
        if self.rng.random_range(0..8) == 0 {
            sum = format!("({sum}) mod n");
        }
        if self.has_all && self.rng.random_range(0..5) == 0 {
            let factor = ["", "8×", "m×"].choose(&mut self.rng).unwrap_or(&"");
            sum = format!("{factor}p[({sum}) mod (n + 9)]");
        }
        sum
    }

    fn access(&mut self, indent: usize) {
        let (from, to) = (self.index(), self.index());
        let mut array =
            |global| if self.in_blocks && self.rng.random_bool(0.5) { "s" } else { global };
        let (source, target) = (array("a"), array("b"));
        let read = if self.rng.random_range(0..3) == 0 {
            "1".to_owned()
        } else {
            format!("{source}[{from}]")
        };
        self.line(indent, &format!("{target}[{to}] ← {read}"));
    }

    /// A `while` loop in which a number halves, doubles or counts, from where a variable is or not.
    fn repetitions(&mut self, indent: usize, deep: usize, in_nest: bool) {
        self.names += 1;
        let name = format!("h{}", self.names);
        let from = match (self.rng.random_range(0..3), self.variable()) {
            (0, Some(v)) => format!("{v} + {}", self.rng.random_range(0..3)),
            (1, _) => "n".to_owned(),
            _ => "1".to_owned(),
        };
        let (condition, next) = [
            ("h > 1", "h/2"),
            ("h > 1", "(h+1)/2"),
            ("h ≥ 3", "h/2"),
            ("h < n", "2×h"),
            ("h ≤ n", "2×h"),
            ("h > 0", "h - 1"),
            ("h > 2", "h - 1"),
            ("h < n", "h + 1"),
            ("h < 2×n", "h + 3"),
            ("h < n and p[h] < 5", "h + 1"),
            ("h < p[3]", "h + 1"),
        ]
        .choose(&mut self.rng)
        .copied()
        .unwrap_or_default();
        // What doubles begins at 1 at least.
        let from = if next == "2×h" && from.ends_with("+ 0") { "1".to_owned() } else { from };
        self.line(indent, &format!("{name} ← {from}"));
        self.line(indent, &format!("while {} do", condition.replace('h', &name)));
        self.variables.push(name.clone());
        self.body(indent + 1, deep + 1, in_nest);
        self.variables.pop();
        self.line(indent + 1, &format!("{name} ← {}", next.replace('h', &name)));
    }

    fn statement(&mut self, indent: usize, deep: usize, in_nest: bool) {
        let kept = self.variables.len();
        match self.rng.random_range(0..10) {
            2 if deep < 2 && self.has_all => self.repetitions(indent, deep, in_nest),
            0 | 1 if deep < 3 => {
                let head = self.head(false);
                self.line(indent, &head);
                self.body(indent + 1, deep + 1, in_nest);
            }
            2 if deep < 2 && !in_nest => {
                self.names += 1;
                let name = format!("h{}", self.names);
                let half = if self.rng.random_bool(0.5) {
                    format!("({name}+1)/2")
                } else {
                    format!("{name}/2")
                };
                self.line(indent, &format!("{name} ← n"));
                self.line(indent, &format!("while {name} > 1 do"));
                self.variables.push(name.clone());
                self.body(indent + 1, deep + 1, in_nest);
                self.variables.truncate(kept);
                self.line(indent + 1, &format!("{name} ← {half}"));
            }
            3 if deep < 3 && kept > 0 => {
                let v = self.variable().unwrap_or_default();
                let condition = [
                    format!("{v} mod 2 = 0"),
                    format!("{v} < n/2"),
                    format!("{v} ≥ 2 and {v} + 1 < n"),
                    "n mod 2 = 1".to_owned(),
                    format!("a[{v}] > 0.5"),
                    format!("p[{v} mod n] < m"),
                    format!("{v} ≠ m"),
                    format!("{v} ≠ m and {v} ≠ n - 1"),
                    format!("{v} = 1 or {v} > m"),
                ];
                let condition = if self.has_all { &condition[..] } else { &condition[..5] };
                let condition = condition.choose(&mut self.rng).cloned().unwrap_or_default();
                self.line(indent, &format!("if {condition} then"));
                self.body(indent + 1, deep + 1, in_nest);
            }
            4..=7 if !in_nest => {
                for inner in 0..self.rng.random_range(1..4) {
                    let head = self.head(true);
                    self.line(indent + inner, &head);
                    if inner == 2 || self.rng.random_bool(0.4) {
                        self.body(indent + inner + 1, deep + 1, true);
                        self.variables.truncate(kept);
                        return;
                    }
                }
                let depth = self.variables.len() - kept;
                self.body(indent + depth, deep + 1, true);
            }
            _ => self.access(indent),
        }
        self.variables.truncate(kept);
    }

    fn body(&mut self, indent: usize, deep: usize, in_nest: bool) {
        for _ in 0..self.rng.random_range(1..3) {
            self.statement(indent, deep, in_nest);
        }
    }
}
