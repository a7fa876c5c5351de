//! What a value inside a listing goes through.

use super::polynomial::{Atom, Polynomial};

/// What a value inside a listing goes through, from outside to inside.
#[derive(Debug, Clone)]
pub enum Level {
    /// All whole numbers that the facts allow.
    Sum(Atom),
    /// One number between two others.
    Value {
        /// Which.
        atom: Atom,
        /// It is no less than any.
        lows: Vec<Polynomial>,
        /// And no more.
        high: Polynomial,
    },
    /// `⌊of / by⌋`, where `of` is not negative.
    Quotient {
        /// Which.
        atom: Atom,
        /// What is divided.
        of: Polynomial,
        /// By what: a product of sizes.
        by: Polynomial,
    },
    /// What is no more than `of` and not negative, by the number that another level goes through: all of them
    /// together are no more than `of`, or it is `⌊of / by⌋`, where `by` is 1 or more.
    Harmonic {
        /// Which.
        atom: Atom,
        /// What is divided.
        of: Polynomial,
        /// By what.
        by: Atom,
        /// Whether all of them together are no more than `of`.
        is_share: bool,
    },
    /// One of two numbers, not both of which are negative.
    OneOf {
        /// Which.
        atom: Atom,
        /// Of these.
        of: [Polynomial; 2],
        /// The lesser one, or the greater.
        lesser: bool,
    },
    /// A number that about halves in each iteration, as long as it is more than `stop`.
    Halving(Halving),
    /// `of` shifted right by a number that another level goes through, each value of it once and at
    /// least `least`.
    Shifted {
        /// Which.
        atom: Atom,
        /// What is shifted.
        of: Polynomial,
        /// By what.
        by: Atom,
        /// The least of that.
        least: u32,
    },
}

/// See [`Level::Halving`].
#[derive(Debug, Clone)]
pub struct Halving {
    /// The number.
    pub atom: Atom,
    /// Its first value, at most.
    pub first_high: Polynomial,
    /// And at least.
    pub first_low: Polynomial,
    /// It is more than that in each iteration.
    pub stop: i64,
    /// Whether halves are rounded up.
    pub up: bool,
    /// Iterations, at most and at least.
    pub count: [Polynomial; 2],
}

impl Level {
    /// The number that goes through it.
    pub fn atom(&self) -> Atom {
        match self {
            Self::Sum(atom)
            | Self::Value { atom, .. }
            | Self::Quotient { atom, .. }
            | Self::Harmonic { atom, .. }
            | Self::OneOf { atom, .. }
            | Self::Shifted { atom, .. } => *atom,
            Self::Halving(it) => it.atom,
        }
    }

    /// What its range is made of, facts aside.
    fn parts(&mut self) -> Vec<&mut Polynomial> {
        match self {
            Self::Sum(_) => vec![],
            Self::Value { lows, high, .. } => lows.iter_mut().chain([high]).collect(),
            Self::OneOf { of, .. } => of.iter_mut().collect(),
            Self::Halving(Halving { first_high, first_low, count: [high, low], .. }) => {
                vec![first_high, first_low, high, low]
            }
            Self::Quotient { of, .. } | Self::Harmonic { of, .. } | Self::Shifted { of, .. } => {
                vec![of]
            }
        }
    }

    /// Whether it is one of iterations, of which there may be several.
    pub fn is_repeated(&self) -> bool {
        matches!(self, Self::Sum(_) | Self::Halving(_))
    }

    /// Whether the numbers that its range is made of decide which number it is.
    pub(super) const fn is_determined(&self) -> bool {
        !matches!(self, Self::Value { .. } | Self::Harmonic { is_share: true, .. })
    }

    /// Between what a quotient is.
    pub fn quotient(of: &Polynomial, by: &Polynomial) -> [Polynomial; 2] {
        let one = Polynomial::constant(1);
        let per = by.reciprocal();
        [&(&(of + &one) * &per) - &one, of * &per]
    }

    /// Whether its range depends on any of some atoms.
    pub fn depends_on(&self, atoms: &[Atom]) -> bool {
        if let Self::Shifted { by, .. } | Self::Harmonic { by, .. } = self
            && atoms.contains(by)
        {
            return true;
        }
        self.clone().parts().iter().any(|it| it.atoms().any(|it| atoms.contains(&it)))
    }

    /// With a polynomial in the place of an atom; `None` if it stands in a denominator.
    pub fn substitute(&mut self, atom: Atom, value: &Polynomial) -> Option<()> {
        for part in self.parts() {
            *part = part.substitute(atom, value)?;
        }
        Some(())
    }
}
