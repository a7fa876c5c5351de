//! Claims on a listing's time: O(f), Ω(f), Θ(f), judged by what is derived, with a run as a witness
//! where they are wrong.

mod certificate;
mod course;
mod derivation;
mod judge;
mod parsed;
mod rays;
mod search;

use std::collections::BTreeMap;

use num_rational::BigRational;
use serde::Serialize;
use serde_json::{Value, json};

pub use self::course::{course, figure, figures, machine_of, subject};
pub use self::derivation::Derivation;
use self::judge::Judge;
pub use self::parsed::ParsedClaim;
use super::{Case, parameters};
use memory_machine_core::cost::CostMachine;
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::{Parameter, Program};
use memory_machine_core::run::layout::Layout;
use memory_machine_fit::{Expression, FactorKind, Product};
pub use memory_machine_theory::derive::UnitCost;
use memory_machine_theory::derive::claim::{Claim, Powers};
use memory_machine_theory::derive::polynomial::{Atom, Size};
use memory_machine_theory::derive::show::FormulaStyle;
use memory_machine_theory::derive::{
    self as theory, Derived, Question, Sizes, derive, derive_in_units,
};
use memory_machine_theory::{Bound, BoundKind};

/// What a claim turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimVerdict {
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
pub struct ClaimResult {
    /// The verdict.
    pub verdict: ClaimVerdict,
    /// What it takes from the listing's word (`requires`, `decreases`); runs check it.
    pub premises: Vec<String>,
    /// Line by line; empty without one.
    pub proof: Vec<String>,
    /// Runs that show that the claim is wrong.
    pub witness: Option<Witness>,
    /// Of an open claim: the ray along which the ratio grew most. It decides nothing.
    pub evidence: Option<Witness>,
}

impl ClaimResult {
    /// As `umm complexity --json` prints it.
    pub fn json(&self, written: &ParsedClaim) -> Value {
        json!({
            "bound": written.formula.to_string(),
            "verdict": self.verdict,
            "where": written.assumptions(),
            "premises": self.premises,
            "proof": (!self.proof.is_empty()).then_some(&self.proof),
            "witness": self.witness,
            "evidence": self.evidence,
            "consistent": self.verdict != ClaimVerdict::Refuted,
        })
    }
}

/// A listing's derived bounds, with what its sizes are called.
pub struct DerivedBounds {
    /// What was derived.
    pub derived: Derived,
    names: Vec<String>,
    exponents: Vec<bool>,
    fixed: Vec<Option<i64>>,
    unit: Option<UnitCost>,
}

impl Case {
    /// Bounds for all sizes. Parameters that the case gives a value, or that have a default, are
    /// numbers, but for those that `grows` names; the others grow. So do those of a listing with recursion
    /// that have a default alone.
    pub fn derive(&self, grows: &dyn Fn(&str) -> bool) -> DerivedBounds {
        self.derive_growing(grows, None)
    }

    fn derive_growing(
        &self,
        grows: &dyn Fn(&str) -> bool,
        unit: Option<UnitCost>,
    ) -> DerivedBounds {
        let is_growing =
            |name: &str| grows(name) || self.program.is_unfolded && !self.set.0.contains_key(name);
        self.derive_with(&is_growing, &theory::exponents(&self.program), unit)
    }

    /// The same of a machine of courses, if one is given.
    ///
    /// # Errors
    /// Why there are none.
    pub fn derive_in_units(
        &self,
        grows: &dyn Fn(&str) -> bool,
        unit: Option<UnitCost>,
    ) -> Result<DerivedBounds, String> {
        unit.map_or(Ok(()), |it| self.refuse_unit(it))?;
        Ok(self.derive_growing(grows, unit))
    }

    fn derive_with(
        &self,
        grows: &dyn Fn(&str) -> bool,
        exponents: &[bool],
        unit: Option<UnitCost>,
    ) -> DerivedBounds {
        let program = &*self.program;
        let value = |it: &Parameter| self.set.0.get(&it.name).copied().or(it.default);
        let parameters = program.parameters.iter();
        let fixed: Vec<Option<i64>> =
            parameters.map(|it| value(it).filter(|_| !grows(&it.name))).collect();
        let (kind, mode) = (self.machine.kind, self.mode);
        let question = Question { program, fixed: &fixed, exponents, kind, mode, bulk: self.bulk };
        let names = program.parameters.iter().map(|it| it.name.clone()).collect();
        let derived = match unit {
            None => derive(&question),
            Some(unit) => derive_in_units(&question, unit),
        };
        DerivedBounds { derived, names, exponents: exponents.to_vec(), fixed, unit }
    }

