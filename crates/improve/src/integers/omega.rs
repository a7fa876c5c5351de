//! Whether a system has a solution in whole numbers, decided exactly: the Omega test (Pugh 1992).

use std::collections::{BTreeMap, BTreeSet};

use super::affine::{Affine, System, Terms, Variable};

/// More inequalities than this are given up.
const MOST: usize = 800;

/// New variables of the test have numbers from here on.
const FRESH: Variable = 1 << 30;

impl System {
    /// Whether it is proved that no whole numbers fulfil it. The test is exact: it fails to prove so
    /// only where there are solutions, or where numbers or the system become too large.
    pub(crate) fn is_empty(&self) -> bool {
        let mut system = self.clone();
        system.least.append(&mut system.quotients);
        Omega { fresh: FRESH, steps: 0 }.has_solution(system) == Some(false)
    }
}

struct Omega {
    fresh: Variable,
    steps: usize,
}

/// The quotient rounded down.
fn floor(value: i128, by: i128) -> i128 {
    value.div_euclid(by)
}

fn divisor(terms: &Terms) -> i128 {
    let gcd = |mut a: i128, mut b: i128| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.abs()
    };
    terms.iter().fold(0, |all, it| gcd(all, it.1))
}

impl Omega {
    /// `None` if it is given up.
    fn has_solution(&mut self, mut system: System) -> Option<bool> {
        self.steps += 1;
        if self.steps > 4 * MOST {
            return None;
        }
        while let Some(equation) = system.zero.pop() {
            if !self.equation(equation, &mut system)? {
                return Some(false);
            }
        }
        let Some(least) = tighten(system.least) else { return Some(false) };
        if least.len() > MOST {
            return None;
        }
        // Two opposite inequalities without room between them are an equation.
        for (terms, constant) in &least {
            let opposite = terms.opposite();
            let sum = Affine { terms: terms.clone(), constant: *constant };
            if least.get(&opposite) == Some(&-constant) {
                let others = least.iter().filter(|it| it.0 != terms && *it.0 != opposite);
                let least = others.map(|it| Affine { terms: it.0.clone(), constant: *it.1 });
                return self.has_solution(System {
                    zero: vec![sum],
                    least: least.collect(),
                    ..System::default()
                });
            }
        }
        let least: Vec<Affine> =
            least.into_iter().map(|(terms, constant)| Affine { terms, constant }).collect();
        self.eliminate(&least)
    }

    /// Solves an equation for one variable, and puts it into the others. Whether it can hold.
    fn equation(&mut self, mut equation: Affine, system: &mut System) -> Option<bool> {
        let gcd = divisor(&equation.terms);
        if gcd == 0 {
            return Some(equation.constant == 0);
        }
        if equation.constant % gcd != 0 {
            return Some(false);
        }
        equation.terms.divide(gcd);
        equation.constant /= gcd;
        let (variable, factor) = equation.terms.iter().min_by_key(|it| it.1.abs())?;
        if factor.abs() == 1 {
            let mut value = equation;
            value.terms.remove(variable);
            let value = value.scale(-factor)?;
            *system = system.substitute(&|it| (it == variable).then(|| value.clone()))?;
            return Some(true);
        }
        // Pugh's step with remainders about 0: factors become smaller, until one is 1.
        let by = factor.abs() + 1;
        let near = |it: i128| it - by * floor(2 * it + by, 2 * by);
        let sigma = self.fresh;
        self.fresh += 1;
        let sign = factor.signum();
        let mut value = Affine::constant(sign * near(equation.constant));
        for (it, of) in equation.terms.iter().filter(|it| it.0 != variable) {
            value = value.plus(&Affine::variable(it), sign * near(of))?;
        }
        value = value.plus(&Affine::variable(sigma), -sign * by)?;
        system.zero.push(equation);
        *system = system.substitute(&|it| (it == variable).then(|| value.clone()))?;
        Some(true)
    }

