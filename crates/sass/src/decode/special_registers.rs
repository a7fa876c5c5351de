//! Special registers: their numbers, their names, and what they hold, if that is known.

use super::EncodedInstruction;
use crate::opcode::SpecialRegister::{self, *};

/// Number, name behind `SR_`, and what it holds.
const SPECIAL_REGISTERS: &[(u64, &str, Option<SpecialRegister>)] = &[
    (0x00, "LANEID", Some(Lane)),
    (0x01, "CLOCK", None),
    (0x02, "VIRTCFG", None),
    (0x03, "VIRTID", None),
    (0x10, "PRIM_TYPE", None),
    (0x20, "TID", None),
    (0x21, "TID.X", Some(Thread(0))),
    (0x22, "TID.Y", Some(Thread(1))),
    (0x23, "TID.Z", Some(Thread(2))),
    (0x25, "CTAID.X", Some(Block(0))),
    (0x26, "CTAID.Y", Some(Block(1))),
    (0x27, "CTAID.Z", Some(Block(2))),
    (0x28, "NTID", None),
    (0x29, "CirQueueIncrMinusOne", None),
    (0x2a, "NLATC", None),
    (0x2c, "SM_SPA_VERSION", None),
    (0x2e, "LWINHI", None),
    (0x2f, "SWINHI", Some(SharedWindow)),
    (0x30, "SWINLO", None),
    (0x31, "SWINSZ", None),
    (0x32, "SMEMSZ", Some(SharedBytes)),
    (0x33, "SMEMBANKS", None),
    (0x34, "LWINLO", None),
    (0x35, "LWINSZ", None),
    (0x36, "LMEMLOSZ", None),
    (0x37, "LMEMHIOFF", None),
    (0x38, "EQMASK", Some(LanesEqual)),
    (0x39, "LTMASK", Some(LanesLess)),
    (0x3a, "LEMASK", Some(LanesUpTo)),
    (0x3b, "GTMASK", Some(LanesGreater)),
    (0x3c, "GEMASK", Some(LanesFrom)),
    (0x3d, "REGALLOC", None),
    (0x3e, "BARRIERALLOC", None),
    (0x40, "GLOBALERRORSTATUS", None),
    (0x41, "CGAERRORSTATUS", None),
    (0x42, "WARPERRORSTATUS", None),
    (0x43, "VIRTUALSMID", Some(Multiprocessor)),
    (0x44, "VIRTUALENGINEID", None),
    (0x50, "CLOCKLO", Some(Clock)),
    (0x51, "CLOCKHI", Some(ClockUpper)),
    (0x52, "GLOBALTIMERLO", Some(Clock)),
    (0x53, "GLOBALTIMERHI", Some(ClockUpper)),
    (0x54, "ESR_PC", None),
    (0x55, "ESR_PC_HI", None),
    (0x86, "WARPGROUP_INFO", None),
    (0x87, "WARPGROUPID", None),
    (0x88, "CgaCtaId", Some(Zero)),
    (0x89, "GpcLocalCgaId", None),
    (0x8b, "CTARegPoolSz", None),
    (0xff, "SRZ", None),
];

/// The one that holds nothing: its name is its own.
const ZERO: u64 = 0xff;

/// How it is called; the number, if nothing else is known.
pub(super) fn special_register_name(number: u64) -> String {
    match SPECIAL_REGISTERS.iter().find(|it| it.0 == number) {
        _ if number == ZERO => "SRZ".to_owned(),
        Some((_, name, _)) => format!("SR_{name}"),
        None => format!("SR{number}"),
    }
}

impl EncodedInstruction {
    /// The special register of a number, if it is known what it holds.
    pub(super) fn special_register(self) -> Option<SpecialRegister> {
        match self.field(72, 8) {
            ZERO => Some(Zero),
            number => SPECIAL_REGISTERS.iter().find(|it| it.0 == number)?.2,
        }
    }
}
