//! The paper's algorithm by several that have a share of the lines each: the edges of one, in the same
//! order. Here they are threads that meet each round; `tests/mpi.sh` has ranks.

use std::sync::{Barrier, Mutex};
use std::thread;

use memory_machine::algorithms::greedy::paper::{
    self, PaperTriangulation, Share, run_share, smallest,
};
use memory_machine::algorithms::points::Point;

use super::inputs::{adversaries, small};

/// What each of `of` shares says.
fn over_shares(points: &[Point], of: usize) -> Vec<PaperTriangulation> {
    let (told, meeting) = (Mutex::new(vec![None; of]), Barrier::new(of));
    let one = &|number: usize| {
        let smallest_of_all = |mine| {
            told.lock().unwrap()[number] = mine;
            meeting.wait();
            let all: Vec<[u32; 2]> = told.lock().unwrap().iter().flatten().copied().collect();
            meeting.wait();
            smallest(points, all)
        };
        run_share(points, Share { number, of }, smallest_of_all, |_| ()).unwrap()
    };
    thread::scope(|scope| {
        let shares: Vec<_> = (0..of).map(|number| scope.spawn(move || one(number))).collect();
        shares.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

fn assert_agree(points: &[Point], of: usize) {
    let whole = paper::run(points, |_| ()).unwrap();
    let shares = over_shares(points, of);
    for share in &shares {
        assert_eq!(share.edges, whole.edges, "{of} shares, {points:?}");
    }
    // Each line is in one share: it is tested there, or accepted.
    let tests: u64 = shares.iter().map(|it| it.tests).sum();
    assert_eq!(tests, whole.tests, "{of} shares, {points:?}");
}

#[test]
fn shares_give_the_edges_of_one() {
    for seed in 0..80 {
        assert_agree(&small(seed), 1 + seed as usize % 5);
    }
    for (_, points) in adversaries(60) {
        assert_agree(&points, 4);
    }
}

/// More shares than lines: most have none.
#[test]
fn shares_may_be_empty() {
    for seed in 0..20 {
        let points = &small(seed)[..1];
        assert_agree(points, 3);
    }
    assert_agree(&small(4)[..3.min(small(4).len())], 40);
}
