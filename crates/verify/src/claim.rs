//! From sums to a claim: weights of means, and directions in which sizes grow.

use std::collections::BTreeMap;

use num_traits::{One, Pow, Signed, ToPrimitive, Zero};
use serde_json::{Value, json};

use crate::polynomial::{Monomial, Number, Polynomial, monomial, number, whole};
use crate::sums::Sums;
use crate::{Bounds, Question, Refusal, Setting, Source};

/// A monomial with powers that are fractions.
pub type Powers = BTreeMap<String, Number>;

/// O, Ω or Θ of a sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// `O`, `Ω` or `Θ`.
    pub relation: String,
    /// The sum's terms.
    pub terms: Vec<Powers>,
    /// In each pair the first is at least the second.
    pub assumed: Vec<[Powers; 2]>,
}

/// What a source is asked of a claim.
pub struct Wanted<'a> {
    /// Whether the claim is one from above.
    pub above: bool,
    /// Which.
    pub claim: &'a Claim,
    /// The sums.
    pub bounds: &'a Bounds,
}

/// What a certificate states.
#[derive(Debug, Clone)]
pub struct Statement {
    /// `proved`, `refuted`, or `bounds` without a claim.
    pub verdict: &'static str,
    /// What bounds the time; from below where parameters are as large as the setting says.
    pub bounds: Bounds,
    /// Of an O, so many times the claim's sum are no less than the time.
    pub above: Option<Number>,
    /// Of an Ω, so many times it are no more.
    pub below: Option<Number>,
}

impl Statement {
    /// As JSON.
    pub fn json(&self) -> Value {
        let text = |it: &Option<Number>| it.as_ref().map(ToString::to_string);
        let upper = self.bounds.upper.iter().map(|(count, least)| {
            json!([count, least.iter().map(Polynomial::json).collect::<Value>()])
        });
        let lower = self.bounds.lower.iter().map(|(rule, (apart, bound))| {
            (rule.clone(), json!([apart.as_ref().map(Polynomial::json), bound.json()]))
        });
        json!({
            "verdict": self.verdict, "upper": upper.collect::<Value>(),
            "lower": lower.collect::<serde_json::Map<_, _>>(),
            "above": text(&self.above), "below": text(&self.below),
        })
    }
}

/// Powers as JSON, by their fractions.
fn written(of: &Powers) -> Value {
    let all: serde_json::Map<String, Value> =
        of.iter().map(|(atom, power)| (atom.clone(), json!(power.to_string()))).collect();
    all.into()
}

fn read(of: &Value, setting: &Setting) -> Option<Powers> {
    let powers = of.as_object()?.iter().map(|(atom, power)| {
        setting.least(atom, true)?;
        Some((atom.clone(), number(power).filter(|it| !it.is_zero())?))
    });
    powers.collect()
}

impl Claim {
    /// As JSON.
    pub fn json(&self) -> Value {
        let terms: Value = self.terms.iter().map(written).collect();
        let assumed: Value =
            self.assumed.iter().map(|it| json!(it.each_ref().map(written))).collect();
        json!({ "relation": self.relation, "terms": terms, "assumed": assumed })
    }

    /// From JSON.
    ///
    /// # Errors
    /// What is no claim.
    pub fn read(of: &Value, setting: &Setting) -> Result<Self, Refusal> {
        let wrong = || Refusal::new("`claim` is none");
        let list = |name: &str| of[name].as_array().cloned().unwrap_or_default();
        let terms = list("terms").iter().map(|it| read(it, setting)).collect::<Option<Vec<_>>>();
        let pair = |it: &Value| Some([read(&it[0], setting)?, read(&it[1], setting)?]);
        let assumed = list("assumed").iter().map(pair).collect::<Option<Vec<_>>>();
        let relation = of["relation"].as_str().unwrap_or_default().to_owned();
        let claim =
            Self { relation, terms: terms.ok_or_else(wrong)?, assumed: assumed.ok_or_else(wrong)? };
        let is_known = ["O", "Ω", "Θ"].contains(&claim.relation.as_str());
        if !is_known || claim.terms.is_empty() || claim.json() != *of {
            return Err(wrong());
        }
        Ok(claim)
    }
}

