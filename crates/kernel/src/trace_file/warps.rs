//! Accesses of warps, as tracers of GPUs print them; what NVBit's tool `mem_trace` and PPT-GPU's do.

use super::lines::{Lines, hexadecimal};
use super::{Launches, TraceFileError};
use crate::timing::Recorder;
use memory_machine_core::units::WARP;
use memory_machine_sass::launch::{MemoryAccess, MemorySpace, WarpAccess, WarpPlace};

/// Where windows of addresses begin; 0: none is known.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Memory {
    pub(super) shared: u64,
    pub(super) local: u64,
}

/// Bytes of a window.
const WINDOW_BYTES: u64 = 1 << 24;

/// What an instruction does to which memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opcode {
    Barrier,
    Access {
        /// None, where addresses say.
        space: Option<MemorySpace>,
        access: MemoryAccess,
        bytes: u64,
    },
}

impl Opcode {
    /// Of a name such as `LDG.E.64`; nothing, if it neither accesses memory that is timed nor waits.
    pub(super) fn of(name: &str) -> Result<Option<Self>, String> {
        use MemoryAccess::{Atomic, Load, Store};
        use MemorySpace::{Global, Local, Shared};
        let mut parts = name.split('.');
        let (space, access) = match parts.next().unwrap_or_default() {
            "BAR" => return Ok(Some(Self::Barrier)),
            "LDG" | "LDGSTS" => (Some(Global), Load),
            "STG" => (Some(Global), Store),
            "LDS" | "LDSM" => (Some(Shared), Load),
            "STS" | "STSM" => (Some(Shared), Store),
            "LDL" => (Some(Local), Load),
            "STL" => (Some(Local), Store),
            "LD" => (None, Load),
            "ST" => (None, Store),
            "ATOMS" => (Some(Shared), Atomic),
            "ATOMG" | "RED" | "REDG" => (Some(Global), Atomic),
            "ATOM" => (None, Atomic),
            "UBLKCP" | "UTMALDG" | "UTMASTG" | "SUST" | "SULD" | "SUATOM" | "SURED" => {
                return Err(format!("{name} is not timed"));
            }
            _ => return Ok(None),
        };
        let is_matrix = name.starts_with("LDSM") || name.starts_with("STSM");
        let bits = parts.find_map(|it| {
            let digits = it.trim_start_matches(['U', 'S', 'F']);
            digits.parse::<u64>().ok().filter(|it| matches!(it, 8 | 16 | 32 | 64 | 128))
        });
        let bytes = if is_matrix { 16 } else { bits.unwrap_or(32) / 8 };
        Ok(Some(Self::Access { space, access, bytes }))
    }

    pub(super) fn is_barrier(self) -> bool {
        self == Self::Barrier
    }
}

/// A line of a trace: an instruction of a warp with what it accesses.
pub(super) struct WarpLine {
    pub(super) opcode: Opcode,
    pub(super) active: u32,
    pub(super) addresses: [u64; 32],
}

impl WarpLine {
    /// Records it; whether there is room for more.
    pub(super) fn record(
        mut self,
        recorder: &mut Recorder,
        memory: &Memory,
        (block, warp): (u64, u64),
    ) -> bool {
        let Opcode::Access { space, access, bytes } = self.opcode else {
            recorder.warp_barrier(block, warp);
            return true;
        };
        let first = self.addresses[self.active.trailing_zeros() as usize % 32];
        let within = |begin: u64| begin != 0 && (begin..begin + WINDOW_BYTES).contains(&first);
        let space = space.unwrap_or(match () {
            () if within(memory.shared) => MemorySpace::Shared,
            () if within(memory.local) => MemorySpace::Local,
            () => MemorySpace::Global,
        });
        if space == MemorySpace::Shared {
            self.addresses.iter_mut().for_each(|it| *it %= WINDOW_BYTES);
        }
        let warp = WarpPlace { block, warp, instruction: 0, active: self.active };
        let addresses = &self.addresses;
        let (unwritten, unchanged, values) = (0, 0, &[0; 32]);
        let it = WarpAccess {
            warp,
            space,
            access,
            bytes,
            addresses,
            unwritten,
            unchanged,
            values,
            is_request: true,
        };
        recorder.access(&it);
        !recorder.is_full()
    }
}

