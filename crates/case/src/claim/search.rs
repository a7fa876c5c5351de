//! Answers to what a checker of certificates asks, found by linear programs.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use serde_json::{Value, json};

use memory_machine_theory::derive::linear::{Row, least};
use memory_machine_verify::polynomial::{self, Monomial, Polynomial, whole};
use memory_machine_verify::{Question, Refusal, Setting, Source};

/// More products than this are not put into one program.
const MOST_PRODUCTS: usize = 700;
/// More candidates than this are not tried.
const MOST_CANDIDATES: usize = 24;

/// Searches for answers and keeps them.
pub(super) struct Search<'a> {
    pub(super) setting: &'a Setting,
    /// All answers, in the order of the questions.
    pub(super) steps: Vec<Value>,
}

/// A product of facts and sizes, none of which is negative.
struct Product {
    monomial: Monomial,
    factors: Vec<Value>,
    value: Polynomial,
}

impl Source for Search<'_> {
    fn answer(&mut self, question: &Question<'_>) -> Result<Value, Refusal> {
        let answer = match question {
            Question::Prove { of, facts, up } => {
                self.prove(of, facts, *up).unwrap_or(Value::Bool(false))
            }
            Question::Sum { sum, room, facts, outer, gone, up } => {
                let exact = room.and_then(|it| self.prove(it, outer, *up));
                match exact {
                    Some(why) => json!({ "exact": why }),
                    None if *up => {
                        let found = self.bound(sum, [outer, facts], gone, true);
                        found.map_or(json!({ "sum": null }), |mut it| {
                            json!({ "sum": it["at"].take(), "by": it["by"], "positive": it["positive"] })
                        })
                    }
                    None => json!({ "sum": null }),
                }
            }
            Question::Without { of, facts, outer, gone, up } => {
                self.bound(of, [outer, facts], gone, *up).unwrap_or_default()
            }
            Question::Least { of, facts } => {
                self.least(of, facts).unwrap_or(json!({ "least": null }))
            }
            Question::Claim(wanted) => {
                let found = if wanted.above { self.above(wanted) } else { self.below(wanted) };
                found.ok_or_else(|| {
                    let why = "there is no certificate of this verdict yet: the sums that are certified, \
                               which have no least of several, do not decide it";
                    Refusal::new(why)
                })?
            }
        };
        self.steps.push(answer.clone());
        Ok(answer)
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(setting: &'a Setting) -> Self {
        Self { setting, steps: vec![] }
    }

    /// Why a polynomial is not negative: products of ever more facts.
    pub(super) fn prove(&self, of: &Polynomial, facts: &[Polynomial], up: bool) -> Option<Value> {
        if of.0.is_empty() {
            return Some(json!([]));
        }
        let mut least_powers = Monomial::new();
        for (atom, power) in of.0.keys().flatten().filter(|it| *it.1 < 0) {
            let entry = least_powers.entry(atom.clone()).or_default();
            *entry = (*entry).min(*power);
        }
        let inverse = least_powers.iter().map(|(atom, power)| (atom.clone(), -power)).collect();
        let whole_of = of.times(&Polynomial::term(inverse, whole(1)));
        let nearly_one = BigRational::new(999.into(), 1000.into());
        let nearly = whole_of.plus(&Polynomial::term(Monomial::new(), nearly_one));
        let targets = [Some(&whole_of), Some(&nearly).filter(|_| of.is_integral())];
        (1..=degree(&whole_of).clamp(1, 4)).find_map(|depth| {
            let products = self.products(&whole_of, facts, up, depth);
            targets
                .into_iter()
                .flatten()
                .find_map(|target| self.combine(target, &products, &least_powers))
        })
    }

    /// Products of at most so many facts, of no more degree than what is to be proved.
    fn products(
        &self,
        of: &Polynomial,
        facts: &[Polynomial],
        up: bool,
        depth: i64,
    ) -> Vec<Product> {
        let most = degree(of);
        let own: BTreeSet<&String> = of.atoms().collect();
        let mut relevant: BTreeSet<String> = own.iter().map(|it| (*it).clone()).collect();
        let mut chosen = vec![false; facts.len()];
        // Facts that share an atom with the polynomial, or with such a fact.
        for _ in 0..facts.len() {
            let more = (0..facts.len()).find(|&at| {
                !chosen[at] && facts[at].atoms().any(|it| it.contains('.') && relevant.contains(it))
            });
            let Some(at) = more else { break };
            chosen[at] = true;
            relevant.extend(facts[at].atoms().cloned());
        }
        let size_free = |it: &Polynomial| !it.atoms().any(|it| it.contains('.'));
        let sizes: Vec<&String> =
            relevant.iter().filter(|it| self.setting.least(it, up).is_some()).collect();
        let mut basic: Vec<(Value, Polynomial)> = sizes
            .iter()
            .map(|size| {
                let least = Polynomial::constant(self.setting.least(size, up).unwrap_or(1));
                (json!(size), Polynomial::atom(size).minus(&least))
            })
            .collect();
        for (at, fact) in facts.iter().enumerate() {
            if chosen[at] || size_free(fact) {
                basic.push((json!(at), fact.clone()));
            }
        }
        let one =
            Product { monomial: Monomial::new(), factors: vec![], value: Polynomial::constant(1) };
        let mut all = vec![one];
        let mut begin = 0;
        for _ in 0..depth {
            let end = all.len();
            for at in begin..end {
                for (name, fact) in &basic {
                    // In one order only.
                    let rank = |it: &Value| basic.iter().position(|other| other.0 == *it);
                    if all[at].factors.last().is_some_and(|it| rank(it) > rank(name)) {
                        continue;
                    }
                    let value = all[at].value.times(fact);
                    if degree(&value) <= most.max(1) && all.len() < MOST_PRODUCTS {
                        let factors = [&all[at].factors[..], std::slice::from_ref(name)].concat();
                        all.push(Product { monomial: Monomial::new(), factors, value });
                    }
                }
            }
            begin = end;
        }
        // Times sizes that the polynomial has.
        let of_sizes: Vec<&&String> = sizes.iter().filter(|it| own.contains(**it)).collect();
        let mut begin = 0;
        for _ in 1..most {
            let end = all.len();
            for at in begin..end {
                for size in &of_sizes {
                    let is_later =
                        all[at].monomial.keys().next_back().is_none_or(|it| it <= **size);
                    let value = all[at].value.times(&Polynomial::atom(size));
                    if is_later && degree(&value) <= most && all.len() < MOST_PRODUCTS {
                        let mut monomial = all[at].monomial.clone();
                        *monomial.entry((**size).clone()).or_default() += 1;
                        all.push(Product { monomial, factors: all[at].factors.clone(), value });
                    }
                }
            }
            begin = end;
        }
        all
    }

    /// The polynomial as a sum of products, none negative, if it is one.
    fn combine(&self, of: &Polynomial, products: &[Product], times: &Monomial) -> Option<Value> {
        let mut rows: BTreeMap<&Monomial, Vec<(usize, BigRational)>> = BTreeMap::new();
        for monomial in of.0.keys() {
            rows.entry(monomial).or_default();
        }
        for (at, product) in products.iter().enumerate() {
            for (monomial, coefficient) in &product.value.0 {
                rows.entry(monomial).or_default().push((at, coefficient.clone()));
            }
        }
        let is_of_sizes =
            |it: &Monomial| it.keys().all(|it| self.setting.least(it, true).is_some());
        let mut program = vec![];
        for (monomial, factors) in &rows {
            let right = of.0.get(*monomial).cloned().unwrap_or_else(BigRational::zero);
            let mut dense = vec![BigRational::zero(); products.len()];
            factors.iter().for_each(|(at, it)| dense[*at] = it.clone());
            program.push(Row::of(&dense, &right));
            if !is_of_sizes(monomial) {
                let opposite: Vec<_> = dense.iter().map(|it| -it).collect();
                program.push(Row::of(&opposite, &-right));
            }
        }
        let found = least(&program, &vec![BigInt::zero(); products.len()])?;
        let mut rest = of.clone();
        let mut terms = vec![];
        let mut term = |monomial: &Monomial, factors: &[Value], times_so: &BigRational| {
            let mut all = monomial.clone();
            for (atom, power) in times {
                *all.entry(atom.clone()).or_default() += power;
            }
            all.retain(|_, power| *power != 0);
            terms.push(json!([times_so.to_string(), polynomial::powers(&all), factors]));
        };
        for (product, weight) in products.iter().zip(&found).filter(|it| it.1.is_positive()) {
            // A product that is a number is left to the rest.
            if product.factors.is_empty() {
                continue;
            }
            rest = rest.minus(&product.value.scale(weight));
            term(&product.monomial, &product.factors, weight);
        }
        rest.0.values().all(Signed::is_positive).then_some(())?;
        rest.0.keys().all(is_of_sizes).then_some(())?;
        rest.0.iter().for_each(|(monomial, it)| term(monomial, &[], it));
        Some(terms.into())
    }

    /// A bound without some atoms, with its proof: these are replaced by their ends.
    fn bound(
        &self,
        of: &Polynomial,
        [outer, facts]: [&[Polynomial]; 2],
        gone: &[String],
        up: bool,
    ) -> Option<Value> {
        let mut candidates = vec![of.clone()];
        // The innermost last, and the first iteration behind it.
        for atom in gone.iter().rev() {
            let ends = self.ends(atom, facts);
            let mut next: Vec<Polynomial> = vec![];
            for candidate in candidates {
                if !candidate.mentions(atom) {
                    next.push(candidate);
                    continue;
                }
                for low in &ends[0] {
                    for high in &ends[1] {
                        next.extend(between(&candidate, atom, [low, high], up));
                    }
                }
            }
            next.sort_by(|a, b| large(a).total_cmp(&large(b)));
            next.dedup();
            if !up {
                next.reverse();
            }
            next.truncate(MOST_CANDIDATES);
            candidates = next;
        }
        candidates.iter().filter(|it| !it.atoms().any(|it| gone.contains(it))).find_map(|it| {
            let positive = Polynomial(
                it.0.iter()
                    .filter(|it| it.1.is_positive())
                    .map(|(a, b)| (a.clone(), b.clone()))
                    .collect(),
            );
            let one = Polynomial::constant(1);
            let tries = [it.clone(), it.plus(&one), positive.clone(), positive.plus(&one)];
            tries.iter().find_map(|value| {
                let rest = if up { value.minus(of) } else { of.minus(value) };
                let why = self.prove(&rest, facts, up)?;
                if !up {
                    return Some(json!({ "at": value.json(), "by": why }));
                }
                let positive = self.prove(value, outer, up)?;
                Some(json!({ "at": value.json(), "by": why, "positive": positive }))
            })
        })
    }

    /// One of several, or of two with a + b ≤ n (or 2n) the product over n (or 2n): it is no more than either.
    fn least(&self, of: &[Polynomial], facts: &[Polynomial]) -> Option<Value> {
        let own = self.setting.sizes().into_iter().filter(|it| !it[0].starts_with('@'));
        let sizes: Vec<Polynomial> = own.map(|[size, _]| Polynomial::power(&size, -1)).collect();
        let mut products = vec![];
        for (at, a) in of.iter().enumerate() {
            for b in of[at + 1..].iter().filter(|it| *it != a) {
                for part in [1, 2] {
                    let by = whole(part).recip();
                    products.extend(sizes.iter().map(|it| a.times(b).times(it).scale(&by)));
                }
            }
        }
        products.truncate(MOST_CANDIDATES);
        of.iter().cloned().chain(products).find_map(|value| {
            let by = of.iter().map(|it| self.prove(&it.minus(&value), facts, false));
            let by: Vec<Value> = by.collect::<Option<_>>()?;
            Some(json!({ "least": value.json(), "by": by }))
        })
    }

    /// What an atom is no less than, and no more, by facts in which it stands alone but for sizes.
    fn ends(&self, atom: &str, facts: &[Polynomial]) -> [Vec<Polynomial>; 2] {
        let mut ends = [vec![], vec![]];
        for fact in facts {
            let Some(powers) = fact.by_powers(atom) else { continue };
            let [rest, slope] = &powers[..] else { continue };
            let Some((monomial, coefficient)) = slope.single() else { continue };
            if monomial.keys().any(|it| self.setting.least(it, true).is_none()) {
                continue;
            }
            let inverse = monomial.iter().map(|(atom, power)| (atom.clone(), -power)).collect();
            let end = rest.times(&Polynomial::term(inverse, -coefficient.recip()));
            ends[usize::from(coefficient.is_negative())].push(end);
        }
        ends[0].push(Polynomial::default());
        ends
    }
}

