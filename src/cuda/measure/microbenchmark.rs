//! What a machine is calibrated from: single accesses in the machine's own terms
//! (`kernels/microbenchmarks.cu`).

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Protocol, WARM_UP, regime};
use crate::cuda::error::Result;
use crate::cuda::gpu::{Buffer, Gpu};
use crate::cuda::kernel::{Function, Module};
use crate::cuda::nvrtc;
use crate::cuda::random::Random;
use crate::emission::{self, COOPERATIVE_BLOCK};
use crate::measurement::Subject;
use crate::sample::Settings;

const SOURCE: &str = include_str!("../../../kernels/microbenchmarks.cu");

/// Threads of a block.
const BLOCK: u64 = 256;
/// Threads of a block as nests have them.
const SMALL_BLOCK: u64 = emission::BLOCK as u64;

/// The microbenchmarks for a GPU that holds `resident` threads at once and has `cache` bytes of
/// last-level cache, as subjects without bytes.
pub fn all(resident: u64, cache: u64, multiprocessors: u64) -> Vec<Subject> {
    let mut subjects = vec![];
    let mut add = |name: &str, set: &[(&str, u64)], threads: Option<u64>, launch: &str| {
        let set = set.iter().map(|(name, value)| ((*name).to_owned(), *value as i64)).collect();
        subjects.push(Subject {
            name: name.to_owned(),
            set: Settings(set),
            threads,
            launch: Some(launch.to_owned()),
            prefetch: 1,
            processor: "gpu".to_owned(),
            devices: 1,
            ..Subject::default()
        });
    };
    // Launches and barriers.
    for kernels in [1, 10, 100, 1000] {
        add("launch", &[("kernels", kernels)], None, "plain");
        add("launch", &[("kernels", kernels)], None, "graph");
    }
    // Kernels that do something: one access each; and blocks that do nothing.
    for kernels in [1, 1000] {
        add("touch", &[("kernels", kernels), ("words", 128)], Some(128), "graph");
    }
    for blocks in [1 << 10, 1 << 14, 1 << 20] {
        add("blocks", &[("blocks", blocks)], Some(SMALL_BLOCK * blocks), "plain");
    }
    for blocks in [multiprocessors, 2 * multiprocessors] {
        for barriers in [1, 1000] {
            let threads = Some(blocks * u64::from(COOPERATIVE_BLOCK));
            add("barriers", &[("blocks", blocks), ("barriers", barriers)], threads, "cooperative");
        }
    }
    // Dependent loads, one thread.
    for power in 12..=30 {
        for steps in [2048, 18432] {
            add("chase", &[("bytes", 1 << power), ("steps", steps)], Some(1), "plain");
        }
    }
    // The same from memory: before each repetition, other data fill the last-level cache.
    for steps in [512, 4608] {
        add(
            "miss",
            &[("bytes", 4 * cache.next_power_of_two()), ("steps", steps)],
            Some(1),
            "plain",
        );
    }
    // Shared memory, one warp and as many as a block has.
    for warps in [1, 32] {
        for degree in 1..=32 {
            for steps in [1024, 9216] {
                let set = [("degree", degree), ("steps", steps), ("warps", warps)];
                add("shared", &set, Some(32 * warps), "plain");
            }
        }
    }
    // Arithmetic: every multiprocessor full, and one warp alone.
    for (kind, threads) in [(0, 32), (0, resident), (1, 32), (1, resident)] {
        for steps in [1024, 9216] {
            let set = [("product", kind), ("steps", steps)];
            add("arithmetic", &set, Some(threads), "plain");
        }
    }
    // Sequential memory access: length, threads, fragmentation, stride; from memory, from the last
    // cache, and from the first.
    let (memory, near) = (1_u64 << 31, (cache / 16).next_power_of_two() / 4 * 4);
    let read = |n: u64, f: u64, skip: u64, stride: u64, words: u64| {
        [("n", n), ("f", f), ("skip", skip), ("stride", stride), ("words", words)]
    };
    for words in [memory, near, 1 << 12] {
        let mut threads = 32;
        while threads < 2 * resident {
            let p = threads.min(resident);
            add("read", &read(p * 64, 0, 0, 1, words), Some(p), "plain");
            threads *= 4;
        }
        for rounds in [16, 256, 1024] {
            add("read", &read(resident * rounds, 0, 0, 1, words), Some(resident), "plain");
        }
        for stride in [1, 2, 4, 8, 16, 32, 64, 128] {
            add("read", &read(1 << 24, 0, 0, stride, words), Some(resident), "plain");
        }
    }
    for f in [0, 15, 255, 4095, 65535, 1 << 20] {
        add("read", &read(1 << 26, f, 8, 1, memory), Some(resident), "plain");
    }
    for (n, stride, words) in [
        (1 << 28, 1, memory),
        (1 << 24, 8, memory),
        (1 << 24, 32, memory),
        (1 << 26, 1, near),
        (1 << 24, 8, near),
        (1 << 24, 32, near),
    ] {
        let set = [("n", n), ("stride", stride), ("words", words)];
        add("write", &set, Some(resident), "plain");
    }
    // A thread's words side by side: the arrangement in which threads share no address group.
    for m in [8, 32, 128, 1024] {
        let mut p = 1024;
        while p <= resident * 4 && p * m <= memory {
            add("row", &[("m", m)], Some(p), "plain");
            p *= 8;
        }
    }
    // A library's copy.
    for power in [20, 24, 28, 30, 32] {
        add("copy", &[("bytes", 1 << power)], None, "plain");
    }
    subjects
}

