//! What charts of engines on points have in common: times over the number of points.

use crate::curves::{Panel, Series};
use crate::number::Unit;
use memory_machine_measure::{Repetitions, Row, Spread};

/// How a chart shows an engine.
pub(super) struct EngineStyle<E> {
    pub(super) engine: E,
    pub(super) label: &'static str,
    /// In a sentence.
    pub(super) name: &'static str,
    pub(super) colour: usize,
}

impl<E> EngineStyle<E> {
    pub(super) const fn new(engine: E, [label, name]: [&'static str; 2], colour: usize) -> Self {
        Self { engine, label, name, colour }
    }
}

/// Runs of an engine over the number of points.
pub(super) struct EngineCurve<'a, E: 'static, R: Row> {
    pub(super) look: &'static EngineStyle<E>,
    /// By ascending number.
    pub(super) runs: Vec<(u64, &'a Repetitions<R>)>,
}

impl<E, R: Row> EngineCurve<'_, E, R> {
    /// Median seconds of `n` points.
    pub(super) fn at(&self, n: u64) -> Option<f64> {
        self.runs.iter().find(|it| it.0 == n).map(|it| it.1.median_s())
    }

    /// Medians and quartiles of `value`.
    pub(super) fn series(&self, value: impl Fn(&R) -> Option<f64>) -> Series {
        let spread = |it: &(u64, &Repetitions<R>)| Some((it.0 as f64, it.1.spread(&value)?));
        spreads(self.look.label, self.look.colour, self.runs.iter().filter_map(spread).collect())
    }
}

/// The most points for which most engines were measured.
pub(super) fn most_measured<E, R: Row>(curves: &[EngineCurve<'_, E, R>]) -> Option<u64> {
    let sizes = curves.iter().flat_map(|it| &it.runs).map(|it| it.0);
    let measured = |n: u64| curves.iter().filter(|it| it.at(n).is_some()).count();
    sizes.max_by_key(|&n| (measured(n), n))
}

/// Medians as dots on a line, and quartiles as bars.
pub(super) fn spreads(label: &str, colour: usize, spreads: Vec<(f64, Spread)>) -> Series {
    let places: Vec<_> = spreads.iter().map(|(x, it)| (*x, it.median)).collect();
    Series {
        label: label.to_owned(),
        colour,
        marks: places.clone(),
        line: places,
        bars: spreads.iter().map(|(x, it)| (*x, it.low, it.high)).collect(),
        ..Series::default()
    }
}

/// A panel over a number of something.
pub(super) fn panel(x: &str, (title, unit): (&str, Unit), series: Vec<Series>) -> Panel {
    Panel::new((x, Unit::Size), (title, unit), series)
}

/// The horizontal axis of what is on points.
pub(super) const POINTS: &str = "number n of points";
