//! A cache that knows the future: the line goes that is used again last (Belady 1966).

use std::collections::BTreeMap;

/// Where an access to a line that is never used again has its next use.
const NEVER: usize = usize::MAX;

/// For each access, the number of the next access to its line.
pub(super) fn next_uses(accesses: &[(u64, bool)]) -> Vec<usize> {
    let mut seen = BTreeMap::new();
    let next = accesses.iter().enumerate().rev();
    let mut next: Vec<usize> =
        next.map(|(at, (line, _))| seen.insert(*line, at).unwrap_or(NEVER)).collect();
    next.reverse();
    next
}

/// Misses and write-backs of a cache of so many lines, with those that are cold and those that empty it
/// at the end. `next` is of [`next_uses`].
pub(super) fn misses(accesses: &[(u64, bool)], next: &[usize], lines: u64) -> [u128; 2] {
    // By line its next use and whether it is dirty; by next use the line. Lines that are never used again
    // are told apart by their own numbers: which of them goes makes no difference.
    let mut cache: BTreeMap<u64, ((usize, u64), bool)> = BTreeMap::new();
    let mut by_use: BTreeMap<(usize, u64), u64> = BTreeMap::new();
    let [mut misses, mut write_backs] = [0_u128; 2];
    for (&(line, writes), &next) in accesses.iter().zip(next) {
        let was_dirty = match cache.remove(&line) {
            Some((place, dirty)) => {
                by_use.remove(&place);
                dirty
            }
            None => {
                misses += 1;
                if cache.len() as u64 >= lines
                    && let Some((_, last)) = by_use.pop_last()
                    && let Some((_, true)) = cache.remove(&last)
                {
                    write_backs += 1;
                }
                false
            }
        };
        let place = (next, line);
        cache.insert(line, (place, was_dirty || writes));
        by_use.insert(place, line);
    }
    [misses, write_backs + cache.values().filter(|it| it.1).count() as u128]
}
