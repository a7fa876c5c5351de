//! The tiled engine of optimal polygon triangulation: to the last bit the plain triple loop.

use chacha20::ChaCha8Rng;
use memory_machine::algorithms::opt::matrix_chain::{self, MatrixChain};
use memory_machine::algorithms::opt::{self, Problem, Table, Weight, reference, triangulation};
use memory_machine::gpu::Gpu;
use memory_machine::gpu::opt::tiled::{self, Number, Side, Tiled};
use rand::{RngExt, SeedableRng};

use super::gpu;

/// Random weights of a kind, of edges and triangles, too.
struct Random<T> {
    n: usize,
    cells: Vec<T>,
    base: Vec<T>,
    sides: Option<Vec<T>>,
}

impl<T: Weight> Random<T> {
    fn new(n: usize, seed: u64, kind: Kind, number: fn(f64) -> T) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let low = if matches!(kind, Kind::Negative | Kind::NegativeSides) { -0.5 } else { 0.0 };
        let mut weight = || match kind {
            Kind::Infinite if rng.random_bool(0.3) => T::INFINITY,
            _ => number(low + rng.random::<f64>()),
        };
        let cells = (0..n * n).map(|_| weight()).collect();
        let base = (0..n).map(|_| if kind == Kind::Based { number(0.25) } else { T::ZERO });
        // Products of three must be finite.
        let split = matches!(kind, Kind::Sides | Kind::NegativeSides);
        let mut side = || number((low + rng.random::<f64>()) / 2.0);
        let sides = split.then(|| (0..n).map(|_| side()).collect());
        Self { n, cells, base: base.collect(), sides }
    }
}

