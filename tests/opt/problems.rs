//! Matrix chains and search trees against textbook code.

use memory_machine::algorithms::opt::matrix_chain::{ChainError, MatrixChain};
use memory_machine::algorithms::opt::search_tree::{SearchTree, TreeError};
use proptest::prelude::*;

/// CLRS, MATRIX-CHAIN-ORDER.
fn matrix_chain_order(p: &[u64]) -> u64 {
    let n = p.len() - 1;
    let mut m = vec![vec![0; n + 1]; n + 1];
    for l in 2..=n {
        for i in 1..=n - l + 1 {
            let j = i + l - 1;
            m[i][j] = u64::MAX;
            for k in i..j {
                let q = m[i][k] + m[k + 1][j] + p[i - 1] * p[k] * p[j];
                if q < m[i][j] {
                    m[i][j] = q;
                }
            }
        }
    }
    m[1][n]
}

/// CLRS, OPTIMAL-BST; `p[0]` is not used.
fn optimal_bst(p: &[u64], q: &[u64]) -> u64 {
    let n = p.len() - 1;
    let mut e = vec![vec![0; n + 1]; n + 2];
    let mut w = vec![vec![0; n + 1]; n + 2];
    for i in 1..=n + 1 {
        e[i][i - 1] = q[i - 1];
        w[i][i - 1] = q[i - 1];
    }
    for l in 1..=n {
        for i in 1..=n - l + 1 {
            let j = i + l - 1;
            e[i][j] = u64::MAX;
            w[i][j] = w[i][j - 1] + p[j] + q[j];
            for r in i..=j {
                let t = e[i][r - 1] + e[r + 1][j] + w[i][j];
                if t < e[i][j] {
                    e[i][j] = t;
                }
            }
        }
    }
    e[1][n]
}

/// Multiplies as the parentheses say; the multiplications that it takes.
fn price(order: &str, p: &[u64]) -> u64 {
    // Products waiting for their right factor, as rows × columns.
    let mut waiting: Vec<Vec<[u64; 2]>> = vec![vec![]];
    let mut matrices = p.windows(2).zip(1..);
    let (mut total, mut rest) = (0, order);
    while let Some(symbol) = rest.chars().next() {
        rest = &rest[1..];
        match symbol {
            '(' => waiting.push(vec![]),
            ')' => {
                let [left, right] = waiting.pop().unwrap()[..] else { panic!("{order}") };
                assert_eq!(left[1], right[0], "{order}");
                total += left[0] * left[1] * right[1];
                waiting.last_mut().unwrap().push([left[0], right[1]]);
            }
            'A' => {
                let (sides, number) = matrices.next().unwrap();
                let digits = rest.find(['(', ')', 'A']).unwrap_or(rest.len());
                assert_eq!(rest[..digits].parse(), Ok(number), "{order}");
                rest = &rest[digits..];
                waiting.last_mut().unwrap().push([sides[0], sides[1]]);
            }
            other => panic!("{other} in {order}"),
        }
    }
    assert!(matrices.next().is_none() && waiting == [[[p[0], p[p.len() - 1]]]], "{order}");
    total
}

/// The expected cost of a tree, by walking up from each key and from each gap.
fn cost(parents: &[Option<usize>], p: &[u64], q: &[u64]) -> u64 {
    let keys = parents.len();
    let level = |key: usize| {
        let mut path = vec![key];
        while let Some(parent) = parents[path[path.len() - 1] - 1] {
            // Every ancestor has the key on the same side as the child on the way to it.
            assert!(path.iter().all(|&it| (it < parent) == (key < parent)) && key != parent);
            path.push(parent);
        }
        path.len() as u64
    };
    assert_eq!(parents.iter().filter(|it| it.is_none()).count(), 1);
    let of_keys = (1..=keys).map(|key| p[key] * level(key));
    // A gap hangs under the deeper of its neighbours.
    let of_gaps = (0..=keys).map(|gap| {
        let neighbours = [gap, gap + 1].into_iter().filter(|&it| (1..=keys).contains(&it));
        q[gap] * (1 + neighbours.map(level).max().unwrap())
    });
    of_keys.chain(of_gaps).sum()
}

