//! The stretch of memory that lanes of a warp access together: an array, a block's shared memory, or what
//! the threads have for themselves.

use super::FaultCause;
use super::execution::Running;
use super::marks::Marks;
use super::memory::{DeviceArray, GlobalMemory};
use crate::cubin::{GROUPS_SHARED, RESERVED_SHARED_BYTES, STACK_END_ADDRESS};
use crate::lanes::{Lanes, each};

/// Lanes and where in a stretch their bytes begin.
pub(super) struct Stretch {
    of: StretchMemory,
    pub(super) lanes: u32,
    pub(super) at: [usize; 32],
    /// Bytes from each lane to the next, if all lanes take part and this is their size.
    run: Option<usize>,
}

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
            *at += lane * size as usize;
        }
        found.run = None;
        Ok(found)
    }

    pub(super) fn of_global(
        memory: &GlobalMemory,
        addresses: &[u64; 32],
        lanes: u32,
        bytes: u64,
    ) -> Found {
        let first = addresses[lanes.trailing_zeros() as usize % 32];
        let (number, begin) = GlobalMemory::array_at(first);
        let size = memory.array(number).map_or(0, |it| it.bytes.len() as u64);
        let of = StretchMemory::Global(number);
        let place = |lane: usize| memory.describe(addresses[lane]);
        Self::find(of, (begin, [0, size]), addresses, lanes, bytes, place)
    }

    /// Those of some lanes that lie inside, the first of which must.
    fn find(
        of: StretchMemory,
        (begin, [from, to]): (u64, [u64; 2]),
        addresses: &[u64; 32],
        lanes: u32,
        bytes: u64,
        place: impl Fn(usize) -> String,
    ) -> Found {
        // What begins here at the latest ends inside.
        let room = to.wrapping_sub(bytes).wrapping_sub(from);
        let has_room = to >= from + bytes;
        let is_inside = |byte: u64| has_room && byte.wrapping_sub(from) <= room;
        if lanes == u32::MAX {
            // Most warps go through memory in order.
            let byte = addresses[0].wrapping_sub(begin);
            let last = byte.wrapping_add(31 * bytes);
            let follow =
                |lane: usize| addresses[lane].wrapping_sub(addresses[0]) == lane as u64 * bytes;
            let is_run = each(follow).into_iter().fold(true, |all, it| all & it);
            if is_run && is_inside(byte) && is_inside(last) && addresses[0] & (bytes - 1) == 0 {
                let at = each(|lane| byte as usize + lane * bytes as usize);
                return Ok(Self { of, lanes, at, run: Some(bytes as usize) });
            }
        }
        let (mut at, mut inside, mut odd) = ([0_usize; 32], 0_u32, 0_u64);
        for lane in 0..32 {
            let byte = addresses[lane].wrapping_sub(begin);
            let is = lanes >> lane & 1 == 1 && is_inside(byte);
            inside |= u32::from(is) << lane;
            odd |= if is { addresses[lane] } else { 0 };
            at[lane] = if is { byte as usize } else { 0 };
        }
        let first = lanes.trailing_zeros() as usize % 32;
        if inside >> first & 1 == 0 {
            return Err((first, Cause::Beyond(place(first))));
        }
        if odd & (bytes - 1) != 0 {
            let is_odd =
                |lane: &usize| inside >> lane & 1 == 1 && addresses[*lane] & (bytes - 1) != 0;
            let lane = (0..32).find(is_odd).unwrap_or(first);
            return Err((lane, Cause::Misaligned(place(lane))));
        }
        Ok(Self { of, lanes: inside, at, run: None })
    }

    /// The numbers of its lanes.
    pub(super) fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        let lanes = self.lanes;
        (0..32).filter(move |lane| lanes >> lane & 1 == 1)
    }

    /// Lanes of whose bytes not all are marked.
    pub(super) fn unmarked(&self, marks: &Marks, bytes: usize) -> u32 {
        if marks.is_empty() {
            return 0;
        }
        let is = |lane: &usize| !marks.has(self.at[*lane], bytes);
        self.lanes().filter(is).fold(0, |all, lane| all | 1 << lane)
    }

    /// A word of each lane, of this many bytes, from so far behind its place on.
    pub(super) fn gather(&self, from: &[u8], more: usize, bytes: u8) -> Lanes {
        match bytes {
            4 => self.gathered::<4>(from, more),
            2 => self.gathered::<2>(from, more),
            _ => self.gathered::<1>(from, more),
        }
    }

    fn gathered<const BYTES: usize>(&self, from: &[u8], more: usize) -> Lanes {
        let mut lanes = [0; 32];
        if let Some(apart) = self.run {
            let begin = self.at[0] + more;
            let from = &from[begin..begin + 31 * apart + BYTES];
            for (to, from) in lanes.iter_mut().zip(from.chunks(apart)) {
                let mut word = [0; 4];
                word[..BYTES].copy_from_slice(&from[..BYTES]);
                *to = u32::from_le_bytes(word);
            }
            return lanes;
        }
        for (lane, to) in lanes.iter_mut().enumerate() {
            if self.lanes >> lane & 1 == 1 {
                let at = self.at[lane] + more;
                let mut word = [0; 4];
                word[..BYTES].copy_from_slice(&from[at..at + BYTES]);
                *to = u32::from_le_bytes(word);
            }
        }
        lanes
    }

    /// Writes a word of each lane; those that this changes.
    pub(super) fn scatter(&self, to: &mut [u8], more: usize, bytes: u8, lanes: &Lanes) -> u32 {
        match bytes {
            4 => self.scattered::<4>(to, more, lanes),
            2 => self.scattered::<2>(to, more, lanes),
            _ => self.scattered::<1>(to, more, lanes),
        }
    }

    fn scattered<const BYTES: usize>(&self, to: &mut [u8], more: usize, lanes: &Lanes) -> u32 {
        let mut changed = 0;
        for (lane, word) in lanes.iter().enumerate() {
            if self.lanes >> lane & 1 == 1 {
                let at = self.at[lane] + more;
                let (place, word) = (&mut to[at..at + BYTES], &word.to_le_bytes()[..BYTES]);
                changed |= u32::from(place != word) << lane;
                place.copy_from_slice(word);
            }
        }
        changed
    }
}

/// A stretch's bytes, which of them were written, and who shares them; where that is known.
type StretchBytes<'a> = (&'a mut [u8], Option<&'a mut Marks>, Option<&'a mut [Marks; 2]>);

impl<O> Running<'_, O> {
    pub(super) fn bytes_of(&mut self, warp: usize, stretch: &Stretch) -> StretchBytes<'_> {
        match stretch.of {
            StretchMemory::Global(number) => {
                let array = &mut self.memory.arrays_mut()[number];
                let DeviceArray { bytes, written, shares, .. } = array;
                let written = (!written.is_empty()).then_some(written);
                (bytes, written, shares.as_mut())
            }
            StretchMemory::Shared => (&mut self.block.shared, Some(&mut self.block.written), None),
            StretchMemory::Local => {
                let written = &mut self.block.local_written[warp];
                (&mut self.block.warps[warp].local, Some(written), None)
            }
        }
    }
}
