//! Listings, and what single steps make of them.

use std::collections::BTreeMap;

use memory_machine_core::diagnostic::Source;
use memory_machine_core::language::{self, program::Program};
use memory_machine_improve::check::{Certificate, verify};
use memory_machine_improve::oracle::compare_at;
use memory_machine_improve::transform::TRANSFORMATIONS;

pub fn load(text: &str) -> Program {
    let source = Source { name: "mine".to_owned(), text: text.to_owned() };
    language::load(source).unwrap_or_else(|it| panic!("{}", it.diagnostic.message))
}

pub const PRODUCT: &str = "\
algorithm product(n)
input a[n, n] : f32
input b[n, n] : f32
output c[n, n] : f32

for i ← 0 to n-1 do
  for j ← 0 to n-1 do
    s ← 0
    for k ← 0 to n-1 do
      s ← s + a[i, k] × b[k, j]
    c[i, j] ← s
";

/// The ways of a kind of step from a listing: what is done, and the certificates.
pub fn ways(rule: &str, text: &str) -> Vec<(String, Vec<Certificate>)> {
    let program = load(&load(text).listing.to_string());
    let text = program.source.text.clone();
    let kind = TRANSFORMATIONS.iter().find(|it| it.name == rule).expect("it is there");
    let mut found = vec![];
    for proposal in (kind.propose)(&program.listing, &text) {
        let mut before = text.clone();
        let last = proposal.listing().map(ToString::to_string).unwrap_or_default();
        let source = Source { name: "last".to_owned(), text: last };
        if language::load(source).is_err() {
            continue;
        }
        let mut certificates = vec![];
        for (listing, proof) in &proposal.path {
            let (rule, after) = (rule.to_owned(), listing.to_string());
            let certificate =
                Certificate { rule, before, after: after.clone(), proof: proof.clone() };
            before = after;
            certificates.push(certificate);
        }
        found.push((proposal.what, certificates));
    }
    found
}

fn last(of: Vec<Certificate>) -> String {
    of.last().map_or(String::new(), |it| it.after.clone())
}

/// What a kind of step makes of a listing: each proved, and the same on a random input of a size.
pub fn proved(rule: &str, text: &str, n: i64) -> Vec<(String, String)> {
    let found = ways(rule, text);
    for certificate in found.iter().flat_map(|it| &it.1) {
        assert_eq!(verify(certificate), Ok(()), "{}", certificate.after);
    }
    same(text, found, n)
}

/// The same of what is proved, whatever is not.
pub fn legal(rule: &str, text: &str, n: i64) -> Vec<(String, String)> {
    let is_proved = |it: &(String, Vec<Certificate>)| it.1.iter().all(|it| verify(it).is_ok());
    same(text, ways(rule, text).into_iter().filter(is_proved), n)
}

/// The last listings, each the same on a random input of a size.
pub fn same(
    text: &str,
    found: impl IntoIterator<Item = (String, Vec<Certificate>)>,
    n: i64,
) -> Vec<(String, String)> {
    let found = found.into_iter().map(|(what, all)| (what, last(all)));
    let found: Vec<(String, String)> = found.collect();
    found.iter().for_each(|it| same_at(&load(text), &load(&it.1), n));
    found
}

/// Both listings give the same bits on a random input of a size.
pub fn same_at(before: &Program, after: &Program, n: i64) {
    let sizes = BTreeMap::from([("n".to_owned(), n)]);
    let found = compare_at(before, after, &sizes, (3, 1 << 20), &|_, a, b| a == b);
    assert_eq!(found, Some(Ok(())), "{}", after.listing);
}
