//! Claims on a listing's time: O(f), Ω(f), Θ(f), judged by what is derived, with a run as a witness
//! where they are wrong.

mod judge;

use std::collections::BTreeMap;

use num_rational::BigRational;
use serde::Serialize;

use self::judge::Judge;
use super::{Case, parameters};
use memory_machine_core::language::program::{Parameter, Program};
use memory_machine_core::machine::MachineKind;
use memory_machine_core::run::layout::Layout;
use memory_machine_fit::{Expression, Product};
use memory_machine_theory::derive::claim::{Claim, Powers, Relation};
use memory_machine_theory::derive::polynomial::{Atom, Size};
use memory_machine_theory::derive::show::FormulaStyle;
use memory_machine_theory::derive::{Derived, Question, Sizes, derive};
use memory_machine_theory::{Bound, BoundKind};

/// What a claim turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// It holds for all sizes: there is a proof.
    Proved,
    /// It does not: there is a witness.
    Refuted,
    /// Neither was found.
    Open,
}

/// Runs along a ray, on which time and claim grow apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Witness {
    /// Which sizes grow, and how.
    pub direction: String,
    /// The derived bound that the claim contradicts; none if the runs alone speak.
    pub bound: Option<String>,
    /// In the order in which they grow.
    pub points: Vec<WitnessPoint>,
    /// By how much the ratio changed from its least to the last.
    pub growth: f64,
}

/// A run of a witness.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WitnessPoint {
    /// Parameters, and what the machine has.
    pub sizes: BTreeMap<String, u64>,
    /// What the run takes.
    pub time_units: u128,
    /// Time over the claim's sum, its terms without coefficients.
    pub ratio: f64,
}

/// A claim, judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// The verdict.
    pub verdict: Judgement,
    /// Line by line; empty without one.
    pub proof: Vec<String>,
    /// Runs that show that the claim is wrong.
    pub witness: Option<Witness>,
    /// Of an open claim: the ray along which the ratio grew most. It decides nothing.
    pub evidence: Option<Witness>,
}

/// A claim as it is written: `n^3/w + n*l`, `Θ(n^2)`, `Omega(n*l)`, and what is assumed of the sizes:
/// `p <= n`.
#[derive(Debug, Clone)]
pub struct Written {
    /// O unless another is written.
    pub relation: Relation,
    /// Inside the parentheses.
    pub formula: Expression,
    /// Pairs: more, less.
    pub assumed: Vec<[Expression; 2]>,
}

impl Written {
    /// Parses a claim.
    ///
    /// # Errors
    /// What is no formula.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let relations = [
            (["O", "o"], Relation::AtMost),
            (["Ω", "Omega"], Relation::AtLeast),
            (["Θ", "Theta"], Relation::Exactly),
        ];
        let inside = relations.iter().find_map(|(words, relation)| {
            let inside = |word: &&str| text.strip_prefix(*word)?.trim_start().strip_prefix('(');
            words[..if words[0] == "O" { 1 } else { 2 }]
                .iter()
                .find_map(inside)
                .map(|it| (*relation, it))
        });
        let (relation, formula) = match inside {
            None => (Relation::AtMost, text),
            Some((relation, inside)) => {
                let inside = inside.trim_end().strip_suffix(')');
                (relation, inside.ok_or("the claim's parenthesis is not closed")?)
            }
        };
        Ok(Self { relation, formula: formula.parse()?, assumed: vec![] })
    }

    /// An assumption, as in `p <= n`.
    ///
    /// # Errors
    /// What is none.
    pub fn assumption(text: &str) -> Result<[Expression; 2], String> {
        let found = ["<=", "≤", "<"].into_iter().find_map(|it| text.split_once(it));
        if let Some((less, more)) = found {
            return Ok([more.parse()?, less.parse()?]);
        }
        let found = [">=", "≥", ">"].into_iter().find_map(|it| text.split_once(it));
        match found {
            Some((more, less)) => Ok([more.parse()?, less.parse()?]),
            None => Err(format!("`{text}` compares nothing; write p <= n")),
        }
    }
}

/// A listing's derived bounds, with what its sizes are called.
pub struct DerivedBounds {
    /// What was derived.
    pub derived: Derived,
    names: Vec<String>,
    fixed: Vec<Option<i64>>,
}

