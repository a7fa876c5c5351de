//! Quantities of samples as curves.

use std::collections::BTreeMap;

use super::ChartError;
use super::curves::{self, LONG, PUBLISHED, Panel, REFERENCE, Series};
use super::number::Unit;
use super::quantity::{BoundSide, Datum, Key, Quantity, key, over_baseline, over_fastest, values};
use super::rows::{Column, SampleRow, Value, columns, common, distinct, varies};
use super::scene::Scene;
use super::theme::{COLOURS, Canvas};

/// How to draw a chart.
#[derive(Debug, Clone)]
pub struct ChartStyle {
    /// Its size, light or dark.
    pub canvas: Canvas,
    /// In place of the usual one.
    pub title: Option<String>,
    /// The column of the horizontal axis, in place of the one that varies most.
    pub x: Option<Column>,
    /// The only column that tells series apart.
    pub by: Option<Column>,
}

/// Series that can still be distinguished.
const MOST_SERIES: usize = 14;

/// Curves of `quantity` over a column of `rows`. Rows with a time in seconds and a device are
/// measurements, drawn as marks; all others are predictions, drawn as lines. Time units and seconds
/// get panels of their own.
///
/// # Errors
/// [`ChartError::Data`] if the rows do not hold the quantity, or a value cannot stand on a
/// logarithmic axis.
pub fn curves(
    rows: &[SampleRow],
    quantity: &Quantity,
    style: &ChartStyle,
) -> Result<Scene, ChartError> {
    let x = match &style.x {
        Some(column) => column.clone(),
        None => horizontal(rows, style.by.as_ref())?,
    };
    let times = values(rows, &x, quantity)?;
    let of_rows = times.iter().filter(|it| it.says != BoundSide::AtLeast).count();
    let mut left_out = rows.len().saturating_sub(of_rows);
    let keys: Vec<Column> = columns(rows)
        .into_iter()
        .filter(|column| *column != x && varies(column, rows.iter()))
        .collect();
    let figure = figure_titles(quantity);
    let (data, name, y): (Vec<Datum>, _, _) = match quantity {
        Quantity::Time { .. } => (times, "Time", "time"),
        Quantity::Figure(_) => (times, &*figure[0], &*figure[1]),
        Quantity::Stages => (times, "Stages a warp access", "pipeline stages a warp access"),
        Quantity::Ratio => (times, "Time against the lower bound", "time ÷ lower bound"),
        Quantity::Speedup { column, value } => {
            let (data, alone) = over_baseline(&times, &keys, column, value)?;
            left_out += alone;
            (data, "Speed-up", "speed-up")
        }
        Quantity::Arrangements => {
            // What is compared is the arrangement of a bulk run, or else the phases.
            let arranged = [Column::Bulk, Column::Phase].into_iter().find(|it| keys.contains(it));
            let by = style.by.clone().or(arranged).or_else(|| keys.first().cloned());
            let mut data = times.clone();
            data.extend(over_fastest(&times, &keys, by.as_ref()));
            (data, "Arrangements", "time")
        }
    };
    let keys = match &style.by {
        Some(column) => vec![column.clone()],
        None => keys,
    };
    let mut groups: BTreeMap<Unit, Vec<Datum>> = BTreeMap::new();
    for datum in data {
        groups.entry(datum.unit).or_default().push(datum);
    }
    let medians = groups.values().any(|data| repeats(data, &keys));
    // A column that some rows leave empty tells devices from machines, which have other panels.
    let shown: Vec<Column> = keys.iter().filter(|it| distinct(it, rows) > 1).cloned().collect();
    let colours = Colours::of(rows, &shown);
    let mut panels: Vec<Panel> = groups
        .iter()
        .map(|(&unit, data)| panel(rows, unit, data, &x, (&keys, &shown), &colours, (quantity, y)))
        .collect::<Result<_, _>>()?;

    let all: Vec<&SampleRow> = rows.iter().collect();
    // What all panels say is stated once, above them.
    let is_alike = panels.windows(2).all(|it| it[0].heading == it[1].heading);
    let mut caption = match &mut panels[..] {
        [_] => String::new(),
        panels => {
            panels.iter_mut().filter(|_| is_alike).for_each(|it| it.heading.clear());
            common(&all, &[&x])
        }
    };
    if let Quantity::Speedup { column, value } = quantity {
        let value = Value::Text(value.clone());
        caption += &format!("  baseline: {}", column.describe(&value));
    }
    let any = |is: &dyn Fn(&Datum) -> bool| groups.values().flatten().any(is);
    let predicted = |it: &Datum| it.says == BoundSide::Predicted;
    let is_repeated = panels.iter().flat_map(|it| &it.series).any(|it| !it.bars.is_empty());
    let measured = if is_repeated {
        "dots: medians of what was measured  bars: from the least to the greatest"
    } else {
        "dots: measured"
    };
    let others = [
        (measured, any(&|it| it.says == BoundSide::Measured)),
        ("dashed: published", any(&|it| predicted(it) && is_published(it.row))),
        ("dotted: lower bound", any(&|it| it.says == BoundSide::AtLeast)),
    ];
    let others: Vec<&str> = others.iter().filter(|it| it.1).map(|it| it.0).collect();
    if !others.is_empty() {
        let counted = any(&|it| predicted(it) && !is_published(it.row));
        let lines = if counted { "lines: counted  " } else { "" };
        caption += &format!("  {lines}{}", others.join("  "));
    }
    if medians {
        caption += "  lines: medians of rows that differ in other columns";
    }
    if left_out > 0 {
        let noun = if left_out == 1 { "row" } else { "rows" };
        caption += &format!("  {left_out} {noun} without this quantity left out");
    }
    let mut scene = Scene::on(style.canvas);
    let title = style.title.clone().unwrap_or_else(|| format!("{name} of {}", algorithms(rows)));
    let top = curves::head(&mut scene, &title, &caption);
    curves::draw(&mut scene, top, &panels);
    Ok(scene)
}

