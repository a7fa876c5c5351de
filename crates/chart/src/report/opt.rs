//! Optimal polygon triangulation: the tables of Ito and Nakano (2013), made again.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::fidelity::percent;
use super::table::{Table, parameters};
use super::times::{from_to, times};
use crate::measurement::Figure;
use crate::{
    ChartError, ChartStyle, SampleRow, Theme, grouped, per_second, plain as digits, seconds,
};
use memory_machine_case::sample::Sample;
use memory_machine_geometry::opt::relaxations;
use memory_machine_geometry::opt::variant::{BLOCKS, Method, THREADS, Variant};
use memory_machine_measure::Device;
use memory_machine_measure::opt::{
    DIAGONALS, OptEngine, OptMeasurements, PLAN, Tables, VariantStages, published, rate, vertices,
};

/// Where the paper's Table 1 is of.
const PAPER: u64 = 8192;

/// What was measured and verified, in a sentence or two.
pub(super) fn text(opt: &OptMeasurements) -> String {
    if opt.engines.is_empty() {
        return String::new();
    }
    let gpu =
        || opt.engines.iter().filter(|it| !it.subject.is_cpu() && it.first().verified != "none");
    let whole = gpu().filter(|it| it.first().verified == "all").count();
    let repetitions = opt.engines.iter().map(|it| it.times().len());
    format!(
        "Engines were run on random weights, {} times. Before timing, the GPU's \
         tables of {} points were compared with those of the CPU engine, bit by bit: all cells of \
         {whole}, a sample of the others.",
        from_to(repetitions),
        gpu().count()
    )
}

/// Medians and spreads of all engines.
pub(super) fn all_times(opt: &OptMeasurements) -> Vec<Table> {
    let mut all = times(&opt.engines);
    for it in all.iter_mut().filter(|it| it.title.contains(&OptEngine::Cpu.name(""))) {
        it.rows.iter_mut().for_each(|row| row[1] = "all CPU cores".to_owned());
    }
    all
}

/// Tables 1 to 3, those that have rows.
pub(super) fn tables(opt: &OptMeasurements) -> Vec<Table> {
    let paper = published();
    let mut tables = vec![];
    if let Some(n) = shown(&opt.tuned) {
        tables.push(table_1(opt, &paper, n, false));
        tables.push(table_1(opt, &paper, n, true));
    }
    tables.extend([table_2(opt, &paper), table_3(opt, &paper), gains(opt)]);
    tables.retain(|it| !it.rows.is_empty());
    tables
}

/// The paper's number of vertices, or else the most that were tuned.
fn shown(tables: &Tables) -> Option<u64> {
    let sizes: BTreeSet<u64> = tables.variants.iter().filter_map(|it| vertices(&it.set)).collect();
    sizes.get(&PAPER).or(sizes.last()).copied()
}

/// The heat map of Table 1.
pub(super) fn heat_map(
    opt: &OptMeasurements,
    device: &Device,
) -> Result<Option<Figure>, ChartError> {
    let Some(n) = shown(&opt.tuned) else { return Ok(None) };
    let file: Rc<str> = "table-1.csv".into();
    let rows: Vec<SampleRow> = (opt.tuned.variants.iter().zip(2..))
        .filter(|(it, _)| vertices(&it.set) == Some(n))
        .map(|(sample, line)| SampleRow { sample: sample.clone(), file: file.clone(), line })
        .collect();
    let best = rows.iter().map(|it| &it.sample);
    let best = best.filter_map(|it| Some((it.time_s?, it))).min_by(|a, b| a.0.total_cmp(&b.0));
    let sums = rows.iter().filter(|it| is_sum(&it.sample)).count();
    let mut title = format!("TB and BB for n = {} on {}", grouped(n), device.name);
    let text = best.map_or_else(String::new, |(time, it)| {
        title += &format!(": {} is the fastest", it.algorithm);
        format!(
            "All stages in one way; {} with {} is the fastest, {}. Of {} times {sums} are sums over \
             timed stages, the others of whole runs.",
            it.algorithm,
            parameters(&it.set),
            seconds(time),
            rows.len()
        )
    });
    let style = ChartStyle { canvas: Theme::Light.into(), title: Some(title), x: None, by: None };
    Ok(Some(Figure::of_cells(&rows, &style, text)?))
}

