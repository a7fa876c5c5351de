//! Bare JSON arrays of positions: points `[[x, y], …]`, the rings of a polygon `[[[x, y], …], …]`, or
//! polygons of rings.

use serde_json::Value;

use super::{Fault, Feature, Layer, Part};
use crate::points::Point;

const REMEDY: &str = "write [[x, y], …], or rings [[[x, y], …], …]";

/// Whether a text that begins with `[` is one array, not a line of a table in brackets.
pub(super) fn is_one(text: &str) -> bool {
    let rest = text[1..].trim_start();
    rest.starts_with(['[', '{', ']'])
        || text.trim_end().lines().nth(1).is_none()
        || !text.lines().next().is_some_and(|it| it.contains(']'))
}

/// Reads one array.
pub(super) fn parse(text: &str) -> Result<Layer, Fault> {
    let value: Value = serde_json::from_str(text).map_err(|it| {
        Fault::at(it.line(), format!("no JSON array of positions: {it}; {REMEDY}"))
    })?;
    if value[0].is_object() {
        return Err(Fault::new(
            "an array of objects is no GeoJSON; write a FeatureCollection, or CSV with a header",
        ));
    }
    let part = match depth(&value) {
        2 => Part::Points(ring(&value)?),
        3 => Part::Polygon(polygon(&value)?),
        4 => {
            let parts = items(&value).iter().map(|it| polygon(it).map(Part::Polygon));
            let parts = parts.collect::<Result<_, _>>()?;
            let features = vec![Feature { parts, ..Feature::default() }];
            return Ok(Layer { features, format: "a JSON array", ..Layer::default() });
        }
        _ => return Err(Fault::new(format!("a JSON array, but not of positions; {REMEDY}"))),
    };
    Ok(Layer::of_part("a JSON array", part))
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.first().map_or(0, depth),
        _ => 0,
    }
}

fn polygon(value: &Value) -> Result<Vec<Vec<Point>>, Fault> {
    items(value).iter().map(ring).collect()
}

fn ring(value: &Value) -> Result<Vec<Point>, Fault> {
    let point =
        |(rank, position): (usize, &Value)| match (position[0].as_f64(), position[1].as_f64()) {
            (Some(x), Some(y)) => Ok(Point { x, y }),
            _ => Err(Fault::new(format!(
                "position {rank}, {position}, is no pair of numbers; {REMEDY}"
            ))),
        };
    items(value).iter().enumerate().map(point).collect()
}
