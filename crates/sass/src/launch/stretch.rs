//! The stretch of memory that lanes of a warp access together: an array, a block's shared memory, or what
//! the threads have for themselves.

use std::sync::Arc;

use super::FaultCause;
use super::execution::Running;
use super::marks::Marks;
use super::memory::{DeviceArray, GlobalMemory};
use super::observer::LaunchObserver;
use crate::cubin::{GROUPS_SHARED, STACK_END_ADDRESS};
use crate::lanes::{Lanes, MapLanes, each};
use crate::linkage::RESERVED_SHARED_BYTES;

/// Lanes and where in a stretch their bytes begin.
pub(super) struct Stretch {
    of: StretchMemory,
    pub(super) lanes: u32,
    /// Multiples of the access's size.
    at: [u32; 32],
    /// Bytes from each lane to the next, if all lanes take part: their size, or 0.
    apart: Option<usize>,
}

/// Lanes whose bytes lie within so many are said to have read all between them.
const NEAR_BYTES: usize = 1 << 10;

#[derive(Clone, Copy)]
enum StretchMemory {
    /// The array's number.
    Global(usize),
    Shared,
    Local,
}

/// Why an address is refused.
pub(super) enum Cause {
    Beyond(String),
    Misaligned(String),
}

impl Cause {
    pub(super) fn named(self, access: &str, bytes: u64, value: Option<u32>) -> FaultCause {
        let value = value.map_or_else(String::new, |it| format!(" (value {it:#x})"));
        let access = format!("{access} of {bytes} bytes{value}");
        match self {
            Self::Beyond(place) => FaultCause::OutOfBounds { access, place: format!("at {place}") },
            Self::Misaligned(place) => FaultCause::Misaligned { access, place },
        }
    }
}

/// The lane that is wrong, and why.
type Found = Result<Stretch, (usize, Cause)>;

impl Stretch {
    #[inline(always)]
    pub(super) fn of_shared(size: u64, addresses: &[u64; 32], lanes: u32, bytes: u64) -> Found {
        let place = |lane: usize| {
            let at = addresses[lane].cast_signed() - RESERVED_SHARED_BYTES.cast_signed();
            match size - RESERVED_SHARED_BYTES {
                0 => format!("shared memory at byte {at}, and the launch has none"),
                size => format!("shared memory at byte {at}, of {size}"),
            }
        };
        // What the run time has for groups of warps lies before a kernel's own.
        let first = addresses[lanes.trailing_zeros() as usize % 32];
        let is_of_groups = (GROUPS_SHARED[0]..GROUPS_SHARED[1]).contains(&first);
        let inside = if is_of_groups { GROUPS_SHARED } else { [RESERVED_SHARED_BYTES, size] };
        Self::find(StretchMemory::Shared, (0, inside), addresses, lanes, bytes, place)
    }

    pub(super) fn of_local(size: u64, addresses: &[u64; 32], lanes: u32, bytes: u64) -> Found {
        let begin = STACK_END_ADDRESS - size;
        let place = |lane: usize| {
            let at = addresses[lane].wrapping_sub(begin).cast_signed();
            format!("the thread's own memory at byte {at}, of {size}")
        };
        let of = StretchMemory::Local;
        let mut found = Self::find(of, (begin, [0, size]), addresses, lanes, bytes, place)?;
        for (lane, at) in found.at.iter_mut().enumerate() {
            *at += lane as u32 * size as u32;
        }
        found.apart = None;
        Ok(found)
    }

    #[inline(always)]
    pub(super) fn of_global(
        memory: &GlobalMemory,
        addresses: &[u64; 32],
        lanes: u32,
        bytes: u64,
    ) -> Found {
        let first = addresses[lanes.trailing_zeros() as usize % 32];
        let (number, begin) = GlobalMemory::array_at(first);
        let inside = memory.range_at(number, first.wrapping_sub(begin));
        let of = StretchMemory::Global(number);
        let place = |lane: usize| memory.describe(addresses[lane]);
        Self::find(of, (begin, inside), addresses, lanes, bytes, place)
    }

