//! The O of UMM-OPT is found, and a wrong one is rejected.

use serde_json::Value;

use crate::support::{fails, root, succeeds, umm};

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

/// CLRS and JáJá: a sum has linear work and logarithmic span, and n/p + log n steps on p processors.
#[test]
fn claims_on_machines_of_courses_are_judged() {
    for (words, bound, verdict) in [
        ("sum | -m | pram", "n/p + log n", "proved"),
        ("sum | -m | pram", "Θ(n/p + log n)", "proved"),
        ("sum | -m | pram", "log n", "refuted"),
        ("sum | -m | work-span", "Θ(n)", "proved"),
        ("sum | -m | work-span", "log n", "refuted"),
        ("sum | -m | work-span | --of | span", "Θ(log n)", "proved"),
        ("matrix_multiply | -m | work-span | --of | span", "Θ(n)", "proved"),
        ("matrix_multiply | -m | work-span | --of | work", "Θ(n^3)", "proved"),
        // Koike and Sadakane 2014: a sum accesses n/b blocks, and one for each step at least.
        ("sum | -m | agpu", "Θ(n/b + n/p + log n)", "proved"),
        ("sum_hmm | -m | agpu", "n/line + n/q + b*q", "proved"),
        ("transpose | -m | tmm", "n^2/C + n^2/p", "refuted"),
        // Frigo et al. 1999: a scan misses n/B times, and so does a product that has room for two
        // columns, n³/B + n² times.
        ("matrix_multiply | -m | ideal-cache", "n^3/B + n^2 + n^4*B/M", "proved"),
        ("matrix_multiply | -m | ideal-cache", "n^3", "proved"),
        ("matrix_multiply | -m | ideal-cache", "Ω(n^2/B)", "proved"),
        ("transpose | -m | ideal-cache", "n", "refuted"),
        ("sum | -m | pem", "n/p + log n", "proved"),
        ("sum | -m | bsp", "Θ(log n)", "proved"),
        ("matrix_multiply | -m | bsp | --of | w", "n^3/P + n^3/p + n*p/P + n", "proved"),
        ("sum | -m | mpc", "log n", "proved"),
        ("matrix_multiply | -m | roofline", "Θ(n^3)", "proved"),
        ("matrix_multiply | -m | roofline | --of | bytes", "Θ(n^2)", "proved"),
    ] {
        let (json, code) = judge(&format!("complexity | {words} | --bound | {bound} | --json"));
        let expected = if verdict == "proved" { 0 } else { 1 };
        assert_eq!(
            (json["verdict"].as_str(), code),
            (Some(verdict), Some(expected)),
            "{words} {bound}"
        );
        assert_ne!(json["machine"], "umm");
        if verdict == "refuted" {
            let points = json["witness"]["points"].as_array().unwrap();
            assert!(points.len() > 4, "{words} {bound}");
            assert!(points.iter().all(|it| it["sizes"].get("l").is_none()), "{points:?}");
        }
    }
    for (words, says) in [
        ("complexity sum -m pram --bound n*l/p", "a claim is over p, and"),
        ("complexity sum -m work-span --bound n/p", "has no `p`"),
        ("complexity sum -m logp --bound n", "umm fit"),
        ("complexity sum -m bsp --of h --bound n", "possible values"),
        ("complexity sum -m bsp --of work --bound n", "supersteps"),
        ("complexity sum --of span --bound n", "-m work-span"),
        ("complexity sum -m pram --set n=16..64*2", "memory machines alone"),
        ("complexity sum_hmm -m pram --bound n", "loops on DMMs"),
        ("complexity sum -m pram --mode async --bound n", "--mode"),
        ("complexity sum -m pram --bound n --certificate x.json", "no certificates"),
        ("bounds sum -m pram --set n=16", "umm bounds --derive"),
        ("bounds sum -m logp --derive", "umm sweep"),
    ] {
        let message = fails(root(), words);
        assert!(message.contains(says), "{words}: {message}");
    }
    let text = succeeds(root(), "bounds sum -m work-span --of span --derive");
    assert!(text.contains("span = Ω(⌈log₂ n⌉)") && text.contains("= O(⌈log₂ n⌉)"), "{text}");
}
