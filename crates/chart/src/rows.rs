//! Samples with the place where each was read, and their columns by name.

use memory_machine_case::sample::Sample;

use super::ChartError;

/// A sample and where it stands, as in `runs.csv:7`.
#[derive(Debug, Clone)]
pub struct SampleRow {
    /// What the row says.
    pub sample: Sample,
    /// The file's name, as messages show it.
    pub file: std::rc::Rc<str>,
    /// From 1, the header included.
    pub line: u64,
}

impl SampleRow {
    /// Those of the rows that have a value in a column.
    ///
    /// # Errors
    /// [`ChartError::Data`]: no such column, or no such row.
    pub fn chosen(rows: Vec<Self>, column: &str, value: &str) -> Result<Vec<Self>, ChartError> {
        let unknown = |error| ChartError::Data(format!("--of {column}={value}: {error}"));
        let of = Column::named(column, &rows).map_err(unknown)?;
        let is_meant = |row: &Self| of.text(&row.sample).as_deref() == Some(value);
        let chosen: Vec<Self> = rows.into_iter().filter(is_meant).collect();
        if chosen.is_empty() {
            return Err(ChartError::Data(format!("--of {column}={value}: no row has this value")));
        }
        Ok(chosen)
    }

    pub(super) fn fail(&self, message: impl std::fmt::Display) -> ChartError {
        ChartError::Data(format!("{}:{}: {message}", self.file, self.line))
    }
}

/// A column that tells series apart, or that an axis shows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// The listing's name.
    Algorithm,
    /// A parameter of the algorithm, in the column `set`, or of the machine, in `rules`.
    Set(String),
    /// UMM, DMM or HMM.
    Machine,
    /// d, of an HMM.
    Dmms,
    /// ls, of its shared memories.
    SharedLatency,
    /// R, blocks on a DMM at a time.
    Resident,
    /// w, in words.
    Width,
    /// l, in time units.
    Latency,
    /// p; of a bulk run, its inputs.
    Threads,
    /// Synchronous or asynchronous.
    Mode,
    /// The arrangement of a bulk run.
    Bulk,
    /// A phase, or the whole run.
    Phase,
    /// What it was measured on.
    Device,
    /// Where a published value stands.
    Source,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Value {
    Number(i128),
    Text(String),
}

impl Value {
    /// As an option names it: `8192`, `opt_bb_naive`.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

impl Column {
    /// The column of this name, or of the letter that the papers use; any parameter in `rows`.
    ///
    /// # Errors
    /// [`ChartError`] with the names that there are.
    pub fn named(name: &str, rows: &[SampleRow]) -> Result<Self, ChartError> {
        let parameter = Self::Set(name.to_owned());
        if rows.iter().any(|row| parameter.value(&row.sample).is_some()) {
            return Ok(parameter);
        }
        Ok(match name {
            "algorithm" => Self::Algorithm,
            "machine" => Self::Machine,
            "dmms" | "d" => Self::Dmms,
            "shared_latency" | "ls" => Self::SharedLatency,
            "resident" | "R" => Self::Resident,
            "width" | "w" => Self::Width,
            "latency" | "l" => Self::Latency,
            "threads" | "p" => Self::Threads,
            "mode" => Self::Mode,
            "bulk" => Self::Bulk,
            "phase" => Self::Phase,
            "device" => Self::Device,
            "source" => Self::Source,
            _ => {
                let mut names: Vec<&str> = rows
                    .iter()
                    .flat_map(|row| self::names(&row.sample).map(String::as_str))
                    .collect();
                names.sort_unstable();
                names.dedup();
                return Err(ChartError::Data(format!(
                    "no column `{name}`; there are: {}{}algorithm, machine, d, ls, R, w, l, p, \
                     mode, bulk, phase, device, source",
                    names.join(", "),
                    if names.is_empty() { "" } else { ", " }
                )));
            }
        })
    }

    /// The column's value, as an option names it: `8192`, `opt_bb_naive`.
    pub fn text(&self, sample: &Sample) -> Option<String> {
        Some(self.value(sample)?.text())
    }

    pub(super) fn value(&self, sample: &Sample) -> Option<Value> {
        let number = |value: Option<u64>| value.map(|it| Value::Number(it.into()));
        let text = |value: &Option<String>| value.clone().map(Value::Text);
        match self {
            Self::Algorithm => Some(Value::Text(sample.algorithm.clone())),
            Self::Set(name) => {
                let set = sample.set.0.get(name).map(|&it| Value::Number(it.into()));
                set.or_else(|| {
                    let text = sample.rules.as_ref()?.get(name)?;
                    let number = text.parse().map(Value::Number);
                    Some(number.unwrap_or_else(|_| Value::Text(text.to_owned())))
                })
            }
            Self::Machine => text(&sample.machine),
            Self::Dmms => number(sample.dmms),
            Self::SharedLatency => number(sample.shared_latency),
            Self::Resident => number(sample.resident),
            Self::Width => number(sample.width),
            Self::Latency => number(sample.latency),
            Self::Threads => number(sample.threads),
            Self::Mode => text(&sample.mode),
            Self::Bulk => text(&sample.bulk),
            Self::Phase => text(&sample.phase),
            Self::Device => text(&sample.device),
            Self::Source => text(&sample.source),
        }
    }

