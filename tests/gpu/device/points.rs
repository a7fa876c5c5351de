//! Greedy triangulation and convex hulls on a GPU: as the CPU's engines have them.

use memory_machine::algorithms::greedy::paper;
use memory_machine::algorithms::hull::reference::monotone_chain;
use memory_machine::algorithms::points::random::{self, PointDistribution};
use memory_machine::algorithms::points::{LEAST, MOST, Point, distinct};
use memory_machine::gpu::greedy::GreedyKernels;
use memory_machine::gpu::hull::HullKernels;

use super::gpu;

/// Random points as they are, on a small and a large grid, and of extreme magnitudes.
fn sets(n: usize, seed: u64) -> impl Iterator<Item = Vec<Point>> {
    PointDistribution::ALL.into_iter().flat_map(move |distribution| {
        let points = random::points(distribution, n, seed);
        let on_grid = |cells: f64| {
            let snap = |c: f64| (c * cells).round();
            points.iter().map(|p| Point { x: snap(p.x), y: snap(p.y) }).collect::<Vec<_>>()
        };
        let scaled = |by: f64| points.iter().map(|p| Point { x: p.x * by, y: p.y * by }).collect();
        [on_grid(3.0), on_grid(1000.0), scaled(MOST / 1e6), scaled(LEAST * 1e30), points.clone()]
    })
}

/// Near-collinear points, whose exact signs no rounded arithmetic tells.
fn slanted(n: usize) -> Vec<Point> {
    (0..n).map(|i| f64::from(i as u32) / 7.0).map(|x| Point { x, y: x * 0.1 + 0.3 }).collect()
}

#[test]
#[ignore = "needs a GPU"]
fn greedy_is_as_on_the_cpu() {
    let gpu = gpu();
    let engine = GreedyKernels::new(&gpu).unwrap();
    let check = |points: &[Point], shape: (u32, u32)| {
        let points = distinct(points).points;
        let wanted = paper::run(&points, |_| ()).unwrap();
        let run = engine.triangulate(&points, shape.0, shape.1).unwrap();
        assert_eq!(run.edges, wanted.edges, "{} points", points.len());
        assert_eq!(engine.tests(&points).unwrap(), wanted.tests);
    };
    for (seed, n) in [0, 1, 2, 3, 4, 9, 40, 64, 65, 130, 300].into_iter().enumerate() {
        let shape = [(1, 32), (7, 64), (256, 1024)][seed % 3];
        sets(n, seed as u64).for_each(|points| check(&points, shape));
        check(&slanted(n), shape);
    }
    // Lines of nearly one length, n times each.
    let ring = random::points(PointDistribution::Circle, 200, 3);
    check(&ring, (64, 128));
}

#[test]
#[ignore = "needs a GPU"]
fn hulls_are_as_on_the_cpu() {
    let gpu = gpu();
    let engine = HullKernels::new(&gpu).unwrap();
    let sizes = [1, 2, 3, 5, 31, 300, 2049, 5000, 70_000, 1 << 18];
    for (seed, n) in sizes.into_iter().enumerate() {
        for points in sets(n, seed as u64).chain([slanted(n)]) {
            let resident = engine.load(&points).unwrap();
            let wanted = monotone_chain(&points);
            assert_eq!(resident.hull().unwrap().vertices, wanted, "{n} points");
            assert_eq!(resident.paper().unwrap().vertices, wanted, "{n} points, the paper's");
        }
    }
}