    /// Judges a claim on the time of the listing, on this machine's kind, for all sizes.
    ///
    /// # Errors
    /// Names that the listing does not have; sums that are no sums of products.
    pub fn judge(&self, parsed: &ParsedClaim) -> Result<ClaimResult, String> {
        self.with_judge(parsed, |judge| judge.judge())
    }

    /// [`Self::judge`] without a run, and so without witness and evidence.
    ///
    /// # Errors
    /// The same.
    pub fn verdict(&self, parsed: &ParsedClaim) -> Result<ClaimResult, String> {
        self.with_judge(parsed, |judge| judge.verdict(&judge.findings()))
    }

    /// Whether a claim is one over the listing's parameters and the machine's.
    ///
    /// # Errors
    /// Those of [`Self::judge`].
    pub fn check_claim(&self, parsed: &ParsedClaim) -> Result<(), String> {
        let named = products(parsed)?;
        self.claim(parsed, &named, &self.claim_exponents(&named)).map(drop)
    }

    /// Which parameters are exponents: by the listing, or by the claim's 2^k.
    fn claim_exponents(&self, named: &[Vec<Product>]) -> Vec<bool> {
        let mut exponents = theory::exponents(&self.program);
        let factors = named.iter().flatten().flat_map(|it| it.keys());
        let is_exponent =
            |it: &FactorKind| matches!(it, FactorKind::PowerOfTwo | FactorKind::PowerOf(_));
        for factor in factors.filter(|it| is_exponent(&it.kind)) {
            let parameters = self.program.parameters.iter();
            let own = exponents.iter_mut().zip(parameters).find(|it| it.1.name == factor.name);
            if let Some((is_exponent, _)) = own {
                *is_exponent = true;
            }
        }
        exponents
    }

