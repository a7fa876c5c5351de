//! Whether an answer is right: numbers as they are written, and claims.

use crate::case::Case;
use crate::case::claim::{ClaimVerdict, ParsedClaim};
use crate::theory::derive::claim::Relation;

/// A number without what stands between groups of three digits: `umm run` prints 1 800, others 1,800.
pub(super) fn ungrouped(answer: &str) -> String {
    let groups: Vec<&str> = answer.trim().split([' ', ',', '\'', '\u{a0}', '\u{202f}']).collect();
    let is_number = |it: &&str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let [first, rest @ ..] = &groups[..] else { return answer.to_owned() };
    match is_number(first)
        && first.len() <= 3
        && rest.iter().all(|it| is_number(it) && it.len() == 3)
    {
        true => groups.concat(),
        false => answer.to_owned(),
    }
}

/// What is wrong with a claim; only a proof counts.
pub(super) fn judge_claim(
    case: &Case,
    is_tight: bool,
    within: Option<&str>,
    answer: &str,
) -> Option<String> {
    let claim = match ParsedClaim::parse(answer) {
        Ok(claim) => claim,
        Err(why) => return Some(why),
    };
    if is_tight && claim.relation != Relation::Exactly {
        return Some("the bound must be tight: write Θ(…)".to_owned());
    }
    if claim.relation == Relation::AtLeast {
        return Some("an upper bound is asked for: write O(…) or Θ(…)".to_owned());
    }
    match case.verdict(&claim).map(|it| it.verdict) {
        Ok(ClaimVerdict::Proved) => loose(case, within, &claim),
        Ok(ClaimVerdict::Refuted) => {
            Some("this is refuted: there are sizes at which it fails".into())
        }
        Ok(ClaimVerdict::Open) => {
            Some("this is neither proved nor refuted; only a proof counts".into())
        }
        Err(why) => Some(why),
    }
}

/// That a claim, though right, says less than is asked for.
fn loose(case: &Case, within: Option<&str>, claim: &ParsedClaim) -> Option<String> {
    let bound = ParsedClaim::parse(within?);
    match bound.and_then(|bound| case.is_within(claim, &bound)) {
        Ok(true) => None,
        Ok(false) => Some("this holds, but a smaller bound does, too, and is asked for".to_owned()),
        Err(why) => Some(why),
    }
}

#[cfg(test)]
mod tests {
    use super::ungrouped;

    #[test]
    fn digits_may_stand_in_groups() {
        for (answer, number) in [
            ("1 800", "1800"),
            ("12,345,678", "12345678"),
            ("1\u{202f}800", "1800"),
            ("1800", "1800"),
            ("1.8e3", "1.8e3"),
            ("1,80", "1,80"),
            ("1,,800", "1,,800"),
            ("-5", "-5"),
        ] {
            assert_eq!(ungrouped(answer), number);
        }
    }
}
