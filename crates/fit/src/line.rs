//! The straight lines of the bulk papers: seconds `a + b·p` for p inputs.

use serde::Serialize;

use super::{Coefficient, FitError, fit};

/// Seconds for p inputs: `fixed_s + per_input_s · p`, with what speaks for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FittedLine {
    /// Seconds for any number of inputs.
    pub fixed_s: Coefficient,
    /// Seconds more for each input.
    pub per_input_s: Coefficient,
    /// Of the squares of relative errors, as [`super::Fit::r2`].
    pub r2: f64,
    /// The mean of |fitted − measured| / measured.
    pub mape: f64,
    /// How many it was fitted to.
    pub points: usize,
}

impl FittedLine {
    /// Seconds for `inputs` inputs.
    pub fn time_s(&self, inputs: f64) -> f64 {
        self.fixed_s.coefficient + self.per_input_s.coefficient * inputs
    }
}

/// Fits a line to `(inputs, seconds)`, so that the squares of the relative errors sum to the least:
/// times range over decades, and the small ones are to count. Neither coefficient is negative.
///
/// # Errors
/// Fewer than three numbers of inputs, or what [`fit`] refuses.
pub fn line(points: &[(f64, f64)]) -> Result<FittedLine, FitError> {
    let mut inputs: Vec<f64> = points.iter().map(|it| it.0).collect();
    inputs.sort_by(f64::total_cmp);
    inputs.dedup();
    if inputs.len() < 3 {
        return Err(FitError::TooFew { rows: inputs.len(), terms: 2 });
    }
    let rows: Vec<Vec<f64>> = points.iter().map(|it| vec![1.0, it.0]).collect();
    let times: Vec<f64> = points.iter().map(|it| it.1).collect();
    let fit = fit(&rows, &times)?;
    let errors = fit.fitted.iter().zip(&times).map(|(fitted, time)| (fitted - time).abs() / time);
    let mape = errors.sum::<f64>() / times.len() as f64;
    let [fixed_s, per_input_s] = [fit.coefficients[0], fit.coefficients[1]];
    Ok(FittedLine { fixed_s, per_input_s, r2: fit.r2, mape, points: points.len() })
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use rand::{Rng, RngExt, SeedableRng};

    use super::*;

    const FIXED: f64 = 37e-6;
    const EACH: f64 = 8.09e-9;

    /// Times of 2^6 … 2^22 inputs, each off by up to `noise` of itself.
    fn noisy(noise: f64, random: &mut impl Rng) -> Vec<(f64, f64)> {
        let inputs = (6..=22).map(|power| 2_f64.powi(power));
        let mut time = |p: f64| (FIXED + EACH * p) * (1.0 + noise * random.random_range(-1.0..1.0));
        inputs.map(|p| (p, time(p))).collect()
    }

    #[test]
    fn a_line_without_noise_comes_back() {
        let line = line(&noisy(0.0, &mut ChaCha8Rng::seed_from_u64(1))).unwrap();
        assert!((line.fixed_s.coefficient / FIXED - 1.0).abs() < 1e-9);
        assert!((line.per_input_s.coefficient / EACH - 1.0).abs() < 1e-9);
        assert!(line.mape < 1e-9 && line.r2 > 1.0 - 1e-9 && line.points == 17);
    }

    /// What a 95 % confidence interval promises.
    #[test]
    fn intervals_hold_the_truth_95_times_of_100() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let mut held = [0; 2];
        for _ in 0..1000 {
            let line = line(&noisy(0.1, &mut random)).unwrap();
            for (held, (found, truth)) in
                held.iter_mut().zip([(line.fixed_s, FIXED), (line.per_input_s, EACH)])
            {
                assert!(found.low <= found.coefficient && found.coefficient <= found.high);
                *held += i32::from(found.low <= truth && truth <= found.high);
            }
        }
        assert!(held.iter().all(|it| (930..=970).contains(it)), "{held:?}");
    }

    #[test]
    fn two_numbers_of_inputs_make_no_line() {
        let points = [(64.0, 1.0), (64.0, 1.1), (128.0, 2.0)];
        assert_eq!(line(&points), Err(FitError::TooFew { rows: 2, terms: 2 }));
    }
}
