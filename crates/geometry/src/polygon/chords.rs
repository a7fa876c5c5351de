//! The chords of a simple polygon, and their lengths as weights.

use std::sync::LazyLock;

use geographiclib_rs::{Geodesic, InverseGeodesic};
use rayon::prelude::*;
use thiserror::Error;

use super::ears::{EarTriangles, OUTSIDE, after, before, triangulate};
use super::{Point, Polygon, orientation};
use crate::opt::{Nearest, Problem, Weights};

/// The most vertices of [`Chords`]: what they see takes 2 GiB.
pub const MOST_VERTICES: usize = 1 << 17;

/// The most vertices for which [`weights`] fills a table: one of 4 GiB of `f32`.
pub const MOST_IN_TABLE: usize = 1 << 15;

/// The vertices see too much for memory.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{n} vertices have about {n} × {n} / 2 chords; simplify the polygon to at most {most} vertices"
)]
pub struct TooManyVertices {
    /// Vertices of the polygon.
    pub n: usize,
    /// [`MOST_VERTICES`], or [`MOST_IN_TABLE`] for a table.
    pub most: usize,
}

/// Which vertices of a polygon see each other. As a [`Problem`], `whole(a, b)` is the Euclidean
/// length, in the unit of the coordinates, of a chord that lies inside and touches the boundary only
/// at its ends; +∞ otherwise; 0 for polygon edges. Lengths are computed in `f64` and rounded to the
/// type of the weights once.
pub struct Chords<'a> {
    vertices: &'a [Point],
    /// `n` rows of this many words, in which bit `b` of row `a` tells whether `v_a` sees `v_b`;
    /// `None` where all see each other, in a strictly convex polygon.
    seen: Option<(usize, Vec<u64>)>,
    length: fn(Point, Point) -> f64,
}

impl<'a> Chords<'a> {
    /// From each vertex, the cone of what it sees is followed through the triangles of some
    /// triangulation; their dual graph is a tree, so each triangle is met at most once. Exact
    /// predicates only, and no angle is computed.
    ///
    /// `O(n²)` time, in parallel over the vertices, and `n² / 8` bytes; `O(n)` of both for a convex
    /// polygon. `progress` receives, from any thread, how many vertices have looked around since it
    /// was last called.
    ///
    /// # Errors
    /// [`TooManyVertices`] above [`MOST_VERTICES`].
    pub fn of(
        polygon: &'a Polygon,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Self, TooManyVertices> {
        let (n, vertices) = (polygon.n(), polygon.vertices());
        if n > MOST_VERTICES {
            return Err(TooManyVertices { n, most: MOST_VERTICES });
        }
        if polygon.is_strictly_convex() {
            return Ok(Self { vertices, seen: None, length });
        }
        Ok(Self::seen_through(vertices, &triangulate(polygon), length, progress))
    }

    /// The same of an outline that may run along itself, and some triangulation of what it encloses,
    /// with another `length` for weights.
    ///
    /// # Errors
    /// [`TooManyVertices`] above [`MOST_VERTICES`].
    pub(super) fn of_mesh(
        vertices: &'a [Point],
        mesh: &EarTriangles,
        length: fn(Point, Point) -> f64,
    ) -> Result<Self, TooManyVertices> {
        let n = vertices.len();
        if n > MOST_VERTICES {
            return Err(TooManyVertices { n, most: MOST_VERTICES });
        }
        Ok(Self::seen_through(vertices, mesh, length, &|_| ()))
    }

    fn seen_through(
        vertices: &'a [Point],
        mesh: &EarTriangles,
        length: fn(Point, Point) -> f64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let n = vertices.len();
        let words = n.div_ceil(64);
        let mut seen = vec![0_u64; n * words];
        seen.par_chunks_exact_mut(words).enumerate().for_each_init(
            Vec::new,
            |cones, (eye, row)| {
                look(vertices, mesh, eye, cones, |seen| row[seen / 64] |= 1 << (seen % 64));
                progress(1);
            },
        );
        Self { vertices, seen: Some((words, seen)), length }
    }

