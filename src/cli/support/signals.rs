//! Ends when asked to, with nothing half written left behind.

use std::fs;
use std::io;
use std::process::exit;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::staging::remove_temporary;

/// From now on Ctrl-C, a request to end and a terminal that is closed end the process with 128 plus
/// the signal's number, as shells have it. A signal that was to be ignored (`nohup`) still is.
///
/// # Errors
/// What the system says.
pub(crate) fn listen() -> io::Result<()> {
    let ignored = ignored();
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|it| ignored >> (it - 1) & 1 == 0);
    let mut signals = Signals::new(heeded)?;
    thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            remove_temporary();
            exit(128 + signal);
        }
    })?;
    Ok(())
}

/// A bit for each signal that the parent process had this one ignore, as Linux tells.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|it| u64::from_str_radix(it.trim(), 16).ok()).unwrap_or(0)
}
