//! What measured values can be. One row beyond that would make axes without end, and pages of
//! infinities.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use thiserror::Error;

use memory_machine_case::sample::{Sample, Settings};
use memory_machine_core::cost::CostKind;
use memory_machine_core::keyword::Keyword;
use memory_machine_core::machine::{MachineKind, Mode};
use memory_machine_core::run::layout::Arrangement;

/// Seconds: less than light takes for a micrometre, more than a life.
const SECONDS: RangeInclusive<f64> = 1e-15..=1e10;
/// Elements, threads, vertices … : the cube of this, which counts triangles, is below 2¹²⁸.
const MOST: u64 = 1 << 42;
/// Hertz, bytes and what else a device has.
const MOST_OF_A_DEVICE: f64 = 1e18;

/// A value that no measurement has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{name}` is {value}; {remedy}")]
pub struct Implausible {
    name: String,
    value: String,
    remedy: String,
}

impl Implausible {
    pub(super) fn empty(name: &str) -> Self {
        let (name, value) = (name.to_owned(), "empty".to_owned());
        Self { name, value, remedy: "fill it in, or remove the row".to_owned() }
    }
}

/// A row, or what else is read, whose values are checked.
pub trait Checked {
    /// # Errors
    /// The first value that it cannot have.
    fn check(&self) -> Result<(), Implausible>;
}

/// `text` is how a bound is written.
fn within<T: PartialOrd + Debug>(
    name: &str,
    value: T,
    range: &RangeInclusive<T>,
    text: impl Fn(&T) -> String,
) -> Result<(), Implausible> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = (text(range.start()), text(range.end()));
    let remedy = format!("it is from {least} to {most}: correct it, or measure again");
    Err(Implausible { name: name.to_owned(), value: format!("{value:?}"), remedy })
}

/// A measured time.
///
/// # Errors
/// One that is none: not finite, or beyond what anybody measures.
pub fn seconds(name: &str, value: f64) -> Result<(), Implausible> {
    within(name, value, &SECONDS, |it| format!("{it:e} s"))
}

/// A number of something, of which there are at least `least`.
pub(super) fn count(name: &str, value: u64, least: u64) -> Result<(), Implausible> {
    within(name, value, &(least..=MOST), u64::to_string)
}

/// A number of points, which engines count in 32 bits.
pub(super) fn points(value: u64, least: u64) -> Result<(), Implausible> {
    within("n", value, &(least..=u32::MAX.into()), u64::to_string)
}

pub(super) fn settings(set: &Settings) -> Result<(), Implausible> {
    let most = MOST.cast_signed();
    let setting =
        |(name, value): (&String, &i64)| within(name, *value, &(-most..=most), i64::to_string);
    set.0.iter().try_for_each(setting)
}

/// A column that is empty or has one of the words of a type.
fn word<T: Keyword>(name: &str, value: Option<&str>) -> Result<(), Implausible> {
    one_of(name, value, &T::WORDS.iter().map(|it| it.1).collect::<Vec<_>>())
}

fn one_of(name: &str, value: Option<&str>, words: &[&str]) -> Result<(), Implausible> {
    let Some(value) = value.filter(|it| !words.contains(it)) else { return Ok(()) };
    let remedy = format!("write one of {}, or nothing", words.join(", "));
    Err(Implausible { name: name.to_owned(), value: format!("`{value}`"), remedy })
}

/// What a data sheet says of a device; 0 where there is no such device.
pub(super) fn feature(name: &str, value: f64) -> Result<(), Implausible> {
    within(name, value, &(0.0..=MOST_OF_A_DEVICE), |it| format!("{it:?}"))
}

impl Checked for Sample {
    fn check(&self) -> Result<(), Implausible> {
        let counts = [("width", self.width), ("latency", self.latency), ("threads", self.threads)];
        for (name, value) in counts {
            value.map_or(Ok(()), |it| within(name, it, &(1..=1 << 48), u64::to_string))?;
        }
        for (name, bound) in [("lower_bound", self.lower_bound), ("upper_bound", self.upper_bound)]
        {
            bound.map_or(Ok(()), |it| within(name, it, &(0.0..=1e300), |it| format!("{it:?}")))?;
        }
        let mut machines: Vec<&str> =
            <MachineKind as Keyword>::WORDS.iter().map(|it| it.1).collect();
        machines.extend(<CostKind as Keyword>::WORDS.iter().map(|it| it.1));
        one_of("machine", self.machine.as_deref(), &machines)?;
        word::<Mode>("mode", self.mode.as_deref())?;
        word::<Arrangement>("bulk", self.bulk.as_deref())?;
        self.time_s.map_or(Ok(()), |it| seconds("time_s", it))
    }
}
