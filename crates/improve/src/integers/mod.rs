//! Integer programs: sums of variables, and whether a system of them has a solution.

mod affine;
mod omega;

pub(crate) use self::affine::{Affine, System, Variable};
