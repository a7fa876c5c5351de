//! The page's first screen: what the folder shows, a sentence each, its numbers from the data.

use std::collections::BTreeMap;

use super::fidelity::{FidelityTables, percent};
use super::section::SECTIONS;
use super::table::what;
use crate::measurement::latency::{StepLatency, steps};
use crate::{bandwidth, bytes, grouped, plain, seconds};
use memory_machine_core::run::layout::Arrangement;
use memory_machine_geometry::points::random::PointDistribution;
use memory_machine_measure::curve::{Axis, curves};
use memory_machine_measure::folder::Folder;
use memory_machine_measure::{Subject, Timing, greedy, hull, opt};

/// As many as a reader takes in at a glance.
const MOST: usize = 5;

/// A sentence, and the section that shows it.
pub(super) struct Finding {
    pub(super) text: String,
    pub(super) section: &'static str,
}

/// At most five, in the order of the page's sections.
pub(super) fn findings(folder: &Folder, fidelity: Option<&FidelityTables>) -> Vec<Finding> {
    let of = |section, text: Option<String>| text.map(|text| Finding { text, section });
    let mut found: Vec<Finding> = [
        of("bulk", bulk(&folder.algorithms)),
        of("opt", triangulation(folder)),
        of("greedy", greedy_triangulation(folder)),
        of("hull", convex_hull(folder)),
        of("fidelity", fidelity.and_then(predictions)),
        of("bulk", speedup(&folder.algorithms)),
        of("microbenchmarks", reads(&folder.microbenchmarks)),
        of("microbenchmarks", loads(folder)),
        of("microbenchmarks", conflicts(folder)),
    ]
    .into_iter()
    .flatten()
    .take(MOST)
    .collect();
    let place = |it: &Finding| SECTIONS.iter().position(|id| *id == it.section);
    found.sort_by_key(place);
    found
}

fn times(factor: f64) -> String {
    // Three digits say enough.
    let unit = 10_f64.powf((factor.log10().floor() - 2.0).max(0.0));
    format!("{} times", plain(if factor > 1e3 { (factor / unit).round() * unit } else { factor }))
}

/// The bulk run for which column-wise gains most over row-wise.
fn bulk(points: &[Timing]) -> Option<String> {
    let curves = curves(points.iter().filter(|it| it.subject.is_bulk()), &Axis::Inputs);
    let gpu = || curves.iter().filter(|it| !it.subject.is_cpu());
    let gains = gpu().filter(|it| it.subject.bulk == Some(Arrangement::RowWise)).flat_map(|row| {
        let other = Subject { bulk: Some(Arrangement::ColumnWise), ..row.subject.clone() };
        let column = gpu().find(|it| it.subject == other);
        row.points.iter().filter_map(move |(p, point)| {
            let gain = point.median_s() / column?.at(*p)?.median_s();
            Some((gain, *p, what(&row.subject)))
        })
    });
    let (gain, p, what) = gains.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!(
        "Column-wise bulk runs are up to {} as fast as row-wise ones: {what} for {} inputs.",
        times(gain),
        grouped(p as u64)
    ))
}

/// The bulk run that gains most over one core.
fn speedup(points: &[Timing]) -> Option<String> {
    let curves = curves(points.iter().filter(|it| it.subject.is_bulk()), &Axis::Inputs);
    let (cpu, gpu): (Vec<_>, Vec<_>) = curves.iter().partition(|it| it.subject.is_cpu());
    let gains = gpu.iter().filter(|it| it.subject.devices == 1).flat_map(|it| {
        let core = cpu.iter().find(|core| core.subject.what() == it.subject.what());
        it.points.iter().filter_map(move |(p, point)| {
            Some((core?.at(*p)?.median_s() / point.median_s(), *p, what(&it.subject)))
        })
    });
    let (gain, p, what) = gains.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!(
        "The GPU is up to {} as fast as one core of its host: {what} for {} inputs.",
        times(gain),
        grouped(p as u64)
    ))
}

/// The largest polygon that engine and plain loop both triangulated.
fn triangulation(folder: &Folder) -> Option<String> {
    let plain = folder.opt.single(opt::OptEngine::Plain, "f32");
    let tiled = folder.opt.single(opt::OptEngine::Tiled, "f32");
    let both = plain.iter().rev().find_map(|(n, core)| {
        let gpu = tiled.iter().find(|it| it.0 == *n)?;
        Some((*n, core.median_s(), gpu.1.median_s()))
    });
    let (n, core, gpu) = both?;
    Some(format!(
        "A polygon of {} vertices is triangulated in {} on the GPU, {} as fast as by the plain loop \
         on one core ({}).",
        grouped(n),
        seconds(gpu),
        times(core / gpu),
        seconds(core)
    ))
}

