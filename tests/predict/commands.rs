use std::fs;
use std::path::Path;

use memory_machine::case::Case;
use memory_machine::improve::memo::Memo;
use memory_machine::improve::search::{Company, Predict, Reach, Rung};
use memory_machine::language::program::Program;
use memory_machine::measure::{ALGORITHMS, DEVICE, MICROBENCHMARKS, Repetition};
use memory_machine::models;
use memory_machine::predict::expected_seconds;
use memory_machine::run::layout::Arrangement;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{fails, json, umm};

use super::machine::{device, microbenchmarks};

fn write(path: &Path, rows: &[Repetition]) {
    let mut writer = csv::Writer::from_path(path).unwrap();
    rows.iter().for_each(|row| writer.serialize(row).unwrap());
    writer.flush().unwrap();
}

/// A folder with microbenchmarks, the model that they make, and a bulk run's times.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let device = serde_json::to_string(&device()).unwrap();
    fs::write(folder.path().join(DEVICE), device).unwrap();
    let rows = microbenchmarks();
    write(&folder.path().join(MICROBENCHMARKS), &rows);
    let algorithm = |threads: u64, time_s: f64| Repetition {
        name: "prefix_sums".to_owned(),
        set: "n=32".parse().unwrap(),
        bulk: Some(Arrangement::ColumnWise),
        threads: Some(threads),
        launch: Some("plain".to_owned()),
        bytes: 128 * threads,
        time_s,
        ..rows[0].clone()
    };
    write(&folder.path().join(ALGORITHMS), &[algorithm(64, 1e-5), algorithm(65536, 2e-5)]);
    assert!(umm(folder.path(), "calibrate . --name mine -o mine.toml").status.success());
    folder
}

fn seconds(folder: &Path, arguments: &str) -> f64 {
    json(folder, &format!("predict {arguments} --model mine.toml --listing --json"))["prediction"]["time_s"]
        .as_f64()
        .unwrap()
}

fn near(found: f64, wanted: f64) {
    assert!((found / wanted - 1.0).abs() < 1e-3, "{found} for {wanted}");
}

/// 64 inputs, column-wise: each of 32 reads waits for the last-level cache and its address, beside
/// a launch; the sum and the turn of the loop take their time; stages are 64 of the longest.
#[test]
fn a_bulk_run_waits_for_the_cache() {
    let folder = folder();
    // The address is a sum of 64 bits, two instructions.
    let wait: f64 = 32.0 * (1.5e-7 + 4e-9 + 8e-9 + 2e-9);
    // Two warps on one multiprocessor, 64 accesses each: itself, its address, a group. A loop begins
    // with 40 sums, and a turn is one of 64 bits.
    let operations_s: f64 = 2.0 * (64.0 * 3e-10 + 32.0 * (7e-10 + 2e-10) + 40.0 * 1e-10);
    let l1_s = (2.0 * 64.0 * 5e-10_f64).hypot(operations_s);
    let whole = seconds(folder.path(), "prefix_sums --set n=32 --bulk column -p 64");
    near(whole, 5e-6 + wait.hypot(l1_s));
    let alone = seconds(
        folder.path(),
        "prefix_sums --set n=32 --bulk column -p 64 --without launches,arithmetic",
    );
    let l1_s: f64 = 2.0 * 64.0 * 5e-10;
    near(alone, (32.0 * 1.5e-7_f64).hypot(l1_s));
}

/// Rows of 32 words begin in one bank, so that a read of a warp takes 32 stages; those of 33 lie in all
/// banks, and eight times four groups are looked up. A write goes on group by group.
#[test]
fn rows_meet_in_banks() {
    let folder = folder();
    for (n, read) in [(32.0, 32.0), (33.0, 8.0)] {
        let run = format!(
            "predict prefix_sums --set n={n} --bulk row -p 64 --model mine.toml --listing --json"
        );
        let l1_s = json(folder.path(), &run)["prediction"]["l1_s"].as_f64().unwrap();
        near(l1_s, 2.0 * n * (read + 32.0) * 5e-10);
    }
}

