//! How much else was accessed since: the number of different address groups between two accesses to
//! the same one (Mattson's stack distance), each found in logarithmic time.

use rustc_hash::FxHashMap;

use super::fenwick_tree::{FenwickTree, Marks};
use super::memory::Sharing;
use super::store_buffer::{paired, touched, whole};
use super::timing::{LineHistory, PRESENT_SHARE, Timing};

/// Address groups in the order of their last accesses, and what of each the first cache holds.
#[derive(Debug)]
pub(super) struct StackDistances {
    /// By group.
    accessed: FxHashMap<u64, GroupRecord>,
    /// Writes to the last-level cache.
    written: FxHashMap<u64, WriteRecord>,
    /// Where a group was last accessed, it.
    tree: FenwickTree,
    /// Of the next access; at first 1.
    now: usize,
}

/// A group's last access.
#[derive(Debug, Clone, Copy, Default)]
struct GroupRecord {
    time: usize,
    mark: Marks,
    /// Sectors that ever were accessed, a bit each.
    known: u8,
    /// Sectors that are in the last-level cache, a bit each, as long as it keeps the group.
    cached: u8,
    /// Those of them that were read there, so that it has all of their bytes.
    complete: u8,
    /// Bytes that are in the first cache, a bit each, as long as it keeps the group.
    held: u128,
    /// From which cycle on.
    there: f64,
    /// How likely they come from memory.
    from_memory: f64,
}

/// What the last-level cache was given of a group.
#[derive(Debug, Clone, Copy, Default)]
struct WriteRecord {
    time: usize,
    /// Sectors, a bit each, as long as it keeps them.
    sectors: u8,
    /// Those whose other bytes it fetches from memory, and how likely it does.
    fetched: u8,
    /// As above.
    likely: f64,
}

/// Sectors that go on to the last-level cache, a bit each.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriteDeparture {
    /// How likely it has no such write of their pairs yet.
    pub(super) is_new: f64,
    /// How often the group goes to memory for those that are incomplete.
    pub(super) part_groups: f64,
    /// Those whose other bytes it already fetches from there, and how likely.
    pub(super) again: u8,
    /// As above.
    pub(super) likely: f64,
}

/// Times before they are numbered anew, at least: the tree is to stay in a core's first cache.
const RENUMBER_TIMES: usize = 1 << 12;

impl StackDistances {
    pub(super) fn new() -> Self {
        Self {
            accessed: FxHashMap::default(),
            written: FxHashMap::default(),
            tree: FenwickTree::new(RENUMBER_TIMES),
            now: 1,
        }
    }

    /// Some bytes of a group are read: their sectors are held.
    pub(super) fn read(
        &mut self,
        group: u64,
        bytes: u128,
        sharing: Sharing,
        timing: &Timing,
    ) -> LineHistory {
        self.access(group, bytes, sharing, timing, |before, last| {
            let held = if timing.is_in_l1(before) { last.held } else { 0 };
            let sectors = touched(bytes);
            GroupRecord { held: held | whole(sectors), complete: last.complete | sectors, ..last }
        })
    }

    /// Some bytes of a group are written, and held: nothing else of a sector is fetched. A line that
    /// a read is on its way to is given up, with what it held and with what comes: measured on an H200
    /// (`models/measurements/nvidia-h200/2026-11-24/pending.csv`).
    pub(super) fn write(
        &mut self,
        group: u64,
        bytes: u128,
        sharing: Sharing,
        now: f64,
        timing: &Timing,
    ) -> LineHistory {
        self.access(group, bytes, sharing, timing, |before, last| {
            let is_kept = timing.is_in_l1(before) && last.there <= now;
            let held = words(bytes | if is_kept { last.held } else { 0 });
            GroupRecord { held, there: 0.0, ..last }
        })
    }

