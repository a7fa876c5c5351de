//! A sign of life on standard error, for work that takes over a second in a terminal.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::chart::per_second;
use crate::diagnostic::visible;
use crate::trace::{Piece, Step};

/// Work that takes less shows nothing.
const SOON: Duration = Duration::from_secs(1);

/// A line of the terminal that appears when work has taken a second, and moves even where nobody
/// tells how far it has come. Where standard error is no terminal there is none.
struct Line {
    bar: ProgressBar,
    started: Instant,
    /// Dropped, it tells the thread that waits for the second that the work is done.
    done: Option<Sender<()>>,
    waits: Option<JoinHandle<()>>,
}

impl Line {
    /// Work of a known length, or of none.
    fn new(length: Option<u64>, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        let bar = match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        let (done, soon) = channel();
        let late = bar.clone();
        let show = move || {
            if soon.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout) {
                late.set_draw_target(ProgressDrawTarget::stderr());
                late.enable_steady_tick(Duration::from_millis(100));
            }
        };
        // Nobody looks at what is no terminal, and a thread takes memory. Where none can be had, the
        // work is done all the same.
        let is_seen = io::stderr().is_terminal();
        let waits = if is_seen { thread::Builder::new().spawn(show).ok() } else { None };
        Self { bar, started: Instant::now(), done: Some(done), waits }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.done = None;
        let _ = self.waits.take().map(JoinHandle::join);
        self.bar.finish_and_clear();
    }
}

/// Shows how far a trace has come, until it is dropped.
pub(crate) struct Progress {
    accesses: u64,
    steps: u64,
    line: Line,
}

/// Steps between two looks at the time.
const STRIDE: u64 = 1 << 12;

impl Progress {
    pub(crate) fn new() -> Self {
        let line = Line::new(None, "{spinner} {msg}{elapsed}");
        Self { accesses: 0, steps: 0, line }
    }

    pub(crate) fn count(&mut self, step: &Step) {
        self.accesses += step
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Run(run) => run.count,
                Piece::Idle(_) => 0,
            })
            .sum::<u64>();
        self.steps += 1;
        if self.steps.is_multiple_of(STRIDE) {
            let rate = self.accesses as f64 / self.line.started.elapsed().as_secs_f64();
            let (accesses, rate) = (HumanCount(self.accesses), per_second(rate));
            self.line.bar.set_message(format!("{accesses} accesses, {rate}, "));
        }
    }
}

/// Shows how much of a known amount of work is done; any thread may add to it.
pub(crate) struct Bar {
    total: u64,
    done: AtomicU64,
    line: Line,
}

impl Bar {
    /// Of this many of a `unit`: `relaxations`.
    pub(crate) fn new(total: u64, unit: &str) -> Self {
        let template = format!("{{wide_bar}} {{percent}} % of {{human_len}} {unit}, {{msg}}");
        let line = Line::new(Some(total), &template);
        line.bar.set_message("nothing done yet");
        Self { total, done: AtomicU64::new(0), line }
    }

    pub(crate) fn add(&self, done: u64) {
        let done = self.done.fetch_add(done, Ordering::Relaxed) + done;
        let elapsed = self.line.started.elapsed();
        if elapsed > SOON {
            let part = self.total.saturating_sub(done) as f64 / done.max(1) as f64;
            let left = Duration::try_from_secs_f64(elapsed.as_secs_f64() * part);
            let left = HumanDuration(left.unwrap_or(Duration::MAX));
            self.line.bar.set_message(format!("{left:#} left"));
        }
        self.line.bar.set_position(done);
    }
}

/// Shows what is being done, of work whose length nobody knows, until it is dropped.
pub(crate) struct Spinner {
    line: Line,
}

impl Spinner {
    pub(crate) fn new(what: &str) -> Self {
        let it = Self { line: Line::new(None, "{spinner} {msg}, {elapsed}") };
        it.say(what);
        it
    }

    pub(crate) fn say(&self, what: &str) {
        self.line.bar.set_message(visible(what).into_owned());
    }
}

/// Does work of which nobody can tell how far it has come, and shows meanwhile what it is.
pub(crate) fn spin<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let _spinner = Spinner::new(what);
    work()
}
