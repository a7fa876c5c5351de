//! Kernels from outside: seconds of a launch on a calibrated machine, what limits it, and where its warps wait.

use serde::Serialize;

use super::compiled_case::{MOST_INSTRUCTIONS, shape, work};
use super::launch_code::{LaunchCode, SampledBlock};
use super::launches::SequentialAccesses;
use super::occupancy::Occupancy;
use super::predict::{PAIR_BYTES, predict};
use super::prediction::{Bound, Prediction};
use super::work::{ArrayBytes, KernelModel, LaunchWork, Work};
use memory_machine_codegen as codegen;
use memory_machine_core::units::{SECTOR_BYTES, WARP};
use memory_machine_kernel::{
    Execution, InstructionCounts, InstructionPrediction, MovedBytes, Plan, Prepared,
};
use memory_machine_measure::models::Calibration;
use memory_machine_sass::launch::{GlobalMemory, Image, Launch};
use memory_machine_sass::{BlockRun, DeviceMemory, InstructionProfile, KernelCode, Module};

/// Seconds that a profiler has a kernel take beside what its blocks do: the median of 19 launches on an H100
/// whose blocks take less than a microsecond, of a half of the kernels of
/// `models/measurements/nvidia-h100/2026-11-27/kernels`; from 1.9 to 2.2 µs.
const PROFILED_KERNEL_S: f64 = 2.05e-6;

/// A launch's seconds, and what they rest on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KernelPrediction {
    /// The kernel alone, as a profiler has it, which lets what is under way end before.
    pub kernel_s: f64,
    /// Seconds, by part, with the launch by the host.
    pub prediction: Prediction,
    /// What most of the time is spent on.
    pub bound: Bound,
    /// What of its multiprocessors a launch has, and what limits it.
    pub occupancy: Occupancy,
    /// Bytes that all blocks move, by where they come from or go to.
    pub moved_bytes: MovedBytes,
    /// Where it stands under the roof of the machine.
    pub roofline: Roofline,
    /// By instruction, what the warps of a mean block wait for, and what of these bytes it moves.
    #[serde(skip)]
    pub instructions: Vec<InstructionPrediction>,
}

/// Operations of floating-point numbers and bytes, and what the machine does of both.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Roofline {
    /// Operations of binary32 and narrower, and of binary64: a fused one counts twice.
    pub operations: [f64; 2],
    /// Bytes that memory moves.
    pub bytes: f64,
    /// Operations a second.
    pub operations_per_s: f64,
    /// Operations a byte; none, where memory moves nothing.
    pub intensity: Option<f64>,
    /// Of the machine: operations of each kind a second, and bytes.
    pub peak_operations_per_s: [f64; 2],
    /// As above.
    pub peak_bytes_per_s: f64,
    /// The part of what the machine could do at most with this intensity.
    pub of_roof: Option<f64>,
}

/// A launch before it is executed: what it was given, and what an execution of it said.
#[derive(Debug, Clone, Copy)]
pub struct KernelLaunch<'a> {
    /// What the kernel is of.
    pub module: &'a Module,
    /// The kernel.
    pub kernel: &'a KernelCode,
    /// How it is launched.
    pub plan: &'a Plan,
    /// With its arguments and memory.
    pub prepared: &'a Prepared,
    /// What came out.
    pub execution: &'a Execution,
}

