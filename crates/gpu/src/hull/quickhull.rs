//! The iterative quickhull of Srikanth et al. (`kernels/quickhull.cuh`), in the paper's phases:
//! ends by scans, distances, the farthest point of each label by a segmented scan, the vertices'
//! places by a prefix scan, and the points' by two more.

use super::sites;
use crate::error::Result;
use crate::gpu::{Buffer, Gpu};
use crate::kernel::{Function, Module};
use bytemuck::{cast_slice, cast_slice_mut};
use memory_machine_geometry::hull::IndexedPoint;
use memory_machine_geometry::points::Point;

const THREADS: u32 = 256;
const SCAN_TILE: u64 = 2048;
const SCAN_THREADS: u32 = 256;
/// Bytes of the largest value that is scanned.
const VALUE: u64 = 48;
/// Each round at least halves the points of a set in general position; a set that lies in wait takes
/// more rounds, and what is left after this many is settled on the host.
const MOST_ROUNDS: u32 = 256;

/// A scan's three kernels.
struct ScanKernels {
    totals: Function,
    of_totals: Function,
    threads: u32,
    tiles: Option<Function>,
}

pub(super) struct Quickhull<'g> {
    gpu: &'g Gpu,
    number: Function,
    ends: ScanKernels,
    divide: Function,
    distances: Function,
    farthest: ScanKernels,
    grow: ScanKernels,
    sides: Function,
    ranks: ScanKernels,
    distribute: Function,
    _module: Module,
}

/// Points that take part, in the order of their labels.
struct Labelled {
    places: Buffer,
    numbers: Buffer,
    labels: Buffer,
}

/// Vertices found so far.
struct HullVertices {
    places: Buffer,
    numbers: Buffer,
}

/// What the rounds need for a number of points.
pub(super) struct Workspace {
    points: [Labelled; 2],
    answers: [HullVertices; 2],
    /// `Round`'s own: distances, begins, ends, farthest, before, ranks, sides, points set aside.
    round: [Buffer; 9],
    asides: Buffer,
    totals: Buffer,
}

impl<'g> Quickhull<'g> {
    pub(super) fn new(gpu: &'g Gpu, module: Module) -> Result<Self> {
        let scan = |name: &str, threads: u32| -> Result<ScanKernels> {
            Ok(ScanKernels {
                totals: module.function(&format!("{name}_1"))?,
                of_totals: module.function(&format!("{name}_2"))?,
                threads,
                tiles: if name == "ends" {
                    None
                } else {
                    Some(module.function(&format!("{name}_3"))?)
                },
            })
        };
        Ok(Self {
            gpu,
            number: module.function("number")?,
            ends: scan("ends", 512)?,
            divide: module.function("divide")?,
            distances: module.function("distances")?,
            farthest: scan("farthest", 1024)?,
            grow: scan("grow", 1024)?,
            sides: module.function("sides")?,
            ranks: scan("ranks", 1024)?,
            distribute: module.function("distribute")?,
            _module: module,
        })
    }

    /// # Errors
    /// [`crate::CudaError::Memory`] if it does not fit.
    pub(super) fn workspace(&self, n: usize) -> Result<Workspace> {
        let (gpu, n) = (self.gpu, n as u64 + 2);
        let labelled = || -> Result<Labelled> {
            Ok(Labelled {
                places: gpu.allocate(16 * n)?,
                numbers: gpu.allocate(4 * n)?,
                labels: gpu.allocate(4 * n)?,
            })
        };
        let answer = || -> Result<HullVertices> {
            Ok(HullVertices { places: gpu.allocate(16 * n)?, numbers: gpu.allocate(4 * n)? })
        };
        let each = |bytes: u64| gpu.allocate(bytes * n);
        Ok(Workspace {
            points: [labelled()?, labelled()?],
            answers: [answer()?, answer()?],
            round: [
                each(8)?,
                each(4)?,
                each(4)?,
                each(4)?,
                each(4)?,
                each(8)?,
                each(1)?,
                each(16)?,
                each(4)?,
            ],
            asides: gpu.allocate(4)?,
            totals: gpu.allocate(VALUE * (n.div_ceil(SCAN_TILE) + 1))?,
        })
    }

