//! Paths and closures.

use std::collections::VecDeque;
use std::iter;

use super::{Given, Outputs, exact, integers, partly, size, whole};

/// `None` with an arc of negative length, or so long that a sum of two leaves the range of i32.
pub(crate) fn shortest_paths<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let fits = |it: f64| (0.0..=f64::from(i32::MAX / 2)).contains(&it).then_some(it);
    let mut d: Vec<f64> = given[0].numbers().map(fits).collect::<Option<_>>()?;
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[i * n + j] = d[i * n + j].min(d[i * n + k] + d[k * n + j]);
            }
        }
    }
    Some(vec![exact("d", d.into_iter())])
}

/// From each vertex: what can be reached by an arc from what can be reached.
pub(crate) fn closure<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let arc = integers(given[0]);
    let mut paths = vec![];
    for from in 0..n {
        let mut reached = vec![false; n];
        let mut open = vec![from];
        while let Some(u) = open.pop() {
            for v in 0..n {
                if arc[u * n + v] == 1 && !std::mem::replace(&mut reached[v], true) {
                    open.push(v);
                }
            }
        }
        paths.extend(reached);
    }
    Some(vec![whole("arc", paths)])
}

/// How many ends of edges are at each vertex.
pub(crate) fn degrees<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let mut degrees = vec![0_i32; n];
    for end in given.iter().flat_map(|it| integers(*it)) {
        degrees[end.rem_euclid(n as i64) as usize] += 1;
    }
    Some(vec![whole("d", degrees.into_iter())])
}

pub(crate) fn levels<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let arc = integers(given[0]);
    let mut level = vec![-1_i64; n];
    level[0] = 0;
    let mut queue = VecDeque::from([0]);
    while let Some(u) = queue.pop_front() {
        for v in 0..n {
            if arc[u * n + v] == 1 && level[v] < 0 {
                level[v] = level[u] + 1;
                queue.push_back(v);
            }
        }
    }
    Some(vec![whole("level", level)])
}

/// Arcs one after another, until no path becomes shorter. `None` with a circle of negative length.
fn from_vertex_0(n: usize, arc: &[i64]) -> Option<Vec<i64>> {
    let mut d = vec![None; n];
    d[0] = Some(0);
    for _ in 0..=n {
        let before = d.clone();
        for (u, row) in arc.chunks(n).enumerate() {
            let Some(from) = d[u] else { continue };
            for (d, length) in d.iter_mut().zip(row) {
                *d = Some(d.map_or(from + length, |it: i64| it.min(from + length)));
            }
        }
        if d == before {
            return d.into_iter().collect();
        }
    }
    None
}

/// The row of the last round; the other one holds the round before.
pub(crate) fn bellman_ford<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let d = from_vertex_0(n, &integers(given[0]))?;
    let other = iter::repeat_n(None, (n - 1) % 2 * n);
    Some(vec![partly("d", other.chain(d.into_iter().map(|it| Some(it as f64))))])
}

/// `None` with an arc of negative length.
pub(crate) fn dijkstra<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let arc = integers(given[0]);
    let d = from_vertex_0(size(parameters, 0)?, &arc)?;
    arc.iter().all(|&it| it >= 0).then(|| vec![whole("d", d)])
}

/// `None` where the order is no permutation.
pub(crate) fn list_ranking<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let order = integers(given[0]);
    let mut rank = vec![None; order.len()];
    for (after, &v) in order.iter().rev().enumerate() {
        let place = rank.get_mut(usize::try_from(v).ok()?)?;
        if place.replace(after as i64).is_some() {
            return None;
        }
    }
    Some(vec![whole("rank", rank.into_iter().flatten())])
}

/// By search from each vertex that no smaller one reaches.
pub(crate) fn components<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let arc = integers(given[0]);
    let mut least = vec![None; n];
    for from in 0..n {
        let mut open = if least[from].is_none() { vec![from] } else { vec![] };
        while let Some(u) = open.pop() {
            least[u] = Some(from as f64);
            let joined = |&v: &usize| arc[u * n + v] + arc[v * n + u] > 0;
            open.extend((0..n).filter(joined).filter(|&v| least[v].is_none()));
        }
    }
    Some(vec![partly("c", least)])
}

/// Kruskal: edges from the lightest on, unless their ends are joined.
pub(crate) fn spanning_tree<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let w = integers(given[0]);
    let mut edges: Vec<_> = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v))).collect();
    edges.sort_by_key(|(u, v)| w[u * n + v]);
    let mut part: Vec<usize> = (0..n).collect();
    let mut weight = 0;
    for (u, v) in edges {
        let (a, b) = (part[u], part[v]);
        if a != b {
            weight += w[u * n + v];
            part.iter_mut().filter(|it| **it == b).for_each(|it| *it = a);
        }
    }
    Some(vec![whole("weight", [weight])])
}

pub(crate) fn triangles<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let edge = integers(given[0]);
    let is_edge = |u: usize, v: usize| edge[u * n + v] == 1;
    let pairs = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
    let third = |(u, v)| (v + 1..n).filter(|&w| is_edge(u, w) && is_edge(v, w)).count();
    let count = pairs.filter(|&(u, v)| is_edge(u, v)).map(third).sum::<usize>();
    Some(vec![whole("count", [count as i64])])
}
