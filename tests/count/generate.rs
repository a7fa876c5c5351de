//! Random programs whose addresses do not depend on memory; nearly all of them are affine, or are so
//! piece by piece. Ranges of expressions are followed while a program is written, so that every access is inside.

use std::fmt::Write;

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// An expression's text and range.
#[derive(Clone)]
struct Ranged {
    text: String,
    low: i64,
    high: i64,
}

struct Generator {
    rng: ChaCha8Rng,
    /// Variables and scalars in scope.
    scope: Vec<Ranged>,
    names: usize,
    /// Words that each of the arrays a, b, c needs.
    extents: [i64; 3],
    body: String,
}

const ARRAYS: [&str; 3] = ["a", "b", "c"];

/// A program with parallel nests, alone and in sequential loops.
pub fn parallel(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    for item in 0..generator.rng.random_range(1..4) {
        if generator.rng.random_range(0..4) == 0 {
            writeln!(generator.body, "L{item}:").unwrap();
            generator.item(1);
        } else {
            generator.item(0);
        }
    }
    generator.finish()
}

/// A program without parallel loops.
pub fn sequential(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    for _ in 0..generator.rng.random_range(1..4) {
        let depth = generator.rng.random_range(1..4);
        generator.loops(0, depth, if depth == 1 { 200 } else { 7 });
    }
    generator.finish()
}

