//! Srikanth et al., Algorithm 1, for the lower hull: with every slip corrected, and with all but one.

type Point = (f64, f64);

/// What is left as printed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Slip {
    /// Line 14: `… − cur.y + r.y` for `… − cur.y + l.y`.
    Ordinate,
    /// Line 24: `maxdist[l] > DIST[i]` for `<`.
    Sign,
    /// Lines 36–41: P is compacted, LABEL is not.
    Labels,
    /// Lines 42–49 look up ANS, which lines 50–52 extend only then.
    Order,
    /// Line 51: new vertices at the end of ANS, and one for every label.
    Append,
    /// Lines 37 and 44: points at distance 0 stay, and all points move on at a vertex's x.
    Stay,
    /// Line 24 takes any of several farthest points.
    Tie,
    /// Lines 5–6: any leftmost and rightmost points.
    Extremes,
}

use Slip::*;

/// ANS in the end. `None` if a value is read that there is none of, or if it does not end.
fn lower_hull(points: &[Point], slip: Option<Slip>) -> Option<Vec<Point>> {
    let is = |which| slip == Some(which);
    let by_x = |p: &&Point, q: &&Point| p.0.total_cmp(&q.0);
    let by_xy = |p: &&Point, q: &&Point| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1));
    let (min, max) = match is(Extremes) {
        true => (points.iter().min_by(by_x)?, points.iter().rev().max_by(by_x)?),
        false => (points.iter().min_by(by_xy)?, points.iter().max_by(by_xy)?),
    };
    let mut ans = vec![*min, *max];
    let mut p = points.to_vec();
    let mut label = vec![0; p.len()];
    for _ in 0..=points.len() {
        let mut dist = vec![];
        for (&cur, &label) in p.iter().zip(&label) {
            let (l, r): (Point, Point) = (*ans.get(label)?, *ans.get(label + 1)?);
            let s = (r.1 - l.1) / (r.0 - l.0);
            dist.push(s * (cur.0 - l.0) - cur.1 + if is(Ordinate) { r.1 } else { l.1 });
        }
        let mut max_dist = vec![0.0; ans.len()];
        let mut max: Vec<Option<Point>> = vec![None; ans.len()];
        for (i, &point) in p.iter().enumerate() {
            let (best, best_dist) = (&mut max[label[i]], &mut max_dist[label[i]]);
            let farther = if is(Sign) { *best_dist > dist[i] } else { *best_dist < dist[i] };
            let tie = *best_dist == dist[i] && best.is_some_and(|best| point < best);
            if farther || (tie && !is(Tie)) {
                (*best, *best_dist) = (Some(point), dist[i]);
            }
        }
        if max.iter().all(Option::is_none) {
            return Some(ans);
        }
        // The exclusive prefix-sums of `state`.
        let mut state = vec![0];
        for max in &max {
            state.push(state.last()? + usize::from(max.is_some()));
        }
        let before = ans.clone();
        ans = match is(Append) {
            true => {
                ans.iter().copied().chain(max.iter().map(|it| it.unwrap_or_default())).collect()
            }
            false => ans.iter().zip(&max).flat_map(|(&a, &b)| [Some(a), b]).flatten().collect(),
        };
        let seen = if is(Order) { &before } else { &ans };
        let stays = |dist: f64| if is(Stay) { dist >= 0.0 } else { dist > 0.0 };
        let (mut next, mut next_label) = (vec![], vec![]);
        for (i, &point) in p.iter().enumerate() {
            if !stays(dist[i]) {
                continue;
            }
            let of = label[if is(Labels) { next.len() } else { i }];
            let l = of + state[of];
            let vertex = *seen.get(l + 1)?;
            let passed = match is(Stay) {
                true => point.0 >= vertex.0,
                // Points at a positive distance have a vertex between the ends of their chord.
                false => point >= vertex,
            };
            next.push(point);
            next_label.push(l + usize::from(passed));
        }
        (p, label) = (next, next_label);
    }
    None
}

fn points(of: &[(i32, i32)]) -> Vec<Point> {
    of.iter().map(|&(x, y)| (x.into(), y.into())).collect()
}

