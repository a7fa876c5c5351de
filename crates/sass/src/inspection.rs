//! The description of a kernel's instructions to those who execute none.

use super::cubin::KernelCode;
use super::decode::{full_name, mnemonic, text};
use super::instruction::Instruction;
use super::opcode::Opcode;
use super::operand::RZ;

/// Where it is said whether the warp goes on.
const TURN_BIT: u32 = 109;
/// Between a reading and what is done with it there are at most so many.
const LOOP_INSTRUCTIONS: usize = 48;

/// A word of machine code for sm_90 as NVIDIA's disassembler writes it, with its modifiers and operands;
/// `None` if there is no such instruction. `place` is its number among those of its kernel: jumps go to a byte
/// there, as in `cuobjdump -sass`.
///
/// ```
/// let word = 0x000fe2000000000c_bd563cae0f0c7423;
/// assert_eq!(
///     memory_machine_sass::disassemble(word, 0).as_deref(),
///     Some("FFMA R12, R15, R12, -0.052303962409496307373")
/// );
/// ```
pub fn disassemble(word: u128, place: u64) -> Option<String> {
    text(word, place)
}

/// An instruction as tracers of GPUs write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedInstruction {
    /// Its name with its modifiers, such as `LDG.E.64`.
    pub name: String,
    /// Registers of a thread that it writes.
    pub writes: Vec<u16>,
    /// And reads.
    pub reads: Vec<u16>,
    /// Bytes of each thread, if it accesses memory.
    pub bytes: u8,
}

impl KernelCode {
    /// An instruction by its number.
    pub fn named(&self, instruction: usize) -> Option<NamedInstruction> {
        let it = self.instructions.get(instruction)?;
        let own = |all: &mut dyn Iterator<Item = u16>| all.filter(|it| *it < RZ).collect();
        let name = full_name(self.bits[instruction])?;
        let bytes = if it.is_access() { it.bytes } else { 0 };
        Some(NamedInstruction {
            name,
            writes: own(&mut it.writes()),
            reads: own(&mut it.reads()),
            bytes,
        })
    }

    /// An instruction as NVIDIA's disassembler writes it, with its modifiers and operands; jumps go to a byte
    /// of the kernel. What is no known instruction is written as its number.
    pub fn text(&self, instruction: usize) -> Option<String> {
        let bits = *self.bits.get(instruction)?;
        Some(text(bits, instruction as u64).unwrap_or_else(|| mnemonic(bits)))
    }

    /// What the compiler says of an instruction's time: scoreboards that it waits for, the one that tells when
    /// it has read, and when it has written, whether another warp is better served next (Y), and the cycles
    /// until the warp's next one, as in `B0-----:R-:W1:Y:S02`.
    pub fn control(&self, instruction: usize) -> Option<String> {
        let bits = *self.bits.get(instruction)?;
        let it = self.instructions.get(instruction)?.control;
        let waits: String = (0..6)
            .map(|at| if it.waits >> at & 1 == 1 { char::from(b'0' + at) } else { '-' })
            .collect();
        let board = |it: Option<u8>| it.map_or('-', |it| char::from(b'0' + it));
        let turns = if bits >> TURN_BIT & 1 == 0 { 'Y' } else { '-' };
        Some(format!(
            "B{waits}:R{}:W{}:{turns}:S{:02}",
            board(it.read),
            board(it.written),
            it.stall
        ))
    }

    /// Operations of floating-point numbers that a thread does at an instruction: of those of at most 32
    /// bits, and of 64. A fused product and sum is two.
    pub fn operations(&self, instruction: usize) -> [f64; 2] {
        match self.instructions.get(instruction).map(|it| it.opcode) {
            Some(Opcode::Fadd | Opcode::Fmul) => [1.0, 0.0],
            Some(Opcode::Ffma | Opcode::Hadd2(_) | Opcode::Hmul2(_)) => [2.0, 0.0],
            Some(Opcode::Hfma2(_)) => [4.0, 0.0],
            Some(Opcode::Dadd | Opcode::Dmul) => [0.0, 1.0],
            Some(Opcode::Dfma) => [0.0, 2.0],
            _ => [0.0; 2],
        }
    }

    /// Whether threads of a warp that make an instruction meet there, so that what they did to memory before
    /// it is seen after it. (`__syncwarp` is a NOP where the compiler knows that they are together.)
    pub fn orders_warp(&self, instruction: usize) -> bool {
        let it = self.instructions.get(instruction).map(|it| it.opcode);
        matches!(
            it,
            Some(
                Opcode::Nop
                    | Opcode::Warpsync
                    | Opcode::WarpsyncExclusive
                    | Opcode::Bar(_)
                    | Opcode::Shfl(_)
                    | Opcode::Vote(_)
                    | Opcode::Match { .. }
                    | Opcode::Redux { .. }
                    | Opcode::Elect
                    | Opcode::Fence
                    | Opcode::MemoryBarrier(_)
            )
        )
    }

    /// An instruction and those soon after it.
    fn with_later(
        &self,
        instruction: usize,
    ) -> Option<(&Instruction, impl Iterator<Item = &Instruction>)> {
        let (it, later) = self.instructions.get(instruction..)?.split_first()?;
        Some((it, later.iter().take(LOOP_INSTRUCTIONS)))
    }

    /// Whether an instruction reads what a compare-and-swap soon after it is to replace: the loop by which
    /// compilers and people make other atomic operations, in which the reading need not be one.
    pub fn is_swapped(&self, instruction: usize) -> bool {
        let Some((it, mut later)) = self.with_later(instruction) else { return false };
        let swaps = |of: &Instruction| match of.opcode {
            Opcode::Atom(atomic) => {
                atomic.is_swap() && (of.a.source, of.offset) == (it.a.source, it.offset)
            }
            _ => false,
        };
        matches!(it.opcode, Opcode::Ld(_)) && later.any(swaps)
    }

    /// Whether what an instruction reads is first used where one of two values is chosen: compilers read it
    /// early then, though it may not be wanted.
    pub fn is_chosen_from(&self, instruction: usize) -> bool {
        let Some((it, mut later)) = self.with_later(instruction) else { return false };
        let user = later.find(|of| of.reads().any(|at| at == it.to));
        matches!(user.map(|it| it.opcode), Some(Opcode::Sel | Opcode::Fsel))
    }

    /// The name of an instruction of which nobody says how long it takes.
    pub fn untimed(&self, instruction: usize) -> Option<String> {
        let it = self.instructions.get(instruction)?;
        (!it.is_timed()).then(|| mnemonic(self.bits[instruction]))
    }
}
