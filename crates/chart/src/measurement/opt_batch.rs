//! Many small polygons at once: relaxations a second against their number, of the engines and of
//! bulk runs of the listing `opt`.

use super::engines::panel;
use super::{Body, Figure, SPREAD, list};
use crate::curves::Series;
use crate::number::{Unit, plain};
use memory_machine_core::run::layout::Arrangement;
use memory_machine_measure::curve::{Axis, curves};
use memory_machine_measure::folder::Folder;
use memory_machine_measure::opt::{OptEngine, rate, vertices};
use memory_machine_measure::{Spread, Subject, Timing};

const KIND: &str = "f32";
/// The colour of a core of a CPU.
const CPU: usize = 4;

/// Label, colour, and points by number of polygons.
type Contender<'a> = (String, usize, Vec<(u64, &'a Timing)>);

/// A figure for each number of vertices of which many polygons were measured at once.
pub(super) fn figures(folder: &Folder) -> Vec<Figure> {
    let sizes = folder.opt.engines.iter().filter(|it| it.subject.threads.is_some());
    let sizes: std::collections::BTreeSet<u64> =
        sizes.filter_map(|it| vertices(&it.subject.set)).collect();
    sizes.into_iter().filter_map(|n| figure(folder, n)).collect()
}

fn figure(folder: &Folder, n: u64) -> Option<Figure> {
    let mut contenders: Vec<Contender> = vec![];
    for (engine, label, colour) in
        [(OptEngine::Tiled, "tiles", 0), (OptEngine::Small, "shared memory", 3)]
    {
        let points = folder.opt.batch(engine, KIND, n);
        contenders.push((label.to_owned(), colour, points));
    }
    let is_listing = |it: &&Timing| {
        let Subject { name, set, devices, .. } = &it.subject;
        name == "opt" && vertices(set) == Some(n) && *devices == 1 && it.subject.is_bulk()
    };
    let bulk =
        folder.algorithms.iter().filter(|it| is_listing(it) && it.subject.variant().is_none());
    for curve in curves(bulk, &Axis::Inputs) {
        let colour = match (curve.subject.is_cpu(), curve.subject.bulk) {
            (true, _) => CPU,
            (_, Some(Arrangement::ColumnWise)) => 2,
            _ => 1,
        };
        let points = curve.points.iter().map(|&(p, point)| (p as u64, point)).collect();
        contenders.push((curve.subject.execution(), colour, points));
    }
    contenders.retain(|it| !it.2.is_empty());
    let at = |points: &[(u64, &Timing)], p: u64| {
        let found = points.iter().find(|it| it.0 == p);
        found.map(|it| rate(n, p, it.1.median_s()))
    };
    // The most polygons of which most were measured; a core of a CPU is soon too slow.
    let gpu = || contenders.iter().filter(|it| it.1 != CPU);
    let sizes = gpu().flat_map(|it| &it.2).map(|it| it.0);
    let p = sizes.max_by_key(|&p| (gpu().filter(|it| at(&it.2, p).is_some()).count(), p))?;
    let phrases: Vec<String> = (contenders.iter())
        .filter_map(|(label, _, points)| {
            Some(format!("{} ({label})", Unit::Rate.text(at(points, p)?)))
        })
        .collect();
    let series = contenders.iter().map(|(label, colour, points)| {
        let value = |p: u64, time: f64| (p as f64, rate(n, p, time));
        let places: Vec<_> = points.iter().map(|(p, it)| value(*p, it.median_s())).collect();
        let bar = |(p, it): &(u64, &Timing)| {
            let Spread { low, high, .. } = it.time_s();
            (*p as f64, value(*p, high).1, value(*p, low).1)
        };
        Series {
            label: label.clone(),
            colour: *colour,
            marks: places.clone(),
            line: places,
            bars: points.iter().map(bar).collect(),
            ..Series::default()
        }
    });
    Some(Figure {
        of: format!("n={n}"),
        title: format!("Many polygons of {n} vertices at once on {}", folder.device.name),
        text: format!(
            "With {} polygons of {n} vertices, relaxations a second are {}. Row-wise and \
             column-wise are bulk runs of the listing, a thread for each polygon.",
            plain(p as f64),
            list(&phrases)
        ),
        caption: format!("{SPREAD}  f32  row-wise, column-wise: the listing, a thread a polygon"),
        body: Body::Beside(vec![panel(
            "number p of polygons",
            ("relaxations a second", Unit::Rate),
            series.collect(),
        )]),
    })
}
