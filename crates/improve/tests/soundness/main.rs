//! Random programs and random sequences of proved steps: what comes out computes the same. Random
//! changes of certificates are refused, or are of listings that compute the same anyway.

mod generator;

use std::collections::BTreeMap;
use std::time::Instant;

use chacha20::ChaCha8Rng;
use memory_machine_core::diagnostic::Source;
use memory_machine_core::language::{self, program::Program};
use memory_machine_improve::check::{Certificate, verify};
use memory_machine_improve::oracle::{Comparison, compare};
use memory_machine_improve::transform::TRANSFORMATIONS;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use self::generator::program;

fn load(text: &str) -> Program {
    let source = Source { name: "random".to_owned(), text: text.to_owned() };
    language::load(source).unwrap_or_else(|it| panic!("{}\n{text}", it.diagnostic.message))
}

/// Sizes divide no tile. Most are small, some have several tiles of each side.
fn size(seed: u64) -> i64 {
    match seed % 50 {
        0 => 35,
        1..6 => 19,
        _ => 12,
    }
}

/// What random steps of a program were.
#[derive(Default)]
struct Steps {
    certificates: Vec<Certificate>,
    /// Whether the program failed on every input, so that nothing was seen.
    is_blind: bool,
}

/// Takes random steps, and asks after the last whether the result is that of the first listing.
fn steps(seed: u64, most: usize) -> Steps {
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ 0x5eed);
    let first = load(&load(&program(seed)).listing.to_string());
    let sizes = BTreeMap::from([("n".to_owned(), size(seed))]);
    let mut current = load(&first.source.text);
    let mut taken = Steps::default();
    // Of each kind as often, however many there are.
    let mut kinds: Vec<usize> = (0..TRANSFORMATIONS.len()).collect();
    // After another layout nothing else is proved.
    kinds.retain(|it| seed.is_multiple_of(10) || TRANSFORMATIONS[*it].name != "columns");
    // What fits everywhere would leave little for others.
    kinds.retain(|it| seed.is_multiple_of(4) || TRANSFORMATIONS[*it].is_searched);
    for _ in 0..most {
        let text = current.source.text.clone();
        kinds.shuffle(&mut random);
        let found = kinds.iter().find_map(|it| {
            let own = (TRANSFORMATIONS[*it].propose)(&current.listing, &text);
            own.choose(&mut random).cloned().map(|own| (TRANSFORMATIONS[*it].name, own))
        });
        let Some((rule, proposal)) = found else { break };
        let mut before = text;
        let mut certificates = vec![];
        let mut is_proved = true;
        for (listing, proof) in &proposal.path {
            let (after, rule) = (listing.to_string(), rule.to_owned());
            let certificate =
                Certificate { rule, before, after: after.clone(), proof: proof.clone() };
            is_proved &= verify(&certificate).is_ok() && !certificate.reassociates();
            before = after;
            certificates.push(certificate);
        }
        if !is_proved {
            continue;
        }
        taken.certificates.extend(certificates);
        current = load(&before);
    }
    match compare(&first, &current, &sizes, &|_, a, b| a == b) {
        Comparison::Different { witness } => {
            let way = taken.certificates.iter().map(|it| format!("{}:\n{}", it.rule, it.after));
            let way: Vec<String> = way.collect();
            panic!("seed {seed}: {witness}\n{}\n{}", first.source.text, way.join("\n"))
        }
        Comparison::Same { runs } => taken.is_blind = runs == 0,
    }
    taken
}

fn number(variable: &str, else_: u64) -> u64 {
    std::env::var(variable).ok().and_then(|it| it.parse().ok()).unwrap_or(else_)
}

/// So many, or more if everything is tried.
fn few_or(many: u64, few: u64) -> u64 {
    if std::env::var_os("UMM_THOROUGH").is_some() { many } else { few }
}

/// `UMM_PROGRAMS=100000 cargo test --release -p memory-machine-improve` tries as many, or as many as
/// `UMM_SECONDS` allows.
#[test]
fn proved_steps_keep_the_result() {
    let first = number("UMM_SEED", 1);
    let (begin, seconds) = (Instant::now(), number("UMM_SECONDS", u64::MAX));
    let mut by_rule: BTreeMap<String, usize> = BTreeMap::new();
    let (mut programs, mut blind) = (0, 0);
    for seed in first..first + number("UMM_PROGRAMS", few_or(300, 16)) {
        if begin.elapsed().as_secs() >= seconds {
            break;
        }
        programs += 1;
        let found = steps(seed, 8);
        blind += usize::from(found.is_blind);
        for it in found.certificates {
            *by_rule.entry(it.rule).or_default() += 1;
        }
        if programs % 1000 == 0 {
            println!("{programs} programs, {blind} of them fail everywhere, {by_rule:?}");
        }
    }
    println!("{programs} programs, {blind} of them fail everywhere, steps taken: {by_rule:?}");
    // Otherwise nothing was tried.
    for rule in ["parallel", "interchange", "reversal", "tile", "strip-mining", "unrolling"] {
        assert!(by_rule.get(rule).is_some_and(|it| *it > 0), "{by_rule:?}");
    }
    assert!(10 * blind < programs, "{blind} of {programs} programs fail on every input");
}

