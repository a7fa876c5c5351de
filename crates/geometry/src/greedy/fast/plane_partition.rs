//! The same by several workers: the plane is partitioned into cells, one for each, with a margin around it.
//!
//! Each triangulates its points and those of the margin, and keeps the edges that are certain
//! (`certain.rs` has what is). A point is *finished* if all triangles around it are of certain edges.
//! What is left, some points along the hull and wherever a margin was too narrow, is triangulated
//! by one, with the certain edges between unfinished points as constraints: as these are in the
//! result, the least line that conflicts with none of them is accepted next, whatever the order in
//! which they came. Finished points are gone then; the faces in which they lay are bounded by
//! certain edges, are marked, and stay as they are.
//!
//! The edges are those of [`super::run`], in the same order, whatever the points, the number of cells
//! and the margins: these decide how much is left, and so the time and the memory of the one.

use rayon::prelude::*;

use super::certainty::{Rectangle, certain};
use super::constrained_delaunay::Mesh;
use super::delaunay::delaunay;
use super::{Engine, path};
use crate::greedy::line::Line;
use crate::points::{Point, lexicographic};

/// How wide a margin is, in mean distances of neighbouring points.
const MARGIN: f64 = 16.0;

/// What is known from one cell; numbers are those of all points.
#[derive(Debug, Clone, Default)]
pub struct CellEdges {
    /// Certain edges with an end in the cell, the least first.
    pub edges: Vec<[u32; 2]>,
    /// The cell's points that are not finished.
    pub unfinished: Vec<u32>,
    /// Certain edges with no end that is known to be finished: what bounds triangles of finished
    /// points, and what ends in the cell.
    pub walls: Vec<[u32; 2]>,
    /// From one end to the other, those that have a finished point in the triangle on their left.
    pub closed: Vec<[u32; 2]>,
}

/// Triangulates one of several cells, numbered from 0, of distinct points that `points::check` passes.
/// `progress` is called with numbers of edges accepted since the last call.
///
/// `O(n)` time to find the cell, the time and memory of [`super::run`] for its points and those of
/// the margin.
pub fn part(points: &[Point], number: usize, of: usize, progress: &dyn Fn(u64)) -> CellEdges {
    let own = cell(points, number, of);
    if own.is_empty() {
        return CellEdges::default();
    }
    let inside = with_margin(points, &own);
    let mine: Vec<u32> = (0..points.len() as u32)
        .into_par_iter()
        .filter(|&index| inside.has(points[index as usize]))
        .collect();
    let mut is_own = vec![false; mine.len()];
    let place = |index: &u32| mine.binary_search(index).unwrap_or(0);
    own.iter().for_each(|index| is_own[place(index)] = true);

    let places: Vec<Point> = mine.iter().map(|&index| points[index as usize]).collect();
    let Some((sites, halves)) = delaunay(&places) else {
        return CellEdges { unfinished: own, ..CellEdges::default() };
    };
    let mut engine = Engine::new(&sites, Mesh::new(&sites, halves));
    engine.accept_all(progress);
    let mesh = &engine.mesh;
    let certain = certain(&sites, mesh, inside);
    let index = |vertex: u32| sites.index[vertex as usize];

    let own = |vertex: u32| is_own[index(vertex) as usize];
    let all_certain = |h: u32| {
        let triangle = [h, mesh.next(h), mesh.next(mesh.next(h))];
        triangle.iter().all(|&h| mesh.is_finite(h) && certain[h as usize / 2])
    };
    let mut finished: Vec<bool> = (0..places.len() as u32).map(own).collect();
    for h in 0..2 * mesh.edges() {
        let [from, _] = mesh.ends(h);
        if let Some(finished) = finished.get_mut(from as usize) {
            *finished &= all_certain(h);
        }
    }

    let mut part = CellEdges::default();
    let named = |ends: [u32; 2]| ends.map(|end| mine[index(end) as usize]);
    for h in (0..mesh.edges()).map(|edge| 2 * edge).filter(|&h| certain[h as usize / 2]) {
        let (ends, named) = (mesh.ends(h), named(mesh.ends(h)));
        if ends.iter().any(|&end| own(end)) {
            part.edges.push(named);
        }
        if ends.iter().any(|&end| finished[end as usize]) {
            continue;
        }
        let [a, b] = named;
        let is_closed = |h: u32| finished.get(mesh.to(mesh.next(h)) as usize) == Some(&true);
        let closed = [(h, [a, b]), (h ^ 1, [b, a])].into_iter().filter(|&(h, _)| is_closed(h));
        let before = part.closed.len();
        part.closed.extend(closed.map(|(_, line)| line));
        if part.closed.len() > before || ends.iter().any(|&end| own(end)) {
            part.walls.push(named);
        }
    }
    part.unfinished =
        (0..places.len() as u32).filter(|&it| own(it) && !finished[it as usize]).collect();
    part.unfinished.iter_mut().for_each(|it| *it = mine[index(*it) as usize]);
    part
}

