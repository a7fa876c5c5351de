//! Coordinates that references share.

mod forms {
    use std::collections::BTreeSet;

    use memory_machine_theory::derive::polynomial::whole;
    use memory_machine_theory::io::forms::*;

    #[test]
    fn a_skewed_reference_leaves_out_one_direction() {
        let row = |of: [i64; 3]| of.map(whole).to_vec();
        // (s, i, k): N[i, k], N[k, i + s], and one number for each s and i.
        let references = [
            vec![row([0, 1, 0]), row([0, 0, 1])],
            vec![row([0, 0, 1]), row([1, 1, 0])],
            vec![row([1, 0, 0]), row([0, 1, 0])],
        ];
        let found = shared_coordinates(&references, 3);
        let found: Vec<BTreeSet<usize>> = found.into_iter().map(Option::unwrap).collect();
        assert!(found.iter().all(|it| it.len() == 2));
        assert_eq!(found.iter().flatten().collect::<BTreeSet<_>>().len(), 3);
        assert!(found[0] != found[1] && found[1] != found[2] && found[0] != found[2]);
    }
}
