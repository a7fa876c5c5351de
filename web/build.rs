//! Medians of the committed measurements of listings on a GPU: a page has no room for all repetitions.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

const MEASURED: &str = "../models/measurements/nvidia-h200/2026-11-21/algorithms.csv";
const MODEL: &str = "../models/h200.toml";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={MEASURED}");
    let text = std::fs::read_to_string(MEASURED)?;
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| {
        let found = head.iter().position(|it| *it == name);
        found.ok_or_else(|| format!("{MEASURED}: there is no column {name}"))
    };
    let wanted = ["name", "set", "bulk", "threads", "launch", "ahead", "processor", "devices"];
    let columns = wanted.map(column).into_iter().collect::<Result<Vec<_>, _>>()?;
    let time = column("time_s")?;
    let mut times: BTreeMap<[&str; 4], Vec<f64>> = BTreeMap::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, set, bulk, threads, launch, ahead, processor, devices] =
            std::array::from_fn(|at| fields[columns[at]]);
        let is_plain = matches!(launch, "plain" | "") && ahead == "1";
        if is_plain && processor == "gpu" && devices == "1" {
            times.entry([name, set, bulk, threads]).or_default().push(fields[time].parse()?);
        }
    }
    let mut table = String::new();
    for (key, mut times) in times {
        times.sort_by(f64::total_cmp);
        table += &format!("{},{}\n", key.join(","), times[times.len() / 2]);
    }
    let folder = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&folder).join("measured.csv"), table)?;
    Ok(std::fs::write(Path::new(&folder).join("model.rs"), format!("{:?}", model()?))?)
}

/// Width, latency, resident threads and seconds of a time unit.
fn model() -> Result<[f64; 4], Box<dyn Error>> {
    println!("cargo:rerun-if-changed={MODEL}");
    let text = std::fs::read_to_string(MODEL)?;
    let value = |table: &str| -> Result<f64, Box<dyn Error>> {
        let rest = text.split(&format!("[{table}]\nvalue = ")).nth(1);
        let value = rest.and_then(|it| it.lines().next());
        Ok(value.ok_or_else(|| format!("{MODEL}: [{table}] has no value"))?.parse()?)
    };
    let threads = value("calibration.multiprocessors")? * value("calibration.resident_threads")?;
    Ok([value("width")?, value("latency")?, threads, value("calibration.time_unit_s")?])
}