fn of_variant(tables: &Tables, n: u64, variant: Variant) -> Option<&Sample> {
    let Variant { method, t, b } = variant;
    tables.variants.iter().find(|it| {
        let of = |name: &str| it.set.0.get(name).copied();
        it.algorithm.strip_prefix("opt_") == Some(method.word())
            && vertices(&it.set) == Some(n)
            && of("t") == Some(t.into())
            && of("b").unwrap_or(1) == i64::from(b)
    })
}

/// Before a time that is no whole run's.
const SUM: &str = "~ ";

fn is_sum(it: &Sample) -> bool {
    it.source.as_ref().is_some_and(|it| it.starts_with("sum"))
}

/// A row for each arrangement and, of BB, each b; below it the published one.
fn table_1(opt: &OptMeasurements, paper: &Tables, n: u64, blocks: bool) -> Table {
    let mut rows = vec![];
    let methods = Method::ALL.into_iter().filter(|it| it.is_block_based() == blocks);
    for method in methods {
        for &b in if blocks { &BLOCKS[..] } else { &BLOCKS[..1] } {
            let cells = |tables: &Tables| {
                let found = THREADS.map(|t| of_variant(tables, n, Variant { method, t, b }));
                let cell = |it: &Sample| {
                    let sum = if is_sum(it) { SUM } else { "" };
                    it.time_s.map(|time| format!("{sum}{}", seconds(time)))
                };
                let cells = found.map(|it| it.and_then(cell).unwrap_or_default());
                cells.iter().any(|it| !it.is_empty()).then(|| cells.to_vec())
            };
            let (_, arrangement) = method.word().split_once('_').unwrap_or_default();
            let name =
                if blocks { format!("{arrangement}, b = {b}") } else { arrangement.to_owned() };
            for (of, tables) in [("", &opt.tuned), (", GTX 680", paper)] {
                let row = cells(tables).map(|cells| [vec![format!("{name}{of}")], cells].concat());
                rows.extend(row);
            }
        }
    }
    let sums = rows.iter().flatten().any(|it| it.starts_with(SUM));
    let note = if sums { "~: not run as a whole, a sum over timed stages." } else { "" };
    let (part, variant) = if blocks { ('b', "BB(t, b)") } else { ('a', "TB(t)") };
    let threads = THREADS.map(|t| format!("t = {}", grouped(t)));
    let head: Vec<&str> =
        ["arrangement"].into_iter().chain(threads.iter().map(String::as_str)).collect();
    let title = format!("Table 1 ({part}): {variant} for all stages, n = {}", grouped(n));
    Table::new(title, &head, rows).noted(note)
}

fn table_2(opt: &OptMeasurements, paper: &Tables) -> Table {
    let range = |first: Option<u64>, last: Option<u64>| match (first, last) {
        (Some(first), Some(last)) => format!("{} … {}", grouped(first), grouped(last)),
        _ => "none".to_owned(),
    };
    let cells = |it: Option<&VariantStages>| {
        it.map_or_else(Default::default, |it| {
            [range(it.tb_first_stage, it.tb_last_stage), range(it.bb_first_stage, it.bb_last_stage)]
        })
    };
    let row = |it: &VariantStages| {
        let published = paper.stages.iter().find(|other| other.n == it.n);
        let n = [grouped(it.n)];
        n.into_iter().chain(cells(Some(it))).chain(cells(published)).collect()
    };
    let head = ["n", "TB", "BB", "TB, GTX 680", "BB, GTX 680"];
    let rows = opt.tuned.stages.iter().map(row).collect();
    Table::new("Table 2: stages by TB and by BB in the plan", &head, rows)
}

