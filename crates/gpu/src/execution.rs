//! A program on a GPU: its arrays in the GPU's memory, its kernels launched as planned.

use thiserror::Error;

use super::error::{CudaError, Result as CudaResult};
use super::gpu::{Buffer, Gpu, Graph};
use super::kernel::{Function, Module};
use super::nvrtc;
use memory_machine_codegen::{
    self as codegen, BULK_BLOCK, COOPERATIVE_BLOCK, Emission, Launch, LaunchGrid, Options,
    array_bytes, bytes, bytes_of,
};
use memory_machine_core::diagnostic::{Diagnostic, Located};
use memory_machine_core::language::program::{ArrayId, LoopRange, Program, ScalarId};
use memory_machine_core::language::syntax::Type;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::Memory;
use memory_machine_core::run::{self, Limits};
use memory_machine_measure::PREPARED;

/// Why a program does not run on a GPU.
#[derive(Debug, Error)]
pub enum ExecutionError {
    /// The GPU, its driver or its compiler fails.
    #[error(transparent)]
    Cuda(#[from] CudaError),
    /// A mistake in the listing that shows when it runs.
    #[error(transparent)]
    Listing(#[from] Box<Located>),
}

type Result<T> = std::result::Result<T, ExecutionError>;

/// What memory holds before a run where nothing is given: a NaN, or −1, that no run takes for a
/// result.
pub const POISON: u8 = 0xff;

/// The kernels of a program, compiled and loaded.
pub struct Kernels<'a> {
    gpu: &'a Gpu,
    program: &'a Program,
    options: Options,
    emission: Emission,
    functions: Vec<Function>,
    /// Keeps the functions loaded.
    _module: Module,
}

impl<'a> Kernels<'a> {
    /// Emits, compiles and loads, for the sizes of a layout; a bulk run's kernels are those of any
    /// size.
    ///
    /// # Errors
    /// What the emitter refuses, what NVRTC says, or the driver.
    pub fn new(
        gpu: &'a Gpu,
        program: &'a Program,
        options: Options,
        layout: &Layout,
    ) -> Result<Self> {
        let options = Options { standalone: false, ..options };
        program.without_global_layouts("runs on a GPU")?;
        let emission = codegen::emit(program, options, &codegen::sizes(layout))?;
        let module = gpu.load(&nvrtc::compile(&emission.source, gpu.architecture()?)?)?;
        let functions = emission
            .kernels
            .iter()
            .map(|kernel| match kernel.shared {
                0 => module.function(&kernel.name),
                shared => module.function_with(&kernel.name, shared),
            })
            .collect::<CudaResult<_>>()?;
        Ok(Self { gpu, program, options, emission, functions, _module: module })
    }

    /// Allocates the arrays and plans the launches.
    ///
    /// # Errors
    /// Arrays that do not fit, before anything is allocated; what the listing's control fails at.
    pub fn prepare(&'a self, layout: &'a Layout, limits: Limits) -> Result<Execution<'a>> {
        let (gpu, program) = (self.gpu, self.program);
        let (bytes, (free, _)) = (bytes(program, layout), gpu.memory()?);
        if bytes > free {
            return Err(CudaError::Memory { bytes, free }.into());
        }
        let buffers = (0..program.global_arrays().count())
            .map(|array| gpu.allocate(array_bytes(program, layout, ArrayId(array))))
            .collect::<CudaResult<Vec<_>>>()?;
        let arrived = gpu.allocate(4)?;
        let mut steps = vec![];
        let arguments: Vec<u64> = buffers
            .iter()
            .map(Buffer::address)
            .chain(self.free(&layout.parameters).map(i64::cast_unsigned))
            .collect();
        let cooperative = self.options.launch == Launch::Cooperative;
        match (self.emission.kernels[0].of, layout.bulk) {
            (None, Some(bulk)) => {
                let mut arguments = arguments;
                arguments.push(bulk.inputs);
                let (grid, block) = (blocks(bulk.inputs, BULK_BLOCK), BULK_BLOCK);
                steps.push(Step { kernel: 0, grid, block, arguments });
            }
            (None, None) if cooperative => {
                let block = COOPERATIVE_BLOCK;
                let grid = gpu.resident_blocks(&self.functions[0], block)? as u32;
                let mut arguments = arguments;
                arguments.push(arrived.address());
                steps.push(Step { kernel: 0, grid, block, arguments });
            }
            (None, None) => steps.push(Step { kernel: 0, grid: 1, block: 1, arguments }),
            (Some(_), _) => {
                let mut planner =
                    Planner { kernels: self, layout, arguments, steps: vec![], error: None };
                run::each_launch(program, layout, limits, |ranges, scalars| {
                    planner.note(ranges, scalars)
                })?;
                if let Some(error) = planner.error {
                    return Err(error.into());
                }
                steps = planner.steps;
            }
        }
        let mut execution =
            Execution { kernels: self, layout, buffers, arrived, steps, graph: None };
        if self.options.launch == Launch::Graph {
            execution.graph = Some(gpu.capture(|| execution.launch_steps())?);
        }
        Ok(execution)
    }