    /// Whether `v_a` and `v_b` are neighbours, or joined by a chord that lies inside.
    pub fn sees(&self, a: usize, b: usize) -> bool {
        match &self.seen {
            Some((words, seen)) => seen[a * words + b / 64] >> (b % 64) & 1 == 1,
            None => true,
        }
    }

    /// No chord is longer: the diagonal of the box around the polygon. `O(n)` time.
    pub fn longest(&self) -> f64 {
        let range = |of: fn(&Point) -> f64| {
            let low = self.vertices.iter().map(of).fold(f64::INFINITY, f64::min);
            self.vertices.iter().map(of).fold(low, f64::max) - low
        };
        range(|p| p.x).hypot(range(|p| p.y))
    }

    fn weight<T: Nearest>(&self, a: usize, b: usize) -> T {
        if a == b || are_neighbours(a, b, self.vertices.len()) {
            T::ZERO
        } else if self.sees(a, b) {
            T::nearest((self.length)(self.vertices[a], self.vertices[b]))
        } else {
            T::INFINITY
        }
    }
}

impl<T: Nearest> Problem<T> for Chords<'_> {
    fn n(&self) -> usize {
        self.vertices.len()
    }

    fn whole(&self, a: usize, b: usize) -> T {
        self.weight(a, b)
    }
}

/// The weights of [`Chords`], `n × n`. `O(n²)` time and memory.
///
/// # Errors
/// [`TooManyVertices`] above [`MOST_IN_TABLE`].
pub fn weights<T: Nearest>(polygon: &Polygon) -> Result<Weights<T>, TooManyVertices> {
    let n = polygon.n();
    if n > MOST_IN_TABLE {
        return Err(TooManyVertices { n, most: MOST_IN_TABLE });
    }
    let chords = Chords::of(polygon, &|_| ())?;
    let mut cells = vec![T::INFINITY; n * n];
    cells.par_chunks_exact_mut(n).enumerate().for_each(|(a, row)| {
        for (b, cell) in row.iter_mut().enumerate() {
            *cell = chords.weight(a, b);
        }
    });
    Ok(Weights::from_cells(n, cells))
}

const fn are_neighbours(a: usize, b: usize, n: usize) -> bool {
    let apart = a.abs_diff(b);
    apart == 1 || apart == n - 1
}

/// An open cone of sight, about to leave a triangle.
struct SightCone {
    /// The half-edge through which it leaves.
    exit: u32,
    /// Vertices on its right and left border. The half-edge spans the cone.
    right: u32,
    left: u32,
}

/// Calls `sees` for each vertex that `eye` sees and for its two neighbours. `cones` is scratch.
fn look(
    vertices: &[Point],
    mesh: &EarTriangles,
    eye: usize,
    cones: &mut Vec<SightCone>,
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
        cones.push(SightCone { exit, right, left });
        spoke = mesh.twin[before(spoke) as usize];
    }

    while let Some(SightCone { exit, right, left }) = cones.pop() {
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
            cones.push(SightCone { exit: right_exit, right, left });
        }
        if in_right {
            let right = if in_left { apex } else { right };
            cones.push(SightCone { exit: left_exit, right, left });
        }
    }
}

/// The distance of two points.
pub fn length(a: Point, b: Point) -> f64 {
    // Coordinates are in a range in which squares neither overflow nor vanish.
    let (x, y) = (a.x - b.x, a.y - b.y);
    (x * x + y * y).sqrt()
}

/// The length in metres of the shortest line on the ellipsoid WGS 84 between two points in degrees
/// (Karney 2013, *Algorithms for geodesics*).
pub fn geodesic(a: Point, b: Point) -> f64 {
    static EARTH: LazyLock<Geodesic> = LazyLock::new(Geodesic::wgs84);
    EARTH.inverse(a.y, a.x, b.y, b.x)
}
