//! Nests of blocks: which are alike, and what they take.

use std::collections::HashMap;
use std::rc::Rc;

use super::signature::{Probe, Signature, answer};
use super::steps::Steps;
use crate::run::NestArrival;

/// As many different steps are kept, of each nest of the listing and of the blocks that run.
pub(super) const MOST_STEPS: usize = 1 << 16;

/// What is known of a nest of the listing.
pub(super) struct NestsAlike {
    /// `None` if each block must run it.
    probes: Option<Vec<Probe>>,
    /// Signatures are numbered.
    numbers: HashMap<Signature, u32>,
    /// By the numbers, ascending, of the blocks that come to it in step: ranks are places in it.
    pub(super) taken: HashMap<Vec<u32>, Rc<NestCost>>,
    /// Steps in them.
    steps: usize,
}

/// What blocks do in a nest.
#[derive(Default)]
pub(super) struct NestCost {
    /// No other is numbered so.
    pub(super) number: usize,
    pub(super) steps: Steps,
    /// By rank, which words of registers have a value then.
    pub(super) defined: Vec<Box<[u64]>>,
}

impl NestsAlike {
    pub(super) fn new(probes: Option<Vec<Probe>>) -> Self {
        Self { probes, numbers: HashMap::new(), taken: HashMap::new(), steps: 0 }
    }

    pub(super) fn add(&mut self, numbers: Vec<u32>, taken: &Rc<NestCost>) {
        if self.steps >= MOST_STEPS {
            self.taken.clear();
            self.steps = 0;
        }
        self.steps += taken.steps.len().max(1);
        self.taken.insert(numbers, taken.clone());
    }

    /// The numbers of the signatures with which lanes come to the nest, with the registers that have
    /// values; `None` if they must all run it.
    pub(super) fn numbers(&mut self, at: NestArrival<'_>) -> Option<Vec<(usize, u32)>> {
        let Self { probes, numbers, .. } = self;
        let probes = probes.as_ref()?;
        let mut signature = vec![];
        let mut of_lanes = Vec::with_capacity(at.active.count());
        let unanswered = at.active.find(|lane| {
            let scalars = |scalar| (at.scalars)(scalar, lane);
            let Some(()) = answer(probes, scalars, &mut signature) else { return true };
            signature.extend((at.defined)(lane).iter().map(|bits| bits.cast_signed()));
            let next = numbers.len();
            of_lanes.push((lane, number(numbers, &signature, next)));
            false
        });
        unanswered.is_none().then_some(of_lanes)
    }
}

/// The number of a signature, `next` if it is a new one.
pub(super) fn number(
    numbers: &mut HashMap<Signature, u32>,
    signature: &Signature,
    next: usize,
) -> u32 {
    match numbers.get(signature) {
        Some(&number) => number,
        None => *numbers.entry(signature.clone()).or_insert(next as u32),
    }
}
