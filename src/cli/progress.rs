//! A sign of life on standard error, for work that takes over a second in a terminal.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use crate::chart::per_second;
use crate::diagnostic::visible;
use crate::trace::{Piece, Step};

/// Shows how far a trace has come, until it is dropped.
pub(super) struct Progress {
    accesses: u64,
    steps: u64,
    started: Instant,
    bar: Option<ProgressBar>,
}

/// Work that takes less shows nothing.
const SOON: Duration = Duration::from_secs(1);

/// A line of the terminal, which hides by itself where standard error is none.
fn line(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Steps between two looks at the time.
const STRIDE: u64 = 1 << 12;

impl Progress {
    pub(super) fn new() -> Self {
        Self { accesses: 0, steps: 0, started: Instant::now(), bar: None }
    }

    pub(super) fn count(&mut self, step: &Step) {
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
            self.show();
        }
    }

    fn show(&mut self) {
        let elapsed = self.started.elapsed();
        if self.bar.is_none() && elapsed > SOON {
            self.bar = Some(line(ProgressBar::new_spinner(), "{spinner} {msg}"));
        }
        if let Some(bar) = &self.bar {
            let rate = per_second(self.accesses as f64 / elapsed.as_secs_f64());
            let (accesses, elapsed) = (HumanCount(self.accesses), HumanDuration(elapsed));
            bar.set_message(format!("{accesses} accesses, {rate}, {elapsed:#}"));
            bar.tick();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Shows how much of a known amount of work is done; any thread may add to it.
pub(super) struct Bar {
    /// What is counted: `relaxations`.
    unit: &'static str,
    total: u64,
    done: AtomicU64,
    started: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Bar {
    pub(super) fn new(total: u64, unit: &'static str) -> Self {
        let (done, started) = (AtomicU64::new(0), Instant::now());
        Self { unit, total, done, started, bar: OnceLock::new() }
    }

    pub(super) fn add(&self, done: u64) {
        let done = self.done.fetch_add(done, Ordering::Relaxed) + done;
        let elapsed = self.started.elapsed();
        if elapsed > SOON {
            let bar = || {
                let template =
                    format!("{{wide_bar}} {{percent}} % of {{human_len}} {}, {{msg}}", self.unit);
                line(ProgressBar::new(self.total), &template)
            };
            let bar = self.bar.get_or_init(bar);
            // The bar is younger than the work, so its own estimate would be far too short.
            let part = self.total.saturating_sub(done) as f64 / done.max(1) as f64;
            let left = Duration::try_from_secs_f64(elapsed.as_secs_f64() * part);
            bar.set_message(format!("{:#} left", HumanDuration(left.unwrap_or(Duration::MAX))));
            bar.set_position(done);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// Does work of which nobody can tell how far it has come, and shows meanwhile what it is.
pub(super) fn spin<T>(what: String, work: impl FnOnce() -> T) -> T {
    let (done, waits) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let after = waits.recv_timeout(SOON);
            if after == Err(RecvTimeoutError::Timeout) {
                let bar = line(ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed}");
                bar.set_message(visible(&what).into_owned());
                bar.enable_steady_tick(Duration::from_millis(100));
                let _ = waits.recv();
                bar.finish_and_clear();
            }
        });
        let result = work();
        drop(done);
        result
    })
}
