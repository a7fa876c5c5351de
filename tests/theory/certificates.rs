//! Certificates: made of verdicts, accepted by both checkers, refused when they are damaged.

use std::path::Path;
use std::process::Command;

use memory_machine::case::Case;
use memory_machine::case::claim::ParsedClaim;
use memory_machine::verify::verify;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::claims::Claim;
use super::derivation::on;
use super::measures::KINDS;
use crate::support::{exits, fails, page, root, succeeds};

/// The claims in the pages: listing, claim, what it assumes, what it is.
const CLAIMS: &[[&str; 4]] = &[
    ["umm_opt", "Θ(n^3/w + n^3*l/p + n*l)", "", "proved"],
    ["umm_opt", "n^3/w + n^3*l/p", "p <= n^2, w <= n", "proved"],
    ["umm_opt", "n^3/w + n^3*l/p", "", "refuted"],
    ["sum", "Θ(n/w + n·l/p + l·log n)", "", "proved"],
    ["sum", "n/w + n*l/p + l", "", "refuted"],
    ["sum", "Ω(n)", "", "refuted"],
    ["bitonic", "2^k·k²·(1 + l/p) + k²·l", "", "proved"],
    ["transpose", "n^2 + n^2*l/p + l", "", "proved"],
    ["matrix_multiply", "Θ(n^3/w + n^3*l/p + n*l)", "", "proved"],
    ["opt", "Θ(n^3*l)", "", "proved"],
    ["docs/listings/column_sums.alg", "n^2/w + n^2*l/p + n*l", "", "proved"],
    ["docs/listings/row_sums.alg", "n^2/w + n^2*l/p + n*l", "", "refuted"],
    ["docs/listings/row_sums.alg", "n^2 + n^2*l/p + n*l", "", "proved"],
    ["umm_opt", "", "", "bounds"],
    ["sum", "", "", "bounds"],
];

const PAGE: &str = "docs/certificates.jsonl";

fn case(listing: &str) -> Case {
    if listing.ends_with(".alg") {
        Case::parse(listing, &page(listing)).unwrap()
    } else {
        Case::load(listing).unwrap()
    }
}

fn certificate([listing, claim, assumed, _]: &[&str; 4]) -> Value {
    let case = case(listing);
    if claim.is_empty() {
        return case.certify_bounds().unwrap();
    }
    let mut parsed = ParsedClaim::parse(claim).unwrap();
    for part in assumed.split(',').filter(|it| !it.is_empty()) {
        parsed.assumed.extend(ParsedClaim::assumption(part).unwrap());
    }
    case.certify(&parsed).unwrap_or_else(|error| panic!("{listing} {claim}: {error}"))
}

/// Those of the page are those that are made now. `UMM_BLESS=1` writes them anew.
#[test]
fn the_claims_of_the_pages_have_certificates() {
    let made: Vec<Value> = CLAIMS.par_iter().map(certificate).collect();
    let text: String = made.iter().map(|it| format!("{it}\n")).collect();
    if std::env::var_os("UMM_BLESS").is_some() {
        std::fs::write(root().join(PAGE), &text).unwrap();
    }
    assert!(page(PAGE) == text, "{PAGE} is not what is made now: UMM_BLESS=1 writes it");
    for ([listing, .., verdict], it) in CLAIMS.iter().zip(&made) {
        let found = verify(it, &case(listing).program).unwrap();
        assert_eq!((found.verdict, &it["states"]["verdict"]), (*verdict, &json!(verdict)));
    }
}

/// Plain Python, without the program.
#[test]
fn the_second_checker_agrees() {
    let Some(text) = python(&root().join(PAGE)) else { return };
    for ([.., verdict], line) in CLAIMS.iter().zip(text.lines()) {
        assert!(line.ends_with(verdict), "{line}");
    }
    assert_eq!(text.lines().count(), CLAIMS.len());
}

/// What the second checker prints of a file that it accepts.
fn python(file: &Path) -> Option<String> {
    let checker = root().join("python/umm_verify.py");
    let Ok(output) = Command::new("python3").arg(checker).arg(file).output() else {
        eprintln!("SKIPPED: there is no python3");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Of a decided claim on a textbook kind, with its listing.
fn of_kind((listing, claim, assumed, verdict): &Claim) -> (Value, Case) {
    let case = super::claims::case(listing);
    let mut parsed = ParsedClaim::parse(claim).unwrap();
    for part in assumed.split(',').filter(|it| !it.is_empty()) {
        parsed.assumed.extend(ParsedClaim::assumption(part).unwrap());
    }
    let made = case.certify(&parsed).unwrap_or_else(|it| panic!("{listing} {claim}: {it}"));
    let found = verify(&made, &case.program).unwrap();
    assert!(found.verdict.starts_with(*verdict), "{listing} {claim}: {}", found.verdict);
    (made, case)
}

/// Of every verdict on a textbook kind there is one, which both checkers accept.
#[test]
fn textbook_kinds_have_certificates() {
    let decided: Vec<_> = KINDS.iter().filter(|it| it.3 != 'o').collect();
    let make = |claim: &&Claim| format!("{}\n", of_kind(claim).0);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kinds.jsonl");
    std::fs::write(&file, decided.iter().map(make).collect::<String>()).unwrap();
    if let Some(text) = python(&file) {
        assert_eq!(text.lines().count(), decided.len());
    }
}

/// Every number and text in it, by its path.
fn leaves(of: &Value, path: &str, found: &mut Vec<String>) {
    match of {
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(at, it)| leaves(it, &format!("{path}/{at}"), found));
        }
        Value::Object(all) => all.iter().for_each(|(name, it)| {
            leaves(it, &format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), found);
        }),
        _ => {}
    }
    found.push(path.to_owned());
}

