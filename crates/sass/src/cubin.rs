//! A cubin: an ELF file with a section of instructions for each kernel, one of its constants, and
//! others that say where parameters lie and what memory it needs.

use object::elf::FileHeader64;
use object::read::elf::ElfFile;
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol};
use thiserror::Error;

use super::attributes::{
    MOST_LOCAL_BYTES, REGISTERS_ATTRIBUTE, STACK_BYTES_ATTRIBUTE, attributes, parameters, word,
};
use super::dataflow::Dataflow;
use super::decode::{INSTRUCTION_BYTES, decode, mnemonic};
use super::instruction::Instruction;
use super::lines::{self, Lines, SourceLine};
use super::linkage::{
    File, RESERVED_SHARED_BYTES, Relocation, Symbol, Variable, is_named, linkage, named_constants,
};
use super::opcode::Opcode;
use super::operand::{OperandSource, RZ, Register};
use super::shared_arrays::{SharedArray, shared_arrays};
use super::values::Constants;

/// A thread's own memory ends here.
pub(super) const STACK_END_ADDRESS: u64 = 1 << 24;
/// Where the launch's threads and blocks stand among constants, and the stack's end.
pub(super) const THREADS_OFFSET: usize = 0x0;
pub(super) const BLOCKS_OFFSET: usize = 0xc;
const STACK_END_OFFSET: usize = 0x28;
/// Where the window of threads' own memory begins, and what global memory's descriptor says.
pub(super) const LOCAL_WINDOW_OFFSET: usize = 0x20;
pub(super) const DESCRIPTOR_OFFSET: usize = 0x208;
/// Where a cooperative launch says what its blocks synchronize at: the upper word of an address, the lower one.
pub(super) const GRID_OFFSET: usize = 0x44;
/// Where it says where the run time's part of shared memory begins, with which groups of several warps meet.
pub(super) const GROUPS_OFFSET: usize = 0x6c;
/// That part: among the bytes before a kernel's.
pub(super) const GROUPS_SHARED: [u64; 2] = [512, 512 + 288];
/// Where a launch says at which address its parameters stand.
pub(super) const PARAMETERS_PLACE_OFFSET: usize = 0x198;
pub(super) const PARAMETERS_OFFSET: usize = 0x210;
/// What an ELF file's flags say of sm_90.
const ARCHITECTURE: u32 = 90;
/// What is not understood of machine code.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CubinError {
    /// Not such a file.
    #[error("no machine code: {0}")]
    Elf(String),
    /// For another GPU.
    #[error("machine code for sm_{0}; sm_90 is understood: compile it for that")]
    Architecture(u32),
    /// Code that is still to be linked.
    #[error(
        "machine code that is still to be linked{0}: compile without -rdc=true, or link it by nvcc -dlink -cubin"
    )]
    Relocatable(&'static str),
    /// More memory of a thread than devices have.
    #[error("kernel `{0}`: {1} bytes of a thread's own memory; devices have at most 524288")]
    LocalMemory(String, u64),
    /// An instruction of which it is not known what it does, or how long it takes.
    #[error("kernel `{kernel}`: instruction {place} of its machine code is not understood: {name}")]
    Instruction {
        /// Whose.
        kernel: String,
        /// Its number, from 0 on.
        place: usize,
        /// Its name.
        name: String,
    },
}

/// A file.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// Kernels.
    pub kernels: Vec<KernelCode>,
    /// Bank 3: those of the source.
    pub(super) constants: Vec<u8>,
    /// Their names.
    pub(super) named_constants: Vec<Variable>,
    /// Bank 4: addresses, which [`Relocation`]s fill in.
    pub(super) addresses: Vec<u8>,
    pub(super) symbols: Vec<Symbol>,
    pub(super) relocations: Vec<Relocation>,
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
    /// By instruction, its word and its line.
    pub(super) bits: Vec<u128>,
    lines: Vec<Option<Lines>>,
    shared_arrays: Vec<Option<SharedArray>>,
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

/// A file's machine is in its flags.
fn check_architecture(file: &File<'_>) -> Result<(), CubinError> {
    let flags = file.elf_header().e_flags.get(LittleEndian).0;
    match flags >> 8 & 0xff {
        ARCHITECTURE => Ok(()),
        // Where older compilers have it.
        _ if flags & 0xff == ARCHITECTURE => Ok(()),
        other => Err(CubinError::Architecture(other)),
    }
}

