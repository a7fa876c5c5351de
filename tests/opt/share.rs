//! The engine in shares, here of threads that send one another what ranks would.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use memory_machine::algorithms::opt::share::{Shares, solve, solve_by};
use memory_machine::algorithms::opt::triangulation::{RecoverError, triangles};
use memory_machine::algorithms::opt::{self, Problem, Triangle, Weight, Weights};

use super::engine::{Anything, Random};

/// A thread, with a channel from each and to each.
struct Thread<T> {
    number: usize,
    to: Vec<Sender<Vec<T>>>,
    from: Vec<Receiver<Vec<T>>>,
    splits_to: Vec<Sender<(T, u64)>>,
    splits_from: Vec<Receiver<(T, u64)>>,
}

impl<T: Weight> Thread<T> {
    fn all(of: usize) -> Vec<Self> {
        let none = |number| Self {
            number,
            to: vec![],
            from: vec![],
            splits_to: vec![],
            splits_from: vec![],
        };
        let mut all: Vec<Self> = (0..of).map(none).collect();
        for from in 0..of {
            for to in 0..of {
                let ((sender, receiver), (splits_to, splits_from)) = (channel(), channel());
                all[from].to.push(sender);
                all[to].from.push(receiver);
                all[from].splits_to.push(splits_to);
                all[to].splits_from.push(splits_from);
            }
        }
        all
    }
}

impl<T: Weight> Shares<T> for Thread<T> {
    fn number(&self) -> usize {
        self.number
    }

    fn of(&self) -> usize {
        self.to.len()
    }

    fn pass(&mut self, rows: &[&[T]], room: &mut [&mut [T]]) {
        let of = self.to.len();
        for row in rows {
            self.to[(self.number + 1) % of].send(row.to_vec()).unwrap();
        }
        for row in room {
            row.copy_from_slice(&self.from[(self.number + of - 1) % of].recv().unwrap());
        }
    }

    fn spread(&mut self, from: usize, cells: &mut [T]) {
        if from == self.number {
            self.to.iter().for_each(|it| it.send(cells.to_vec()).unwrap());
        }
        cells.copy_from_slice(&self.from[from].recv().unwrap());
    }

    fn gather(&mut self, mine: (T, u64)) -> Vec<(T, u64)> {
        self.splits_to.iter().for_each(|it| it.send(mine).unwrap());
        self.splits_from.iter().map(|it| it.recv().unwrap()).collect()
    }
}

type Found<T> = Result<(T, Vec<Triangle>), RecoverError>;

/// Every share finds the cells and the triangles of the whole engine; `width` 0 is the default.
fn check<T: Random>(problem: &impl Problem<T>, of: usize, width: usize) -> Found<T> {
    let n = problem.n();
    let table = opt::solve(problem, &|_| ());
    let right = triangles(problem, |a, b| table.get(a, b)).map(|it| (table.get(0, n - 1), it));
    thread::scope(|scope| {
        let shares = Thread::all(of).into_iter().map(|mut share| {
            let (table, right) = (&table, &right);
            scope.spawn(move || {
                let columns = match width {
                    0 => solve(problem, &mut share, &|_| ()),
                    _ => solve_by(width, problem, &mut share, &|_| ()),
                };
                let mut own = 0;
                for (a, b) in (0..n).flat_map(|b| (0..b).map(move |a| (a, b))) {
                    if let Some(cell) = columns.get(a, b) {
                        assert_eq!(cell.bits(), table.get(a, b).bits(), "{a}–{b} of {n}, {of}");
                        own += 1;
                    }
                }
                assert_eq!(columns.triangles(problem, &mut share), *right, "{n}, {of} shares");
                own
            })
        });
        let shares: Vec<_> = shares.collect();
        let cells: usize = shares.into_iter().map(|it| it.join().unwrap()).sum();
        assert_eq!(cells, n * (n - 1) / 2, "each cell has one owner");
    });
    right
}

#[test]
fn shares_agree_with_the_whole() {
    for (n, of, width) in [(3, 3, 0), (64, 2, 0), (65, 2, 1), (200, 1, 1), (330, 2, 2), (500, 4, 1)]
    {
        for sides in [false, true] {
            let seed = n as u64;
            // Whether there is one at all depends on what chords may be used.
            let _ = check(&Anything::<f32>::new(n, sides, seed), of, width);
            let _ = check(&Anything::<f64>::new(n, sides, seed), of, width);
            let _ = check(&Anything::<i32>::new(n, sides, seed), of, width);
        }
    }
}

#[test]
fn every_share_says_why_there_is_none() {
    let c = Weights::from_chords(130, |_, _| f32::INFINITY);
    let found = check(&c, 3, 1);
    assert!(matches!(found, Err(RecoverError::Infinite { i: 1, j: 129, .. })), "{found:?}");
    let c = Weights::from_chords(130, |a, b| (b - a) as f32);
    assert!(check(&c, 3, 1).is_ok());
}