/// The certificate with one thing changed: a number, a text, or a part left out or said twice.
fn damaged(of: &Value, paths: &[String], rng: &mut Numbers) -> Value {
    let mut all = of.clone();
    let path = &paths[rng.below(paths.len())];
    let Some(it) = all.pointer_mut(path) else { panic!("{path}") };
    let way = rng.below(3) as i64 + 1;
    *it = match it.take() {
        Value::Number(old) => json!(old.as_i64().unwrap() + way),
        Value::Bool(old) => json!(!old),
        Value::Null => json!(way),
        Value::String(old) => match old.parse::<i64>() {
            Ok(old) => json!((old + way).to_string()),
            Err(_) => json!(format!("{old}{way}")),
        },
        Value::Array(old) if old.is_empty() => json!([way]),
        Value::Array(mut old) => {
            let at = rng.below(old.len());
            if way == 1 {
                old.insert(at, old[at].clone());
            } else {
                old.remove(at);
            }
            old.into()
        }
        Value::Object(mut old) => {
            match old.keys().nth(rng.below(old.len().max(1))).cloned() {
                Some(name) => drop(old.shift_remove(&name)),
                None => drop(old.insert("n".to_owned(), json!(way))),
            }
            old.into()
        }
    };
    all
}

/// Numbers that look random (Marsaglia 2003).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

#[test]
fn damaged_certificates_are_refused() {
    let text = page(PAGE);
    let pages = text.lines().zip(CLAIMS);
    let pages = pages.map(|(line, it)| (serde_json::from_str::<Value>(line).unwrap(), case(it[0])));
    // Measures, amortised loops, reciprocals, addresses w apart.
    let kinds = ["search", "two_pointers", "window", "squares", "harmonic", "rows"];
    let kinds = kinds.iter().filter_map(|name| KINDS.iter().find(|it| it.0 == *name));
    let all: Vec<(Value, Case)> = pages.chain(kinds.map(of_kind)).collect();
    let each = crate::drawn(10_000 / all.len() + 1, 9);
    let accepted = all.par_iter().map(|(whole, case)| {
        let (listing, program) = (&case.program.name, &case.program);
        let mut paths = vec![];
        leaves(whole, "", &mut paths);
        // Another claim is checked as it stands; so is what is said of parameters, whose names alone a claim may
        // need.
        let stated = ["/claim", "/setting/fixed/", "/setting/exponents/"];
        let is_stated = |it: &str| stated.iter().any(|stated| it.starts_with(stated));
        paths.retain(|it| !it.is_empty() && !is_stated(it));
        let mut rng = Numbers(7);
        let mut accepted = 0;
        for _ in 0..each {
            let other = damaged(whole, &paths, &mut rng);
            // Another step may prove the same: nothing else may differ where it is accepted.
            let is_same = ["states", "setting", "program", "listing", "format"]
                .iter()
                .all(|key| other[key] == whole[key]);
            if other != *whole && verify(&other, program).is_ok() {
                assert!(is_same, "{listing}: {other}");
                accepted += 1;
            }
        }
        accepted
    });
    let accepted: usize = accepted.sum();
    assert!(accepted <= each * all.len() / 1000, "{accepted} are accepted");
}

/// A proof of one listing is none of another that costs more.
#[test]
fn a_certificate_of_another_listing_is_refused() {
    let whole = certificate(&CLAIMS[10]);
    let worse = page(CLAIMS[10][0]).replace("a[i, j]", "a[j, i]");
    let other = Case::parse("column_sums.alg", &worse).unwrap();
    assert!(verify(&whole, &other.program).is_err());
    let mut swapped = whole.clone();
    swapped["program"] = memory_machine::verify::tree::tree(&other.program).unwrap();
    assert!(verify(&swapped, &other.program).is_err());
}