    fn access(
        &mut self,
        group: u64,
        bytes: u128,
        sharing: Sharing,
        timing: &Timing,
        then: impl Fn(&LineHistory, GroupRecord) -> GroupRecord,
    ) -> LineHistory {
        if self.now + 2 >= self.tree.len() {
            self.number_anew();
        }
        let now = self.now;
        let sectors = touched(bytes);
        let last = self.accessed.get(&group).copied();
        let mut before = LineHistory::default();
        if let Some(last) = last {
            let held = (0..4).filter(|it| {
                sectors >> it & 1 == 1 && {
                    let sector = whole(1 << it);
                    bytes & sector & !last.held == 0
                }
            });
            let since = self.tree.after(last.time);
            before = LineHistory {
                groups: since.groups(),
                l2_groups: since.l2_groups(),
                known: part(sectors & last.known, sectors),
                cached: part(sectors & last.cached, sectors),
                known_pairs: part(paired(sectors) & paired(last.known), paired(sectors)),
                cached_pairs: part(paired(sectors) & paired(last.cached), paired(sectors)),
                held: held.count() as f64 / f64::from(sectors.count_ones()),
                there: last.there,
                from_memory: last.from_memory,
                peer_accesses: sharing.peer_accesses,
            };
            self.tree.add(last.time, last.mark.less());
        }
        let mark = Marks::one(sharing.room);
        self.tree.add(now, mark);
        let mut last = last.unwrap_or_default();
        if !timing.is_in_l2(&before) {
            (last.cached, last.complete) = (0, 0);
        }
        last = then(&before, last);
        (last.time, last.mark) = (now, mark);
        last.known |= sectors;
        last.cached |= sectors;
        self.accessed.insert(group, last);
        self.now += 1;
        before
    }

    /// The group that was accessed last is in the first cache from a cycle on; how likely it comes from
    /// memory.
    pub(super) fn arrives(&mut self, group: u64, there: f64, from_memory: f64) {
        if let Some(last) = self.accessed.get_mut(&group) {
            (last.there, last.from_memory) = (there, from_memory);
        }
    }

    /// Sectors of a group go on to the last-level cache, some of them incomplete.
    pub(super) fn write_back(
        &mut self,
        group: u64,
        sectors: u8,
        parts: u8,
        timing: &Timing,
    ) -> WriteDeparture {
        let last = self.written.get(&group).copied().unwrap_or_default();
        let of =
            |since: Marks| LineHistory { l2_groups: since.l2_groups(), ..LineHistory::default() };
        let since = of(self.tree.after(last.time));
        let is_new = 1.0
            - timing
                .l2_share(LineHistory { cached: part(sectors & last.sectors, sectors), ..since });
        let last = if timing.is_in_l2(&since) { last } else { WriteRecord::default() };
        let complete = self.accessed.get(&group).map_or(0, |it| {
            if timing.is_in_l2(&of(self.tree.after(it.time))) { it.complete } else { 0 }
        });
        let again = parts & last.fetched;
        let fetched = parts & !complete & !last.sectors;
        let is_alone = fetched != 0 || last.sectors == 0;
        let part_groups = if parts != 0 && is_alone { is_new } else { 0.0 };
        let written = WriteRecord {
            time: self.now,
            sectors: paired(sectors) | last.sectors,
            fetched: (last.fetched | fetched) & !again,
            likely: if fetched != 0 { is_new } else { last.likely },
        };
        self.written.insert(group, written);
        WriteDeparture { is_new, part_groups, again, likely: last.likely }
    }

    /// Bytes of a group are written: whether the last-level cache rather lost what was before.
    pub(super) fn rewrites(&mut self, group: u64, timing: &Timing) -> bool {
        let now = self.now;
        let last = self.written.insert(group, WriteRecord { time: now, ..WriteRecord::default() });
        let l2_groups = last.map_or(0.0, |it| self.tree.after(it.time).l2_groups());
        let kept = timing.l2_share(LineHistory {
            l2_groups,
            cached: 1.0,
            known: 1.0,
            ..LineHistory::default()
        });
        kept < PRESENT_SHARE
    }

    /// All groups that were accessed, as far as they take room in the last-level cache.
    pub(super) fn all(&self) -> f64 {
        self.tree.all().l2_groups()
    }

    /// Sectors of a group that the last-level cache has all bytes of, since they were read.
    pub(super) fn complete(&self, group: u64) -> u8 {
        self.accessed.get(&group).map_or(0, |it| it.complete)
    }

