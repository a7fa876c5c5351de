//! Predicts what bulk prefix-sums take on an H200, in both arrangements.
//!
//! `cargo run --example predict_seconds`

use memory_machine::case::Case;
use memory_machine::models;
use memory_machine::predict::{LaunchOptions, ReuseCache, Work, predict};
use memory_machine::run::layout::Arrangement;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = models::find("h200").ok_or("the shipped models have no h200")?;
    let calibration = model.calibration.as_ref().ok_or("h200 is not calibrated")?;
    let case = Case::load("prefix_sums")?.set("n", 1024).on(model.machine());
    for p in [1 << 10, 1 << 14, 1 << 18] {
        for arrangement in [Arrangement::RowWise, Arrangement::ColumnWise] {
            let case = case.clone().threads(p)?.bulk(arrangement);
            let manner = LaunchOptions { launch: None, prefetch: 1 };
            let work = Work::of(&case, manner, calibration, &mut ReuseCache::default())?;
            let seconds = predict(&work, calibration, &[]).time_s;
            println!("p = {p:>6}  {arrangement:<6}  {:>9.3} ms", seconds * 1e3);
        }
    }
    Ok(())
}
