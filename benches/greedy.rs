//! Greedy triangulations of uniform points: the fast engine, and beside it what it cannot do
//! without, a Delaunay triangulation, as the crate `spade` makes it on one thread.
//!
//! `elements` are points.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use memory_machine::algorithms::greedy::{fast, verify};
use memory_machine::algorithms::points::random::{self, PointDistribution};
use spade::{DelaunayTriangulation, Point2, Triangulation};

fn greedy(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("greedy");
    group.sample_size(10).warm_up_time(Duration::from_secs(1));
    for n in [10_000, 100_000] {
        let points = random::points(PointDistribution::Square, n, 1);
        assert_eq!(verify::triangulation(&points, &fast::triangulate(&points)), Ok(()));
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(BenchmarkId::new("fast", n), |bencher| {
            bencher.iter(|| fast::triangulate(&points));
        });
        let places: Vec<Point2<f64>> = points.iter().map(|p| Point2::new(p.x, p.y)).collect();
        group.bench_function(BenchmarkId::new("spade-delaunay", n), |bencher| {
            bencher.iter(|| DelaunayTriangulation::<Point2<f64>>::bulk_load(places.clone()));
        });
    }
    group.finish();
}

criterion_group!(benches, greedy);
criterion_main!(benches);
