//! Functions of the languages' libraries: each as an expression in Python's operators, which reads an argument
//! once; what needs one twice is a function that the listing defines.

use super::{Dialect, Expressions, Family, Known, Result, Tree, expression};
use crate::notation::scan::scan;
use crate::notation::token::Token;

/// A function that the listing defines where it is called: its name, what it is, and what is said of it.
pub(in crate::notation) const HELPERS: [[&str; 3]; 10] = [
    [
        "quotient",
        "function quotient(x, y) = if (x < 0) = (y < 0) then abs(x) / abs(y) else -(abs(x) / abs(y))",
        "quotient(x, y) is x / y cut off, as here; the language's `/` rounds down",
    ],
    [
        "remainder",
        "function remainder(x, y) = if x < 0 then -(abs(x) mod abs(y)) else abs(x) mod abs(y)",
        "remainder(x, y) has the sign of x, as here; the language's `mod` that of y",
    ],
    [
        "half_up",
        "function half_up(x) = ⌊x⌋ + (if x - ⌊x⌋ ≥ 0.5 then 1 else 0)",
        "half_up(x) is the nearest integer, of two the upper one, as here",
    ],
    [
        "nearest",
        "function nearest(x) = if x < 0 then ⌈x⌉ - (if ⌈x⌉ - x ≥ 0.5 then 1 else 0) else ⌊x⌋ + (if x - ⌊x⌋ ≥ 0.5 then 1 else 0)",
        "nearest(x) is the nearest integer, of two the one further from 0, as here",
    ],
    [
        "nearest_even",
        "function nearest_even(x) = ⌊x⌋ + (if x - ⌊x⌋ > 0.5 or x - ⌊x⌋ = 0.5 and ⌊x⌋ mod 2 = 1 then 1 else 0)",
        "nearest_even(x) is the nearest integer, of two the even one, as here",
    ],
    ["square_of", "function square_of(x) = x × x", "square_of(x) is x × x"],
    [
        "hypotenuse",
        "function hypotenuse(x, y) = sqrt(x × x + y × y)",
        "hypotenuse(x, y) is √(x² + y²)",
    ],
    [
        "with_sign",
        "function with_sign(x, y) = if y < 0 then -abs(x) else abs(x)",
        "with_sign(x, y) has the size of x and the sign of y",
    ],
    [
        "is_nan",
        "function is_nan(x) = x ≠ x",
        "is_nan(x): a number that is no number equals nothing",
    ],
    [
        "arc_sine",
        "function arc_sine(x) = atan2(x, sqrt(1.0 - x × x))",
        "arc_sine(x) is the angle of x beside √(1 - x²)",
    ],
];

/// Names, how many arguments there are, and what it is of a, b and c.
type Entry = (&'static [&'static str], usize, &'static str);

const OF_ALL: [Entry; 16] = [
    (&["clip", "clamp"], 3, "min(max(a, b), c)"),
    (&["hypot", "hypotf"], 2, "hypotenuse(a, b)"),
    (&["sqr", "square"], 1, "square_of(a)"),
    (&["exp2", "exp2f"], 1, "pow(2.0, a)"),
    (&["atan", "atanf", "arctan"], 1, "atan2(a, 1.0)"),
    (&["atan", "arctan2", "atan2f"], 2, "atan2(a, b)"),
    (&["asin", "asinf", "arcsin"], 1, "arc_sine(a)"),
    (&["acos", "acosf", "arccos"], 1, "pi / 2 - arc_sine(a)"),
    (&["fma", "fmaf", "muladd"], 3, "a * b + c"),
    (&["isnan", "isNaN"], 1, "is_nan(a)"),
    (&["isodd", "odd"], 1, "a % 2 == 1"),
    (&["iseven", "even"], 1, "a % 2 == 0"),
    (&["floorMod"], 2, "a % b"),
    (&["floorDiv"], 2, "a // b"),
    (&["ceilDiv", "cld"], 2, "ceil(a / b)"),
    (&["popcnt", "count_ones", "bitCount", "__builtin_popcount"], 1, "popcount(a)"),
];

const OF_C: [Entry; 9] = [
    (&["maxOf"], 2, "max(a, b)"),
    (&["minOf"], 2, "min(a, b)"),
    (&["lround", "llround", "lroundf"], 1, "nearest(a)"),
    (&["round", "roundf"], 1, "float(nearest(a))"),
    (&["Math.round"], 1, "half_up(a)"),
    (&["rint", "nearbyint", "rintf"], 1, "float(nearest_even(a))"),
    (&["fdim", "fdimf"], 2, "max(a - b, 0.0)"),
    (&["copysign", "copysignf"], 2, "with_sign(a, b)"),
    (&["Math.trunc"], 1, "int(a)"),
];

const OF_PYTHON: [Entry; 18] = [
    (&["round"], 1, "nearest_even(a)"),
    (&["rint", "around"], 1, "float(nearest_even(a))"),
    (&["where"], 3, "b if a else c"),
    (&["mod", "remainder"], 2, "a % b"),
    (&["floor_divide"], 2, "a // b"),
    (&["power"], 2, "a ** b"),
    (&["multiply"], 2, "a * b"),
    (&["add"], 2, "a + b"),
    (&["subtract"], 2, "a - b"),
    (&["divide", "true_divide"], 2, "a / b"),
    (&["negative"], 1, "-a"),
    (&["logical_and"], 2, "a and b"),
    (&["logical_or"], 2, "a or b"),
    (&["logical_not"], 1, "not a"),
    (&["bitwise_and"], 2, "a & b"),
    (&["bitwise_or"], 2, "a | b"),
    (&["bitwise_xor"], 2, "a ^ b"),
    (&["copysign"], 2, "with_sign(a, b)"),
];