    /// What `value` is called where it tells a series from others.
    pub(super) fn describe(&self, value: &Value) -> String {
        match (self, value) {
            (_, Value::Number(value)) => format!("{} = {value}", self.letter()),
            (Self::Machine, Value::Text(text)) => text.to_uppercase(),
            (Self::Mode, Value::Text(text)) => format!("{text}hronous"),
            (Self::Bulk, Value::Text(text)) => format!("{text}-wise"),
            (Self::Phase, Value::Text(text)) => match text.len() {
                1 => format!("phase {text}"),
                _ => text.clone(),
            },
            (_, Value::Text(text)) => text.clone(),
        }
    }

    /// Its name, as an option takes it: the papers' letter, where there is one.
    pub(super) fn letter(&self) -> &str {
        match self {
            Self::Set(name) => name,
            Self::Dmms => "d",
            Self::SharedLatency => "ls",
            Self::Resident => "R",
            Self::Width => "w",
            Self::Latency => "l",
            Self::Threads => "p",
            Self::Algorithm => "algorithm",
            Self::Machine => "machine",
            Self::Mode => "mode",
            Self::Bulk => "bulk",
            Self::Phase => "phase",
            Self::Device => "device",
            Self::Source => "source",
        }
    }

    /// The title of an axis that shows this column.
    pub(super) fn title(&self, rows: &[SampleRow]) -> String {
        match self {
            Self::Dmms => "number d of DMMs".to_owned(),
            Self::SharedLatency => "latency ls of shared memory (time units)".to_owned(),
            Self::Resident => "blocks R on a DMM at a time".to_owned(),
            Self::Width => "width w".to_owned(),
            Self::Latency => "latency l (time units)".to_owned(),
            Self::Threads if rows.iter().all(|row| row.sample.bulk.is_some()) => {
                "number p of inputs, a thread each".to_owned()
            }
            Self::Threads => "number p of threads".to_owned(),
            Self::Set(name) if name == "n" => "size n".to_owned(),
            column => column.letter().to_owned(),
        }
    }
}

/// The machine and how it ran.
const OF_MACHINE: [Column; 8] = [
    Column::Machine,
    Column::Dmms,
    Column::SharedLatency,
    Column::Resident,
    Column::Width,
    Column::Latency,
    Column::Threads,
    Column::Mode,
];

/// Parameters of the algorithm and of the machine.
fn names(sample: &Sample) -> impl Iterator<Item = &String> {
    let rules = sample.rules.iter().flat_map(|it| it.0.iter().map(|it| &it.0));
    sample.set.0.keys().chain(rules)
}

/// Every column that `rows` use, those that make the best colours first.
pub(super) fn columns(rows: &[SampleRow]) -> Vec<Column> {
    let names: std::collections::BTreeSet<&String> =
        rows.iter().flat_map(|row| names(&row.sample)).collect();
    let mut columns = vec![Column::Algorithm];
    columns.extend(names.into_iter().cloned().map(Column::Set));
    columns.extend([Column::Phase, Column::Bulk]);
    columns.extend(OF_MACHINE);
    columns.extend([Column::Device, Column::Source]);
    columns
}

/// Whether the rows differ in `column`.
pub(super) fn varies<'a>(column: &Column, mut rows: impl Iterator<Item = &'a SampleRow>) -> bool {
    let first = rows.next().and_then(|row| column.value(&row.sample));
    rows.any(|row| column.value(&row.sample) != first)
}

/// How many values `column` has, up to many.
pub(super) fn distinct(column: &Column, rows: &[SampleRow]) -> usize {
    let mut seen = std::collections::HashSet::new();
    for row in rows {
        seen.extend(column.value(&row.sample));
        if seen.len() > 10_000 {
            break;
        }
    }
    seen.len()
}

/// What all the rows have in common: algorithm, sizes, machine.
pub(super) fn common(rows: &[&SampleRow], without: &[&Column]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let mut order = vec![Column::Algorithm];
    order.extend(names(&first.sample).cloned().map(Column::Set));
    order.extend(OF_MACHINE);
    order.extend([Column::Bulk, Column::Phase, Column::Device, Column::Source]);
    let words = order.iter().filter_map(|column| {
        let value = column.value(&first.sample)?;
        let alike = !without.contains(&column) && !varies(column, rows.iter().copied());
        alike.then(|| column.describe(&value))
    });
    words.collect::<Vec<_>>().join("  ")
}
