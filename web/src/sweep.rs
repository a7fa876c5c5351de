//! Many cases that differ in one or two numbers.

use memory_machine::case::{Case, CaseCache};
use memory_machine::theory::{Bound, BoundKind};
use memory_machine::units::{Latency, Threads, Width};
use serde_json::{Value, json};

use crate::case::{Wording, Wrong};

/// The case with another value of one of its numbers.
fn with(wording: &Wording, axis: &str, value: u64) -> Result<Case, Wrong> {
    let mut other = wording.clone();
    match axis {
        "w" => other.w = value,
        "l" => other.l = value,
        "p" => other.p = value,
        "d" => other.d = value,
        parameter => {
            let value = i64::try_from(value).unwrap_or(i64::MAX);
            other.set.insert(parameter.to_owned(), value);
        }
    }
    other.case()
}

pub fn sweep(wording: &Wording, axis: &str, values: &[u64]) -> Result<Vec<Value>, Wrong> {
    let known = CaseCache::default();
    let mut points = vec![];
    for &value in values {
        let case = with(wording, axis, value)?;
        let Ok(timed) = case.time() else { continue };
        let bounds = known.bounds(&case, &timed);
        points.push(json!({
            "value": value,
            "time": timed.total().time_units.0 as f64,
            "stages": timed.total().stages as f64,
            "lower": lower(&bounds).map(|it| it.value as f64),
            "upper": upper(&bounds).map(|it| it.value as f64),
        }));
    }
    Ok(points)
}

fn whole(bounds: &[Bound], kind: BoundKind) -> impl Iterator<Item = &Bound> {
    bounds
        .iter()
        .filter(move |it| it.phase.is_none() && (it.kind == kind || it.kind == BoundKind::Exact))
}

fn lower(bounds: &[Bound]) -> Option<&Bound> {
    whole(bounds, BoundKind::Lower).max_by_key(|it| it.value)
}

fn upper(bounds: &[Bound]) -> Option<&Bound> {
    whole(bounds, BoundKind::Upper).min_by_key(|it| it.value)
}

/// By threads and then latency: which lower bound is the largest, and the time over it.
pub fn regime(wording: &Wording, threads: &[u64], latencies: &[u64]) -> Result<Value, Wrong> {
    let known = CaseCache::default();
    let base = wording.case()?;
    let mut cells = vec![];
    for &p in threads {
        for &l in latencies {
            let mut case = base.clone();
            case.threads = Threads::new(p)?;
            case.machine.latency = Latency::new(l)?;
            case.machine.width = Width::new(wording.w)?;
            let timed = case.time()?;
            let bounds = known.bounds(&case, &timed);
            let largest = lower(&bounds);
            let time = timed.total().time_units.0 as f64;
            cells.push(json!({
                "p": p, "l": l, "time": time,
                "bound": largest.map(|it| it.name),
                "formula": largest.map(|it| it.formula),
                "ratio": largest.map(|it| time / it.value.max(1) as f64),
            }));
        }
    }
    Ok(json!(cells))
}
