//! Triangulations that keep given lines: Delaunay, and greedy.
//!
//! The *constrained greedy triangulation* takes, of all lines that conflict with none of those given,
//! the shortest first, each that conflicts with none taken before. The lemma of [`super`] holds for
//! whatever lines were accepted before, so the same engine finds it.

use super::Engine;
use super::constrained_delaunay::Mesh;
use super::delaunay::delaunay;
use crate::points::{Point, distinct};

/// Triangles as numbers of points, counter-clockwise: all inside the convex hull.
pub type Triangles = Vec<[u32; 3]>;

/// The constrained Delaunay triangulation of distinct points that `points::check` passes; `None` if
/// all lie on one line. No two of `lines` may conflict, and none may pass through a point.
pub fn constrained_delaunay(points: &[Point], lines: &[[u32; 2]]) -> Option<Triangles> {
    triangulate(points, lines, false)
}

/// The constrained greedy triangulation, under the same conditions.
pub fn constrained_greedy(points: &[Point], lines: &[[u32; 2]]) -> Option<Triangles> {
    triangulate(points, lines, true)
}

/// The triangles between edges that are a triangulation of points, as [`super::triangulate`] gives
/// them of distinct ones; of repeated points, one has edges, the first.
pub fn triangles_between(points: &[Point], edges: &[[u32; 2]]) -> Triangles {
    let once = distinct(points);
    let place = |end: u32| once.index.binary_search(&end).unwrap_or(0) as u32;
    let lines: Vec<[u32; 2]> = edges.iter().map(|it| it.map(place)).collect();
    let mut triangles = constrained_delaunay(&once.points, &lines).unwrap_or_default();
    for corner in triangles.as_flattened_mut() {
        *corner = once.index[*corner as usize];
    }
    triangles
}

fn triangulate(points: &[Point], lines: &[[u32; 2]], is_greedy: bool) -> Option<Triangles> {
    let (sites, halves) = delaunay(points)?;
    let mut vertex = vec![0; points.len()];
    for (&index, number) in sites.index.iter().zip(0..) {
        vertex[index as usize] = number;
    }
    let lines: Vec<[u32; 2]> =
        lines.iter().map(|line| line.map(|end| vertex[end as usize])).collect();
    let mut mesh = Mesh::new(&sites.places, halves);
    mesh.insert(&lines);
    if is_greedy {
        let mut engine = Engine::new(&sites, mesh);
        engine.accept_all_beside_accepted(&|_| ());
        mesh = engine.mesh;
    }
    let corners = |h: u32| {
        let next = mesh.next(h);
        [h, next, mesh.next(next)]
    };
    let triangle = |h: u32| {
        let halves = corners(h);
        let is_one = h == halves.into_iter().min()? && halves.iter().all(|&it| mesh.is_finite(it));
        is_one.then(|| halves.map(|it| sites.index[mesh.ends(it)[0] as usize]))
    };
    Some((0..2 * mesh.edges()).filter_map(triangle).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::greedy::{conflict, definition};
    use crate::points::random::{self, PointDistribution};
    use crate::points::{compare_lengths, segments_meet};

    fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// By the definition: all lines, sorted, each that conflicts with none.
    fn defined(points: &[Point], given: &[[u32; 2]]) -> Vec<[u32; 2]> {
        let n = points.len() as u32;
        let mut lines: Vec<[u32; 2]> =
            (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j])).collect();
        lines.sort_by(|a, b| {
            let at = |line: &[u32; 2]| line.map(|end| points[end as usize]);
            compare_lengths(at(a), at(b)).then(a.cmp(b))
        });
        let mut edges = given.to_vec();
        for line in lines {
            if !edges.contains(&line) && edges.iter().all(|&it| !conflict(points, it, line)) {
                edges.push(line);
            }
        }
        edges.sort_unstable();
        edges
    }

    #[test]
    fn greedy_beside_given_lines_is_as_defined() {
        for seed in 0..200 {
            let mut points = random::points(PointDistribution::Square, 24, seed);
            if seed % 2 == 1 {
                let whole = |c: f64| (6.0 * c).floor();
                points.iter_mut().for_each(|it| *it = Point { x: whole(it.x), y: whole(it.y) });
            }
            let points = crate::points::distinct(&points).points;
            let n = points.len() as u32;
            // Long lines, each that conflicts with none before and passes through no point.
            let mut given: Vec<[u32; 2]> = vec![];
            for k in 0..40 {
                let (a, b) = ((7 * k + seed as u32) % n, (11 * k + 5) % n);
                let line = [a.min(b), a.max(b)];
                let [p, q] = line.map(|end| points[end as usize]);
                let through = (0..n).filter(|it| !line.contains(it)).any(|it| {
                    let r = points[it as usize];
                    segments_meet(p, q, r, r)
                });
                if a != b
                    && !through
                    && !given.contains(&line)
                    && given.iter().all(|&it| !conflict(&points, it, line))
                {
                    given.push(line);
                }
            }
            let Some(found) = constrained_greedy(&points, &given) else { continue };
            assert_eq!(edges(&found), defined(&points, &given), "seed {seed}");
            if given.is_empty() {
                let mut all = definition::triangulate(&points);
                all.sort_unstable();
                assert_eq!(edges(&found), all);
            }
            let delaunay = edges(&constrained_delaunay(&points, &given).unwrap());
            assert!(given.iter().all(|it| delaunay.contains(it)));
            assert_eq!(delaunay.len(), edges(&found).len());
        }
    }
}
