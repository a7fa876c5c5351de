//! The one difference between the DMM and the UMM: what makes requests of a warp conflict.
//!
//! Everything here is about the addresses of at most one warp, given as runs.

use crate::trace::StridedRun;
use crate::units::Width;

use super::MachineKind;
use super::divisor::Divisor;
use super::kind::Rule;

/// The number of runs up to which a warp's stages are counted by intervals.
pub(super) const PARTS: usize = 8;

/// An interval `first ..= last` of keys. A *key* is what merging requests have in common: on the
/// UMM the number of the address group, on the DMM the address.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Keys {
    pub first: u64,
    pub last: u64,
}

impl Keys {
    const fn len(self) -> u64 {
        self.last - self.first + 1
    }
}

#[derive(Debug, Clone)]
pub(super) struct Conflict {
    rule: Rule,
    pub width: Divisor,
    /// The last stride asked about, and its number of banks: neighbouring runs share it.
    banks: (i64, u64),
}

impl Conflict {
    pub fn new(kind: MachineKind, width: Width) -> Self {
        let rule = kind.rule_of_global();
        Self { rule, width: Divisor::new(width), banks: (1, width.get()) }
    }

    /// The key of an address.
    #[inline]
    pub const fn key(&self, address: u64) -> u64 {
        match self.rule {
            Rule::Groups => self.width.quotient(address),
            Rule::Banks => address,
        }
    }

    /// The bank of a key, where that is what fills up.
    #[inline]
    pub const fn bank(&self, key: u64) -> Option<u64> {
        match self.rule {
            Rule::Groups => None,
            Rule::Banks => Some(self.width.remainder(key)),
        }
    }

    /// Stages of one warp that asks for this many distinct keys, and for this many of one bank at most.
    #[inline]
    pub const fn stages(&self, distinct: u64, fullest_bank: u64) -> u64 {
        match self.rule {
            Rule::Groups => distinct,
            Rule::Banks => fullest_bank,
        }
    }

    /// Stages of one warp whose active threads are one run, of at most `w` threads. O(1), but for
    /// one greatest common divisor where the stride changes on the DMM.
    #[inline]
    pub fn run(&mut self, run: StridedRun) -> u64 {
        match self.rule {
            Rule::Groups => self.keys(run).map_or(run.count, Keys::len),
            Rule::Banks if run.stride == 0 => 1,
            Rule::Banks => {
                // Distinct addresses walk round a cycle of w / gcd(stride, w) banks.
                let banks = self.banks(run.stride);
                if run.count <= banks { 1 } else { run.count.div_ceil(banks) }
            }
        }
    }

    /// Stages of one warp whose threads, by number and address, ask for this many words each; requests to
    /// equal addresses may merge, or not.
    pub fn one_by_one(&self, requests: &[(u64, u64)], words: u64, is_serial: bool) -> u64 {
        let asked = |requests: &[(u64, u64)]| {
            let each = requests.iter().flat_map(|&(_, first)| first..first + words);
            let mut all: Vec<u64> = each.collect();
            all.sort_unstable();
            if !is_serial {
                all.dedup();
            }
            all
        };
        match self.rule {
            Rule::Groups => {
                let all = asked(requests);
                let groups = all.chunk_by(|a, b| self.key(*a) == self.key(*b));
                if !is_serial {
                    return groups.count() as u64;
                }
                let most = |group: &[u64]| {
                    group.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap_or(0) as u64
                };
                groups.map(most).sum()
            }
            Rule::Banks => {
                let together = (self.width.get() / words).max(1);
                let passes = requests.chunk_by(|a, b| a.0 / together == b.0 / together);
                let fullest = |pass: &[(u64, u64)]| {
                    let all = asked(pass);
                    let mut banks: Vec<u64> =
                        all.into_iter().map(|it| self.width.remainder(it)).collect();
                    banks.sort_unstable();
                    banks.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap_or(0) as u64
                };
                passes.map(fullest).sum()
            }
        }
    }

    #[inline]
    fn banks(&mut self, stride: i64) -> u64 {
        if self.banks.0 != stride {
            let width = self.width.get();
            self.banks = (stride, width / gcd(stride.unsigned_abs(), width));
        }
        self.banks.1
    }

