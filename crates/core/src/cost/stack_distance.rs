//! Misses and write-backs of LRU caches of all sizes in one pass: an access misses in a cache of fewer
//! lines than its *stack distance*, the number of distinct lines since the last access to its own, itself
//! included (Mattson, Gecsei, Slutz, Traiger 1970).

/// Of one line.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    /// When it was accessed last, from 1; 0 for never.
    last: usize,
    /// It is dirty in caches of so many lines and more; 0 if nobody has written it.
    dirty_from: u64,
}

/// Of a sequence of accesses to lines.
#[derive(Debug, Default)]
pub(super) struct StackDistances {
    lines: Vec<Line>,
    /// A Fenwick tree over times: 1 at the last access of each line.
    marks: Vec<u32>,
    /// The time of the last access.
    now: usize,
    /// The line of each mark, by time.
    at: Vec<usize>,
    distinct: u64,
    /// By stack distance, how many accesses have it.
    distances: Vec<u128>,
    /// Write-backs for caches of d lines are the sum of the first d + 1 entries.
    write_backs: Vec<i128>,
}

impl StackDistances {
    /// The next access.
    pub(super) fn access(&mut self, line: u64, writes: bool) {
        let line = line as usize;
        if line >= self.lines.len() {
            self.lines.resize((line + 1).next_power_of_two(), Line::default());
        }
        let Line { last, dirty_from } = self.lines[line];
        if last == self.now && last > 0 {
            self.note(1, dirty_from);
            if writes {
                self.lines[line].dirty_from = 1;
            }
            return;
        }
        if self.now + 1 >= self.marks.len() {
            self.compact();
        }
        let last = self.lines[line].last;
        let distance = match last {
            0 => {
                self.distinct += 1;
                None
            }
            _ => {
                let distance = self.distinct - u64::from(self.marked_up_to(last)) + 1;
                self.mark(last, u32::MAX);
                Some(distance)
            }
        };
        self.now += 1;
        self.mark(self.now, 1);
        self.at[self.now] = line;
        if let Some(distance) = distance {
            self.note(distance, dirty_from);
        }
        let kept = if dirty_from == 0 { 0 } else { dirty_from.max(distance.unwrap_or(0)) };
        let dirty_from = if writes { 1 } else { kept };
        self.lines[line] = Line { last: self.now, dirty_from };
    }

    /// An access of this distance to a line that is dirty from so many lines on.
    fn note(&mut self, distance: u64, dirty_from: u64) {
        let at = distance as usize;
        if at >= self.distances.len() {
            self.distances.resize((at + 1).next_power_of_two(), 0);
        }
        self.distances[at] += 1;
        if dirty_from > 0 && dirty_from < distance {
            self.add_write_backs(dirty_from, 1);
            self.add_write_backs(distance, -1);
        }
    }

    fn add_write_backs(&mut self, from: u64, change: i128) {
        let at = from as usize;
        if at >= self.write_backs.len() {
            self.write_backs.resize((at + 1).next_power_of_two(), 0);
        }
        self.write_backs[at] += change;
    }

    fn mark(&mut self, mut time: usize, change: u32) {
        while time < self.marks.len() {
            self.marks[time] = self.marks[time].wrapping_add(change);
            time += time & time.wrapping_neg();
        }
    }

    fn marked_up_to(&self, mut time: usize) -> u32 {
        let mut sum = 0_u32;
        while time > 0 {
            sum = sum.wrapping_add(self.marks[time]);
            time &= time - 1;
        }
        sum
    }

    /// Numbers the times of the last accesses anew, from 1.
    fn compact(&mut self) {
        let live: Vec<usize> = (1..=self.now)
            .filter(|&time| self.lines[self.at[time]].last == time)
            .map(|time| self.at[time])
            .collect();
        let room = (2 * (live.len() + 1)).next_power_of_two().max(1 << 10);
        (self.marks, self.at) = (vec![0; room], vec![0; room]);
        self.now = live.len();
        for (time, line) in (1..).zip(live) {
            self.lines[line].last = time;
            self.at[time] = line;
            self.mark(time, 1);
        }
    }

    /// Misses and write-backs in a cache of so many lines, with those that are cold and those that
    /// empty it at the end.
    pub(super) fn of(&self, lines: u64) -> [u128; 2] {
        let lines_of_cache = usize::try_from(lines).unwrap_or(usize::MAX);
        let beyond = self.distances.iter().skip(lines_of_cache.saturating_add(1));
        let misses = u128::from(self.distinct) + beyond.sum::<u128>();
        let within = self.write_backs.iter().take(lines_of_cache.saturating_add(1));
        let earlier = within.sum::<i128>();
        let is_dirty = |it: &&Line| it.dirty_from > 0 && it.dirty_from <= lines;
        let at_the_end = self.lines.iter().filter(is_dirty).count() as u128;
        [misses, earlier.unsigned_abs() + at_the_end]
    }
}
