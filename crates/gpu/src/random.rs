//! Random inputs made on the GPU, and the same on the CPU.

use super::error::Result;
use super::gpu::{Buffer, Gpu};
use super::kernel::{Function, Module};
use super::nvrtc;
use memory_machine_codegen::BLOCK;
use memory_machine_codegen::bytes_of;
use memory_machine_core::language::syntax::Type;
use memory_machine_core::run::layout::{Arrangement, Bulk};
use memory_machine_core::run::memory::Bits;

const SOURCE: &str = include_str!("../kernels/random.cu");

/// The finaliser of splitmix64 (Steele, Lea and Flood 2014).
const fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The seed of one array's numbers.
pub const fn seed_of(seed: u64, array: usize) -> u64 {
    mixed(seed.wrapping_add((array as u64) << 48))
}

/// The word of cell `index` (counted through all inputs, row-wise) of an array with this seed.
pub fn word(element: Type, seed: u64, index: u64) -> u64 {
    let bits = mixed(seed.wrapping_add(index));
    let unit = (bits >> 40) as f64 / f64::from(1 << 24);
    match element {
        Type::F32 => Bits::to_bits(unit as f32),
        Type::F64 => Bits::to_bits(unit),
        Type::Bool => bits & 1,
        // Below the pattern of 1 are those of all lesser numbers.
        Type::F16 => bits % 0x3c00,
        Type::Bf16 => bits % 0x3f80,
        _ => bits % 100,
    }
}

/// Kernels that fill arrays and gather samples.
pub struct Random<'a> {
    gpu: &'a Gpu,
    random: Function,
    sample: Function,
    _module: Module,
}

/// Blocks that keep any GPU busy.
const BLOCKS: u32 = 4096;

impl<'a> Random<'a> {
    pub fn new(gpu: &'a Gpu) -> Result<Self> {
        let module = gpu.load(&nvrtc::compile(SOURCE, gpu.architecture()?)?)?;
        let (random, sample) = (module.function("random")?, module.function("sample")?);
        Ok(Self { gpu, random, sample, _module: module })
    }

    /// Fills an array of `cells` words an input.
    pub fn fill(
        &self,
        buffer: &Buffer,
        element: Type,
        cells: u64,
        bulk: Option<Bulk>,
        seed: u64,
    ) -> Result<()> {
        let kind = match element {
            Type::F32 => 0,
            Type::F64 => 1,
            Type::I32 | Type::U32 => 2,
            Type::I64 | Type::U64 => 3,
            Type::Bool => 4,
            Type::I8 | Type::U8 => 6,
            Type::I16 | Type::U16 => 7,
            Type::F16 => 8,
            Type::Bf16 => 9,
        };
        let (inputs, column) = shape(bulk);
        let arguments = [buffer.address(), kind, cells, inputs, column, seed];
        self.gpu.launch(&self.random, (BLOCKS, BLOCK), &arguments)
    }

    /// Fills words with numbers below 2³¹.
    pub fn fill_words(&self, buffer: &Buffer, seed: u64) -> Result<()> {
        let arguments = [buffer.address(), 5, buffer.bytes() / 4, 1, 0, seed];
        self.gpu.launch(&self.random, (BLOCKS, BLOCK), &arguments)
    }

    /// The bytes of all cells of the chosen inputs, input after input.
    pub fn gather(
        &self,
        buffer: &Buffer,
        element: Type,
        cells: u64,
        bulk: Bulk,
        chosen: &[u64],
    ) -> Result<Vec<u8>> {
        let count = chosen.len() as u64;
        let places = self.gpu.allocate(8 * count)?;
        let bytes: Vec<u8> = chosen.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.gpu.upload(&places, &bytes)?;
        let gathered = self.gpu.allocate(cells * count * bytes_of(element))?;
        let (inputs, column) = shape(Some(bulk));
        let arguments = [
            gathered.address(),
            buffer.address(),
            bytes_of(element),
            cells,
            inputs,
            column,
            places.address(),
            count,
        ];
        self.gpu.launch(&self.sample, (BLOCKS, BLOCK), &arguments)?;
        let mut bytes = vec![0; gathered.bytes() as usize];
        self.gpu.download(&gathered, &mut bytes)?;
        Ok(bytes)
    }
}

fn shape(bulk: Option<Bulk>) -> (u64, u64) {
    match bulk {
        None => (1, 0),
        Some(Bulk { inputs, arrangement }) => {
            (inputs, u64::from(arrangement == Arrangement::ColumnWise))
        }
    }
}
