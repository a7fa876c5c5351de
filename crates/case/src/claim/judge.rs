//! From bounds to a verdict.

use num_rational::BigRational;

use super::{ClaimResult, ClaimVerdict, DerivedBounds, ParsedClaim, Witness, products, unproved};
use crate::Case;
use memory_machine_core::language::program::Program;
use memory_machine_theory::derive::Lower;
use memory_machine_theory::derive::claim::{
    self as theory, Claim, Contradiction, Finding, Relation,
};

const MEANS: &str = "by the lemma of means: min(a, b) ≤ aˢ·bᵗ ≤ s·a + t·b, where s + t = 1";
/// Above this, constants are given as powers of ten.
const LARGE: f64 = 1e6;

pub(super) struct Judge<'a> {
    pub(super) case: &'a Case,
    pub(super) bounded: &'a DerivedBounds,
    pub(super) parsed: &'a ParsedClaim,
    pub(super) claim: &'a Claim,
}

impl Case {
    /// Whether a claim's sum is no more than a constant times that of a bound, for all sizes.
    ///
    /// # Errors
    /// Those of [`Self::judge`].
    pub fn is_within(&self, parsed: &ParsedClaim, bound: &ParsedClaim) -> Result<bool, String> {
        let [own, of] = [products(parsed)?, products(bound)?];
        let exponents = self.claim_exponents(&[&own[..], &of[..]].concat());
        let own = self.claim(parsed, &own, &exponents)?;
        Ok(theory::is_within(&own.terms, &self.claim(bound, &of, &exponents)?))
    }
}