#[test]
fn the_textbooks_chain() {
    let p = [30, 35, 15, 5, 10, 20, 25];
    assert_eq!(matrix_chain_order(&p), 15_125);
    let best = MatrixChain::new(&p).unwrap().solve().unwrap();
    assert_eq!((best.multiplications, best.order.as_str()), (15_125, "((A1(A2A3))((A4A5)A6))"));
    assert_eq!(price(&best.order, &p), 15_125);
}

#[test]
fn short_chains() {
    let solved = |p: &[u64]| MatrixChain::new(p).unwrap().solve().unwrap();
    assert_eq!((solved(&[4, 5]).multiplications, solved(&[4, 5]).order.as_str()), (0, "A1"));
    let pair = solved(&[4, 5, 6]);
    assert_eq!((pair.multiplications, pair.order.as_str()), (120, "(A1A2)"));
}

#[test]
fn chains_that_are_refused() {
    let refused = |p: &[u64]| MatrixChain::new(p).unwrap_err();
    assert_eq!(refused(&[]), ChainError::TooFew { dimensions: 0 });
    assert_eq!(refused(&[7]), ChainError::TooFew { dimensions: 1 });
    assert_eq!(refused(&[3, 0, 4]), ChainError::Zero { index: 1 });
    assert_eq!(refused(&[u64::MAX; 100]), ChainError::TooLarge);
    // 2^18 · (2^34 + 2^34) is just too much.
    assert_eq!(refused(&[1 << 18, 1 << 16, 1 << 18]), ChainError::TooLarge);
    assert!(MatrixChain::new(&[1 << 18, (1 << 16) - 1, 1 << 18]).is_ok());
}

#[test]
fn the_textbooks_tree() {
    let (p, q) = ([15, 10, 5, 10, 20], [5, 10, 5, 5, 5, 10]);
    let solved = |unit: f64| {
        let floats = |weights: &[u32]| -> Vec<f64> {
            weights.iter().map(|&weight| f64::from(weight) / unit).collect()
        };
        SearchTree::new(&floats(&p), &floats(&q)).unwrap().solve().unwrap()
    };
    let best = solved(1.0);
    assert_eq!(best.cost, 275.0);
    assert_eq!(best.parents, [Some(2), None, Some(4), Some(5), Some(2)]);
    // As printed; rounding may choose another tree of the same cost.
    assert!((solved(100.0).cost - 2.75).abs() < 1e-12);
}

#[test]
fn trees_that_are_refused() {
    let refused = |p: &[f64], q: &[f64]| SearchTree::new(p, q).unwrap_err();
    assert_eq!(refused(&[], &[1.0]), TreeError::NoKey);
    assert_eq!(refused(&[1.0], &[1.0]), TreeError::Count { keys: 1, gaps: 1 });
    let text = |p, q| refused(p, q).to_string();
    assert!(text(&[1.0, f64::NAN], &[0.0; 3]).starts_with("key p_2 weighs NaN"));
    assert!(text(&[1.0], &[-1.0, 0.0]).starts_with("gap q_0 weighs -1"));
    assert_eq!(refused(&[1e308], &[1e308, 0.0]), TreeError::TooLarge { keys: 1 });
}

proptest! {
    #![proptest_config(crate::cases(40))]

    #[test]
    fn random_chains(p in proptest::collection::vec(1..200_u64, 2..90)) {
        let best = MatrixChain::new(&p).unwrap().solve().unwrap();
        prop_assert_eq!(best.multiplications, matrix_chain_order(&p));
        prop_assert_eq!(price(&best.order, &p), best.multiplications);
    }

    #[test]
    fn random_trees(weights in proptest::collection::vec((0..50_u64, 0..50_u64), 2..90)) {
        let (p, q): (Vec<u64>, Vec<u64>) = weights.into_iter().unzip();
        let floats = |weights: &[u64]| weights.iter().map(|&it| it as f64).collect::<Vec<_>>();
        let best = SearchTree::new(&floats(&p[1..]), &floats(&q)).unwrap().solve().unwrap();
        prop_assert_eq!(best.cost, optimal_bst(&p, &q) as f64);
        prop_assert_eq!(cost(&best.parents, &p, &q), optimal_bst(&p, &q));
    }
}