/// The kernels, loaded.
pub struct Microbenchmarks<'a> {
    gpu: &'a Gpu,
    random: Random<'a>,
    module: Module,
    cache: u64,
}

impl<'a> Microbenchmarks<'a> {
    /// Compiles the kernels. `cache` are the bytes of the last-level cache, by which regimes are told
    /// apart.
    ///
    /// # Errors
    /// What NVRTC or the driver says.
    pub fn new(gpu: &'a Gpu, cache: u64) -> Result<Self> {
        let module = gpu.load(&nvrtc::compile(SOURCE, gpu.architecture()?)?)?;
        Ok(Self { gpu, random: Random::new(gpu)?, module, cache })
    }

    /// Bytes that a subject's data take.
    fn bytes(subject: &Subject) -> u64 {
        let set = |name: &str| subject.set.0.get(name).map_or(0, |it| it.unsigned_abs());
        match subject.name.as_str() {
            "chase" | "miss" | "copy" => set("bytes"),
            "read" | "write" | "touch" => 4 * set("words"),
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
        let misses = subject.name == "miss";
        let others = gpu.allocate(if misses { 4 * self.cache } else { 4 })?;
        if misses || subject.name == "chase" {
            self.chain(&data, protocol.seed)?;
        } else {
            self.random.fill_words(&data, protocol.seed)?;
        }
        let (a, b) = (data.address(), out.address());
        let (kernel, arguments) = match subject.name.as_str() {
            "launch" => ("empty", vec![]),
            "barriers" => ("barriers", vec![b, set("barriers")]),
            "chase" | "miss" => ("chase", vec![a, b, set("steps")]),
            "shared" => ("shared", vec![b, set("degree"), set("steps")]),
            "arithmetic" => {
                let factor = if set("product") == 1 { 3 } else { 0 };
                ("arithmetic", vec![b, set("steps"), factor, 1.5_f32.to_bits().into()])
            }
            "read" => {
                let mask = set("words") - 1;
                let how = [set("n"), set("f"), set("skip"), set("stride"), mask];
                ("read", [vec![a, b], how.to_vec()].concat())
            }
            "touch" => ("read", vec![a, b, set("words"), 0, 0, 1, set("words") - 1]),
            "write" => ("write", vec![a, set("n"), set("stride"), set("words") - 1]),
            "row" => ("row", vec![a, b, set("m"), threads]),
            _ => ("empty", vec![]),
        };
        let function = self.module.function(kernel)?;
        let block = threads.min(match subject.name.as_str() {
            "shared" => 1024,
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
        (0..protocol.repetitions)
            .map(|_| {
                if misses {
                    self.random.fill_words(&others, protocol.seed)?;
                }
                gpu.synchronize()?;
                gpu.seconds(run)
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
