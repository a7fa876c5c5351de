//! Random programs and random sequences of proved steps: what comes out computes the same. Random
//! changes of certificates are refused, or are of listings that compute the same anyway.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use chacha20::ChaCha8Rng;
use memory_machine_core::diagnostic::Source;
use memory_machine_core::language::{self, program::Program};
use memory_machine_improve::check::{Certificate, verify};
use memory_machine_improve::oracle::{Comparison, compare};
use memory_machine_improve::transform::TRANSFORMATIONS;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

fn load(text: &str) -> Program {
    let source = Source { name: "random".to_owned(), text: text.to_owned() };
    language::load(source).unwrap_or_else(|it| panic!("{}\n{text}", it.diagnostic.message))
}

/// Writes a random program: loops over affine ranges, arrays at affine places, scalars.
struct Generator {
    random: ChaCha8Rng,
    text: String,
    element: &'static str,
    names: usize,
}

/// A loop's variable, and by how much it stays away from the first and the last index.
type Variables = Vec<(String, i64)>;

impl Generator {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of.choose(&mut self.random).copied().unwrap_or_default()
    }

    fn index(&mut self, variables: &Variables) -> String {
        let Some((name, room)) = variables.choose(&mut self.random).cloned() else {
            return self.pick(&["0", "n-1", "n/2"]).to_owned();
        };
        match self.random.random_range(0..7) {
            0 => format!("n-1 - {name}"),
            1 if room > 0 => format!("{name} - 1"),
            2 if room > 0 => format!("{name} + 1"),
            3 => self.pick(&["0", "n-1"]).to_owned(),
            _ => name,
        }
    }

    /// `c` is given, and never written.
    fn cell(&mut self, variables: &Variables) -> String {
        self.of(&["a", "b", "c", "w"], variables)
    }

    fn target(&mut self, variables: &Variables) -> String {
        self.of(&["a", "a", "b", "w"], variables)
    }

    fn of(&mut self, arrays: &[&str], variables: &Variables) -> String {
        let array = self.pick(arrays).to_owned();
        let one = self.index(variables);
        let other = self.index(variables);
        if array == "b" { format!("b[{one}]") } else { format!("{array}[{one}, {other}]") }
    }

    fn value(&mut self, variables: &Variables, scalars: &[&str]) -> String {
        let mut value = self.cell(variables);
        for _ in 0..self.random.random_range(0..3) {
            let scalar = self.pick(scalars).to_owned();
            let other = if scalar.is_empty() || self.random.random_bool(0.6) {
                self.cell(variables)
            } else {
                scalar
            };
            value = match self.random.random_range(0..3) {
                0 => format!("{value} + {other}"),
                1 => format!("{value} × {other}"),
                _ => format!("min({value}, {other})"),
            };
        }
        value
    }

    fn block(&mut self, depth: usize, variables: &mut Variables, scalars: &[&str]) {
        let indent = "  ".repeat(depth);
        for _ in 0..self.random.random_range(1..3_usize) {
            let is_loop = depth < 3 && self.random.random_bool([1.0, 0.7, 0.4][depth]);
            if !is_loop {
                self.statement(&indent, variables, scalars);
                continue;
            }
            let name = format!("i{}", self.names);
            self.names += 1;
            let triangular = variables.last().map(|it| it.0.clone());
            let (from, to, room) = match (self.random.random_range(0..6), triangular) {
                (0, Some(outer)) => (outer, "n-1".to_owned(), 0),
                (1, Some(outer)) => ("0".to_owned(), outer, 0),
                (2 | 3, _) => ("1".to_owned(), "n-2".to_owned(), 1),
                _ => ("0".to_owned(), "n-1".to_owned(), 0),
            };
            let down = self.random.random_bool(0.2);
            let range =
                if down { format!("{to} downto {from}") } else { format!("{from} to {to}") };
            let _ = writeln!(self.text, "{indent}for {name} ← {range} do");
            variables.push((name, room));
            // A sum in a scalar, as listings have it.
            if depth < 2 && self.random.random_bool(0.25) {
                let (value, cell) = (self.value(variables, &[]), self.target(variables));
                let (element, inner) = (self.element, format!("k{}", self.names));
                self.names += 1;
                let _ = writeln!(self.text, "{indent}  s ← {element}(0)");
                let _ = writeln!(self.text, "{indent}  for {inner} ← 0 to n-1 do");
                let mut all = variables.clone();
                all.push((inner, 0));
                let more = self.value(&all, &[]);
                let _ = writeln!(self.text, "{indent}    s ← s + {more}");
                let _ = writeln!(self.text, "{indent}  {cell} ← s + {value}");
            } else {
                self.block(depth + 1, variables, scalars);
            }
            variables.pop();
        }
    }

    fn statement(&mut self, indent: &str, variables: &Variables, scalars: &[&str]) {
        let (cell, value) = (self.target(variables), self.value(variables, scalars));
        match self.random.random_range(0..6) {
            0 => {
                let next = self.cell(variables);
                let _ = writeln!(self.text, "{indent}r ← {value}");
                let _ = writeln!(self.text, "{indent}{cell} ← r + {next}");
            }
            1 => {
                let test = self.cell(variables);
                let _ = writeln!(self.text, "{indent}if {test} > 3 then {cell} ← {value}");
            }
            2 if variables.len() > 1 => {
                let (one, other) = (&variables[0].0, &variables[1].0);
                let op = self.pick(&["<", "≤", "≠", "="]);
                let (one, other) = (one.clone(), other.clone());
                let _ = writeln!(self.text, "{indent}if {one} {op} {other} then {cell} ← {value}");
            }
            _ => {
                let _ = writeln!(self.text, "{indent}{cell} ← {value}");
            }
        }
    }
}