/// The algorithms' names.
pub(super) fn algorithms(rows: &[SampleRow]) -> String {
    let names: std::collections::BTreeSet<&str> =
        rows.iter().map(|row| row.sample.algorithm.as_str()).collect();
    match names.len() {
        0..=3 => names.into_iter().collect::<Vec<_>>().join(", "),
        many => format!("{many} algorithms"),
    }
}

/// The numeric column that varies most.
fn horizontal(rows: &[SampleRow], by: Option<&Column>) -> Result<Column, ChartError> {
    let numeric = |column: &Column| {
        let of_hmm = matches!(column, Column::Dmms | Column::SharedLatency | Column::Resident);
        let of_any = matches!(column, Column::Width | Column::Latency | Column::Threads);
        of_hmm || of_any || matches!(column, Column::Set(_))
    };
    let columns = columns(rows).into_iter().filter(|it| numeric(it) && Some(it) != by);
    // Of equals the last: threads rather than sizes.
    let most = columns.max_by_key(|column| distinct(column, rows));
    most.filter(|column| distinct(column, rows) > 0).ok_or_else(|| {
        ChartError::Data(
            "no row has a size, width, latency or number of threads for the horizontal axis".into(),
        )
    })
}

/// Whether a line has several points at one place.
fn repeats(data: &[Datum], keys: &[Column]) -> bool {
    let mut seen = std::collections::HashSet::new();
    let place = |it: &Datum| (key(it.row, keys, None), it.x.to_bits());
    data.iter().any(|it| it.says == BoundSide::Predicted && !seen.insert(place(it)))
}

/// Whether a paper states what the row says, of no machine.
const fn is_published(row: &SampleRow) -> bool {
    row.sample.machine.is_none() && row.sample.source.is_some()
}

/// A colour for each series, the same in every panel; long dashes where colours do not suffice.
struct Colours(Vec<Key>);

impl Colours {
    fn of(rows: &[SampleRow], keys: &[Column]) -> Self {
        let mut all: Vec<_> = rows.iter().map(|row| Self::key(row, keys)).collect();
        all.sort();
        all.dedup();
        Self(all)
    }

    /// Device and source have no colour: marks, strokes and panels tell them apart.
    fn key(row: &SampleRow, keys: &[Column]) -> Key {
        let is_kept = |(index, column): &(usize, &Column)| {
            *index == 0 || !matches!(column, Column::Device | Column::Source)
        };
        let kept = keys.iter().enumerate().filter(is_kept);
        kept.map(|(_, column)| column.value(&row.sample)).collect()
    }

    fn index(&self, row: &SampleRow, keys: &[Column]) -> (usize, usize) {
        let own = Self::key(row, keys);
        let index = self.0.iter().position(|it| *it == own).unwrap_or(0);
        (index % COLOURS, if index < COLOURS { 0 } else { LONG })
    }
}

