//! Words of warps: threads of a block, w neighbours each, that come to an instruction together.

use super::{Executor, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::language::program::WarpOp;
use crate::language::syntax::Type;
use crate::language::warp::Source;
use crate::run::active::Active;
use crate::run::arithmetic;
use crate::run::code::Register;
use crate::run::observer::Observer;

/// The most lanes that a ballot has bits for.
const BALLOT_LANES: usize = u64::BITS as usize;

/// What a lane reads of another.
enum Read {
    Of(usize),
    /// No thread of a warp has this number.
    NoLane(i64),
    /// A thread that has no iteration, or none at all.
    Absent(usize),
}

impl<W: Observer + ?Sized> Executor<'_, W> {
    pub(super) fn warp_word(
        &mut self,
        op: WarpOp,
        element: Type,
        to: Register,
        operands: &[Register],
        span: Span,
        active: &Active,
    ) -> Result<()> {
        let width = usize::try_from(self.layout.width.get()).unwrap_or(usize::MAX);
        if op == WarpOp::Ballot && width > BALLOT_LANES {
            let message = format!("a ballot has {BALLOT_LANES} bits, and a warp {width} threads");
            return Err(Box::new(Diagnostic::new(span, message).help("choose a smaller -w")));
        }
        let a_block = self.resident.as_ref().map_or(usize::MAX, |it| it.threads);
        let lane_of = |thread: usize| thread % a_block % width;
        let mut out = std::mem::take(&mut self.registers[to.0]);
        let values = operands.first().map_or(&[][..], |it| &self.registers[it.0]);
        let mut fault = None;
        match op {
            WarpOp::Lane | WarpOp::Width => {
                active.for_each(|thread| out[thread] = lane_of(thread) as u64);
            }
            WarpOp::Shuffle(source) => {
                let by = &self.registers[operands[1].0];
                let here = presence(active, values.len());
                let has_values = self.memory.is_some();
                let failed = active.find(|thread| {
                    let read = source_of(source, lane_of(thread), by[thread].cast_signed(), width);
                    let first = thread - lane_of(thread);
                    let end = (first - first % a_block).saturating_add(a_block);
                    let read = match read {
                        Read::Of(lane) if first + lane >= end || !here[first + lane] => {
                            Read::Absent(lane)
                        }
                        read => read,
                    };
                    match read {
                        Read::Of(lane) => out[thread] = values[first + lane],
                        // Which lane it is, data may say.
                        _ if !has_values => out[thread] = values[thread],
                        _ => fault = Some(read),
                    }
                    fault.is_some()
                });
                if let (Some(thread), Some(read)) = (failed, fault) {
                    self.registers[to.0] = out;
                    return Err(self.no_source(span, thread, lane_of(thread), &read));
                }
            }
            _ => {
                for warp in warps(active, a_block, width) {
                    let given: u64 = match op {
                        WarpOp::Any => warp.iter().any(|&it| values[it] != 0).into(),
                        WarpOp::All => warp.iter().all(|&it| values[it] != 0).into(),
                        WarpOp::Ballot => warp
                            .iter()
                            .fold(0, |bits, &it| bits | u64::from(values[it] != 0) << lane_of(it)),
                        WarpOp::Reduce(by) => {
                            let all = warp.iter().map(|&it| values[it]).collect();
                            fold(all, |to, pair| {
                                // Of these operators none fails.
                                let _ = arithmetic::binary(
                                    by,
                                    element,
                                    &Active::First(to.len()),
                                    to,
                                    pair,
                                );
                            })
                        }
                        _ => 0,
                    };
                    warp.iter().for_each(|&it| out[it] = given);
                }
            }
        }
        self.registers[to.0] = out;
        self.computed(to, operands, active);
        Ok(())
    }

    fn no_source(&self, span: Span, thread: usize, own: usize, read: &Read) -> Box<Diagnostic> {
        let (message, help) = match read {
            Read::NoLane(lane) => (
                format!("lane {own} of a warp reads lane {lane}, which no warp has"),
                "read a lane from 0 to w - 1; distances are not negative",
            ),
            Read::Absent(lane) | Read::Of(lane) => (
                format!(
                    "lane {own} of a warp reads lane {lane}, which has no iteration of this loop"
                ),
                "give every thread of the warp an iteration, as in `for i ← 0 to q-1`, with w dividing q",
            ),
        };
        Box::new(self.error(span, message, thread).help(help))
    }
}

/// Which lane a shuffle reads.
fn source_of(source: Source, own: usize, by: i64, width: usize) -> Read {
    let read = match source {
        Source::Lane => Some(by),
        _ if by < 0 => return Read::NoLane(by),
        // Beyond the warp's ends a thread reads its own.
        Source::Up => (own as i64).checked_sub(by).filter(|&it| it >= 0).or(Some(own as i64)),
        Source::Down => {
            (own as i64).checked_add(by).filter(|&it| it < width as i64).or(Some(own as i64))
        }
        Source::Xor => Some(own as i64 ^ by),
    };
    match read {
        Some(lane) if (0..width as i64).contains(&lane) => Read::Of(lane as usize),
        lane => Read::NoLane(lane.unwrap_or(by)),
    }
}

/// By thread, whether it takes part.
fn presence(active: &Active, threads: usize) -> Vec<bool> {
    let mut here = vec![false; threads];
    active.for_each(|thread| here[thread] = true);
    here
}

/// The threads that take part, warp by warp.
fn warps(active: &Active, a_block: usize, width: usize) -> Vec<Vec<usize>> {
    let mut warps: Vec<Vec<usize>> = vec![];
    let mut before = None;
    active.for_each(|thread| {
        let warp = Some((thread / a_block, thread % a_block / width));
        if warp != before {
            warps.push(vec![]);
            before = warp;
        }
        if let Some(last) = warps.last_mut() {
            last.push(thread);
        }
    });
    warps
}

/// Of the values of lanes 0, 1, …: for m = …, 4, 2, 1 each of the first m takes the one m above it in.
fn fold(mut values: Vec<u64>, mut combine: impl FnMut(&mut [u64], (&[u64], &[u64]))) -> u64 {
    while values.len() > 1 {
        let half = values.len().next_power_of_two() / 2;
        let upper = values.split_off(half);
        let lower = values[..upper.len()].to_vec();
        combine(&mut values[..upper.len()], (&lower, &upper));
    }
    values[0]
}