/// Loops of up to 16 turns, told by the sizes, are written out: nothing is left of turns.
#[test]
fn short_loops_are_written_out() {
    let folder = folder();
    let listing = "algorithm powers(n, m)\noutput a[n] : f32\n\nfor i ← 0 to n-1 do\n  s ← a[i]\n  \
                   for j ← 1 to m do\n    s ← s × s\n  a[i] ← s\n";
    fs::write(folder.path().join("powers.alg"), listing).unwrap();
    let operations_s = |m: u32| {
        let run = format!("powers.alg --set n=32 --set m={m} --bulk column -p 32");
        let run = format!("predict {run} --model mine.toml --listing --json");
        json(folder.path(), &run)["prediction"]["operations_s"].as_f64().unwrap()
    };
    // The loop around, an access and its address, twice, and the products.
    let around = 40.0 * 1e-10 + 32.0 * (2e-10 + 2.0 * 3e-10);
    near(operations_s(16), around + 32.0 * 16.0 * 7e-10);
    near(operations_s(17), around + 32.0 * (40.0 * 1e-10 + 17.0 * (7e-10 + 2e-10)));
}

/// In each of its 273 steps one warp of eight reads shared memory and all wait for it, twice.
#[test]
fn a_block_waits_for_its_busiest_warp() {
    let folder = folder();
    let run = "predict string_matching_hmm --set n=256 --model mine.toml --listing --json";
    let latency_s = json(folder.path(), run)["prediction"]["latency_s"].as_f64().unwrap();
    assert!(latency_s > 273.0 * (1.5e-8 + 2.0 * 4.5e-9), "{latency_s}");
}

/// The first of all launches is the dearest. Up to sixteen the host has prepared before; of more it
/// prepares each while the one before runs.
#[test]
fn launches_are_counted() {
    let folder = folder();
    let predict = "predict sum --set n=64 --model mine.toml --listing --json --launch";
    let plain = json(folder.path(), &format!("{predict} plain"));
    assert_eq!(plain["launches"], 6);
    near(plain["prediction"]["launches_s"].as_f64().unwrap(), 5e-6 + 5.0 * 8e-7);
    let many = predict.replace("n=64", "n=262144");
    let many = json(folder.path(), &format!("{many} plain"));
    assert_eq!(many["launches"], 18);
    near(many["prediction"]["time_s"].as_f64().unwrap(), 5e-6 + 17.0 * 3e-6);
    let graph = json(folder.path(), &format!("{predict} graph"));
    near(graph["prediction"]["launches_s"].as_f64().unwrap(), 2e-6 + 5.0 * 5e-7);
    let cooperative = json(folder.path(), &format!("{predict} cooperative"));
    // Eight blocks of 1024 threads are there at once; those without work come to barriers meanwhile.
    near(cooperative["prediction"]["launches_s"].as_f64().unwrap(), 6e-6 + 6.0 * (8e-7 + 1e-9));
}

#[test]
fn each_extension_changes_what_it_says() {
    let folder = folder();
    let bulk = "prefix_sums --set n=64 --bulk row -p 65536";
    let nested = "opt --set n=16 --bulk column -p 65536";
    for (extension, run) in [
        ("launches", bulk),
        ("sectors", bulk),
        ("levels", bulk),
        ("multiprocessors", "prefix_sums --set n=64 --bulk row -p 64"),
        ("residency", bulk),
        ("overlap", bulk),
        ("writes", "prefix_sums --set n=64 --bulk row -p 64"),
        ("arithmetic", bulk),
        ("together", nested),
    ] {
        let (whole, without) = (
            seconds(folder.path(), run),
            seconds(folder.path(), &format!("{run} --without {extension}")),
        );
        assert!((whole / without - 1.0).abs() > 1e-6, "{extension}: {whole} and {without}");
    }
    let (one, prefetch) = (
        seconds(folder.path(), "prefix_sums --set n=64 --bulk column -p 64"),
        seconds(folder.path(), "prefix_sums --set n=64 --bulk column -p 64 --prefetch 128"),
    );
    assert!(prefetch < one / 2.0, "{prefetch} and {one}");
}

