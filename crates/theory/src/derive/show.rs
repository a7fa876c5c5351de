//! Bounds as a person writes them, plain or in LaTeX, and as numbers.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

use super::claim::Powers;
use super::domain::GuardedPolynomial;
use super::polynomial::{Atom, Monomial, Polynomial, Size, whole};
use super::unit_costs::UnitCost;
use memory_machine_core::machine::{Dmms, Machine};

/// How formulas are written.
#[derive(Debug, Clone, Copy)]
pub struct FormulaStyle<'a> {
    /// What the listing calls its parameters.
    pub names: &'a [String],
    /// Which of them are exponents of 2.
    pub exponents: &'a [bool],
    /// Of what machine of courses they are, which has names of its own.
    pub unit: Option<UnitCost>,
    /// In LaTeX instead of plain text.
    pub latex: bool,
}

impl FormulaStyle<'_> {
    /// A size's name.
    pub fn size(&self, size: Size) -> String {
        let name = self.name(size);
        if self.is_power_of_two(size) { format!("2^{name}") } else { name.to_owned() }
    }

    fn name(&self, size: Size) -> &str {
        let of_unit = self.unit.map(|it| it.sizes_beside(self.names)).unwrap_or_default();
        let own = of_unit.into_iter().find(|it| it.0 == size);
        own.map_or_else(|| size.name(self.names), |it| it.1)
    }

    fn is_power_of_two(&self, size: Size) -> bool {
        matches!(size, Size::Parameter(at) if self.exponents[at])
    }

    fn atom(&self, atom: Atom) -> String {
        match atom {
            Atom::Size(size) if self.latex && self.is_power_of_two(size) => {
                format!("2^{{{}}}", self.name(size))
            }
            Atom::Size(size) => self.size(size),
            Atom::Log(size) if self.is_power_of_two(size) => self.name(size).to_owned(),
            Atom::Log(size) if self.latex => format!(r"\lceil\log_2 {}\rceil", self.size(size)),
            Atom::Log(size) => format!("⌈log₂ {}⌉", self.size(size)),
            Atom::Power(of, size) if self.is_power_of_two(size) => {
                let name = self.name(size);
                if self.latex { format!("{of}^{{{name}}}") } else { format!("{of}^{name}") }
            }
            Atom::Power(of, size) if self.latex => {
                format!("{}^{{\\log_2 {of}}}", self.size(size))
            }
            Atom::Power(of, size) => format!("{}^(log₂ {of})", self.size(size)),
            Atom::Local(number) => format!("x{number}"),
        }
    }

    fn power(&self, atom: Atom, power: u32) -> String {
        let name = self.atom(atom);
        match power {
            1 => name,
            _ if matches!(atom, Atom::Power(..)) => format!("({name})^{power}"),
            // 2^(3·k), and not a power of a power.
            _ if let Atom::Size(size) = atom
                && self.is_power_of_two(size) =>
            {
                let exponent = self.product(&[power.to_string(), self.name(size).to_owned()]);
                if self.latex { format!("2^{{{exponent}}}") } else { format!("2^({exponent})") }
            }
            _ if self.latex => format!("{name}^{{{power}}}"),
            _ => name + &superscript(power),
        }
    }

    fn product(&self, factors: &[String]) -> String {
        factors.join(if self.latex { r"\," } else { "·" })
    }

    /// A monomial times a positive number.
    pub fn term(&self, monomial: &Monomial, coefficient: &BigRational) -> String {
        let side = |sign: i32, number: String, is_one: bool| {
            let mut factors: Vec<String> = if is_one { vec![] } else { vec![number] };
            let own = monomial.iter().filter(|(_, power)| power.signum() == sign);
            factors.extend(own.map(|&(atom, power)| self.power(atom, power.unsigned_abs())));
            factors
        };
        let (number, denominator) = (coefficient.numer(), coefficient.denom());
        let above = side(1, number.to_string(), number.is_one());
        let below = side(-1, denominator.to_string(), denominator.is_one());
        self.fraction(above, below)
    }

    /// A sum, its largest terms first.
    pub fn sum(&self, of: &Polynomial) -> String {
        let mut terms: Vec<_> = of.terms().collect();
        let size = |it: &Monomial| -> i32 { it.iter().map(|(_, power)| *power).sum() };
        terms.sort_by_key(|(monomial, _)| std::cmp::Reverse(size(monomial)));
        let mut text = String::new();
        for (monomial, coefficient) in terms {
            let sign = match (text.is_empty(), coefficient.is_negative()) {
                (true, true) => "−",
                (true, false) => "",
                (false, true) => " − ",
                (false, false) => " + ",
            };
            text += if self.latex && sign.contains('−') { " - " } else { sign };
            text += &self.term(monomial, &coefficient.abs());
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }

    /// Pieces with the conditions under which they count.
    pub fn pieces(&self, pieces: &[GuardedPolynomial]) -> String {
        let piece = |it: &GuardedPolynomial| {
            let sum = self.sum(&it.value);
            if it.guard.is_empty() {
                return sum;
            }
            let guards: Vec<String> = it.guard.iter().map(|guard| self.at_least(guard)).collect();
            let guards = guards.join(", ");
            if self.latex {
                format!("[{guards}]\\,({sum})")
            } else {
                format!("[{guards}]·({sum})")
            }
        };
        let all: Vec<String> = pieces.iter().map(piece).collect();
        if all.is_empty() { "0".to_owned() } else { all.join(" + ") }
    }

    /// A claim's term.
    pub fn powers(&self, powers: &Powers) -> String {
        let factor = |(atom, power): (&Atom, BigRational)| {
            let whole = power.is_integer().then(|| power.to_integer().to_u32()).flatten();
            let name = match *atom {
                Atom::Size(size) if self.is_power_of_two(size) => format!("({})", self.atom(*atom)),
                atom => self.atom(atom),
            };
            match whole {
                Some(power) => self.power(*atom, power),
                None if self.latex => format!("{name}^{{{power}}}"),
                None => format!("{name}^({power})"),
            }
        };
        let side = |sign: bool| -> Vec<String> {
            let own = powers.iter().filter(|it| it.1.is_positive() == sign);
            own.map(|(atom, power)| factor((atom, power.abs()))).collect()
        };
        self.fraction(side(true), side(false))
    }

    fn fraction(&self, above: Vec<String>, below: Vec<String>) -> String {
        let above = if above.is_empty() { "1".to_owned() } else { self.product(&above) };
        match below.len() {
            0 => above,
            _ if self.latex => format!(r"\frac{{{above}}}{{{}}}", self.product(&below)),
            1 => format!("{above}/{}", below[0]),
            _ => format!("{above}/({})", self.product(&below)),
        }
    }

    /// A sum of claims' terms.
    pub fn order(&self, terms: &[Powers]) -> String {
        let terms: Vec<String> = terms.iter().map(|it| self.powers(it)).collect();
        if terms.is_empty() { "1".to_owned() } else { terms.join(" + ") }
    }

    /// That a polynomial is at least 0, its negative terms on the other side.
    fn at_least(&self, guard: &Polynomial) -> String {
        let guard = guard.cleared();
        let side = |negative: bool| {
            let mut side = Polynomial::default();
            for (monomial, coefficient) in guard.terms() {
                if coefficient.is_negative() == negative {
                    side =
                        &side + &Polynomial::monomial(monomial.clone()).scale(&coefficient.abs());
                }
            }
            self.sum(&side)
        };
        format!("{} {} {}", side(false), if self.latex { r"\ge" } else { "≥" }, side(true))
    }
}

