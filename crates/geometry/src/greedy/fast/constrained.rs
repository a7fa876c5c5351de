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
    let mut mesh = Mesh::new(&sites, halves);
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
