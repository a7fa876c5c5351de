//! Pipeline stages that each warp's access takes.
//!
//! A step's runs are cut at warp borders. The full warps of one run are all alike: their bases
//! advance by `stride · w`, a multiple of `w`, so one closed form serves them all. Only warps in
//! which pieces meet are looked at one by one.

use crate::trace::{Piece, Step, StridedRun};

use super::Machine;
use super::conflict::Conflict;
use super::straddling_warp::Border;

/// Consecutive warps whose accesses in one step are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Warps {
    /// Index of the first warp; warp `i` is threads `i·w … i·w+w−1`.
    pub first: u64,
    /// Number of warps, at least 1.
    pub count: u64,
    /// Active threads in each warp, at least 1.
    pub active: u64,
    /// Pipeline stages that each warp's access takes.
    pub stages: u64,
}

/// Counts stages on one machine; keeps its scratch memory from step to step.
#[derive(Debug, Clone)]
pub struct StageCounter {
    conflict: Conflict,
    border: Border,
    /// The warp at which the step has arrived, and its threads that the pieces so far cover; less
    /// than w.
    warp: u64,
    filled: u64,
}

impl StageCounter {
    /// A counter for the machine's kind and width; latency does not matter.
    pub fn new(machine: Machine) -> Self {
        let conflict = Conflict::new(machine.kind, machine.width);
        Self { conflict, border: Border::new(), warp: 0, filled: 0 }
    }

    /// Calls `visit` for the warps that have an active thread in `step`, in order of their index.
    ///
    /// - UMM: the stages of a warp are the distinct address groups among its addresses.
    /// - DMM: the largest number of distinct addresses that fall in one bank.
    /// - Where a thread asks for several words, all of them count; on the DMM as many threads go together
    ///   as ask for w words.
    /// - Of atomics requests to equal addresses do not merge: on the UMM each group takes as many stages
    ///   as one word of it has requests at most, on the DMM the number of requests in one bank counts.
    ///
    /// O(pieces) in time if no warp holds more than eight runs and the runs that share a warp have
    /// strides of at most `w` (UMM) or 1 (DMM); runs in other shared warps cost expected O(1) for
    /// each address. Memory O(1), but O(addresses) of one such warp.
    #[inline]
    pub fn visit(&mut self, step: &Step, mut visit: impl FnMut(Warps)) {
        if step.is_atomic || step.words > 1 {
            return self.visit_one_by_one(step, visit);
        }
        for &piece in &step.pieces {
            match piece {
                Piece::Idle(count) => self.idle(count, &mut visit),
                Piece::Run(run) => self.run(run, &mut visit),
            }
        }
        self.end(&mut visit);
    }

    /// The same for atomics, and for several words a thread: O(words · log w).
    fn visit_one_by_one(&self, step: &Step, mut visit: impl FnMut(Warps)) {
        let width = self.conflict.width;
        let (mut next, mut warp, mut requests) = (0_u64, 0, vec![]);
        let mut close = |warp: u64, requests: &mut Vec<(u64, u64)>| {
            if !requests.is_empty() {
                let active = requests.len() as u64;
                let stages = self.conflict.one_by_one(requests, step.words, step.is_atomic);
                visit(Warps { first: warp, count: 1, active, stages });
                requests.clear();
            }
        };
        for piece in &step.pieces {
            match *piece {
                Piece::Idle(count) => next += count,
                Piece::Run(run) => {
                    for index in 0..run.count {
                        if width.quotient(next) != warp {
                            close(warp, &mut requests);
                            warp = width.quotient(next);
                        }
                        requests.push((width.remainder(next), run.at(index).0));
                        next += 1;
                    }
                }
            }
        }
        close(warp, &mut requests);
    }

    /// The next `count` threads of the step ask for nothing.
    #[inline]
    pub(crate) fn idle(&mut self, count: u64, visit: &mut impl FnMut(Warps)) {
        let left = self.conflict.width.get() - self.filled;
        if count < left {
            self.filled += count;
            return;
        }
        self.close(visit);
        let (skipped, over) = self.conflict.width.divide(count - left);
        self.warp += 1 + skipped;
        self.filled = over;
    }

