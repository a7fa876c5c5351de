//! What rings enclose by the even-odd rule: polygons with holes, several polygons, rings that touch;
//! and its triangulations, optimal, greedy and Delaunay.
//!
//! A region falls into *pieces*, whose triangles hang together by sides. A piece with h holes is cut
//! along h *bridges*, edges of the constrained Delaunay triangulation: those that join its rings at
//! the least total length of them (a minimum spanning tree). What is left has one outline, along
//! which each bridge runs twice, and is solved exactly: the result is the best of the triangulations
//! that have these bridges. The greedy triangulation needs none, and is exact for its definition.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use thiserror::Error;

use super::Point;
use super::chords::{Chords, TooManyVertices};
pub use super::definition::Definition;
use super::ears::{EarTriangles, OUTSIDE, after};
use super::faults::{RingEdge, RingFault, Walls};
use crate::greedy::fast::{Triangles, constrained_delaunay, constrained_greedy};
use crate::opt::{self, Problem, triangulation};

/// How long a line is.
pub type Length = fn(Point, Point) -> f64;

/// What rings enclose.
#[derive(Debug, Clone)]
pub struct Region {
    points: Vec<Point>,
    source: Vec<Option<u32>>,
    #[doc(hidden)]
    pub walls: HashSet<[u32; 2]>,
    /// Equal vertices after one another that became one.
    pub merged: usize,
    /// Points where edges crossed, put in to mend rings.
    pub added: usize,
    /// Faults that were mended.
    pub mended: Vec<RingFault>,
}

/// A triangulation of a region.
#[derive(Debug, Clone, Default)]
pub struct RegionTriangulation {
    /// Numbers of points of the region, counter-clockwise.
    pub triangles: Triangles,
    /// Edges that are no walls, bridges among them, i < j, sorted.
    pub chords: Vec<[u32; 2]>,
    /// The total length of the chords.
    pub weight: f64,
    /// The chords that join holes to the outline; of the optimal triangulation only.
    pub bridges: Vec<[u32; 2]>,
}

