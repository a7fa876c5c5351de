//! What a machine is calibrated from: single accesses in the machine's own terms
//! (`kernels/microbenchmarks.cu`).

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::spin::Spin;
use super::suite::{OPERATIONS, SMALL_BLOCK};
use super::{Protocol, WARM_UP, regime};
use crate::error::Result;
use crate::gpu::{Buffer, Gpu};
use crate::kernel::{Function, Module};
use crate::nvrtc;
use crate::random::Random;
use memory_machine_codegen::{self as codegen, COOPERATIVE_BLOCK};
use memory_machine_measure::{PREPARED, Subject};

/// The kernels' text, with the barrier that emitted code has.
pub fn source() -> String {
    codegen::grid_barrier() + include_str!("../../kernels/microbenchmarks.cu")
}

/// What a chain of an operation takes beside its first number, as bits.
fn operands(operation: &str) -> [u64; 2] {
    match operation.split_once('_') {
        Some(("f32", _)) => [1.5_f32, 0.5].map(|it| it.to_bits().into()),
        Some(("f64", _)) => [1.5_f64, 0.5].map(f64::to_bits),
        _ => [3, 5],
    }
}

/// Threads of a block.
const BLOCK: u64 = 256;

/// The kernels, loaded.
pub struct Microbenchmarks<'a> {
    gpu: &'a Gpu,
    random: Random<'a>,
    hold: Spin<'a>,
    module: Module,
    cache: u64,
    /// Blocks that fill all multiprocessors.
    blocks: u32,
}

impl<'a> Microbenchmarks<'a> {
    /// Compiles the kernels, for a GPU that holds `resident` threads at once. `cache` are the bytes of
    /// the last-level cache, by which regimes are told apart.
    ///
    /// # Errors
    /// What NVRTC or the driver says.
    pub fn new(gpu: &'a Gpu, resident: u64, cache: u64) -> Result<Self> {
        let module = gpu.load(&nvrtc::compile(&source(), gpu.architecture()?)?)?;
        let blocks = (resident / BLOCK) as u32;
        Ok(Self { gpu, random: Random::new(gpu)?, hold: Spin::new(gpu)?, module, cache, blocks })
    }

    /// Bytes that a subject's data take.
    fn bytes(subject: &Subject) -> u64 {
        let set = |name: &str| subject.set.0.get(name).map_or(0, |it| it.unsigned_abs());
        match subject.name.as_str() {
            "chase" | "copy" => set("bytes"),
            "read" | "write" | "touch" | "sweep" => 4 * set("words"),
            "row" => 4 * set("m") * subject.threads.unwrap_or(0),
            _ => 0,
        }
    }

    /// The subject with its bytes and regime.
    pub fn completed(&self, subject: Subject) -> Subject {
        let bytes = Self::bytes(&subject);
        Subject { bytes, regime: regime(bytes, self.cache).to_owned(), ..subject }
    }

