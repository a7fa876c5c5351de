//! Memory traces that other tools record: read by what is in them, line by line, and timed on a machine.
//!
//! Those of warps (Accel-Sim, NVBit's `mem_trace`, PPT-GPU) become steps as a kernel's own accesses do; those of one
//! thread (valgrind's lackey, Dinero, DRAMsim3, Ramulator, CSV) go to the clock as they are read.

mod lines;
mod open;
mod serial;
#[cfg(test)]
mod tests;
mod traceg;
mod warps;
#[cfg(feature = "xz")]
mod xz;

use std::io::BufRead;
use std::path::Path;

use thiserror::Error;

pub(crate) use self::lines::Lines;
pub use self::open::OpenTrace;
use self::open::path_name;
use super::timing::{Recorder, TraceError, machine_trace};
use memory_machine_core::keyword::keywords;
use memory_machine_core::machine::{self, Clock, Counts, Machine, Mode};
use memory_machine_core::trace::Sink;
use memory_machine_core::units::Threads;

/// Formats of traces, by what they begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceFormat {
    /// Of Accel-Sim: `.traceg`.
    Accelsim,
    /// A list of such files in their order: `kernelslist.g`.
    KernelList,
    /// What NVBit's tool `mem_trace` prints.
    MemTrace,
    /// Of PPT-GPU, a file of a block: an instruction, and the addresses of its threads.
    PptGpu,
    /// What `valgrind --tool=lackey --trace-mem=yes` prints.
    Lackey,
    /// Of Dinero: `0`, `1` or `2`, and an address.
    Dinero,
    /// Of DRAMsim3: an address, `READ` or `WRITE`, a cycle.
    Dramsim3,
    /// Of Ramulator: an address and `R` or `W`; or `LD` or `ST` and an address.
    Ramulator,
    /// A table with a column `address`.
    Csv,
}

keywords! { TraceFormat {
    Accelsim "traceg" "Of Accel-Sim"
    KernelList "kernelslist" "A list of such files"
    MemTrace "mem-trace" "What NVBit's mem_trace prints"
    PptGpu "ppt-gpu" "Of PPT-GPU, a file of a block"
    Lackey "lackey" "What valgrind's lackey prints"
    Dinero "dinero" "Of Dinero: a label and an address"
    Dramsim3 "dramsim3" "Of DRAMsim3: an address, READ or WRITE, a cycle"
    Ramulator "ramulator" "Of Ramulator: an address and R or W, or LD or ST and an address"
    Csv "csv" "A table with a column `address`"
} }

/// Why a trace is not timed.
#[derive(Debug, Error)]
pub enum TraceFileError {
    /// A file that cannot be read.
    #[error("{0}: cannot read the file: {1}")]
    File(String, std::io::Error),
    /// A line that is none of its format.
    #[error("{name}: line {line}: {why}")]
    Line {
        /// The file.
        name: String,
        /// From 1 on.
        line: u64,
        /// Why.
        why: String,
    },
    /// What its format does not say.
    #[error("{0}: {1}")]
    Given(String, String),
    /// Of the machine.
    #[error("{0}: {1}")]
    Time(String, TraceError),
}

impl TraceFormat {
    /// Of a file's beginning; none, if it is no such trace.
    pub fn of(head: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(head);
        if text.contains("#BEGIN_TB") || text.contains("#traces format") {
            return Some(Self::Accelsim);
        }
        let mut lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
        lines.find(|it| !it.starts_with('#')).and_then(Self::of_line)
    }