/// The most points that the paper's algorithm and the fast engine both triangulated.
fn greedy_triangulation(folder: &Folder) -> Option<String> {
    let paper = folder.greedy.engine(greedy::GreedyEngine::Gpu);
    let fast = folder.greedy.engine(greedy::GreedyEngine::Fast);
    let both = paper.iter().rev().find_map(|paper| {
        let fast = fast.iter().find(|it| it.subject.n == paper.subject.n)?;
        Some((paper.subject.n, paper.median_s(), fast.median_s()))
    });
    let (n, gpu, cpu) = both?;
    Some(format!(
        "Greedily, {} points take {} by the paper's algorithm on the GPU and {} by the fast engine \
         on the CPU: the better algorithm gains {}.",
        grouped(n),
        seconds(gpu),
        seconds(cpu),
        times(gpu / cpu)
    ))
}

/// The most points of a square whose hull the GPU's filter and the sequential engine both found.
fn convex_hull(folder: &Folder) -> Option<String> {
    let of = |engine| {
        let square = folder.hull.iter().filter(move |it| {
            (it.subject.distribution, it.subject.engine) == (PointDistribution::Square, engine)
        });
        square.map(|it| (it.subject.n, it.median_s())).collect::<Vec<_>>()
    };
    let (one, gpu) = (of(hull::HullEngine::Sequential), of(hull::HullEngine::Gpu));
    let both = gpu.iter().filter_map(|(n, gpu)| {
        let core = one.iter().find(|it| it.0 == *n)?.1;
        Some((*n, core, *gpu))
    });
    let (n, core, gpu) = both.max_by_key(|it| it.0)?;
    Some(format!(
        "The hull of {} points of a square takes {} on the GPU that filters first, and {} by \
         Algorithm 1 on one core: {} as long.",
        grouped(n),
        seconds(gpu),
        seconds(core),
        times(core / gpu)
    ))
}

/// How far the model is off, and the plain one beside it.
fn predictions(tables: &FidelityTables) -> Option<String> {
    let whole = tables.ablations.iter().find(|it| it.without.is_empty())?;
    let mut text = format!(
        "Predicted from the listings, without compiled code, times are off by {} in the mean over {} \
         points (umm compare --listing)",
        percent(whole.mape),
        grouped(whole.points as u64)
    );
    let first = tables.accuracies.first().map(|it| &it.model);
    let other = tables.accuracies.iter().filter(|it| Some(&it.model) != first);
    let (points, sum) =
        other.fold((0, 0.0), |(n, sum), it| (n + it.points, sum + it.points as f64 * it.mape));
    if points > 0 {
        text += &format!("; the plain memory machine is off by {}", percent(sum / points as f64));
    }
    Some(text + ".")
}

/// What the best and the worst of the microbenchmarks' reads bring a second that differ in their
/// stride alone, of the largest array for which several strides were measured.
fn reads(points: &[Timing]) -> Option<String> {
    let mut alike: BTreeMap<_, Vec<(f64, i64)>> = BTreeMap::new();
    for point in points.iter().filter(|it| it.subject.name == "read") {
        let mut others = point.subject.set.0.clone();
        let (Some(stride), Some(&words)) = (others.remove("stride"), others.get("n")) else {
            continue;
        };
        let array = others.get("words").copied();
        let rate = 4.0 * words as f64 / point.median_s();
        alike.entry((array, others, point.subject.threads)).or_default().push((rate, stride));
    }
    let rates = alike.into_iter().rev().map(|it| it.1).find(|it| it.len() > 1)?;
    let most = rates.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let least = rates.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!(
        "Reads bring {} with a stride of {} and {} with a stride of {}.",
        bandwidth(most.0),
        words(most.1),
        bandwidth(least.0),
        words(least.1)
    ))
}

/// What a load takes that waits for the one before, in the least and the most memory.
fn loads(folder: &Folder) -> Option<String> {
    let found = steps(&folder.microbenchmarks, "chase", "bytes", folder.device.clock_hz);
    let (least, most) = (found.first()?, found.last()?);
    (least.x < most.x).then(|| {
        format!(
            "A load that waits for the one before takes {} cycles within {} and {} within {}.",
            plain(least.median),
            bytes(least.x),
            plain(most.median),
            bytes(most.x)
        )
    })
}

/// What an access of shared memory takes without bank conflicts, and with the most that was measured.
fn conflicts(folder: &Folder) -> Option<String> {
    let found = steps(&folder.microbenchmarks, "shared", "degree", folder.device.clock_hz);
    let alone = |it: &&StepLatency| it.settings.0.get("warps").is_none_or(|warps| *warps == 1);
    let alone: Vec<&StepLatency> = found.iter().filter(alone).collect();
    let (least, most) = (alone.first()?, alone.last()?);
    (least.x == 1.0 && most.x > 1.0).then(|| {
        format!(
            "A warp waits {} cycles for shared memory, and {} where {} of its words meet in a bank.",
            plain(least.median),
            plain(most.median),
            most.x
        )
    })
}

fn words(number: i64) -> String {
    if number == 1 { "1 word".to_owned() } else { format!("{number} words") }
}