const OF_MATRIX: [Entry; 18] = [
    (&["nint", "idnint", "nint32"], 1, "nearest(a)"),
    (&["anint", "dnint"], 1, "float(nearest(a))"),
    (&["aint", "dint"], 1, "float(int(a))"),
    (&["merge"], 3, "a if c else b"),
    (&["ifelse"], 3, "b if a else c"),
    (&["sign", "isign", "dsign"], 2, "with_sign(a, b)"),
    (&["copysign"], 2, "with_sign(a, b)"),
    (&["iabs", "dabs"], 1, "abs(a)"),
    (&["amax1", "dmax1", "max0"], 2, "max(a, b)"),
    (&["amin1", "dmin1", "min0"], 2, "min(a, b)"),
    (&["power"], 2, "a ** b"),
    (&["times"], 2, "a * b"),
    (&["plus"], 2, "a + b"),
    (&["minus"], 2, "a - b"),
    (&["rdivide"], 2, "a / b"),
    (&["btest"], 2, "(a >> b) & 1 == 1"),
    (&["shiftr"], 2, "a >> b"),
    (&["float", "dfloat", "sngl"], 1, "float(a)"),
];

impl Expressions<'_> {
    /// A function of a library, as the expression that it is; the arguments are given back if it is none.
    pub(super) fn of_library(
        &mut self,
        name: &Token,
        mut arguments: Vec<Tree>,
    ) -> Result<std::result::Result<Tree, Vec<Tree>>> {
        // Julia's `floor(Int, x)`, Fortran's `real(x, 8)`.
        let is_kind = |it: &Tree| matches!(it, Tree::Atom(it) if it.is_any(&["8", "4", "dp", "wp", "sp", "rk", "Int", "Int64", "Int32"]));
        let rounds =
            ["real", "int", "nint", "floor", "ceiling", "ceil", "trunc", "round", "dble", "cmplx"];
        if self.dialect == Dialect::Matrix && arguments.len() == 2 && name.is_any(&rounds) {
            let of_julia = is_kind(&arguments[0]) && self.known.family != Family::Fortran;
            if of_julia && name.is("round") {
                return Ok(Ok(self.helper(name, "nearest_even", arguments.split_off(1))));
            }
            if of_julia || is_kind(&arguments[1]) && self.known.family == Family::Fortran {
                arguments.remove(usize::from(!of_julia));
                return Ok(Ok(self.call(name.clone(), arguments)?));
            }
        }
        let own: &[Entry] = match self.dialect {
            Dialect::C => &OF_C,
            Dialect::Python => &OF_PYTHON,
            Dialect::Matrix => &OF_MATRIX,
        };
        let of_matlab = [(&["round"][..], 1, "float(nearest(a))")];
        let of_julia = [(&["round"][..], 1, "float(nearest_even(a))")];
        let rounding: &[Entry] = match (self.dialect, self.known.family) {
            (Dialect::Matrix, Family::Matlab) => &of_matlab,
            (Dialect::Matrix, Family::Julia) => &of_julia,
            _ => &[],
        };
        let mut entries = own.iter().chain(&OF_ALL).chain(rounding);
        let found = entries.find(|it| it.0.contains(&&*name.text) && it.1 == arguments.len());
        let Some((.., text)) = found else { return Ok(Err(arguments)) };
        let mut tokens: Vec<Token> =
            scan(text, Dialect::Python)?.into_iter().flat_map(|it| it.tokens).collect();
        tokens.iter_mut().for_each(|it| it.span = name.span);
        let mut known = Known { floors: true, ..Known::default() };
        let tree = expression(&tokens, Dialect::Python, &mut known, name.span)?;
        let tree = self.put(tree, &arguments);
        Ok(Ok(tree))
    }

    /// A function that the listing defines.
    fn helper(&mut self, like: &Token, name: &'static str, arguments: Vec<Tree>) -> Tree {
        self.known.uses.insert(name);
        Tree::Call(like.with(name), arguments)
    }

    /// The expression with the arguments in place of a, b and c.
    fn put(&mut self, tree: Tree, arguments: &[Tree]) -> Tree {
        let mut deeper = |it: Box<Tree>| Box::new(self.put(*it, arguments));
        match tree {
            Tree::Atom(it) => match ["a", "b", "c"].iter().position(|name| it.is(name)) {
                Some(at) => arguments[at].clone(),
                None => Tree::Atom(it),
            },
            Tree::Prefix(op, of, token) => Tree::Prefix(op, deeper(of), token),
            Tree::Binary(op, left, right) => Tree::Binary(op, deeper(left), deeper(right)),
            Tree::Round(up, of) => Tree::Round(up, deeper(of)),
            Tree::Choice(parts) => {
                Tree::Choice(Box::new((*parts).map(|it| self.put(it, arguments))))
            }
            Tree::Call(name, of) => {
                let of = of.into_iter().map(|it| self.put(it, arguments)).collect();
                match HELPERS.iter().find(|it| name.is(it[0])) {
                    Some(it) => self.helper(&name, it[0], of),
                    None => Tree::Call(name, of),
                }
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adopt::KNOWN;

    /// What a name stands for is read as Python, whose functions are looked up in turn.
    #[test]
    fn no_function_of_a_library_is_itself() {
        for (names, _, text) in OF_ALL.iter().chain(&OF_PYTHON) {
            for name in *names {
                assert!(!text.contains(&format!("{name}(")), "{name}: {text}");
            }
        }
    }

    #[test]
    fn functions_that_a_listing_defines_are_known() {
        for [name, ..] in HELPERS {
            assert!(KNOWN.contains(&name), "{name}");
        }
    }
}