    /// Seconds of every repetition.
    ///
    /// # Errors
    /// What the GPU says.
    pub fn measure(&self, subject: &Subject, protocol: Protocol) -> Result<Vec<f64>> {
        let gpu = self.gpu;
        let set = |name: &str| subject.set.0.get(name).map_or(0, |it| it.unsigned_abs());
        let threads = subject.threads.unwrap_or(1);
        let data = gpu.allocate(Self::bytes(subject).max(4))?;
        let out = gpu.allocate(if subject.name == "copy" { set("bytes") } else { 4 })?;
        let chases = subject.name == "chase";
        if chases {
            self.chain(&data, protocol.seed)?;
            gpu.set(&out, 0)?;
        } else {
            self.random.fill_words(&data, protocol.seed)?;
        }
        let (a, b) = (data.address(), out.address());
        let (kernel, arguments) = match subject.name.as_str() {
            "launch" => ("empty", vec![]),
            "barriers" => ("barriers", vec![b, set("barriers")]),
            "chase" => ("chase", vec![a, b, set("steps")]),
            "sweep" => ("sweep", vec![a, b, set("words"), set("rounds")]),
            "block_barriers" => ("block_barriers", vec![b, set("steps")]),
            "shared" => ("shared", vec![b, set("degree"), set("steps")]),
            "read" => {
                let mask = set("words") - 1;
                let how = [set("n"), set("f"), set("skip"), set("stride"), mask];
                ("read", [vec![a, b], how.to_vec()].concat())
            }
            "touch" => ("read", vec![a, b, set("words"), 0, 0, 1, set("words") - 1]),
            "write" => ("write", vec![a, set("n"), set("stride"), set("words") - 1]),
            "row" => ("row", vec![a, b, set("m"), threads]),
            name if OPERATIONS.contains(&name) => {
                let [y, z] = operands(name);
                (name, vec![b, set("steps"), y, z])
            }
            _ => ("empty", vec![]),
        };
        let function = self.module.function(kernel)?;
        let block = threads.min(match subject.name.as_str() {
            "shared" => 1024,
            "block_barriers" => 32 * set("warps"),
            "blocks" | "touch" => SMALL_BLOCK,
            _ => BLOCK,
        });
        let shape = (threads.div_ceil(block) as u32, block as u32);
        let work = || self.once(subject, &function, shape, &arguments, (&data, &out));
        let graph = match subject.launch.as_deref() {
            Some("graph") => Some(gpu.capture(work)?),
            _ => None,
        };
        let run = || graph.as_ref().map_or_else(work, |graph| graph.launch());
        (0..WARM_UP).try_for_each(|_| run())?;
        let sweep = self.module.function("sweep")?;
        let kernels = if subject.name == "launch" { set("kernels") } else { 1 };
        let by_the_host = graph.is_none() && kernels > PREPARED as u64;
        (0..protocol.repetitions)
            .map(|_| {
                if chases {
                    // What a cache still holds of all bytes is what it would hold in the long run.
                    let all = [a, b, subject.bytes / 4, 1];
                    gpu.launch(&sweep, (self.blocks, BLOCK as u32), &all)?;
                }
                gpu.synchronize()?;
                match by_the_host {
                    true => gpu.seconds(run),
                    false => self.hold.seconds(run),
                }
            })
            .collect()
    }

    fn once(
        &self,
        subject: &Subject,
        function: &Function,
        shape: (u32, u32),
        arguments: &[u64],
        (data, out): (&Buffer, &Buffer),
    ) -> Result<()> {
        let set = |name: &str| subject.set.0.get(name).map_or(0, |it| it.unsigned_abs());
        match subject.name.as_str() {
            "launch" => {
                (0..set("kernels")).try_for_each(|_| self.gpu.launch(function, (1, 32), arguments))
            }
            "touch" => {
                (0..set("kernels")).try_for_each(|_| self.gpu.launch(function, shape, arguments))
            }
            "barriers" => {
                // A warm-up leaves the counter where its barriers brought it.
                self.gpu.set(out, 0)?;
                let shape = (set("blocks") as u32, COOPERATIVE_BLOCK);
                self.gpu.launch_cooperative(function, shape, arguments)
            }
            "copy" => self.gpu.copy(data, out, set("bytes")),
            _ => self.gpu.launch(function, shape, arguments),
        }
    }

    /// Fills a buffer with one cycle through all its sectors of 32 bytes, in random order.
    fn chain(&self, buffer: &Buffer, seed: u64) -> Result<()> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let sectors = (buffer.bytes() / 32).max(1) as usize;
        // Sattolo's shuffle makes a single cycle.
        let mut next: Vec<u32> = (0..sectors as u32).collect();
        for at in (1..sectors).rev() {
            next.swap(at, random.random_range(0..at));
        }
        let mut bytes = vec![0_u8; sectors * 32];
        for (at, next) in next.iter().enumerate() {
            bytes[32 * at..32 * at + 4].copy_from_slice(&(8 * next).to_le_bytes());
        }
        self.gpu.upload(buffer, &bytes)
    }
}
