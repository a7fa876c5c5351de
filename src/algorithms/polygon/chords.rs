//! Weights of the chords of a simple polygon: their lengths.

use thiserror::Error;

use super::ears::{Mesh, OUTSIDE, after, before, triangulate};
use super::{Point, Polygon, orientation};
use crate::algorithms::opt::Weights;

/// The most vertices for which [`weights`] fills a table: one of 4 GiB.
pub const MOST_VERTICES: usize = 1 << 15;

/// The `n × n` table of weights would be too large.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{n} vertices need {n} × {n} weights; simplify the polygon to at most {MOST_VERTICES} vertices"
)]
pub struct TooManyVertices {
    pub n: usize,
}

/// Weights `c` of all chords: the Euclidean length, in the unit of the coordinates, of a chord that
/// lies inside and touches the boundary only at its ends; +∞ otherwise; 0 for polygon edges.
/// Lengths are computed in `f64` and rounded to `f32` once.
///
/// From each vertex, the cone of what it sees is followed through the triangles of some
/// triangulation; their dual graph is a tree, so each triangle is met at most once. `O(n²)` time
/// and memory. Exact predicates only, and no angle is computed.
///
/// # Errors
/// [`TooManyVertices`] above [`MOST_VERTICES`].
pub fn weights(polygon: &Polygon) -> Result<Weights, TooManyVertices> {
    let n = polygon.n();
    if n > MOST_VERTICES {
        return Err(TooManyVertices { n });
    }
    let vertices = polygon.vertices();
    let mesh = triangulate(polygon);
    let mut cells = vec![f32::INFINITY; n * n];
    let mut cones = Vec::new();
    for (eye, row) in cells.chunks_exact_mut(n).enumerate() {
        look(vertices, &mesh, eye, &mut cones, |seen| {
            row[seen] = length(vertices[eye], vertices[seen]);
        });
        for edge in [eye, (eye + 1) % n, (eye + n - 1) % n] {
            row[edge] = 0.0;
        }
    }
    Ok(Weights::from_cells(n, cells))
}

/// An open cone of sight, about to leave a triangle.
struct Cone {
    /// The half-edge through which it leaves.
    exit: u32,
    /// Vertices on its right and left border. The half-edge spans the cone.
    right: u32,
    left: u32,
}

/// Calls `sees` for each vertex that `eye` sees and for its two neighbours. `cones` is scratch.
fn look(
    vertices: &[Point],
    mesh: &Mesh,
    eye: usize,
    cones: &mut Vec<Cone>,
    mut sees: impl FnMut(usize),
) {
    let at = |vertex: u32| vertices[vertex as usize];
    let corner = |half: u32| mesh.corner[half as usize];

    // The triangles at the eye, from one polygon edge round to the other.
    let mut spoke = mesh.boundary[eye];
    while spoke != OUTSIDE {
        let exit = after(spoke);
        let (right, left) = (corner(exit), corner(before(spoke)));
        sees(right as usize);
        sees(left as usize);
        cones.push(Cone { exit, right, left });
        spoke = mesh.twin[before(spoke) as usize];
    }

    while let Some(Cone { exit, right, left }) = cones.pop() {
        let entry = mesh.twin[exit as usize];
        if entry == OUTSIDE {
            continue;
        }
        let (right_exit, left_exit) = (after(entry), before(entry));
        let apex = corner(left_exit);
        // A vertex on a border of the cone hides behind the vertex that made the border.
        let in_left = orientation(at(eye as u32), at(right), at(apex)) > 0.0;
        let in_right = orientation(at(eye as u32), at(left), at(apex)) < 0.0;
        if in_left && in_right {
            sees(apex as usize);
        }
        if in_left {
            let left = if in_right { apex } else { left };
            cones.push(Cone { exit: right_exit, right, left });
        }
        if in_right {
            let right = if in_left { apex } else { right };
            cones.push(Cone { exit: left_exit, right, left });
        }
    }
}

fn length(a: Point, b: Point) -> f32 {
    // Coordinates are in a range in which squares neither overflow nor vanish.
    let (x, y) = (a.x - b.x, a.y - b.y);
    (x * x + y * y).sqrt() as f32
}
