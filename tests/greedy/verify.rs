use memory_machine::algorithms::greedy::verify::{self, TriangulationFlaw};
use memory_machine::algorithms::greedy::{conflict, definition};
use memory_machine::algorithms::points::Point;
use memory_machine::algorithms::points::random::{self, PointDistribution};

use super::inputs::{points, small};

/// The two corners opposite an edge in its triangles, if it has two.
fn opposite(n: u32, edges: &[[u32; 2]], [i, j]: [u32; 2], at: &[Point]) -> Option<[u32; 2]> {
    let has = |a: u32, b: u32| edges.contains(&[a.min(b), a.max(b)]);
    let apexes: Vec<u32> = (0..n).filter(|&c| c != i && c != j && has(i, c) && has(j, c)).collect();
    apexes.iter().flat_map(|&c| apexes.iter().map(move |&d| [c, d])).find(|&[c, d]| {
        let crossing = |edge: &&[u32; 2]| conflict(at, [c, d], **edge);
        c < d && edges.iter().filter(crossing).eq([&[i, j]])
    })
}

fn sorted(points: &[Point], mut edges: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    let square = |[i, j]: [u32; 2]| {
        let (p, q) = (points[i as usize], points[j as usize]);
        (p.x - q.x).powi(2) + (p.y - q.y).powi(2)
    };
    edges.sort_by(|&a, &b| square(a).total_cmp(&square(b)).then(a.cmp(&b)));
    edges
}

#[test]
fn a_missing_an_added_and_an_exchanged_edge_are_found() {
    for seed in 0..40 {
        let n = 30;
        let points = random::points(PointDistribution::Square, n, seed);
        let edges = definition::triangulate(&points);
        for rank in (0..edges.len()).step_by(7) {
            let mut less = edges.clone();
            let gone = less.remove(rank);
            assert!(verify::triangulation(&points, &less).is_err());
            assert!(matches!(
                verify::greedy(&points, &less),
                Err(TriangulationFlaw::Missing { .. })
            ));

            let Some(other) = opposite(n as u32, &edges, gone, &points) else { continue };
            let more = sorted(&points, [&edges[..], &[other]].concat());
            assert!(verify::triangulation(&points, &more).is_err());
            assert!(matches!(
                verify::greedy(&points, &more),
                Err(TriangulationFlaw::Conflict { .. })
            ));

            // A triangulation again, but not the greedy one.
            less.push(other);
            let exchanged = sorted(&points, less);
            // Its neighbours may have become exchangeable, too.
            let fault = verify::triangulation(&points, &exchanged);
            assert!(matches!(fault, Err(TriangulationFlaw::Diagonal { .. })), "{fault:?}");
            assert!(verify::greedy(&points, &exchanged).is_err());
        }
    }
}

#[test]
fn the_definition_passes_both_proofs() {
    for seed in 0..300 {
        let points = small(seed);
        let edges = definition::triangulate(&points);
        assert_eq!(verify::triangulation(&points, &edges), Ok(()));
        assert_eq!(verify::greedy(&points, &edges), Ok(()));
    }
}

#[test]
fn faults_name_their_edges() {
    let square = points(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (9.0, 9.0)]);
    let check = |edges: &[[u32; 2]]| verify::triangulation(&square, edges).unwrap_err();
    assert_eq!(check(&[[1, 0]]), TriangulationFlaw::NoLine { edge: [1, 0] });
    assert_eq!(check(&[[0, 5]]), TriangulationFlaw::NoLine { edge: [0, 5] });
    let fault = TriangulationFlaw::Order { previous: [0, 3], edge: [0, 1] };
    assert_eq!(check(&[[0, 3], [0, 1]]), fault);
    assert_eq!(
        check(&[[0, 1], [0, 1]]),
        TriangulationFlaw::Order { previous: [0, 1], edge: [0, 1] }
    );
    let sides = [[0, 1], [0, 3], [1, 2], [2, 3], [0, 2]];
    assert_eq!(check(&sides), TriangulationFlaw::Isolated { point: 4 });
    // 0, 2 and 4 are on one line.
    let fault = check(&[&sides[..], &[[0, 4]]].concat());
    assert_eq!(fault, TriangulationFlaw::Overlap { first: [0, 2], second: [0, 4] });

    let line = points(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]);
    let check = |edges: &[[u32; 2]]| verify::triangulation(&line, edges).unwrap_err();
    assert_eq!(check(&[[0, 1], [0, 2]]), TriangulationFlaw::Gap { edge: [0, 2] });
    assert_eq!(check(&[[0, 1]]), TriangulationFlaw::Count { found: 1, expected: 2 });
}

/// Faces that are all triangles which turn left, around a hull that winds twice.
#[test]
fn a_star_is_no_triangulation() {
    let corner = |k: u32| {
        let turn = std::f64::consts::TAU * f64::from(k) / 5.0;
        (turn.cos(), turn.sin())
    };
    let corners: Vec<(f64, f64)> = (0..5).map(corner).chain([(0.0, 0.0)]).collect();
    let points = points(&corners);
    // A pentagram around its centre: consecutive corners of it are two fifths of a turn apart.
    let star = [[0, 2], [2, 4], [1, 4], [1, 3], [0, 3]];
    let spokes = [[0, 5], [1, 5], [2, 5], [3, 5], [4, 5]];
    let edges = sorted(&points, [star, spokes].concat());
    let fault = verify::triangulation(&points, &edges);
    assert!(
        matches!(fault, Err(TriangulationFlaw::Face { .. } | TriangulationFlaw::Order { .. })),
        "{fault:?}"
    );
}
