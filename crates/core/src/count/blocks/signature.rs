//! What a block takes from outside, as far as it matters to its time: blocks of one signature take
//! the same stages, step by step, and fail alike.

use crate::count::form::Form;
use crate::language::program::ScalarId;

/// Scalars from outside that a signature is taken of lie at most so far from 0.
pub(super) const FAR: i64 = 1 << 31;

/// One question to what comes from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Probe {
    /// The bits of a scalar that is no i64.
    Bits(ScalarId),
    /// Nothing, of a scalar that is near to 0; others are not compared.
    Near(ScalarId),
    /// The number.
    Exact(Form),
    /// The number where it lies between the ends; else on which side of them it lies.
    Within(Form, [Form; 2]),
    /// The number but where it lies between the ends.
    Outside(Form, [Form; 2]),
}

/// The answers, one for each probe.
pub(super) type Signature = Vec<i64>;

/// Stand for numbers that do not matter; forms stay far from them.
const BELOW: i64 = i64::MIN;
const BETWEEN: i64 = i64::MIN + 1;
const ABOVE: i64 = i64::MAX;

/// Makes `signature` the answers. `None` where numbers leave the range in which arithmetic on forms is
/// that of a run, or have no value.
pub(super) fn answer(
    probes: &[Probe],
    scalars: impl Fn(ScalarId) -> i64,
    signature: &mut Signature,
) -> Option<()> {
    let value = |form: &Form| form.value(&scalars);
    let answer = |probe: &Probe| {
        Some(match probe {
            Probe::Bits(scalar) => scalars(*scalar),
            Probe::Near(scalar) => {
                let is_near = scalars(*scalar).unsigned_abs() <= FAR.unsigned_abs();
                is_near.then_some(BETWEEN)?
            }
            Probe::Exact(form) => value(form)?,
            Probe::Within(form, [low, high]) => {
                let number = value(form)?;
                if number < value(low)? {
                    BELOW
                } else if number > value(high)? {
                    ABOVE
                } else {
                    number
                }
            }
            Probe::Outside(form, [low, high]) => {
                let number = value(form)?;
                if (value(low)?..=value(high)?).contains(&number) { BETWEEN } else { number }
            }
        })
    };
    signature.clear();
    probes.iter().try_for_each(|probe| {
        signature.push(answer(probe)?);
        Some(())
    })
}
