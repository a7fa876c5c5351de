//! Runs along a ray, on which sizes grow: they show how far time and claim go apart, and decide nothing.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use super::course::course;
use super::judge::Judge;
use super::{Witness, WitnessPoint};
use crate::Case;
use memory_machine_core::language::oblivious::{Origin, first_dependence};
use memory_machine_core::machine::Dmms;
use memory_machine_core::units::{Latency, Threads, Width};
use memory_machine_fit::Expression;
use memory_machine_theory::derive::Sizes;
use memory_machine_theory::derive::claim::{Contradiction, Direction, Powers};
use memory_machine_theory::derive::polynomial::Size;

/// Sizes at which a ray begins: parameters, and what a machine has.
const FIRST: u64 = 16;
const FIRST_THREADS: u64 = 8;
const FIRST_WIDTH: u64 = 4;
const FIRST_OF_MACHINE: u64 = 2;
const FIRST_OTHER: u64 = 64;
/// Where a size ends.
const LAST_POWER: f64 = 44.0;
/// What the ratio must grow by before a ray is left; more where nothing is proved of it.
const GROWN: f64 = 8.0;
const GROWN_UNPROVED: f64 = 64.0;
/// Runs of a ray, how long they may take, and how many accesses they may execute where they are not counted.
const MOST_RUNS: i32 = 24;
const LONGEST: Duration = Duration::from_millis(600);
const MOST_ACCESSES: u128 = 1 << 21;
/// How long all rays may take on which nothing is proved.
const LONGEST_SEARCH: Duration = Duration::from_millis(2500);
/// This many doublings that change the ratio by less than this factor end a ray on which nothing is expected.
const FLAT_RUNS: usize = 6;
const FLAT: f64 = 1.01;

/// A direction in which to run.
pub(super) struct Ray {
    pub(super) direction: Direction,
    /// Whether the time is expected to leave the claim behind, rather than the claim the time.
    pub(super) upper: bool,
    /// Added to parameters.
    pub(super) offset: u64,
    /// The lower bound that is proved to leave the claim behind.
    pub(super) bound: Option<usize>,
    /// Whether the ratio is expected to grow.
    pub(super) is_expected: bool,
}

/// What a size is after some steps along a ray.
struct Grown<'a> {
    ray: &'a Ray,
    most: BigRational,
    step: i32,
}

impl Grown<'_> {
    fn size(&self, size: Size, first: u64) -> Option<u64> {
        let power = self.ray.direction.get(&size).cloned().unwrap_or_else(BigRational::zero);
        let power = (power / &self.most).to_f64()? * f64::from(self.step);
        (power < LAST_POWER).then(|| first << (power.round() as u32))
    }
}

