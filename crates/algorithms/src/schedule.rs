//! Schedules of offline permutations (Kasagi, Nakano, Ito 2013): which number moves when, so that no
//! access to shared memory has a conflict.
//!
//! n × n numbers stand in rows. Any permutation of them is one inside the rows, then one inside the
//! columns, then one inside the rows again. The graph of an edge from each number's row to the row of
//! its place is bipartite, of degree n, so its edges have n colours of which no two meet at a row
//! (König 1916): the colour of a number is its column in between. Inside a row, edges from the bank of
//! each number to the bank of its place are coloured likewise: the w numbers of a colour, moved
//! together, come from w banks and go to w banks.

use std::collections::VecDeque;

use rayon::prelude::*;

/// What an array of a schedule holds, `[6·n, n/w, w]` row-major: row 2·c·n + i says for row i of pass c
/// from which column each number comes, and row (2·c + 1)·n + i to which it goes; w numbers that stand
/// together move together. Pass 1 is of the columns, each of which is a row of the transposed matrix.
///
/// `places[e]` is where number e goes: a permutation of 0 … n² − 1. O(n² log n) for n and w that are
/// powers of two; others take perfect matchings besides, O(n³ log n) at worst.
///
/// # Panics
/// Unless `places` is a permutation of `side`² numbers and `width` divides `side`.
pub fn schedule(places: &[u32], side: usize, width: usize) -> Vec<u32> {
    assert!(places.len() == side * side && side.is_multiple_of(width));
    let split = |place: usize| (place / side, place % side);
    let rows: Vec<[usize; 2]> =
        (0..).zip(places).map(|(e, &to)| [e / side, to as usize / side]).collect();
    let between = colours(side, &rows);
    // By pass, row and column: where a number goes inside the row.
    let mut to = vec![0; 3 * places.len()];
    for (e, (&place, &column)) in places.iter().zip(&between).enumerate() {
        let ((row, from), (last_row, last)) = (split(e), split(place as usize));
        to[row * side + from] = column;
        to[(side + column) * side + row] = last_row;
        to[(2 * side + last_row) * side + column] = last;
    }
    let mut schedule = vec![0; 2 * to.len()];
    // Rows are coloured independently of each other.
    let pairs = schedule.chunks_mut(2 * side * side).zip(to.chunks(side * side));
    pairs.for_each(|(pass, to)| {
        let (from, into) = pass.split_at_mut(side * side);
        let rows = from.par_chunks_mut(side).zip(into.par_chunks_mut(side));
        rows.zip(to.par_chunks(side)).for_each(|((from, into), row)| moves(row, width, from, into));
    });
    schedule
}

/// What a schedule says of a row whose numbers go to the columns `row`.
fn moves(row: &[usize], width: usize, from: &mut [u32], into: &mut [u32]) {
    let banks: Vec<[usize; 2]> =
        row.iter().enumerate().map(|(column, to)| [column % width, to % width]).collect();
    for (column, (&to, group)) in row.iter().zip(colours(width, &banks)).enumerate() {
        let at = group * width + column % width;
        from[at] = column as u32;
        into[at] = to as u32;
    }
}

/// Colours the edges of a bipartite graph with `nodes` nodes on each side, all of one degree, with as
/// many colours as that, so that edges of one colour meet nowhere. Edges may be parallel.
///
/// Even degrees are halved, odd ones lose a perfect matching first: O(edges · log degree) where the
/// degree is a power of two.
fn colours(nodes: usize, edges: &[[usize; 2]]) -> Vec<usize> {
    let mut colours = vec![0; edges.len()];
    let mut parts = vec![((0..edges.len()).collect::<Vec<_>>(), 0)];
    while let Some((part, first)) = parts.pop() {
        let degree = part.len() / nodes;
        if degree == 1 {
            part.iter().for_each(|&edge| colours[edge] = first);
        } else if degree.is_multiple_of(2) {
            let [some, others] = halves(nodes, edges, &part);
            parts.extend([(some, first), (others, first + degree / 2)]);
        } else {
            let [matching, others] = without_matching(nodes, edges, &part);
            parts.extend([(matching, first), (others, first + 1)]);
        }
    }
    colours
}

/// Of each node of one side, the places in `part` of its edges, in their order.
struct Places {
    places: Vec<u32>,
    /// By node, where its places begin, and where those end that were not popped.
    begins: Vec<u32>,
    ends: Vec<u32>,
}