/// By gift wrapping: from each vertex to the point that no other is below the line to, the farthest
/// of several.
fn by_definition(points: &[Point]) -> Vec<Point> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    sorted.dedup();
    let last = *sorted.last().unwrap();
    let mut hull = vec![sorted[0]];
    while *hull.last().unwrap() != last {
        let from = *hull.last().unwrap();
        let turn =
            |a: Point, b: Point| (a.0 - from.0) * (b.1 - from.1) - (a.1 - from.1) * (b.0 - from.0);
        let after = sorted.iter().copied().filter(|&it| it > from);
        hull.push(after.reduce(|a, b| if turn(a, b) <= 0.0 { b } else { a }).unwrap());
    }
    hull
}

/// Sets of 2 to 13 points with small whole coordinates; every other set has one leftmost and one
/// rightmost point.
fn sets() -> impl Iterator<Item = Vec<Point>> {
    let mut state = 1_u64;
    let mut draw = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    (0..2000).map(move |number| {
        let n = draw(12);
        let [left, right] = if number % 2 == 0 { [-1.0, 8.0] } else { [0.0, 7.0] };
        let ends = [(left, draw(8) as f64), (right, draw(8) as f64)];
        let inner = (0..n).map(|_| (draw(8) as f64, draw(8) as f64));
        let mut set: Vec<Point> = ends.into_iter().chain(inner).collect();
        set.rotate_left(draw(n + 2) as usize);
        set
    })
}

/// Also where chords are vertical: a slope of ±∞ or NaN keeps no point, and none is needed, as long
/// as the extremes are the lowest of the leftmost points and the highest of the rightmost ones.
#[test]
fn corrected_it_finds_the_lower_hull() {
    for set in sets() {
        assert_eq!(lower_hull(&set, None), Some(by_definition(&set)), "{set:?}");
    }
}

/// Points, and the hull that they get with one slip left in.
type Example<'a> = (Slip, &'a [(i32, i32)], Option<&'a [(i32, i32)]>);

const EXAMPLES: [Example<'_>; 8] = [
    // Both ends seem to lie below the chord; one becomes a vertex again, without end.
    (Ordinate, &[(8, 6), (-1, 4)], None),
    (Sign, &[(-1, 3), (8, 3), (5, 5)], Some(&[(-1, 3), (5, 5), (8, 3)])),
    (
        Labels,
        &[(0, 5), (7, 4), (2, 0), (1, 1), (5, 1), (7, 7), (4, 6), (-1, 5), (8, 7)],
        Some(&[(-1, 5), (1, 1), (2, 0), (5, 1), (8, 7)]),
    ),
    (Order, &[(0, 1), (5, 0), (-1, 5), (8, 1)], Some(&[(-1, 5), (0, 1), (8, 1)])),
    // Chord 1 runs from the right end back to the new vertex.
    (Append, &[(-1, 7), (8, 2), (0, 3)], None),
    // The right end gets the label of a chord that begins there.
    (Stay, &[(4, 3), (0, 5), (-1, 7), (8, 6)], None),
    (
        Tie,
        &[(3, 1), (5, 1), (2, 1), (-1, 5), (8, 5)],
        Some(&[(-1, 5), (2, 1), (3, 1), (5, 1), (8, 5)]),
    ),
    // Points on one vertical line: the first is leftmost and rightmost.
    (Extremes, &[(0, 1), (0, 0), (0, 2)], Some(&[(0, 1), (0, 1)])),
];

#[test]
fn each_slip_alone_spoils_it() {
    for (slip, given, wrong) in EXAMPLES {
        let given = points(given);
        assert_eq!(lower_hull(&given, Some(slip)), wrong.map(points), "{slip:?}");
        assert_ne!(lower_hull(&given, Some(slip)), Some(by_definition(&given)), "{slip:?}");
        let wrong = sets().filter(|it| lower_hull(it, Some(slip)) != lower_hull(it, None));
        assert!(wrong.count() > 0, "{slip:?}");
    }
}
