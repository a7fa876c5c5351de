//! A sign of life on standard error, for work that takes over a second in a terminal.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::machine::Clock;
use crate::trace::{Phase, Piece, Sink, Step};

/// Passes a trace on to a clock and shows how far it has come.
pub(super) struct Progress {
    clock: Clock,
    accesses: u64,
    steps: u64,
    started: Instant,
    bar: Option<ProgressBar>,
}

/// Steps between two looks at the time.
const STRIDE: u64 = 1 << 12;

impl Progress {
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, accesses: 0, steps: 0, started: Instant::now(), bar: None }
    }

    pub(super) fn finish(self) -> Clock {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.clock
    }

    fn show(&mut self) {
        if self.bar.is_none() && self.started.elapsed() > Duration::from_secs(1) {
            // Hidden by itself where standard error is no terminal.
            let style = ProgressStyle::with_template(
                "{spinner} {human_pos} accesses, {per_sec}, {elapsed}",
            );
            let bar = ProgressBar::new_spinner();
            self.bar = Some(style.map_or(bar.clone(), |style| bar.with_style(style)));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.accesses);
        }
    }
}

impl Sink for Progress {
    fn step(&mut self, phase: Phase, step: &Step) {
        self.clock.step(phase, step);
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

    fn barrier(&mut self) {
        self.clock.barrier();
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
        if self.started.elapsed() > Duration::from_secs(1) {
            let bar = || {
                let template =
                    format!("{{wide_bar}} {{percent}} % of {{human_len}} {}, {{eta}}", self.unit);
                let bar = ProgressBar::new(self.total);
                ProgressStyle::with_template(&template).map_or(bar.clone(), |it| bar.with_style(it))
            };
            self.bar.get_or_init(bar).set_position(done);
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
            let after = waits.recv_timeout(Duration::from_secs(1));
            if after == Err(RecvTimeoutError::Timeout) {
                let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
                let bar = ProgressBar::new_spinner();
                let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
                bar.set_message(what);
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
