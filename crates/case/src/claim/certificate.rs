//! Certificates: the derivation of a bound as data that another program checks.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use serde_json::{Value, json};

use super::course::machine_of;
use super::search::{Search, large};
use super::{Judge, ParsedClaim};
use crate::Case;
use memory_machine_core::keyword::Keyword;
use memory_machine_theory::derive::claim::Relation;
use memory_machine_theory::derive::linear::{Row, least};
use memory_machine_theory::derive::polynomial::{Atom, Size};
use memory_machine_verify::claim::{Claim, Powers, Wanted, powers};
use memory_machine_verify::polynomial::{self, Monomial, Polynomial, whole};
use memory_machine_verify::{Refusal, Setting, Task, tree, verify};

impl Case {
    /// A certificate of what is found of a claim, which [`verify`] accepts.
    ///
    /// # Errors
    /// What is wrong with the claim, or of what there are no certificates yet.
    pub fn certify(&self, parsed: &ParsedClaim) -> Result<Value, String> {
        if let Some(unit) = parsed.unit {
            let word = machine_of(unit).word();
            return Err(format!("there are no certificates of claims on -m {word} yet"));
        }
        self.with_judge(parsed, |judge| {
            let setting = self.setting(&judge.bounded.fixed, &judge.bounded.exponents)?;
            let claim = named(judge, &setting)?;
            let found = self.search(&setting, Some(&claim))?;
            // A certificate knows nothing of what is required, and may refute what follows from it.
            if found["states"]["verdict"] != json!(judge.findings().verdict()) {
                return Err(Refusal::new("there are no certificates that rest on `requires` yet"));
            }
            Ok(found)
        })?
        .map_err(|it| it.to_string())
    }

    /// A certificate of bounds of the time.
    ///
    /// # Errors
    /// Of what there are no certificates yet.
    pub fn certify_bounds(&self) -> Result<Value, String> {
        let bounded = self.derive(&|_| false);
        let setting = self.setting(&bounded.fixed, &bounded.exponents);
        setting.and_then(|it| self.search(&it, None)).map_err(|it| it.to_string())
    }

    fn setting(&self, fixed: &[Option<i64>], exponents: &[bool]) -> Result<Setting, Refusal> {
        let kind = self.machine.kind;
        if kind.dmms().is_some() {
            return Err(Refusal::new("there are no certificates of the HMM yet"));
        }
        if self.bulk.is_some() {
            return Err(Refusal::new("there are no certificates of bulk runs yet"));
        }
        let names = self.program.parameters.iter().map(|it| it.name.clone()).collect();
        let (fixed, exponents) = (fixed.to_vec(), exponents.to_vec());
        Ok(Setting { is_umm: kind.has_groups(), fixed, exponents, names })
    }

    fn search(&self, setting: &Setting, claim: Option<&Claim>) -> Result<Value, Refusal> {
        let program = &*self.program;
        let tree = tree::tree(program)?;
        let task = Task { setting, claim, tree: &tree };
        let mut search = Search::new(setting);
        let found = task.go(&mut search)?;
        let certificate = task.certificate(&program.name, search.steps, &found);
        verify(&certificate, program)?;
        Ok(certificate)
    }
}

/// A claim with the names that certificates give to sizes.
fn named(judge: &Judge<'_>, setting: &Setting) -> Result<Claim, Refusal> {
    let name = |size: Size| match size {
        Size::Parameter(at) if setting.exponents[at] => format!("2^{}", setting.names[at]),
        Size::Parameter(at) => setting.names[at].clone(),
        other => format!("@{}", other.name(&[])),
    };
    let atom = |atom: &Atom| match atom {
        Atom::Size(size) => Ok(name(*size)),
        Atom::Log(size) => {
            setting.log(&name(*size)).ok_or_else(|| Refusal::new("a logarithm of a number"))
        }
        Atom::Power(..) => Err(Refusal::new("there are no certificates of powers like 3^k yet")),
        Atom::Local(_) => Err(Refusal::new("a claim on a loop's number")),
    };
    let powers = |of: &BTreeMap<Atom, BigRational>| {
        let all = of.iter().map(|(it, power)| Ok((atom(it)?, power.clone())));
        all.collect::<Result<Powers, Refusal>>()
    };
    let terms = judge.claim.terms.iter().map(powers).collect::<Result<Vec<_>, _>>()?;
    let pair = |[more, less]: &[BTreeMap<Atom, BigRational>; 2]| Ok([powers(more)?, powers(less)?]);
    let assumed = judge.claim.assumed.iter().map(pair).collect::<Result<Vec<_>, Refusal>>()?;
    let relation = match judge.claim.relation {
        Relation::AtMost => "O",
        Relation::AtLeast => "Ω",
        Relation::Exactly => "Θ",
    };
    Ok(Claim { relation: relation.to_owned(), terms, assumed })
}