impl<T: Weight> Problem<T> for Random<T> {
    fn n(&self) -> usize {
        self.n
    }
    fn base(&self, a: usize) -> T {
        self.base[a]
    }
    fn whole(&self, a: usize, b: usize) -> T {
        self.cells[a * self.n + b]
    }
    fn sides(&self) -> Option<&[T]> {
        self.sides.as_deref()
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Positive,
    Negative,
    Infinite,
    Based,
    Sides,
    NegativeSides,
}

/// The plain triple loop's table.
fn plain<T: Weight>(problem: &impl Problem<T>) -> Table<T> {
    let (n, m) = (problem.n(), reference::solve(problem));
    let row = |block: usize, cells: &mut [T]| -> Result<(), std::convert::Infallible> {
        for (at, cell) in cells.iter_mut().enumerate() {
            let (a, b) = (block * 64 + at % 4096 / 64, (block + at / 4096) * 64 + at % 64);
            *cell = if a < b && b < n { m[(a + 1) * n + b] } else { T::INFINITY };
        }
        Ok(())
    };
    let Ok(table) = Table::from_rows(n, row);
    table
}

fn first_difference<T: Weight>(n: usize, found: &Table<T>, wanted: &Table<T>) -> Option<String> {
    let cells = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    // Debug text tells all bits of these types but those of a NaN, and 0 from −0.
    let mut different = cells.filter(|&(a, b)| {
        found.get(a, b) != wanted.get(a, b)
            || format!("{:?}", found.get(a, b)) != format!("{:?}", wanted.get(a, b))
    });
    let (a, b) = different.next()?;
    Some(format!("T[{a}][{b}] = {}, not {}", found.get(a, b), wanted.get(a, b)))
}

/// The whole table, and the triangles, by tiles of both sides.
fn check<T: Number>(engine: &Tiled<T>, problem: &impl Problem<T>, what: &str) {
    let n = problem.n();
    let wanted = if n < 300 { plain(problem) } else { opt::solve(problem, &|_| ()) };
    for side in Side::ALL {
        let mut polygons = engine.polygons_by(side, n, 1).unwrap();
        polygons.load(problem, &|_| ()).unwrap();
        polygons.triangulate().unwrap();
        let found = polygons.table(0).unwrap();
        if let Some(difference) = first_difference(n, &found, &wanted) {
            panic!("{what}, {side:?}: {difference}");
        }
        let triangles = polygons.triangles().unwrap();
        match triangulation::triangles(problem, |a, b| wanted.get(a, b)) {
            Ok(wanted) => assert_eq!(triangles.as_ref(), Some(&wanted), "{what}"),
            Err(_) => assert_eq!(triangles, None, "{what}"),
        }
    }
}

fn check_all<T: Number>(gpu: &Gpu, split: bool, kinds: &[Kind], number: fn(f64) -> T) {
    let engine = Tiled::<T>::new(gpu, split);
    let large = [257, 320, 511, 777, 1000, 1537, 2049];
    for n in (3..=200).chain(large) {
        let kinds = if n < 1000 { kinds } else { &kinds[..2] };
        for (seed, &kind) in (n as u64..).zip(kinds) {
            let what = format!("{} n = {n} {kind:?} seed {seed}", T::NAME);
            check(&engine, &Random::new(n, seed, kind, number), &what);
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn tables_and_triangles_are_those_of_the_cpu() {
    let gpu = gpu();
    let kinds = [Kind::Positive, Kind::Negative, Kind::Infinite, Kind::Based];
    check_all::<f32>(&gpu, false, &kinds, |unit| unit as f32);
    check_all::<f64>(&gpu, false, &kinds, |unit| unit);
    check_all::<i32>(&gpu, false, &kinds, |unit| (unit * 1000.0) as i32);
}

/// Products of sides round here: what is added in another order differs.
#[test]
#[ignore = "needs a GPU"]
fn tables_with_sides_are_those_of_the_cpu() {
    let gpu = gpu();
    let kinds = [Kind::Sides, Kind::NegativeSides];
    check_all::<f32>(&gpu, true, &kinds, |unit| unit as f32);
    check_all::<f64>(&gpu, true, &kinds, |unit| unit);
    check_all::<i32>(&gpu, true, &kinds, |unit| (unit * 1000.0) as i32);
}

#[test]
#[ignore = "needs a GPU"]
fn matrix_chains_are_those_of_the_cpu() {
    let gpu = gpu();
    let engine = Tiled::new(&gpu, true);
    for n in [2, 3, 63, 64, 65, 130, 500, 1000] {
        for seed in 1..=3 {
            let chain = MatrixChain::new(&matrix_chain::random(n - 1, seed)).unwrap();
            check(&engine, &chain, &format!("{n} dimensions, seed {seed}"));
        }
    }
}

fn check_many<T: Number>(gpu: &Gpu, number: fn(f64) -> T) {
    let engine = Tiled::<T>::new(gpu, false);
    for (n, count) in [(3, 1000), (8, 3001), (33, 100), (64, 130), (65, 20), (200, 9), (512, 5)] {
        let all: Vec<_> =
            (0..count).map(|it| Random::new(n, it as u64, Kind::Positive, number)).collect();
        let cells: Vec<T> = all.iter().flat_map(|it| it.cells.iter().copied()).collect();
        let weights = gpu.allocate(size_of_val(cells.as_slice()) as u64).unwrap();
        let bytes = bytemuck::cast_slice(&cells);
        gpu.upload(&weights, bytes).unwrap();
        let polygons = engine.polygons(n, count).unwrap();
        polygons.triangulate_weights(&weights).unwrap();
        let mut small = vec![T::ZERO; cells.len()];
        if n <= tiled::SMALL {
            engine.small(n, count, &weights).unwrap();
            gpu.download(&weights, bytemuck::cast_slice_mut(&mut small)).unwrap();
        }
        for polygon in (0..count).step_by(count.div_ceil(40)) {
            let wanted = plain(&all[polygon]);
            let what = format!("{} n = {n}, polygon {polygon}", T::NAME);
            let found = polygons.table(polygon).unwrap();
            assert_eq!(first_difference(n, &found, &wanted), None, "{what}");
            for a in 0..n {
                for b in (a + 1..n).filter(|_| n <= tiled::SMALL) {
                    let found = small[(polygon * n + a) * n + b];
                    assert_eq!(found, wanted.get(a, b), "{what}: small, T[{a}][{b}]");
                }
            }
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn many_polygons_at_once() {
    let gpu = gpu();
    check_many::<f32>(&gpu, |unit| unit as f32);
    check_many::<f64>(&gpu, |unit| unit);
    check_many::<i32>(&gpu, |unit| (unit * 1000.0) as i32);
}