    /// Those of some lanes that lie inside, the first of which must.
    #[inline(always)]
    fn find(
        of: StretchMemory,
        (begin, [from, to]): (u64, [u64; 2]),
        addresses: &[u64; 32],
        lanes: u32,
        bytes: u64,
        place: impl Fn(usize) -> String,
    ) -> Found {
        // What begins here at the latest ends inside.
        let Some(room) = to.checked_sub(from + bytes) else {
            let first = lanes.trailing_zeros() as usize % 32;
            return Err((first, Cause::Beyond(place(first))));
        };
        let at = each!(|lane| addresses[lane].wrapping_sub(begin));
        if lanes == u32::MAX {
            let wrong = each!(|lane| {
                u64::from(at[lane].wrapping_sub(from) > room) | addresses[lane] & (bytes - 1)
            });
            if wrong.into_iter().fold(0, |all, it| all | it) == 0 {
                // Most warps go through memory in order, or look at one place.
                let apart = if at[0] == at[1] { 0 } else { bytes };
                let odd = each!(|lane| at[lane] ^ at[0].wrapping_add(lane as u64 * apart));
                let is_even = odd.into_iter().fold(0, |all, it| all | it) == 0;
                let apart = is_even.then_some(apart as usize);
                return Ok(Self { of, lanes, at: each!(|lane| at[lane] as u32), apart });
            }
        }
        Self::find_some(of, (at, from, room), (lanes, begin), bytes, &place)
    }

    /// The same of any lanes; of places in the stretch that begins here the first that is inside is given,
    /// and how many follow it.
    #[inline(never)]
    fn find_some(
        of: StretchMemory,
        (mut at, from, room): ([u64; 32], u64, u64),
        (lanes, begin): (u32, u64),
        bytes: u64,
        place: &dyn Fn(usize) -> String,
    ) -> Found {
        let (mut inside, mut odd) = (0_u32, 0_u32);
        for (lane, at) in at.iter_mut().enumerate() {
            let is = lanes >> lane & 1 == 1 && at.wrapping_sub(from) <= room;
            inside |= u32::from(is) << lane;
            odd |= u32::from(is && at.wrapping_add(begin) & (bytes - 1) != 0) << lane;
            *at = if is { *at } else { 0 };
        }
        let first = lanes.trailing_zeros() as usize % 32;
        if inside >> first & 1 == 0 {
            return Err((first, Cause::Beyond(place(first))));
        }
        if odd != 0 {
            let lane = odd.trailing_zeros() as usize;
            return Err((lane, Cause::Misaligned(place(lane))));
        }
        Ok(Self { of, lanes: inside, at: at.each(|it| it as u32), apart: None })
    }