    /// Inequalities alone: Fourier and Motzkin, with dark shadows and splinters where that is not exact.
    fn eliminate(&mut self, least: &[Affine]) -> Option<bool> {
        let variables: BTreeSet<Variable> =
            least.iter().flat_map(|it| it.terms.variables()).collect();
        let cost = |variable: &Variable| {
            let of = |sign: i128| {
                least
                    .iter()
                    .filter_map(move |it| it.terms.get(*variable).filter(|it| *it * sign > 0))
            };
            let (lows, highs) = (of(1).count(), of(-1).count());
            let is_exact = of(1).all(|it| it == 1) || of(-1).all(|it| it == -1);
            (!is_exact && lows * highs > 0, lows * highs)
        };
        let Some(variable) = variables.iter().copied().min_by_key(cost) else { return Some(true) };
        let (is_inexact, _) = cost(&variable);
        let (mut lows, mut highs, mut rest) = (vec![], vec![], vec![]);
        for it in least {
            match it.terms.get(variable) {
                Some(factor) if factor > 0 => lows.push((factor, it)),
                Some(factor) => highs.push((-factor, it)),
                None => rest.push(it.clone()),
            }
        }
        // `a · x + low ≥ 0`, `−b · x + high ≥ 0`: between them is a whole number for sure if there is room.
        let shadow = |is_dark: bool| {
            let mut all = rest.clone();
            for (a, low) in &lows {
                for (b, high) in &highs {
                    let both = low.scale(*b)?.plus(high, *a)?;
                    let room = if is_dark { (a - 1) * (b - 1) } else { 0 };
                    all.push(both.plus(&Affine::constant(room), -1)?);
                }
            }
            Some(System { least: all, ..System::default() })
        };
        let real = self.has_solution(shadow(false)?)?;
        if !real || !is_inexact {
            return Some(real);
        }
        if self.has_solution(shadow(true)?)? {
            return Some(true);
        }
        let most = highs.iter().map(|it| it.0).max().unwrap_or(1);
        for (a, low) in &lows {
            for at in 0..=floor(most * a - most - a, most) {
                let zero = low.plus(&Affine::constant(at), -1)?;
                let (zero, least) = (vec![zero], least.to_vec());
                if self.has_solution(System { zero, least, ..System::default() })? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }
}

/// Each inequality over its factors' greatest divisor, the tightest of those that are alike; `None` if
/// one is false.
fn tighten(least: Vec<Affine>) -> Option<BTreeMap<Terms, i128>> {
    let mut tight = BTreeMap::new();
    for mut it in least {
        let gcd = divisor(&it.terms);
        if gcd == 0 {
            if it.constant < 0 {
                return None;
            }
            continue;
        }
        it.terms.divide(gcd);
        let constant = floor(it.constant, gcd);
        let most = tight.entry(it.terms).or_insert(constant);
        *most = constant.min(*most);
    }
    let is_false = |(terms, constant): (&Terms, &i128)| {
        tight.get(&terms.opposite()).is_some_and(|other| constant + other < 0)
    };
    if tight.iter().any(is_false) { None } else { Some(tight) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sum(factors: &[i64], constant: i64) -> Affine {
        Affine {
            terms: (0..).zip(factors).map(|(at, by)| (at, i128::from(*by))).collect(),
            constant: constant.into(),
        }
    }

    proptest! {
        /// In a box all points can be tried.
        #[test]
        fn it_is_empty_where_no_point_fulfils_it(
            rows in prop::collection::vec((prop::collection::vec(-5..6_i64, 3), -9..10_i64), 1..5),
            equations in 0..3_usize,
        ) {
            let mut system = System::default();
            for (at, (factors, constant)) in rows.iter().enumerate() {
                let of = if at < equations { &mut system.zero } else { &mut system.least };
                of.push(sum(factors, *constant));
            }
            for at in 0..3 {
                let unit: Vec<i64> = (0..3).map(|it| i64::from(it == at)).collect();
                let opposite: Vec<i64> = unit.iter().map(|it| -it).collect();
                system.least.push(sum(&unit, 4));
                system.least.push(sum(&opposite, 4));
            }
            let value = |it: &Affine, point: [i128; 3]| {
                it.constant + it.terms.iter().map(|(at, by)| point[at as usize] * by).sum::<i128>()
            };
            let points = (-4..5).flat_map(|x| (-4..5).flat_map(move |y| (-4..5).map(move |z| [x, y, z])));
            let found = points.into_iter().any(|point| {
                system.zero.iter().all(|it| value(it, point) == 0)
                    && system.least.iter().all(|it| value(it, point) >= 0)
            });
            prop_assert_eq!(system.is_empty(), !found);
        }
    }

    #[test]
    fn a_gap_between_multiples_is_seen() {
        // 27 ≤ 11x + 13y ≤ 45, −10 ≤ 7x − 9y ≤ 4: reals, but no whole numbers (Pugh 1992).
        let least =
            vec![sum(&[11, 13], -27), sum(&[-11, -13], 45), sum(&[7, -9], 10), sum(&[-7, 9], 4)];
        assert!(System { least, ..System::default() }.is_empty());
    }
}
