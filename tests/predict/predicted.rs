//! The committed tables of predictions are what the compiled code gives.

use std::sync::Arc;

use memory_machine::case::CaseError;
use memory_machine::gpu::nvrtc::{Architecture, compile, version};
use memory_machine::measure::Timing;
use memory_machine::measure::folder::Folder;
use memory_machine::measure::predictions::predicted;
use memory_machine::models;
use memory_machine::predict::CompareOptions;
use memory_machine::predict::compare::point_groups;

use crate::support;

/// Folders with a table of predictions. Those of a validation set are the predictions of the model that had
/// not seen it; the development set's are today's, of which every so many are made again.
const VALIDATION: [&str; 2] = [
    "models/measurements/nvidia-h200/2026-11-27/held-out-17",
    "models/measurements/nvidia-h100/2026-11-27/held-out-17",
];
const DEVELOPMENT: (&str, &str, usize) = ("models/measurements/nvidia-h200/2026-11-22", "h200", 20);

/// The NVRTC of the tables.
const MADE_WITH: &str = "12.9";

fn compiled(source: &str) -> Result<Arc<[u8]>, CaseError> {
    Ok(compile(source, Architecture(90)).unwrap())
}

fn is_of_a_gpu(timing: &&Timing) -> bool {
    !timing.subject.is_cpu() && timing.subject.devices == 1
}

#[test]
fn every_point_has_a_row() {
    for folder in VALIDATION.into_iter().chain([DEVELOPMENT.0]) {
        let folder = support::root().join(folder);
        let measured = Folder::read(&folder).unwrap();
        let table = predicted(&folder.join("predicted.csv"), &measured.algorithms).unwrap();
        assert_eq!(table.len(), measured.algorithms.iter().filter(is_of_a_gpu).count());
    }
}

/// Some points are predicted again. Another NVRTC makes other code, but not much slower or faster.
#[test]
#[ignore = "needs NVRTC"]
fn the_development_table_is_what_is_predicted() {
    let (folder, model, one_in) = DEVELOPMENT;
    let folder = support::root().join(folder);
    let measured = Folder::read(&folder).unwrap();
    let table = predicted(&folder.join("predicted.csv"), &measured.algorithms).unwrap();
    let most = if version().unwrap() == MADE_WITH { 1e-9 } else { 0.25 };
    let model = models::find(model).unwrap();
    let machine = model.calibration.as_ref().unwrap();
    let some: Vec<&Timing> =
        measured.algorithms.iter().filter(is_of_a_gpu).step_by(one_in).collect();
    let options = CompareOptions { compile: Some(&compiled), ..CompareOptions::default() };
    for alike in point_groups(&folder, &some, &[]).unwrap() {
        for (_, anew) in alike.compared(&model, machine, &options) {
            let anew = anew.unwrap();
            let row = &table[&anew.subject];
            let apart = (anew.predicted_s / row.calibrated_s - 1.0).abs();
            assert!(apart < most, "{}: {apart}", anew.subject);
            let plain_s = anew.plain_s.unwrap_or(0.0);
            assert!((plain_s - row.plain_s).abs() <= 1e-9 * plain_s, "{}", anew.subject);
        }
    }
}

/// A warp whose threads part at branches, wait for each other and go on elsewhere, or do not.
#[test]
#[ignore = "needs NVRTC"]
fn branches_take_as_long_as_was_measured() {
    let folder = "models/measurements/nvidia-h100/2026-11-27/branches";
    let folder = support::root().join(folder);
    let measured = Folder::read(&folder).unwrap();
    let is_looked_at = |it: &&Timing| {
        ["arms8_4_u", "arms8_4_l", "seq_2", "trip1_1", "trip8_1"].contains(&&*it.subject.name)
    };
    let some: Vec<&Timing> = measured.algorithms.iter().filter(is_looked_at).collect();
    let model = models::find("h100").unwrap();
    let machine = model.calibration.as_ref().unwrap();
    let mut looked = 0;
    let options = CompareOptions { compile: Some(&compiled), ..CompareOptions::default() };
    for alike in point_groups(&folder, &some, &[]).unwrap() {
        for (_, told) in alike.compared(&model, machine, &options) {
            let told = told.unwrap();
            let ratio = told.predicted_s / told.measured_s;
            assert!((0.94..1.06).contains(&ratio), "{}: {ratio}", told.subject);
            looked += 1;
        }
    }
    assert_eq!(looked, 5);
}
