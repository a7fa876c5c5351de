//! From bounds to a verdict, with runs along a ray as witness or evidence.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::{DerivedBounds, Judged, Judgement, Witness, WitnessPoint, Written, size};
use crate::Case;
use memory_machine_core::language::oblivious::{Origin, first_dependence};
use memory_machine_core::machine::Dmms;
use memory_machine_core::units::{Latency, Threads, Width};
use memory_machine_theory::derive::claim::{
    self as theory, Claim, Direction, Finding, Powers, Relation,
};
use memory_machine_theory::derive::domain::value;
use memory_machine_theory::derive::polynomial::{Atom, Size};
use memory_machine_theory::derive::{Lower, Sizes};

/// Sizes at which a ray begins.
const FIRST: u64 = 16;
/// What the ratio must grow by before a ray is left.
const GROWN: f64 = 8.0;
/// Runs of a ray, and how long they may take in all. What is executed, not counted, ends with a number of
/// accesses instead: a verdict then is the same on any computer.
const MOST_RUNS: i32 = 24;
const LONGEST: Duration = Duration::from_millis(1500);
const MOST_ACCESSES: u128 = 1 << 21;
/// So many doublings that change the ratio by less than this factor end a ray on which nothing is expected.
const FLAT_RUNS: usize = 6;
const FLAT: f64 = 1.01;
/// Doublings after which a proven bound must have left the claim behind: sizes beyond all runs.
const FAR: [i32; 2] = [32, 64];
/// Growth without a proof counts from this factor on, if it goes on: the last pairs of steps make the ratio
/// so much larger, each by nearly the same factor, as a power does. What comes from a term that takes
/// over from another dies out.
const SHOWN: f64 = 16.0;
const GOES_ON: f64 = 1.6;
const STEADY: f64 = 1.15;

pub(super) struct Judge<'a> {
    pub(super) case: &'a Case,
    pub(super) bounded: &'a DerivedBounds,
    pub(super) written: &'a Written,
    pub(super) claim: &'a Claim,
}

