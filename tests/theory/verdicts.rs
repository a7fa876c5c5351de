//! Claims of which one is below the other: a verdict on one holds for the other where it must, and how a
//! sum is written does not matter.

use memory_machine::case::Case;
use memory_machine::case::claim::{ClaimVerdict, ParsedClaim};
use proptest::prelude::*;

use super::claims::case;

const LISTINGS: [&str; 6] = ["sum", "transpose", "product", "colsum", "bitonic", "jacobi"];

/// Tenths of powers of n, w, p, l and ⌈log₂ n⌉.
type Tenths = [i32; 5];

fn product(tenths: Tenths, order: usize) -> String {
    let names = ["n", "w", "p", "l", "log n"];
    let mut factors: Vec<String> = vec![];
    for (name, power) in names.into_iter().zip(tenths) {
        let name = if name == "log n" { "log(n)" } else { name };
        // In two parts, so that powers are added up.
        factors.push(format!("{name}^(1/10)"));
        factors.push(format!("{name}^({}/10)", power - 1).replace("^(-", "^(0-"));
    }
    let by = order % factors.len();
    factors.rotate_left(by);
    if order % 2 == 1 {
        factors.reverse();
    }
    factors.join("·")
}

fn verdict(case: &Case, relation: &str, terms: &[Tenths], order: usize) -> ClaimVerdict {
    let mut sum: Vec<String> = terms.iter().map(|it| product(*it, order)).collect();
    let by = order % sum.len();
    sum.rotate_left(by);
    let claim = format!("{relation}({})", sum.join(" + "));
    case.verdict(&ParsedClaim::parse(&claim).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(crate::cases(40))]

    #[test]
    fn depend_on_the_claim_alone(
        listing in prop::sample::select(&LISTINGS[..]),
        upper: bool,
        terms in prop::collection::vec(
            [0..31_i32, -10..1_i32, -10..1_i32, 0..11_i32, 0..11_i32],
            1..4,
        ),
        less in [0..11_i32, 0..11_i32, 0..11_i32, 0..11_i32, 0..11_i32],
        orders: [u16; 2],
    ) {
        let case = case(listing);
        let relation = if upper { "O" } else { "Ω" };
        let of = |terms: &[Tenths], order: u16| verdict(&case, relation, terms, order.into());
        let found = of(&terms, orders[0]);
        prop_assert_eq!(found, of(&terms, orders[1]));
        // Terms that are nowhere larger.
        let smaller = |it: &Tenths| std::array::from_fn(|at| it[at] - less[at]);
        let smaller: Vec<Tenths> = terms.iter().map(smaller).collect();
        let other = of(&smaller, orders[1]);
        let (weaker, stronger) = if upper { (found, other) } else { (other, found) };
        // A refuted claim refutes what is stronger; a proved one proves what is weaker.
        prop_assert!(weaker != ClaimVerdict::Refuted || stronger == ClaimVerdict::Refuted);
        prop_assert!(stronger != ClaimVerdict::Proved || weaker == ClaimVerdict::Proved);
    }
}
