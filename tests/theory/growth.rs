//! Terms that a listing's time may grow by.

use memory_machine::run::layout::Arrangement;
use memory_machine::theory::growth::terms;

use super::shipped;

fn of(name: &str, bulk: Option<Arrangement>) -> Vec<String> {
    terms(&shipped(name), "n", bulk)
}

#[test]
fn of_shipped_listings() {
    let umm_opt = of("umm_opt", None);
    for term in ["n^3/w", "n^3*l/p", "n*l"] {
        assert!(umm_opt.iter().any(|it| it == term), "{umm_opt:?}");
    }
    assert_eq!(of("sum", None), ["n/w", "n*l/p", "1*l", "1*log2(n)*l"]);
    let bulk = of("prefix_sums", Some(Arrangement::RowWise));
    assert_eq!(bulk, ["n*p", "n*l", "1*p", "1*l"]);
}