impl Judge<'_> {
    fn program(&self) -> &Program {
        self.bounded.derived.program(&self.case.program)
    }

    pub(super) fn findings(&self) -> Findings {
        let (derived, claim) = (&self.bounded.derived, self.claim);
        let is_asked = |other| claim.relation != other;
        Findings {
            above: is_asked(Relation::AtLeast).then(|| theory::at_most(derived, claim)),
            below: is_asked(Relation::AtMost).then(|| theory::at_least(derived, claim)),
        }
    }

    /// What is found without a run.
    pub(super) fn verdict(&self, findings: &Findings) -> ClaimResult {
        let verdict = findings.verdict();
        let are_upper = match findings.contradiction() {
            None => self.claim.relation != Relation::AtLeast,
            Some(it) => it.bound.is_none(),
        };
        let premises = match verdict {
            ClaimVerdict::Open => vec![],
            _ => self.bounded.premises(self.program(), are_upper),
        };
        let proof = match verdict {
            ClaimVerdict::Proved => self.proof(findings, &premises),
            _ => vec![],
        };
        ClaimResult { verdict, premises, proof, witness: None, evidence: None }
    }

    pub(super) fn judge(&self) -> ClaimResult {
        let findings = self.findings();
        let mut judged = self.verdict(&findings);
        match judged.verdict {
            ClaimVerdict::Proved => {}
            ClaimVerdict::Refuted => {
                judged.witness = findings.contradiction().map(|contradiction| Witness {
                    bound: Some(self.bound(contradiction.bound)),
                    ..self.witness(contradiction)
                });
            }
            ClaimVerdict::Open => {
                let open = findings.each().filter_map(|(upper, finding)| match finding {
                    Finding::Open(direction) => self.search(upper, direction.as_ref()),
                    _ => None,
                });
                judged.evidence = open.max_by(|a, b| a.growth.total_cmp(&b.growth));
            }
        }
        judged
    }

    fn proof(&self, findings: &Findings, premises: &[String]) -> Vec<String> {
        let proofs = findings.each().flat_map(|(upper, finding)| match finding {
            Finding::Proved { steps, constant } if upper => {
                self.proof_from_above(steps, *constant, premises)
            }
            _ => self.proof_from_below(),
        });
        proofs.collect()
    }

    fn bound(&self, bound: Option<usize>) -> String {
        match bound {
            Some(at) => {
                let lower = &self.bounded.derived.lower[at];
                let pieces = self.bounded.style(false).pieces(&lower.pieces);
                format!("{} ≥ {pieces} ({})", self.parsed.subject(), lower.rule)
            }
            None => "the derived upper bound grows more slowly (umm bounds --derive)".to_owned(),
        }
    }

    /// The steps of an O's proof as lines, with its constant and its lemma.
    fn proof_from_above(
        &self,
        steps: &[theory::ProofStep],
        constant: f64,
        premises: &[String],
    ) -> Vec<String> {
        let style = self.bounded.style(false);
        let one = BigRational::from_integer(1.into());
        let claimed: Vec<String> = self.claim.terms.iter().map(|it| style.powers(it)).collect();
        let weighted = |(at, weight): &(usize, BigRational)| {
            let term = &claimed[*at];
            if *weight == one { term.clone() } else { format!("({term})^({weight})") }
        };
        let line = |step: &theory::ProofStep| {
            let monomials: Vec<String> =
                step.monomials.iter().map(|it| style.term(it, &one)).collect();
            let left = match &monomials[..] {
                [one] => one.clone(),
                several => format!("min({})", several.join(", ")),
            };
            let right: Vec<String> = step.below.iter().map(weighted).collect();
            format!("{left} ≤ {}", right.join("·"))
        };
        let claimed = style.order(&self.claim.terms);
        let subject = self.parsed.subject();
        let mut proof = vec![format!(
            "{subject} ≤ {}·({claimed}), as each term of the derived upper bound (umm bounds --derive) is \
             below it:",
            rounded_up(constant)
        )];
        proof.extend(steps.iter().map(line));
        proof.extend(premises.iter().map(|it| unproved(it)));
        if steps.iter().any(|it| it.below.len() > 1 || it.monomials.len() > 1) {
            proof.push(MEANS.to_owned());
        }
        proof
    }

    /// The bounds that an Ω rests on.
    fn proof_from_below(&self) -> Vec<String> {
        let style = self.bounded.style(false);
        let lower = self.bounded.derived.lower.iter().filter(|it| it.conditions.is_empty());
        let subject = self.parsed.subject();
        let line = |it: &Lower| format!("{subject} ≥ {} ({})", style.pieces(&it.pieces), it.rule);
        let claimed = style.order(&self.claim.terms);
        let all = format!(
            "the largest of these is Ω({claimed}): in no direction in which the parameters grow does a \
             term of it exceed them all (a linear program)"
        );
        lower.map(line).chain([all]).collect()
    }
}

/// What was found of both ways of a claim, as far as it is asked.
pub(super) struct Findings {
    above: Option<Finding>,
    below: Option<Finding>,
}

impl Findings {
    /// Each, and whether it is from above.
    fn each(&self) -> impl Iterator<Item = (bool, &Finding)> {
        let above = self.above.iter().map(|it| (true, it));
        above.chain(self.below.iter().map(|it| (false, it)))
    }

    fn contradiction(&self) -> Option<&Contradiction> {
        self.each().find_map(|(_, it)| match it {
            Finding::Refuted(contradiction) => Some(contradiction),
            _ => None,
        })
    }

    pub(super) fn verdict(&self) -> ClaimVerdict {
        if self.contradiction().is_some() {
            ClaimVerdict::Refuted
        } else if self.each().all(|(_, it)| matches!(it, Finding::Proved { .. })) {
            ClaimVerdict::Proved
        } else {
            ClaimVerdict::Open
        }
    }
}

/// A constant as a person reads it, no less than it is.
fn rounded_up(constant: f64) -> String {
    if constant < LARGE {
        let hundredths = (constant * 100.0).ceil() / 100.0;
        return hundredths.to_string();
    }
    let power = constant.log10().floor();
    format!("{}·10^{power}", (constant / 10_f64.powf(power) * 100.0).ceil() / 100.0)
}