/// One change of a text: a number, a sign, a name, or a line that moves, goes, or comes twice.
fn mutate(text: &str, random: &mut ChaCha8Rng) -> String {
    let digits: Vec<usize> =
        text.char_indices().filter(|it| it.1.is_ascii_digit()).map(|it| it.0).collect();
    let signs: Vec<(usize, char)> =
        text.char_indices().filter(|it| "+-×<≤≠=".contains(it.1)).collect();
    let mut lines: Vec<&str> = text.lines().collect();
    match random.random_range(0..6) {
        0 if !digits.is_empty() => {
            let at = digits.choose(random).copied().unwrap_or_default();
            let other = random.random_range(0..10);
            format!("{}{other}{}", &text[..at], &text[at + 1..])
        }
        1 if !signs.is_empty() => {
            let (at, sign) = signs.choose(random).copied().unwrap_or_default();
            let other = ["+", "-", "×", "<", "≤", "≠", "="].choose(random).copied();
            format!("{}{}{}", &text[..at], other.unwrap_or_default(), &text[at + sign.len_utf8()..])
        }
        2 if lines.len() > 2 => {
            let at = random.random_range(1..lines.len());
            match random.random_range(0..3) {
                0 => drop(lines.remove(at)),
                1 => lines.insert(at, lines[at]),
                _ => lines.swap(at - 1, at),
            }
            lines.join("\n") + "\n"
        }
        3 => {
            let is_word = |it: &&str| it.starts_with(|it: char| it.is_ascii_alphabetic());
            let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
            let words: Vec<&str> = words.filter(is_word).collect();
            let (one, other) = (words.choose(random), words.choose(random));
            let (one, other) = (one.copied().unwrap_or("n"), other.copied().unwrap_or("n"));
            let places: Vec<usize> = text.match_indices(one).map(|it| it.0).collect();
            let at = places.choose(random).copied().unwrap_or_default();
            text[..at].to_owned() + &text[at..].replacen(one, other, 1)
        }
        _ => {
            let changes = [
                ("i0", "i1"),
                ("i1", "i0"),
                ("n", "1"),
                ("a[", "w["),
                ("'", ""),
                ("min", "max"),
                (" in parallel", ""),
                ("do\n", "do in parallel\n"),
                ("downto", "to"),
            ];
            let [one, other] = changes.choose(random).map_or(["", " "], |it| [it.0, it.1]);
            text.replacen(one, other, 1 + random.random_range(0..2))
        }
    }
}

/// What became of certificates that were changed.
#[derive(Debug, Default)]
struct Verdicts {
    refused: usize,
    /// Only the proof differs and holds, too: of the same listings, which the first proof has.
    other_proof: usize,
    /// Other listings are proved, and both give the same on all inputs.
    other_step: usize,
    /// The same, but the listing before the step fails on all inputs.
    blind: usize,
}

/// Changes one part of a certificate, and holds the checker to what comes out.
fn judge(certificate: &Certificate, random: &mut ChaCha8Rng, verdicts: &mut Verdicts) {
    let mut it = certificate.clone();
    match random.random_range(0..4) {
        0 | 1 => it.after = mutate(&it.after, random),
        2 => it.before = mutate(&it.before, random),
        _ => {
            let proof = serde_json::to_string(&it.proof).unwrap_or_default();
            let Ok(proof) = serde_json::from_str(&mutate(&proof, random)) else {
                verdicts.refused += 1;
                return;
            };
            it.proof = proof;
        }
    }
    if it == *certificate {
        return;
    }
    if verify(&it).is_err() {
        verdicts.refused += 1;
        return;
    }
    if (&it.before, &it.after) == (&certificate.before, &certificate.after) {
        verdicts.other_proof += 1;
        return;
    }
    let (before, changed) = (load(&it.before), load(&it.after));
    let sizes = BTreeMap::from([("n".to_owned(), 12)]);
    let same = |_, a, b| a == b || it.reassociates();
    match compare(&before, &changed, &sizes, &same) {
        Comparison::Same { runs: 0 } => verdicts.blind += 1,
        Comparison::Same { .. } => verdicts.other_step += 1,
        Comparison::Different { witness } => panic!("{witness}\n{it:?}"),
    }
}

#[test]
fn a_changed_certificate_is_refused_or_true() {
    let mut seed = number("UMM_SEED", 1);
    let mut random = ChaCha8Rng::seed_from_u64(7 + seed);
    let wanted = number("UMM_MUTANTS", few_or(1_000, 40)) as usize;
    let mut all = Verdicts::default();
    let count = |it: &Verdicts| it.refused + it.other_proof + it.other_step + it.blind;
    while count(&all) < wanted {
        for certificate in steps(seed, 6).certificates {
            // Steps take longer than what is made of them.
            for _ in 0..4 {
                judge(&certificate, &mut random, &mut all);
            }
        }
        seed += 1;
    }
    println!("{all:?}");
    assert!(2 * all.refused > count(&all), "{all:?}");
}