impl Places {
    fn new(nodes: usize, edges: &[[usize; 2]], part: &[usize], side: usize) -> Self {
        let degree = part.len() / nodes;
        let begins: Vec<u32> = (0..nodes).map(|node| (node * degree) as u32).collect();
        let (mut places, mut ends) = (vec![0; part.len()], begins.clone());
        for (place, &edge) in (0..).zip(part) {
            let end = &mut ends[edges[edge][side]];
            places[*end as usize] = place;
            *end += 1;
        }
        Self { places, begins, ends }
    }

    fn pop(&mut self, node: usize) -> Option<usize> {
        (self.ends[node] > self.begins[node]).then(|| {
            self.ends[node] -= 1;
            self.places[self.ends[node] as usize] as usize
        })
    }

    fn of(&self, node: usize) -> impl Iterator<Item = usize> {
        let places = &self.places[self.begins[node] as usize..self.ends[node] as usize];
        places.iter().map(|&place| place as usize)
    }
}

/// Parts edges of even degree into two parts of half the degree: along closed trails (Euler), edges
/// that are walked to the right and those that are walked to the left. O(edges).
fn halves(nodes: usize, edges: &[[usize; 2]], part: &[usize]) -> [Vec<usize>; 2] {
    let mut open = [0, 1].map(|side| Places::new(nodes, edges, part, side));
    let mut walked = vec![false; part.len()];
    let mut halves = [vec![], vec![]];
    for start in 0..nodes {
        let (mut side, mut node) = (0, start);
        // Every visit uses two edges of a node, so the walk ends where it began.
        while let Some(place) = open[side].pop(node) {
            if !std::mem::replace(&mut walked[place], true) {
                halves[side].push(part[place]);
                side = 1 - side;
                node = edges[part[place]][side];
            }
        }
    }
    halves
}

/// Parts edges of one degree into a perfect matching, which such a graph has (Hall), and the others:
/// by an augmenting path for each node. O(nodes · edges).
fn without_matching(nodes: usize, edges: &[[usize; 2]], part: &[usize]) -> [Vec<usize>; 2] {
    let open = Places::new(nodes, edges, part, 0);
    // By node of either side: the place of its edge in the matching.
    let mut matched: [Vec<Option<usize>>; 2] = [vec![None; nodes], vec![None; nodes]];
    for start in 0..nodes {
        let mut reached_by = vec![None; nodes];
        let mut next = VecDeque::from([start]);
        let mut free = None;
        while let (None, Some(node)) = (free, next.pop_front()) {
            for place in open.of(node) {
                let right = edges[part[place]][1];
                if reached_by[right].is_none() {
                    reached_by[right] = Some(place);
                    match matched[1][right] {
                        None => free = Some(right),
                        Some(place) => next.push_back(edges[part[place]][0]),
                    }
                }
            }
        }
        while let Some(place) = free.and_then(|right| reached_by[right]) {
            let [left, right] = edges[part[place]];
            matched[1][right] = Some(place);
            let before = matched[0][left].replace(place);
            free = before.map(|place| edges[part[place]][1]);
        }
    }
    let (matching, others) = (0..part.len())
        .partition::<Vec<_>, _>(|&place| matched[0][edges[part[place]][0]] == Some(place));
    [matching, others].map(|places| places.into_iter().map(|place| part[place]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Distribution, numbers};

    #[test]
    fn colours_meet_nowhere() {
        for (nodes, degree) in [(1, 1), (1, 7), (5, 6), (8, 8), (12, 9), (7, 15)] {
            // A sum of permutations has parallel edges.
            let edges: Vec<[usize; 2]> = (0..degree)
                .flat_map(|seed| {
                    let right = numbers(Distribution::Permutation, nodes, seed);
                    right.enumerate().map(|(left, right)| [left, right as usize])
                })
                .collect();
            let colours = colours(nodes, &edges);
            for side in 0..2 {
                let mut seen = vec![false; nodes * degree as usize];
                for (edge, &colour) in edges.iter().zip(&colours) {
                    let at = colour * nodes + edge[side];
                    assert!(
                        !std::mem::replace(&mut seen[at], true),
                        "{nodes} nodes, degree {degree}"
                    );
                }
            }
        }
    }
}
