//! What curves show of samples: time, speed-up, ratio to a bound, arrangements, conflicts.

use std::collections::BTreeMap;

use super::ChartError;
use super::number::Unit;
use super::rows::{Column, SampleRow, Value};

/// What the curves show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quantity {
    /// `time_units` and `time_s`, as rows have them; with `bounds`, their `lower_bound`, too.
    Time {
        /// Whether lower bounds are drawn.
        bounds: bool,
    },
    /// The baseline's time over each other row's. The baseline's rows have this text in the column.
    Speedup {
        /// What tells the baseline from the others.
        column: Column,
        /// The baseline's value of it.
        value: String,
    },
    /// `time_units` over `lower_bound`.
    Ratio,
    /// `stages` over `dispatches`: what conflicts make of a warp's access; on an HMM, of one to shared
    /// memory.
    Stages,
    /// A figure of machines that are no memory machines, such as `misses`.
    Figure(String),
    /// Time, and beside it how many times longer than the fastest of those that differ only in the
    /// arrangement (or in the column that the style names).
    Arrangements,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Datum<'a> {
    pub(super) row: &'a SampleRow,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) unit: Unit,
    pub(super) says: BoundSide,
}

/// What a value says of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundSide {
    Predicted,
    /// On a device.
    Measured,
    AtLeast,
}

/// Positive and finite, or an error that names the row.
fn positive(row: &SampleRow, name: &str, value: f64) -> Result<f64, ChartError> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(row.fail(format_args!(
        "{name} is {value}, which has no place on a logarithmic axis; leave the row out"
    )))
}

pub(super) fn values<'a>(
    rows: &'a [SampleRow],
    x: &Column,
    quantity: &Quantity,
) -> Result<Vec<Datum<'a>>, ChartError> {
    let mut data = vec![];
    for row in rows {
        let Some(Value::Number(at)) = x.value(&row.sample) else { continue };
        let at = positive(row, &format!("{} (horizontal axis)", x.title(&[])), at as f64)?;
        let mut add = |y, unit, says| data.push(Datum { row, x: at, y, unit, says });
        let sample = &row.sample;
        if let Quantity::Figure(name) = quantity {
            if let Some(figure) = sample.figures.as_ref().and_then(|it| it.get(name)) {
                let value = figure.parse().map_err(|_| {
                    row.fail(format_args!("{name} is `{figure}`, which is no number"))
                })?;
                add(positive(row, name, value)?, Unit::TimeUnits, BoundSide::Predicted);
            }
            continue;
        }
        if *quantity == Quantity::Stages {
            let of = |all: Option<u128>, shared: Option<u128>| shared.or(all).filter(|it| *it > 0);
            let stages = of(sample.stages, sample.shared_stages);
            let dispatches = of(sample.dispatches, sample.shared_dispatches);
            if let (Some(stages), Some(dispatches)) = (stages, dispatches) {
                add(stages as f64 / dispatches as f64, Unit::Stages, BoundSide::Predicted);
            }
            continue;
        }
        let units =
            sample.time_units.map(|it| positive(row, "time_units", it as f64)).transpose()?;
        let bound = || sample.lower_bound.map(|it| positive(row, "lower_bound", it)).transpose();
        if *quantity == Quantity::Ratio {
            if let (Some(units), Some(bound)) = (units, bound()?) {
                add(units / bound, Unit::Times, BoundSide::Predicted);
            }
            continue;
        }
        let measured = sample.time_s.map(|it| positive(row, "time_s", it)).transpose()?;
        let of_device =
            if sample.device.is_some() { BoundSide::Measured } else { BoundSide::Predicted };
        units.into_iter().for_each(|it| add(it, Unit::TimeUnits, BoundSide::Predicted));
        measured.into_iter().for_each(|it| add(it, Unit::Seconds, of_device));
        if *quantity == (Quantity::Time { bounds: true }) {
            bound()?.into_iter().for_each(|it| add(it, Unit::TimeUnits, BoundSide::AtLeast));
        }
    }
    if data.is_empty() {
        let wanted = match quantity {
            Quantity::Ratio => "time_units and lower_bound",
            Quantity::Stages => "stages and dispatches",
            Quantity::Figure(name) => name,
            _ => "time_units or time_s",
        };
        let file = rows.first().map_or("", |row| &row.file);
        let axis = x.title(rows);
        return Err(ChartError::Data(format!(
            "{file}: no row has {wanted} and a value for the horizontal axis, {axis}"
        )));
    }
    Ok(data)
}

pub(super) type Key = Vec<Option<Value>>;

pub(super) fn key(row: &SampleRow, keys: &[Column], without: Option<&Column>) -> Key {
    let kept = keys.iter().filter(|it| Some(*it) != without);
    kept.map(|column| column.value(&row.sample)).collect()
}

/// Each datum that is not the baseline's, with the baseline's time over its own; and how many have
/// no baseline.
pub(super) fn over_baseline<'a>(
    times: &[Datum<'a>],
    keys: &[Column],
    column: &Column,
    value: &str,
) -> Result<(Vec<Datum<'a>>, usize), ChartError> {
    let is_base = |row: &SampleRow| match column.value(&row.sample) {
        Some(Value::Number(number)) => number.to_string() == value,
        Some(Value::Text(text)) => text == value,
        None => false,
    };
    let at = |datum: &Datum| {
        // A device's source differs from row to row; it is no reason to leave a row out.
        (key(datum.row, keys, Some(column)), datum.x.to_bits(), datum.unit)
    };
    let (base, others): (Vec<Datum>, Vec<Datum>) =
        times.iter().copied().partition(|it| is_base(it.row));
    let base: BTreeMap<_, f64> = base.iter().map(|datum| (at(datum), datum.y)).collect();
    let data: Vec<Datum> = others
        .iter()
        .filter_map(|datum| {
            let y = base.get(&at(datum))? / datum.y;
            Some(Datum { y, unit: Unit::Times, ..*datum })
        })
        .collect();
    if data.is_empty() {
        let given = format!("--baseline {}={value}", column.letter());
        return Err(ChartError::Data(if base.is_empty() {
            let mut there: Vec<String> =
                others.iter().filter_map(|it| column.text(&it.row.sample)).collect();
            there.sort_unstable();
            there.dedup();
            format!("{given}: no row has this value; there are: {}", there.join(", "))
        } else {
            format!("{given}: no other row has a baseline at the same place")
        }));
    }
    let alone = others.len() - data.len();
    Ok((data, alone))
}

/// Each datum over the smallest of those that differ only in `by`.
pub(super) fn over_fastest<'a>(
    times: &[Datum<'a>],
    keys: &[Column],
    by: Option<&Column>,
) -> Vec<Datum<'a>> {
    let at = |datum: &Datum| (key(datum.row, keys, by), datum.x.to_bits(), datum.unit);
    let mut least: BTreeMap<_, f64> = BTreeMap::new();
    for datum in times {
        let least = least.entry(at(datum)).or_insert(f64::INFINITY);
        *least = least.min(datum.y);
    }
    let over =
        |datum: &Datum<'a>| Datum { y: datum.y / least[&at(datum)], unit: Unit::Times, ..*datum };
    times.iter().map(over).collect()
}
