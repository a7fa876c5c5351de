//! Which threads take part in a step.

/// The threads that take part, in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Active {
    /// Threads 0 … count − 1.
    First(usize),
    /// Any subset.
    Some(Vec<u32>),
}

impl Active {
    /// These threads, in ascending order.
    pub(crate) fn of(lanes: Vec<u32>) -> Self {
        // A prefix stays a prefix: it is the faster form.
        if lanes.last().is_none_or(|&last| last as usize + 1 == lanes.len()) {
            Self::First(lanes.len())
        } else {
            Self::Some(lanes)
        }
    }

    /// Calls `visit` for each thread, in ascending order.
    #[inline]
    pub fn for_each(&self, mut visit: impl FnMut(usize)) {
        match self {
            Self::First(count) => (0..*count).for_each(visit),
            Self::Some(lanes) => lanes.iter().for_each(|&lane| visit(lane as usize)),
        }
    }

    /// Each thread, in ascending order.
    pub(super) fn lanes(&self) -> impl DoubleEndedIterator<Item = usize> {
        let (first, some): (_, &[u32]) = match self {
            Self::First(count) => (0..*count, &[]),
            Self::Some(lanes) => (0..0, lanes),
        };
        first.chain(some.iter().map(|&lane| lane as usize))
    }

    /// The first thread for which `visit` fails.
    #[inline]
    pub fn find(&self, mut fails: impl FnMut(usize) -> bool) -> Option<usize> {
        match self {
            Self::First(count) => (0..*count).find(|&lane| fails(lane)),
            Self::Some(lanes) => lanes.iter().map(|&lane| lane as usize).find(|&lane| fails(lane)),
        }
    }

    /// How many take part.
    pub const fn count(&self) -> usize {
        match self {
            Self::First(count) => *count,
            Self::Some(lanes) => lanes.len(),
        }
    }

    /// Whether none takes part.
    pub const fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The threads of these for which `keep` holds.
    pub fn filter(&self, mut keep: impl FnMut(usize) -> bool) -> Self {
        let Some(first_out) = self.find(|lane| !keep(lane)) else { return self.clone() };
        let mut kept = vec![];
        self.for_each(|lane| {
            if lane < first_out || (lane > first_out && keep(lane)) {
                kept.push(lane as u32);
            }
        });
        Self::of(kept)
    }
}
