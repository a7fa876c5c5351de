//! A run as other viewers show it: valid, and with the times of the run.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{fails, json};

const RUNS: [&str; 4] = [
    "umm_opt --set n=8 -w 4 -l 5 -p 8",
    "transpose --set n=8 -m dmm -w 4 -l 3 -p 16",
    "sum --set n=32 -w 4 -l 6 -p 16 --mode async",
    "sum_hmm --set n=64 -m hmm -d 2 -w 4 -l 7 -p 8",
];

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn a_flame_of_perfetto_has_the_times_of_the_run() {
    let here = std::path::Path::new(".");
    for run in RUNS {
        let flame = json(here, &*format!("trace {run} --format perfetto -o -"));
        let report = json(here, &*format!("run {run} --json"));
        let events = flame["traceEvents"].as_array().unwrap();
        let of =
            |process: u64| events.iter().filter(move |it| it["ph"] == "X" && it["pid"] == process);
        let end = of(1).map(|it| number(&it["ts"]) + number(&it["dur"])).max().unwrap();
        assert_eq!(end, number(&report["time_units"]), "{run}");
        assert_eq!(number(&flame["otherData"]["time_units"]), end, "{run}");
        let stages: u64 = of(2).map(|it| number(&it["dur"])).sum();
        assert_eq!(stages, number(&report["stages"]), "{run}");
        assert_eq!(of(1).count(), of(2).count());
        // Accesses of one warp, or stages of one pipeline, do not overlap, and each has a name.
        let mut rows: BTreeMap<(u64, u64), Vec<(u64, u64)>> = BTreeMap::new();
        for it in events.iter().filter(|it| it["ph"] == "X") {
            let row = rows.entry((number(&it["pid"]), number(&it["tid"]))).or_default();
            row.push((number(&it["ts"]), number(&it["dur"])));
            assert!(it["name"].as_str().is_some_and(|it| !it.is_empty()));
        }
        for (row, mut all) in rows {
            all.sort_unstable();
            assert!(all.windows(2).all(|it| it[0].0 + it[0].1 <= it[1].0), "{run}: {row:?}");
            let is_name = |it: &&Value| {
                it["name"] == "thread_name" && it["tid"] == row.1 && it["pid"] == row.0
            };
            assert_eq!(events.iter().filter(is_name).count(), 1, "{run}: {row:?}");
        }
    }
}

#[test]
fn a_flame_of_speedscope_opens_and_closes_in_order() {
    let here = std::path::Path::new(".");
    for run in RUNS {
        let flame = json(here, &*format!("trace {run} --format speedscope -o -"));
        let time = number(&json(here, &*format!("run {run} --json"))["time_units"]);
        let frames = flame["shared"]["frames"].as_array().unwrap().len();
        let mut last = 0;
        for profile in flame["profiles"].as_array().unwrap() {
            assert_eq!(number(&profile["endValue"]), time, "{run}");
            let (mut open, mut at) = (vec![], 0);
            for event in profile["events"].as_array().unwrap() {
                assert!(number(&event["at"]) >= at, "{run}");
                at = number(&event["at"]);
                let frame = number(&event["frame"]);
                assert!((frame as usize) < frames);
                match event["type"].as_str() {
                    Some("O") => open.push(frame),
                    _ => assert_eq!(open.pop(), Some(frame), "{run}"),
                }
            }
            assert!(open.is_empty());
            last = last.max(at);
        }
        assert_eq!(last, time, "{run}");
    }
}

#[test]
fn a_trace_in_text_has_no_machine() {
    let message = fails(std::path::Path::new("."), "trace sum --set n=8 -l 5 -o -");
    assert!(message.contains("-l") && message.contains("perfetto"), "{message}");
    let message =
        fails(std::path::Path::new("."), "trace umm_opt --set n=1024 --format perfetto -o -");
    assert!(message.contains("choose smaller sizes"), "{message}");
}
