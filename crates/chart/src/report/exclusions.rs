//! What the page does not compare, and why.

use std::collections::BTreeSet;

use super::fidelity::FidelityTables;
use super::fits::CurveFit;
use super::table::parameters;
use crate::grouped;
use memory_machine_measure::folder::Folder;
use memory_machine_measure::models::PublishedFit;
use memory_machine_measure::{Timing, opt};

pub(super) fn left_out(
    folder: &Folder,
    fits: &[CurveFit],
    published: &[PublishedFit],
    fidelity: Result<&FidelityTables, &str>,
) -> Vec<String> {
    let mut all = vec![];
    let count = |is: fn(&Timing) -> bool| folder.algorithms.iter().filter(|it| is(it)).count();
    let cpu = count(|it| it.subject.is_cpu());
    let several = count(|it| !it.subject.is_cpu() && it.subject.devices > 1);
    match fidelity {
        Err(reason) => all.push(format!("No prediction is held against a time: {reason}.")),
        Ok(tables) => {
            let predicted = &tables.predictions.0;
            let missing = folder.algorithms.iter().filter(|it| {
                let subject = &it.subject;
                !subject.is_cpu() && subject.devices == 1 && !predicted.contains_key(subject)
            });
            for (points, why) in [
                (cpu, "of a CPU core are not predicted: the model is of the GPU"),
                (several, "of several GPUs are not predicted: the model is of one"),
                (missing.count(), "of one GPU have no prediction"),
            ] {
                if points > 0 {
                    all.push(format!("{} points {why}.", grouped(points as u64)));
                }
            }
        }
    }
    let unverified = count(|it| it.first().verified == "none");
    if unverified > 0 {
        all.push(format!(
            "The outputs of {} points were not compared with a run on the CPU, which takes too long \
             at their size.",
            grouped(unverified as u64)
        ));
    }
    let bulk = |it: &&Timing| it.subject.is_bulk();
    let curves: BTreeSet<_> = (folder.algorithms.iter().filter(bulk))
        .map(|it| (it.subject.what(), it.subject.execution()))
        .collect();
    let fitted: BTreeSet<_> =
        fits.iter().map(|it| (it.subject.what(), it.subject.execution())).collect();
    let few = curves.difference(&fitted).count();
    if few > 0 {
        all.push(format!(
            "{few} bulk runs have no line: one needs three numbers of inputs, and theirs were not \
             measured."
        ));
    }
    // A folder of other things leaves out every line, and says so in one sentence.
    let alone = published.iter().filter(|line| {
        !folder.algorithms.is_empty()
            && !folder.algorithms.iter().any(|point| line.is_of(&point.subject))
    });
    for line in alone {
        let execution =
            line.fit.bulk.as_ref().map_or(String::new(), |it| format!(", {}", it.name()));
        all.push(format!(
            "The line that is published for {} ({}, {}{execution}) stands beside nothing: no such bulk \
             run is in this folder.",
            line.model,
            line.fit.algorithm,
            parameters(&line.fit.set)
        ));
    }
    let plain: BTreeSet<u64> =
        folder.opt.single(opt::OptEngine::Plain, "f32").iter().map(|it| it.0).collect();
    let tiled = folder.opt.single(opt::OptEngine::Tiled, "f32");
    let without: Vec<String> =
        tiled.iter().filter(|it| !plain.contains(&it.0)).map(|it| grouped(it.0)).collect();
    if !without.is_empty() {
        all.push(format!(
            "Triangulation has no speed-up over the plain loop for n = {}: the loop was not run \
             there, and nothing is extrapolated.",
            without.join("; ")
        ));
    }
    for (is_empty, what) in [
        (folder.microbenchmarks.is_empty(), "microbenchmark"),
        (folder.algorithms.is_empty(), "listing"),
        (folder.opt.is_empty(), "engine of optimal polygon triangulation"),
        (folder.greedy.is_empty(), "greedy triangulation"),
        (folder.hull.is_empty(), "convex hull"),
    ] {
        if is_empty {
            all.push(format!("No {what} was measured in this folder."));
        }
    }
    all
}
