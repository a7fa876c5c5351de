//! Random programs: loops over affine ranges, arrays at affine places, scalars, sums, scans, minima.

use std::fmt::Write as _;

use chacha20::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// Of every type that numbers have.
const TYPES: [&str; 10] = ["i32", "f32", "u8", "i64", "f64", "u32", "i8", "i16", "u16", "u64"];

/// Writes a random program. Arrays are `a`, `c` of `2 × n + 1` rows of n, `b` of `2 × n + 1`, `w` of n × n.
struct Generator {
    random: ChaCha8Rng,
    text: String,
    element: &'static str,
    names: usize,
}

/// A loop's variable, and by how much it stays away from the first and the last index.
type Variables = Vec<(String, i64)>;

impl Generator {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of.choose(&mut self.random).copied().unwrap_or_default()
    }

    fn index(&mut self, variables: &Variables) -> String {
        let Some((name, room)) = variables.choose(&mut self.random).cloned() else {
            return self.pick(&["0", "n-1", "n/2"]).to_owned();
        };
        match self.random.random_range(0..7) {
            0 => format!("n-1 - {name}"),
            1 if room > 0 => format!("{name} - 1"),
            2 if room > 0 => format!("{name} + 1"),
            3 => self.pick(&["0", "n-1"]).to_owned(),
            _ => name,
        }
    }

    /// An index up to `2 × n`.
    fn long_index(&mut self, variables: &Variables) -> String {
        let one = self.index(variables);
        match self.random.random_range(0..10) {
            0 => format!("2 × ({one})"),
            1 => format!("2 × ({one}) + 1"),
            2 => format!("{one} + {}", self.index(variables)),
            _ => one,
        }
    }

    /// `c` is given, and never written.
    fn cell(&mut self, variables: &Variables) -> String {
        self.of(&["a", "b", "c", "w"], variables)
    }

    fn target(&mut self, variables: &Variables) -> String {
        self.of(&["a", "a", "b", "w"], variables)
    }

    fn of(&mut self, arrays: &[&str], variables: &Variables) -> String {
        let array = self.pick(arrays).to_owned();
        let one = match &*array {
            "w" => self.index(variables),
            _ => self.long_index(variables),
        };
        let other = self.index(variables);
        if array == "b" { format!("b[{one}]") } else { format!("{array}[{one}, {other}]") }
    }

    fn value(&mut self, variables: &Variables, scalars: &[&str]) -> String {
        let mut value = self.cell(variables);
        for _ in 0..self.random.random_range(0..3) {
            let scalar = self.pick(scalars).to_owned();
            let other = if scalar.is_empty() || self.random.random_bool(0.6) {
                self.cell(variables)
            } else {
                scalar
            };
            value = match self.random.random_range(0..4) {
                0 => format!("{value} + {other}"),
                1 => format!("{value} × {other}"),
                2 => format!("max({value}, {other})"),
                _ => format!("min({value}, {other})"),
            };
        }
        value
    }

    fn block(&mut self, depth: usize, variables: &mut Variables, scalars: &[&str]) {
        let indent = "  ".repeat(depth);
        for _ in 0..self.random.random_range(1..3_usize) {
            let is_loop = depth < 3 && self.random.random_bool([1.0, 0.7, 0.4][depth]);
            if !is_loop {
                self.statement(&indent, variables, scalars);
                continue;
            }
            let name = self.name("i");
            let triangular = variables.last().map(|it| it.0.clone());
            let (from, to, room) = match (self.random.random_range(0..6), triangular) {
                (0, Some(outer)) => (outer, "n-1".to_owned(), 0),
                (1, Some(outer)) => ("0".to_owned(), outer, 0),
                (2 | 3, _) => ("1".to_owned(), "n-2".to_owned(), 1),
                _ => ("0".to_owned(), "n-1".to_owned(), 0),
            };
            let range = match self.random.random_range(0..20) {
                0..4 => format!("{to} downto {from}"),
                4 => format!("{from} to {to} step 2"),
                _ => format!("{from} to {to}"),
            };
            let _ = writeln!(self.text, "{indent}for {name} ← {range} do");
            variables.push((name, room));
            match self.random.random_range(0..8) {
                0 | 1 if depth < 2 => self.sum(&indent, variables),
                2 if depth < 2 => self.scan(&indent, variables),
                _ => self.block(depth + 1, variables, scalars),
            }
            variables.pop();
        }
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names - 1)
    }

    /// A sum or a maximum in a scalar, as listings have it.
    fn sum(&mut self, indent: &str, variables: &Variables) {
        let (value, cell) = (self.value(variables, &[]), self.target(variables));
        let (element, inner) = (self.element, self.name("k"));
        let _ = writeln!(self.text, "{indent}  s ← {element}(0)");
        let _ = writeln!(self.text, "{indent}  for {inner} ← 0 to n-1 do");
        let mut all = variables.clone();
        all.push((inner, 0));
        let more = self.value(&all, &[]);
        let _ = match self.random.random_bool(0.8) {
            true => writeln!(self.text, "{indent}    s ← s + {more}"),
            false => writeln!(self.text, "{indent}    s ← max(s, {more})"),
        };
        let _ = writeln!(self.text, "{indent}  {cell} ← s + {value}");
    }

    /// Every partial sum is stored.
    fn scan(&mut self, indent: &str, variables: &Variables) {
        let (element, inner) = (self.element, self.name("k"));
        let array = self.pick(&["b", "w", "a"]);
        let _ = writeln!(self.text, "{indent}  r ← {element}(0)");
        let _ = writeln!(self.text, "{indent}  for {inner} ← 0 to n-1 do");
        let mut all = variables.clone();
        all.push((inner.clone(), 0));
        let more = self.value(&all, &[]);
        let _ = writeln!(self.text, "{indent}    r ← r + {more}");
        let cell = match array {
            "b" => format!("b[{inner}]"),
            _ => format!("{array}[{}, {inner}]", self.index(variables)),
        };
        let _ = writeln!(self.text, "{indent}    {cell} ← r");
    }

    fn statement(&mut self, indent: &str, variables: &Variables, scalars: &[&str]) {
        let (cell, value) = (self.target(variables), self.value(variables, scalars));
        match self.random.random_range(0..8) {
            0 => {
                let next = self.cell(variables);
                let _ = writeln!(self.text, "{indent}r ← {value}");
                let _ = writeln!(self.text, "{indent}{cell} ← r + {next}");
            }
            1 => {
                let test = self.cell(variables);
                let _ = writeln!(self.text, "{indent}if {test} > 3 then {cell} ← {value}");
            }
            2 if variables.len() > 1 => {
                let (one, other) = (&variables[0].0, &variables[1].0);
                let op = self.pick(&["<", "≤", "≠", "="]);
                let (one, other) = (one.clone(), other.clone());
                let _ = writeln!(self.text, "{indent}if {one} {op} {other} then {cell} ← {value}");
            }
            4 => {
                let (name, index) = (self.name("x"), self.index(variables));
                let _ = writeln!(self.text, "{indent}{name} ← {index}");
                let mut all = variables.clone();
                all.push((name.clone(), 0));
                let value = self.value(&all, scalars);
                let _ = writeln!(self.text, "{indent}b[{name}] ← {value}");
            }
            3 => {
                let op = self.pick(&["min", "max"]);
                let _ = writeln!(self.text, "{indent}{cell} ← {op}({cell}, {value})");
            }
            _ => {
                let _ = writeln!(self.text, "{indent}{cell} ← {value}");
            }
        }
    }

    /// Shortest paths, or another closure.
    fn closure(&mut self) {
        let op = self.pick(&["+", "×"]);
        let by = self.pick(&["min", "max"]);
        let _ = writeln!(
            self.text,
            "for k ← 0 to n-1 do\n  for i ← 0 to n-1 do\n    for j ← 0 to n-1 do\n      \
             if i ≠ k and j ≠ k then w[i, j] ← {by}(w[i, j], w[i, k] {op} w[k, j])"
        );
        let _ = writeln!(
            self.text,
            "for i ← 0 to n-1 do\n  for j ← 0 to n-1 do\n    a[i, j] ← w[i, j]"
        );
    }

    /// Steps in time, each from one plane of an array to the other.
    fn stencil(&mut self) {
        let steps = self.random.random_range(0..12);
        let read = |it: &mut Self| {
            let places = ["i", "j"].map(|name| match it.random.random_range(-2..3_i32) {
                by if by < 0 => format!("{name} - {}", -by),
                by => format!("{name} + {by}"),
            });
            format!("u[(s-1) mod 2, {}, {}]", places[0], places[1])
        };
        let mut value = read(self);
        for _ in 0..self.random.random_range(1..4) {
            let other =
                if self.random.random_bool(0.8) { read(self) } else { "c[i, j]".to_owned() };
            value = match self.random.random_range(0..3) {
                0 => format!("{value} + {other}"),
                1 => format!("{value} × {other}"),
                _ => format!("min({value}, {other})"),
            };
        }
        let (first, last) = (self.random.random_range(2..4), self.random.random_range(3..5));
        let _ = writeln!(
            self.text,
            "for s ← 1 to {steps} do\n  for i ← {first} to n-{last} do\n    for j ← 2 to n-3 do\n      \
             r ← {value}\n      u[s mod 2, i, j] ← r"
        );
    }
}

/// Every so many programs one has steps in time.
const STENCILS: u64 = 24;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let element = TYPES.choose(&mut random).copied().unwrap_or("i32");
    let has_steps = seed % STENCILS == 7;
    let planes = match has_steps {
        true => format!("inout u[2, n, n] : {element}\n"),
        false => String::new(),
    };
    let text = format!(
        "algorithm random(n)\ninout a[2*n + 1, n] : {element}\ninout b[2*n + 1] : {element}\n\
         input c[2*n + 1, n] : {element}\nwork w[n, n] : {element}\n{planes}\n\
         for x ← 0 to n-1 do\n  for y ← 0 to n-1 do\n    w[x, y] ← c[y, x]\n"
    );
    let mut generator = Generator { random, text, element, names: 0 };
    if has_steps {
        generator.stencil();
    } else if generator.random.random_bool(0.03) {
        generator.closure();
    } else {
        generator.block(0, &mut vec![], &[]);
    }
    generator.text
}