fn program(seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let element = ["i32", "f32", "u8", "i64", "f64", "u32"].choose(&mut random).copied();
    let element = element.unwrap_or("i32");
    let text = format!(
        "algorithm random(n)\ninout a[n, n] : {element}\ninout b[n] : {element}\n\
         input c[n, n] : {element}\nwork w[n, n] : {element}\n\n\
         for x ← 0 to n-1 do\n  for y ← 0 to n-1 do\n    w[x, y] ← c[y, x]\n"
    );
    let mut generator = Generator { random, text, element, names: 0 };
    generator.block(0, &mut vec![], &[]);
    generator.text
}

/// Takes random steps, and asks after each whether the result is that of the first.
fn steps(seed: u64, most: usize) -> Vec<Certificate> {
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ 0x5eed);
    let first = load(&load(&program(seed)).listing.to_string());
    let sizes = BTreeMap::from([("n".to_owned(), 12)]);
    let mut current = load(&first.source.text);
    let mut taken = vec![];
    for _ in 0..most {
        let text = current.source.text.clone();
        // Of each kind as often, however many there are.
        let Some(kind) = TRANSFORMATIONS.choose(&mut random) else { break };
        let own = (kind.propose)(&current.listing, &text);
        let rule = kind.name;
        let Some(proposal) = own.choose(&mut random) else { continue };
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
        let after = load(&before);
        let same = |_, a, b| a == b;
        if let Comparison::Different { witness } = compare(&first, &after, &sizes, &same) {
            panic!(
                "seed {seed}: {rule} ({}): {witness}\n{}\n{before}",
                proposal.what, current.source.text
            );
        }
        taken.extend(certificates);
        current = after;
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
    let mut programs = 0;
    for seed in first..first + number("UMM_PROGRAMS", few_or(300, 40)) {
        if begin.elapsed().as_secs() >= seconds {
            break;
        }
        programs += 1;
        for it in steps(seed, 8) {
            *by_rule.entry(it.rule).or_default() += 1;
        }
    }
    println!("{programs} programs, steps taken: {by_rule:?}");
    // Otherwise nothing was tried.
    for rule in ["parallel", "interchange", "reversal", "tile"] {
        assert!(by_rule.get(rule).is_some_and(|it| *it > 0), "{by_rule:?}");
    }
}

/// One change of a text: a number, a word, or a line that moves.
fn mutate(text: &str, random: &mut ChaCha8Rng) -> String {
    let digits: Vec<usize> =
        text.char_indices().filter(|it| it.1.is_ascii_digit()).map(|it| it.0).collect();
    let signs: Vec<(usize, char)> =
        text.char_indices().filter(|it| "+-×<≤".contains(it.1)).collect();
    match random.random_range(0..3) {
        0 if !digits.is_empty() => {
            let at = digits.choose(random).copied().unwrap_or_default();
            let other = random.random_range(0..10);
            format!("{}{other}{}", &text[..at], &text[at + 1..])
        }
        1 if !signs.is_empty() => {
            let (at, sign) = signs.choose(random).copied().unwrap_or_default();
            let other = ["+", "-", "×", "<", "≤"].choose(random).copied().unwrap_or_default();
            format!("{}{other}{}", &text[..at], &text[at + sign.len_utf8()..])
        }
        _ => {
            let [one, other] = [("i0", "i1"), ("i1", "i0"), ("n", "1"), ("a[", "w["), ("'", "")]
                .choose(random)
                .map_or(["", " "], |it| [it.0, it.1]);
            text.replacen(one, other, 1 + random.random_range(0..2))
        }
    }
}

#[test]
fn a_changed_certificate_is_refused_or_true() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let wanted = number("UMM_MUTANTS", few_or(1_000, 80));
    let (mut refused, mut kept, mut seed) = (0, 0, 1);
    while refused + kept < wanted {
        for certificate in steps(seed, 6) {
            let mut it = certificate.clone();
            if random.random_bool(0.5) {
                it.after = mutate(&it.after, &mut random);
            } else {
                let proof = serde_json::to_string(&it.proof).unwrap_or_default();
                let Ok(proof) = serde_json::from_str(&mutate(&proof, &mut random)) else {
                    refused += 1;
                    continue;
                };
                it.proof = proof;
            }
            if it == certificate {
                continue;
            }
            if verify(&it).is_err() {
                refused += 1;
                continue;
            }
            kept += 1;
            let (before, changed) = (load(&it.before), load(&it.after));
            let sizes = BTreeMap::from([("n".to_owned(), 12)]);
            let same = |_, a, b| a == b || it.reassociates();
            let comparison = compare(&before, &changed, &sizes, &same);
            assert!(matches!(comparison, Comparison::Same { .. }), "{comparison:?}\n{it:?}");
        }
        seed += 1;
    }
    println!("{refused} refused, {kept} true");
    assert!(refused > 4 * kept, "{refused} refused, {kept} kept");
}