    fn with_judge<T>(
        &self,
        parsed: &ParsedClaim,
        ask: impl FnOnce(&Judge<'_>) -> T,
    ) -> Result<T, String> {
        let named = products(parsed)?;
        let mentioned =
            |name: &str| named.iter().flatten().flat_map(|it| it.keys()).any(|it| it.name == name);
        let exponents = self.claim_exponents(&named);
        parsed.unit.map_or(Ok(()), |it| self.refuse_unit(it))?;
        let bounded = self.derive_with(&mentioned, &exponents, parsed.unit);
        let claim = self.claim(parsed, &named, &exponents)?;
        Ok(ask(&Judge { case: self, bounded: &bounded, parsed, claim: &claim }))
    }

    fn claim(
        &self,
        parsed: &ParsedClaim,
        named: &[Vec<Product>],
        exponents: &[bool],
    ) -> Result<Claim, String> {
        let names: Vec<String> = self.program.parameters.iter().map(|it| it.name.clone()).collect();
        let of_machine = parsed.sizes(self.machine.kind, &names);
        let size = |name: &str| {
            let own = self.program.parameters.iter().position(|it| it.name == name);
            let other = of_machine.iter().find(|it| it.1 == name).map(|it| it.0);
            if own.is_some() && other.is_some() {
                return Err(format!(
                    "`{name}` is a parameter of `{}` and a size of the machine; call the parameter \
                     otherwise",
                    self.program.name
                ));
            }
            own.map(Size::Parameter).or(other).ok_or_else(|| {
                let (program, own) = (&self.program.name, parameters(&self.program));
                let names: Vec<&str> = of_machine.iter().map(|it| it.1).collect();
                let machine = match &names[..] {
                    [] => String::new(),
                    [one] => format!("{one}, and "),
                    [several @ .., last] => format!("{} and {last}, and ", several.join(", ")),
                };
                format!("`{program}` has no `{name}`; a claim is over {machine}{own}")
            })
        };
        let powers = |product: &Product| -> Result<Powers, String> {
            let mut powers = Powers::new();
            for (factor, power) in product {
                let size = size(&factor.name)?;
                let is_exponent = matches!(size, Size::Parameter(at) if exponents[at]);
                let atom = match (factor.kind, is_exponent) {
                    (FactorKind::Plain, false) | (FactorKind::PowerOfTwo, true) => Atom::Size(size),
                    (FactorKind::Logarithm, false) | (FactorKind::Plain, true) => Atom::Log(size),
                    (FactorKind::PowerOf(of), true) | (FactorKind::ToLogarithm(of), false) => {
                        Atom::Power(of, size)
                    }
                    (FactorKind::Logarithm | FactorKind::ToLogarithm(_), true) => {
                        let name = &factor.name;
                        return Err(format!(
                            "log2({name}) beside 2^{name} is a logarithm of a logarithm, of which \
                             nothing is known; write a power of {name}"
                        ));
                    }
                    (FactorKind::PowerOfTwo | FactorKind::PowerOf(_), false) => {
                        let name = &factor.name;
                        return Err(format!("2^{name}: only a parameter may be an exponent"));
                    }
                };
                powers.insert(atom, power.clone());
            }
            Ok(powers)
        };
        // In an order of their own: a verdict does not depend on how a sum is written.
        let all = |products: &Vec<Product>| {
            let mut all = products.iter().map(powers).collect::<Result<Vec<_>, _>>()?;
            all.sort_unstable_by(|a, b| b.cmp(a));
            Ok::<_, String>(all)
        };
        let mut assumed = vec![];
        for pair in named[1..].chunks(2) {
            let [more, less] = [all(&pair[0])?, all(&pair[1])?];
            let [more] = &more[..] else {
                return Err("an assumption's greater side is one product".to_owned());
            };
            assumed.extend(less.into_iter().map(|less| [more.clone(), less]));
        }
        Ok(Claim { relation: parsed.relation, terms: all(&named[0])?, assumed })
    }
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
        let at = self.sizes(case, parameters);
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

    /// The sizes of a case.
    fn sizes<'a>(&'a self, case: &Case, parameters: &'a [i64]) -> Sizes<'a> {
        let (threads, machine) = (case.threads.get(), case.machine);
        let other = match &case.course {
            Some(CostMachine::IdealCache { sizes, .. }) => sizes.first().copied().unwrap_or(1),
            Some(CostMachine::Pem { size, .. }) => *size,
            Some(CostMachine::Bsp { processors, .. }) => *processors,
            _ => 1,
        };
        Sizes { parameters, exponents: &self.exponents, threads, machine, other }
    }

    /// The parameters that are numbers.
    pub fn fixed(&self) -> impl Iterator<Item = (&str, i64)> {
        let pairs = self.names.iter().zip(&self.fixed);
        pairs.filter_map(|(name, value)| Some((name.as_str(), (*value)?)))
    }

    /// What the bounds take from the listing's word; only upper bounds take what decreases.
    fn premises(&self, program: &Program, are_upper: bool) -> Vec<String> {
        let said = |it: &Span, what: &str, says: &str| {
            let (line, text) = (program.source.line(*it), program.source.at(*it));
            format!("`{text}` {what}, as line {line} {says}")
        };
        let required = program.requirements.iter().map(|it| said(&it.span(), "holds", "requires"));
        let measures = self.derived.measures.iter().filter(|_| are_upper);
        required.chain(measures.map(|it| said(it, "decreases", "says"))).collect()
    }

    /// How its formulas are written.
    pub fn style(&self, latex: bool) -> FormulaStyle<'_> {
        FormulaStyle { names: &self.names, exponents: &self.exponents, unit: self.unit, latex }
    }
}

/// What a proof says of a premise.
fn unproved(premise: &str) -> String {
    format!("{premise}: runs check it, this proof does not")
}

/// Those of the formula and of what is assumed.
fn products(parsed: &ParsedClaim) -> Result<Vec<Vec<Product>>, String> {
    let sums = [&parsed.formula].into_iter().chain(parsed.assumed.iter().flatten());
    sums.map(Expression::products).collect()
}