/// Of an order of dimensions a certificate is that of the listing with its indices in that order; of other
/// layouts, and of neighbours that are accessed at once, there is none.
#[test]
fn layouts_are_no_rows() {
    let text = "algorithm copy(n)\ninput a[n, n] : f32\noutput b[n, n] : f32\n\nfor i ← 0 to n-1 do in \
                parallel\n  for j ← 0 to n-1 do in parallel\n    b[i, j] ← a[i, j]\n";
    let with = |layout: &str| {
        let text = text.replacen(": f32", &format!(": f32{layout}"), 1);
        Case::parse("copy.alg", &text).unwrap()
    };
    let claim = |text: &str| {
        let mut claim = ParsedClaim::parse(text).unwrap();
        claim.assumed.extend(ParsedClaim::assumption("p <= n").unwrap());
        claim
    };
    let rows = with("").certify(&claim("n^2/w + n^2*l/p + l")).unwrap();
    verify(&rows, &with("").program).unwrap();
    for layout in [" layout column", " layout pad(1)", " layout tile(2, 2)"] {
        assert!(verify(&rows, &with(layout).program).is_err(), "{layout}");
    }
    let columns = with(" layout column").certify(&claim("n^2 + n^2*l/p + l")).unwrap();
    verify(&columns, &with(" layout column").program).unwrap();
    let records = "algorithm shift(n)\ninout p[n] : {x, y, z : f32} layout soa\n\nfor i ← 0 to n-1 do in \
                   parallel\n  p[i].x ← p[i].y\n";
    let soa = Case::parse("shift.alg", records).unwrap();
    verify(&soa.certify(&claim("n/w + n*l/p + l")).unwrap(), &soa.program).unwrap();
    let four = "algorithm four(n)\ninput a[4*n] : f32\noutput b[4*n] : f32\n\nfor i ← 0 to n-1 do in \
                parallel\n  b[4*i : 4*i+3] ← a[4*i : 4*i+3]\n";
    let four = Case::parse("four.alg", four).unwrap();
    assert!(four.certify(&claim("Ω(n*l/p)")).unwrap_err().to_string().contains("neighbours"));
}

/// Stated bounds hold of runs.
#[test]
fn what_is_stated_holds_of_runs() {
    for it in CLAIMS.iter().filter(|it| it[1].is_empty()) {
        let made = certificate(it);
        for (n, p, w, l) in [(16, 4, 4, 1), (33, 32, 8, 10), (64, 1000, 32, 100)] {
            let run = on(&case(it[0]), n, [p, w, l]);
            assert!(stated_holds(&made, &run, &[("n", n)]));
        }
    }
}

/// Of a run whose parameters have these values; `false` if it does not end.
pub(super) fn stated_holds(certificate: &Value, run: &Case, sizes: &[(&str, i64)]) -> bool {
    let Ok(timed) = run.time() else { return false };
    let time = timed.total().time_units.0 as f64;
    let text = &run.program.source.text;
    let [p, w, l] = [run.threads.get(), run.machine.width.get(), run.machine.latency.get()];
    let size = |name: &str| sizes.iter().find(|it| it.0 == name).map(|it| it.1 as f64).unwrap();
    let at = |name: &str| match (name, name.strip_prefix("log ")) {
        ("@p", _) => p as f64,
        ("@w", _) => w as f64,
        ("@l", _) => l as f64,
        (_, Some(size_name)) => size(size_name).log2().ceil().max(1.0),
        (name, None) => size(name),
    };
    let sum = |of: &Value| value(of, &at);
    let part = |it: &Value| {
        let least = it[1].as_array().unwrap().iter().map(sum).fold(f64::INFINITY, f64::min);
        it[0].as_f64().unwrap() * least
    };
    let stated = &certificate["states"];
    let upper: f64 = stated["upper"].as_array().unwrap().iter().map(part).sum();
    assert!(time <= upper * 1.000_001, "{run}: {time} > {upper}\n{text}");
    // What is said from below begins there.
    if sizes.iter().all(|it| it.1 >= 16) {
        for (rule, lower) in stated["lower"].as_object().unwrap() {
            if lower[0].is_null() || sum(&lower[0]) >= w as f64 {
                let lower = sum(&lower[1]);
                assert!(time >= lower * 0.999_999, "{run} {rule}: {time} < {lower}\n{text}");
            }
        }
    }
    true
}

fn value(of: &Value, at: &dyn Fn(&str) -> f64) -> f64 {
    let number = |text: &str| match text.split_once('/') {
        Some((over, under)) => over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap(),
        None => text.parse().unwrap(),
    };
    let term = |it: &Value| {
        let powers = it[1].as_object().unwrap();
        let factors =
            powers.iter().map(|(name, power)| at(name).powi(power.as_i64().unwrap() as i32));
        number(it[0].as_str().unwrap()) * factors.product::<f64>()
    };
    of.as_array().unwrap().iter().map(term).sum()
}

#[test]
fn a_user_makes_and_checks_one() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    succeeds(here, "complexity sum --bound n+n*l --certificate sum.json");
    let text = succeeds(here, "verify sum.json sum");
    assert!(text.starts_with("sum (umm): O(l·n + n): proved, time ≤ "), "{text}");
    succeeds(here, "bounds umm_opt --derive --certificate bounds.json");
    let message = exits(here, "verify bounds.json sum", 1);
    assert!(message.contains("refused: it is of another listing"), "{message}");
    // What has none says so.
    let message = fails(here, "bounds sum_hmm -m hmm --derive --certificate none.json");
    assert!(message.contains("there are no certificates of the HMM yet"), "{message}");
    assert!(!here.join("none.json").exists());
}