    /// The numbers of its lanes.
    pub(super) fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        let lanes = self.lanes;
        (0..32).filter(move |lane| lanes >> lane & 1 == 1)
    }

    /// Where a lane's bytes begin.
    pub(super) fn at(&self, lane: usize) -> usize {
        self.at[lane] as usize
    }

    /// Where its bytes begin and how many there are, if they follow each other.
    fn run(&self, bytes: usize) -> Option<(usize, usize)> {
        self.apart.map(|apart| (self.at(0), 31 * apart + bytes))
    }

    /// Lanes of whose bytes not all are marked.
    pub(super) fn unmarked(&self, marks: &Marks, bytes: usize) -> u32 {
        if marks.is_empty() || self.run(bytes).is_some_and(|(at, all)| marks.has_all(at, all)) {
            return 0;
        }
        let is = |lane: &usize| !marks.has(self.at(*lane), bytes);
        self.lanes().filter(is).fold(0, |all, lane| all | 1 << lane)
    }

    /// Marks its bytes.
    #[inline(always)]
    pub(super) fn mark(&self, marks: &mut Marks, bytes: usize) {
        match self.run(bytes) {
            Some((at, all)) => marks.set_all(at, all),
            None => self.lanes().for_each(|lane| marks.set(self.at(lane), bytes)),
        }
    }

    /// Marks its bytes, and those between them, if they lie near each other.
    #[inline(always)]
    fn mark_around(&self, marks: &mut Marks, bytes: usize) {
        if self.apart.is_none() && self.lanes == u32::MAX {
            let least = self.at.into_iter().fold(u32::MAX, u32::min) as usize;
            let most = self.at.into_iter().fold(0, u32::max) as usize;
            if most - least < NEAR_BYTES {
                return marks.set_all(least, most - least + bytes);
            }
        }
        self.mark(marks, bytes);
    }

    /// A word of each lane, of this many bytes, from so far behind its place on.
    #[inline(always)]
    pub(super) fn gather(&self, from: &[u8], more: usize, bytes: u8) -> Lanes {
        match bytes {
            4 => self.gathered(from, more, u32::from_le_bytes),
            2 => self.gathered(from, more, |it| u16::from_le_bytes(it).into()),
            _ => self.gathered(from, more, |[it]| it.into()),
        }
    }

    #[inline(always)]
    fn gathered<const BYTES: usize>(
        &self,
        from: &[u8],
        more: usize,
        word: impl Fn([u8; BYTES]) -> u32,
    ) -> Lanes {
        let (words, _) = from[more..].as_chunks();
        let at = |lane: usize| self.at(lane) / BYTES;
        match self.apart {
            Some(0) => [word(words[at(0)]); 32],
            Some(apart) if apart == BYTES => {
                let words = &words[at(0)..][..32];
                each!(|lane| word(words[lane]))
            }
            _ if self.lanes == u32::MAX => each!(|lane| word(words[at(lane)])),
            _ => each!(|lane| if self.lanes >> lane & 1 == 1 { word(words[at(lane)]) } else { 0 }),
        }
    }

    /// Writes a word of each lane; those that this changes, if it is asked for.
    #[inline(always)]
    pub(super) fn scatter(
        &self,
        to: &mut [u8],
        more: usize,
        (bytes, asks): (u8, bool),
        lanes: &Lanes,
    ) -> u32 {
        match bytes {
            4 => self.scattered(&mut to[more..], asks, |lane| lanes[lane].to_le_bytes()),
            2 => self.scattered(&mut to[more..], asks, |lane| (lanes[lane] as u16).to_le_bytes()),
            _ => self.scattered(&mut to[more..], asks, |lane| [lanes[lane] as u8]),
        }
    }

    #[inline(always)]
    fn scattered<const BYTES: usize>(
        &self,
        to: &mut [u8],
        asks: bool,
        word: impl Fn(usize) -> [u8; BYTES],
    ) -> u32 {
        let (words, _) = to.as_chunks_mut();
        let mut changed = 0;
        for lane in 0..32 {
            if self.lanes >> lane & 1 == 1 {
                let place = &mut words[self.at(lane) / BYTES];
                changed |= u32::from(asks && *place != word(lane)) << lane;
                *place = word(lane);
            }
        }
        changed
    }
}

/// Which bytes of a stretch were written, and who shares them; where that is known.
type StretchMarks<'a> = (Option<&'a mut Marks>, Option<&'a mut [Marks; 2]>);

impl<O: LaunchObserver> Running<'_, O> {
    /// Notes that a stretch is read; lanes that read what nobody has written, if the observer asks for them.
    #[inline(always)]
    pub(super) fn read(&mut self, number: usize, stretch: &Stretch, bytes: u64) -> u32 {
        let asks = self.observer.asks_for_values();
        let (written, shares) = self.marks_of(number, stretch);
        if let Some([read, _]) = shares {
            stretch.mark_around(read, bytes as usize);
        }
        match written {
            Some(written) if asks => stretch.unmarked(written, bytes as usize),
            _ => 0,
        }
    }

    /// A stretch's bytes, to be read.
    #[inline(always)]
    pub(super) fn bytes_of(&self, warp: usize, stretch: &Stretch) -> &[u8] {
        match stretch.of {
            StretchMemory::Global(number) => {
                self.memory.array(number).map_or(&[], |it| it.bytes.as_slice())
            }
            StretchMemory::Shared => &self.block.shared,
            StretchMemory::Local => &self.block.warps[warp].local,
        }
    }

    /// And to be written.
    #[inline(always)]
    pub(super) fn bytes_to(&mut self, warp: usize, stretch: &Stretch) -> &mut [u8] {
        match stretch.of {
            StretchMemory::Global(number) => {
                Arc::make_mut(&mut self.memory.arrays_mut()[number].bytes).as_mut_slice()
            }
            StretchMemory::Shared => &mut self.block.shared,
            StretchMemory::Local => &mut self.block.warps[warp].local,
        }
    }

    #[inline(always)]
    pub(super) fn marks_of(&mut self, warp: usize, stretch: &Stretch) -> StretchMarks<'_> {
        match stretch.of {
            StretchMemory::Global(number) => {
                let DeviceArray { written, shares, .. } = &mut self.memory.arrays_mut()[number];
                ((!written.is_empty()).then_some(written), shares.as_mut())
            }
            StretchMemory::Shared => (Some(&mut self.block.written), None),
            StretchMemory::Local => (Some(&mut self.block.local_written[warp]), None),
        }
    }
}
