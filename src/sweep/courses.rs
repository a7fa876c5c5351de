//! The machines of a sweep that are no memory machines.

use super::SweepSpec;
use crate::cost::{CostKind, CostMachine, Rules};

/// Each kind with every combination of its parameters, the last of [`CostKind::rules`] innermost; `None`
/// if one has more than `most`.
///
/// # Errors
/// A parameter that none of them has, or a value that is none.
pub(super) fn machines(spec: &SweepSpec, most: usize) -> Result<Option<Vec<CostMachine>>, String> {
    let is_of = |name: &String, kind: &CostKind| kind.rules().contains(&name.as_str());
    let unknown = |name: &&String| !spec.courses.iter().any(|kind| is_of(name, kind));
    if let Some(name) = spec.rules.keys().find(unknown) {
        let of = |kind: &CostKind| format!("{kind}: {}", kind.rules().join(", "));
        let known: Vec<String> = spec.courses.iter().map(of).collect();
        return Err(match known[..] {
            [] => {
                format!("--rule {name}: memory machines have -w, -l and -d; say -m bsp, or another")
            }
            _ => format!(
                "--rule {name}: no machine of this sweep has it; they have {}",
                known.join("; ")
            ),
        });
    }
    let mut machines = vec![];
    for &kind in &spec.courses {
        let mut combinations = vec![Rules::new()];
        for &name in kind.rules() {
            let Some(values) = spec.rules.get(name) else { continue };
            if combinations.len().saturating_mul(values.len()) > most {
                return Ok(None);
            }
            let with = |rules: &Rules, value: &String| {
                let mut rules = rules.clone();
                rules.insert(name.to_owned(), value.clone());
                rules
            };
            let each = combinations.iter();
            combinations = each.flat_map(|it| values.iter().map(|value| with(it, value))).collect();
        }
        for rules in &combinations {
            let fail = |error| format!("--rule {error} (of -m {kind})");
            machines.push(CostMachine::of(kind, rules).map_err(fail)?);
        }
    }
    Ok(Some(machines))
}
