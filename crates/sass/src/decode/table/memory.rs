//! Accesses, and what warps do together.

use super::{Entry, UNEXECUTED, row};
use crate::decode::fields::*;
use crate::decode::matrix::{GROUP_BYTES, GROUP_FLOATS_OF_8_BITS, GROUP_HALVES};
use crate::instruction::Instruction;
use crate::opcode::*;
use crate::operand::TRUE;

/// A product of a group of warps.
const GROUP: u64 = bit(72) | bits(75, 3) | bit(82) | bits(84, 7);
const GROUP_OPERANDS: &str = "r16 group-a group-places r64 group-adds group-board";

pub(super) const ACCESSES: &[Entry] = &[
    row(0x180, GLOBAL, "LD extended evict ltc size order-of-load", "d global", |w, it| {
        w.load(it, AddressSpace::Generic)
    }),
    row(0x181, GLOBAL, "LDG extended evict ltc size order-of-load", "?p81 d global", |w, it| {
        w.load(it, AddressSpace::Global)
    }),
    row(0x182, SIZE, "LDC size indexing", "d constant", |w, it| w.constant(it)),
    row(0x183, SIZE | bit(72) | bit(76) | bits(84, 3), "LDL evict size", "d local", |w, it| {
        w.load(it, AddressSpace::Local)
    }),
    row(0x184, SIZE, "LDS size", "d shared", |w, it| w.load(it, AddressSpace::Shared)),
    row(0x185, GLOBAL, "ST extended evict size order", "global generic-data", |w, it| {
        // Without a descriptor the value stands elsewhere.
        w.store(it, AddressSpace::Generic).filter(|_| w.form() == 4)
    }),
    row(0x186, GLOBAL, "STG extended evict size order", "global r32", |w, it| {
        w.store(it, AddressSpace::Global)
    }),
    row(0x187, SIZE | bit(72) | bit(76) | bits(84, 3), "STL evict size", "local r32", |w, it| {
        w.store(it, AddressSpace::Local)
    }),
    row(0x188, SIZE, "STS size", "shared r32", |w, it| w.store(it, AddressSpace::Shared)),
    row(0x189, P, "SHFL shuffle", "p81 d a shuffle-by shuffle-within", |w, it| {
        it.does(Opcode::Shfl(w.shuffle())).filter(|_| matches!(w.form(), 1 | 2 | 4 | 7))
    }),
    row(
        0x18a,
        GLOBAL,
        "ATOM extended operation evict atomic-type order",
        "p81 d global r32",
        |w, it| w.atomic(it, AddressSpace::Generic, w.integer_element()?, w.operation(4)?),
    ),
    row(
        0x18b,
        GLOBAL,
        "ATOM extended atomic-cas evict atomic-type order",
        "p81 d global r32 r64",
        |w, it| {
            w.atomic(
                it,
                AddressSpace::Generic,
                w.integer_element()?,
                AtomicOperation::CompareAndSwap,
            )
        },
    ),
    row(
        0x18c,
        SIZE | SOURCE,
        "ATOMS operation-shared atomic-type",
        "d shared shared-data",
        |w, it| w.atomic(it, AddressSpace::Shared, w.integer_element()?, w.operation_in_shared()?),
    ),
    row(0x18d, SIZE | SOURCE, "ATOMS cas-shared atomic-type", "d shared r32 r64", |w, it| {
        w.atomic(it, AddressSpace::Shared, w.integer_element()?, w.swap_in_shared()?)
    }),
    row(0x18e, GLOBAL, "REDG extended reduction evict atomic-type order", "global r32", |w, it| {
        w.reduction(it, AddressSpace::Global, w.integer_element()?, w.operation(3)?)
    }),
    row(0x18f, u64::MAX, "CCTL cctl-cache cctl", "cctl", |_, it| it.does(Opcode::Fence)),
    row(0x192, u64::MAX, "MEMBAR membar-kind membar", "", |_, it| it.does(Opcode::Fence)),
    row(
        0x199,
        bit(72) | SIZE | bits(77, 4) | bits(84, 3),
        "SULD.D surface-format surface-shape surface-size evict order surface-edge",
        "d surface ur40 surface-place",
        |w, it| w.surface(it, false),
    ),
    row(
        0x19d,
        bit(72) | SIZE | bits(77, 4) | bits(84, 3),
        "SUST.D surface-format surface-shape surface-size evict order surface-edge",
        "surface r32 ur40 surface-place",
        |w, it| w.surface(it, true),
    ),
    row(0x1a1, bit(73) | bit(79) | P, "MATCH match wide-match", "match-to d a", |w, it| {
        it.wide(1, [1 + w.field(73, 1) as u8, 1, 1]).does(Opcode::Match { is_all: !w.bit(79) })
    }),
    row(
        0x1a2,
        GLOBAL,
        "ATOM extended float-operation evict atomic-float order",
        "p81 d global r32",
        |w, it| w.atomic(it, AddressSpace::Generic, w.float_element()?, w.float_operation(4)?),
    ),
    row(
        0x1a3,
        GLOBAL,
        "ATOMG extended float-operation evict atomic-float order",
        "p81 d global r32",
        |w, it| w.atomic(it, AddressSpace::Global, w.float_element()?, w.float_operation(4)?),
    ),
    row(
        0x1a6,
        GLOBAL,
        "REDG extended float-operation evict atomic-float order",
        "global r32",
        |w, it| w.reduction(it, AddressSpace::Global, w.float_element()?, w.float_operation(3)?),
    ),
    row(
        0x1a7,
        bit(72) | bit(74) | P | bits(84, 3),
        "SYNCS syncs trywait tmask red optout arrivals",
        "syncs",
        |w, it| w.memory_barrier(it),
    ),
    row(
        0x1a8,
        GLOBAL,
        "ATOMG extended operation evict atomic-type order",
        "p81 d global r32",
        |w, it| w.atomic(it, AddressSpace::Global, w.integer_element()?, w.operation(4)?),
    ),
    row(
        0x1a9,
        GLOBAL,
        "ATOMG extended atomic-cas evict atomic-type order",
        "p81 d global r32 r64",
        |w, it| {
            w.atomic(
                it,
                AddressSpace::Global,
                w.integer_element()?,
                AtomicOperation::CompareAndSwap,
            )
        },
    ),
    row(0x1aa, bit(72) | SIZE | P, "QSPC extended qspc", "p81 d global", |w, it| w.space_query(it)),
    row(0x1ab, u64::MAX, "ERRBAR", "", |_, it| it.does(Opcode::Fence)),
    row(
        0x1ae,
        GLOBAL,
        "LDGSTS.E bypass evict ltc-copy size order-of-load zfill",
        "copied global-source ?q87",
        |w, it| w.copy_to_shared(it),
    ),
    row(0x1af, u64::MAX, "LDGDEPBAR", "", |_, it| it.does(Opcode::Ldgdepbar)),
    row(0x1b0, bit(73) | bit(75), "ARRIVES.LDGSTSBAR.64.TRANSCNT", "shared", |w, it| {
        w.copies_arrive(it)
    }),
    row(0x1b1, 0, "SYNCS.CCTL.IV", "shared", |w, it| w.memory_barrier_end(it)),
    row(0x1b2, bit(72), "SYNCS.EXCH.64", "ur16 exchanged ur32", |w, it| w.memory_barrier_set(it)),
    row(0x1b4, bits(79, 3), "UTMALDG axes multicast", "[ur32] [ur24] 75?ur64", |w, it| {
        w.tensor_copy(it, BulkCopy { is_load: true, adds: false })
    }),
    row(0x1b5, bits(79, 3), "UTMASTG axes", "[ur32] [ur24]", |w, it| {
        w.tensor_copy(it, BulkCopy { is_load: false, adds: false })
    }),
    row(0x1b6, bits(79, 3), "UTMAREDG axes reduction", "[ur32] [ur24]", |w, it| {
        w.tensor_copy(it, BulkCopy { is_load: false, adds: true })
    }),
    row(0x1b7, 0, "UTMACMDFLUSH", "", |_, it| it.does(Opcode::Nop)),
    row(0x1b9, bit(82), "UTMACCTL.PF", "[ur24]", |_, it| it.does(Opcode::Nop)),
    row(0x1ba, bits(73, 2), "UBLKCP copy-way multicast", "[ur32] [ur24] ur64", |w, it| {
        w.bulk_copy(it)
    }),
    row(0x1bb, bit(74) | bits(81, 3), "UBLKRED.G.S.ADD.F32.RN", "[ur32] [ur24] ur64", |w, it| {
        w.bulk_copy(it)
    }),
    row(0x1c2, P | bit(84), "R2UR or84", "p-r2ur ur16 r24", |_, it| it.does(Opcode::R2ur)),
    row(0x1c3, bits(72, 8), "S2UR", "ur16 special", |w, it| {
        it.does(Opcode::S2r(w.special_register()?))
    }),
    row(0x1c4, bit(73) | bits(78, 3), "REDUX redux s32", "ur16 r24", |w, it| {
        it.does(Opcode::Redux { operation: w.warp_operation()?, is_signed: w.bit(73) })
    }),
    row(0x1c7, 0, "UCGABAR_ cluster-step", "", UNEXECUTED),
    // There are always as many registers as a thread asks for.
    row(0x1c8, bits(72, 3) | P, "USETMAXREG register-step", "73?up81 n32.8", |w, it| {
        let to = if w.bit(73) { w.condition_to(81, true) } else { TRUE };
        Instruction { conditions_to: [to, TRUE], ..it }.does(Opcode::Setmaxreg)
    }),
    row(0x1c6, u64::MAX, "FENCE.VIEW.ASYNC fence", "", |_, it| it.does(Opcode::Fence)),
    row(0x1c5, bits(72, 9), "WARPGROUP group-step", "47?group-left", |_, it| it.does(Opcode::Nop)),
    row(GROUP_HALVES, GROUP, "HGMMA group-shape group-sum group-type", GROUP_OPERANDS, |w, it| {
        w.group_product(it)
    }),
    row(GROUP_BYTES, GROUP, "IGMMA group-shape u8-76 u8-82 sat75", GROUP_OPERANDS, |w, it| {
        w.group_product(it)
    }),
    row(
        GROUP_FLOATS_OF_8_BITS,
        GROUP,
        "QGMMA group-shape group-sum float8-76 float8-77",
        GROUP_OPERANDS,
        |w, it| w.group_product(it),
    ),
];
