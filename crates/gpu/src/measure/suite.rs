//! Which microbenchmarks a GPU is calibrated from: each group of them asks one thing of it.

use memory_machine_case::sample::Settings;
use memory_machine_codegen::{self as codegen, COOPERATIVE_BLOCK};
use memory_machine_measure::Subject;

/// Chains of one operation, as the kernels are called.
pub(super) const OPERATIONS: [&str; 12] = [
    "add",
    "multiply",
    "divide",
    "add64",
    "multiply64",
    "divide64",
    "f32_add",
    "f32_divide",
    "f32_root",
    "f64_add",
    "f64_divide",
    "f64_root",
];

/// Threads of a block as nests have them.
pub(super) const SMALL_BLOCK: u64 = codegen::BLOCK as u64;

/// The microbenchmarks for a GPU that holds `resident` threads at once and has `cache` bytes of
/// last-level cache, as subjects without bytes.
pub fn all(resident: u64, cache: u64, multiprocessors: u64) -> Vec<Subject> {
    let mut suite = Suite { resident, subjects: vec![] };
    suite.launches(multiprocessors);
    suite.dependent_loads();
    suite.cache_sweeps(cache);
    suite.shared_memory();
    suite.block_barriers();
    suite.arithmetic();
    let (memory, near) = (1_u64 << 31, (cache / 16).next_power_of_two() / 4 * 4);
    suite.reads(memory, near);
    suite.writes(memory, near);
    suite.rows(memory);
    suite.copies();
    suite.subjects
}

struct Suite {
    resident: u64,
    subjects: Vec<Subject>,
}

impl Suite {
    fn add(&mut self, name: &str, set: &[(&str, u64)], threads: Option<u64>, launch: &str) {
        let set = set.iter().map(|(name, value)| ((*name).to_owned(), *value as i64)).collect();
        self.subjects.push(Subject {
            name: name.to_owned(),
            set: Settings(set),
            threads,
            launch: Some(launch.to_owned()),
            prefetch: 1,
            processor: "gpu".to_owned(),
            devices: 1,
            ..Subject::default()
        });
    }

    /// Launches; kernels of one access each; blocks that do nothing; barriers of the whole grid.
    fn launches(&mut self, multiprocessors: u64) {
        for kernels in [1, 10, 100, 1000] {
            self.add("launch", &[("kernels", kernels)], None, "plain");
            self.add("launch", &[("kernels", kernels)], None, "graph");
        }
        for kernels in [1, 1000] {
            self.add("touch", &[("kernels", kernels), ("words", 128)], Some(128), "graph");
        }
        for blocks in [1 << 10, 1 << 14, 1 << 20] {
            self.add("blocks", &[("blocks", blocks)], Some(SMALL_BLOCK * blocks), "plain");
        }
        for blocks in [multiprocessors, 2 * multiprocessors] {
            for barriers in [1, 1000] {
                let threads = Some(blocks * u64::from(COOPERATIVE_BLOCK));
                let set = [("blocks", blocks), ("barriers", barriers)];
                self.add("barriers", &set, threads, "cooperative");
            }
        }
    }

    /// Dependent loads, one thread, after all bytes were read once. Where the first cache may hold
    /// them the chain is first followed twice; the difference of two numbers of steps is taken.
    fn dependent_loads(&mut self) {
        for half_power in 24..=57 {
            let bytes = (2_f64.powf(f64::from(half_power) / 2.0) / 128.0).round() as u64 * 128;
            let warm = 2048.max(if bytes <= 1 << 20 { bytes / 16 } else { 0 });
            for steps in [warm, warm + 16384] {
                self.add("chase", &[("bytes", bytes), ("steps", steps)], Some(1), "plain");
            }
        }
    }

    /// All threads, around the size of the last-level cache.
    fn cache_sweeps(&mut self, cache: u64) {
        for eighths in [2, 4, 6, 7, 8, 9, 10, 12, 16, 24, 32] {
            for rounds in [2, 10] {
                let set = [("words", cache / 32 * eighths), ("rounds", rounds)];
                self.add("sweep", &set, Some(self.resident), "plain");
            }
        }
    }

    /// Shared memory, one warp and as many as a block has.
    fn shared_memory(&mut self) {
        for warps in [1, 32] {
            for degree in 1..=32 {
                for steps in [1024, 9216] {
                    let set = [("degree", degree), ("steps", steps), ("warps", warps)];
                    self.add("shared", &set, Some(32 * warps), "plain");
                }
            }
        }
    }

    /// Barriers of blocks, multiprocessors full and one block alone.
    fn block_barriers(&mut self) {
        for warps in [2, 8, 32] {
            for threads in [32 * warps, self.resident] {
                for steps in [1024, 9216] {
                    let set = [("steps", steps), ("warps", warps)];
                    self.add("block_barriers", &set, Some(threads), "plain");
                }
            }
        }
    }

    /// Arithmetic: one warp alone, and every multiprocessor full.
    fn arithmetic(&mut self) {
        for operation in OPERATIONS {
            for threads in [32, self.resident] {
                for steps in [1024, 9216] {
                    self.add(operation, &[("steps", steps)], Some(threads), "plain");
                }
            }
        }
    }

    /// Sequential memory access: length, threads, fragmentation, stride; from memory, from the last
    /// cache, and from the first.
    fn reads(&mut self, memory: u64, near: u64) {
        let resident = self.resident;
        let read = |n: u64, f: u64, skip: u64, stride: u64, words: u64| {
            [("n", n), ("f", f), ("skip", skip), ("stride", stride), ("words", words)]
        };
        for words in [memory, near, 1 << 12] {
            let mut threads = 32;
            while threads < 2 * resident {
                let p = threads.min(resident);
                self.add("read", &read(p * 64, 0, 0, 1, words), Some(p), "plain");
                threads *= 4;
            }
            for rounds in [16, 256, 1024] {
                let set = read(resident * rounds, 0, 0, 1, words);
                self.add("read", &set, Some(resident), "plain");
            }
            for stride in [1, 2, 4, 8, 16, 32, 64, 128] {
                let set = read(1 << 24, 0, 0, stride, words);
                self.add("read", &set, Some(resident), "plain");
            }
        }
        for f in [0, 15, 255, 4095, 65535, 1 << 20] {
            self.add("read", &read(1 << 26, f, 8, 1, memory), Some(resident), "plain");
        }
    }

    fn writes(&mut self, memory: u64, near: u64) {
        for (n, stride, words) in [
            (1 << 28, 1, memory),
            (1 << 24, 2, memory),
            (1 << 24, 4, memory),
            (1 << 24, 8, memory),
            (1 << 24, 16, memory),
            (1 << 24, 32, memory),
            (1 << 26, 1, near),
            (1 << 24, 8, near),
            (1 << 24, 32, near),
        ] {
            let set = [("n", n), ("stride", stride), ("words", words)];
            self.add("write", &set, Some(self.resident), "plain");
        }
    }

    /// A thread's words side by side: the arrangement in which threads share no address group.
    fn rows(&mut self, memory: u64) {
        for m in [8, 32, 128, 1024] {
            let mut p = 1024;
            while p <= self.resident * 4 && p * m <= memory {
                self.add("row", &[("m", m)], Some(p), "plain");
                p *= 8;
            }
        }
    }

    /// A library's copy.
    fn copies(&mut self) {
        for power in [20, 24, 28, 30, 32] {
            self.add("copy", &[("bytes", 1 << power)], None, "plain");
        }
    }
}