    /// The keys of a run's addresses, if they are an interval without gaps.
    #[inline]
    pub fn keys(&self, run: StridedRun) -> Option<Keys> {
        // Steps of at most w words skip no address group.
        let reach = match self.rule {
            Rule::Groups => self.width.get(),
            Rule::Banks => 1,
        };
        if run.count > 1 && run.stride.unsigned_abs() > reach {
            return None;
        }
        let (base, last) = (run.base.0, run.last().0);
        Some(Keys { first: self.key(base.min(last)), last: self.key(base.max(last)) })
    }

    /// Stages of one warp whose active threads are `parts`, if each part's keys are an interval, or two
    /// parts' lie one after the other.
    /// O(1) for two parts, O(parts²) otherwise; at most [`PARTS`] are looked at.
    #[inline]
    pub fn parts(&self, parts: &[StridedRun]) -> Option<u64> {
        if let (Rule::Groups, &[a, b]) = (self.rule, parts) {
            // Where one row, or column, ends and the next begins: by far the most frequent case.
            let ((a, of_a), (b, of_b)) = (self.groups(a), self.groups(b));
            let both = (a.last.min(b.last) + 1).saturating_sub(a.first.max(b.first));
            let are_whole = of_a == a.len() && of_b == b.len();
            return (both == 0 || are_whole).then(|| of_a + of_b - both);
        }
        self.many_parts(parts)
    }

    /// The address groups from a run's first to its last one, and how many of them it meets: where it
    /// steps over groups, each of its addresses has its own.
    fn groups(&self, run: StridedRun) -> (Keys, u64) {
        if let Some(keys) = self.keys(run) {
            return (keys, keys.len());
        }
        let (base, last) = (self.key(run.base.0), self.key(run.last().0));
        (Keys { first: base.min(last), last: base.max(last) }, run.count)
    }

    fn many_parts(&self, parts: &[StridedRun]) -> Option<u64> {
        let mut keys = [Keys::default(); PARTS];
        let keys = &mut keys[..parts.len().min(PARTS)];
        for (keys, &part) in keys.iter_mut().zip(parts) {
            *keys = self.keys(part)?;
        }
        Some(match (self.rule, keys) {
            (Rule::Groups, keys) => unite(keys).iter().map(|keys| keys.len()).sum(),
            (Rule::Banks, keys) => self.deepest_bank(unite(keys)),
        })
    }

    /// The largest number of disjoint intervals of addresses, at most `w` in all, that meet one
    /// bank. Each is an arc of the circle of banks; the most arcs meet where one of them begins.
    fn deepest_bank(&self, arcs: &[Keys]) -> u64 {
        let width = self.width.get();
        let mut begins = [0; PARTS];
        for (begin, arc) in begins.iter_mut().zip(arcs) {
            *begin = self.width.remainder(arc.first);
        }
        let begins = &begins[..arcs.len()];
        let meeting = |bank: u64| {
            let meets = begins.iter().zip(arcs).filter(|&(&begin, arc)| {
                let offset = if bank >= begin { bank - begin } else { width - (begin - bank) };
                offset < arc.len()
            });
            meets.count() as u64
        };
        begins.iter().map(|&bank| meeting(bank)).max().unwrap_or(0)
    }
}

/// Sorts intervals and merges those that overlap.
fn unite(keys: &mut [Keys]) -> &[Keys] {
    for i in 1..keys.len() {
        let moving = keys[i];
        let mut at = i;
        while at > 0 && keys[at - 1].first > moving.first {
            keys[at] = keys[at - 1];
            at -= 1;
        }
        keys[at] = moving;
    }
    let mut kept = 0;
    for i in 1..keys.len() {
        let next = keys[i];
        if next.first <= keys[kept].last {
            keys[kept].last = keys[kept].last.max(next.last);
        } else {
            kept += 1;
            keys[kept] = next;
        }
    }
    &keys[..keys.len().min(kept + 1)]
}

/// The greatest common divisor; `gcd(0, b)` is b.
pub(crate) const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