/// Relocatable code has holes, where a linker writes addresses.
fn check_linked(file: &File<'_>) -> Result<(), CubinError> {
    if file.elf_header().e_type.get(LittleEndian).0 != object::elf::ET_REL.0 {
        return Ok(());
    }
    let launches = file.symbols().any(|it| it.name().is_ok_and(|it| it.contains("LaunchDevice")));
    let why = if launches { " (it launches kernels itself, which is not modelled)" } else { "" };
    Err(CubinError::Relocatable(why))
}

impl Module {
    /// A `__constant__` by the source's name or the compiler's.
    pub fn constant(&self, name: &str) -> Option<&Variable> {
        self.named_constants.iter().find(|it| it.name == name || is_named(&it.name, name))
    }

    /// All of them.
    pub fn named_constants(&self) -> &[Variable] {
        &self.named_constants
    }
}

impl KernelCode {
    /// Where its parameters begin among constants.
    pub(super) fn parameters_begin(&self) -> usize {
        self.parameters.iter().map(|it| it.0).min().unwrap_or(PARAMETERS_OFFSET)
    }

    /// Where each parameter begins among all, and its bytes.
    pub fn parameters(&self) -> Vec<(usize, usize)> {
        let begin = self.parameters_begin();
        self.parameters.iter().map(|it| (it.0 - begin, it.1)).collect()
    }

    /// Bytes of all of them.
    pub fn parameter_bytes(&self) -> usize {
        let begin = self.parameters_begin();
        self.parameters.iter().map(|it| it.0 + it.1 - begin).max().unwrap_or(0)
    }

    /// Instructions of it.
    pub fn instructions(&self) -> usize {
        self.instructions.len()
    }

    /// Instructions that are not modelled: their numbers and names.
    pub fn unknown(&self) -> impl Iterator<Item = (usize, String)> + '_ {
        let is_unknown = |it: &(usize, &Instruction)| it.1.opcode == Opcode::Unknown;
        let all = self.instructions.iter().enumerate().filter(is_unknown);
        all.map(|(at, _)| (at, mnemonic(self.bits[at])))
    }

    /// The line of the source that an instruction is of, where the compiler says so.
    pub fn line(&self, instruction: usize) -> Option<&SourceLine> {
        Some(&self.lines.get(instruction)?.as_ref()?.called)
    }

    /// From now on charges what is inlined to the line where it stands, not to the one that calls it.
    pub fn charge_inlined(&mut self) {
        self.lines.iter_mut().flatten().for_each(|it| it.called = it.own.clone());
    }

    /// The array in shared memory that an instruction is meant for, where that is known.
    pub fn shared_array(&self, instruction: usize) -> Option<&SharedArray> {
        self.shared_arrays.get(instruction)?.as_ref()
    }

    /// Registers that any of its instructions writes.
    pub(super) fn registers_written(&self) -> Vec<Register> {
        let mut all: Vec<Register> =
            self.instructions.iter().flat_map(Instruction::writes).collect();
        // A function of the run time writes what it gives back where callers expect it.
        all.extend(0..(self.registers as Register).min(RZ));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Where its shared memory ends, but for what a launch adds.
    pub(super) fn shared_end(&self) -> u64 {
        RESERVED_SHARED_BYTES + self.shared_bytes
    }

    /// Whether it is known what bank 0 has there.
    pub(super) fn has_constant(&self, at: u64, bytes: u64) -> bool {
        let known = [
            (THREADS_OFFSET, 24),
            (LOCAL_WINDOW_OFFSET, 8),
            (STACK_END_OFFSET, 4),
            (GRID_OFFSET, 8),
            (GROUPS_OFFSET, 4),
            (PARAMETERS_PLACE_OFFSET, 8),
            (DESCRIPTOR_OFFSET, 8),
            (self.parameters_begin(), self.parameter_bytes()),
        ];
        known.iter().any(|it| it.0 as u64 <= at && at + bytes <= (it.0 + it.1) as u64)
    }

    /// Whether its blocks may synchronize, as those of a cooperative launch.
    pub(super) fn synchronizes_grid(&self) -> bool {
        self.reads_constant(GRID_OFFSET)
    }

    /// Whether it reads what bank 0 has there.
    pub(super) fn reads_constant(&self, at: usize) -> bool {
        let reads = |it: &Instruction| {
            let source = OperandSource::Constant(0, at as u16);
            it.opcode == Opcode::Ldc(0) && it.offset == at as i32
                || [it.a, it.b, it.c].iter().any(|of| of.source == source)
        };
        self.instructions.iter().any(reads)
    }

    /// Whether what its threads do depends on values in memory: a branch, a guard or an address.
    pub fn depends_on_values(&self) -> bool {
        self.depends_on_values
    }
}

