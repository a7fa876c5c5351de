//! The committed tables of predictions are what the compiled code gives.

use std::sync::Arc;

use memory_machine::case::CaseError;
use memory_machine::gpu::nvrtc::{Architecture, compile, version};
use memory_machine::measure::Timing;
use memory_machine::measure::folder::Folder;
use memory_machine::measure::predictions::predicted;
use memory_machine::models;
use memory_machine::predict::compare::point_groups;
use memory_machine::run::WHILE_ITERATIONS;

use crate::support;

/// Folders with a table, the GPU that was measured there, and of how many points one is predicted again:
/// those of validation sets run with their values, for seconds.
const TABLES: [(&str, &str, usize); 3] = [
    ("models/measurements/nvidia-h200/2026-11-22", "h200", 20),
    ("models/measurements/nvidia-h200/2026-11-27/held-out-17", "h200", 40),
    ("models/measurements/nvidia-h100/2026-11-27/held-out-17", "h100", 40),
];

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
    for (folder, ..) in TABLES {
        let folder = support::root().join(folder);
        let measured = Folder::read(&folder).unwrap();
        let table = predicted(&folder.join("predicted.csv"), &measured.algorithms).unwrap();
        assert_eq!(table.len(), measured.algorithms.iter().filter(is_of_a_gpu).count());
    }
}

/// Some points are predicted again. Another NVRTC makes other code, but not much slower or faster.
fn is_predicted_again((folder, model, one_in): (&str, &str, usize)) {
    let folder = support::root().join(folder);
    let measured = Folder::read(&folder).unwrap();
    let table = predicted(&folder.join("predicted.csv"), &measured.algorithms).unwrap();
    let most = if version().unwrap() == MADE_WITH { 1e-9 } else { 0.25 };
    let model = models::find(model).unwrap();
    let machine = model.calibration.as_ref().unwrap();
    let some: Vec<&Timing> =
        measured.algorithms.iter().filter(is_of_a_gpu).step_by(one_in).collect();
    for alike in point_groups(&folder, &some, &[]).unwrap() {
        for (_, anew) in alike.compared(&model, machine, &[], WHILE_ITERATIONS, Some(&compiled)) {
            let anew = anew.unwrap();
            let row = &table[&anew.subject];
            let apart = (anew.predicted_s / row.extended_s - 1.0).abs();
            assert!(apart < most, "{}: {apart}", anew.subject);
            let plain_s = anew.plain_s.unwrap_or(0.0);
            assert!((plain_s - row.plain_s).abs() <= 1e-9 * plain_s, "{}", anew.subject);
        }
    }
}

#[test]
#[ignore = "needs NVRTC"]
fn the_development_table_is_what_is_predicted() {
    is_predicted_again(TABLES[0]);
}

#[test]
#[ignore = "needs NVRTC and takes minutes"]
fn tables_of_validation_sets_are_what_is_predicted() {
    TABLES[1..].iter().for_each(|it| is_predicted_again(*it));
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
    for alike in point_groups(&folder, &some, &[]).unwrap() {
        for (_, told) in alike.compared(&model, machine, &[], WHILE_ITERATIONS, Some(&compiled)) {
            let told = told.unwrap();
            let ratio = told.predicted_s / told.measured_s;
            assert!((0.94..1.06).contains(&ratio), "{}: {ratio}", told.subject);
            looked += 1;
        }
    }
    assert_eq!(looked, 5);
}