/// A region that is not triangulated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RegionError {
    /// Its rings are at fault.
    #[error("{}", list(.0))]
    Rings(Vec<RingFault>),
    /// It has more vertices than the optimum is found for.
    #[error(transparent)]
    TooMany(#[from] TooManyVertices),
    /// A table that tells no triangulation.
    #[error(transparent)]
    Table(#[from] triangulation::RecoverError),
}

impl RegionError {
    /// The vertex of the first ring at the first fault, if it is there.
    pub fn vertex(&self) -> Option<usize> {
        let Self::Rings(faults) = self else { return None };
        match *faults.first()? {
            RingFault::Edges { second: RingEdge { ring: 0, vertex }, .. }
            | RingFault::Coordinate { ring: 0, vertex, .. } => Some(vertex),
            _ => None,
        }
    }
}

fn list(faults: &[RingFault]) -> String {
    let listed = faults.iter().take(super::faults::MOST_LISTED).map(RingFault::to_string);
    let mut text = listed.collect::<Vec<_>>().join(", ");
    if faults.len() > super::faults::MOST_LISTED {
        text += &format!(" and {} more", faults.len() - super::faults::MOST_LISTED);
    }
    let mends = |it: &RingFault| matches!(it, RingFault::Edges { .. } | RingFault::TooFew { .. });
    if faults.iter().any(mends) {
        text += "; mend the rings, or let --repair do it";
    }
    text
}

const fn named([a, b]: [u32; 2]) -> [u32; 2] {
    if a < b { [a, b] } else { [b, a] }
}

impl Region {
    /// Of rings in any order and direction, each of which may repeat its first vertex at the end.
    /// A ring may touch another at single points.
    ///
    /// # Errors
    /// All faults of the rings.
    pub fn new(rings: &[Vec<Point>]) -> Result<Self, RegionError> {
        Self::of(rings, false)
    }

    /// The same, of rings with faults: edges are cut where they cross, at rounded points, and what
    /// lies on itself vanishes; rings of fewer than three vertices are left out.
    ///
    /// # Errors
    /// Faults that stay: coordinates that cannot be computed with, or nothing is left.
    pub fn repaired(rings: &[Vec<Point>]) -> Result<Self, RegionError> {
        Self::of(rings, true)
    }

    fn of(rings: &[Vec<Point>], mends: bool) -> Result<Self, RegionError> {
        let mut faults = vec![];
        let mut walls = Walls::of(rings, &mut faults);
        let stays = |it: &RingFault| matches!(it, RingFault::Coordinate { .. });
        if faults.iter().any(stays) {
            return Err(RegionError::Rings(faults));
        }
        let mut exact = walls.clone();
        exact.cut(&mut faults);
        faults.dedup();
        let mut added = 0;
        if faults.is_empty() {
            walls = exact;
        } else if mends {
            added = walls.mend().ok_or_else(|| RegionError::Rings(faults.clone()))?;
        } else {
            return Err(RegionError::Rings(faults));
        }
        let region = Self::of_walls(&walls, added, faults);
        if region.walls.len() < 3 {
            return Err(RegionError::Rings(vec![RingFault::NoArea]));
        }
        Ok(region)
    }

    /// Keeps the points that walls end at.
    fn of_walls(found: &Walls, added: usize, mended: Vec<RingFault>) -> Self {
        let mut number = vec![u32::MAX; found.points.len()];
        for end in found.walls.iter().flat_map(|it| it.ends) {
            number[end as usize] = 0;
        }
        let (mut points, mut source) = (vec![], vec![]);
        for (rank, number) in number.iter_mut().enumerate().filter(|(_, it)| **it == 0) {
            *number = points.len() as u32;
            points.push(found.points[rank]);
            source.push(Some(found.source[rank]).filter(|it| *it != u32::MAX));
        }
        let wall = |ends: [u32; 2]| named(ends.map(|end| number[end as usize]));
        let walls = found.walls.iter().map(|it| wall(it.ends)).collect();
        Self { points, source, walls, merged: found.merged, added, mended }
    }

    /// Its vertices, each once.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Of each vertex, its place among the vertices of the rings; `None` of one that was added.
    pub fn source(&self) -> &[Option<u32>] {
        &self.source
    }

    /// The edges of its rings, i < j, in order.
    pub fn walls(&self) -> impl Iterator<Item = [u32; 2]> {
        let mut walls: Vec<[u32; 2]> = self.walls.iter().copied().collect();
        walls.sort_unstable();
        walls.into_iter()
    }

    /// The area of some of its triangles, rounded.
    pub fn area(&self, triangles: &[[u32; 3]]) -> f64 {
        let doubled = triangles.iter().map(|it| doubled_area(it.map(|v| self.points[v as usize])));
        doubled.sum::<f64>() / 2.0
    }

    /// A triangulation; of the optimal one, `length` is what chords weigh.
    ///
    /// Optimal: `O(n³)` time and `O(n²)` memory for each piece of n vertices, in parallel; greedy and
    /// Delaunay: `O(n log n)` for polygons without much structure.
    ///
    /// # Errors
    /// [`RegionError`] if nothing is inside, or a piece is too large for the optimum.
    pub fn triangulate(
        &self,
        definition: Definition,
        length: Length,
    ) -> Result<RegionTriangulation, RegionError> {
        let walls: Vec<[u32; 2]> = self.walls().collect();
        let all = match definition {
            Definition::Greedy => constrained_greedy(&self.points, &walls),
            _ => constrained_delaunay(&self.points, &walls),
        };
        let inside = Sides::of(&all.unwrap_or_default()).inside(&self.walls);
        if inside.is_empty() {
            return Err(RegionError::Rings(vec![RingFault::NoArea]));
        }
        let mut found = RegionTriangulation::default();
        if definition == Definition::Optimal {
            let pieces = Sides::of(&inside).pieces(&self.walls, &self.points);
            let solved: Vec<_> =
                pieces.par_iter().map(|it| it.solve(&self.points, length)).collect();
            for piece in solved {
                found.triangles.extend(piece?);
            }
            found.bridges = pieces.iter().flat_map(|it| it.bridges.iter().copied()).collect();
        } else {
            found.triangles = inside;
        }
        let sides = found.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        found.chords = sides.map(named).filter(|it| !self.walls.contains(it)).collect();
        found.chords.sort_unstable();
        found.chords.dedup();
        let weigh = |it: &[u32; 2]| {
            let [a, b] = it.map(|end| self.points[end as usize]);
            length(a, b)
        };
        found.weight = found.chords.iter().map(weigh).sum();
        Ok(found)
    }
}

/// Twice the area of a triangle, rounded.
fn doubled_area([a, b, c]: [Point; 3]) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Triangles that know their neighbours: half-edges as those of [`EarTriangles`].
struct Sides<'a> {
    triangles: &'a [[u32; 3]],
    twin: Vec<u32>,
}