impl Judge<'_> {
    pub(super) fn judge(&self) -> Judged {
        let derived = &self.bounded.derived;
        let upper = self.claim.relation != Relation::AtLeast;
        let lower = self.claim.relation != Relation::AtMost;
        let mut findings = vec![];
        if upper {
            findings.push((true, theory::at_most(derived, self.claim)));
        }
        if lower {
            findings.push((false, theory::at_least(derived, self.claim)));
        }
        let mut proof = vec![];
        let mut evidence: Option<Witness> = None;
        let mut open = false;
        for (upper, finding) in findings {
            let (bound, direction) = match finding {
                Finding::Proved(steps) if upper => {
                    proof.extend(self.proof_from_above(&steps));
                    continue;
                }
                Finding::Proved(_) => {
                    proof.extend(self.proof_from_below());
                    continue;
                }
                Finding::Refuted { bound, direction } => (Some(bound), Some(direction)),
                Finding::Open(direction) => (None, direction),
            };
            open = true;
            let proven = bound.is_some();
            let expected = direction.into_iter().map(|it| (it, true));
            let common = if proven { vec![] } else { self.common_rays() };
            for (ray, is_expected) in expected.chain(common.into_iter().map(|it| (it, false))) {
                let walked = self.walk(&ray, is_expected, upper, bound.flatten());
                let Some(mut witness) = walked else { continue };
                let outgrown = match bound {
                    Some(Some(at)) => self.outgrows(at, &ray),
                    Some(None) => witness.growth > 1.5,
                    None => false,
                };
                if outgrown || self.goes_on(&witness, upper) {
                    witness.bound = bound.map(|bound| self.bound(bound));
                    let verdict = Judgement::Refuted;
                    return Judged {
                        verdict,
                        proof: vec![],
                        witness: Some(witness),
                        evidence: None,
                    };
                }
                if evidence.as_ref().is_none_or(|it| it.growth < witness.growth) {
                    evidence = Some(witness);
                }
            }
        }
        let verdict = if open { Judgement::Open } else { Judgement::Proved };
        if open {
            proof.clear();
        }
        Judged { verdict, proof, witness: None, evidence }
    }

    fn bound(&self, bound: Option<usize>) -> String {
        match bound {
            Some(at) => {
                let lower = &self.bounded.derived.lower[at];
                let pieces = self.bounded.style(false).pieces(&lower.pieces);
                format!("time ≥ {pieces} ({})", lower.rule)
            }
            None => "the derived upper bound grows more slowly (umm bounds --derive)".to_owned(),
        }
    }

    /// A ray's growth that may be taken for endless although nothing is proven: large, and as fast at
    /// the end as before.
    fn goes_on(&self, witness: &Witness, upper: bool) -> bool {
        let ratios: Vec<f64> = witness.points.iter().map(|it| it.ratio).collect();
        let step = |of: &[f64]| if upper { of[2] / of[0] } else { of[0] / of[2] };
        let last: Vec<f64> = ratios.windows(3).rev().take(4).map(step).collect();
        let (least, most) = (
            last.iter().copied().fold(f64::INFINITY, f64::min),
            last.iter().copied().fold(0.0, f64::max),
        );
        witness.growth >= SHOWN && last.len() == 4 && least >= GOES_ON && most <= STEADY * least
    }

    /// Whether a lower bound leaves the claim behind along a direction: looked at where no run would
    /// end, so that lower terms do not matter.
    fn outgrows(&self, bound: usize, direction: &Direction) -> bool {
        let denominators = direction.values().map(|it| it.denom().clone());
        let scale = denominators.fold(BigInt::from(1), |all, it| all.lcm(&it));
        let ratio = |doublings: i32| {
            let power = |size: Size| {
                let power = direction.get(&size).cloned().unwrap_or_else(BigRational::zero);
                let power = power * BigRational::from_integer(scale.clone());
                // All sizes begin at 16.
                power.to_integer().to_i32().map(|it| 4 + it * doublings)
            };
            let of = |atom: Atom| match atom {
                Atom::Size(size) => Some(BigRational::from_integer(2.into()).pow(power(size)?)),
                Atom::Log(size) => Some(BigRational::from_integer(power(size)?.into())),
                Atom::Local(_) => None,
            };
            let lower = value(&self.bounded.derived.lower[bound].pieces, &of)?;
            // Logarithms, as numbers are huge; of the claim's terms the largest.
            let logarithm = |of: &BigRational| {
                of.is_positive().then(|| of.numer().bits() as f64 - of.denom().bits() as f64)
            };
            let term = |powers: &Powers| -> Option<f64> {
                let factor = |(atom, times): (&Atom, &BigRational)| {
                    let log = match atom {
                        Atom::Log(size) => f64::from(power(*size)?).log2(),
                        Atom::Size(size) => f64::from(power(*size)?),
                        Atom::Local(_) => return None,
                    };
                    Some(log * times.to_f64()?)
                };
                powers.iter().map(factor).sum()
            };
            let claimed: Option<Vec<f64>> = self.claim.terms.iter().map(term).collect();
            Some(logarithm(&lower)? - claimed?.into_iter().fold(f64::NEG_INFINITY, f64::max))
        };
        let [near, far] = FAR.map(ratio);
        // Grown by a half at least: a logarithm doubles here. Lengths in bits are off by 1 each.
        near.zip(far).is_some_and(|(near, far)| far > near + 0.5)
    }

    /// Each size alone, and pairs.
    fn common_rays(&self) -> Vec<Direction> {
        // That is enough, and takes time enough.
        let is_common = |it: &Size| !matches!(it, Size::SharedLatency | Size::Resident);
        let machine = Size::of_machine(self.case.machine.kind).iter().rev().copied();
        let mut sizes: Vec<Size> = machine.filter(is_common).collect();
        let open = self.bounded.fixed.iter().enumerate().filter(|(_, it)| it.is_none());
        sizes.extend(open.map(|(at, _)| Size::Parameter(at)));
        let one = || BigRational::from_integer(1.into());
        let mut rays: Vec<Direction> =
            sizes.iter().map(|it| Direction::from([(*it, one())])).collect();
        for (at, a) in sizes.iter().enumerate() {
            rays.extend(
                sizes[at + 1..].iter().map(|b| Direction::from([(*a, one()), (*b, one())])),
            );
        }
        // Much is there for each of many threads, and warps are wide.
        let power = |it: &Size| (*it, if *it == Size::Width { one() } else { one() + one() });
        rays.push(sizes.iter().filter(|it| **it != Size::Latency).map(power).collect());
        rays.push(sizes.iter().map(power).collect());
        rays
    }

    /// Runs along a direction, from small sizes on; `None` where there are fewer than three.
    fn walk(
        &self,
        direction: &Direction,
        is_expected: bool,
        upper: bool,
        bound: Option<usize>,
    ) -> Option<Witness> {
        let begun = Instant::now();
        let most = direction.values().max()?.clone();
        let offsets = if bound.is_some_and(|it| self.has_conditions(it)) { 0..8 } else { 0..1 };
        for offset in offsets {
            let mut points: Vec<WitnessPoint> = vec![];
            let mut least: Option<f64> = None;
            let mut growth = 1.0;
            let mut executed = 0;
            for step in 0..MOST_RUNS {
                if begun.elapsed() > LONGEST || executed > MOST_ACCESSES {
                    break;
                }
                let grown = |size: Size, first: u64| {
                    let power = direction.get(&size).cloned().unwrap_or_else(BigRational::zero);
                    let power = (power / &most).to_f64().unwrap_or(0.0) * f64::from(step);
                    (power < 44.0).then(|| first << (power.round() as u32))
                };
                let Some((point, accesses)) = self.run(&grown, offset, bound) else { break };
                executed += accesses;
                let value = if upper { point.ratio } else { 1.0 / point.ratio };
                least = Some(least.map_or(value, |it: f64| it.min(value)));
                points.push(point);
                growth = value / least.unwrap_or(value);
                if growth >= GROWN.max(if bound.is_none() { 64.0 } else { 0.0 }) && points.len() > 4
                {
                    break;
                }
                if !is_expected && is_flat(&points) {
                    break;
                }
            }
            if points.len() >= 3 {
                let direction = self.described(direction);
                return Some(Witness { direction, bound: None, points, growth });
            }
        }
        None
    }

    fn has_conditions(&self, bound: usize) -> bool {
        !self.bounded.derived.lower[bound].conditions.is_empty()
    }

    /// A run, if it can be timed soon and what is assumed holds; and the accesses that were executed for it.
    fn run(
        &self,
        grown: &dyn Fn(Size, u64) -> Option<u64>,
        offset: u64,
        bound: Option<usize>,
    ) -> Option<(WitnessPoint, u128)> {
        let threads = grown(Size::Threads, 8)?;
        let mut case = self.case.clone();
        let mut sizes = BTreeMap::new();
        for (at, name) in self.bounded.names.iter().enumerate() {
            let value = match self.bounded.fixed[at] {
                Some(value) => value,
                None => i64::try_from(grown(Size::Parameter(at), FIRST)? + offset).ok()?,
            };
            case = case.set(name, value);
            sizes.insert(name.clone(), u64::try_from(value).ok()?);
        }
        case.threads = Threads::new(threads).ok()?;
        let width = Width::new(grown(Size::Width, 4)?).ok();
        case.machine.width = width.filter(|it| it.get() <= 1 << 20)?;
        case.machine.latency = Latency::new(grown(Size::Latency, 2)?).ok()?;
        if let Some(dmms) = case.machine.kind.dmms_mut() {
            let latency = Latency::new(grown(Size::SharedLatency, 2)?).ok()?;
            let (number, resident) = (grown(Size::Dmms, 2)?, grown(Size::Resident, 1)?);
            *dmms = Dmms { number, latency, resident };
        }
        let layout = case.layout().ok()?;
        // What is executed one by one must be small.
        let executed = first_dependence(&case.program, Origin::AnyArray).is_some();
        if executed && layout.words > 1 << 18 || layout.words > 1 << 44 {
            return None;
        }
        case.while_iterations = 1 << 20;
        let (kind, machine) = (case.machine.kind, case.machine);
        let at = Sizes { parameters: &layout.parameters, threads, machine };
        let conditions = bound.map(|it| &self.bounded.derived.lower[it].conditions);
        if conditions.is_some_and(|it| it.iter().any(|it| !it.holds(&at))) {
            return None;
        }
        let value = |name: &str| at.of(Atom::Size(size(&case.program, kind, name)?))?.to_f64();
        for [more, less] in &self.written.assumed {
            if more.evaluate(&value).ok()? < less.evaluate(&value).ok()? {
                return None;
            }
        }
        let timed = case.time().ok()?;
        let (total, is_executed) = (timed.total(), timed.depends_on_values);
        let time = total.time_units.0;
        let claimed = self.claimed(&at)?;
        for &size in Size::of_machine(kind) {
            let value = at.of(Atom::Size(size))?.to_integer().to_u64()?;
            sizes.entry(size.name(&[]).to_owned()).or_insert(value);
        }
        let point = WitnessPoint { sizes, time_units: time, ratio: time as f64 / claimed };
        let accesses = if is_executed { total.accesses } else { 0 };
        (claimed > 0.0 && time > 0).then_some((point, accesses))
    }

    /// The claim's sum, its terms without coefficients.
    fn claimed(&self, at: &Sizes<'_>) -> Option<f64> {
        let term = |powers: &Powers| {
            powers.iter().try_fold(1.0, |product, (atom, power)| {
                Some(product * at.of(*atom)?.to_f64()?.powf(power.to_f64()?))
            })
        };
        self.claim.terms.iter().map(term).sum()
    }

    fn described(&self, direction: &Direction) -> String {
        let style = self.bounded.style(false);
        let least = direction.values().min().cloned().unwrap_or_else(BigRational::zero);
        let grow = |(size, power): (&Size, &BigRational)| {
            let power = power / &least;
            let name = style.size(*size);
            if power == BigRational::from_integer(1.into()) {
                name.to_owned()
            } else {
                format!("{name} as its power {power}")
            }
        };
        let names: Vec<String> = direction.iter().map(grow).collect();
        let rest = self.bounded.names.iter().enumerate().map(|(at, _)| Size::Parameter(at));
        let rest = rest.chain(Size::of_machine(self.case.machine.kind).iter().copied());
        let rest: Vec<&str> =
            rest.filter(|it| !direction.contains_key(it)).map(|it| style.size(it)).collect();
        let fixed = if rest.is_empty() {
            String::new()
        } else {
            format!(" with {} fixed", rest.join(", "))
        };
        format!("let {} grow{fixed}", names.join(" and "))
    }

    /// The steps of an O's proof as lines.
    fn proof_from_above(&self, steps: &[theory::ProofStep]) -> Vec<String> {
        let style = self.bounded.style(false);
        let one = BigRational::from_integer(1.into());
        let claimed: Vec<String> = self.claim.terms.iter().map(|it| style.powers(it)).collect();
        let weighted = |(at, weight): &(usize, BigRational)| {
            let term = &claimed[*at];
            if *weight == one { term.clone() } else { format!("({term})^({weight})") }
        };
        let line = |step: &theory::ProofStep| {
            let monomials: Vec<String> =
                step.monomials.iter().map(|it| style.term(it, &one)).collect();
            let left = match &monomials[..] {
                [one] => one.clone(),
                several => format!("min({})", several.join(", ")),
            };
            let right: Vec<String> = step.below.iter().map(weighted).collect();
            format!("{left} ≤ {}", right.join("·"))
        };
        steps.iter().map(line).collect()
    }

    /// The bounds that an Ω rests on.
    fn proof_from_below(&self) -> Vec<String> {
        let style = self.bounded.style(false);
        let lower = self.bounded.derived.lower.iter().filter(|it| it.conditions.is_empty());
        let line = |it: &Lower| format!("time ≥ {} ({})", style.pieces(&it.pieces), it.rule);
        let claimed = style.order(&self.claim.terms);
        let all = format!("their largest is Ω({claimed}) in every direction");
        lower.map(line).chain([all]).collect()
    }
}

fn is_flat(points: &[WitnessPoint]) -> bool {
    let Some(last) = points.len().checked_sub(FLAT_RUNS + 1).map(|it| &points[it..]) else {
        return false;
    };
    let (least, most) = last.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), it| {
        (least.min(it.ratio), most.max(it.ratio))
    });
    most <= FLAT * least
}