    /// The parameters that are no constants of the kernels.
    fn free(&self, parameters: &[i64]) -> impl Iterator<Item = i64> {
        let all = parameters.iter().zip(&self.emission.constants);
        all.filter(|(_, constant)| constant.is_none()).map(|(value, _)| *value)
    }
}

/// Blocks of a grid.
const MOST_BLOCKS: u32 = i32::MAX.unsigned_abs();

/// As many blocks as threads need.
fn blocks(threads: u64, block: u32) -> u32 {
    u32::try_from(threads.div_ceil(block.into())).unwrap_or(MOST_BLOCKS).clamp(1, MOST_BLOCKS)
}

struct Step {
    /// Index of the kernel.
    kernel: usize,
    grid: u32,
    block: u32,
    arguments: Vec<u64>,
}

/// Notes how each parallel loop is launched.
struct Planner<'a> {
    kernels: &'a Kernels<'a>,
    layout: &'a Layout,
    /// Of every kernel: the arrays and the parameters.
    arguments: Vec<u64>,
    steps: Vec<Step>,
    error: Option<CudaError>,
}

impl Planner<'_> {
    /// The launch of a parallel loop.
    fn note(
        &mut self,
        ranges: &[LoopRange],
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> std::result::Result<(), Box<Diagnostic>> {
        let of = self.kernels.emission.of_loop(ranges[0].id);
        let Some((kernel, emitted)) = of else { return Ok(()) };
        let fail =
            |message| Box::new(Diagnostic::new(ranges[0].span, message).help("change --set"));
        let known = |scalar| Some(scalars(scalar));
        let Some(iterations) = codegen::iterations(ranges, &self.layout.parameters, &known) else {
            return Err(fail("this loop's bounds overflow, or its step is below 1"));
        };
        if iterations == 0 {
            return Ok(());
        }
        let captured = emitted.captured.iter().map(|it| scalars(*it).cast_unsigned());
        let arguments = self.arguments.iter().copied().chain(captured).collect();
        let grid = match emitted.grid {
            LaunchGrid::Program => return Ok(()),
            LaunchGrid::Tiles(tile) => tile.blocks,
            LaunchGrid::Blocks => {
                let grid = u32::try_from(iterations).ok().filter(|it| *it <= MOST_BLOCKS);
                grid.ok_or_else(|| fail("a GPU runs at most 2^31 blocks"))?
            }
            LaunchGrid::Threads(each) => blocks(iterations.div_ceil(each.into()), emitted.threads),
        };
        let mut step = Step { kernel, grid, block: emitted.threads, arguments };
        if matches!(emitted.grid, LaunchGrid::Threads(_)) && codegen::is_walked(ranges) {
            let function = &self.kernels.functions[kernel];
            match self.kernels.gpu.resident_blocks(function, emitted.threads) {
                Ok(resident) => step.grid = step.grid.min(resident as u32),
                Err(error) => self.error = Some(error),
            }
        }
        self.steps.push(step);
        Ok(())
    }
}

/// A program ready to run.
pub struct Execution<'a> {
    kernels: &'a Kernels<'a>,
    layout: &'a Layout,
    /// By array.
    buffers: Vec<Buffer>,
    /// The counter of a cooperative kernel's barrier.
    arrived: Buffer,
    steps: Vec<Step>,
    graph: Option<Graph>,
}

