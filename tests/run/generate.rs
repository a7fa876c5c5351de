//! Random listings that are well-formed and mostly run to their end. Every choice is the next byte
//! of a list, so that proptest can shrink a listing by shrinking the list; when it is used up, the
//! first alternative is taken.

mod expressions;

use std::fmt::Write;

use super::choices::Choices;

pub const DECLARATIONS: &str = "\
algorithm random(n, m)
inout a[n] : f32
inout b[n, m] : i32
input x[n] : i64
work c[2, n, 3] : f64
output u[n + 1] : u32
inout q[n] : bool
inout d[n] : u8
inout f[n] : i16
output e[m, 2, m, 2] : i64
constant K[5] : i64 = 3, -1, 4, 0x10, 5
constant half = n / 2
procedure total(z[k], by) → s
  s ← by
  for j ← 0 to k-1 do
    s ← s + z[j]
    if s > 40 then break
procedure first(z[k], by) → p
  p ← k
  for j ← 0 to k-1 do
    for h ← 0 to 1 do
      if z[j] > by + h then return j + h
      if z[j] = by then return
  z0 ← z[0]
  if z0 > 3 then
    return -1
  p ← p + 1
procedure put(z[k], by)
  z[by mod k] ← by mod 9
function twice(y) = y + y
function pick(y, z) = if y < z then twice(y) else z
";

pub struct Generator<'a> {
    choices: Choices<'a>,
    text: String,
    depth: usize,
    /// Variables of the loops around.
    variables: Vec<String>,
    /// Scalars that may be assigned here.
    assignable: Vec<&'static str>,
    in_nest: bool,
    /// The array of registers that is known here.
    register: Option<&'static str>,
    /// Parallel loops may be generated.
    parallel: bool,
    loops: usize,
    counters: usize,
}

const SCALARS: &[&str] = &["k0", "k1", "r0", "r1", "t0"];

/// A whole listing.
pub fn listing(bytes: &[u8], parallel: bool) -> String {
    let mut it = Generator {
        choices: Choices::new(bytes),
        text: DECLARATIONS.to_owned(),
        depth: 0,
        variables: vec![],
        assignable: SCALARS.to_vec(),
        in_nest: false,
        register: None,
        parallel,
        loops: 0,
        counters: 0,
    };
    if !parallel {
        it.text += "register y[m + 1] : i64\n";
        it.register = Some("y");
    }
    it.text += "\nk0 ← 1\nk1 ← m\nr0 ← 0.5\nr1 ← 2\nt0 ← true\n";
    // Arrays without values at first are filled, now and then not.
    for (name, loops, value) in [
        (
            "c[g, h, i]",
            "for g ← 0 to 1 do\n  for h ← 0 to n-1 do\n    for i ← 0 to 2 do\n",
            "g + h",
        ),
        ("u[g]", "for g ← 0 to n do\n", "g"),
        (
            "e[g / 2, g mod 2, h / 2, h mod 2]",
            "for g ← 0 to 2 × m - 1 do\n  for h ← 0 to 2 × m - 1 do\n",
            "g × h",
        ),
    ] {
        if it.choices.below(16) != 15 {
            let parallel = it.parallel && it.choices.below(2) == 1;
            it.text += &loops.replace("do\n", if parallel { "do in parallel\n" } else { "do\n" });
            it.text += &format!("      {name} ← {value}\n");
        }
    }
    if it.register.is_some() && it.choices.below(16) != 15 {
        it.text += "for g ← 0 to m do y[g] ← 3 × g\n";
    }
    it.block(4);
    while !it.choices.exhausted() {
        it.block(3);
    }
    it.text
}