    /// The vertices of `n` points and what lies too near to the hull's edges to tell, and the number
    /// of rounds. Points without numbers are numbered in their order.
    pub(super) fn survivors(
        &self,
        places: &Buffer,
        numbers: Option<&Buffer>,
        n: usize,
        space: &Workspace,
    ) -> Result<(Vec<IndexedPoint>, u32)> {
        let (gpu, mut count) = (self.gpu, n as u32);
        if n == 0 {
            return Ok((vec![], 0));
        }
        let numbers = match numbers {
            Some(numbers) => numbers,
            None => {
                let own = &space.points[1].numbers;
                gpu.launch(&self.number, blocks(count), &[own.address(), n as u64])?;
                own
            }
        };
        gpu.set(&space.asides, 0)?;
        if !self.find_ends(places, numbers, n, space)? {
            // All points are one.
            return Ok((sites(gpu, places, numbers, n)?, 0));
        }

        let mut chords = 2;
        let (mut from, mut answer) = (0, 0);
        let round = space.round((places, numbers, None), &space.answers[0], count, chords);
        gpu.launch_words(&self.divide, blocks(count), &[&round])?;
        count = self.distribute(&round, space, count, &space.points[0])?;
        let mut rounds = 0;
        while count > 0 && rounds < MOST_ROUNDS {
            let points = &space.points[from];
            let part = (&points.places, &points.numbers, Some(&points.labels));
            let round = space.round(part, &space.answers[answer], count, chords);
            let [_, _, _, farthest, ..] = &space.round;
            gpu.set_first(farthest, 4 * u64::from(chords), 0xff)?;
            gpu.launch_words(&self.distances, blocks(count), &[&round])?;
            self.scan(&self.farthest, &round, &[], count, space)?;
            let (old, new) = (&space.answers[answer], &space.answers[1 - answer]);
            let more = [old.numbers.address(), new.places.address(), new.numbers.address()];
            self.scan(&self.grow, &round, &more, chords, space)?;
            let mut found = [0_u32];
            let last = u64::from(chords).div_ceil(SCAN_TILE) * 4;
            gpu.download_at(&space.totals, last, cast_slice_mut(&mut found))?;
            gpu.launch_words(&self.sides, blocks(count), &[&round])?;
            count = self.distribute(&round, space, count, &space.points[1 - from])?;
            chords += found[0];
            (from, answer) = (1 - from, 1 - answer);
            rounds += 1;
        }

        let [.., aside_places, aside] = &space.round;
        let mut asides = [0_u32];
        gpu.download(&space.asides, cast_slice_mut(&mut asides))?;
        let (answer, points) = (&space.answers[answer], &space.points[from]);
        let left = [
            sites(gpu, &answer.places, &answer.numbers, chords as usize)?,
            sites(gpu, aside_places, aside, asides[0] as usize)?,
            sites(gpu, &points.places, &points.numbers, count as usize)?,
        ];
        Ok((left.concat(), rounds))
    }

    /// Phase 3: the first two vertices; `false` if they are one point.
    fn find_ends(
        &self,
        places: &Buffer,
        numbers: &Buffer,
        n: usize,
        space: &Workspace,
    ) -> Result<bool> {
        let (gpu, tiles) = (self.gpu, (n as u64).div_ceil(SCAN_TILE));
        let taken = [places.address(), n as u64, space.totals.address()];
        gpu.launch(&self.ends.totals, (tiles as u32, SCAN_THREADS), &taken)?;
        let taken = [tiles, space.totals.address()];
        gpu.launch(&self.ends.of_totals, (1, self.ends.threads), &taken)?;
        // Two points, and their ranks in the last word but one.
        let mut value = [0_u64; VALUE as usize / 8];
        gpu.download_at(&space.totals, tiles * VALUE, cast_slice_mut(&mut value))?;
        let ends = [value[0], value[1], value[2], value[3]].map(f64::from_bits);
        let ends = [Point { x: ends[0], y: ends[1] }, Point { x: ends[2], y: ends[3] }];
        let ranks = [value[4] & 0xffff_ffff, value[4] >> 32];
        let mut named = [[0_u32]; 2];
        for (name, rank) in named.iter_mut().zip(ranks) {
            gpu.download_at(numbers, 4 * rank, cast_slice_mut(name))?;
        }
        gpu.upload(&space.answers[0].places, cast_slice(&ends))?;
        gpu.upload(&space.answers[0].numbers, cast_slice(named.as_flattened()))?;
        Ok(ends[0] != ends[1])
    }

    /// Phase 7, its end: how many points stay. They come in the order of their new labels.
    fn distribute(
        &self,
        round: &[u64; ROUND],
        space: &Workspace,
        count: u32,
        to: &Labelled,
    ) -> Result<u32> {
        self.scan(&self.ranks, round, &[], count, space)?;
        let to = [to.places.address(), to.numbers.address(), to.labels.address()];
        let taken: [&[u64]; 4] = [round, &to[..1], &to[1..2], &to[2..]];
        self.gpu.launch_words(&self.distribute, blocks(count), &taken)?;
        let [_, _, _, _, _, ranks, ..] = &space.round;
        let mut stay = [0_u32];
        self.gpu.download_at(ranks, 8 * u64::from(count), cast_slice_mut(&mut stay))?;
        Ok(stay[0])
    }

    fn scan(
        &self,
        scan: &ScanKernels,
        round: &[u64; ROUND],
        more: &[u64],
        count: u32,
        space: &Workspace,
    ) -> Result<()> {
        let tiles = u64::from(count).div_ceil(SCAN_TILE);
        let totals = space.totals.address();
        let shape = (tiles as u32, SCAN_THREADS);
        self.gpu.launch_words(&scan.totals, shape, &[round, &[totals]])?;
        self.gpu.launch(&scan.of_totals, (1, scan.threads), &[tiles, totals])?;
        let Some(last) = &scan.tiles else { return Ok(()) };
        let mut taken: Vec<&[u64]> = vec![round];
        taken.extend(more.iter().map(std::slice::from_ref));
        taken.push(std::slice::from_ref(&totals));
        self.gpu.launch_words(last, shape, &taken)
    }
}

/// Words of the kernels' structure `Round`.
const ROUND: usize = 15;

impl Workspace {
    fn round(
        &self,
        (places, numbers, labels): (&Buffer, &Buffer, Option<&Buffer>),
        answer: &HullVertices,
        count: u32,
        chords: u32,
    ) -> [u64; ROUND] {
        let mut words = [0; ROUND];
        words[..4].copy_from_slice(&[
            places.address(),
            answer.places.address(),
            numbers.address(),
            labels.map_or(0, Buffer::address),
        ]);
        for (word, buffer) in words[4..].iter_mut().zip(&self.round) {
            *word = buffer.address();
        }
        words[13] = self.asides.address();
        words[14] = u64::from(count) | u64::from(chords) << 32;
        words
    }
}

/// A thread a point.
const fn blocks(count: u32) -> (u32, u32) {
    (count.div_ceil(THREADS), THREADS)
}