impl Case {
    /// Bounds for all sizes. Parameters that the case gives a value, or that have a default, are
    /// numbers, but for those that `grows` names; the others grow.
    pub fn derive(&self, grows: &dyn Fn(&str) -> bool) -> DerivedBounds {
        let program = &*self.program;
        let value = |it: &Parameter| self.set.0.get(&it.name).copied().or(it.default);
        let parameters = program.parameters.iter();
        let fixed: Vec<Option<i64>> =
            parameters.map(|it| value(it).filter(|_| !grows(&it.name))).collect();
        let (kind, mode) = (self.machine.kind, self.mode);
        let question = Question { program, fixed: &fixed, kind, mode, bulk: self.bulk };
        let names = program.parameters.iter().map(|it| it.name.clone()).collect();
        DerivedBounds { derived: derive(&question), names, fixed }
    }

    /// Judges a claim on the time of the listing, on this machine's kind, for all sizes.
    ///
    /// # Errors
    /// Names that the listing does not have; sums that are no sums of products.
    pub fn judge(&self, written: &Written) -> Result<Judged, String> {
        let sums = [&written.formula].into_iter().chain(written.assumed.iter().flatten());
        let named: Vec<Vec<Product>> = sums.map(Expression::products).collect::<Result<_, _>>()?;
        let mentioned = |name: &str| {
            let mut factors = named.iter().flatten().flat_map(|it| it.keys());
            factors.any(|it| it.name == name)
        };
        let bounded = self.derive(&mentioned);
        let claim = self.claim(written, &named)?;
        Ok(Judge { case: self, bounded: &bounded, written, claim: &claim }.judge())
    }

    fn claim(&self, written: &Written, named: &[Vec<Product>]) -> Result<Claim, String> {
        let size = |name: &str| {
            let kind = self.machine.kind;
            size(&self.program, kind, name).ok_or_else(|| {
                let [machine @ .., last] = Size::of_machine(kind) else { return String::new() };
                let machine: Vec<&str> = machine.iter().map(|it| it.name(&[])).collect();
                format!(
                    "`{}` has no `{name}`; a claim is over {} and {}, and {}",
                    self.program.name,
                    machine.join(", "),
                    last.name(&[]),
                    parameters(&self.program)
                )
            })
        };
        let powers = |product: &Product| -> Result<Powers, String> {
            let mut powers = Powers::new();
            for (factor, power) in product {
                let size = size(&factor.name)?;
                let atom = if factor.logarithm { Atom::Log(size) } else { Atom::Size(size) };
                let power = BigRational::from_float(*power);
                powers.insert(atom, power.ok_or("a power is no number")?);
            }
            Ok(powers)
        };
        let all =
            |products: &Vec<Product>| products.iter().map(powers).collect::<Result<Vec<_>, _>>();
        let mut assumed = vec![];
        for pair in named[1..].chunks(2) {
            let [more, less] = [all(&pair[0])?, all(&pair[1])?];
            let [more] = &more[..] else {
                return Err("an assumption's greater side is one product".to_owned());
            };
            assumed.extend(less.into_iter().map(|less| [more.clone(), less]));
        }
        Ok(Claim { relation: written.relation, terms: all(&named[0])?, assumed })
    }
}

/// What a name of a claim means: a parameter, or else what the machine has.
fn size(program: &Program, kind: MachineKind, name: &str) -> Option<Size> {
    let own = program.parameters.iter().position(|it| it.name == name).map(Size::Parameter);
    own.or_else(|| Size::of_machine(kind).iter().copied().find(|it| it.name(&[]) == name))
}

impl DerivedBounds {
    /// The derived bounds of one run. A parameter that was given its default must have it.
    pub fn at(&self, case: &Case, layout: &Layout) -> Vec<Bound> {
        let parameters = &layout.parameters;
        let other = |(fixed, value): (&Option<i64>, &i64)| fixed.is_some_and(|it| it != *value);
        let too_small = |(fixed, value): (&Option<i64>, &i64)| fixed.is_none() && *value < 1;
        let pairs = || self.fixed.iter().zip(parameters);
        if pairs().any(other) || pairs().any(too_small) {
            return vec![];
        }
        let at = Sizes { parameters, threads: case.threads.get(), machine: case.machine };
        let bound = |kind, value: BigRational| {
            let value = u128::try_from(value.to_integer()).ok()?;
            Some(Bound {
                name: "derived",
                source: "the listing: umm bounds --derive",
                assumptions: "",
                kind,
                phase: None,
                value,
                formula: "derived from the listing",
            })
        };
        let upper = self.derived.upper_at(&at).and_then(|it| bound(BoundKind::Upper, it.floor()));
        let lower =
            bound(BoundKind::Lower, self.derived.lower_at(&at).ceil()).filter(|it| it.value > 0);
        lower.into_iter().chain(upper).collect()
    }

    /// How its formulas are written.
    pub fn style(&self, latex: bool) -> FormulaStyle<'_> {
        FormulaStyle { names: &self.names, latex }
    }
}
