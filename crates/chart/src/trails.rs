//! The edges of a graph as few lines, so that an SVG of many edges stays small.

/// Walks that together use every edge once. Vertices are numbered below `n`.
///
/// `O(n + edges)` time. A planar graph's walks average about ten edges.
pub(super) fn trails(n: usize, edges: &[[u32; 2]]) -> Vec<Vec<u32>> {
    // The edges of vertex v are around[first[v] .. first[v + 1]].
    let mut first = vec![0; n + 1];
    for vertex in edges.iter().flatten() {
        first[*vertex as usize + 1] += 1;
    }
    for vertex in 0..n {
        first[vertex + 1] += first[vertex];
    }
    let mut around = vec![0; 2 * edges.len()];
    let mut next = first.clone();
    for (edge, ends) in edges.iter().enumerate() {
        for &end in ends {
            around[next[end as usize]] = edge;
            next[end as usize] += 1;
        }
    }
    let odd = |vertex: &usize| (first[vertex + 1] - first[*vertex]) % 2 == 1;
    // A walk from where an odd number of edges ends can end at another such vertex only; after
    // these walks the edges left make closed ones.
    let starts = (0..n).filter(odd).chain(0..n);
    let mut used = vec![false; edges.len()];
    next.copy_from_slice(&first);
    let mut trails = vec![];
    for start in starts {
        let mut trail = vec![start as u32];
        let mut at = start;
        while next[at] < first[at + 1] {
            let edge = around[next[at]];
            next[at] += 1;
            if !std::mem::replace(&mut used[edge], true) {
                let [a, b] = edges[edge];
                at = (if a as usize == at { b } else { a }) as usize;
                trail.push(at as u32);
            }
        }
        if trail.len() > 1 {
            trails.push(trail);
        }
    }
    trails
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_is_walked_once() {
        // A wheel of spokes 0–v, and an edge apart.
        let n = 40_u32;
        let mut edges: Vec<[u32; 2]> = (1..n).map(|v| [0, v]).collect();
        edges.extend((1..n).map(|v| [v, v % (n - 1) + 1]));
        edges.push([n, n + 1]);
        let trails = trails(n as usize + 2, &edges);
        let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        let mut walked: Vec<[u32; 2]> = trails
            .iter()
            .flat_map(|it| it.windows(2).map(|pair| sorted([pair[0], pair[1]])))
            .collect();
        let mut all: Vec<[u32; 2]> = edges.into_iter().map(sorted).collect();
        walked.sort_unstable();
        all.sort_unstable();
        assert_eq!(walked, all);
        // 39 rim vertices, the hub and the two ends of the last edge are odd: 21 walks at least.
        assert!(trails.len() <= 22, "{}", trails.len());
    }
}
