//! Engines of greedy triangulation: time against n, blocks and threads, operations a second, and how
//! lines become fewer.

use std::collections::BTreeMap;

use super::engines::{EngineCurve, EngineStyle, POINTS, most_measured, panel};
use super::{Body, Figure, SPREAD, list};
use crate::curves::{PUBLISHED, Panel, REFERENCE, Series};
use crate::heat::{Heat, HeatCell, HeatKey, HeatPanel, fastest};
use crate::number::{Unit, plain, seconds};
use crate::rows::Value;
use memory_machine_geometry::points::random::PointDistribution;
use memory_machine_measure::Device;
use memory_machine_measure::greedy::{
    GreedyEngine, GreedyMeasurements, GreedyRepetition, GreedyRound, published,
};
use memory_machine_theory::greedy as theory;

/// Engines, slowest first.
static ENGINES: [EngineStyle<GreedyEngine>; 3] = [
    EngineStyle::new(
        GreedyEngine::Paper,
        ["paper's, one core", "the paper's algorithm on one core"],
        4,
    ),
    EngineStyle::new(GreedyEngine::Gpu, ["paper's, GPU", "the paper's algorithm on the GPU"], 0),
    EngineStyle::new(GreedyEngine::Fast, ["fast engine, CPU", "the fast engine of the CPU"], 2),
];
/// Colours of the published serial, MPI and GPU programs.
const SERIAL: usize = 4;
const MPI: usize = 3;
const BG9: usize = 1;

/// Those on uniform points that were measured.
fn curves<'a>(
    looks: &'static [EngineStyle<GreedyEngine>],
    greedy: &'a GreedyMeasurements,
) -> Vec<EngineCurve<'a, GreedyEngine, GreedyRepetition>> {
    let curve = |look: &'static EngineStyle<GreedyEngine>| {
        let runs = greedy.engine(look.engine);
        EngineCurve { look, runs: runs.into_iter().map(|it| (it.subject.n, it)).collect() }
    };
    looks.iter().map(curve).filter(|it| !it.runs.is_empty()).collect()
}

/// What is published, dashed.
fn dashed(curve: &[(u64, f64)], label: &str, colour: usize) -> Series {
    let line = curve.iter().map(|&(n, value)| (n as f64, value)).collect();
    Series { label: label.to_owned(), colour, dash: PUBLISHED, line, ..Series::default() }
}

/// Time of every engine beside what Shoemaker publishes.
pub(super) fn time(device: &Device, greedy: &GreedyMeasurements) -> Option<Figure> {
    let engines = curves(&ENGINES, greedy);
    let n = most_measured(&engines)?;
    let phrase = |it: &EngineCurve<'_, GreedyEngine, GreedyRepetition>| {
        Some(format!("{} takes {}", it.look.name, seconds(it.at(n)?)))
    };
    let phrases: Vec<String> = engines.iter().filter_map(phrase).collect();
    let mut text = format!("Of {} uniform points {}.", plain(n as f64), list(&phrases));
    let paper = published();
    let theirs = |curve: &[(u64, f64)]| curve.iter().find(|it| it.0 == n).map(|it| it.1);
    if let Some(gpu) = theirs(&paper.gpu) {
        text += &format!(
            " Shoemaker publishes {} for the triangulation step alone on a GPU.",
            seconds(gpu)
        );
    }
    let mut all = vec![
        dashed(&paper.serial, "published, serial", SERIAL),
        dashed(&paper.mpi, "published, 64 processes", MPI),
        dashed(&paper.gpu, "published, GPU", BG9),
    ];
    all.extend(engines.iter().map(|it| it.series(|run| Some(run.time_s))));
    Some(Figure {
        of: String::new(),
        title: format!("Greedy triangulation on {}", device.name),
        text,
        caption: format!("uniform points  {SPREAD}  dashed: published by Shoemaker"),
        body: Body::Beside(vec![panel(POINTS, ("time (seconds)", Unit::Seconds), all)]),
    })
}

