//! Measured seconds of shipped listings on a GPU, beside what the calibrated machine predicts.

use memory_machine::case::Case;
use memory_machine::fidelity::{self, Manner, Work};
use memory_machine::models;
use memory_machine::run::layout::Arrangement;
use memory_machine::sample::Settings;
use serde_json::{Value, json};

use crate::case::{Wording, Wrong};

/// Listing, sizes, arrangement, threads, seconds: medians, made by the build script.
const MEASURED: &str = include_str!(concat!(env!("OUT_DIR"), "/measured.csv"));
/// The machine calibrated on the same GPU.
const MODEL: &str = "h200";
/// Larger sizes would take long to count.
const MOST: i64 = 1 << 20;

/// The points of a shipped listing, in its arrangement: by inputs if it is a bulk run of its sizes, else
/// by its first parameter.
pub fn measured(wording: &Wording) -> Result<Value, Wrong> {
    let case = wording.case()?;
    let Some(entry) = case.shipped() else { return Ok(Value::Null) };
    let model = models::find(MODEL).ok_or_else(|| Wrong::message("there is no such model"))?;
    let Some(machine) = &model.calibration else { return Ok(Value::Null) };
    let mut points = vec![];
    let mut known = None;
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
        let inputs = Case { set, bulk, ..case.clone() }.on(model.machine());
        let inputs = if bulk.is_some() { inputs.threads(value as u64)? } else { inputs };
        // One number of inputs tells of all; of other sizes, each for itself.
        if bulk.is_none() {
            known = None;
        }
        let manner = Manner { launch: None, prefetch: 1 };
        let work = (value <= MOST)
            .then(|| Work::of(&inputs, manner, machine.resident_threads(), &mut known).ok());
        let predicted = work.flatten().map(|it| fidelity::predict(&it, machine, &[]).time_s);
        points.push(json!({ "value": value, "measured": time, "predicted": predicted }));
    }
    points.sort_by_key(|it| it["value"].as_i64());
    let axis = if case.bulk.is_some() { "p" } else { "n" };
    Ok(json!({ "axis": axis, "device": model.description, "points": points }))
}
