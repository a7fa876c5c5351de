//! Points of the plane.

use std::collections::HashSet;
use std::iter;
use std::rc::Rc;

use super::{Expected, Given, Outputs, exact, floats, size, whole};
use crate::{greedy, hull};
use memory_machine_geometry::points::{self, Distinct, Point, compare_lengths};

/// The points of arrays x and y; `None` where they are none that predicates are exact for.
fn plane(given: &[&dyn Given]) -> Option<Vec<Point>> {
    let [x, y] = given else { return None };
    let plane: Vec<Point> = x.numbers().zip(y.numbers()).map(|(x, y)| Point { x, y }).collect();
    points::check(&plane).is_ok().then_some(plane)
}

/// Whether f64 computes orientations and squared lengths of these points without rounding, as the
/// listings do: coordinates are integers of at most 26 bits, in some unit that is a power of two.
fn in_few_bits(plane: &[Point]) -> bool {
    let coordinates =
        || plane.iter().flat_map(|it| [it.x.abs(), it.y.abs()]).filter(|&it| it > 0.0);
    let lowest_bit = |it: f64| {
        let (exponent, mantissa) = (it.to_bits() >> 52, it.to_bits() & ((1 << 52) - 1));
        exponent as i32 - 1075 + (mantissa | 1 << 52).trailing_zeros() as i32
    };
    let unit = coordinates().map(lowest_bit).min().unwrap_or(0);
    coordinates().all(|it| it <= 2_f64.powi(unit + 25))
}

pub(crate) fn greedy<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let plane = plane(given)?;
    let n = plane.len();
    let mut lines: Vec<[usize; 2]> = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j])).collect();
    // Stable, so that lines of one length stay in the order of their ends.
    lines.sort_by(|a, b| compare_lengths(a.map(|end| plane[end]), b.map(|end| plane[end])));
    let Distinct { points, index } = points::distinct(&plane);
    let edges = greedy::definition::triangulate(&points);
    let edge = |ends: [u32; 2]| ends.map(|end| index[end as usize] as usize);
    let accepted: HashSet<[usize; 2]> = edges.iter().map(|&ends| edge(ends)).collect();
    // One point has no lines, but arrays have an element.
    let lines = Rc::new(lines);
    let cells = |value: Box<dyn Fn([usize; 2]) -> f64>| {
        let lines = lines.clone();
        (0..lines.len()).map(move |line| value(lines[line]))
    };
    let count = edges.len() as f64;
    let certain = in_few_bits(&plane);
    let all = [
        exact("line", cells(Box::new(move |[i, j]| (i * n + j) as f64))),
        exact(
            "accepted",
            cells(Box::new(move |line| f64::from(u8::from(accepted.contains(&line))))),
        ),
        exact("edges", iter::once(count)),
    ];
    Some(all.map(|it| Expected { certain, ..it }).into())
}

pub(crate) fn quickhull<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let plane = plane(given)?;
    let vertices = hull::reference::monotone_chain(&plane);
    let size = exact("size", iter::once(vertices.len() as f64));
    let hull = exact("hull", vertices.into_iter().map(f64::from));
    let certain = in_few_bits(&plane);
    Some([hull, size].map(|it| Expected { certain, ..it }).into())
}

/// Forces in f32, body after body.
pub(crate) fn n_body<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let [x, y, z, m] = [0, 1, 2, 3].map(|it| floats(given[it]));
    let mut sums = [vec![], vec![], vec![]];
    for i in 0..m.len() {
        let mut sum = [0.0_f32; 3];
        for j in 0..m.len() {
            let to = [x[j] - x[i], y[j] - y[i], z[j] - z[i]];
            let r = to[0] * to[0] + to[1] * to[1] + to[2] * to[2] + 0.000_976_562_5;
            let force = m[j] / (r * r.sqrt());
            sum.iter_mut().zip(to).for_each(|(sum, to)| *sum += to * force);
        }
        sums.iter_mut().zip(sum).for_each(|(sums, sum)| sums.push(f64::from(sum)));
    }
    let all = ["ax", "ay", "az"].into_iter().zip(sums);
    Some(all.map(|(array, sums)| exact(array, sums.into_iter())).collect())
}

/// Each point to the first of its nearest centres, each centre to the mean of its points.
pub(crate) fn k_means<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let numbers = |it: usize| given[it].numbers().collect::<Vec<_>>();
    let [x, y, mut cx, mut cy] = [0, 1, 2, 3].map(numbers);
    let nearest = |i: usize| {
        let squared = |j: &usize| (x[i] - cx[*j]).powi(2) + (y[i] - cy[*j]).powi(2);
        (0..cx.len()).min_by(|a, b| squared(a).total_cmp(&squared(b)))
    };
    let clusters: Vec<usize> = (0..x.len()).map(nearest).collect::<Option<_>>()?;
    for j in 0..cx.len() {
        let own: Vec<usize> = (0..x.len()).filter(|&i| clusters[i] == j).collect();
        if !own.is_empty() {
            let mean = |of: &[f64]| own.iter().fold(0.0, |s, &i| s + of[i]) / own.len() as f64;
            (cx[j], cy[j]) = (mean(&x), mean(&y));
        }
    }
    let known = [&x, &y, &cx, &cy].into_iter().flatten().all(|it| it.is_finite());
    let clusters = clusters.into_iter().map(|it| it as f64);
    let (cx, cy) = (cx.into_iter(), cy.into_iter());
    known.then(|| vec![exact("c", clusters), exact("cx", cx), exact("cy", cy)])
}

/// Of every pair; two points at least.
pub(crate) fn closest_pair<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let points: Vec<_> = given[0].numbers().zip(given[1].numbers()).collect();
    let squared = |(a, b): ((f64, f64), (f64, f64))| (a.0 - b.0).powi(2) + (a.1 - b.1).powi(2);
    let pairs =
        points.iter().enumerate().flat_map(|(i, &a)| points[..i].iter().map(move |&b| (a, b)));
    let least = pairs.map(squared).fold(f64::INFINITY, f64::min);
    let known = points.iter().all(|it| it.0.is_finite() && it.1.is_finite());
    known.then(|| vec![exact("d", iter::once(least))])
}

/// The edges that a ray to the right meets, by the side of the edge on which the point lies. Certain
/// where f64 computes these without rounding.
pub(crate) fn point_in_polygon<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let numbers = |it: usize| given[it].numbers().collect::<Vec<_>>();
    let [x, y, px, py] = [0, 1, 2, 3].map(numbers);
    let m = size(parameters, 1)?;
    let all = |x: &[f64], y: &[f64]| -> Vec<Point> {
        x.iter().zip(y).map(|(&x, &y)| Point { x, y }).collect()
    };
    let certain = in_few_bits(&all(&x, &y)) && in_few_bits(&all(&px, &py));
    let inside = move |i: usize| {
        let meets = |&k: &usize| {
            let (a, b) = (k, (k + 1) % m);
            let (low, high) = if py[a] < py[b] { (a, b) } else { (b, a) };
            let (along, up) = (px[high] - px[low], py[high] - py[low]);
            let side = (x[i] - px[low]) * up - (y[i] - py[low]) * along;
            py[low] <= y[i] && y[i] < py[high] && side < 0.0
        };
        (0..m).filter(meets).count() % 2 == 1
    };
    let n = size(parameters, 0)?;
    Some(vec![Expected { certain, ..whole("inside", (0..n).map(inside)) }])
}
