//! Quantities of the memory machine models, so that no bare integer crosses a module border.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::Serialize;
use thiserror::Error;

/// Threads of a warp, and banks of shared memory, on all GPUs that kernels are emitted for.
pub const WARP: u64 = 32;
/// Bytes of a word in a bank of shared memory, or of the first cache.
pub const BANK_BYTES: u64 = 4;
/// Bytes of an address group, a line of the first cache.
pub const GROUP_BYTES: u64 = WARP * BANK_BYTES;
/// Bytes of a sector, which caches hand on by itself.
pub const SECTOR_BYTES: u64 = 32;
/// Address groups that the first cache looks up at once.
pub const LOOKUP_GROUPS: u64 = 4;

/// A machine parameter that must be at least one was zero.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0} must be at least 1")]
pub struct NotPositive(pub &'static str);

macro_rules! positive {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(u64);

        impl $name {
            /// # Errors
            /// [`NotPositive`] if `value` is 0.
            pub const fn new(value: u64) -> Result<Self, NotPositive> {
                if value == 0 { Err(NotPositive($what)) } else { Ok(Self(value)) }
            }

            /// The least there is.
            pub const ONE: Self = Self(1);

            /// `value`, or 1 in place of 0.
            pub const fn at_least_one(value: u64) -> Self {
                if value == 0 { Self::ONE } else { Self(value) }
            }

            /// The bare number, at least 1.
            pub const fn get(self) -> u64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

positive! {
    /// Width `w`: threads in a warp, words in an address group, number of banks.
    Width, "width w"
}
positive! {
    /// Latency `l`: time units from the entrance of the pipeline to its end.
    Latency, "latency l"
}
positive! {
    /// Number `p` of threads.
    Threads, "number of threads p"
}

/// A word of the machine's single address space. Addresses stay below 2⁶³, so that the difference
/// of any two fits `i64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Address(pub u64);

/// Time in the papers' time units. 128 bits: a bulk run of 2³⁰ inputs outgrows 64.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct TimeUnits(pub u128);

impl fmt::Display for TimeUnits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Add for TimeUnits {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for TimeUnits {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sum for TimeUnits {
    fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
        times.fold(Self::default(), Self::add)
    }
}
