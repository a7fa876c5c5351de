//! Table I as formulas against the listing's own accesses.

use memory_machine::theory::optimal;

use super::*;

#[test]
fn is_what_the_listing_accesses() {
    let program = shipped("umm_opt");
    for n in 2..=32 {
        let layout = layout(&program, &[("n", n)], 1, None);
        let run = Profile::of(&program, &layout, Limits::new(Threads::ONE, WHILE)).unwrap();
        let table = optimal::table_one(&program, n as u64).unwrap();
        assert_eq!(table, run, "n = {n}");
    }
}
