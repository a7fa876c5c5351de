//! From values to pixels, logarithmically; and the values that an axis names.

/// A logarithmic scale; its ends are positive, finite, and differ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// Pixels between round values: less, and their letters touch.
const CLOSEST: f64 = 16.0;

impl Scale {
    /// Covers those of `values` that have a [place](Self::has_place), with `margin` of its length on
    /// either side; from pixel `from` to pixel `to`.
    pub(super) fn around(
        values: impl Iterator<Item = f64>,
        margin: f64,
        (from, to): (f64, f64),
    ) -> Self {
        let logs = values.filter(|it| Self::has_place(*it)).map(f64::ln);
        let ends = logs.fold(None, |ends, log| {
            let (low, high) = ends.unwrap_or((log, log));
            Some((log.min(low), log.max(high)))
        });
        let (low, high) = ends.unwrap_or_default();
        // A single value, or nearly, gets some air.
        let air = if high - low < 0.2 { 0.7 } else { margin * (high - low) };
        Self { low: low - air, high: high + air, from, to }
    }

    /// Whether a logarithmic axis has a place for it.
    pub(super) fn has_place(value: f64) -> bool {
        value > 0.0 && value.is_finite()
    }

    pub(super) fn pixel(&self, value: f64) -> f64 {
        let part = (value.ln() - self.low) / (self.high - self.low);
        self.from + part * (self.to - self.from)
    }

    fn shows(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value.ln())
    }

    pub(super) fn ends(&self) -> (f64, f64) {
        (self.low.exp(), self.high.exp())
    }

    /// Powers of two, every one or every few, so that they are `apart` pixels or more.
    pub(super) fn powers_of_two(&self, apart: f64) -> Vec<f64> {
        let ln2 = std::f64::consts::LN_2;
        let (low, high) = ((self.low / ln2).ceil() as i32, (self.high / ln2).floor() as i32);
        let each = (self.to - self.from).abs() * ln2 / (self.high - self.low);
        let step =
            [1, 2, 3, 4, 5, 10, 20, 40].into_iter().find(|&it| f64::from(it) * each >= apart);
        let step = step.unwrap_or(80);
        (low..=high).filter(|power| power.rem_euclid(step) == 0).map(|it| 2_f64.powi(it)).collect()
    }

    /// Powers of ten, or round values between them where the scale is short.
    pub(super) fn decades(&self, apart: f64) -> Vec<f64> {
        let ln10 = std::f64::consts::LN_10;
        let (low, high) = ((self.low / ln10).floor() as i32, (self.high / ln10).ceil() as i32);
        let each = (self.to - self.from).abs() * ln10 / (self.high - self.low);
        let fitting = |mantissas: &[f64]| -> Vec<f64> {
            let all = (low..=high).flat_map(|power| {
                mantissas.iter().map(move |mantissa| mantissa * 10_f64.powi(power))
            });
            all.filter(|&value| self.shows(value)).collect()
        };
        if each < apart {
            let step = (apart / each).ceil() as i32;
            let steps = (low..=high).filter(|power| power.rem_euclid(step) == 0);
            return steps.map(|it| 10_f64.powi(it)).filter(|&it| self.shows(it)).collect();
        }
        let mut ticks = fitting(&[1.0]);
        if ticks.len() >= 3 {
            return ticks;
        }
        let is_crowded = |ticks: &[f64]| {
            ticks.windows(2).any(|it| (self.pixel(it[1]) - self.pixel(it[0])).abs() < CLOSEST)
        };
        for mantissas in [&[1.0, 3.0][..], &[1.0, 2.0, 5.0], &[1.0, 2.0, 3.0, 5.0, 7.0]] {
            let more = fitting(mantissas);
            if is_crowded(&more) && ticks.len() >= 3 {
                return ticks;
            }
            ticks = more;
            if ticks.len() >= 4 {
                return ticks;
            }
        }
        let (least, most) = self.ends();
        let step = 10_f64.powf(((most - least) / 4.0).log10().floor());
        let step = [1.0, 2.0, 5.0].into_iter().map(|it| it * step);
        let step = step.filter(|it| (most - least) / it <= 8.0).fold(f64::INFINITY, f64::min);
        let step = if step.is_finite() { step } else { (most - least) / 5.0 };
        let first = (least / step).ceil();
        let ticks = (0..10).map(|it| (first + f64::from(it)) * step);
        ticks.filter(|it| *it > 0.0 && *it <= most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_few_and_round() {
        let scale = Scale::around([64.0, 4_194_304.0].into_iter(), 0.0, (0.0, 800.0));
        let ticks = scale.powers_of_two(60.0);
        assert!(ticks.contains(&1024.0) && ticks.len() < 12, "{ticks:?}");
        let scale = Scale::around([3.0, 4.0e8].into_iter(), 0.05, (500.0, 0.0));
        // 10 … 10⁹: with air above, 4·10⁸ reaches just beyond 10⁹.
        assert_eq!(scale.decades(20.0).len(), 9);
        let scale = Scale::around([7.0].into_iter(), 0.05, (500.0, 0.0));
        assert!(scale.decades(20.0).len() >= 4, "{:?}", scale.decades(20.0));
        let scale = Scale::around([1.0, 1.3].into_iter(), 0.05, (500.0, 0.0));
        assert!(scale.decades(20.0).len() >= 3, "{:?}", scale.decades(20.0));
    }

    #[test]
    fn ticks_are_few_whatever_is_shown() {
        let values = [0.0, -1.0, 5e-324, 1e-300, 1.0, 2.0, 1e308, f64::INFINITY, f64::NAN];
        for pair in values.iter().flat_map(|a| values.map(|b| [*a, b])) {
            for pixels in [(0.0, 800.0), (800.0, 0.0), (0.0, 1e-9), (5.0, 5.0)] {
                let scale = Scale::around(pair.into_iter(), 0.05, pixels);
                for ticks in [scale.powers_of_two(56.0), scale.decades(26.0)] {
                    assert!(ticks.len() <= 100, "{pair:?} {pixels:?}: {}", ticks.len());
                }
            }
        }
    }
}
