//! A cubin: an ELF file with a section of instructions for each kernel, one of its constants, and
//! others that say where parameters lie and what memory it needs.

use object::elf::FileHeader64;
use object::read::elf::ElfFile;
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol};
use thiserror::Error;

use super::dataflow::Dataflow;
use super::decode::{INSTRUCTION_BYTES, decode};
use super::instruction::Instruction;
use super::opcode::Opcode;
use super::values::Constants;

/// Bytes of shared memory before those of a kernel.
pub(super) const RESERVED_SHARED_BYTES: u64 = 1 << 10;
/// A thread's own memory ends here.
pub(super) const STACK_END_ADDRESS: u64 = 1 << 24;
/// Where the launch's threads and blocks stand among constants, and the stack's end.
const THREADS_OFFSET: usize = 0x0;
const BLOCKS_OFFSET: usize = 0xc;
const STACK_END_OFFSET: usize = 0x28;
/// Attributes of a kernel: where its parameters lie among constants, where each of them does from there
/// on, and how large its stack is.
const PARAMETERS_ATTRIBUTE: u8 = 0x0a;
const PARAMETER_ATTRIBUTE: u8 = 0x17;
const STACK_BYTES_ATTRIBUTE: u8 = 0x12;
/// How many registers a thread has.
const REGISTERS_ATTRIBUTE: u8 = 0x2f;

/// What is not understood of machine code.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CubinError {
    /// Not such a file.
    #[error("no machine code: {0}")]
    Elf(String),
    /// An instruction that emitted kernels do not have.
    #[error(
        "kernel `{kernel}`: instruction {place} of its machine code is not understood: {bits:#034x}"
    )]
    Instruction {
        /// Whose.
        kernel: String,
        /// Its number, from 0 on.
        place: usize,
        /// Its word.
        bits: u128,
    },
}

/// A file.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// Kernels.
    pub kernels: Vec<KernelCode>,
    /// Bank 3: those of the source.
    constants: Vec<u8>,
}

/// A kernel's machine code.
#[derive(Debug, Clone)]
pub struct KernelCode {
    /// As emitted.
    pub name: String,
    /// Of shared memory, as declared.
    pub shared_bytes: u64,
    /// Of a thread.
    pub registers: u64,
    /// Of its own memory.
    pub local_bytes: u64,
    /// Where each parameter stands among constants, and its bytes.
    parameters: Vec<(usize, usize)>,
    /// Bank 2: where its jumps by a table go, in bytes.
    jumps: Vec<u8>,
    pub(super) instructions: Vec<Instruction>,
    /// By instruction, whether a basic block begins there; and one more.
    pub(super) begins: Vec<bool>,
    /// By instruction, whether a branch, a guard or an address depends on what it computes.
    pub(super) decides: Vec<bool>,
    /// By instruction, whether values in memory decide on its address.
    pub(super) is_indirect: Vec<bool>,
    depends_on_values: bool,
}

impl Module {
    /// Instructions of all kernels.
    pub(super) fn instructions(&self) -> usize {
        self.kernels.iter().map(|it| it.instructions.len()).sum()
    }

    /// The constants of a launch, by bank.
    pub(super) fn constants(
        &self,
        kernel: &KernelCode,
        (threads, blocks): (u64, u64),
        arguments: &[u64],
    ) -> Constants {
        let end = kernel.parameters.iter().map(|it| it.0 + it.1).max().unwrap_or(0);
        let mut own = vec![0; end.max(STACK_END_OFFSET + 4)];
        let mut put = |at: usize, bytes: &[u8]| own[at..at + bytes.len()].copy_from_slice(bytes);
        put(THREADS_OFFSET, &(threads as u32).to_le_bytes());
        put(THREADS_OFFSET + 4, &1_u32.to_le_bytes());
        put(THREADS_OFFSET + 8, &1_u32.to_le_bytes());
        put(BLOCKS_OFFSET, &(blocks as u32).to_le_bytes());
        put(BLOCKS_OFFSET + 4, &1_u32.to_le_bytes());
        put(BLOCKS_OFFSET + 8, &1_u32.to_le_bytes());
        put(STACK_END_OFFSET, &(STACK_END_ADDRESS as u32).to_le_bytes());
        for (&(at, bytes), argument) in kernel.parameters.iter().zip(arguments) {
            put(at, &argument.to_le_bytes()[..bytes.min(8)]);
        }
        [own, vec![], kernel.jumps.clone(), self.constants.clone(), vec![]]
    }
}

impl KernelCode {
    /// Whether what its threads do depends on values in memory: a branch, a guard or an address.
    pub fn depends_on_values(&self) -> bool {
        self.depends_on_values
    }
}

