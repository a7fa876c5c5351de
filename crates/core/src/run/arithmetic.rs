//! Arithmetic of the active lanes: [`lanes`], and on floats of 16 bits the same in binary32, rounded.

use super::active::Active;
use super::lanes::{self, Fault};
use super::memory::Bits;
use crate::language::syntax::short_float::{rounded, widened};
use crate::language::syntax::{BinaryOp, Type, UnaryOp};

/// The active lanes in binary32.
fn wide(element: Type, active: &Active, from: &[u64]) -> Vec<u64> {
    let mut found = vec![0; from.len()];
    active.for_each(|lane| found[lane] = Bits::to_bits(widened(element, from[lane] as u16)));
    found
}

/// The active lanes of binary32, rounded.
fn round(element: Type, active: &Active, to: &mut [u64]) {
    active.for_each(|lane| to[lane] = rounded(element, Bits::from_bits(to[lane])).into());
}

pub(super) fn unary(op: UnaryOp, element: Type, active: &Active, to: &mut [u64], x: &[u64]) {
    if !element.is_short_float() {
        return lanes::unary(op, element, active, to, x);
    }
    lanes::unary(op, Type::F32, active, to, &wide(element, active, x));
    round(element, active, to);
}

pub(super) fn binary(
    op: BinaryOp,
    element: Type,
    active: &Active,
    to: &mut [u64],
    (x, y): (&[u64], &[u64]),
) -> Result<(), (usize, Fault)> {
    if !element.is_short_float() {
        return lanes::binary(op, element, active, to, (x, y));
    }
    let x = wide(element, active, x);
    match op.takes_number() {
        true => lanes::binary(op, Type::F32, active, to, (&x, y))?,
        false => lanes::binary(op, Type::F32, active, to, (&x, &wide(element, active, y)))?,
    }
    if !op.is_comparison() {
        round(element, active, to);
    }
    Ok(())
}

/// By way of binary32.
pub(super) fn convert(
    (from, into): (Type, Type),
    active: &Active,
    to: &mut [u64],
    x: &[u64],
) -> Result<(), (usize, Fault)> {
    let [of, result] = [from, into].map(|it| if it.is_short_float() { Type::F32 } else { it });
    match from.is_short_float() {
        true => lanes::convert((of, result), active, to, &wide(from, active, x))?,
        false => lanes::convert((of, result), active, to, x)?,
    }
    if into.is_short_float() {
        round(into, active, to);
    }
    Ok(())
}