impl Execution<'_> {
    /// Kernels that a run launches.
    pub fn launches(&self) -> usize {
        self.steps.len()
    }

    /// Whether the host's part can be over before the GPU begins: not of many kernels that it launches
    /// one by one.
    pub fn is_prepared(&self) -> bool {
        self.graph.is_some() || self.steps.len() <= PREPARED
    }

    /// Where an array lies in the GPU's memory.
    pub fn buffer(&self, array: ArrayId) -> &Buffer {
        &self.buffers[array.0]
    }

    /// Fills every array with [`POISON`].
    pub fn poison(&self) -> CudaResult<()> {
        self.buffers.iter().try_for_each(|buffer| self.kernels.gpu.set(buffer, POISON))
    }

    /// Copies what the arrays hold before the run; what is not given stays poisoned.
    pub fn upload(&self, memory: &Memory) -> CudaResult<()> {
        self.poison()?;
        for (index, array) in self.kernels.program.global_arrays().enumerate() {
            if array.role.is_given() {
                let mut bytes = vec![];
                for word in memory.words(self.layout, ArrayId(index)) {
                    push(array.element, word.unwrap_or(u64::MAX), &mut bytes);
                }
                self.kernels.gpu.upload(&self.buffers[index], &bytes)?;
            }
        }
        Ok(())
    }

    /// Launches the program once.
    pub fn launch(&self) -> CudaResult<()> {
        if let Some(graph) = &self.graph {
            return graph.launch();
        }
        self.launch_steps()
    }

    fn launch_steps(&self) -> CudaResult<()> {
        let gpu = self.kernels.gpu;
        for step in &self.steps {
            let function = &self.kernels.functions[step.kernel];
            let shape = (step.grid, step.block);
            if self.kernels.options.launch == Launch::Cooperative {
                gpu.set(&self.arrived, 0)?;
                gpu.launch_cooperative(function, shape, &step.arguments)?;
            } else {
                gpu.launch(function, shape, &step.arguments)?;
            }
        }
        Ok(())
    }

    /// The first difference between what the GPU holds and what a run on the CPU left in memory.
    /// NaNs are equal whatever their bits; what no run wrote must still be poisoned.
    pub fn first_difference(&self, expected: &Memory) -> CudaResult<Option<Difference>> {
        for (index, array) in self.kernels.program.global_arrays().enumerate() {
            let found = self.words(ArrayId(index))?;
            let wanted = expected.words(self.layout, ArrayId(index));
            for (place, (found, wanted)) in (0..).zip(found.into_iter().zip(wanted)) {
                if !same(array.element, found, wanted) {
                    let array = ArrayId(index);
                    return Ok(Some(Difference { array, place, found, wanted }));
                }
            }
        }
        Ok(None)
    }

    /// An array as the GPU holds it, word by word in the order of addresses.
    pub fn words(&self, array: ArrayId) -> CudaResult<Vec<u64>> {
        let buffer = &self.buffers[array.0];
        let mut bytes = vec![0; buffer.bytes() as usize];
        self.kernels.gpu.download(buffer, &mut bytes)?;
        Ok(words(self.kernels.program.arrays[array.0].element, &bytes))
    }
}

/// Whether a word is what it should be.
pub fn same(element: Type, found: u64, wanted: Option<u64>) -> bool {
    use memory_machine_core::run::memory::{Bits, number};
    let nan = |bits: u64| match element {
        Type::F32 => <f32 as Bits>::from_bits(bits).is_nan(),
        Type::F64 => <f64 as Bits>::from_bits(bits).is_nan(),
        Type::F16 | Type::Bf16 => number(element, bits).is_nan(),
        _ => false,
    };
    match wanted {
        Some(wanted) => found == wanted || (nan(found) && nan(wanted)),
        None => {
            let mut poison = vec![];
            push(element, u64::MAX, &mut poison);
            found == words(element, &poison)[0]
        }
    }
}

/// Where a GPU's result is not the CPU's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The array of the layout.
    pub array: ArrayId,
    /// The word, counted from the array's beginning.
    pub place: u64,
    /// The bits that the GPU left.
    pub found: u64,
    /// `None`: nothing should have been written.
    pub wanted: Option<u64>,
}

/// A word of the machine's memory as the GPU stores it.
pub(super) fn push(element: Type, bits: u64, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&bits.to_le_bytes()[..bytes_of(element) as usize]);
}

/// What the GPU stores as words of the machine's memory.
pub(super) fn words(element: Type, bytes: &[u8]) -> Vec<u64> {
    use memory_machine_core::run::memory::Bits;
    bytes
        .chunks_exact(bytes_of(element) as usize)
        .map(|chunk| {
            let mut wide = [0; 8];
            wide[..chunk.len()].copy_from_slice(chunk);
            let bits = u64::from_le_bytes(wide);
            match element {
                // Integers are kept sign-extended.
                Type::I8 => Bits::to_bits(bits as u8 as i8),
                Type::I16 => Bits::to_bits(bits as u16 as i16),
                Type::I32 => Bits::to_bits(bits as u32 as i32),
                _ => bits,
            }
        })
        .collect()
}
