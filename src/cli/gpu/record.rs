//! A folder into which points are measured.

use std::fmt::Display;
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};

use super::DeviceOptions;
use crate::cli::{Failure, files};
use crate::cuda::{self, Gpu};
use crate::measurement::{DEVICE, Device, FEWEST, LONG, Log, Row, Subject, read_device};

/// The device's description, which stands in the folder from the first point on.
pub(in crate::cli) fn describe(folder: &Path, found: Device) -> Result<Device, Failure> {
    let fail = |error: std::io::Error| {
        Failure::input(format_args!("{}: {error}; change -o", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(fail)?;
    let path = folder.join(DEVICE);
    let date = time::OffsetDateTime::now_utc().date().to_string();
    let mut device = Device { date, ..found };
    if path.exists() {
        let before = read_device(folder).map_err(Failure::input)?;
        if (&before.name, &before.driver) != (&device.name, &device.driver) {
            return Err(Failure::input(format_args!(
                "{}: measured on {} with driver {}, but this is {} with driver {}; give \
                 another -o",
                path.display(),
                before.name,
                before.driver,
                device.name,
                device.driver
            )));
        }
        if device.count <= before.count {
            return Ok(Device { count: device.count, ..before });
        }
        device = Device { count: device.count, ..before };
    }
    let text = serde_json::to_string_pretty(&device).map_err(Failure::run)? + "\n";
    files::update(&path, |file| file.write_all(text.as_bytes()))?;
    Ok(device)
}

/// The GPU, if there is one or it is `needed`, and the folder with its description; without a GPU,
/// that of the host.
pub(in crate::cli) fn described(
    folder: &Path,
    device: DeviceOptions,
    needed: bool,
) -> Result<(Option<Gpu>, Device), Failure> {
    let count = match cuda::count() {
        Ok(count) => count,
        Err(error) if needed => return Err(error.into()),
        Err(_) => 0,
    };
    if count == 0 && !needed {
        return Ok((None, describe(folder, cuda::describe_host())?));
    }
    let gpu = device.open()?;
    let device = describe(folder, cuda::describe(&gpu, count as u64)?)?;
    Ok((Some(gpu), device))
}

/// Runs again until there are enough repetitions. The first run, which warmed up, counts only if it
/// takes so long that it is not repeated.
pub(in crate::cli) fn repeat<T>(
    first: T,
    time_s: impl Fn(&T) -> f64,
    repetitions: u32,
    run: impl Fn() -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    match time_s(&first) {
        time if time >= LONG => Ok(vec![first]),
        time if time > 1.0 => (0..FEWEST).map(|_| run()).collect(),
        _ => (0..repetitions).map(|_| run()).collect(),
    }
}

pub(in crate::cli) fn bar(points: usize) -> ProgressBar {
    // Hidden by itself where standard error is no terminal.
    let bar = ProgressBar::new(points as u64);
    match ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} points, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Writes a point's repetitions.
pub(in crate::cli) fn save(
    log: &mut Log,
    subject: &Subject,
    verified: &str,
    seed: u64,
    times: &[f64],
) -> Result<(), Failure> {
    append(log, &subject.repetitions(verified, seed, times))
}

/// Writes all rows of a point.
pub(in crate::cli) fn append<R: Row>(log: &mut Log<R>, rows: &[R]) -> Result<(), Failure> {
    log.append(rows)
        .map_err(|error| Failure::run(format_args!("{}: {error}", log.path().display())))
}

/// A point that failed; those before it are safe.
pub(in crate::cli) fn lost<R: Row>(
    log: &Log<R>,
    subject: &impl Display,
    failure: Failure,
) -> Failure {
    failure.after(&format!(
        "at {subject} (all points before it stand in {}; the same command goes on there)",
        log.path().display()
    ))
}
