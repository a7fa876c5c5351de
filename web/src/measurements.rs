//! Measured seconds of shipped listings on a GPU, beside those that the plain UMM predicts: its time
//! units, each of a constant length. What `umm predict` adds to that would not fit a page.

use memory_machine::case::Case;
use memory_machine::machine::{Machine, Mode};
use memory_machine::run::layout::Arrangement;
use memory_machine::sample::Settings;
use memory_machine::units::{Latency, Width};
use serde_json::{Value, json};

use crate::case::{Wording, Wrong};

/// Listing, sizes, arrangement, threads, seconds: medians, made by the build script.
const MEASURED: &str = include_str!(concat!(env!("OUT_DIR"), "/measured.csv"));
/// Width, latency, resident threads and seconds of a time unit of the machine calibrated on that GPU.
const MODEL: [f64; 4] = include!(concat!(env!("OUT_DIR"), "/model.rs"));
const DEVICE: &str = "NVIDIA H200";
/// Larger sizes would take long to count.
const MOST: i64 = 1 << 20;

/// The points of a shipped listing in its arrangement: of a bulk run with its n by inputs, else by n.
pub fn measured(wording: &Wording) -> Result<Value, Wrong> {
    let case = wording.case()?;
    let Some(entry) = case.shipped() else { return Ok(Value::Null) };
    let [width, latency, threads_at_once, unit_s] = MODEL;
    let machine =
        Machine::umm(Width::at_least_one(width as u64), Latency::at_least_one(latency as u64));
    let mut points = vec![];
    for line in MEASURED.lines() {
        let fields: Vec<&str> = line.split(',').collect();
        let &[name, set, bulk, threads, time] = fields.as_slice() else { continue };
        let (Ok(set), Ok(time)) = (set.parse::<Settings>(), time.parse::<f64>()) else { continue };
        let bulk: Option<Arrangement> = bulk.parse().ok();
        let is_of_sizes = bulk.is_none() || set.0.get("n") == case.set.0.get("n");
        if name != entry.name || bulk != case.bulk || !is_of_sizes {
            continue;
        }
        let value = match bulk {
            Some(_) => threads.parse().unwrap_or(0),
            None => set.0.get("n").copied().unwrap_or(0),
        };
        let at_once = if bulk.is_some() { value as u64 } else { threads_at_once as u64 };
        let run = Case { set, bulk, mode: Mode::Sync, ..case.clone() }.on(machine);
        let timed = (value <= MOST).then(|| run.threads(at_once).ok()?.time().ok()).flatten();
        let predicted = timed.map(|it| it.total().time_units.0 as f64 * unit_s);
        points.push(json!({ "value": value, "measured": time, "predicted": predicted }));
    }
    points.sort_by_key(|it| it["value"].as_i64());
    let axis = if case.bulk.is_some() { "p" } else { "n" };
    Ok(json!({ "axis": axis, "device": DEVICE, "points": points }))
}