    /// The next threads of the step ask for `run`; visits every warp that this completes.
    #[inline]
    pub(crate) fn run(&mut self, mut run: StridedRun, visit: &mut impl FnMut(Warps)) {
        let width = self.conflict.width;
        let left = width.get() - self.filled;
        if run.count < left {
            self.border.add(&self.conflict, run);
            self.filled += run.count;
            return;
        }
        if self.filled > 0 {
            self.border.add(&self.conflict, run.first(left));
            self.close(visit);
            self.warp = self.warp.wrapping_add(1);
            run = run.after(left);
        }
        let (full, over) = width.divide(run.count);
        if full > 0 {
            visit(Warps {
                first: self.warp,
                count: full,
                active: width.get(),
                stages: self.conflict.run(run.first(width.get())),
            });
            // Only a count that looks at no index goes over 2⁶⁴ warps.
            self.warp = self.warp.wrapping_add(full);
            run = run.after(run.count - over);
        }
        if over > 0 {
            self.border.add(&self.conflict, run);
        }
        self.filled = over;
    }

    /// Ends the step: visits the last warp if it is not complete.
    #[inline]
    pub(crate) fn end(&mut self, visit: &mut impl FnMut(Warps)) {
        self.close(visit);
        (self.warp, self.filled) = (0, 0);
    }

    /// Threads of the present warp that have been told what they ask for.
    pub(crate) const fn filled(&self) -> u64 {
        self.filled
    }

    /// Lets the present warp's threads so far ask for `runs` instead, of as many threads or fewer.
    pub(crate) fn replace(&mut self, runs: impl Iterator<Item = StridedRun>) {
        self.border.clear();
        for run in runs {
            self.border.add(&self.conflict, run);
        }
    }