/// Times of the triangulation step over blocks and threads, a figure for each n.
pub(super) fn grids(device: &Device, greedy: &GreedyMeasurements) -> Vec<Figure> {
    let mut of_n: BTreeMap<u64, HeatPanel> = BTreeMap::new();
    for run in greedy.uniform().filter(|it| it.subject.engine == GreedyEngine::Gpu) {
        let it = run.subject;
        let (Some(blocks), Some(threads)) = (it.blocks, it.threads) else { continue };
        let of = |it: &GreedyRepetition| it.triangulate_s;
        let (Some(time), Some((least, most))) = (run.spread(of), run.range(of)) else { continue };
        let at = |value: u32| Some(Value::Number(value.into()));
        of_n.entry(it.n)
            .or_default()
            .insert((at(threads), at(blocks)), HeatCell { time: time.median, least, most });
    }
    let paper = published();
    let theirs = |n: u64| -> HeatPanel {
        let cells = paper.grid.iter().filter(|it| it.0[0] == n);
        let at = |value: u64| Some(Value::Number(value.into()));
        let cell = |&([_, blocks, threads], time): &([u64; 3], f64)| {
            ((at(threads), at(blocks)), HeatCell::alone(time))
        };
        cells.map(cell).collect()
    };
    let figure = |(n, cells): (u64, HeatPanel)| {
        let ties = fastest(&cells);
        let best = cells[*ties.first()?].time;
        let worst = cells.values().map(|it| it.time).fold(0.0, f64::max);
        let number = |value: &Option<Value>| match value {
            Some(Value::Number(it)) => plain(*it as f64),
            _ => String::new(),
        };
        let grid = |at: &&HeatKey| format!("{} blocks of {}", number(&at.1), number(&at.0));
        let grids = list(&ties.iter().map(grid).collect::<Vec<_>>());
        let how = if ties.len() > 1 { "tie as fastest" } else { "are fastest" };
        let text = format!(
            "The triangulation step for n = {}: {grids} threads {how}, {}; the slowest take {} times \
             as long.",
            plain(n as f64),
            seconds(best),
            plain(worst / best)
        );
        let title = format!(
            "Greedy triangulation of {} points on {}: {grids} threads {how}",
            plain(n as f64),
            device.name
        );
        let titles = ("threads of a block".to_owned(), "blocks".to_owned());
        Some(Figure {
            of: format!("n={n}"),
            title,
            text,
            caption:
                "the paper's triangulation step  medians  colours: within each panel, whose points \
                      differ  outlined: the fastest, and those whose repetitions overlap with its"
                    .to_owned(),
            body: Body::Cells(Heat {
                panels: vec![
                    ("measured".to_owned(), cells),
                    (
                        "published by Shoemaker, another GPU and points that repeat".to_owned(),
                        theirs(n),
                    ),
                ],
                titles,
                unit: Unit::Seconds,
                apart: true,
            }),
        })
    };
    of_n.into_iter().filter_map(figure).collect()
}

/// Operations a second of the triangulation step: as many as the paper's model says, and as the
/// tests that were made.
pub(super) fn rate(device: &Device, greedy: &GreedyMeasurements) -> Option<Figure> {
    let engines = curves(&ENGINES[..2], greedy);
    let modelled =
        |run: &GreedyRepetition| Some(theory::operations_published(run.n) / run.triangulate_s?);
    let counted = |run: &GreedyRepetition| {
        Some(run.tests? as f64 * theory::operations_per_test(run.n) / run.triangulate_s?)
    };
    let paper = published();
    let of = |curve: &[(u64, f64)]| {
        let rate = |&(n, time): &(u64, f64)| (n, theory::operations_published(n) / time);
        curve.iter().map(rate).collect::<Vec<_>>()
    };
    let mut panels = vec![];
    let mut text = String::new();
    for (heading, what, is_modelled) in [
        ("operations N of the paper's model", "by the paper's model", true),
        ("operations of the tests that were made", "by the tests that were made", false),
    ] {
        let value = |run: &GreedyRepetition| if is_modelled { modelled(run) } else { counted(run) };
        let mut all: Vec<Series> =
            engines.iter().map(|it| it.series(value)).filter(|it| !it.marks.is_empty()).collect();
        let marks = all.iter().flat_map(|it| &it.marks);
        let Some(most) = marks.copied().max_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        text += &format!(
            "The most operations a second are {} for n = {}, {what}. ",
            Unit::Rate.text(most.1),
            plain(most.0)
        );
        if is_modelled {
            all.insert(0, dashed(&of(&paper.serial), "published, serial", SERIAL));
            all.insert(1, dashed(&of(&paper.gpu), "published, GPU", BG9));
        }
        panels.push(Panel {
            heading: heading.to_owned(),
            ..panel(POINTS, ("operations a second", Unit::Rate), all)
        });
    }
    (!panels.is_empty()).then(|| Figure {
        of: String::new(),
        title: format!("Greedy triangulation on {}: operations a second", device.name),
        text: format!(
            "{text}The model has too many rounds and takes lines away too slowly, so it counts \
             operations that nobody makes."
        ),
        caption: format!("triangulation step  {SPREAD}  dashed: published by Shoemaker"),
        body: Body::Beside(panels),
    })
}

