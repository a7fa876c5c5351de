//! All measured points of a folder beside a machine's predictions, and what is reported of them.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::compare::{
    CompareError, CompareOptions, ComparedPoint, PointGroup, model_errors, point_groups,
};
use memory_machine_measure::Timing;
use memory_machine_measure::models::{Calibration, Model};

/// Measured points with their predictions.
#[derive(Debug)]
pub struct Comparison {
    /// In the order of the folder.
    pub points: Vec<ComparedPoint>,
    /// Points that this computer is too small, or too slow, to predict.
    pub left_out: Vec<CompareError>,
}

impl Comparison {
    /// Predicts those of `points` of one GPU, on all cores; listings are `folder`'s.
    ///
    /// # Errors
    /// Of the first point that cannot be predicted, why; one that is left out, if all are.
    pub fn new(
        folder: &Path,
        points: &[&Timing],
        model: &Model,
        machine: &Calibration,
        options: CompareOptions<'_>,
    ) -> Result<Self, CompareError> {
        let of_group = |points: PointGroup<'_>| {
            let compared = points.compared(model, machine, &options);
            (options.done)(compared.len() as u64);
            compared
        };
        let groups = point_groups(folder, points, options.inputs)?;
        let mut all: Vec<_> = groups.into_par_iter().flat_map_iter(of_group).collect();
        all.sort_by_key(|it| it.0);
        let (mut points, mut left_out) = (vec![], vec![]);
        for (_, point) in all {
            match point {
                Ok(point) => points.push(point),
                Err(error) if error.is_of_size() => left_out.push(error),
                Err(error) => return Err(error),
            }
        }
        // The others are worth having.
        if points.is_empty() && !left_out.is_empty() {
            return Err(left_out.swap_remove(0));
        }
        Ok(Self { points, left_out })
    }

    /// Points of which the compiled code was counted.
    pub fn compiled(&self) -> usize {
        self.points.iter().filter(|it| it.is_compiled).count()
    }

    /// Of points of which the listing was counted in place of the compiled code, why.
    pub fn fallbacks(&self) -> BTreeMap<String, String> {
        let reason = |it: &ComparedPoint| Some((it.subject.to_string(), it.fallback.clone()?));
        self.points.iter().filter_map(reason).collect()
    }

    /// As `umm compare --json` prints it; `None` without a point.
    pub fn json(&self) -> Option<Value> {
        let models = model_errors(&self.points);
        let (calibrated, others) = models.split_first()?;
        let algorithms: Vec<_> = calibrated
            .algorithms
            .iter()
            .map(|(name, it)| json!({ "name": name, "points": it.points, "mape": it.mape }))
            .collect();
        // The plain machine takes too long to execute of some.
        let (plain, ablations) = match others {
            [plain, ablations @ ..] if plain.name == "plain" => (Some(plain), ablations),
            _ => (None, others),
        };
        let ablation: Vec<_> =
            ablations.iter().map(|it| json!({ "name": it.name, "mape": it.all.mape })).collect();
        Some(json!({
            "points": calibrated.all.points,
            "mape": calibrated.all.mape,
            "median_ape": calibrated.all.median_ape,
            "worst_ape": calibrated.all.worst_ape,
            "rank_correlation": calibrated.all.rank_correlation,
            "algorithms": algorithms,
            "plain": { "mape": plain.map(|it| it.all.mape) },
            "compiled_points": self.compiled(),
            "fallbacks": self.fallbacks(),
            "ablation": ablation,
        }))
    }
}
