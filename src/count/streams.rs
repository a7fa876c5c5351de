//! The accesses of a nest whose addresses are affine and unconditional: the usual case, and the
//! fast one.

use super::Setting;
use super::form::Form;
use super::guard::Guard;
use super::rows::Scalars;
use super::skeleton::{AccessForm, Work};
use crate::diagnostic::Span;
use crate::language::program::ScalarId;
use crate::trace::{Kind, Phase};

/// An access whose cell is affine in the nest's variables, and its likes: accesses whose cells
/// differ from its own by a constant multiple of the width, so that they take the same stages.
pub(super) struct Stream {
    pub(super) span: Span,
    pub(super) kind: Kind,
    /// Address of the array's cell 0, and its number of cells.
    pub(super) region: (u64, u64),
    pub(super) constant: i64,
    /// By dimension of the nest.
    pub(super) slopes: Vec<i64>,
    /// Smallest and largest difference of an access's cell from this one's.
    pub(super) spread: (i64, i64),
    pub(super) phases: Vec<(Phase, u64)>,
}

/// The accesses as streams, if every one is affine and unconditional: the usual case, and the
/// fast one. Alike accesses are counted once.
pub(super) fn streams(
    work: &[Work],
    variables: &[ScalarId],
    setting: &Setting<'_>,
    scalars: &Scalars,
) -> Option<Vec<Stream>> {
    let mut streams: Vec<Stream> = vec![];
    for work in work {
        let Work::Access(access) = work else { return None };
        match access.guard {
            Guard::Constant(true) => {}
            Guard::Constant(false) => continue,
            _ => return None,
        }
        let (constant, slopes) = linear(&access.cell, variables, scalars)?;
        let region = region(setting, access);
        let width = setting.machine.width.get().cast_signed();
        let alike = streams.iter_mut().find(|it| {
            it.region == region && it.slopes == slopes && (constant - it.constant) % width == 0
        });
        let stream = match alike {
            Some(stream) => stream,
            None => {
                let kind = setting.program.sites[access.site.0].kind;
                let (span, spread, phases) = (access.span, (0, 0), vec![]);
                streams.push(Stream { span, kind, region, constant, slopes, spread, phases });
                streams.last_mut()?
            }
        };
        let delta = constant - stream.constant;
        stream.spread = (stream.spread.0.min(delta), stream.spread.1.max(delta));
        match stream.phases.iter_mut().find(|(phase, _)| *phase == access.phase) {
            Some((_, count)) => *count += 1,
            None => stream.phases.push((access.phase, 1)),
        }
    }
    Some(streams)
}

/// A cell as `constant + Σ slopes · variables`, with the outer scalars' values in the constant.
fn linear(cell: &Form, variables: &[ScalarId], scalars: &Scalars) -> Option<(i64, Vec<i64>)> {
    let Form::Affine(affine) = cell else { return None };
    let mut constant = affine.constant;
    let mut slopes = vec![0; variables.len()];
    for &(scalar, slope) in &affine.slopes {
        match variables.iter().position(|&it| it == scalar) {
            Some(dimension) => slopes[dimension] = slope,
            None => {
                let value = scalars[scalar.0];
                constant = constant.checked_add(slope.checked_mul(value)?)?;
            }
        }
    }
    // Far from overflow for every value that stays within an array.
    let small = |value: &i64| value.unsigned_abs() < 1 << 62;
    (small(&constant) && slopes.iter().all(small)).then_some((constant, slopes))
}

pub(super) fn region(setting: &Setting<'_>, access: &AccessForm) -> (u64, u64) {
    let region = &setting.layout.regions[access.array];
    (region.base.0, region.cells)
}