/// Medians of an engine with one polygon.
fn median(opt: &OptMeasurements, engine: OptEngine, kind: &str, n: u64) -> Option<f64> {
    let points = opt.single(engine, kind);
    points.iter().find(|it| it.0 == n).map(|it| it.1.median_s())
}

/// Numbers of vertices that were measured.
fn sizes(opt: &OptMeasurements) -> BTreeSet<u64> {
    let single = opt.engines.iter().filter(|it| it.subject.threads.is_none());
    let plans = opt.tuned.curve(PLAN).into_iter().map(|it| it.0);
    single.filter_map(|it| vertices(&it.subject.set)).chain(plans).collect()
}

fn table_3(opt: &OptMeasurements, paper: &Tables) -> Table {
    let row = |&n: &u64| {
        let of = |engine, kind| median(opt, engine, kind, n);
        let times = [
            of(OptEngine::Plain, "f32"),
            of(OptEngine::Cpu, "f32"),
            opt.tuned.time_s(PLAN, n),
            of(OptEngine::Tiled, "f32"),
            of(OptEngine::Tiled, "i32"),
            of(OptEngine::Tiled, "f64"),
            paper.time_s(DIAGONALS, n),
            paper.time_s(PLAN, n),
        ];
        let cell = |it: Option<f64>| it.map_or_else(String::new, seconds);
        [grouped(n)].into_iter().chain(times.map(cell)).collect()
    };
    let head = [
        "n",
        "plain loop, one core",
        "CPU engine, all cores",
        "TB and BB, tuned",
        "tiled, f32",
        "tiled, i32",
        "tiled, f64",
        "published, Core i7 870",
        "published, GTX 680",
    ];
    let rows = sizes(opt).iter().map(row).collect();
    Table::new("Table 3: time", &head, rows).noted(
        "f32 where no type is named. A GPU's times begin with the weights in its memory. An empty \
         cell was not measured, or not published.",
    )
}

/// Speed-ups, relaxations a second, and their share of the ceiling.
fn gains(opt: &OptMeasurements) -> Table {
    let row = |&n: &u64| {
        let of = |engine| median(opt, engine, "f32", n);
        let (plain, cpu, tiled) = (of(OptEngine::Plain), of(OptEngine::Cpu), of(OptEngine::Tiled));
        let plan = opt.tuned.time_s(PLAN, n);
        let gain = |base: Option<f64>, time: Option<f64>| match (base, time) {
            (Some(base), Some(time)) => format!("{}×", digits(base / time)),
            _ => String::new(),
        };
        let speed = tiled.map(|time| rate(n, 1, time));
        let share = speed.zip(opt.ceiling(OptEngine::NaturalCeiling, "f32"));
        let cells = [
            grouped(n),
            grouped(relaxations(n)),
            gain(plain, cpu),
            gain(plain, plan),
            gain(plain, tiled),
            gain(cpu, plan),
            gain(cpu, tiled),
            gain(plan, tiled),
            speed.map_or_else(String::new, per_second),
            share.map_or_else(String::new, |(speed, ceiling)| percent(speed / ceiling)),
        ];
        cells.to_vec()
    };
    let head = [
        "n",
        "relaxations",
        "plain loop ÷ CPU engine",
        "plain loop ÷ TB and BB",
        "plain loop ÷ tiled",
        "CPU engine ÷ TB and BB",
        "CPU engine ÷ tiled",
        "TB and BB ÷ tiled",
        "tiled: relaxations a second",
        "share of the ceiling",
    ];
    let rows = sizes(opt).iter().map(row).collect();
    Table::new("Speed-up, and relaxations a second (f32)", &head, rows).noted(
        "The ceiling is what the GPU makes in registers alone, in the form of f32 that \
               weights of 0 or more allow, as those measured are.",
    )
}