fn panel(
    rows: &[SampleRow],
    unit: Unit,
    data: &[Datum],
    x: &Column,
    (keys, shown): (&[Column], &[Column]),
    colours: &Colours,
    (quantity, y): (&Quantity, &str),
) -> Result<Panel, ChartError> {
    let here: Vec<&SampleRow> = data.iter().map(|datum| datum.row).collect();
    let named: Vec<&Column> = keys.iter().filter(|it| varies(it, here.iter().copied())).collect();
    // What a device measured continues what is reported of it: one series, dots on its line.
    let of_name: Vec<Column> = named
        .iter()
        .filter(|it| !matches!(it, Column::Source | Column::Device) || named.len() == 1)
        .map(|it| (*it).clone())
        .collect();
    let mut groups: BTreeMap<(Key, bool), Vec<&Datum>> = BTreeMap::new();
    for datum in data {
        let key = key(datum.row, &of_name, None);
        groups.entry((key, datum.says == BoundSide::AtLeast)).or_default().push(datum);
    }
    if groups.len() > MOST_SERIES {
        let names: Vec<String> = of_name.iter().map(|it| it.title(&[])).collect();
        return Err(ChartError::Data(format!(
            "{} curves are too many to tell apart ({MOST_SERIES} at most); choose what tells them \
             apart with --by, or leave out rows (they differ in {})",
            groups.len(),
            names.join(", ")
        )));
    }
    let series = groups.into_iter().map(|((values, at_least), data)| {
        let words = of_name.iter().zip(&values);
        let words = words.filter_map(|(column, value)| Some(column.describe(value.as_ref()?)));
        let (colour, mut dash) = colours.index(data[0].row, shown);
        let mut words: Vec<String> = words.collect();
        // Quotients share a panel: what is no machine's is named by its source, up to a colon.
        let sample = &data[0].row.sample;
        let quotients = matches!(unit, Unit::Times | Unit::Stages);
        if let (true, None, Some(source)) = (quotients, &sample.machine, &sample.source) {
            words.extend(source.split(':').next().map(str::to_owned));
        }
        if is_published(data[0].row) && data[0].says != BoundSide::Measured {
            dash = PUBLISHED;
        }
        if at_least {
            words.push("lower bound".to_owned());
            dash = REFERENCE;
        }
        let of = |measured: bool| {
            data.iter().filter(move |it| (it.says == BoundSide::Measured) == measured)
        };
        let points: Vec<(f64, f64)> = of(false).map(|it| (it.x, it.y)).collect();
        let label = words.join(", ");
        let measured: Vec<(f64, f64)> = of(true).map(|it| (it.x, it.y)).collect();
        let runs = spreads(measured.clone());
        if runs.len() == measured.len() {
            return Series {
                label,
                colour,
                dash,
                line: medians(points),
                marks: measured,
                bars: vec![],
            };
        }
        let marks: Vec<(f64, f64)> = runs.iter().map(|&(x, [_, median, _])| (x, median)).collect();
        let bars = runs.iter().map(|&(x, [least, _, most])| (x, least, most)).collect();
        let line = if points.is_empty() { marks.clone() } else { medians(points) };
        Series { label, colour, dash, line, marks, bars }
    });
    let y = match (quantity, unit) {
        (Quantity::Arrangements, Unit::Times) => "time ÷ time of the fastest".to_owned(),
        (Quantity::Figure(_), _) => y.to_owned(),
        (_, Unit::TimeUnits) => format!("{y} (time units)"),
        (_, Unit::Seconds) => format!("{y} (seconds)"),
        _ => y.to_owned(),
    };
    Ok(Panel {
        heading: common(&here, &[x]),
        ..Panel::new((x.title(rows), Unit::Size), (y, unit), series.collect())
    })
}

/// Of a figure: as a title and as an axis name it.
fn figure_titles(quantity: &Quantity) -> [String; 2] {
    let Quantity::Figure(name) = quantity else { return [String::new(), String::new()] };
    let words = name.replace('_', " ");
    let (first, rest) = words.split_at(words.chars().next().map_or(0, char::len_utf8));
    [first.to_uppercase() + rest, words.clone()]
}

/// By increasing `x`: least, median and greatest of the points at one place.
fn spreads(mut points: Vec<(f64, f64)>) -> Vec<(f64, [f64; 3])> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let spread = |alike: &[(f64, f64)]| {
        let (last, of) = (alike.len() - 1, |index: usize| alike[index].1);
        let median = f64::midpoint(of(last / 2), of(alike.len() / 2));
        (alike[0].0, [of(0), median, of(last)])
    };
    points.chunk_by(|a, b| a.0 == b.0).map(spread).collect()
}

/// By increasing `x`, and of several points at one place the median.
fn medians(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.chunk_by(|a, b| a.0 == b.0).map(|alike| alike[(alike.len() - 1) / 2]).collect()
}
