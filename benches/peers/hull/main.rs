//! Hulls by this crate, by the `geo` crate and by Qhull: equal on thousands of inputs, then timed.
//!
//! usage: hull-peers QHULL-SERVER [SETS [ROUNDS]]

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use geo::algorithm::convex_hull::{graham_hull, quick_hull};
use geo::{Coord, LineString};
use memory_machine::algorithms::hull;
use memory_machine::algorithms::points::random::{self, Distribution::*};
use memory_machine::algorithms::points::{Point, orientation};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |rank: usize| arguments.get(rank).map(|it| it.parse::<usize>()).transpose();
    let mut qhull = Qhull::start(arguments.first().ok_or("usage: hull-peers QHULL-SERVER")?)?;
    let (sets, rounds) = (number(1)?.unwrap_or(1000), number(2)?.unwrap_or(5));
    compare(&mut qhull, sets)?;
    for (name, distribution, n) in
        [("square", Square, 10_000_000), ("disk", Disk, 10_000_000), ("circle", Circle, 1_000_000)]
    {
        let points = random::points(distribution, n, 1);
        time(&mut qhull, name, &points, rounds)?;
    }
    Ok(())
}

/// A kind of input, by its size and seed.
type Draw = fn(usize, u64) -> Vec<Point>;

/// Random inputs of every distribution, and degenerate ones.
const KINDS: [(&str, Draw); 10] = [
    ("square", |n, seed| random::points(Square, n, seed)),
    ("disk", |n, seed| random::points(Disk, n, seed)),
    ("circle", |n, seed| random::points(Circle, n, seed)),
    ("gauss", |n, seed| random::points(Gauss, n, seed)),
    ("clusters", |n, seed| random::points(Clusters, n, seed)),
    ("grid", |n, seed| mapped(n, seed, |p| [(6.0 * p.x).floor(), (6.0 * p.y).floor()])),
    ("one line", |n, seed| mapped(n, seed, |p| [(99.0 * p.x).floor(), 3.0 * (99.0 * p.x).floor()])),
    ("vertical line", |n, seed| mapped(n, seed, |p| [0.3, p.y])),
    ("nearly a line", |n, seed| mapped(n, seed, |p| [p.x, 0.7 * p.x])),
    ("one point", |n, seed| mapped(n, seed, |_| [0.25, 0.5])),
];

fn mapped(n: usize, seed: u64, map: fn(Point) -> [f64; 2]) -> Vec<Point> {
    let moved = |[x, y]: [f64; 2]| Point { x, y };
    random::points(Square, n, seed).into_iter().map(map).map(moved).collect()
}

/// `sets` inputs of each kind: this crate's engines must give the vertices of `geo`'s Graham scan,
/// the exact one of the peers. How often the others give the same is counted: `geo`'s quickhull and
/// Qhull compute distances in rounded numbers, and Qhull refuses points on one line.
fn compare(qhull: &mut Qhull, sets: usize) -> Result<()> {
    println!("{sets} sets of each kind, of 1 to 20 000 points:");
    for (kind, draw) in KINDS {
        let (mut quick, mut equal, mut refused) = (0, 0, 0);
        for seed in 0..sets as u64 {
            let n = match seed % 10 {
                0 => 20_000 - seed as usize,
                1 => 1 + seed as usize % 7,
                _ => 10 + 7 * seed as usize % 990,
            };
            let points = draw(n.max(1), seed);
            let ours = hull::cpu(&points, true);
            let fail = |who: &str| format!("WRONG: {who} on {kind}, n = {n}, seed {seed}");
            let others = [hull::sequential(&points), hull::workers(&points, 3, true)];
            if others.iter().any(|other| *other != ours) {
                return Err(fail("this crate's engines differ").into());
            }
            let places: Vec<Point> = ours.iter().map(|&i| points[i as usize]).collect();
            if strict(&graham_hull(&mut coords(&points), false)) != places {
                return Err(fail("graham_hull").into());
            }
            quick += usize::from(strict(&quick_hull(&mut coords(&points))) == places);
            let (vertices, _) = qhull.hull(&points)?;
            let theirs: BTreeSet<[u64; 2]> =
                vertices.iter().map(|&i| bits(points[i as usize])).collect();
            let ours: BTreeSet<[u64; 2]> = places.iter().map(|&p| bits(p)).collect();
            match theirs.len() {
                0 => refused += 1,
                _ => equal += usize::from(theirs == ours),
            }
        }
        let answered = sets - refused;
        println!(
            "  {kind:14} graham_hull {sets} equal, quick_hull {quick}; Qhull {equal} of {answered}"
        );
    }
    Ok(())
}