    fn of_line(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let hex = |it: &str| u64::from_str_radix(it.trim_start_matches("0x"), 16).is_ok();
        match words[..] {
            _ if line.starts_with("-kernel name") => Some(Self::Accelsim),
            _ if line.starts_with("MemcpyHtoD,")
                || [".traceg", ".traceg.xz", ".tracez"].iter().any(|it| line.ends_with(it)) =>
            {
                Some(Self::KernelList)
            }
            _ if line.starts_with("MEMTRACE:") => Some(Self::MemTrace),
            _ if line.starts_with("==") => Some(Self::Lackey),
            ["I" | "L" | "S" | "M", place] => {
                place.split_once(',').filter(|it| hex(it.0)).map(|_| Self::Lackey)
            }
            [address, "READ" | "WRITE", _] if hex(address) => Some(Self::Dramsim3),
            [address, "R" | "W"] if address.starts_with("0x") => Some(Self::Ramulator),
            ["LD" | "ST", address] if hex(address) => Some(Self::Ramulator),
            ["0" | "1" | "2", address] if hex(address) => Some(Self::Dinero),
            ["0" | "1" | "2", address, _] if hex(address) => Some(Self::Dinero),
            [name, first, ..] if hex(first) && warps::is_access(name) => Some(Self::PptGpu),
            _ if line.split(',').any(|it| it.trim() == "address") => Some(Self::Csv),
            _ => None,
        }
    }
}

/// What a trace takes on a machine, and its threads: of a launch the blocks together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimedTrace {
    /// Most of a launch; 1 of a trace of one thread.
    pub threads: Threads,
    /// Of all launches, one after another.
    pub counts: Counts,
}

/// Times what is read; memory is bounded, whatever its length.
///
/// # Errors
/// A line that is none; accesses that are too many to be held, or to a memory that the machine does not have.
pub fn time(
    name: &str,
    from: &mut dyn BufRead,
    format: TraceFormat,
    machine: Machine,
    mode: Mode,
) -> Result<TimedTrace, TraceFileError> {
    let mut lines = Lines::new(name, from);
    let mut launches = Launches { name, machine, mode, timed: None };
    match format {
        TraceFormat::Accelsim => traceg::read(&mut lines, &mut launches)?,
        TraceFormat::MemTrace => warps::read(&mut lines, &mut launches)?,
        TraceFormat::PptGpu => warps::read_block(&mut lines, &mut launches)?,
        _ => {
            let mut clock = Clock::new(machine, mode, Threads::ONE);
            serial::read(&mut lines, format, |step| clock.step(Default::default(), step))?;
            let counts = clock.finish().into_iter().sum();
            return Ok(TimedTrace { threads: Threads::ONE, counts });
        }
    }
    launches.timed.ok_or_else(|| lines.wrong("no launch is in it"))
}

/// The files of a list, one after another.
fn list(
    path: &Path,
    from: &mut dyn BufRead,
    machine: Machine,
    mode: Mode,
) -> Result<TimedTrace, TraceFileError> {
    let name = path_name(path);
    let mut lines = Lines::new(&name, from);
    let mut sum: Option<TimedTrace> = None;
    while let Some(line) = lines.next()? {
        if line.is_empty() || line.starts_with("Memcpy") || line.starts_with('#') {
            continue;
        }
        let one = OpenTrace::new(&path.with_file_name(line))?;
        let timed = match one.format {
            Some(format @ TraceFormat::Accelsim) => one.time(format, machine, mode)?,
            _ => return Err(lines.wrong("names a file that is no trace of Accel-Sim")),
        };
        sum = Some(join(sum, timed));
    }
    sum.ok_or_else(|| lines.wrong("no kernel is in the list"))
}

fn join(before: Option<TimedTrace>, next: TimedTrace) -> TimedTrace {
    match before {
        None => next,
        Some(before) => TimedTrace {
            threads: before.threads.max(next.threads),
            counts: [before.counts, next.counts].into_iter().sum(),
        },
    }
}

/// Launches that are timed one after another.
struct Launches<'a> {
    name: &'a str,
    machine: Machine,
    mode: Mode,
    timed: Option<TimedTrace>,
}

impl Launches<'_> {
    fn end(&mut self, recorder: Recorder) -> Result<(), TraceFileError> {
        let fail = |why| TraceFileError::Time(self.name.to_owned(), why);
        let trace = machine_trace(&recorder.trace(), self.machine).map_err(fail)?.trace;
        let counts = machine::time(self.machine, self.mode, &trace);
        let one = TimedTrace { threads: trace.threads, counts };
        self.timed = Some(join(self.timed, one));
        Ok(())
    }
}