    /// Visits the present warp, if any of its threads is active; all its pieces are known.
    #[inline]
    fn close(&mut self, visit: &mut impl FnMut(Warps)) {
        if let Some((active, stages)) = self.border.take(&mut self.conflict) {
            visit(Warps { first: self.warp, count: 1, active, stages });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::MachineKind::{self, Dmm, Umm};
    use crate::trace::AccessKind;
    use crate::units::{Address, Latency, Width};

    fn run(base: u64, stride: i64, count: u64) -> Piece {
        Piece::Run(StridedRun { base: Address(base), stride, count })
    }

    /// `(first, count, active, stages)` of every group of warps.
    fn visited(kind: MachineKind, width: u64, pieces: &[Piece]) -> Vec<(u64, u64, u64, u64)> {
        let machine =
            Machine { kind, width: Width::new(width).unwrap(), latency: Latency::new(1).unwrap() };
        let step = Step { pieces: pieces.to_vec(), ..Step::new(AccessKind::Read) };
        let mut all = Vec::new();
        StageCounter::new(machine).visit(&step, |warps| {
            all.push((warps.first, warps.count, warps.active, warps.stages));
        });
        all
    }

    #[test]
    fn the_figure_of_the_papers() {
        // W(0) = {0, 5, 2, 9}: three address groups; W(1) = {12, 13, 14, 15}: one.
        let pieces = [
            run(0, 5, 2),
            run(2, 7, 2), //
            run(12, 1, 4),
        ];
        assert_eq!(visited(Umm, 4, &pieces), [(0, 1, 4, 3), (1, 1, 4, 1)]);
        // Banks 0, 1, 2, 1: two addresses in bank 1.
        assert_eq!(visited(Dmm, 4, &pieces), [(0, 1, 4, 2), (1, 1, 4, 1)]);
    }

    #[test]
    fn atomics_at_one_word_wait_for_each_other() {
        // Groups {0 … 3} and {4 … 7}; twice word 0, thrice word 5; the second warp four times word 9.
        let pieces = [run(0, 0, 2), run(1, 4, 2), run(5, 0, 2), run(2, 4, 2), run(9, 0, 4)];
        let of = |kind| {
            let (width, latency) = (Width::new(8).unwrap(), Latency::new(1).unwrap());
            let machine = Machine { kind, width: Width::new(4).unwrap(), latency };
            let step = Step { is_atomic: true, ..Step::new(AccessKind::Write) };
            let mut all = vec![];
            let wide = Step { pieces: pieces.to_vec(), ..step.clone() };
            StageCounter::new(machine)
                .visit(&wide, |it| all.push((it.first, it.active, it.stages)));
            let machine = Machine { width, ..machine };
            StageCounter::new(machine)
                .visit(&wide, |it| all.push((it.first, it.active, it.stages)));
            all
        };
        // Warps of 4: {0, 0, 1, 5}, {5, 5, 2, 6}, {9, 9, 9, 9}; of 8: {0, 0, 1, 5, 5, 5, 2, 6}, {9 …}.
        assert_eq!(of(Umm), [(0, 4, 3), (1, 4, 3), (2, 4, 4), (0, 8, 3), (1, 4, 4)]);
        assert_eq!(of(Dmm), [(0, 4, 2), (1, 4, 2), (2, 4, 4), (0, 8, 3), (1, 4, 4)]);
    }

    #[test]
    fn threads_that_ask_for_two_words_go_in_two_passes() {
        let of = |kind, stride| {
            let (width, latency) = (Width::new(4).unwrap(), Latency::new(1).unwrap());
            let pieces = vec![run(0, stride, 4)];
            let step = Step { words: 2, pieces, ..Step::new(AccessKind::Read) };
            let mut stages = 0;
            StageCounter::new(Machine { kind, width, latency })
                .visit(&step, |it| stages += it.stages);
            stages
        };
        // Words 0 … 7: two groups, and two passes without a conflict.
        assert_eq!((of(Umm, 2), of(Dmm, 2)), (2, 2));
        // Words 0, 1, 4, 5, …: four groups, and in each pass two words a bank.
        assert_eq!((of(Umm, 4), of(Dmm, 4)), (4, 4));
        assert_eq!((of(Umm, 0), of(Dmm, 0)), (1, 2));
    }

    #[test]
    fn full_warps_of_one_run_are_one_visit() {
        for (stride, umm, dmm) in [
            (0, 1, 1),
            (1, 1, 1),
            (-1, 1, 1),
            (2, 2, 2),
            (3, 3, 1),
            (32, 32, 32),
            (-33, 32, 1),
            (48, 32, 16),
        ] {
            // Base 32² · 64 − 1 if backwards: the last word of a group.
            let base = if stride < 0 { (1 << 16) - 1 } else { 1 << 16 };
            let pieces = [run(base, stride, 32 * 7 + 1)];
            for (kind, k) in [(Umm, umm), (Dmm, dmm)] {
                assert_eq!(
                    visited(kind, 32, &pieces),
                    [(0, 7, 32, k), (7, 1, 1, 1)],
                    "{kind:?}, stride {stride}"
                );
            }
        }
        // A misaligned warp straddles one more group.
        assert_eq!(visited(Umm, 32, &[run(1, 1, 64)]), [(0, 2, 32, 2)]);
        // ⌊(31 + 2·31) / 32⌋ − ⌊31 / 32⌋ + 1.
        assert_eq!(visited(Umm, 32, &[run(31, 2, 32)]), [(0, 1, 32, 3)]);
    }

    #[test]
    fn idle_warps_are_not_dispatched() {
        let pieces = [Piece::Idle(9), run(3, 0, 2), Piece::Idle(13), run(7, 1, 1)];
        assert_eq!(visited(Umm, 4, &pieces), [(2, 1, 2, 1), (6, 1, 1, 1)]);
        assert_eq!(visited(Dmm, 4, &[Piece::Idle(9)]), []);
        assert_eq!(visited(Dmm, 4, &[]), []);
    }

    #[test]
    fn a_partial_warp_on_the_dmm_fills_its_banks_in_turn() {
        // gcd(6, 8) = 2: four banks, so threads 5 … 7 fall on the banks of threads 1 … 3.
        for (count, k) in [(1, 1), (4, 1), (5, 2), (7, 2)] {
            assert_eq!(visited(Dmm, 8, &[run(0, 6, count)]), [(0, 1, count, k)]);
        }
    }

    #[test]
    fn few_runs_in_one_warp_are_united() {
        // Groups 0…1 and 1…2; then a repeat of group 0.
        let pieces = [run(0, 1, 6), run(6, 1, 6), run(1, 1, 3), Piece::Idle(1)];
        assert_eq!(visited(Umm, 16, &pieces), [(0, 1, 15, 1)]);
        assert_eq!(
            visited(Umm, 16, &[run(12, 1, 6), run(30, 1, 6), run(0, 0, 4)]),
            [(0, 1, 16, 3)]
        );
        // Addresses 0…5, 16…21, 5…8: bank 5 holds 5 and 21.
        assert_eq!(
            visited(Dmm, 16, &[run(0, 1, 6), run(16, 1, 6), run(8, -1, 4)]),
            [(0, 1, 16, 2)]
        );
        // An arc that passes bank 15: addresses 14…17 and 32.
        assert_eq!(visited(Dmm, 16, &[run(14, 1, 4), run(32, 1, 1)]), [(0, 1, 5, 2)]);
    }

    #[test]
    fn a_width_of_two_to_the_forty_needs_no_memory() {
        let width = 1 << 40;
        let pieces = [run(0, 1, 1 << 39), run(5, 0, 1 << 39), run(0, 1, 1 << 41)];
        let visited = visited(Umm, width, &pieces);
        assert_eq!(visited, [(0, 1, width, 1), (1, 2, width, 1)]);
    }
}