fn time(qhull: &mut Qhull, name: &str, points: &[Point], rounds: usize) -> Result<()> {
    let mut times = [const { vec![] }; 4];
    let mut sizes = [0; 4];
    for _ in 0..rounds {
        let mut coords = coords(points);
        let started = Instant::now();
        let ours = hull::cpu(points, true);
        times[0].push(started.elapsed().as_secs_f64());
        let started = Instant::now();
        let cell = hull::workers(points, 2, true);
        times[1].push(started.elapsed().as_secs_f64());
        let started = Instant::now();
        let geo = quick_hull(&mut coords);
        times[2].push(started.elapsed().as_secs_f64());
        let (vertices, seconds) = qhull.hull(points)?;
        times[3].push(seconds);
        let places: Vec<Point> = ours.iter().map(|&i| points[i as usize]).collect();
        if ours != cell || strict(&geo) != places {
            return Err(format!("WRONG: hulls of {name} differ").into());
        }
        sizes = [ours.len(), cell.len(), places.len(), vertices.len()];
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "{name}, n = {}, median of {rounds}, load {}",
        points.len(),
        &load[..load.len().min(14)]
    );
    let medians = times.map(|mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    for (side, (median, size)) in
        ["this crate, cpu", "this crate, 2 workers", "geo quick_hull", "Qhull"]
            .iter()
            .zip(medians.iter().zip(sizes))
    {
        println!(
            "  {side:22} {:9.2} ms {:8.1} M points/s {:6.1} times ours, {size} vertices",
            median * 1e3,
            points.len() as f64 / median / 1e6,
            median / medians[0],
        );
    }
    Ok(())
}

fn coords(points: &[Point]) -> Vec<Coord> {
    points.iter().map(|&Point { x, y }| Coord { x, y }).collect()
}

fn bits(p: Point) -> [u64; 2] {
    [p.x, p.y].map(|c| (c + 0.0).to_bits())
}

/// The strict vertices of a closed ring, counter-clockwise from the lowest, of those the leftmost.
fn strict(ring: &LineString) -> Vec<Point> {
    let mut points: Vec<Point> = ring.0.iter().map(|c| Point { x: c.x, y: c.y }).collect();
    points.dedup();
    while points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let n = points.len();
    let is_strict = |i: usize| {
        n < 3 || orientation(points[(i + n - 1) % n], points[i], points[(i + 1) % n]) != 0.0
    };
    let mut points: Vec<Point> = (0..n).filter(|&i| is_strict(i)).map(|i| points[i]).collect();
    let key = |p: &Point| (p.y, p.x);
    let lowest =
        (0..points.len()).min_by(|&i, &j| key(&points[i]).partial_cmp(&key(&points[j])).unwrap());
    points.rotate_left(lowest.unwrap_or(0));
    points
}

/// The process of `peer.c`.
struct Qhull(Child);

impl Qhull {
    fn start(path: &str) -> Result<Self> {
        Ok(Self(Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?))
    }

    /// The vertices in any order, and the seconds that they took.
    fn hull(&mut self, points: &[Point]) -> Result<(Vec<u64>, f64)> {
        let (Some(to), Some(from)) = (&mut self.0.stdin, &mut self.0.stdout) else {
            return Err("no pipes to Qhull".into());
        };
        let mut bytes = (points.len() as u64).to_ne_bytes().to_vec();
        bytes.extend(points.iter().flat_map(|p| [p.x.to_ne_bytes(), p.y.to_ne_bytes()].concat()));
        to.write_all(&bytes)?;
        to.flush()?;
        let mut eight = || -> Result<[u8; 8]> {
            let mut word = [0; 8];
            from.read_exact(&mut word)?;
            Ok(word)
        };
        let seconds = f64::from_ne_bytes(eight()?);
        let h = u64::from_ne_bytes(eight()?);
        let vertices = (0..h).map(|_| eight().map(u64::from_ne_bytes)).collect::<Result<_>>()?;
        Ok((vertices, seconds))
    }
}

impl Drop for Qhull {
    fn drop(&mut self) {
        drop(self.0.stdin.take()); // the end of its input
        let _ = self.0.wait();
    }
}