/// Reads a cubin for GPUs of compute capability 9.0.
///
/// Takes time linear in its bytes.
///
/// # Errors
/// Bytes that are no such file; instructions that emitted kernels do not have.
pub fn parse(bytes: &[u8]) -> Result<Module, CubinError> {
    let failed = |error: object::Error| CubinError::Elf(error.to_string());
    let file = ElfFile::<FileHeader64<LittleEndian>>::parse(bytes).map_err(failed)?;
    let data = |name: &str| {
        let section = file.section_by_name(name);
        section.map(|it| it.data().map_err(failed)).transpose()
    };
    let mut module =
        Module { kernels: vec![], constants: data(".nv.constant3")?.unwrap_or_default().to_vec() };
    let of_all = data(".nv.info")?.unwrap_or_default();
    for section in file.sections() {
        let Some(name) = section.name().map_err(failed)?.strip_prefix(".text.") else { continue };
        let own = data(&format!(".nv.info.{name}"))?.unwrap_or_default();
        let symbol = file.symbols().find(|it| it.name() == Ok(name)).map(|it| it.index().0 as u32);
        let of_kernel = |kind: u8| {
            let all = attributes(of_all).filter(|it| it.0 == kind);
            let mut all = all.filter_map(|(_, it)| Some((word(it, 0)?, word(it, 4)?)));
            all.find(|it| Some(it.0) == symbol).map_or(0, |it| u64::from(it.1))
        };
        let shared = file.section_by_name(&format!(".nv.shared.{name}"));
        let instructions = instructions(name, section.data().map_err(failed)?)?;
        let jumps = data(&format!(".nv.constant2.{name}"))?.unwrap_or_default().to_vec();
        let places = jumps.chunks_exact(4).filter_map(|it| word(it, 0));
        let places: Vec<usize> =
            places.map(|it| it as usize / INSTRUCTION_BYTES as usize).collect();
        let Dataflow { decides, is_indirect, depends_on_values } =
            Dataflow::of(&instructions, &places);
        module.kernels.push(KernelCode {
            name: name.to_owned(),
            shared_bytes: shared.map_or(0, |it| it.size().saturating_sub(RESERVED_SHARED_BYTES)),
            registers: of_kernel(REGISTERS_ATTRIBUTE),
            local_bytes: of_kernel(STACK_BYTES_ATTRIBUTE),
            parameters: parameters(own),
            begins: begins(&instructions, &places),
            jumps,
            decides,
            is_indirect,
            depends_on_values,
            instructions,
        });
    }
    Ok(module)
}

/// Where parameters stand among constants, and their bytes, in their order.
fn parameters(attributes_of: &[u8]) -> Vec<(usize, usize)> {
    let all = attributes(attributes_of).find(|it| it.0 == PARAMETERS_ATTRIBUTE);
    let begin = all.and_then(|it| word(it.1, 4)).unwrap_or(0) & 0xffff;
    let one = |value: &[u8]| {
        let (number_and_place, bytes) = (word(value, 4)?, word(value, 8)? >> 18);
        let (number, place) = (number_and_place & 0xffff, number_and_place >> 16);
        Some((number, ((begin + place) as usize, bytes as usize)))
    };
    let each = attributes(attributes_of).filter(|it| it.0 == PARAMETER_ATTRIBUTE);
    let mut each: Vec<_> = each.filter_map(|it| one(it.1)).collect();
    each.sort_unstable();
    each.into_iter().map(|it| it.1).collect()
}

fn instructions(kernel: &str, bytes: &[u8]) -> Result<Vec<Instruction>, CubinError> {
    let words = bytes.chunks_exact(INSTRUCTION_BYTES as usize).enumerate();
    let words = words.map(|(place, it)| {
        let bits = it.iter().rev().fold(0, |bits, it| bits << 8 | u128::from(*it));
        decode(bits, place as u64).ok_or_else(|| CubinError::Instruction {
            kernel: kernel.to_owned(),
            place,
            bits,
        })
    });
    let mut all: Vec<Instruction> = words.collect::<Result<_, _>>()?;
    // The last one goes nowhere, and what follows fills a line.
    let used = all.iter().rposition(|it| it.opcode != Opcode::Nop).map_or(0, |it| it + 1);
    all.truncate(used);
    Ok(all)
}

fn begins(instructions: &[Instruction], jumps: &[usize]) -> Vec<bool> {
    let mut begins = vec![false; instructions.len() + 1];
    begins[0] = true;
    for &at in jumps {
        if let Some(begins) = begins.get_mut(at) {
            *begins = true;
        }
    }
    for (at, it) in instructions.iter().enumerate() {
        if it.is_branch() {
            begins[at + 1] = true;
        }
        if matches!(it.opcode, Opcode::Bra | Opcode::Call)
            && let Some(target) = begins.get_mut(it.target as usize)
        {
            *target = true;
        }
    }
    begins
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Kinds and values of a section of attributes.
fn attributes(mut bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    /// Followed by so many bytes, and not by a value of two.
    const SIZED: u8 = 4;
    std::iter::from_fn(move || {
        let [format, kind, low, high] = *bytes.first_chunk()?;
        let size = if format == SIZED { u16::from_le_bytes([low, high]).into() } else { 0 };
        let value = bytes.get(4..4 + size)?;
        bytes = &bytes[4 + size..];
        Some((kind, value))
    })
}
