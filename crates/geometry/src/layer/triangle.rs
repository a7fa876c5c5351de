//! The files of Shewchuk's Triangle: `.node`, vertices; `.poly`, vertices and segments, which are
//! the outlines of one polygon by the even-odd rule.

use std::collections::HashMap;
use std::path::Path;

use super::text_numbers::{Words, lines};
use super::{Fault, Layer, Part};
use crate::points::Point;
use memory_machine_core::host::files::ends;

/// Reads a file by its name.
pub(super) fn parse(path: &Path, text: &str) -> Result<Layer, Fault> {
    let mut rows = lines(text);
    let (first, vertices) = nodes(&mut rows)?;
    if ends(path, "node") {
        return Ok(Layer::of_part("a .node file", Part::Points(vertices)));
    }
    if vertices.is_empty() {
        return Err(Fault::new(
            "a .poly whose vertices are in a .node of the same name; put them into the .poly",
        ));
    }
    let (n, mut neighbours) = (vertices.len(), HashMap::<u32, Vec<u32>>::new());
    let ended = || Fault::new("this .poly ends before its segments; write it anew");
    let mut head = rows.next().ok_or_else(ended)?;
    let count: usize = head.number("the number of segments")?;
    for _ in 0..count {
        let mut words = rows.next().ok_or_else(ended)?;
        let _: i64 = words.number("the number of a segment")?;
        let mut end = || -> Result<u32, Fault> {
            let line = words.line;
            let number: i64 = words.number("the number of a vertex")?;
            u32::try_from(number - first).ok().filter(|it| (*it as usize) < n).ok_or_else(|| {
                Fault::at(line, format!("there is no vertex {number}; there are {n}, from {first}"))
            })
        };
        let (a, b) = (end()?, end()?);
        neighbours.entry(a).or_default().push(b);
        neighbours.entry(b).or_default().push(a);
    }
    let (rings, open) = rings(&neighbours);
    let mut layer = Layer::of_part(
        "a .poly file",
        match rings.is_empty() {
            true => Part::Points(vertices),
            false => Part::Mesh { vertices, polygons: vec![rings] },
        },
    );
    if open > 0 {
        layer.notes.push(format!("{open} segments are in no closed outline and are left out"));
    }
    Ok(layer)
}

/// The number of the first vertex, and the vertices.
fn nodes<'a>(rows: &mut impl Iterator<Item = Words<'a>>) -> Result<(i64, Vec<Point>), Fault> {
    let ended = || Fault::new("this file ends before its vertices do; write it anew");
    let mut head = rows.next().ok_or_else(ended)?;
    let count: usize = head.number("the number of vertices")?;
    let dimension = head.next().unwrap_or("2");
    if dimension != "2" {
        let what = format!("vertices of dimension {dimension}; give those of a plane");
        return Err(Fault::at(head.line, what));
    }
    let (mut first, mut points) = (0, vec![]);
    for rank in 0..count {
        let mut words = rows.next().ok_or_else(ended)?;
        let line = words.line;
        let number: i64 = words.number("the number of a vertex")?;
        if rank == 0 {
            first = number;
        }
        if number != first.saturating_add(rank as i64) {
            return Err(Fault::at(line, format!("vertex {number} is out of order; sort them")));
        }
        points.push(Point { x: words.coordinate()?, y: words.coordinate()? });
    }
    Ok((first, points))
}

/// Closed outlines of vertices of which each has two neighbours, and the number of other segments.
fn rings(neighbours: &HashMap<u32, Vec<u32>>) -> (Vec<Vec<u32>>, usize) {
    let mut starts: Vec<u32> = neighbours.keys().copied().collect();
    starts.sort_unstable();
    let mut done = std::collections::HashSet::new();
    let (mut rings, mut open) = (vec![], 0);
    for start in starts {
        if !done.insert(start) {
            continue;
        }
        let (mut ring, mut before, mut at) = (vec![start], start, start);
        let mut is_closed = false;
        while let [a, b] = neighbours[&at][..] {
            let next = if a == before && at != start { b } else { a };
            if next == start {
                is_closed = ring.len() > 2;
                break;
            }
            if !done.insert(next) {
                break;
            }
            (before, at) = (at, next);
            ring.push(next);
        }
        match is_closed {
            true => rings.push(ring),
            false => open += ring.len(),
        }
    }
    (rings, open)
}
