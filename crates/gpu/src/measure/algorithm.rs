//! One algorithm at one point, on one GPU or several.

use std::sync::Barrier;

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::spin::Spin;
use super::{Protocol, VerifiedTimes, WARM_UP, Workload};
use crate::error::Result as CudaResult;
use crate::execution::{Difference, Execution, ExecutionError, Kernels, same, words};
use crate::gpu::Gpu;
use crate::random::{Random, seed_of, word};
use crate::{CudaError, execution};
use memory_machine_algorithms::random::{Distribution, of_array};
use memory_machine_case::{Case, CaseError};
use memory_machine_core::language::program::ArrayId;
use memory_machine_core::language::syntax::Role;
use memory_machine_core::machine::Machine;
use memory_machine_core::run::layout::{Arrangement, Bulk, Layout};
use memory_machine_core::run::memory::{self, Memory};
use memory_machine_core::run::{self, Budget, Observer};
use memory_machine_core::units::{Latency, Threads};
use memory_machine_measure::FEWEST;

/// Seconds of a run that is repeated as seldom as may be.
const LONG: f64 = 1.0;
/// Inputs of a bulk run that are compared.
const MOST_INPUTS: u128 = 64;
/// Accesses that are counted one by one: a few seconds.
const MOST_COUNTED: u64 = 1 << 26;
/// Operations of a run on the CPU that is held against the GPU's: some seconds.
const MOST_EXECUTED: u64 = 1 << 30;

/// Measures a point. Of several GPUs each runs `point` on inputs of its own, all begin together,
/// and the time is that of the last.
///
/// # Errors
/// What the GPU says; a result that is not the CPU's.
pub(super) fn measure(
    gpus: &[Gpu],
    point: &Workload,
    protocol: Protocol,
) -> Result<VerifiedTimes, ExecutionError> {
    let begin = Barrier::new(gpus.len());
    let parts = std::thread::scope(|scope| {
        let threads: Vec<_> = (0_u64..)
            .zip(gpus)
            .map(|(number, gpu)| {
                let protocol = Protocol { seed: protocol.seed + number, ..protocol };
                let begin = &begin;
                scope.spawn(move || part(gpu, point, protocol, begin))
            })
            .collect();
        let join =
            |it: std::thread::ScopedJoinHandle<'_, Result<VerifiedTimes, ExecutionError>>| {
                it.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
        threads.into_iter().map(join).collect::<Vec<_>>()
    });
    let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
    let slowest =
        |repetition: usize| parts.iter().map(|part| part.times[repetition]).fold(0.0, f64::max);
    let repetitions = parts.iter().map(|part| part.times.len()).min().unwrap_or(0);
    Ok(VerifiedTimes {
        verified: parts[0].verified,
        times: (0..repetitions).map(slowest).collect(),
    })
}

/// A GPU's waits for the others. One that fails reaches those that are left all the same.
struct GpuRendezvous<'a> {
    barrier: &'a Barrier,
    left: usize,
}

impl GpuRendezvous<'_> {
    fn wait(&mut self) {
        self.left -= 1;
        self.barrier.wait();
    }
}

impl Drop for GpuRendezvous<'_> {
    fn drop(&mut self) {
        (0..self.left).for_each(|_| {
            self.barrier.wait();
        });
    }
}

fn part(
    gpu: &Gpu,
    point: &Workload,
    protocol: Protocol,
    barrier: &Barrier,
) -> Result<VerifiedTimes, ExecutionError> {
    let mut turns = GpuRendezvous { barrier, left: protocol.repetitions };
    let kernels = Kernels::new(gpu, &point.case.program, point.options, &point.layout)?;
    let random = Random::new(gpu)?;
    let execution = kernels.prepare(&point.layout, point.case.limits())?;
    let hold = Spin::new(gpu)?;
    let Protocol { seed, most_accesses, .. } = protocol;
    let given = given(point, seed)?;
    let (execution, random, hold) = (&execution, &random, &hold);
    let part = GpuShare { gpu, point, execution, random, hold, given, seed, most_accesses };
    let verified = part.verify()?;
    // Long runs were warmed up by the first, and vary little.
    let first = part.timed(|| ())?;
    let long = first > LONG;
    for _ in 1..if long { 1 } else { WARM_UP } {
        part.timed(|| ())?;
    }
    let mut times = vec![];
    for repetition in 0..protocol.repetitions {
        // Every GPU waits as often as the others, whatever it found long.
        let skip = long && repetition >= FEWEST as usize;
        if skip {
            turns.wait();
        } else {
            times.push(part.timed(|| turns.wait())?);
        }
    }
    Ok(VerifiedTimes { verified, times })
}

