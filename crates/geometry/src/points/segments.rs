//! Whether segments meet.

use super::{Point, orientation};

/// Whether the closed segments `ab` and `cd` have a point in common: their boxes meet, and neither
/// has both ends strictly on one side of the other. (On one line, boxes meet only if segments do.)
/// Exact.
pub fn segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool {
    let apart = |a: f64, b: f64, c: f64, d: f64| a.max(b) < c.min(d) || c.max(d) < a.min(b);
    let one_side = |p, q, r, s| {
        let (r, s) = (orientation(p, q, r), orientation(p, q, s));
        (r > 0.0 && s > 0.0) || (r < 0.0 && s < 0.0)
    };
    !apart(a.x, b.x, c.x, d.x)
        && !apart(a.y, b.y, c.y, d.y)
        && !one_side(a, b, c, d)
        && !one_side(c, d, a, b)
}