impl<'a> Sides<'a> {
    fn of(triangles: &'a [[u32; 3]]) -> Self {
        let mut half_of: HashMap<[u32; 2], u32> = HashMap::with_capacity(3 * triangles.len());
        let mut twin = vec![OUTSIDE; 3 * triangles.len()];
        for (&[a, b, c], first) in triangles.iter().zip((0..).step_by(3)) {
            for (side, half) in [[a, b], [b, c], [c, a]].into_iter().zip(first..) {
                half_of.insert(side, half);
                if let Some(&other) = half_of.get(&[side[1], side[0]]) {
                    twin[half as usize] = other;
                    twin[other as usize] = half;
                }
            }
        }
        Self { triangles, twin }
    }

    fn ends(&self, half: u32) -> [u32; 2] {
        [half, after(half)].map(|it| self.triangles[it as usize / 3][it as usize % 3])
    }

    fn halves(&self) -> std::ops::Range<u32> {
        0..self.twin.len() as u32
    }

    /// The triangles from which a way out crosses walls an odd number of times.
    fn inside(&self, walls: &HashSet<[u32; 2]>) -> Triangles {
        let mut is_inside: Vec<Option<bool>> = vec![None; self.triangles.len()];
        let is_wall = |half: u32| walls.contains(&named(self.ends(half)));
        let mut reached: Vec<(u32, bool)> = self
            .halves()
            .filter(|&it| self.twin[it as usize] == OUTSIDE)
            .map(|it| (it / 3, is_wall(it)))
            .collect();
        while let Some((triangle, inside)) = reached.pop() {
            if is_inside[triangle as usize].is_some() {
                continue;
            }
            is_inside[triangle as usize] = Some(inside);
            for half in 3 * triangle..3 * triangle + 3 {
                let twin = self.twin[half as usize];
                if twin != OUTSIDE {
                    reached.push((twin / 3, inside != is_wall(half)));
                }
            }
        }
        let kept = self.triangles.iter().zip(is_inside).filter(|(_, it)| *it == Some(true));
        kept.map(|(triangle, _)| *triangle).collect()
    }