/// A monomial of a lower bound, what a certificate says of it, and what must be at least w.
type Held<'a> = (&'a Monomial, Vec<Value>, Option<&'a Polynomial>);

/// What is known to be at least 1 within a constant: what is assumed, and sizes over logarithms.
#[derive(Clone)]
struct Known {
    name: Value,
    row: Powers,
}

impl Search<'_> {
    fn known(&self, wanted: &Wanted<'_>) -> Vec<Known> {
        let assumed = wanted.claim.assumed.iter().enumerate().map(|(at, [more, less])| {
            let mut row = more.clone();
            less.iter().for_each(|(atom, power)| *row.entry(atom.clone()).or_default() -= power);
            Known { name: json!(at), row }
        });
        let logs = self.setting.sizes().into_iter().map(|[size, log]| Known {
            name: json!(size.clone()),
            row: Powers::from([(size, whole(1)), (log, whole(-64))]),
        });
        assumed.chain(logs).collect()
    }

    /// Weights of two lists of products, such that a mean of the first is no more than one of the second within a
    /// constant, with what is left over.
    fn mean(&self, small: &[Powers], large: &[Powers], known: &[Known]) -> Option<[Value; 3]> {
        let all = || small.iter().chain(large).chain(known.iter().map(|it| &it.row));
        let atoms: BTreeSet<&String> = all().flat_map(BTreeMap::keys).collect();
        let power =
            |of: &Powers, atom: &String| of.get(atom).cloned().unwrap_or_else(BigRational::zero);
        let (middle, end) = (small.len(), small.len() + large.len());
        let mut rows = vec![];
        for atom in &atoms {
            let factors = all().enumerate().map(|(at, it)| {
                if (middle..end).contains(&at) { -power(it, atom) } else { power(it, atom) }
            });
            rows.push(Row::of(&factors.collect::<Vec<_>>(), &BigRational::zero()));
        }
        for range in [0..middle, middle..end] {
            for sign in [1, -1] {
                let factors = range.clone().map(|at| (at, sign.into())).collect();
                rows.push(Row { factors, right: sign.into() });
            }
        }
        let mut costs = vec![BigInt::zero(); end];
        costs.resize(end + known.len(), BigInt::one());
        let found = least(&rows, &costs)?;
        let mut slack = Powers::new();
        for (at, (it, weight)) in all().zip(&found).enumerate() {
            let sign = whole(if (middle..end).contains(&at) { 1 } else { -1 });
            for (atom, power) in it {
                *slack.entry(atom.clone()).or_default() += power * weight * &sign;
            }
        }
        let numbered = |range: std::ops::Range<usize>| -> Value {
            let used = found[range].iter().enumerate().filter(|it| it.1.is_positive());
            used.map(|(at, it)| json!([at, it.to_string()])).collect()
        };
        let slack = slack.into_iter().filter(|it| !it.1.is_zero());
        let slack: serde_json::Map<String, Value> =
            slack.map(|(atom, it)| (atom, json!(it.to_string()))).collect();
        let used = known.iter().zip(&found[end..]).filter(|it| it.1.is_positive());
        let rows: Value = used.map(|(of, it)| json!([of.name, it.to_string()])).collect();
        Some([numbered(0..middle), numbered(middle..end), json!({ "rows": rows, "slack": slack })])
    }

    pub(super) fn above(&self, wanted: &Wanted<'_>) -> Option<Value> {
        let known = self.known(wanted);
        let parts = wanted.bounds.upper.iter().map(|(_, sums)| self.part(sums, wanted, &known));
        match parts.collect::<Option<Vec<_>>>() {
            Some(parts) => Some(json!({ "proved": parts })),
            None => Some(json!({ "refuted": self.outgrown(wanted)? })),
        }
    }

    /// Why the least of some sums is below the claim: one of them, or two or three.
    fn part(&self, sums: &[Polynomial], wanted: &Wanted<'_>, known: &[Known]) -> Option<Value> {
        let mut sets: Vec<Vec<usize>> = (1..1_usize << sums.len())
            .map(|set| (0..sums.len()).filter(|at| set >> at & 1 == 1).collect())
            .collect();
        sets.sort_by_key(Vec::len);
        sets.iter().filter(|it| it.len() <= 3).find_map(|chosen| {
            let mut picks: Vec<Vec<Powers>> = vec![vec![]];
            for at in chosen {
                let positive: Vec<_> = sums[*at].0.iter().filter(|it| it.1.is_positive()).collect();
                let with = |pick: &Vec<Powers>| -> Vec<Vec<Powers>> {
                    positive.iter().map(|it| [&pick[..], &[powers(it.0)]].concat()).collect()
                };
                picks = picks.iter().flat_map(with).collect();
            }
            let step = |pick: &Vec<Powers>| {
                let [of, below, mut step] = self.mean(pick, &wanted.claim.terms, known)?;
                (step["of"], step["below"]) = (of, below);
                Some(step)
            };
            let steps = picks.iter().map(step).collect::<Option<Vec<_>>>()?;
            Some(json!([chosen, steps]))
        })
    }

    /// Lower bounds as so many times a monomial, with why.
    fn held<'b>(&self, wanted: &Wanted<'b>, are_apart: bool) -> Vec<Held<'b>> {
        let mut all = vec![];
        for (rule, (apart, bound)) in &wanted.bounds.lower {
            if apart.is_some() != are_apart {
                continue;
            }
            for (monomial, most) in bound.0.iter().filter(|it| it.1.is_positive()) {
                let found = [1, 2, 4, 16, 64].into_iter().find_map(|part| {
                    let coefficient = most / whole(part);
                    let rest =
                        bound.minus(&Polynomial::term(monomial.clone(), coefficient.clone()));
                    Some((coefficient, self.prove(&rest, &[], false)?))
                });
                if let Some((coefficient, why)) = found {
                    let held = vec![
                        json!(rule),
                        polynomial::powers(monomial),
                        json!(coefficient.to_string()),
                        why,
                    ];
                    all.push((monomial, held, apart.as_ref()));
                }
            }
        }
        all
    }

    pub(super) fn below(&self, wanted: &Wanted<'_>) -> Option<Value> {
        let known = self.known(wanted);
        let mut held = self.held(wanted, false);
        // Where addresses lie so far apart that what is assumed says that it is w at least.
        for (monomial, mut bound, apart) in self.held(wanted, true) {
            if let Some(why) = apart.and_then(|by| self.is_as_wide(by, &known)) {
                bound.push(why);
                held.push((monomial, bound, None));
            }
        }
        let large: Vec<Powers> = held.iter().map(|it| powers(it.0)).collect();
        let step = |term: &Powers| {
            let [_, weights, mut step] = self.mean(std::slice::from_ref(term), &large, &known)?;
            let part = |it: &Value| -> Option<Value> {
                let held = &held[it[0].as_u64()? as usize].1;
                Some([&[it[1].clone()], &held[..]].concat().into())
            };
            step["bounds"] = weights.as_array()?.iter().map(part).collect::<Option<_>>()?;
            Some(step)
        };
        match wanted.claim.terms.iter().map(step).collect::<Option<Vec<_>>>() {
            Some(steps) => Some(json!({ "proved": steps })),
            None => Some(json!({ "refuted": self.outgrows(wanted)? })),
        }
    }

    /// Why w is no more than a product of sizes, by what is assumed.
    fn is_as_wide(&self, by: &Polynomial, known: &[Known]) -> Option<Value> {
        let width = Powers::from([("@w".to_owned(), whole(1))]);
        let assumed: Vec<Known> = known.iter().filter(|it| it.name.is_number()).cloned().collect();
        let [_, _, why] = self.mean(&[width], &[powers(by.single()?.0)], &assumed)?;
        Some(why)
    }

    /// A direction in which the first exceeds all of the others.
    fn direction(
        &self,
        fast: &Powers,
        slow: &[Powers],
        wanted: &Wanted<'_>,
        (all_grow, apart): (bool, Option<Powers>),
    ) -> Option<Value> {
        let sizes = self.setting.sizes();
        let logs =
            |of: &Powers| -> BigRational { sizes.iter().filter_map(|it| of.get(&it[1])).sum() };
        let power = |of: &Powers, at: usize| {
            of.get(&sizes[at][0]).cloned().unwrap_or_else(BigRational::zero)
        };
        [false, true].into_iter().find_map(|with_logs| {
            let mut rows = vec![];
            let mut more = |more: &Powers, less: &Powers, by: i64| {
                let factors: Vec<_> =
                    (0..sizes.len()).map(|at| power(less, at) - power(more, at)).collect();
                rows.push(Row::of(&factors, &whole(-by)));
            };
            for it in slow {
                let by = i64::from(!(with_logs && logs(fast) > logs(it)));
                more(fast, it, by);
            }
            if let Some(apart) = &apart {
                more(apart, &Powers::from([("@w".to_owned(), whole(1))]), 1);
            }
            for [greater, less] in &wanted.claim.assumed {
                more(greater, less, i64::from(logs(less) > logs(greater)));
            }
            for (at, [size, log]) in sizes.iter().enumerate() {
                let grows =
                    all_grow && !size.starts_with('@') || with_logs && fast.contains_key(log);
                if grows {
                    rows.push(Row {
                        factors: vec![(at, BigInt::from(-1))],
                        right: BigInt::from(-1),
                    });
                }
            }
            let found = least(&rows, &vec![BigInt::one(); sizes.len()])?;
            let grow = sizes.iter().zip(found).filter(|it| it.1.is_positive());
            Some(
                grow.map(|(it, by)| (it[0].clone(), json!(by.to_string())))
                    .collect::<serde_json::Map<_, _>>()
                    .into(),
            )
        })
    }

    fn outgrown(&self, wanted: &Wanted<'_>) -> Option<Value> {
        [false, true].into_iter().find_map(|are_apart| {
            let held = self.held(wanted, are_apart);
            held.into_iter().find_map(|(monomial, bound, apart)| {
                let apart = apart.and_then(Polynomial::single).map(|it| powers(it.0));
                let fast = powers(monomial);
                let direction =
                    self.direction(&fast, &wanted.claim.terms, wanted, (false, apart))?;
                let all = [&[fast][..], &wanted.claim.terms].concat();
                let speeds = speeds(&all, &direction);
                Some(json!({ "bound": bound, "direction": direction, "speeds": speeds }))
            })
        })
    }

    fn outgrows(&self, wanted: &Wanted<'_>) -> Option<Value> {
        // Of each part the sum that is least where sizes are large.
        let smallest = |it: &(i64, Vec<Polynomial>)| {
            it.1.iter().min_by(|a, b| large(a).total_cmp(&large(b))).cloned().unwrap_or_default()
        };
        let parts: Vec<Polynomial> = wanted.bounds.upper.iter().map(smallest).collect();
        let positive = parts.iter().flat_map(|it| it.0.iter().filter(|it| it.1.is_positive()));
        let slow: Vec<Powers> = positive.map(|it| powers(it.0)).collect();
        wanted.claim.terms.iter().enumerate().find_map(|(at, term)| {
            let direction = self.direction(term, &slow, wanted, (true, None))?;
            let sums = wanted.bounds.upper.iter().flat_map(|it| &it.1).flat_map(|it| &it.0);
            let positive = sums.filter(|it| it.1.is_positive()).map(|it| powers(it.0));
            let all: Vec<Powers> = [term.clone()].into_iter().chain(positive).collect();
            let speeds = speeds(&all, &direction);
            Some(json!({ "term": at, "direction": direction, "speeds": speeds }))
        })
    }
}

/// The powers of products in a direction.
fn speeds(of: &[Powers], direction: &Value) -> Value {
    let by = |atom: &String| direction[atom].as_str().and_then(|it| it.parse::<BigRational>().ok());
    let speed = |it: &Powers| -> BigRational {
        it.iter().filter_map(|(atom, power)| Some(power * by(atom)?)).sum()
    };
    of.iter().map(|it| json!(speed(it).to_string())).collect()
}
