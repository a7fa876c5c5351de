//! What sizes are where bounds are numbers.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::polynomial::{Atom, Size, whole};
use memory_machine_core::machine::{Dmms, Machine};

/// Values of sizes.
pub struct Sizes<'a> {
    /// Of the listing's parameters.
    pub parameters: &'a [i64],
    /// Which of these are exponents.
    pub exponents: &'a [bool],
    /// p.
    pub threads: u64,
    /// With w, l, and of an HMM d, ls and R; of others these are 1.
    pub machine: Machine,
    /// Of a machine of courses: M, the words of a cache, or P, the processors.
    pub other: u64,
}

impl Sizes<'_> {
    pub(super) fn size(&self, size: Size) -> BigRational {
        let dmms = self.machine.kind.dmms().unwrap_or(Dmms::ONE);
        let value = match size {
            Size::Parameter(at) if self.exponents[at] => {
                let power = u32::try_from(self.parameters[at]).unwrap_or(0);
                return BigRational::from_integer(BigInt::from(1) << power);
            }
            Size::Parameter(at) => return whole(self.parameters[at]),
            Size::Threads => self.threads,
            Size::Width => self.machine.width.get(),
            Size::Latency => self.machine.latency.get(),
            Size::Dmms => dmms.number,
            Size::SharedLatency => dmms.latency.get(),
            Size::Resident => dmms.resident,
            Size::Other => self.other,
        };
        BigRational::from_integer(value.into())
    }

    /// Of an atom; a local has none.
    pub fn of(&self, atom: Atom) -> Option<BigRational> {
        match atom {
            Atom::Size(size) => Some(self.size(size)),
            Atom::Log(Size::Parameter(at)) if self.exponents[at] => {
                Some(whole(self.parameters[at]))
            }
            Atom::Log(size) => {
                let of = self.size(size).to_integer();
                let bits = if of <= 1.into() { 1 } else { (of - 1_u8).bits() };
                Some(whole(i64::try_from(bits).ok()?))
            }
            Atom::Power(of, Size::Parameter(at)) if self.exponents[at] => {
                Some(whole(of.into()).pow(i32::try_from(self.parameters[at]).ok()?))
            }
            Atom::Power(of, size) => {
                let power = self.size(size).to_f64()?.powf(f64::from(of).log2());
                BigRational::from_float(power * (1.0 + POWER_ERROR))
            }
            Atom::Local(_) => None,
        }
    }
}

/// By so much a power is computed too large at most, as a part of it.
const POWER_ERROR: f64 = 1e-9;