struct GpuShare<'a> {
    gpu: &'a Gpu,
    point: &'a Workload,
    execution: &'a Execution<'a>,
    random: &'a Random<'a>,
    hold: &'a Spin<'a>,
    /// What memory holds before a run, if not all is random.
    given: Option<Memory>,
    seed: u64,
    most_accesses: u128,
}

/// What memory holds before a run, if not all is random.
fn given(point: &Workload, seed: u64) -> Result<Option<Memory>, ExecutionError> {
    let inputs = &point.case.inputs;
    if inputs.are_all_random(&point.case.program, point.layout.bulk.is_some()) {
        return Ok(None);
    }
    let inputs = inputs.clone().with_seed(seed);
    let case = Case { inputs, ..point.case.clone() };
    let fail =
        |error: CaseError| CudaError::Driver { what: "its inputs", error: error.to_string() };
    Ok(Some(case.memory(&point.layout).map_err(fail)?))
}

impl GpuShare<'_> {
    /// Seconds of one run on fresh inputs, beginning after `wait`.
    fn timed(&self, wait: impl FnOnce()) -> CudaResult<f64> {
        self.fill(false)?;
        self.gpu.synchronize()?;
        wait();
        let launch = || self.execution.launch();
        match self.execution.is_prepared() {
            true => self.hold.seconds(launch),
            false => self.gpu.seconds(launch),
        }
    }

    fn is_permutation(&self, array: ArrayId) -> bool {
        let case = &self.point.case;
        case.inputs.is_permutation(&case.program, array)
    }

    /// Gives the arrays their numbers: all, or only those that a run changes.
    fn fill(&self, all: bool) -> CudaResult<()> {
        let Workload { case: Case { program, .. }, layout, .. } = self.point;
        if let Some(given) = &self.given {
            let changes = program.global_arrays().any(|it| it.role == Role::Inout);
            return if all || changes { self.execution.upload(given) } else { Ok(()) };
        }
        for (index, array) in program.global_arrays().enumerate() {
            let changed = array.role == Role::Inout;
            if !array.role.is_given() || !(all || changed) {
                continue;
            }
            let (id, cells) = (ArrayId(index), layout.regions[index].cells);
            let buffer = self.execution.buffer(id);
            if self.is_permutation(id) {
                let numbers = self.permutation(id);
                let bits = memory::encode(array.element, &numbers).unwrap_or_default();
                let mut bytes = vec![];
                for word in bits {
                    execution::push(array.element, word, &mut bytes);
                }
                self.gpu.upload(buffer, &bytes)?;
            } else {
                let seed = seed_of(self.seed, index);
                self.random.fill(buffer, array.element, cells, layout.bulk, seed)?;
            }
        }
        Ok(())
    }

    fn permutation(&self, array: ArrayId) -> Vec<f64> {
        let extents = &self.point.layout.regions[array.0].extents;
        of_array(Distribution::Permutation, array.0, extents, 0, self.seed).collect()
    }

    /// Runs once on poisoned memory, and compares what a CPU can compute in passable time.
    fn verify(&self) -> Result<&'static str, ExecutionError> {
        self.execution.poison()?;
        self.fill(true)?;
        self.execution.launch()?;
        self.gpu.synchronize()?;
        let layout = &self.point.layout;
        let accesses = self.accesses().max(1);
        match layout.bulk {
            None if accesses <= self.most_accesses => {
                let Some(expected) = self.expected(layout, &[0])? else { return Ok("none") };
                match self.execution.first_difference(&expected)? {
                    None => Ok("all"),
                    Some(difference) => Err(self.wrong(difference).into()),
                }
            }
            None => Ok("none"),
            Some(bulk) => {
                let most = (self.most_accesses / accesses).clamp(1, MOST_INPUTS) as u64;
                let chosen = chosen(bulk.inputs, most, self.seed);
                Ok(match self.compare(bulk, &chosen)? {
                    true if chosen.len() as u64 == bulk.inputs => "all",
                    true => "sample",
                    false => "none",
                })
            }
        }
    }

    /// Accesses of the program, of one input if it is a bulk run; more than anyone allows, where counting
    /// them takes too long. Where they depend on data, one a word.
    fn accesses(&self) -> u128 {
        let machine = Machine { latency: Latency::ONE, ..self.point.case.machine };
        let threads = match self.point.case.bulk {
            Some(_) => Threads::ONE,
            None => Threads::at_least_one(1 << 20),
        };
        let case = Case { machine, threads, ..self.point.case.clone() };
        let most = u64::try_from(self.most_accesses).unwrap_or(u64::MAX).max(MOST_COUNTED);
        match case.layout().map(|layout| case.count_within(&layout, [most, MOST_COUNTED])) {
            Ok(Ok(Some(counted))) => counted.counts.iter().map(|it| it.accesses).sum(),
            Ok(Ok(None)) => u128::MAX,
            _ => self.point.layout.words.into(),
        }
    }

    /// Memory after a run on the CPU of the chosen inputs, unless that takes long.
    fn expected(&self, layout: &Layout, chosen: &[u64]) -> Result<Option<Memory>, ExecutionError> {
        let Case { program, .. } = &self.point.case;
        let too_large = CudaError::Memory { bytes: layout.words * 8, free: 0 };
        let mut memory = Memory::new(layout).map_err(|_| too_large)?;
        for id in memory::given(program) {
            let (element, cells) = (program.arrays[id.0].element, layout.regions[id.0].cells);
            let seed = seed_of(self.seed, id.0);
            for (place, input) in (0_u64..).zip(chosen) {
                let bits: Vec<u64> = if let Some(given) = &self.given {
                    let held = given.cells(&self.point.layout, id, *input);
                    held.map(Option::unwrap_or_default).collect()
                } else if self.is_permutation(id) {
                    memory::encode(element, &self.permutation(id)).unwrap_or_default()
                } else {
                    (0..cells).map(|cell| word(element, seed, input * cells + cell)).collect()
                };
                memory.fill(layout, id, place, &bits);
            }
        }
        let mut left = Budget(MOST_EXECUTED);
        match run::execute(program, layout, &mut memory, self.point.case.limits(), &mut left) {
            Err(_) if left.has_seen_enough() => Ok(None),
            done => done.map(|_| Some(memory)).map_err(Into::into),
        }
    }

    /// Whether the chosen inputs were held against a run on the CPU.
    fn compare(&self, bulk: Bulk, chosen: &[u64]) -> Result<bool, ExecutionError> {
        let Workload { case, layout, .. } = self.point;
        let program = &case.program;
        let threads = Threads::at_least_one(chosen.len() as u64);
        let small = Case { threads, bulk: Some(Arrangement::RowWise), ..case.clone() };
        let small = small.layout().map_err(|error| CudaError::Nvrtc(error.to_string()))?;
        let Some(expected) = self.expected(&small, chosen)? else { return Ok(false) };
        for (index, array) in program.global_arrays().enumerate() {
            let (id, cells) = (ArrayId(index), layout.regions[index].cells);
            let buffer = self.execution.buffer(id);
            let found = self.random.gather(buffer, array.element, cells, bulk, chosen)?;
            let found = words(array.element, &found);
            for (place, (found, wanted)) in
                (0..).zip(found.into_iter().zip(expected.words(&small, id)))
            {
                if !same(array.element, found, wanted) {
                    let place = chosen[(place / cells) as usize] * cells + place % cells;
                    return Err(self.wrong(Difference { array: id, place, found, wanted }).into());
                }
            }
        }
        Ok(true)
    }

    fn wrong(&self, difference: Difference) -> CudaError {
        let Difference { array, place, found, wanted } = difference;
        let array = &self.point.case.program.arrays[array.0];
        let text = |bits| memory::text(array.element, bits);
        CudaError::Driver {
            what: "the result is wrong",
            error: format!(
                "word {place} of `{}` is {} and should be {}",
                array.name,
                text(found),
                wanted.map_or("unwritten".to_owned(), text)
            ),
        }
    }
}

/// `most` distinct inputs, the first and the last among them.
fn chosen(inputs: u64, most: u64, seed: u64) -> Vec<u64> {
    if inputs <= most {
        return (0..inputs).collect();
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut chosen = vec![inputs - 1];
    if most > 1 {
        chosen.push(0);
    }
    while (chosen.len() as u64) < most {
        let input = random.random_range(0..inputs);
        if !chosen.contains(&input) {
            chosen.push(input);
        }
    }
    chosen.sort_unstable();
    chosen
}