impl KernelLaunch<'_> {
    /// Predicts its seconds by the same model as those of a listing's compiled code.
    ///
    /// # Errors
    /// An instruction of which nobody says how long it takes; more of them than a block may have.
    pub fn predict(&self, device: &Calibration) -> Result<KernelPrediction, String> {
        let Self { module, kernel, plan, prepared, execution } = *self;
        // What no block came to, such as a failed assertion, takes no time.
        let counts = execution.counts.iter().enumerate();
        let mut reached = counts.filter(|it| it.1.executions > 0).map(|it| it.0);
        if let Some((at, name)) = reached.find_map(|at| Some((at, kernel.untimed(at)?))) {
            let line = kernel.line(at);
            let line = line.map_or_else(String::new, |it| format!("{}:{}: ", it.file, it.line));
            return Err(format!(
                "{line}how long {name} takes is not modelled, so that no seconds are predicted"
            ));
        }
        let launch = plan.launch(&prepared.parameters, None);
        let threads = launch.threads();
        let shape = shape(kernel, threads as f64, plan.shared_bytes.into());
        let arrays = array_bytes(&prepared.memory);
        let bytes = touched(&arrays, &execution.arrays);
        let code = LaunchCode {
            module,
            kernel,
            device,
            shape,
            run: block_run(&launch, &prepared.image),
            bytes,
            all_bytes: arrays.iter().sum(),
            array_bytes: arrays.clone(),
        };
        let mut memory = kernel.depends_on_values().then(|| prepared.memory.clone());
        let sampled = code.sample(&mut memory as &mut dyn DeviceMemory, u64::MAX);
        let SampledBlock { counts, profile } = sampled.map_err(|it| it.to_string())?;
        let blocks = launch.blocks() as f64;
        let model = KernelModel::Compiled(Box::new(counts));
        let doing = LaunchWork { blocks, times: blocks, model, is_alone: false };
        let work = Work {
            kernels: vec![work(shape, bytes, vec![doing])],
            launch: codegen::Launch::Plain,
            bytes: arrays.iter().sum(),
            time_units: None,
            fallback: None,
            between: SequentialAccesses::default(),
        };
        let prediction = predict(&work, device, &[]);
        let blocks_s = prediction.time_s - prediction.launches_s;
        let kernel_s = blocks_s + PROFILED_KERNEL_S;
        let pairs = counts.dram_pairs + counts.dram_written_pairs + counts.dram_part_pairs;
        let moved_bytes = MovedBytes {
            l1: SECTOR_BYTES as f64 * self.sum(|_, it| it.sectors as f64),
            l2: blocks
                * SECTOR_BYTES as f64
                * (counts.l2_sectors + counts.written_sectors + counts.atomic_sectors),
            dram: blocks * PAIR_BYTES * pairs,
        };
        Ok(KernelPrediction {
            kernel_s,
            prediction,
            bound: prediction.bound(),
            occupancy: Occupancy::of(device, shape, blocks),
            moved_bytes,
            roofline: Roofline::of(device, self.operations(), moved_bytes.dram, kernel_s),
            instructions: self.instructions(&profile, moved_bytes),
        })
    }

    /// By instruction: of the bytes that all blocks move beyond the first cache each has the part that it has in
    /// the blocks that were executed with their time; where these move none, that of its sectors.
    fn instructions(
        &self,
        profile: &[InstructionProfile],
        all: MovedBytes,
    ) -> Vec<InstructionPrediction> {
        let counts = &self.execution.counts;
        let parts = |all: f64, of: fn(&InstructionProfile) -> f64| {
            let reached = |it: &InstructionCounts| f64::from(u8::from(it.executions > 0));
            let known = profile.iter().zip(counts).map(|it| of(it.0) * reached(it.1)).collect();
            let touched = || counts.iter().map(|it| it.sectors as f64).collect();
            let sum = |of: &Vec<f64>| of.iter().sum::<f64>();
            let parts = Some(known).filter(|it| sum(it) > 0.0).unwrap_or_else(touched);
            let each = all / sum(&parts).max(f64::MIN_POSITIVE);
            parts.into_iter().map(move |it| it * each)
        };
        let l1 = parts(all.l1, |_| 0.0);
        let beyond = parts(all.l2, |it| it.l2_sectors).zip(parts(all.dram, |it| it.dram_pairs));
        let moved = l1.zip(beyond).map(|(l1, (l2, dram))| MovedBytes { l1, l2, dram });
        let of = |(it, moved): (&InstructionProfile, _)| InstructionPrediction {
            stalls: it.stalls,
            moved,
        };
        profile.iter().zip(moved).map(of).collect()
    }

    /// Of floating-point numbers, of all blocks.
    fn operations(&self) -> [f64; 2] {
        [0, 1].map(|kind| self.sum(|at, it| self.kernel.operations(at)[kind] * it.threads as f64))
    }

    /// Of all instructions, by their number, of all blocks.
    fn sum(&self, of: impl Fn(usize, &InstructionCounts) -> f64) -> f64 {
        let (done, all) = self.execution.blocks;
        let counts = self.execution.counts.iter().enumerate();
        counts.map(|(at, it)| of(at, it)).sum::<f64>() * all as f64 / done.max(1) as f64
    }
}

fn block_run<'a>(launch: &'a Launch<'a>, image: &'a Image) -> BlockRun<'a> {
    let threads = launch.threads();
    BlockRun {
        blocks: launch.blocks(),
        threads,
        block: 0,
        warps: threads.div_ceil(WARP),
        arguments: &[],
        launch: Some((launch, image)),
        limit: MOST_INSTRUCTIONS,
        has_results: false,
    }
}

fn array_bytes(memory: &GlobalMemory) -> Vec<f64> {
    let arrays = (0..memory.len()).filter_map(|it| memory.array(it));
    arrays.map(|it| it.bytes.len() as f64).collect()
}

/// Of arrays that are read, and that are written.
fn touched(arrays: &[f64], is: &[[bool; 2]]) -> ArrayBytes {
    let sum = |of: &dyn Fn(&[bool; 2]) -> bool| {
        arrays.iter().zip(is).filter(|it| of(it.1)).map(|it| it.0).sum()
    };
    ArrayBytes { read: sum(&|it| it[0]), written: sum(&|it| it[1]), all: sum(&|it| it[0] || it[1]) }
}

impl Roofline {
    fn of(device: &Calibration, operations: [f64; 2], bytes: f64, seconds: f64) -> Self {
        // A fused product and sum is two, of each thread.
        let peak = |warp_s: f64| 2.0 * WARP as f64 * device.multiprocessors.value / warp_s;
        let peaks = [peak(device.f32_s.value), peak(device.f64_s.value)];
        let pair_s = device.dram_group_s.value / 2.0 + device.dram_sector_s.value;
        let fastest = (PAIR_BYTES / pair_s).max(device.dram_peak_bytes_per_s.value);
        let all: f64 = operations.iter().sum();
        let intensity = (bytes > 0.0).then(|| all / bytes);
        // What its operations and its bytes take at least.
        let computes: f64 = operations.iter().zip(peaks).map(|(it, peak)| it / peak).sum();
        let least = computes.max(bytes / fastest);
        Self {
            operations,
            bytes,
            operations_per_s: all / seconds,
            intensity,
            peak_operations_per_s: peaks,
            peak_bytes_per_s: fastest,
            of_roof: (least > 0.0).then_some(least / seconds),
        }
    }
}