#[test]
fn a_comparison_has_these_keys() {
    let folder = folder();
    let found =
        json(folder.path(), "compare . --model mine.toml --listing --json --csv points.csv");
    assert_eq!(found["points"], 2);
    for key in ["mape", "median_ape", "worst_ape", "rank_correlation"] {
        assert!(found[key].is_f64(), "{key}: {found}");
    }
    assert_eq!(found["algorithms"][0]["name"], "prefix_sums");
    assert_eq!(found["algorithms"][0]["points"], 2);
    assert!(found["algorithms"][0]["mape"].is_f64() && found["plain"]["mape"].is_f64());
    assert_eq!(found["rank_correlation"], 1.0);
    assert_eq!(found["ablation"].as_array().unwrap().len(), 9);
    let rows = fs::read_to_string(folder.path().join("points.csv")).unwrap();
    assert_eq!(rows.lines().count(), 3);
    assert!(
        rows.starts_with("name,set,bulk,threads,launch,ahead,measured_s,calibrated_s,plain_s,")
    );
}

#[test]
fn charts_are_drawn_of_a_table_of_predictions() {
    let folder = folder();
    let run = |arguments: &str| {
        let ran = umm(folder.path(), arguments);
        assert!(ran.status.success(), "{arguments}: {}", String::from_utf8_lossy(&ran.stderr));
    };
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    run("compare . --model mine.toml --listing --csv points.csv");
    for chart in ["residuals", "scatter", "time"] {
        run(&format!("plot measured . --chart {chart} --model mine.toml -o anew.svg"));
        run(&format!("plot measured . --chart {chart} --predicted points.csv -o read.svg"));
        // Of a table nobody knows what was counted.
        let anew = text("anew.svg").replace("; predicted from the listings", "");
        assert_eq!(anew, text("read.svg"), "{chart}");
    }
    // Of other times, it is of another folder.
    fs::write(
        folder.path().join("other.csv"),
        text("points.csv").replace(",0.00002,", ",0.00003,"),
    )
    .unwrap();
    assert_ne!(text("points.csv"), text("other.csv"));
    let other = "plot measured . --chart residuals --predicted other.csv -o other.svg";
    let said = fails(folder.path(), other);
    assert!(
        said.contains("other.csv:3: `measured_s` is 3e-5, but prefix_sums n=32 p=65536"),
        "{said}"
    );
    assert!(!folder.path().join("other.svg").exists());
}

/// Of two vertices, OPT has no cell to write but the first.
#[test]
fn statements_that_are_never_reached_take_no_time() {
    let folder = tempfile::tempdir().unwrap();
    let predict = "predict opt --set n=2 --bulk row -p 1048576 --model h200 --listing --json";
    let parts = json(folder.path(), predict);
    assert!(parts["prediction"]["writes_s"].as_f64().is_some_and(|it| it > 0.0), "{parts}");
}

/// A listing that never ends is refused after the iterations that the flag allows.
#[test]
fn endless_listings_are_not_predicted() {
    let folder = tempfile::tempdir().unwrap();
    let endless = "algorithm f(n)\ninout a[n] : i32\n\nwhile n > 0 do\n  a[0] ← 1\n";
    std::fs::write(folder.path().join("endless.alg"), endless).unwrap();
    let predict = "predict endless.alg --set n=4 --bulk row -p 4 --model h200 --while-limit 1000";
    let message = fails(folder.path(), predict);
    assert!(message.contains("endless.alg:4") && message.contains("1000"), "{message}");
}