    /// Numbers the groups from 1 on, in the same order: in linear time.
    fn number_anew(&mut self) {
        let mut new = vec![0; self.now + 1];
        self.accessed.values().for_each(|it| new[it.time] = 1);
        let mut count = 0;
        for it in &mut new {
            count += *it;
            *it = count;
        }
        self.written.values_mut().for_each(|it| it.time = new[it.time]);
        self.accessed.values_mut().for_each(|it| it.time = new[it.time]);
        let marks = self.accessed.values().map(|it| (it.time, it.mark));
        self.tree = FenwickTree::of((4 * count).max(RENUMBER_TIMES), marks);
        self.now = count + 1;
    }
}

/// Bytes of words that are there in whole: the first cache keeps no part of one, as was measured on an
/// H100 (`models/measurements/nvidia-h100/2026-11-26/parts.csv`).
fn words(bytes: u128) -> u128 {
    let whole = bytes & bytes >> 1 & bytes >> 2 & bytes >> 3 & (u128::MAX / 0xF);
    whole * 0xF
}

fn part(some: u8, all: u8) -> f64 {
    f64::from(some.count_ones()) / f64::from(all.count_ones().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups are kept in a list, latest first.
    #[test]
    fn distances_are_those_in_a_list() {
        let (mut distances, mut list) = (StackDistances::new(), Vec::<u64>::new());
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let group = (state >> 33) % 50;
            let place = list.iter().position(|it| *it == group);
            let found = distances.read(group, 1, Sharing::NONE, &Timing::ENDLESS);
            match place {
                None => assert_eq!(found, LineHistory::default()),
                Some(place) => {
                    assert_eq!(
                        found,
                        LineHistory {
                            groups: place as f64,
                            l2_groups: place as f64,
                            known: 1.0,
                            known_pairs: 1.0,
                            cached: 1.0,
                            cached_pairs: 1.0,
                            held: 1.0,
                            ..LineHistory::default()
                        }
                    );
                    list.remove(place);
                }
            }
            list.insert(0, group);
        }
    }

    /// Groups of which all blocks together have few take little room in the last-level cache.
    #[test]
    fn groups_take_the_room_that_their_array_has() {
        let mut distances = StackDistances::new();
        let mut read = |group: u64| {
            let room = if group < 100 { 0.25 } else { 1.0 };
            let sharing = Sharing { room, ..Sharing::NONE };
            let before = distances.read(group, 1, sharing, &Timing::ENDLESS);
            (before.groups, before.l2_groups)
        };
        (0..8).chain(100..103).for_each(|group| {
            read(group);
        });
        assert_eq!(read(0), (10.0, 7.0 * 0.25 + 3.0));
        assert_eq!(read(102), (1.0, 0.25));
        // Numbered anew, they keep it.
        (0..10_000).for_each(|_| {
            read(0);
        });
        assert_eq!(read(1), (10.0, 7.0 * 0.25 + 3.0));
    }

    /// Two stores to words beside each other, far apart in time, then the first is read.
    #[test]
    fn the_first_cache_keeps_whole_words_as_was_measured() {
        let measured =
            include_str!("../../../models/measurements/nvidia-h100/2026-11-26/parts.csv");
        let mut looked = 0;
        for row in measured.lines().skip(1).map(|it| it.split(',').collect::<Vec<_>>()) {
            let number = |at: usize| row[at].parse::<f64>().unwrap();
            if number(6) == 0.0 {
                continue;
            }
            let word = if row[0] == "int" { 0xF_u128 } else { 1 };
            let mut distances = StackDistances::new();
            if number(3) == 1.0 {
                distances.read(0, 0xFF, Sharing::NONE, &Timing::ENDLESS);
            }
            for bytes in [word, word << word.count_ones()] {
                distances.write(0, bytes, Sharing::NONE, 9.0, &Timing::ENDLESS);
            }
            let held = distances.read(0, word, Sharing::NONE, &Timing::ENDLESS).held;
            assert_eq!(held == 1.0, number(7) < number(8) + 50.0, "{row:?}");
            looked += 1;
        }
        assert_eq!(looked, 120);
    }
}