fn superscript(number: u32) -> String {
    let digits = number.to_string();
    let raised = |it: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(it.to_digit(10).unwrap_or(0) as usize);
    digits.chars().filter_map(raised).collect()
}

/// Values of sizes.
pub struct Sizes<'a> {
    /// Of the listing's parameters.
    pub parameters: &'a [i64],
    /// Which of these are exponents.
    pub exponents: &'a [bool],
    /// p.
    pub threads: u64,
    /// With w, l, and of an HMM d, ls and R; of others these are 1.
    pub machine: Machine,
    /// Of a machine of courses: M, the words of a cache, or P, the processors.
    pub other: u64,
}

impl Sizes<'_> {
    pub(super) fn size(&self, size: Size) -> BigRational {
        let dmms = self.machine.kind.dmms().unwrap_or(Dmms::ONE);
        let value = match size {
            Size::Parameter(at) if self.exponents[at] => {
                let power = u32::try_from(self.parameters[at]).unwrap_or(0);
                return BigRational::from_integer(BigInt::from(1) << power);
            }
            Size::Parameter(at) => return whole(self.parameters[at]),
            Size::Threads => self.threads,
            Size::Width => self.machine.width.get(),
            Size::Latency => self.machine.latency.get(),
            Size::Dmms => dmms.number,
            Size::SharedLatency => dmms.latency.get(),
            Size::Resident => dmms.resident,
            Size::Other => self.other,
        };
        BigRational::from_integer(value.into())
    }

    /// Of an atom; a local has none.
    pub fn of(&self, atom: Atom) -> Option<BigRational> {
        match atom {
            Atom::Size(size) => Some(self.size(size)),
            Atom::Log(Size::Parameter(at)) if self.exponents[at] => {
                Some(whole(self.parameters[at]))
            }
            Atom::Log(size) => {
                let of = self.size(size).to_integer();
                let bits = if of <= 1.into() { 1 } else { (of - 1_u8).bits() };
                Some(whole(i64::try_from(bits).ok()?))
            }
            Atom::Power(of, Size::Parameter(at)) if self.exponents[at] => {
                Some(whole(of.into()).pow(i32::try_from(self.parameters[at]).ok()?))
            }
            Atom::Power(of, size) => {
                let power = self.size(size).to_f64()?.powf(f64::from(of).log2());
                BigRational::from_float(power * (1.0 + POWER_ERROR))
            }
            Atom::Local(_) => None,
        }
    }
}

/// By so much a power is computed too large at most, as a part of it.
const POWER_ERROR: f64 = 1e-9;
