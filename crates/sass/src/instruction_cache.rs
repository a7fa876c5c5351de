//! Code that a multiprocessor's first cache of instructions does not hold comes line by line.

/// Instructions of a line of machine code.
const LINE_INSTRUCTIONS: usize = 8;
/// Lines that the first cache of instructions holds, and the second.
const CACHED_LINES: [usize; 2] = [256, 1100];
/// Cycles from one line to the next, where the second cache has the code, and where it has not.
///
/// Straight-line code of 128 to 32,768 instructions, traversed again and again: up to 1,024 take a
/// cycle each, 4,096 to 8,192 take 2.4, more take 5.8, on an H100 and an H200 alike and for one warp
/// and for eight (`models/measurements/nvidia-h100/2026-11-25/fetch.csv`).
const LINE_CYCLES: [f64; 2] = [19.0, 46.0];
/// The same, of the multiprocessor, where several warps come to lines at different times; and lines that
/// these find there.
///
/// Eight warps at different places of straight-line code of 3,072 to 8,192 instructions wait 2.7 to 9.9
/// cycles an instruction for it, beside the 4 that they take, of 12,288 to 32,768 13.7 to 16.9, on all
/// multiprocessors of an H100 at once (`models/measurements/nvidia-h100/2026-11-26/fetch.csv`, source beside
/// it).
const SHARED_LINE_CYCLES: [f64; 2] = [13.2, 17.0];
/// As above.
const SHARED_CACHED_LINES: usize = 300;

/// A kernel's lines of code, of which the one that was fetched first leaves first.
#[derive(Debug)]
pub(super) struct InstructionCache {
    /// By line, its number among those fetched, and when it is there; none, if all code fits.
    fetched: Vec<Option<(usize, f64)>>,
    fetches: usize,
    cycles: f64,
    /// Of the multiprocessor's, for a line.
    each: f64,
    /// The line that was fetched last, and when it is there.
    last: (usize, f64),
}

impl InstructionCache {
    /// Of a kernel's instructions, and `all` that a run goes through.
    pub(super) fn new(instructions: usize, all: usize) -> Self {
        let all = all.div_ceil(LINE_INSTRUCTIONS);
        let is_held = all <= CACHED_LINES[0];
        let lines = if is_held { 0 } else { instructions.div_ceil(LINE_INSTRUCTIONS) };
        let cycles = LINE_CYCLES[usize::from(all > CACHED_LINES[1])];
        let each = SHARED_LINE_CYCLES
            [usize::from(instructions.div_ceil(LINE_INSTRUCTIONS) > CACHED_LINES[1])];
        Self { fetched: vec![None; lines], fetches: 0, cycles, each, last: (0, 0.0) }
    }

    /// Cycles of the multiprocessor for the lines that were fetched: once, for warps that come to them
    /// again and again catch up with those before them, and find what these fetched; and but for those
    /// that blocks before left there.
    pub(super) fn fetch_cycles(&self) -> f64 {
        let lines = self.fetched.iter().flatten().count();
        self.each * lines.saturating_sub(SHARED_CACHED_LINES) as f64
    }

    /// Whether the instruction begins a line that may have to be fetched.
    pub(super) fn begins_line(&self, instruction: usize) -> bool {
        !self.fetched.is_empty() && instruction.is_multiple_of(LINE_INSTRUCTIONS)
    }

    /// When an instruction that is wanted now is there. The line after the last one is under way
    /// already.
    pub(super) fn there(&mut self, instruction: usize, now: f64) -> f64 {
        let line = instruction / LINE_INSTRUCTIONS;
        let Some(&fetched) = self.fetched.get(line) else { return now };
        match fetched {
            Some((number, there)) if number + CACHED_LINES[0] > self.fetches => now.max(there),
            _ => {
                let (last, before) = self.last;
                let begun = if line == last + 1 { before } else { before.max(now) };
                let there = now.max(begun + self.cycles);
                self.fetched[line] = Some((self.fetches, there));
                self.fetches += 1;
                self.last = (line, there);
                there
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cycles an instruction of straight-line code, traversed for the second time.
    fn again(count: usize) -> f64 {
        let mut code = InstructionCache::new(count, count);
        let mut now = 0.0;
        let mut turn = || {
            let begun = now;
            (0..count).for_each(|it| now = code.there(it, now) + 1.0);
            (now - begun) / count as f64
        };
        turn();
        turn()
    }

    #[test]
    fn code_comes_as_fast_as_was_measured() {
        let measured =
            include_str!("../../../models/measurements/nvidia-h100/2026-11-25/fetch.csv");
        let mut looked = 0;
        for row in measured.lines().skip(1).map(|it| it.split(',').collect::<Vec<_>>()) {
            // One warp of each multiprocessor. Two thousand are between the first cache and the second.
            if row[1..4] != ["132", "1", "0"] || row[0] == "2048" {
                continue;
            }
            let (told, measured) = (again(row[0].parse().unwrap()), row[5].parse::<f64>().unwrap());
            assert!((told / measured - 1.0).abs() < 0.1, "{row:?}: {told}");
            looked += 1;
        }
        assert_eq!(looked, 10);
    }

    #[test]
    fn warps_apart_fetch_as_fast_as_was_measured() {
        let measured =
            include_str!("../../../models/measurements/nvidia-h100/2026-11-26/fetch.csv");
        let mut looked = 0;
        for row in measured.lines().skip(1).map(|it| it.split(',').collect::<Vec<_>>()) {
            let instructions: usize = row[0].parse().unwrap();
            if row[1..4] != ["132", "8", "1"] || instructions < 2048 {
                continue;
            }
            let mut code = InstructionCache::new(instructions, instructions);
            (0..instructions).for_each(|it| _ = code.there(it, 0.0));
            // A product takes a scheduler two cycles, and each has two of the warps.
            let told = (8.0 * code.fetch_cycles() / instructions as f64).hypot(4.0);
            let measured = row[4].parse::<f64>().unwrap();
            assert!((told / measured - 1.0).abs() < 0.15, "{row:?}: {told}");
            looked += 1;
        }
        assert_eq!(looked, 8);
    }
}