/// Reads a cubin for GPUs of compute capability 9.0, of whose instructions it is known how long they take.
///
/// Takes time linear in its bytes.
///
/// # Errors
/// Bytes that are no such file; instructions that emitted kernels do not have.
pub fn parse(bytes: &[u8]) -> Result<Module, CubinError> {
    let module = read(bytes)?;
    for kernel in &module.kernels {
        if let Some(place) = kernel.instructions.iter().position(|it| !it.is_timed()) {
            let name = mnemonic(kernel.bits[place]);
            return Err(CubinError::Instruction { kernel: kernel.name.clone(), place, name });
        }
    }
    Ok(module)
}

/// Reads a cubin for GPUs of compute capability 9.0. An instruction that is not known is an error only
/// where it is executed.
///
/// Takes time linear in its bytes.
///
/// # Errors
/// Bytes that are no such file, or for another GPU.
pub fn read(bytes: &[u8]) -> Result<Module, CubinError> {
    let failed = |error: object::Error| CubinError::Elf(error.to_string());
    let file = ElfFile::<FileHeader64<LittleEndian>>::parse(bytes).map_err(failed)?;
    check_architecture(&file)?;
    check_linked(&file)?;
    let data = |name: &str| {
        let section = file.section_by_name(name);
        section.map(|it| it.data().map_err(failed)).transpose()
    };
    let (symbols, relocations) = linkage(&file);
    let mut module = Module {
        kernels: vec![],
        constants: data(".nv.constant3")?.unwrap_or_default().to_vec(),
        named_constants: named_constants(&file),
        addresses: data(".nv.constant4")?.unwrap_or_default().to_vec(),
        symbols,
        relocations,
    };
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
        // Every thread's begins at a multiple of any access's size.
        let local_bytes = of_kernel(STACK_BYTES_ATTRIBUTE).next_multiple_of(16);
        if local_bytes > MOST_LOCAL_BYTES {
            return Err(CubinError::LocalMemory(name.to_owned(), local_bytes));
        }
        let shared = file.section_by_name(&format!(".nv.shared.{name}"));
        let (bits, instructions) = instructions(section.data().map_err(failed)?);
        let lines = lines::lines(&file, ".debug_line", name, instructions.len());
        let shared_bytes = shared.map_or(0, |it| it.size().saturating_sub(RESERVED_SHARED_BYTES));
        let shared_arrays = shared_arrays(&file, name, (instructions.len(), shared_bytes));
        let jumps = data(&format!(".nv.constant2.{name}"))?.unwrap_or_default().to_vec();
        let places = jumps.chunks_exact(4).filter_map(|it| word(it, 0));
        let places: Vec<usize> =
            places.map(|it| it as usize / INSTRUCTION_BYTES as usize).collect();
        let Dataflow { decides, is_indirect, depends_on_values } =
            Dataflow::of(&instructions, &places);
        module.kernels.push(KernelCode {
            name: name.to_owned(),
            shared_bytes,
            shared_arrays,
            registers: of_kernel(REGISTERS_ATTRIBUTE),
            local_bytes,
            parameters: parameters(own),
            bits,
            lines,
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

fn instructions(bytes: &[u8]) -> (Vec<u128>, Vec<Instruction>) {
    let words = bytes.chunks_exact(INSTRUCTION_BYTES as usize);
    let bits: Vec<u128> =
        words.map(|it| it.iter().rev().fold(0, |bits, it| bits << 8 | u128::from(*it))).collect();
    let mut all: Vec<Instruction> =
        bits.iter().enumerate().map(|(place, bits)| decode(*bits, place as u64)).collect();
    // The last one goes nowhere, and what follows fills a line.
    let used = all.iter().rposition(|it| it.opcode != Opcode::Nop).map_or(0, |it| it + 1);
    all.truncate(used);
    (bits, all)
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
        if matches!(it.opcode, Opcode::Bra | Opcode::BraAny | Opcode::Call)
            && let Some(target) = begins.get_mut(it.target as usize)
        {
            *target = true;
        }
    }
    begins
}
