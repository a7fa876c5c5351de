//! The last access to each word, in a quarter of the place that the accesses themselves would take.
//!
//! A warp's access to neighbours differs by lane alone, so a page keeps its accesses once, and of each word
//! which of them it was and the lane: 16 bits. Accesses that nobody asks for any more, and those of an
//! interval that is over, of which less is asked, become one before a page keeps more of them.

/// Words of a page; of no more accesses than these is anything asked.
const PAGE_WORDS: usize = 1 << 9;
/// More accesses of a page have no number.
const MOST_ACCESSES: usize = 1 << 10;
/// A page begins with so many.
const FEW_ACCESSES: usize = 8;
/// So many of the last ones may come again: those of the bytes of a word.
const RECENT_ACCESSES: usize = 4;

const LANE_BITS: u32 = 6;
const LANE_MASK: u64 = (1 << LANE_BITS) - 1;
/// Where an access has its lane.
pub(crate) const LANE_SHIFT: u32 = 5;

/// The last accesses of one kind, in 64 bits each: by array, page and word. Pages are made as they are written.
#[derive(Debug, Default)]
pub(crate) struct Records(Vec<Vec<Option<Box<Page>>>>);

/// Of words, the number of the last access above its lane; and accesses without lanes, of which the first is none.
#[derive(Debug)]
struct Page {
    words: [u16; PAGE_WORDS],
    accesses: Vec<u64>,
}

impl Records {
    /// 0, where there was none.
    pub(crate) fn get(&self, array: usize, word: usize) -> u64 {
        let page = self.0.get(array).and_then(|it| it.get(word / PAGE_WORDS));
        page.and_then(Option::as_ref).map_or(0, |it| it.get(word % PAGE_WORDS))
    }

    /// Keeps an access; `settled` says what is still asked of an earlier one.
    pub(crate) fn set(
        &mut self,
        (array, word): (usize, usize),
        access: u64,
        settled: impl Fn(u64) -> u64,
    ) {
        let page = word / PAGE_WORDS;
        if self.0.len() <= array {
            self.0.resize_with(array + 1, Vec::new);
        }
        let pages = &mut self.0[array];
        if pages.len() <= page {
            pages.resize_with(page + 1, || None);
        }
        pages[page].get_or_insert_with(Page::new).set(word % PAGE_WORDS, access, settled);
    }
}

impl Page {
    fn new() -> Box<Self> {
        let mut accesses = Vec::with_capacity(FEW_ACCESSES);
        accesses.push(0);
        Box::new(Self { words: [0; PAGE_WORDS], accesses })
    }

    fn get(&self, word: usize) -> u64 {
        let it = u64::from(self.words[word]);
        self.accesses[(it >> LANE_BITS) as usize] | (it & LANE_MASK) << LANE_SHIFT
    }

    fn set(&mut self, word: usize, access: u64, settled: impl Fn(u64) -> u64) {
        let lane = (access >> LANE_SHIFT & LANE_MASK) as u16;
        let access = access & !(LANE_MASK << LANE_SHIFT);
        let number = self.recent(access).unwrap_or_else(|| {
            if self.accesses.len() == self.accesses.capacity() {
                self.settle(settled);
            }
            self.accesses.push(access);
            self.accesses.len() - 1
        });
        self.words[word] = (number as u16) << LANE_BITS | lane;
    }

    fn recent(&self, access: u64) -> Option<usize> {
        let from = self.accesses.len().saturating_sub(RECENT_ACCESSES).max(1);
        self.accesses[from..].iter().rposition(|it| *it == access).map(|it| it + from)
    }

    /// Keeps those that words have, and each once; there is room for more afterwards.
    fn settle(&mut self, settled: impl Fn(u64) -> u64) {
        let mut is_kept = [false; MOST_ACCESSES];
        self.words.iter().for_each(|it| is_kept[usize::from(*it >> LANE_BITS)] = true);
        let mut kept: Vec<(u64, usize)> = (1..self.accesses.len())
            .filter(|it| is_kept[*it])
            .map(|it| (settled(self.accesses[it]), it))
            .collect();
        kept.sort_unstable();
        let mut numbers = [0_u16; MOST_ACCESSES];
        self.accesses.truncate(1);
        for (access, before) in kept {
            if self.accesses.last() != Some(&access) {
                self.accesses.push(access);
            }
            numbers[before] = (self.accesses.len() - 1) as u16;
        }
        for it in &mut self.words {
            *it = numbers[usize::from(*it >> LANE_BITS)] << LANE_BITS | *it & LANE_MASK as u16;
        }
        let room = (self.accesses.len() * 2).clamp(FEW_ACCESSES, MOST_ACCESSES);
        self.accesses.shrink_to(room);
        self.accesses.reserve_exact(room - self.accesses.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream of accesses gives what an array of them gives, whatever is forgotten on the way.
    #[test]
    fn records_are_those_of_an_array() {
        let (mut records, mut all) = (Records::default(), vec![0; 3 * PAGE_WORDS]);
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        // What is before the last interval loses its order and number.
        let settle = |last: u64, it: u64| if it >> 40 < last { it & !(0xffff << 16) } else { it };
        for step in 0..200_000_u64 {
            let interval = 1 + step / 40_000;
            let word = random(3 * PAGE_WORDS as u64) as usize;
            let access = interval << 40 | random(90) << 16 | random(33) << LANE_SHIFT | 15;
            records.set((1, word), access, |it| settle(interval, it));
            all[word] = access;
            let word = random(3 * PAGE_WORDS as u64) as usize;
            let found = records.get(1, word);
            let same = |it: u64| settle(interval, it);
            assert_eq!(same(found), same(all[word]), "{step}");
        }
        assert_eq!(records.get(0, 5), 0);
        assert_eq!(records.get(1, 9 * PAGE_WORDS), 0);
    }

    #[test]
    fn words_that_differ_all_have_room() {
        let mut records = Records::default();
        for round in 0..4_u64 {
            for word in 0..PAGE_WORDS {
                let access = (round * PAGE_WORDS as u64 + word as u64 + 1) << 16 | 15;
                records.set((0, word), access, |it| it);
                assert_eq!(records.get(0, word), access);
            }
        }
    }

    /// Warps that access neighbours leave less than 3 bytes a word.
    #[test]
    fn neighbours_take_little_place() {
        let mut records = Records::default();
        for word in 0..PAGE_WORDS {
            let (warp, lane) = (word as u64 / 32, word as u64 % 32);
            records.set((0, word), 1 << 40 | warp << 11 | lane << LANE_SHIFT | 15, |it| it);
        }
        let page = records.0[0][0].as_ref().unwrap();
        assert!(size_of::<Page>() + 8 * page.accesses.capacity() < 3 * PAGE_WORDS);
    }
}