/// With a low or a high end in an atom's place, by the signs of coefficients.
fn between(
    of: &Polynomial,
    atom: &str,
    [low, high]: [&Polynomial; 2],
    up: bool,
) -> Option<Polynomial> {
    let mut sum = Polynomial::default();
    for (monomial, coefficient) in &of.0 {
        let mut rest = monomial.clone();
        let power = u32::try_from(rest.remove(atom).unwrap_or(0)).ok()?;
        let end = if coefficient.is_positive() == up { high } else { low };
        let term = Polynomial::term(rest, coefficient.clone());
        sum = sum.plus(&term.times(&end.to_the(power)));
    }
    Some(sum)
}

fn degree(of: &Polynomial) -> i64 {
    of.0.keys().map(|it| it.values().map(|it| (*it).max(0)).sum()).max().unwrap_or(0)
}

/// Where sizes are large, to try the closest first.
pub(super) fn large(of: &Polynomial) -> f64 {
    let at = |atom: &str| match atom {
        "@p" => 65536.0,
        "@w" => 32.0,
        "@l" => 1000.0,
        _ if atom.starts_with("log ") => 20.0,
        _ if atom.contains('.') => 262_144.0,
        _ => 1_048_576.0_f64,
    };
    let term = |(monomial, it): (&Monomial, &BigRational)| {
        let powers = monomial.iter().map(|(atom, power)| at(atom).powi(*power as i32));
        it.to_f64().unwrap_or(0.0) * powers.product::<f64>()
    };
    of.0.iter().map(term).sum()
}