impl Generator {
    fn new(seed: u64) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(seed);
        Self { rng, scope: vec![], names: 0, extents: [1; 3], body: String::new() }
    }

    fn finish(self) -> String {
        let mut text = "algorithm affine()\n".to_owned();
        for (name, extent) in ARRAYS.iter().zip(self.extents) {
            writeln!(text, "inout {name}[{extent}] : f32").unwrap();
        }
        text + "\n" + &self.body
    }

    fn line(&mut self, indent: usize, text: &str) {
        writeln!(self.body, "{:width$}{text}", "", width = 2 * indent).unwrap();
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// A sum of some of the variables in scope.
    fn affine(&mut self) -> Ranged {
        let constant = self.rng.random_range(-5..60);
        let mut sum = Ranged { text: constant.to_string(), low: constant, high: constant };
        for index in 0..self.scope.len() {
            let variable = self.scope[index].clone();
            let slope = match self.rng.random_range(0..10) {
                0..3 => 0,
                3..6 => 1,
                6 => -1,
                7 => self.rng.random_range(-5..6),
                8 => self.rng.random_range(0..41),
                _ => 2_i64.pow(self.rng.random_range(0..6)),
            };
            if slope != 0 {
                write!(sum.text, " + {slope} × {}", variable.text).unwrap();
                let ends = [slope * variable.low, slope * variable.high];
                sum.low += ends[0].min(ends[1]);
                sum.high += ends[0].max(ends[1]);
            }
        }
        sum
    }

    /// An affine number, or what it is made of by remainders, quotients and bits.
    fn index(&mut self) -> Ranged {
        let mut number = self.affine();
        let nested = match self.rng.random_range(0..8) {
            0 => 2,
            1..4 => 1,
            _ => 0,
        };
        for _ in 0..nested {
            number = self.pieces(&number);
            if self.rng.random_range(0..2) == 0 {
                let more = self.affine();
                let (low, high) = (number.low + more.low, number.high + more.high);
                number = Ranged { text: format!("{} + {}", number.text, more.text), low, high };
            }
        }
        number
    }

    fn pieces(&mut self, number: &Ranged) -> Ranged {
        let &Ranged { ref text, low, high } = number;
        let any = self.rng.random_range(1..40);
        let power = 1_i64 << self.rng.random_range(0..7);
        let by = if self.rng.random_range(0..2) == 0 { any } else { power };
        let bits = by.ilog2();
        let (text, low, high) = match self.rng.random_range(0..12) {
            0..2 => (format!("(({text}) mod {by})"), 0, by - 1),
            2 => (format!("(({text}) mod -{by})"), 1 - by, 0),
            3 => (format!("(({text}) / {by})"), low.div_euclid(by), high.div_euclid(by)),
            4 => {
                let (low, high) = ((-high).div_euclid(by), (-low).div_euclid(by));
                (format!("(({text}) / -{by})"), low, high)
            }
            5 => (format!("(({text}) & {by})"), 0, by),
            6 => (format!("(({text}) & (0 - {power}))"), low - power, high),
            7 => (format!("(({text}) | {by})"), low, high + by),
            8 => (format!("(({text}) xor {by})"), low - by, high + by),
            9 => (format!("(({text}) >> {bits})"), low >> bits, high >> bits),
            10 => (format!("(({text}) >> {bits} << {bits})"), low - by, high),
            _ => {
                let text = format!("min(({text}) mod {by}, ({text}) / 2)");
                (text, low.div_euclid(2).min(0), by - 1)
            }
        };
        Ranged { text, low, high }
    }

    fn element(&mut self) -> String {
        let array = self.rng.random_range(0..3);
        let mut index = self.index();
        if self.rng.random_range(0..60) == 0 {
            // Not piecewise affine: has to be executed.
            let (a, by) = (self.affine(), self.rng.random_range(1..9));
            let text = format!("({}) × ({}) mod {by}", index.text, a.text);
            index = Ranged { text, low: 0, high: by };
        }
        let shift = (-index.low).max(0) + self.rng.random_range(0..3);
        self.extents[array] = self.extents[array].max(index.high + shift + 1);
        format!("{}[{} + {shift}]", ARRAYS[array], index.text)
    }

    fn store(&mut self) -> String {
        let target = self.element();
        let mut value = "1".to_owned();
        for _ in 0..self.rng.random_range(0..3) {
            value = format!("{value} + {}", self.element());
        }
        if self.rng.random_range(0..8) == 0 {
            let (condition, arm) = (self.condition(), self.element());
            value = format!("if {condition} then {arm} else {value}");
        }
        format!("{target} ← {value}")
    }

    fn condition(&mut self) -> String {
        let comparison = ["<", "≤", ">", "≥", "=", "≠"][self.rng.random_range(0..6)];
        let (left, right) = (self.index().text, self.affine().text);
        let right = match self.rng.random_range(0..4) {
            0 => self.rng.random_range(-3..9).to_string(),
            _ => right,
        };
        let one = format!("{left} {comparison} {right}");
        match self.rng.random_range(0..6) {
            0 => format!("not ({one})"),
            1 => format!("({one}) and {}", self.condition()),
            2 => format!("({one}) or {}", self.condition()),
            _ => one,
        }
    }

    /// A loop's header, with its variable brought into scope; at most about `most` iterations.
    fn header(&mut self, most: i64, parallel: bool) -> String {
        let from = self.rng.random_range(-3..6);
        let length = self.rng.random_range(-1..most);
        let fixed = |value: i64| Ranged { text: value.to_string(), low: value, high: value };
        let (mut low, mut high) = (fixed(from), fixed(from + length));
        if !self.scope.is_empty() {
            let outer = self.scope[self.rng.random_range(0..self.scope.len())].clone();
            let cut = from + self.rng.random_range(0..most.max(1));
            match self.rng.random_range(0..8) {
                0 => high = Self::plus(&outer, from),
                1 => {
                    let plus = Self::plus(&outer, from + length);
                    high = Self::least(&plus, &fixed(cut));
                }
                2 => low = Self::plus(&outer, from),
                3 => {
                    let text = format!("({} - {})", cut + outer.high.min(9), outer.text);
                    let base = cut + outer.high.min(9);
                    high = Ranged { text, low: base - outer.high, high: base - outer.low };
                }
                4 => {
                    let by = self.rng.random_range(1..4);
                    let text = format!("{} / {by}", outer.text);
                    let divide = |value: i64| value.div_euclid(by);
                    high = Ranged { text, low: divide(outer.low), high: divide(outer.high) };
                }
                5 => {
                    let most = most.min(12);
                    low = Self::plus(&outer, 0);
                    high = Self::plus(&outer, self.rng.random_range(0..most.max(1)));
                }
                _ => {}
            }
            // What a scalar holds may be large: a few such loops within each other never end.
            if high.high - low.low > 2 * most + 16 {
                (low, high) = (fixed(from), fixed(from + length));
            }
        }
        let step = if self.rng.random_range(0..6) == 0 { self.rng.random_range(1..4) } else { 1 };
        let downward = self.rng.random_range(0..5) == 0;
        let name = self.name();
        let range = Ranged { text: name.clone(), low: low.low, high: high.high.max(low.low) };
        self.scope.push(range);
        let (from, to, word) = if downward { (high, low, "downto") } else { (low, high, "to") };
        let mut text = format!("for {name} ← {} {word} {}", from.text, to.text);
        if step != 1 {
            write!(text, " step {step}").unwrap();
        }
        text + if parallel { " do in parallel" } else { " do" }
    }

    fn plus(outer: &Ranged, constant: i64) -> Ranged {
        let text = format!("({} + {constant})", outer.text);
        Ranged { text, low: outer.low + constant, high: outer.high + constant }
    }

    fn least(a: &Ranged, b: &Ranged) -> Ranged {
        let text = format!("min({}, {})", a.text, b.text);
        Ranged { text, low: a.low.min(b.low), high: a.high.min(b.high) }
    }

    /// A nest, or a sequential loop around nests, or a statement of thread 0.
    fn item(&mut self, indent: usize) {
        match self.rng.random_range(0..8) {
            0 => {
                let store = self.store();
                self.line(indent, &store);
            }
            1 | 2 => {
                let header = self.header(5, false);
                self.line(indent, &header);
                for _ in 0..self.rng.random_range(1..3) {
                    let depth = self.rng.random_range(1..3);
                    self.nest(indent + 1, depth, 9);
                }
                if self.rng.random_range(0..2) == 0 {
                    let store = self.store();
                    self.line(indent + 1, &store);
                }
                self.scope.pop();
            }
            3 => {
                let most = if self.rng.random_range(0..4) == 0 { 4000 } else { 400 };
                self.nest(indent, 1, most);
            }
            4 | 5 => self.nest(indent, 2, 70),
            6 => self.nest(indent, 2, 20),
            _ => self.nest(indent, 3, 8),
        }
    }

    fn nest(&mut self, mut indent: usize, depth: usize, most: i64) {
        let outer = self.scope.len();
        for _ in 0..depth {
            let header = self.header(most, true);
            self.line(indent, &header);
            indent += 1;
        }
        self.body(indent, 2);
        self.scope.truncate(outer);
    }

    /// The statements of an iteration.
    fn body(&mut self, indent: usize, deep: usize) {
        let outer = self.scope.len();
        for _ in 0..self.rng.random_range(1..3) {
            match self.rng.random_range(0..12) {
                0 if deep > 0 => {
                    let condition = self.condition();
                    self.line(indent, &format!("if {condition} then"));
                    self.body(indent + 1, deep - 1);
                    if self.rng.random_range(0..2) == 0 {
                        self.line(indent, "else");
                        self.body(indent + 1, deep - 1);
                    }
                }
                1 if deep > 0 => {
                    let header = self.header(4, false);
                    self.line(indent, &header);
                    self.body(indent + 1, deep - 1);
                    self.scope.pop();
                }
                2 => {
                    let (name, value) = (self.name(), self.index());
                    self.line(indent, &format!("{name} ← {}", value.text));
                    self.scope.push(Ranged { text: name, ..value });
                }
                _ => {}
            }
            let store = self.store();
            self.line(indent, &store);
        }
        self.scope.truncate(outer);
    }

    fn loops(&mut self, indent: usize, depth: usize, most: i64) {
        let header = self.header(most, false);
        self.line(indent, &header);
        if depth > 1 {
            self.loops(indent + 1, depth - 1, most);
        }
        self.body(indent + 1, 1);
        self.scope.pop();
    }
}