/// From the sums of a run to what is claimed of it.
///
/// # Errors
/// An answer that does not hold.
pub fn settle(
    setting: &Setting,
    claim: Option<&Claim>,
    bounds: &Bounds,
    source: &mut dyn Source,
) -> Result<Statement, Refusal> {
    let mut found =
        Statement { verdict: "bounds", bounds: bounds.clone(), above: None, below: None };
    let Some(claim) = claim else { return Ok(found) };
    let check = Check { setting, claim, bounds };
    found.verdict = "proved";
    for above in [true, false] {
        if claim.relation == if above { "Ω" } else { "O" } {
            continue;
        }
        let answer = source.answer(&Question::Claim(Wanted { above, claim, bounds }))?;
        let is_one = answer.as_object().is_some_and(|it| it.len() == 1);
        let no = || Refusal::new("what it says of the claim does not hold");
        let held = match (is_one, answer.get("refuted"), above) {
            (true, Some(it), true) => check.outgrown(it, source).map(|()| None),
            (true, Some(it), false) => check.outgrows(it).map(|()| None),
            (true, None, true) => check.above(&answer["proved"]).map(Some),
            (true, None, false) => check.below(&answer["proved"], source).map(Some),
            (false, ..) => None,
        };
        match held.ok_or_else(no)? {
            None => {
                found.verdict = "refuted";
                return Ok(found);
            }
            constant if above => found.above = constant,
            constant => found.below = constant,
        }
    }
    Ok(found)
}

struct Check<'a> {
    setting: &'a Setting,
    claim: &'a Claim,
    bounds: &'a Bounds,
}

/// ⌈log₂ n⌉ ≤ 35·n^(1/64).
const LOG_OVER_ROOT: i64 = 35;
const POWER_OF_LOG: i64 = 64;