pub(super) fn read(
    lines: &mut Lines<'_>,
    launches: &mut Launches<'_>,
) -> Result<(), TraceFileError> {
    let mut recorder: Option<Recorder> = None;
    let mut of_launch = String::new();
    let mut threads = None;
    while let Some(line) = lines.next()? {
        let Some(text) = line.strip_prefix("MEMTRACE:") else { continue };
        if text.contains("- LAUNCH -") {
            threads = text.split("block size ").nth(1).and_then(product);
            continue;
        }
        let fields: Vec<&str> = text.split(" - ").map(str::trim).collect();
        let at = fields.iter().position(|it| it.starts_with("CTA "));
        let Some([cta, warp, opcode, addresses]) =
            at.and_then(|at| fields.get(at..at + 4)).and_then(|it| it.first_chunk::<4>())
        else {
            return Err(lines.wrong("is no access of a warp"));
        };
        let launch = fields.get(1).filter(|it| it.starts_with("grid_launch_id"));
        let launch = launch.copied().unwrap_or_default();
        if launch != of_launch
            && let Some(before) = recorder.take()
        {
            launches.end(before)?;
        }
        launch.clone_into(&mut of_launch);
        let block = three(&cta[4..]).map(block_number);
        let block = block.ok_or_else(|| lines.wrong(format!("`{cta}` names no block")))?;
        let warp = warp.strip_prefix("warp ").and_then(|it| warp_number(it.trim()));
        let warp = warp.ok_or_else(|| lines.wrong("names no warp"))?;
        let Some(opcode) = Opcode::of(opcode).map_err(|why| lines.wrong(why))? else { continue };
        let mut own = WarpLine { opcode, active: 0, addresses: [0; 32] };
        for (lane, word) in addresses.split_whitespace().take(WARP as usize).enumerate() {
            let address =
                hexadecimal(word).ok_or_else(|| lines.wrong(format!("`{word}` is no address")))?;
            own.addresses[lane] = address;
            own.active |= u32::from(address != 0) << lane;
        }
        let recorder = recorder.get_or_insert_with(|| Recorder::new(threads.unwrap_or(1024)));
        if own.active != 0 && !own.record(recorder, &Memory::default(), (block, warp)) {
            return launches.end(recorder.take());
        }
    }
    match recorder {
        Some(recorder) => launches.end(recorder),
        None => Ok(()),
    }
}

/// Whether a name is of an instruction that accesses memory.
pub(super) fn is_access(name: &str) -> bool {
    matches!(Opcode::of(name), Ok(Some(Opcode::Access { .. })))
}

/// Of PPT-GPU: a line an access, `=====` between them, of a block. Which warp makes it is not said: they are
/// one after another.
pub(super) fn read_block(
    lines: &mut Lines<'_>,
    launches: &mut Launches<'_>,
) -> Result<(), TraceFileError> {
    let mut recorder = Recorder::new(WARP);
    while let Some(line) = lines.next()? {
        let mut words = line.split_whitespace();
        let Some(name) = words.next().filter(|it| !it.starts_with("==")) else { continue };
        let Some(opcode) = Opcode::of(name).map_err(|why| lines.wrong(why))? else { continue };
        let addresses: Option<Vec<u64>> = words.map(hexadecimal).collect();
        let addresses = addresses.ok_or_else(|| lines.wrong("holds what is no address"))?;
        // A copy has those in shared memory first.
        let of_copy = if name.starts_with("LDGSTS") { addresses.len() / 2 } else { 0 };
        let addresses = &addresses[of_copy..];
        if addresses.len() > WARP as usize {
            return Err(
                lines.wrong(format!("{} addresses; a warp has 32 threads", addresses.len()))
            );
        }
        let active = (1_u64 << addresses.len()) - 1;
        let mut own = WarpLine { opcode, active: active as u32, addresses: [0; 32] };
        own.addresses[..addresses.len()].copy_from_slice(addresses);
        if active != 0 && !own.record(&mut recorder, &Memory::default(), (0, 0)) {
            break;
        }
    }
    launches.end(recorder)
}

/// Three numbers, of a place or of extents.
pub(super) fn three(text: &str) -> Option<[u64; 3]> {
    let text = text.trim().trim_start_matches('(').trim_end_matches(')');
    let mut parts = text.split(',').map(|it| it.trim().parse::<u64>().ok());
    let place = [parts.next()??, parts.next()??, parts.next()??];
    (place[0] < 1 << 32 && place[1].max(place[2]) < 1 << 16).then_some(place)
}

/// One number for the place of a block, in their order.
pub(super) fn block_number([x, y, z]: [u64; 3]) -> u64 {
    x | y << 32 | z << 48
}

/// Of a block's warps, of which there are 32 at most.
pub(super) fn warp_number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|it| *it < WARP)
}

/// `256,1,1 …`.
fn product(text: &str) -> Option<u64> {
    let end = text.find(|it: char| !it.is_ascii_digit() && it != ',').unwrap_or(text.len());
    let parts: Option<Vec<u64>> = text[..end].split(',').map(|it| it.parse().ok()).collect();
    parts?.iter().try_fold(1_u64, |all, it| all.checked_mul(*it)).map(|it| it.clamp(1, 1024))
}