/// Lines left against rounds, for each n that was counted, beside the paper's assumption and what is
/// expected.
pub(super) fn rounds(greedy: &GreedyMeasurements) -> Option<Figure> {
    let mut runs: BTreeMap<(u64, PointDistribution, u64), Vec<&GreedyRound>> = BTreeMap::new();
    for round in &greedy.rounds {
        runs.entry((round.n, round.distribution, round.seed)).or_default().push(round);
    }
    // From the second round on: an axis of logarithms has no 0.
    let part = |it: &&&GreedyRound| it.round > 0 && it.alive > 0;
    let shares = |run: &[&GreedyRound]| -> Vec<(f64, f64)> {
        let place = |it: &&GreedyRound| {
            (it.round as f64 / it.rounds as f64, it.alive as f64 / theory::lines(it.n))
        };
        run.iter().filter(part).map(place).collect()
    };
    let mut all = vec![];
    for (((n, distribution, _), run), colour) in runs.iter().zip([5, 2, 4, 3, 0].iter().cycle()) {
        let label = format!("n = {}, {distribution}", plain(*n as f64));
        let line = shares(run);
        all.push(Series { label, colour: *colour, line, ..Series::default() });
    }
    let ((n, ..), most) = runs.iter().next_back()?;
    let places: Vec<&&GreedyRound> = most.iter().filter(part).collect();
    let last = places.last()?;
    let half = most.iter().find(|it| it.alive as f64 <= theory::lines(*n) / 2.0)?;
    let expected = |it: &&&GreedyRound| {
        let share = theory::alive(it.n, it.round) / theory::lines(it.n);
        (it.round as f64 / it.rounds as f64, share)
    };
    let least = shares(most).iter().map(|it| it.1).fold(1.0, f64::min);
    let expected: Vec<_> = places.iter().map(expected).filter(|it| it.1 >= least).collect();
    let label = format!("expected, n = {}", plain(*n as f64));
    all.push(Series { label, colour: 1, dash: REFERENCE, line: expected, ..Series::default() });
    let even = places.iter().map(|it| it.round as f64 / it.rounds as f64);
    let even = even.map(|x| (x, 1.0 - x)).filter(|it| it.1 >= least).collect();
    let label = "the paper's assumption".to_owned();
    all.push(Series { label, colour: 6, dash: PUBLISHED, line: even, ..Series::default() });
    let text = format!(
        "Of {} points, half of the lines are gone after {} of {} rounds. The paper assumes that \
         every round eliminates as many; had it been so, half of the rounds would be needed. In \
         the last round shown, {}, {} lines are left.",
        plain(*n as f64),
        plain(half.round as f64),
        plain(half.rounds as f64),
        plain(last.round as f64),
        plain(last.alive as f64),
    );
    Some(Figure {
        of: String::new(),
        title: "Greedy triangulation: lines left against rounds".to_owned(),
        text,
        caption: "counted by the paper's algorithm  dotted: expected  dashed: published, as many \
                  lines eliminated in every round"
            .to_owned(),
        body: Body::Beside(vec![Panel::new(
            ("share of all rounds", Unit::Share),
            ("share of all lines that are left", Unit::Share),
            all,
        )]),
    })
}
