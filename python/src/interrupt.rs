//! Work without Python's lock, which Ctrl-C ends.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::error;

/// Whether the work is to end.
#[derive(Default)]
pub struct Stop(AtomicBool);

/// What unwinds from work that is ended.
struct Ended;

impl Stop {
    /// Ends the work here, if it is to end; work that may take long asks now and then.
    pub fn check(&self) {
        if self.0.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Ended));
        }
    }
}

/// How long a signal may wait.
const PATIENCE: Duration = Duration::from_millis(20);

/// As much as the main thread of a process has, for listings nested deeply.
const STACK: usize = 8 << 20;

/// Does work on a thread of its own, without Python's lock, and looks at signals meanwhile.
///
/// # Errors
/// The exception of a signal (`KeyboardInterrupt`), once the work has ended.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> PyResult<T> + Send,
) -> PyResult<T> {
    let stop = Stop::default();
    py.detach(|| {
        thread::scope(|scope| {
            let (done, waits) = channel::<()>();
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
                let result = catch_unwind(AssertUnwindSafe(|| work(&stop)));
                drop(done);
                result
            });
            let worker = worker.map_err(|why| error(format_args!("no thread: {why}")))?;
            let mut signal = None;
            while waits.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if signal.is_none()
                    && let Err(raised) = Python::attach(|py| py.check_signals())
                {
                    signal = Some(raised);
                    stop.0.store(true, Ordering::Relaxed);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            match (signal, result) {
                (Some(signal), _) => Err(signal),
                (None, Ok(result)) => result,
                (None, Err(panic)) => resume_unwind(panic),
            }
        })
    })
}
