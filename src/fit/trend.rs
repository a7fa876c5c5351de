//! Whether a time stays within a constant of a bound as a parameter grows.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// What points can tell of a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The ratio does not grow, or its growth dies out.
    Consistent,
    /// The ratio goes on growing.
    Contradicts,
    /// No series has four values of the parameter.
    Unknown,
}

/// The growth of time/bound in its steepest series.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Trend {
    /// What the slopes say; the criterion is that of [`trend`].
    pub verdict: Verdict,
    /// Slope of log ratio against log parameter over the upper half of the series.
    pub slope: f64,
    /// The lower end of the slope's one-sided 95 % confidence interval.
    pub slope_low: f64,
    /// What part of its slope the upper half of these points keeps of the lower half's, per doubling.
    pub persistence: f64,
}

/// A slope below this is none. A missing factor log n shows as 1/ln n, which is more up to
/// n = 4·10⁸; where a right bound's terms take over from each other, slopes of 0.03 are seen.
const FLAT: f64 = 0.05;

/// Growth dies out if each slope is at most this part of the one before: a ratio
/// `c·(1 − a/n)` that tends to c halves its slope with each doubling, one that grows as log n keeps
/// more than 0.8 of it (from n = 16 on), one that grows as a power keeps all.
const PERSISTENT: f64 = 0.7;

/// Judges series of `(parameter, ratio)`, each with everything else fixed.
///
/// The criterion: a series contradicts the bound if over the upper half of its points (three at
/// least) the slope of log ratio against log parameter is more than 0.05 with 95 % confidence, and
/// growth does not die out: the later half of those points keeps more than 0.7 of the slope of
/// the earlier half, per doubling. Finitely many points cannot prove either verdict; `Consistent`
/// means that these do not contradict.
pub fn trend(series: &[Vec<(f64, f64)>]) -> Trend {
    let unknown = Trend { verdict: Verdict::Unknown, slope: 0.0, slope_low: 0.0, persistence: 0.0 };
    let rank = |trend: &Trend| (trend.verdict == Verdict::Contradicts, trend.slope_low);
    let judged = series.iter().filter_map(|points| judge(points));
    judged
        .max_by(|a, b| {
            let ((a, x), (b, y)) = (rank(a), rank(b));
            a.cmp(&b).then(x.total_cmp(&y))
        })
        .unwrap_or(unknown)
}

fn judge(points: &[(f64, f64)]) -> Option<Trend> {
    let mut logs: Vec<(f64, f64)> = points
        .iter()
        .filter(|(parameter, ratio)| *parameter > 0.0 && *ratio > 0.0)
        .map(|(parameter, ratio)| (parameter.ln(), ratio.ln()))
        .collect();
    logs.sort_by(|a, b| a.0.total_cmp(&b.0));
    if logs.len() < 4 {
        return None;
    }
    let upper = &logs[logs.len() - (logs.len() / 2).max(3)..];
    let (slope, error) = regress(upper);
    let freedom = (upper.len() - 2) as f64;
    let quantile = StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(0.95);
    let slope_low = slope - quantile * error;
    let persistence = persistence(upper);
    let grows = slope_low > FLAT && persistence > PERSISTENT;
    let verdict = if grows { Verdict::Contradicts } else { Verdict::Consistent };
    Some(Trend { verdict, slope, slope_low, persistence })
}

/// Slope, and its standard error.
fn regress(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|it| it.0), mean(|it| it.1));
    let spread: f64 = points.iter().map(|it| (it.0 - x).powi(2)).sum();
    let slope = points.iter().map(|it| (it.0 - x) * (it.1 - y)).sum::<f64>() / spread;
    let rest: f64 = points.iter().map(|it| (it.1 - y - slope * (it.0 - x)).powi(2)).sum();
    (slope, (rest / (count - 2.0) / spread).sqrt())
}

/// How much of its slope the later half keeps of the earlier half's, for each doubling between
/// their middles.
fn persistence(points: &[(f64, f64)]) -> f64 {
    let middle = points.len() / 2;
    let slope = |part: &[(f64, f64)]| {
        let (first, last) = (part[0], part[part.len() - 1]);
        ((last.1 - first.1) / (last.0 - first.0), f64::midpoint(first.0, last.0))
    };
    let ((early, from), (late, to)) = (slope(&points[..=middle]), slope(&points[middle..]));
    if early <= 0.0 {
        return if late > 0.0 { f64::MAX } else { 0.0 };
    }
    let doublings = (to - from) / std::f64::consts::LN_2;
    (late.max(0.0) / early).powf(1.0 / doublings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(ratio: fn(f64) -> f64) -> Verdict {
        let points = (4..14).map(|k| f64::from(1 << k)).map(|n| (n, ratio(n))).collect();
        trend(&[points]).verdict
    }

    #[test]
    fn growth_is_told_from_approach() {
        assert_eq!(verdict(|_| 3.0), Verdict::Consistent);
        assert_eq!(verdict(|n| 1.0 / n), Verdict::Consistent);
        assert_eq!(verdict(|n| 5.0 * (1.0 - 8.0 / n)), Verdict::Consistent);
        assert_eq!(verdict(|n| 5.0 * (1.0 + 8.0 / n)), Verdict::Consistent);
        assert_eq!(verdict(f64::ln), Verdict::Contradicts);
        assert_eq!(verdict(|n| n.powf(0.1)), Verdict::Contradicts);
        assert_eq!(verdict(|n| 100.0 + n), Verdict::Contradicts);
    }

    #[test]
    fn three_points_tell_nothing() {
        assert_eq!(trend(&[vec![(1.0, 1.0), (2.0, 2.0), (4.0, 4.0)]]).verdict, Verdict::Unknown);
    }
}
