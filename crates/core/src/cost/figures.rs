//! What a machine says an execution cost.

use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Figures by name, and perhaps a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cost {
    /// In the order in which they are shown; the first is the one that the machine is about.
    pub figures: Vec<Figure>,
    /// Figures for each of something: sizes of the cache, supersteps, phases.
    pub table: Option<CostTable>,
}

/// A number with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// As JSON and CSV have it.
    pub key: &'static str,
    /// As people read it.
    pub about: &'static str,
    /// What it comes to.
    pub value: Value,
}

/// Rows of values.
#[derive(Debug, Clone, PartialEq)]
pub struct CostTable {
    /// As JSON has it.
    pub key: &'static str,
    /// Keys of the columns.
    pub columns: Vec<&'static str>,
    /// As many values a row.
    pub rows: Vec<Vec<Value>>,
}

/// A value of a figure or of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Exact.
    Count(u128),
    /// A quotient, or seconds.
    Number(f64),
    /// A word.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// Several.
    List(Vec<Self>),
}

impl Cost {
    /// The value of a figure.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.figures.iter().find(|it| it.key == key).map(|it| &it.value)
    }

    /// The count of a figure.
    pub fn count(&self, key: &str) -> Option<u128> {
        match self.get(key) {
            Some(Value::Count(count)) => Some(*count),
            _ => None,
        }
    }

    /// Adds a figure.
    #[must_use]
    pub fn with(mut self, key: &'static str, about: &'static str, value: impl Into<Value>) -> Self {
        self.figures.push(Figure { key, about, value: value.into() });
        self
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self::Count(count.into())
    }
}

impl From<u128> for Value {
    fn from(count: u128) -> Self {
        Self::Count(count)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::Flag(flag) => f.write_str(if *flag { "yes" } else { "no" }),
            Self::List(values) => {
                let words: Vec<String> = values.iter().map(Self::to_string).collect();
                f.write_str(&words.join(","))
            }
        }
    }
}

/// The figures by their keys; the table as a list of objects.
impl Serialize for Cost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entries = self.figures.len() + usize::from(self.table.is_some());
        let mut map = serializer.serialize_map(Some(entries))?;
        for Figure { key, value, .. } in &self.figures {
            map.serialize_entry(key, value)?;
        }
        if let Some(table) = &self.table {
            map.serialize_entry(table.key, table)?;
        }
        map.end()
    }
}

impl Serialize for CostTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Row<'a>(&'a [&'static str], &'a [Value]);
        impl Serialize for Row<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().zip(self.1))
            }
        }
        serializer.collect_seq(self.rows.iter().map(|row| Row(&self.columns, row)))
    }
}