#[test]
fn pictures_and_pages_show_predictions() {
    let folder = folder();
    let plot = "plot measured . --chart scatter --model mine.toml -o scatter.svg";
    let output = umm(folder.path(), plot);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let plot =
        "plot measured . --chart residuals --of calibrated --model mine.toml -o residuals.svg";
    assert!(umm(folder.path(), plot).status.success());
    let residuals = fs::read_to_string(folder.path().join("residuals.svg")).unwrap();
    assert!(residuals.contains("MAPE") && residuals.contains("bias"));
    let message = fails(folder.path(), "plot measured . --chart scatter -o none.svg");
    assert!(message.contains("--model"), "{message}");
    assert!(umm(folder.path(), "report . --model mine.toml -o page.html").status.success());
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("calibrated") && page.contains("occupancy"));
}

#[test]
fn mistakes_are_named_with_a_remedy() {
    let folder = folder();
    let at = folder.path();
    let message = fails(at, "predict sum --set n=64 --model gtx-titan");
    assert!(message.contains("not calibrated") && message.contains("umm calibrate"), "{message}");
    let message = fails(at, "predict sum --set n=64 --model mine.toml --without magic");
    assert!(message.contains("overlap"), "{message}");
    let message = fails(at, "predict sum --set m=64 --model mine.toml");
    assert!(message.contains("its parameters are: n"), "{message}");
    let message = fails(at, "predict sum --model mine.toml");
    assert!(message.contains("--set n=16"), "{message}");
    let message = fails(at, "predict opt --set n=8 --model mine.toml");
    assert!(message.contains("--bulk"), "{message}");
    let rows = "predict sequential_access --set n=1048576 --set f=2147483648 --model mine.toml";
    let message = fails(at, rows);
    assert!(message.contains("2147483649 rows"), "{message}");
    let message = fails(at, "calibrate nowhere");
    assert!(message.contains("nowhere"), "{message}");
    fs::remove_file(at.join(ALGORITHMS)).unwrap();
    let message = fails(at, "compare . --model mine.toml");
    assert!(message.contains("umm gpu measure"), "{message}");
}

/// A point whose arrays no computer here holds is left out, and named.
#[test]
fn points_without_room_are_left_out() {
    let folder = folder();
    let at = folder.path();
    let row = |n: u64| Repetition {
        name: "permute".to_owned(),
        set: format!("n={n}").parse().unwrap(),
        launch: Some("plain".to_owned()),
        time_s: 1e-5,
        ..microbenchmarks()[0].clone()
    };
    write(&at.join(ALGORITHMS), &[row(1024), row(1 << 40)]);
    let line = "compare . --model mine.toml --listing --json";
    let output = umm(at, line);
    let compared: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(compared["points"], 1);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("left out: permute n=1099511627776"), "{told}");
    // Nothing is left of it.
    write(&at.join(ALGORITHMS), &[row(1 << 40)]);
    let message = fails(at, line);
    assert!(message.contains("words") && message.contains("n=1099511627776"), "{message}");
}