impl Check<'_> {
    /// By how much the left is smaller than the right at most, as monomials: `rows` are what is known to be at
    /// least 1 within a constant, `slack` what is left over. The two must be equal with them.
    fn factor(&self, left: &Powers, right: &Powers, of: &Value) -> Option<Number> {
        let mut sum = left.clone();
        let mut add = |powers: &Powers, times: &Number| {
            for (atom, power) in powers {
                *sum.entry(atom.clone()).or_insert_with(Number::zero) += power * times;
            }
        };
        let mut factor = Number::one();
        for row in of["rows"].as_array()? {
            let [which, times] = &row.as_array()?[..] else { return None };
            let times = number(times).filter(Signed::is_positive)?;
            if let Some(size) = which.as_str() {
                add(&Powers::from([(size.to_owned(), whole(1))]), &times);
                add(&Powers::from([(self.setting.log(size)?, whole(-POWER_OF_LOG))]), &times);
                let power = (&times * whole(POWER_OF_LOG)).ceil().to_integer().to_u32()?;
                factor *= Number::from_integer(
                    num_bigint::BigInt::from(LOG_OVER_ROOT).pow(power.min(1 << 16)),
                );
            } else {
                let [more, less] =
                    self.claim.assumed.get(usize::try_from(which.as_u64()?).ok()?)?;
                add(more, &times);
                add(less, &-&times);
            }
        }
        for (atom, more) in &read(&of["slack"], self.setting)? {
            more.is_positive().then_some(())?;
            add(&Powers::from([(atom.clone(), whole(1))]), more);
        }
        sum.retain(|_, it| !it.is_zero());
        (sum == *right).then_some(factor)
    }

    /// Weights that add up to 1, of numbered products, with their mean.
    fn mean(&self, of: &Value, all: &dyn Fn(usize) -> Option<Powers>) -> Option<Powers> {
        let (mut sum, mut mean) = (Number::zero(), Powers::new());
        for weight in of.as_array()? {
            let [at, weight] = &weight.as_array()?[..] else { return None };
            let weight = number(weight).filter(Signed::is_positive)?;
            add(&mut mean, &all(usize::try_from(at.as_u64()?).ok()?)?, &weight);
            sum += weight;
        }
        sum.is_one().then_some(mean)
    }

    /// Each part is so many times the least of some of its sums. However one monomial of each is picked, a mean
    /// of these is no more than a mean of the claim's terms.
    fn above(&self, of: &Value) -> Option<Number> {
        let parts = &self.bounds.upper;
        let proofs = of.as_array().filter(|it| it.len() == parts.len())?;
        let mut constant = Number::zero();
        for ((count, sums), proof) in parts.iter().zip(proofs) {
            let [chosen, steps] = &proof.as_array()?[..] else { return None };
            let chosen: Vec<usize> = serde_json::from_value(chosen.clone()).ok()?;
            let mut picks: Vec<Vec<Powers>> = vec![vec![]];
            let mut most = Number::zero();
            for at in &chosen {
                let sum = sums.get(*at)?;
                let positive: Vec<_> = sum.0.iter().filter(|it| it.1.is_positive()).collect();
                most = most.max(positive.iter().map(|it| it.1).sum());
                let with = |pick: &Vec<Powers>| -> Vec<Vec<Powers>> {
                    positive.iter().map(|it| [&pick[..], &[powers(it.0)]].concat()).collect()
                };
                picks = picks.iter().flat_map(with).collect();
            }
            let steps = steps.as_array()?;
            (steps.len() == picks.len() && !chosen.is_empty()).then_some(())?;
            let mut factor = Number::zero();
            for (pick, step) in picks.iter().zip(steps) {
                let left = self.mean(&step["of"], &|at| pick.get(at).cloned())?;
                let right = self.mean(&step["below"], &|at| self.claim.terms.get(at).cloned())?;
                (step.as_object()?.len() == 4).then_some(())?;
                factor = factor.max(self.factor(&left, &right, step)?);
            }
            constant += whole(*count) * most * factor;
        }
        Some(constant)
    }

    /// Each of the claim's terms is no more than a weighted mean of monomials below lower bounds.
    fn below(&self, of: &Value, source: &mut dyn Source) -> Option<Number> {
        let terms = &self.claim.terms;
        let steps = of.as_array().filter(|it| it.len() == terms.len())?;
        let mut constant: Option<Number> = None;
        for (term, step) in terms.iter().zip(steps) {
            let mut sum = Number::zero();
            let mut mean = Powers::new();
            let mut least: Option<Number> = None;
            for part in step["bounds"].as_array()? {
                let [weight, rest @ ..] = &part.as_array()?[..] else { return None };
                let (held, width) = rest.split_at_checked(4)?;
                let (monomial, coefficient, apart) = self.held(held, source)?;
                match (apart, width) {
                    (None, []) => {}
                    (Some(by), [why]) => self.is_as_wide(by, why)?,
                    _ => return None,
                }
                let weight = number(weight).filter(Signed::is_positive)?;
                add(&mut mean, &powers(&monomial), &weight);
                sum += weight;
                least = Some(least.map_or(coefficient.clone(), |it| it.min(coefficient)));
            }
            (sum.is_one() && step.as_object()?.len() == 3).then_some(())?;
            let own = least? / self.factor(term, &mean, step)?;
            constant = Some(constant.map_or(own.clone(), |it| it.min(own)));
        }
        Some(constant? / whole(terms.len().to_i64()?))
    }

    /// What is assumed says that w is no more than a product of sizes.
    fn is_as_wide(&self, by: &Polynomial, why: &Value) -> Option<()> {
        let (by, coefficient) = by.single()?;
        let width = Powers::from([("@w".to_owned(), whole(1))]);
        let factor = self.factor(&width, &powers(by), why)?;
        (factor.is_one() && *coefficient >= whole(1) && why.as_object()?.len() == 2).then_some(())
    }

    /// `[rule, monomial, coefficient, why]`: a lower bound is at least so many times the monomial.
    fn held(
        &self,
        of: &[Value],
        source: &mut dyn Source,
    ) -> Option<(Monomial, Number, Option<&Polynomial>)> {
        let [rule, powers, coefficient, why] = of else { return None };
        let (apart, bound) = self.bounds.lower.get(rule.as_str()?)?;
        let monomial = monomial(powers)?;
        let coefficient = number(coefficient).filter(Signed::is_positive)?;
        let rest = bound.minus(&Polynomial::term(monomial.clone(), coefficient.clone()));
        let is_held = Sums::new(self.setting, source).holds(&rest, &[], why, false);
        is_held.then_some((monomial, coefficient, apart.as_ref()))
    }

    /// How fast a product grows in a direction: its power, then that of logarithms, which are less than any.
    fn speed(&self, of: &Powers, direction: &Powers) -> [Number; 2] {
        let mut speed = [Number::zero(), Number::zero()];
        for (atom, power) in of {
            for [size, log] in self.setting.sizes() {
                if let Some(by) = direction.get(&size) {
                    speed[0] += if *atom == size { power * by } else { Number::zero() };
                    speed[1] += if *atom == log { power.clone() } else { Number::zero() };
                }
            }
        }
        speed
    }

    /// The powers of products in a direction, as a certificate repeats them.
    fn speeds(&self, of: &[Powers], direction: &Powers) -> Value {
        of.iter().map(|it| json!(self.speed(it, direction)[0].to_string())).collect()
    }

    /// Sizes that grow as powers of one number, in a direction that what is assumed allows.
    fn direction(&self, of: &Value) -> Option<Powers> {
        let direction = read(of, self.setting)?;
        let is_size = |atom: &String| self.setting.log(atom).is_some();
        direction.iter().all(|(atom, it)| is_size(atom) && it.is_positive()).then_some(())?;
        let allows = |[more, less]: &[Powers; 2]| {
            self.speed(more, &direction) >= self.speed(less, &direction)
        };
        self.claim.assumed.iter().all(allows).then_some(direction)
    }

    /// A lower bound grows faster than each of the claim's terms.
    fn outgrown(&self, of: &Value, source: &mut dyn Source) -> Option<()> {
        let direction = self.direction(&of["direction"])?;
        let (monomial, _, apart) = self.held(of["bound"].as_array()?, source)?;
        // What must be at least w outgrows it.
        let width = self.speed(&Powers::from([("@w".to_owned(), whole(1))]), &direction);
        let grows = |it: &Polynomial| {
            it.single().is_some_and(|it| self.speed(&powers(it.0), &direction) > width)
        };
        apart.is_none_or(grows).then_some(())?;
        let own = self.speed(&powers(&monomial), &direction);
        let is_slower = |it: &Powers| self.speed(it, &direction) < own;
        let all = [&[powers(&monomial)][..], &self.claim.terms].concat();
        let is_written = of["speeds"] == self.speeds(&all, &direction);
        let is_held = self.claim.terms.iter().all(is_slower) && is_written;
        (is_held && of.as_object()?.len() == 3).then_some(())
    }

    /// One of the claim's terms grows faster than the upper bound, as all parameters grow.
    fn outgrows(&self, of: &Value) -> Option<()> {
        let direction = self.direction(&of["direction"])?;
        let grows = |it: &[String; 2]| it[0].starts_with('@') || direction.contains_key(&it[0]);
        self.setting.sizes().iter().all(grows).then_some(())?;
        let term = self.claim.terms.get(usize::try_from(of["term"].as_u64()?).ok()?)?;
        let own = self.speed(term, &direction);
        let is_slower = |sum: &Polynomial| {
            let mut positive = sum.0.iter().filter(|it| it.1.is_positive());
            positive.all(|(it, _)| self.speed(&powers(it), &direction) < own)
        };
        let is_below = |part: &(i64, Vec<Polynomial>)| part.1.iter().any(is_slower);
        let sums = self.bounds.upper.iter().flat_map(|it| &it.1).flat_map(|it| &it.0);
        let positive = sums.filter(|it| it.1.is_positive()).map(|it| powers(it.0));
        let all: Vec<Powers> = [term.clone()].into_iter().chain(positive).collect();
        let is_written = of["speeds"] == self.speeds(&all, &direction);
        let is_held = self.bounds.upper.iter().all(is_below) && is_written;
        (is_held && of.as_object()?.len() == 3).then_some(())
    }
}

fn add(sum: &mut Powers, powers: &Powers, times: &Number) {
    for (atom, power) in powers {
        *sum.entry(atom.clone()).or_insert_with(Number::zero) += power * times;
    }
    sum.retain(|_, it| !it.is_zero());
}

/// A monomial's powers.
pub fn powers(of: &Monomial) -> Powers {
    of.iter().map(|(atom, power)| (atom.clone(), whole(*power))).collect()
}
