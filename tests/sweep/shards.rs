//! `umm sweep --shard` and `umm sweep merge`: parts that make the table of one sweep, and what are none.

use std::fs;

use tempfile::TempDir;

use super::read;
use crate::support::{fails, succeeds};

/// 60 points, of which half have two rows, half seven.
const GRID: &str = "sweep prefix_sums,umm_opt --set n=4..8 -p 1,3,64 -l 1,5 --phases -w 4";

fn swept(parts: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for part in 1..=parts {
        succeeds(folder.path(), &format!("{GRID} --shard {part}/{parts} -o part{part}.csv"));
    }
    folder
}

fn merge(parts: &[&str]) -> String {
    format!("sweep merge {} -o all.csv", parts.join(" "))
}

#[test]
fn parts_in_any_order_make_the_table_of_one_sweep() {
    let whole = tempfile::tempdir().unwrap();
    succeeds(whole.path(), &format!("{GRID} -o whole.csv"));
    for parts in [1, 2, 7] {
        let folder = swept(parts);
        let names: Vec<String> = (1..=parts).rev().map(|it| format!("part{it}.csv")).collect();
        succeeds(folder.path(), &merge(&names.iter().map(String::as_str).collect::<Vec<_>>()));
        assert_eq!(read(&folder, "all.csv"), read(&whole, "whole.csv"), "{parts} parts");
    }
}

/// More parts than points: some have none.
#[test]
fn a_part_without_points_is_one_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let line = "sweep sum --set n=4,8 -p 2";
    for part in 1..=3 {
        succeeds(folder.path(), &format!("{line} --shard {part}/3 -o part{part}.csv"));
    }
    assert_eq!(read(&folder, "part3.csv").lines().count(), 1);
    succeeds(folder.path(), &merge(&["part1.csv", "part2.csv", "part3.csv"]));
    succeeds(folder.path(), &format!("{line} -o whole.csv"));
    assert_eq!(read(&folder, "all.csv"), read(&folder, "whole.csv"));
}

#[test]
fn what_is_not_all_parts_of_one_sweep_is_refused_and_nothing_written() {
    let folder = swept(5);
    let refused = |parts: &[&str], why: &str| {
        let error = fails(folder.path(), &merge(parts));
        assert!(error.contains(why), "{error}");
        assert!(!folder.path().join("all.csv").exists());
    };
    refused(&["part2.csv", "part5.csv"], "missing: 1, 3-4 of 5 parts");
    fs::copy(folder.path().join("part2.csv"), folder.path().join("copy.csv")).unwrap();
    let twice = ["part1.csv", "part2.csv", "part3.csv", "part4.csv", "part5.csv", "copy.csv"];
    refused(&twice, "part2.csv and copy.csv are both part 2/5");

    for (line, why) in [
        (
            GRID.replace("-w 4", "-w 8 --shard 2/5 -o other.csv"),
            "their grids, listings or inputs differ",
        ),
        (format!("{GRID} --seed 2 --shard 2/5 -o other.csv"), "their grids"),
        (format!("{GRID} --shard 2/6 -o other.csv"), "they are 1/5 and 2/6"),
    ] {
        succeeds(folder.path(), &format!("{line} --force"));
        refused(&["part1.csv", "other.csv", "part3.csv", "part4.csv", "part5.csv"], why);
    }
    succeeds(folder.path(), "sweep sum --set n=4 -o whole.csv");
    refused(&["whole.csv"], "whole.csv: is no part of a sweep");
}

/// Wherever a part is cut off, and whichever of its bytes is changed.
#[test]
fn a_damaged_part_is_refused() {
    let folder = swept(2);
    let whole = fs::read(folder.path().join("part1.csv")).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(folder.path().join("part1.csv"), bytes).unwrap();
        let error = fails(folder.path(), &merge(&["part1.csv", "part2.csv"]));
        assert!(error.contains("part1.csv"), "{error}");
    };
    for end in (0..whole.len()).step_by(1511) {
        refused(&whole[..end]);
    }
    for at in (0..whole.len()).step_by(1499) {
        let mut bytes = whole.clone();
        bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
        refused(&bytes);
    }
    let last = whole[..whole.len() - 1].iter().rposition(|&it| it == b'\n').unwrap();
    refused(&whole[..=last]);
    refused(&[&whole[..], &whole[last + 1..]].concat());
}

#[test]
fn a_part_goes_on_where_it_stopped_and_is_told_from_others() {
    let folder = swept(2);
    let whole = read(&folder, "part1.csv");
    // As if the power had failed: the part's first line, and all rows but the last.
    succeeds(folder.path(), &format!("{GRID} --shard 1/2 -o again.csv"));
    assert_eq!(read(&folder, "again.csv"), whole);
    let listing = "algorithm loops(n)\ninout a[n] : f32\nwhile a[0] >= 0 do\n  a[1] <- 1\n";
    fs::write(folder.path().join("loops.alg"), listing).unwrap();
    let line = "sweep sum,loops.alg --set n=4,8 -p 1..8 --while-limit 100 --shard 1/3";
    fails(folder.path(), &format!("{line} -o cut.csv"));
    let partial = read(&folder, "cut.csv.partial");
    assert!(partial.starts_with("# unfinished part 1/3 of `umm sweep`"), "{partial}");
    let error = fails(folder.path(), &merge(&["cut.csv.partial"]));
    assert!(error.contains("is not finished"), "{error}");
    let error = fails(folder.path(), &format!("{} -o cut.csv", line.replace("1/3", "2/3")));
    assert!(error.contains("holds an unfinished sweep of other points"), "{error}");
}