/// What compiled code does is counted where there is a compiler.
#[test]
#[ignore = "needs NVRTC"]
fn compiled_code_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let predict = |more: &str| format!("predict --model h200 --compiled {more}");
    let refused = |more: &str| fails(folder.path(), &predict(more));
    let without = refused("umm_opt --set n=64 --without sectors");
    assert!(without.contains("'--compiled' cannot be used with '--without"), "{without}");
    // Loops between a cooperative kernel's barriers are run one by one; its barriers take as long as
    // launches, or less.
    let of = |launch: &str| {
        let line = predict(&format!("umm_opt --set n=64 --launch {launch} --json"));
        json(folder.path(), &line)["prediction"]["time_s"].as_f64().unwrap()
    };
    let of_barriers = of("cooperative") / of("graph");
    assert!((0.5..1.5).contains(&of_barriers), "{of_barriers}");
    let long = refused("opt --set n=1024 --bulk column -p 64");
    assert!(long.contains("16777216 instructions"), "{long}");
    assert!(long.contains("choose smaller sizes, or count the listing"), "{long}");
    // Unasked, the listing is counted, and it is said why.
    let long = "predict opt --set n=512 --bulk column -p 64 --model h200";
    let fallback = json(folder.path(), &format!("{long} --json"));
    assert_eq!(fallback["compiled"], false);
    let reason = fallback["fallback"].as_str().unwrap();
    assert!(reason.contains("16777216 instructions"), "{reason}");
    for line in ["rc4 --set n=16 --bulk row -p 4096", "matrix_multiply_hmm --set n=64"] {
        let found = json(folder.path(), &predict(&format!("{line} --json")));
        assert_eq!(found["compiled"], true);
        assert!(found["fallback"].is_null());
        let unasked = predict(&format!("{line} --json")).replace("--compiled ", "");
        assert_eq!(json(folder.path(), &unasked), found);
        assert_eq!(json(folder.path(), &format!("{unasked} --listing"))["compiled"], false);
        let [whole, waiting] =
            ["time_s", "latency_s"].map(|it| found["prediction"][it].as_f64().unwrap());
        assert!(whole > waiting && waiting > 0.0, "{found}");
    }
}

/// By exact time these loops come to thousands of launches of few threads each; by seconds they stay as
/// they are printed, one thread's, which is predicted as well. Where a launch counts, so does exact time.
#[test]
fn an_improvement_by_seconds_knows_launches() {
    for (name, n) in [("durbin", 64), ("floyd_warshall_in_turn", 16)] {
        let case = Case::load(name).unwrap().set("n", n);
        let of = |launch, predict: Option<Predict<'_>>| {
            let reach = Reach { steps: 1, beam: 1, reassociates: false, layouts: false, launch };
            let memo = Memo::default();
            let company = Company { predict, ..Company::none(&memo) };
            let found = case.improve(reach, company).unwrap();
            found.ladder.rungs
        };
        let fast = of(0, None);
        assert!(fast.len() == 2 && fast[0].time.launches == Some(0), "{name}: {fast:?}");
        let launches = fast[1].time.launches.unwrap();
        assert!(launches >= u64::try_from(n).unwrap() - 1, "{name}: {launches}");
        let has_none = |it: &Rung| it.time.launches == Some(0);
        assert!(of(100_000_000, None).iter().all(has_none), "{name}");
        for model in ["h100", "h200"] {
            let model = models::find(model).unwrap();
            let predict = |program: &Program, _| {
                let case = Case { program: program.clone().into(), ..case.clone() };
                expected_seconds(&case, &model, None)
            };
            let kept = of(0, Some(&predict));
            let are_predicted = kept.iter().all(|it| it.seconds.is_some());
            assert!(are_predicted && kept.iter().all(has_none), "{name}: {kept:?}");
        }
    }
}

/// A layout is nothing but other addresses: those that the indices have, written out.
#[test]
#[ignore = "needs NVRTC"]
fn layouts_take_what_their_addresses_do() {
    let head = "algorithm copy(n)\ninput a[n, n] : f32";
    let body = "\noutput b[n, n] : f32\n\nfor i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n";
    let of = |layout: &str, index: &str| {
        let text = format!("{head}{layout}{body}    b[i, j] ← a[{index}]\n");
        let at = crate::support::folder(&[("copy.alg", &text)]);
        let line = "predict copy.alg --set n=2048 --model h200 --compiled --json";
        json(at.path(), line)["prediction"]["time_s"].as_f64().unwrap()
    };
    let [rows, columns] = ["i, j", "j, i"].map(|it| of("", it));
    assert_eq!(of(" layout column", "i, j"), columns);
    // The same addresses as row by row, but not four words at once.
    for (layout, index) in [("column", "j, i"), ("pad(1)", "i, j"), ("tile(8, 8)", "j, i")] {
        let time = of(&format!(" layout {layout}"), index);
        assert!(rows < time && 1.3 * time < columns, "{layout}: {rows} {time} {columns}");
    }
}
