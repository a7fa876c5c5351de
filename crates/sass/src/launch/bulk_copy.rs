//! Copies between global and shared memory: of each thread, or of many bytes that one instruction begins, in order
//! or the box of a tensor that a [`TensorMap`] describes. A barrier in shared memory is told of those that come there.
//!
//! Here they are made at once, which no kernel can tell that waits for them.

use super::access::At;
use super::execution::Running;
use super::observer::{LaunchObserver, MemoryAccess, MemorySpace, WarpAccess};
use super::shared::first_words;
use super::tensor_map::{MAP_BYTES, Piece, TensorMap};
use super::{Fault, FaultCause};
use crate::instruction::Instruction;
use crate::lanes::{MapLanes, each};
use crate::opcode::{
    AddressSpace, Atomic, AtomicElement, AtomicOperation, BulkCopy, MemoryBarrierStep,
};
use crate::values::word_at;

/// A unit of bytes in order.
const UNIT: u64 = 16;

/// What a copy does on one of its sides, and for which lanes.
struct Side<'a> {
    access: MemoryAccess,
    addresses: &'a [u64; 32],
    lanes: u32,
    /// Those that read what nobody has written.
    unwritten: u32,
}

impl<O: LaunchObserver> Running<'_, O> {
    /// The second word of the place in shared memory is where the barrier is that is told.
    pub(super) fn bulk_copy(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        (copy, active): (BulkCopy, u32),
    ) -> Result<(), Box<Fault>> {
        if active == 0 {
            return Ok(());
        }
        let registers = self.registers(number);
        let word = |of, at| u64::from(registers.word(of, at)[0]);
        let long = |of| word(of, 1) << 32 | word(of, 0);
        let (shared, barrier) =
            if copy.is_load { (word(it.b, 0), word(it.b, 1)) } else { (word(it.a, 0), 0) };
        let global = if copy.is_load { long(it.a) } else { long(it.b) };
        let units = word(it.c, 0);
        let at = At { warp: number, place, it, word: "a copy" };
        let pieces: Vec<Piece> = (0..units)
            .map(|unit| unit * UNIT)
            .map(|by| Piece { global: Some(global.wrapping_add(by)), shared: shared + by })
            .collect();
        self.move_pieces(at, &pieces, (UNIT, copy, AtomicElement::Float))?;
        if copy.is_load { self.tell(at, barrier, UNIT * units) } else { Ok(()) }
    }

    /// The box of a tensor at coordinates that follow the place in shared memory, and the barrier.
    pub(super) fn tensor_copy(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        (copy, active): (BulkCopy, u32),
    ) -> Result<(), Box<Fault>> {
        if active == 0 {
            return Ok(());
        }
        let registers = self.registers(number);
        let word = |of, at| registers.word(of, at)[0];
        let address = u64::from(word(it.a, 1)) << 32 | u64::from(word(it.a, 0));
        let shared = u64::from(word(it.b, 0));
        let barrier = u64::from(word(it.b, 1));
        let first = if copy.is_load { 2 } else { 1 };
        let axes = u16::from(it.b.words) - first;
        let begin: Vec<i64> =
            (0..axes).map(|axis| i64::from(word(it.b, first + axis).cast_signed())).collect();
        let at = At { warp: number, place, it, word: "a copy" };
        let refuse =
            |of: &Self, what: String| Err(of.fault(number, place, None, FaultCause::Tensor(what)));
        let map = self.memory.place(address, MAP_BYTES as u64).and_then(|at| {
            let bytes = &self.memory.array(at.array)?.bytes[at.byte as usize..];
            TensorMap::read(bytes)
        });
        let Some(map) = map else {
            return refuse(self, format!("at {address:#x}, where no tensor map is"));
        };
        if map.extents.len() != begin.len() {
            let (has, of) = (map.extents.len(), begin.len());
            return refuse(self, format!("of {of} axes with a map of {has}"));
        }
        if copy.adds && !matches!(map.element_bytes, 2 | 4) {
            return refuse(self, format!("that adds elements of {} bytes", map.element_bytes));
        }
        if let Some(axis) = begin.iter().position(|it| *it < 0).filter(|_| !copy.is_load) {
            return refuse(
                self,
                format!("from shared memory to coordinate {} of axis {axis}", begin[axis]),
            );
        }
        let (bytes, pieces) = match map.pieces(&begin, shared) {
            Ok(it) => it,
            Err(why) => return refuse(self, why),
        };
        self.move_pieces(at, &pieces, (bytes, copy, map.element))?;
        if copy.is_load { self.tell(at, barrier, bytes * pieces.len() as u64) } else { Ok(()) }
    }

    /// Of each thread, to shared memory, which gets zeros where its condition does not hold; what is said of its
    /// place is of that in shared memory.
    pub(super) fn copy(&mut self, at: At<'_>, active: u32, fills: bool) -> Result<(), Box<Fault>> {
        let it = at.it;
        let to = self.registers(at.warp).word(it.b, 0);
        let from = self.registers(at.warp).long(it.a);
        let from = from.each(|at| at.wrapping_add_signed(it.source_offset.into()));
        let to = to.each(|at| u64::from(at.wrapping_add_signed(it.offset)));
        let copied = active & self.block.warps[at.warp].holding(it.conditions[0]);
        let bytes = u64::from(it.bytes);
        // Of a copy that fills up with zeros the address says how many of them, below a multiple of its size.
        let zeros = from.each(|at| if fills { at % bytes } else { 0 });
        let base = each!(|lane| from[lane] - zeros[lane]);
        let lanes = |of: &dyn Fn(u64) -> bool| {
            (0..32).filter(|lane| of(zeros[*lane])).fold(0, |all, lane| all | 1 << lane) & copied
        };
        let whole = lanes(&|it| it == 0);
        let (mut words, mut unwritten) =
            self.take_pieces(at, (AddressSpace::Global, &base), whole)?;
        for byte in 0..bytes {
            let some = lanes(&|it| it != 0 && byte < bytes - it);
            if some != 0 {
                let single = Instruction { bytes: 1, ..*it };
                let addresses = base.each(|at| at + byte);
                let of = (AddressSpace::Global, &addresses);
                let (taken, more) = self.take_pieces(At { it: &single, ..at }, of, some)?;
                unwritten |= more;
                for lane in (0..32).filter(|lane| some >> lane & 1 == 1) {
                    words[lane][byte as usize] = taken[lane][0];
                }
            }
        }
        self.put_pieces(at, (AddressSpace::Shared, &to), active, &words, None)?;
        let global =
            Side { access: MemoryAccess::Load, addresses: &base, lanes: copied, unwritten };
        let shared =
            Side { access: MemoryAccess::Store, addresses: &to, lanes: active, unwritten: 0 };
        self.note_copy(at, [global, shared], true);
        Ok(())
    }

    /// Tells the observer of a copy's accesses to global and shared memory; the words are those in shared memory.
    fn note_copy(&mut self, at: At<'_>, [global, shared]: [Side<'_>; 2], is_request: bool) {
        let values = &first_words(&self.block.shared, shared.addresses, shared.lanes);
        let bytes = at.it.bytes.into();
        for (space, side) in [(MemorySpace::Global, global), (MemorySpace::Shared, shared)] {
            let Side { access, addresses, lanes, unwritten } = side;
            if lanes != 0 {
                let warp = self.place(at.warp, at.place as usize, lanes);
                self.observer.access(&WarpAccess {
                    warp,
                    space,
                    access,
                    bytes,
                    addresses,
                    unwritten,
                    unchanged: 0,
                    values,
                    is_request,
                });
            }
        }
    }

    fn tell(&mut self, at: At<'_>, barrier: u64, bytes: u64) -> Result<(), Box<Fault>> {
        let whole = Instruction { bytes: 8, ..*at.it };
        let at = At { it: &whole, word: "a barrier", ..at };
        let old = self.barrier_at(at, barrier, 0, MemoryBarrierStep::CopiesArrive)?;
        self.block.is_idle = false;
        self.step_barrier(at, (barrier, 0), old, (0, -bytes.cast_signed()))
    }

    /// Pieces of so many bytes, as many at once as a warp has lanes.
    fn move_pieces(
        &mut self,
        at: At<'_>,
        pieces: &[Piece],
        (bytes, copy, element): (u64, BulkCopy, AtomicElement),
    ) -> Result<(), Box<Fault>> {
        let piece = Instruction { bytes: bytes as u8, ..*at.it };
        let at = At { it: &piece, ..at };
        for some in pieces.chunks(32) {
            let lanes = u32::MAX >> (32 - some.len());
            let mut shared = [some[0].shared; 32];
            let mut global = [0; 32];
            let mut inside = 0;
            for (lane, it) in some.iter().enumerate() {
                shared[lane] = it.shared;
                global[lane] = it.global.unwrap_or(0);
                inside |= u32::from(it.global.is_some()) << lane;
            }
            let (space, other) = (AddressSpace::Shared, AddressSpace::Global);
            let unwritten = match copy.is_load {
                true => {
                    let (words, unwritten) = self.take_pieces(at, (other, &global), inside)?;
                    self.put_pieces(at, (space, &shared), lanes, &words, None)?;
                    [unwritten, 0]
                }
                false => {
                    let (words, unwritten) = self.take_pieces(at, (space, &shared), inside)?;
                    let adds = copy.adds.then_some(element);
                    self.put_pieces(at, (other, &global), inside, &words, adds)?;
                    [0, unwritten]
                }
            };
            let [of_global, of_shared] = match (copy.is_load, copy.adds) {
                (true, _) => [MemoryAccess::Load, MemoryAccess::Store],
                (false, false) => [MemoryAccess::Store, MemoryAccess::Load],
                (false, true) => [MemoryAccess::Atomic, MemoryAccess::Load],
            };
            let [in_global, in_shared] = unwritten;
            let global =
                Side { access: of_global, addresses: &global, lanes: inside, unwritten: in_global };
            let shared =
                Side { access: of_shared, addresses: &shared, lanes, unwritten: in_shared };
            self.note_copy(at, [global, shared], false);
        }
        Ok(())
    }

    /// What stands there, and which of it nobody has written; zeros of other lanes.
    fn take_pieces(
        &mut self,
        at: At<'_>,
        (space, addresses): (AddressSpace, &[u64; 32]),
        lanes: u32,
    ) -> Result<([[u8; UNIT as usize]; 32], u32), Box<Fault>> {
        let bytes = usize::from(at.it.bytes);
        let (mut taken, mut unwritten, mut left) = ([[0; UNIT as usize]; 32], 0, lanes);
        while left != 0 {
            let stretch = self.stretch(at, space, addresses, left)?;
            left &= !stretch.lanes;
            unwritten |= self.read(at.warp, &stretch, bytes as u64);
            let from = self.bytes_of(at.warp, &stretch);
            for lane in stretch.lanes() {
                taken[lane][..bytes].copy_from_slice(&from[stretch.at(lane)..][..bytes]);
            }
        }
        Ok((taken, unwritten))
    }

    /// Writes it there, or adds it to what stands there.
    fn put_pieces(
        &mut self,
        at: At<'_>,
        (space, addresses): (AddressSpace, &[u64; 32]),
        lanes: u32,
        words: &[[u8; UNIT as usize]; 32],
        adds: Option<AtomicElement>,
    ) -> Result<(), Box<Fault>> {
        let bytes = usize::from(at.it.bytes);
        let mut left = lanes;
        while left != 0 {
            let stretch = self.stretch(at, space, addresses, left)?;
            left &= !stretch.lanes;
            let to = self.bytes_to(at.warp, &stretch);
            for lane in stretch.lanes() {
                let to = &mut to[stretch.at(lane)..][..bytes];
                match adds {
                    None => to.copy_from_slice(&words[lane][..bytes]),
                    Some(element) => add(to, &words[lane][..bytes], element),
                }
            }
            let (written, shares) = self.marks_of(at.warp, &stretch);
            for marks in written.into_iter().chain(shares.map(|[_, written]| written)) {
                stretch.mark(marks, bytes);
            }
        }
        Ok(())
    }
}

/// Adds words of 32 bits to others.
fn add(to: &mut [u8], from: &[u8], element: AtomicElement) {
    let add = Atomic { operation: AtomicOperation::Add, element, space: AddressSpace::Global };
    for (to, from) in to.chunks_exact_mut(4).zip(from.chunks_exact(4)) {
        let sum = add.apply(word_at(to, 0, 4), word_at(from, 0, 4), 0, 4);
        to.copy_from_slice(&(sum as u32).to_le_bytes());
    }
}
