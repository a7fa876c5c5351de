//! How much an execution may do.

use std::fmt;
use std::time::{Duration, Instant};

use crate::diagnostic::{Diagnostic, LimitKind, Span};
use crate::units::Threads;
use crate::whole_number;

/// Limits and numbers of threads of an execution.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Threads of a parallel nest's round.
    pub threads: Threads,
    /// A sequential loop that is executed and iterates more often than this counts as endless.
    pub while_iterations: u64,
    /// All of its loops together.
    pub work: WorkLimit,
}

impl Limits {
    /// Without a limit on the work of all loops together.
    pub const fn new(threads: Threads, while_iterations: u64) -> Self {
        Self { threads, while_iterations, work: WorkLimit::NONE }
    }
}

/// Iterations of a sequential loop that are believed to end, where nobody says another number.
pub const WHILE_ITERATIONS: u64 = 10_000_000;

/// Work and time that an execution may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkLimit {
    /// Operations of all threads: instructions, and turns of loops.
    pub operations: Option<u64>,
    /// By the clock.
    pub time: Option<TimeLimit>,
}

/// A time, and the moment when it is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimit {
    /// As it was given.
    pub time: Duration,
    /// From then on nothing more is done.
    pub end: Instant,
}

impl TimeLimit {
    /// From now on. (A browser's page has no such clock, and sets no limit.)
    pub fn from_now(time: Duration) -> Self {
        let now = Instant::now();
        let far = Duration::from_secs(1 << 32);
        Self { time, end: now.checked_add(time).unwrap_or(now + far) }
    }

    /// Whether the time is over.
    pub fn is_over(self) -> bool {
        Instant::now() >= self.end
    }
}

impl WorkLimit {
    /// None at all.
    pub const NONE: Self = Self { operations: None, time: None };

    /// The lesser of both limits.
    #[must_use]
    pub fn and(self, amount: LimitAmount) -> Self {
        match amount {
            LimitAmount::Operations(new) => {
                Self { operations: Some(self.operations.map_or(new, |it| it.min(new))), ..self }
            }
            LimitAmount::Time(time) => {
                let new = TimeLimit::from_now(time);
                let time = self.time.filter(|it| it.time <= new.time).unwrap_or(new);
                Self { time: Some(time), ..self }
            }
        }
    }

    /// That the time is over, in the middle of the loop at `span`, if it is.
    ///
    /// # Errors
    /// That.
    pub(crate) fn check_time(self, span: Span) -> Result<(), Box<Diagnostic>> {
        match self.time.filter(|it| it.is_over()) {
            Some(it) => Err(stopped(span, LimitAmount::Time(it.time))),
            None => Ok(()),
        }
    }
}

/// A limit as `--limit` has it: `10s`, `1e9 operations`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitAmount {
    /// Of all threads together.
    Operations(u64),
    /// By the clock.
    Time(Duration),
}

impl std::str::FromStr for LimitAmount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let wrong = || {
            "write a time, as in 10s, 500ms or 2min, or a number of operations, as in \
             '1e9 operations'"
                .to_owned()
        };
        for (unit, seconds) in [("ms", 1e-3), ("min", 60.0), ("s", 1.0)] {
            let number = text.strip_suffix(unit).and_then(|it| it.trim().parse::<f64>().ok());
            if let Some(number) = number {
                let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())?;
                return if time.is_zero() { Err(wrong()) } else { Ok(Self::Time(time)) };
            }
        }
        let number = text.strip_suffix("operations").unwrap_or(text).trim();
        match whole_number::read(number).map(u64::try_from) {
            Ok(Ok(operations)) if operations > 0 => Ok(Self::Operations(operations)),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for LimitAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operations(number) => write!(f, "{number} operations"),
            Self::Time(time) => write!(f, "{} s", time.as_secs_f64()),
        }
    }
}

#[cold]
fn stopped(span: Span, limit: LimitAmount) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::new(span, format!("stopped at the limit of {limit}"));
    let help = "raise --limit if it is meant to take longer, or choose smaller sizes";
    Box::new(Diagnostic { limit: Some(LimitKind::Work), ..diagnostic.label("here").help(help) })
}

/// Operations after which limits are looked at again: a fraction of a millisecond.
const BATCH: u64 = 1 << 18;

/// What is left of a limit on work.
pub(super) struct Allowance {
    limit: WorkLimit,
    /// Operations at the last look.
    left: u64,
    /// Since then.
    spent: u64,
    /// When to look again.
    due: u64,
}

impl Allowance {
    pub(super) fn new(limit: WorkLimit) -> Self {
        let left = limit.operations.unwrap_or(u64::MAX);
        let due = if limit == WorkLimit::NONE { u64::MAX } else { left.min(BATCH) };
        Self { limit, left, spent: 0, due }
    }

    #[inline(always)]
    pub(super) const fn spend(&mut self, operations: usize) {
        self.spent = self.spent.wrapping_add(operations as u64);
    }

    /// Whether more may be done, in the loop at `span`.
    #[inline(always)]
    pub(super) fn check(&mut self, span: Span) -> Result<(), Box<Diagnostic>> {
        if self.spent < self.due { Ok(()) } else { self.look(span) }
    }

    #[cold]
    fn look(&mut self, span: Span) -> Result<(), Box<Diagnostic>> {
        self.left = self.left.saturating_sub(self.spent);
        self.spent = 0;
        self.due = self.left.min(BATCH);
        if let (0, Some(operations)) = (self.left, self.limit.operations) {
            return Err(stopped(span, LimitAmount::Operations(operations)));
        }
        self.limit.check_time(span)
    }
}
