//! The samples of `plots/data/`, counted anew.

mod hmm;
mod on_dmms;

use memory_machine::case;
use memory_machine::count::count;
use memory_machine::machine::{Counts, Machine, MachineKind, Mode};
use memory_machine::run::Limits;
use memory_machine::run::layout::{Arrangement, Bulk, Layout};
use memory_machine::sample::Sample;
use memory_machine::units::{Latency, Threads, Width};

use crate::{Failure, root};

/// All of them.
pub fn write() -> Result<(), Failure> {
    bulk_runs()?;
    opt_on_the_umm()?;
    transpose()?;
    hmm::write()
}

struct Setting {
    algorithm: &'static str,
    n: i64,
    kind: MachineKind,
    w: u64,
    l: u64,
    p: u64,
    bulk: Option<Arrangement>,
}

/// A row for each phase and its name.
fn samples(it: &Setting) -> Vec<Sample> {
    let program = case::load(it.algorithm).unwrap();
    let width = Width::new(it.w).unwrap();
    let bulk = it.bulk.map(|arrangement| Bulk { inputs: it.p, arrangement });
    let layout = Layout::new(&program, |_| Some(it.n), width, bulk).unwrap();
    let machine = Machine { kind: it.kind, width, latency: Latency::new(it.l).unwrap() };
    let limits = Limits::new(Threads::new(it.p).unwrap(), 1 << 20);
    let counted = count(&program, &layout, machine, Mode::Sync, limits).unwrap();
    let sample = |(phase, counts): (&String, &Counts)| Sample {
        algorithm: it.algorithm.to_owned(),
        set: format!("n={}", it.n).parse().unwrap(),
        machine: Some(format!("{:?}", it.kind).to_lowercase()),
        width: Some(it.w),
        latency: Some(it.l),
        threads: Some(it.p),
        mode: Some("sync".to_owned()),
        bulk: it.bulk.map(|it| match it {
            Arrangement::RowWise => "row".to_owned(),
            Arrangement::ColumnWise => "column".to_owned(),
        }),
        phase: Some(phase.clone()),
        accesses: Some(counts.accesses),
        dispatches: Some(counts.dispatches),
        stages: Some(counts.stages),
        time_units: Some(counts.time_units.0),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        ..Sample::default()
    };
    program.phases.iter().zip(&counted.counts).map(sample).collect()
}

fn total(it: &Setting) -> Sample {
    let mut rows = samples(it).into_iter();
    let mut sum = rows.next().unwrap();
    sum.phase = None;
    let add = |a: &mut Option<u128>, b: Option<u128>| *a = Some(a.unwrap() + b.unwrap());
    for row in rows {
        add(&mut sum.accesses, row.accesses);
        add(&mut sum.dispatches, row.dispatches);
        add(&mut sum.stages, row.stages);
        add(&mut sum.time_units, row.time_units);
    }
    sum
}

fn write_table(name: &str, rows: &[Sample]) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_path(root().join("plots/data").join(name))?;
    for row in rows {
        writer.serialize(row)?;
    }
    Ok(writer.flush()?)
}

/// Powers of two times `from`.
fn doubling(from: u64, to: u64, by: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(from), move |it| Some(it * by)).take_while(move |it| *it <= to)
}

/// A published line `fixed + each · p`, in nanoseconds, at every p.
fn published(
    algorithm: &str,
    n: u64,
    bulk: &str,
    (fixed, each): (f64, f64),
    most: u64,
) -> Vec<Sample> {
    let at = |p: u64| Sample {
        algorithm: algorithm.to_owned(),
        set: format!("n={n}").parse().unwrap(),
        threads: Some(p),
        bulk: Some(bulk.to_owned()),
        // Nanoseconds to two digits are whole picoseconds.
        time_s: Some(((fixed + each * p as f64) * 1e3).round() / 1e12),
        source: Some("GTX Titan: lines fitted by Tani et al. 2014, Section V".to_owned()),
        ..Sample::default()
    };
    doubling(64, most, 2).map(at).collect()
}

/// A published measurement.
fn measured(algorithm: &str, n: u64, p: u64, time_s: f64) -> Sample {
    Sample {
        algorithm: algorithm.to_owned(),
        set: format!("n={n}").parse().unwrap(),
        threads: Some(p),
        bulk: Some("row".to_owned()),
        time_s: Some(time_s),
        device: Some("GTX Titan".to_owned()),
        source: Some("Tani et al. 2014, Section V".to_owned()),
        ..Sample::default()
    }
}

fn bulk(algorithm: &'static str, sizes: [i64; 3], most: u64) -> Vec<Sample> {
    let mut rows = vec![];
    for n in sizes {
        for arrangement in [Arrangement::RowWise, Arrangement::ColumnWise] {
            rows.extend(doubling(64, most, 2).map(|p| {
                let kind = MachineKind::Umm;
                total(&Setting { algorithm, n, kind, w: 32, l: 400, p, bulk: Some(arrangement) })
            }));
        }
    }
    rows
}

fn bulk_runs() -> Result<(), Failure> {
    let mut rows = bulk("prefix_sums", [32, 1024, 32_768], 8 << 20);
    rows.extend(published("prefix_sums", 32, "row", (37e3, 8.09), 8 << 20));
    rows.extend(published("prefix_sums", 32, "column", (14e3, 1.35), 8 << 20));
    rows.push(measured("prefix_sums", 32, 8 << 20, 67.9e-3));
    write_table("prefix_sums.csv", &rows)?;
    let mut rows = bulk("opt", [8, 64, 512], 4 << 20);
    rows.extend(published("opt", 8, "row", (90e3, 50.8), 4 << 20));
    rows.extend(published("opt", 8, "column", (32e3, 2.11), 4 << 20));
    rows.push(measured("opt", 8, 4 << 20, 213e-3));
    write_table("opt.csv", &rows)
}

fn opt_on_the_umm() -> Result<(), Failure> {
    let setting = |l, p| Setting {
        algorithm: "umm_opt",
        n: 1024,
        kind: MachineKind::Umm,
        w: 32,
        l,
        p,
        bulk: None,
    };
    let rows: Vec<Sample> =
        doubling(32, 2 << 20, 4).flat_map(|p| samples(&setting(100, p))).collect();
    write_table("umm_opt_phases.csv", &rows)?;
    let rows: Vec<Sample> = doubling(32, 2 << 20, 4)
        .flat_map(|p| doubling(4, 16_384, 4).map(move |l| (l, p)))
        .map(|(l, p)| total(&setting(l, p)))
        .collect();
    write_table("umm_opt.csv", &rows)
}

fn transpose() -> Result<(), Failure> {
    let rows: Vec<Sample> = doubling(32, 1024, 2)
        .flat_map(|n| {
            let (algorithm, kind) = ("transpose", MachineKind::Dmm);
            let n = n.cast_signed();
            samples(&Setting { algorithm, n, kind, w: 32, l: 2, p: 1024, bulk: None })
        })
        .collect();
    write_table("transpose.csv", &rows)
}