impl Judge<'_> {
    /// The witness of a contradiction.
    pub(super) fn witness(&self, contradiction: &Contradiction) -> Witness {
        let Contradiction { bound, direction, offset } = contradiction.clone();
        let upper = bound.is_some();
        self.walk(&Ray { direction, upper, offset, bound, is_expected: true })
    }

    /// The ray on which time and claim go apart most, among what may show it.
    pub(super) fn search(&self, upper: bool, expected: Option<&Direction>) -> Option<Witness> {
        let begun = Instant::now();
        let ray = |direction: Direction, is_expected| Ray {
            direction,
            upper,
            offset: 0,
            bound: None,
            is_expected,
        };
        let common = self.common_rays().into_iter().map(|it| ray(it, false));
        let rays = expected.cloned().map(|it| ray(it, true)).into_iter().chain(common);
        let mut found: Option<Witness> = None;
        for ray in rays {
            if begun.elapsed() > LONGEST_SEARCH {
                break;
            }
            let witness = self.walk(&ray);
            let is_more = found.as_ref().is_none_or(|it| it.growth < witness.growth);
            if witness.points.len() >= 3 && is_more {
                found = Some(witness);
            }
        }
        found
    }

    /// Each size alone, and pairs.
    fn common_rays(&self) -> Vec<Direction> {
        // That is enough, and takes time enough.
        let is_common = |it: &Size| !matches!(it, Size::SharedLatency | Size::Resident);
        let machine = self
            .parsed
            .sizes(self.case.machine.kind, &self.bounded.names)
            .into_iter()
            .rev()
            .map(|it| it.0);
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
        rays.push(sizes.iter().map(|it| (*it, one())).collect());
        // Much is there for each of many threads, and warps are wide.
        let power = |it: &Size| (*it, if *it == Size::Width { one() } else { one() + one() });
        rays.push(sizes.iter().filter(|it| **it != Size::Latency).map(power).collect());
        rays.push(sizes.iter().map(power).collect());
        rays
    }

    /// Runs along a ray, from small sizes on.
    fn walk(&self, ray: &Ray) -> Witness {
        let begun = Instant::now();
        let most = ray.direction.values().max().cloned().unwrap_or_else(BigRational::zero);
        let enough = if ray.bound.is_some() { GROWN } else { GROWN_UNPROVED };
        let mut points: Vec<WitnessPoint> = vec![];
        let mut least: Option<f64> = None;
        let mut growth = 1.0;
        let mut executed = 0;
        for step in 0..MOST_RUNS {
            if begun.elapsed() > LONGEST || executed > MOST_ACCESSES {
                break;
            }
            let grown = Grown { ray, most: most.clone(), step };
            let Some((point, accesses)) = self.run(&grown) else { break };
            executed += accesses;
            let value = if ray.upper { point.ratio } else { 1.0 / point.ratio };
            least = Some(least.map_or(value, |it: f64| it.min(value)));
            points.push(point);
            growth = value / least.unwrap_or(value);
            if growth >= enough && points.len() > 4 || !ray.is_expected && is_flat(&points) {
                break;
            }
        }
        Witness { direction: self.described(&ray.direction), bound: None, points, growth }
    }

    /// A run, if it can be timed soon and what is assumed holds; and the accesses that were executed for it.
    fn run(&self, grown: &Grown<'_>) -> Option<(WitnessPoint, u128)> {
        let (case, sizes) = self.case_at(grown)?;
        let layout = case.layout().ok()?;
        // What is executed one by one must be small.
        let executed = first_dependence(&case.program, Origin::AnyArray).is_some();
        if executed && layout.words > 1 << 18 || layout.words > 1 << 44 {
            return None;
        }
        let at = self.bounded.sizes(&case, &layout.parameters);
        let conditions = grown.ray.bound.map(|it| &self.bounded.derived.lower[it].conditions);
        if conditions.is_some_and(|it| it.iter().any(|it| !it.holds(&at))) {
            return None;
        }
        let timed = case.time().ok()?;
        let (total, mut is_executed) = (timed.total(), timed.depends_on_values);
        let mut time = total.time_units.0;
        if let (Some(unit), Some(machine)) = (self.parsed.unit, &case.course) {
            let key = course(unit, 1, 1).1;
            // No more than may be executed at all.
            let cost = (total.accesses <= MOST_ACCESSES).then(|| case.cost_alone(machine));
            let (cost, is_counted) = cost?.ok()?;
            is_executed = !is_counted;
            time = cost.count(key)?;
        }
        let claimed = self.claimed(&at)?;
        let point = WitnessPoint { sizes, time_units: time, ratio: time as f64 / claimed };
        let accesses = if is_executed { total.accesses } else { 0 };
        (claimed > 0.0 && time > 0).then_some((point, accesses))
    }

    /// The listing where sizes are as far along a ray; `None` where what is assumed cannot hold.
    fn case_at(&self, grown: &Grown<'_>) -> Option<(Case, BTreeMap<String, u64>)> {
        let kind = self.case.machine.kind;
        let mut sizes: BTreeMap<String, u64> = BTreeMap::new();
        for (at, name) in self.bounded.names.iter().enumerate() {
            let value = match self.bounded.fixed[at] {
                Some(value) => u64::try_from(value).ok()?,
                None if self.bounded.exponents[at] => {
                    grown.size(Size::Parameter(at), FIRST)?.ilog2().into()
                }
                None => grown.size(Size::Parameter(at), FIRST)? + grown.ray.offset,
            };
            sizes.insert(name.clone(), value);
        }
        let of_claim = self.parsed.sizes(kind, &self.bounded.names);
        for &(size, name) in &of_claim {
            let first = match size {
                Size::Threads => FIRST_THREADS,
                Size::Width => FIRST_WIDTH,
                Size::Other => FIRST_OTHER,
                Size::Resident => 1,
                _ => FIRST_OF_MACHINE,
            };
            let value = grown.size(size, first)?;
            sizes.entry(name.to_owned()).or_insert(value);
        }
        self.assume(&mut sizes)?;
        let of = |size: Size| {
            let name = of_claim.iter().find(|it| it.0 == size);
            name.and_then(|it| sizes.get(it.1)).copied().unwrap_or(1)
        };
        let mut case = self.case.clone();
        for name in &self.bounded.names {
            case = case.set(name, i64::try_from(sizes[name]).ok()?);
        }
        case.threads = Threads::new(of(Size::Threads)).ok()?;
        case.machine.width = Width::new(of(Size::Width)).ok().filter(|it| it.get() <= 1 << 20)?;
        case.machine.latency = Latency::new(of(Size::Latency)).ok()?;
        if let Some(dmms) = case.machine.kind.dmms_mut() {
            let latency = Latency::new(of(Size::SharedLatency)).ok()?;
            *dmms = Dmms { number: of(Size::Dmms), latency, resident: of(Size::Resident) };
        }
        case.while_iterations = 1 << 20;
        if let Some(unit) = self.parsed.unit {
            let (machine, _) = course(unit, of(Size::Width), of(Size::Other));
            case = case.for_cost(&machine).ok()?;
        }
        Some((case, sizes))
    }

    /// Makes single sizes larger or smaller until all that is assumed holds.
    fn assume(&self, sizes: &mut BTreeMap<String, u64>) -> Option<()> {
        let assumed = &self.parsed.assumed;
        let sides = |[more, less]: &[Expression; 2], sizes: &BTreeMap<String, u64>| {
            let value = |name: &str| sizes.get(name).map(|it| *it as f64);
            Some((more.evaluate(&value).ok()?, less.evaluate(&value).ok()?))
        };
        for _ in 0..=assumed.len() {
            for pair in assumed {
                let (more, less) = sides(pair, sizes)?;
                if more >= less {
                    continue;
                }
                if let Some(size) = sizes.get_mut(&pair[0].to_string()) {
                    *size = less.ceil() as u64;
                } else if let Some(size) = sizes.get_mut(&pair[1].to_string()) {
                    *size = (more.floor() as u64).max(1);
                }
            }
        }
        let holds = |pair: &[Expression; 2]| Some(sides(pair, sizes)?).filter(|it| it.0 >= it.1);
        assumed.iter().map(holds).collect::<Option<Vec<_>>>().map(|_| ())
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
        let rest = rest.chain(
            self.parsed
                .sizes(self.case.machine.kind, &self.bounded.names)
                .into_iter()
                .map(|it| it.0),
        );
        let rest: Vec<String> =
            rest.filter(|it| !direction.contains_key(it)).map(|it| style.size(it)).collect();
        let fixed = if rest.is_empty() {
            String::new()
        } else {
            format!(" with {} fixed", rest.join(", "))
        };
        format!("let {} grow{fixed}", names.join(" and "))
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