impl Generator<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.depth);
    }

    fn block(&mut self, most: usize) {
        for _ in 0..=self.choices.below(most) {
            self.statement();
        }
    }

    fn deeper(&mut self, most: usize) {
        self.depth += 1;
        self.block(most);
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let nests = self.parallel && !self.in_nest && self.loops < 2;
        match self.choices.below(if self.depth > 4 { 5 } else { 12 }) {
            0..=2 => self.store(),
            3 | 4 if self.assignable.is_empty() => self.store(),
            3 | 4 => self.assign(),
            5 | 6 => self.branch(),
            7 if self.loops < 3 => self.sequential(),
            8 if self.loops < 3 => self.repeat(),
            9 if !self.in_nest => {
                let name = format!("L{}:", self.choices.below(3));
                self.line(&name);
                self.deeper(2);
            }
            7..=11 if nests => self.nest(),
            10 if self.loops < 3 => self.sequential(),
            _ => self.store(),
        }
    }

    fn store(&mut self) {
        let (array, value) = match self.choices.below(11) {
            10 if let Some(register) = self.register => (register, self.integer(2)),
            0 | 1 => ("a", format!("f32({})", self.float(2))),
            2 => ("b", format!("({}) mod 1000", self.integer(2))),
            3 => ("c", self.float(2)),
            4 => ("u", format!("({}) mod 50", self.integer(2))),
            5 => ("q", self.boolean(2)),
            6 => ("e", self.integer(2)),
            8 => ("d", self.narrow("u8", 0xFF, 1)),
            9 => ("f", self.narrow("i16", 0x7FFF, 1)),
            _ => ("b", format!("i32(({}) mod 9) × {}", self.integer(1), self.element("b"))),
        };
        let element = self.element(array);
        self.line(&format!("{element} ← {value}"));
    }

    fn assign(&mut self) {
        let index = self.choices.below(self.assignable.len());
        let name = self.assignable[index];
        let value = self.scalar_value(name);
        match self.choices.below(8) {
            6 => {
                let (element, other) = (self.element("b"), self.integer(1));
                self.line(&format!("{name}, {element} ← {value}, i32(({other}) mod 100)"));
            }
            5 if name.starts_with('k') => {
                let (row, by) = (self.integer(1), self.integer(1));
                self.line(&format!("put(b[({row}) mod n, 0 .. m-1], {by})"));
                let by = self.integer(1);
                let of = self.choices.of(&["x", "x[0 .. n-1]", "b[0 .. n-1, k0 mod m]"]);
                let call = self.choices.of(&["total", "first"]);
                self.line(&format!("{name} ← {call}({of}, {by})"));
            }
            7 => {
                let (left, right) = (self.element("b"), self.element("b"));
                self.line(&format!("{left} ↔ {right}"));
            }
            _ => self.line(&format!("{name} ← {value}")),
        }
    }

    fn scalar_value(&mut self, name: &str) -> String {
        match &name[..1] {
            "k" => self.integer(2),
            "r" => self.float(2),
            _ => self.boolean(2),
        }
    }

    fn branch(&mut self) {
        let condition = self.boolean(2);
        self.line(&format!("if {condition} then"));
        self.deeper(2);
        if self.choices.below(2) == 1 {
            self.line("else");
            self.deeper(2);
        }
    }

    /// `from to to` of few iterations; inside a nest bounds may differ from thread to thread.
    fn range(&mut self, arrays: bool) -> String {
        let small = |it: &mut Self| {
            let variable = it.variables.last().cloned();
            match it.choices.below(6) {
                0 => "0".to_owned(),
                1 => "n-1".to_owned(),
                2 => variable.unwrap_or_else(|| "1".to_owned()),
                3 => "k0 mod 4".to_owned(),
                4 if arrays => format!("{} mod 4", it.element("x")),
                _ => format!("{}", it.choices.below(5)),
            }
        };
        let step = match self.choices.below(5) {
            0 => " step 2".to_owned(),
            1 if arrays => format!(" step {} mod 2 + 1", self.element("x")),
            _ => String::new(),
        };
        let (low, high) = (small(self), small(self));
        let (direction, low, high) = match self.choices.below(4) {
            0 => ("downto", high, low),
            1 => ("to", "0".to_owned(), format!("{high} + 1")),
            _ => ("to", low, high),
        };
        format!("{low} {direction} {high}{step}")
    }

    fn open(&mut self, arrays: bool, after: &str) {
        let range = self.range(arrays);
        let variable = format!("v{}", self.variables.len());
        self.line(&format!("for {variable} ← {range} do{after}"));
        self.variables.push(variable);
    }

    fn sequential(&mut self) {
        self.open(true, "");
        self.loops += 1;
        self.may_break();
        self.deeper(3);
        self.loops -= 1;
        self.variables.pop();
    }

    /// At the head of a loop's body.
    fn may_break(&mut self) {
        if self.choices.below(4) == 3 {
            let condition = self.boolean(2);
            self.depth += 1;
            self.line(&format!("if {condition} then break"));
            self.depth -= 1;
        }
    }

    fn repeat(&mut self) {
        let counter = format!("g{}", self.counters);
        self.counters += 1;
        let start = self.integer(1);
        self.line(&format!("{counter} ← ({start}) mod 4"));
        let more = if self.choices.below(2) == 1 {
            format!(" and {}", self.boolean(1))
        } else {
            String::new()
        };
        let is_while = self.choices.below(3) < 2;
        match is_while {
            true => self.line(&format!("while {counter} > 0{more} do")),
            false => self.line("repeat"),
        }
        self.loops += 1;
        self.may_break();
        self.deeper(2);
        self.loops -= 1;
        self.depth += 1;
        self.line(&format!("{counter} ← {counter} - 1"));
        self.depth -= 1;
        if !is_while {
            self.line(&format!("until {counter} < 1"));
        }
    }

    fn nest(&mut self) {
        let outer = (self.depth, self.variables.clone(), self.assignable.clone(), self.register);
        let dimensions = 1 + self.choices.below(3);
        for dimension in 0..dimensions {
            self.open(dimension == 0, " in parallel");
            self.depth += 1;
        }
        self.in_nest = true;
        self.loops += 1;
        self.register = (self.choices.below(3) == 2).then_some("z");
        if self.register.is_some() {
            self.line("register z[2, 2] : i64");
            if self.choices.below(16) != 15 {
                self.line("z[0, 0], z[0, 1], z[1, 0], z[1, 1] ← 2, n, 1, m");
            }
        }
        // What the body assigns is private: assigned first, from what is not.
        let all = self.assignable.clone();
        let private: Vec<_> = all.iter().copied().filter(|_| self.choices.below(3) == 2).collect();
        self.assignable = vec![];
        for &name in &private {
            let value = match &name[..1] {
                "k" => format!("v{} + n", self.variables.len() - 1),
                "r" => "0.25".to_owned(),
                _ => "false".to_owned(),
            };
            self.line(&format!("{name} ← {value}"));
        }
        self.assignable = private;
        self.block(4);
        self.loops -= 1;
        self.in_nest = false;
        (self.depth, self.variables, self.assignable, self.register) = outer;
    }
}
