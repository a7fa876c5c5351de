//! The O of UMM-OPT is found, and a wrong one is rejected.

use serde_json::Value;

use crate::support::{root, umm};

/// The answer to arguments between bars, as bounds have blanks, and the exit code.
fn judge(line: &str) -> (Value, Option<i32>) {
    let arguments: Vec<&str> = line.split('|').map(str::trim).collect();
    let output = umm(root(), &arguments[..]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let json = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{message}"));
    (json, output.status.code())
}

const UMM_OPT: &str =
    "complexity | umm_opt | --set | n=16..256*2 | -p | 64,1024 | -w | 4,32 | -l | 1,100 | --json";

#[test]
fn the_theorem_is_consistent() {
    let bound = "n^3/w + n^3*l/p + n*l";
    let (json, code) = judge(&format!("{UMM_OPT} | --bound | {bound}"));
    assert_eq!((json["consistent"].as_bool(), code), (Some(true), Some(0)), "{json:#}");
    assert!(json["r2"].as_f64().unwrap() > 0.9, "{json:#}");
}

#[test]
fn too_small_a_bound_is_contradicted() {
    for bound in crate::some(["n^2/w + n^2*l/p + n*l", "n^2", "n^2*l"], 3) {
        let (json, code) = judge(&format!("{UMM_OPT} | --bound | {bound}"));
        let expected = (Some(false), Some(1));
        assert_eq!((json["consistent"].as_bool(), code), expected, "{bound}: {json:#}");
    }
}

#[test]
fn a_logarithm_is_missed() {
    let sum = "complexity | sum | --set | n=16..65536*2 | -p | 131072 | -l | 500 | --json";
    let (json, code) = judge(&format!("{sum} | --bound | n/w + n*l/p + l*log2(n)"));
    assert_eq!((json["consistent"].as_bool(), code), (Some(true), Some(0)), "{json:#}");
    let (json, code) = judge(&format!("{sum} | --bound | l"));
    assert_eq!((json["consistent"].as_bool(), code), (Some(false), Some(1)), "{json:#}");
}

/// Where the grid ends while one term takes over from another, the ratio still drifts.
#[test]
fn a_right_bound_is_not_contradicted_in_transition() {
    for step in ["*2", "*4"] {
        let sum =
            format!("complexity | sum | --set | n=64..65536{step} | -p | 64,1024 | -l | 10,100");
        let (json, code) = judge(&format!("{sum} | --json | --bound | n/w + n*l/p + l*log2(n)"));
        assert_eq!((json["consistent"].as_bool(), code), (Some(true), Some(0)), "{json:#}");
    }
}

#[test]
fn bounds_as_json() {
    let (json, code) = judge("bounds | umm_opt | --set | n=8..32*2 | -p | 7,64 | -w | 4 | --json");
    assert_eq!(code, Some(0));
    let points = json["points"].as_array().unwrap();
    assert_eq!(points.len(), 6);
    for point in points {
        let [time, lower, upper] =
            ["time_units", "lower_bound", "upper_bound"].map(|it| point[it].as_u64().unwrap());
        assert!(lower <= time && time <= upper);
    }
    assert_eq!(json["violations"].as_array().unwrap().len(), 0);
    assert!(json["constant"]["min"].as_f64().unwrap() >= 1.0);
}