/// All edges, in the order of acceptance, from the parts of all cells.
pub fn whole(points: &[Point], parts: Vec<CellEdges>, progress: &dyn Fn(u64)) -> Vec<[u32; 2]> {
    let mut all = CellEdges::default();
    for part in parts {
        all.edges.extend(part.edges);
        all.unfinished.extend(part.unfinished);
        all.walls.extend(part.walls);
        all.closed.extend(part.closed);
    }
    all.edges.extend(rest(points, all.unfinished, all.walls, all.closed, progress));
    let mut lines: Vec<Line> =
        (all.edges.par_iter()).map(|&[i, j]| Line::new(points, [i.min(j), i.max(j)])).collect();
    lines.par_sort_unstable_by(|a, b| a.compare(b, points));
    let mut edges: Vec<[u32; 2]> = lines.into_par_iter().map(|line| line.ends).collect();
    edges.dedup();
    edges
}

/// All edges between unfinished points, in some order.
fn rest(
    points: &[Point],
    mut unfinished: Vec<u32>,
    mut walls: Vec<[u32; 2]>,
    mut closed: Vec<[u32; 2]>,
    progress: &dyn Fn(u64),
) -> Vec<[u32; 2]> {
    unfinished.par_sort_unstable();
    let places: Vec<Point> = unfinished.iter().map(|&index| points[index as usize]).collect();
    let named = |ends: [u32; 2]| ends.map(|end| unfinished[end as usize]);
    let Some((sites, halves)) = delaunay(&places) else {
        return path(&places).into_iter().map(named).collect();
    };
    let mut vertex = vec![0; places.len()];
    for (&index, number) in sites.index.iter().zip(0..) {
        vertex[index as usize] = number;
    }
    // Between vertices, without those of which another cell knows that an end is finished.
    for lines in [&mut walls, &mut closed] {
        lines.retain_mut(|line| {
            let found = line.map(|end| unfinished.binary_search(&end));
            let [Ok(a), Ok(b)] = found else { return false };
            *line = [vertex[a], vertex[b]];
            true
        });
    }
    walls.iter_mut().for_each(|line| line.sort_unstable());
    walls.sort_unstable();
    walls.dedup();
    let mut mesh = Mesh::new(&sites, halves);
    mesh.insert(&walls);
    mesh.fill(&closed);
    let mut engine = Engine::new(&sites, mesh);
    engine.accept_all_beside_accepted(progress);
    let walls = walls.into_iter().map(|line| sites.named(line));
    walls.chain(engine.run.edges).map(named).collect()
}

/// The points of one cell: all are cut in two across the longer side, and so again, until there are
/// as many cells. The same for whoever asks.
fn cell(points: &[Point], mut number: usize, mut of: usize) -> Vec<u32> {
    let mut own: Vec<u32> = (0..points.len() as u32).collect();
    while of > 1 {
        let at = |index: u32| points[index as usize];
        let Rectangle { low, high } = Rectangle::around(own.iter().map(|&index| at(index)));
        let across = |p: Point| {
            if high.x - low.x >= high.y - low.y { p } else { Point { x: p.y, y: p.x } }
        };
        let first = of / 2;
        let middle = own.len() * first / of;
        if middle < own.len() {
            own.select_nth_unstable_by(middle, |&a, &b| {
                lexicographic(across(at(a)), across(at(b)))
            });
        }
        if number < first {
            own.truncate(middle);
            of = first;
        } else {
            own.drain(..middle);
            (number, of) = (number - first, of - first);
        }
    }
    own
}

/// The box of a cell with its margin; infinite on sides beyond which there are no points.
fn with_margin(points: &[Point], own: &[u32]) -> Rectangle {
    let all = Rectangle::around(points.iter().copied());
    let cell = Rectangle::around(own.iter().map(|&index| points[index as usize]));
    let (width, height) = (cell.high.x - cell.low.x, cell.high.y - cell.low.y);
    let n = own.len() as f64;
    let margin = MARGIN * (width * height / n).sqrt().max((width + height) / n);
    let mut inside = cell.widened(margin);
    for (low, least) in [(&mut inside.low.x, all.low.x), (&mut inside.low.y, all.low.y)] {
        if *low <= least {
            *low = f64::NEG_INFINITY;
        }
    }
    for (high, most) in [(&mut inside.high.x, all.high.x), (&mut inside.high.y, all.high.y)] {
        if *high >= most {
            *high = f64::INFINITY;
        }
    }
    inside
}
