//! Expressions of random listings.

use super::Generator;

/// Arrays by kind of number, with the number of their dimensions' extents as written.
const FLOATS: &[(&str, &[&str])] = &[("a", &["n"]), ("c", &["2", "n", "3"])];
const INTEGERS: &[(&str, &[&str])] = &[
    ("x", &["n"]),
    ("b", &["n", "m"]),
    ("u", &["n + 1"]),
    ("e", &["m", "2", "m", "2"]),
    ("d", &["n"]),
    ("f", &["n"]),
];
/// Arrays of registers: of a program in turn, and of a nest.
const REGISTERS: &[(&str, &[&str])] = &[("y", &["m + 1"]), ("z", &["2", "2"])];
const BOOLEANS: &[(&str, &[&str])] = &[("q", &["n"])];

impl Generator<'_> {
    /// An element whose indices are made to fit, most of the time.
    pub(super) fn element(&mut self, array: &str) -> String {
        let (_, extents) = *FLOATS
            .iter()
            .chain(INTEGERS)
            .chain(BOOLEANS)
            .chain(REGISTERS)
            .find(|(name, _)| *name == array)
            .unwrap_or(&FLOATS[0]);
        let indices: Vec<String> = extents
            .iter()
            .map(|extent| {
                let index = match self.choices.below(3) {
                    0 => self.variable(),
                    1 => format!("{} + {}", self.variable(), self.choices.below(3)),
                    _ => self.integer(1),
                };
                if self.choices.below(200) == 199 {
                    index
                } else {
                    format!("({index}) mod ({extent})")
                }
            })
            .collect();
        format!("{array}[{}]", indices.join(", "))
    }

    pub(super) fn variable(&mut self) -> String {
        let index = self.choices.below(self.variables.len() + 1);
        self.variables.get(index).cloned().unwrap_or_else(|| "k0".to_owned())
    }

    pub(super) fn integer(&mut self, depth: usize) -> String {
        if depth == 0 || self.choices.exhausted() {
            return match self.choices.below(6) {
                0 => format!("{}", self.choices.below(7)),
                1 => self.choices.of(&["n", "m"]).to_owned(),
                2 => self.choices.of(&["k0", "k1"]).to_owned(),
                _ => self.variable(),
            };
        }
        let d = depth - 1;
        match self.choices.below(18) {
            17 if let Some(register) = self.register => self.element(register),
            0..=2 => {
                let array = self.choices.of(&["x", "b", "u", "e", "d", "f"]);
                let element = self.element(array);
                // A negative literal beside a u32 would be refused, a large one beside fewer bits.
                if matches!(array, "u" | "d" | "f") { format!("i64({element})") } else { element }
            }
            3..=5 => {
                let sign = self.choices.of(&["+", "-", "×", "&", "|", "xor"]);
                format!("({} {sign} {})", self.integer(d), self.integer(d))
            }
            6 => {
                let (sign, by) =
                    (self.choices.of(&["/", "mod"]), self.choices.of(&["3", "(-2)", "m"]));
                format!("{} {sign} {by}", self.integer(d))
            }
            7 => {
                let call = self.choices.of(&["min", "max", "pick"]);
                format!("{call}({}, {})", self.integer(d), self.integer(d))
            }
            8 => {
                let sign = self.choices.of(&["<<", ">>"]);
                let by = match self.choices.below(3) {
                    0 => self.choices.below(5).to_string(),
                    1 => self.choices.of(&["31", "32", "63", "64", "100", "(-1)"]).to_owned(),
                    _ => self.integer(d),
                };
                format!("({} {sign} {by})", self.integer(d))
            }
            9 => format!("{}({})", self.choices.of(&["-", "~", "abs", "twice"]), self.integer(d)),
            10 => format!(
                "(if {} then {} else {})",
                self.boolean(d),
                self.integer(d),
                self.integer(d)
            ),
            11 => format!("i64({})", self.float(d)),
            12 => {
                let call = self.choices.of(&["rotl", "rotr", "mulhi", "K"]);
                match call {
                    "K" => format!("K[({}) mod 5] + half", self.integer(d)),
                    _ => format!("{call}({}, {})", self.integer(d), self.integer(d)),
                }
            }
            13 => match self.choices.below(5) {
                0 => format!("popcount({})", self.integer(d)),
                1 => format!("clz({})", self.integer(d)),
                2 => format!("⌊{}⌋", self.float(d)),
                3 => format!("⌈{}⌉", self.float(d)),
                _ => format!("({})^{}", self.integer(d), self.choices.below(5)),
            },
            14 => {
                let sign = self.choices.of(&["+", "-", "×", "/", "mod", "<<", ">>", "xor"]);
                let (x, y) = (self.integer(d), self.integer(d));
                format!("i64((u64(i64({x}) & 0xFFFF_FFFF) {sign} u64(i64({y}) & 0xFFFF)) & 1023)")
            }
            15 => {
                let (element, mask) = self.choices.of(&[
                    ("u8", 0xFF),
                    ("i8", 0x7F),
                    ("u16", 0xFFFF),
                    ("i16", 0x7FFF),
                ]);
                format!("i64({})", self.narrow(element, mask, d))
            }
            _ => self.integer(0),
        }
    }

    /// Of a type of 8 or 16 bits, which holds what the mask lets through.
    pub(super) fn narrow(&mut self, element: &str, mask: i64, depth: usize) -> String {
        let value = |it: &mut Self| format!("{element}(i64({}) & {mask})", it.integer(depth));
        let (x, y) = (value(self), value(self));
        let call = self.choices.of(&["rotl", "rotr", "mulhi", "min", "max", "pick"]);
        let sign = self.choices.of(&["+", "-", "×", "/", "mod", "<<", ">>", "xor", "&", "|"]);
        let function = self.choices.of(&["-", "~", "abs", "twice", "popcount", "clz"]);
        match self.choices.below(5) {
            0 => format!("{call}({x}, {y})"),
            1 => format!("{function}({x})"),
            2 => format!("{element}({})", self.float(depth)),
            3 => format!("({x} {sign} {y})"),
            _ => format!("(-{x} {sign} {y})"),
        }
    }

    pub(super) fn float(&mut self, depth: usize) -> String {
        if depth == 0 || self.choices.exhausted() {
            return self.choices.of(&["0.5", "r0", "r1", "inf", "1e3", "0.1"]).to_owned();
        }
        let d = depth - 1;
        match self.choices.below(9) {
            0..=2 => {
                let array = self.choices.of(&["a", "a", "c"]);
                self.element(array)
            }
            3 | 4 => {
                let sign = self.choices.of(&["+", "-", "×", "/"]);
                format!("({} {sign} {})", self.float(d), self.float(d))
            }
            5 => {
                let call = self.choices.of(&["min", "max", "pick"]);
                format!("{call}({}, {})", self.float(d), self.float(d))
            }
            6 => format!("sqrt(abs({}))", self.float(d)),
            7 => format!("({} + {})", self.integer(d), self.float(d)),
            _ => format!("(if {} then {} else {})", self.boolean(d), self.float(d), self.float(d)),
        }
    }

    pub(super) fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 || self.choices.exhausted() {
            return self.choices.of(&["true", "t0", "false", "k0 > 2"]).to_owned();
        }
        let d = depth - 1;
        let sign = self.choices.of(&["<", "≤", ">", "≥", "=", "≠"]);
        match self.choices.below(7) {
            0 => self.element("q"),
            1 | 2 => format!("{} {sign} {}", self.integer(d), self.integer(d)),
            3 => format!("{} {sign} {}", self.float(d), self.float(d)),
            4 => format!("({} and {})", self.boolean(d), self.boolean(d)),
            5 => format!("({} or {})", self.boolean(d), self.boolean(d)),
            _ => format!("not ({})", self.boolean(d)),
        }
    }
}