    /// The pieces, each with its bridges.
    fn pieces(&self, walls: &HashSet<[u32; 2]>, points: &[Point]) -> Vec<Piece> {
        // The longest sides join triangles first; what would close a round is a bridge.
        let mut inner: Vec<(f64, u32)> = self
            .halves()
            .filter(|&it| self.twin[it as usize] != OUTSIDE && it < self.twin[it as usize])
            .filter(|&it| !walls.contains(&named(self.ends(it))))
            .map(|half| {
                let [a, b] = self.ends(half).map(|end| points[end as usize]);
                ((a.x - b.x).hypot(a.y - b.y), half)
            })
            .collect();
        inner.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut joined = petgraph::unionfind::UnionFind::<u32>::new(self.triangles.len());
        let mut twin = vec![OUTSIDE; self.twin.len()];
        let mut bridges = vec![];
        for (_, half) in inner {
            let other = self.twin[half as usize];
            if joined.union(half / 3, other / 3) {
                twin[half as usize] = other;
                twin[other as usize] = half;
            } else {
                bridges.push(half);
            }
        }
        let label = joined.into_labeling();
        let mut of: HashMap<u32, Vec<u32>> = HashMap::new();
        for (triangle, label) in (0..).zip(&label) {
            of.entry(*label).or_default().push(triangle);
        }
        let mut members: Vec<Vec<u32>> = of.into_values().collect();
        members.sort_unstable();
        let mut pieces: Vec<Piece> = members.iter().map(|it| self.piece(it, &twin)).collect();
        let place: HashMap<u32, usize> = members
            .iter()
            .enumerate()
            .flat_map(|(k, it)| it.iter().map(move |t| (*t, k)))
            .collect();
        for half in bridges {
            pieces[place[&(half / 3)]].bridges.push(named(self.ends(half)));
        }
        pieces
    }

    /// Some of the triangles, whose sides with a twin make a tree, with their outline.
    fn piece(&self, members: &[u32], twin: &[u32]) -> Piece {
        let local: HashMap<u32, u32> = members.iter().copied().zip(0..).collect();
        let own = |half: u32| match half {
            OUTSIDE => OUTSIDE,
            half => 3 * local[&(half / 3)] + half % 3,
        };
        let halves = members.iter().flat_map(|it| 3 * it..3 * it + 3);
        let n = members.len() + 2;
        let mut mesh = EarTriangles {
            corner: vec![OUTSIDE; 3 * members.len()],
            twin: halves.clone().map(|it| own(twin[it as usize])).collect(),
            boundary: Vec::with_capacity(n),
        };
        let mut outline = Vec::with_capacity(n);
        // A piece has an outline: sides with a twin make a tree.
        let first = mesh.twin.iter().position(|it| *it == OUTSIDE).unwrap_or(0) as u32;
        let mut half = first;
        loop {
            let number = outline.len() as u32;
            let (triangle, corner) = (members[half as usize / 3], half as usize % 3);
            outline.push(self.triangles[triangle as usize][corner]);
            mesh.boundary.push(half);
            // All that leaves this corner, up to the boundary before it.
            let mut spoke = half;
            while spoke != OUTSIDE {
                mesh.corner[spoke as usize] = number;
                spoke = mesh.twin[super::ears::before(spoke) as usize];
            }
            half = after(half);
            while mesh.twin[half as usize] != OUTSIDE {
                half = after(mesh.twin[half as usize]);
            }
            if half == first {
                break;
            }
        }
        Piece { outline, mesh, bridges: vec![] }
    }
}

/// A piece of a region, cut along its bridges to one outline.
struct Piece {
    /// Numbers of points.
    outline: Vec<u32>,
    /// Some triangulation; its corners are places in the outline.
    mesh: EarTriangles,
    bridges: Vec<[u32; 2]>,
}

impl Piece {
    /// The triangles of least total length of chords.
    fn solve(&self, points: &[Point], length: Length) -> Result<Triangles, RegionError> {
        let vertices: Vec<Point> = self.outline.iter().map(|&it| points[it as usize]).collect();
        let chords = Chords::of_mesh(&vertices, &self.mesh, length)?;
        if Problem::<f64>::n(&chords) == 3 {
            return Ok(vec![[0, 1, 2].map(|it| self.outline[it])]);
        }
        let table = opt::solve::<f64>(&chords, &|_| ());
        let found = triangulation::triangles(&chords, |a, b| table.get(a, b))?;
        let corner = |it: usize| self.outline[it];
        Ok(found.iter().map(|it| [corner(it.a), corner(it.k), corner(it.b)]).collect())
    }
}
