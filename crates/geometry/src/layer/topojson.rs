//! TopoJSON: arcs, quantised or not, and objects that name them.

use serde_json::{Map, Value};

use super::{CoordinateUnit, Fault, Feature, Layer, Part, ReadOptions};
use crate::points::Point;

/// Whether a document says that it is one, in its beginning or wherever its type stands.
pub(super) fn is_one(text: &str) -> bool {
    let head: String = text.chars().take(200).filter(|it| !it.is_whitespace()).collect();
    head.contains(r#""type":"Topology""#)
        || (text.contains("\"arcs\"") && text.contains("\"Topology\""))
}

/// Reads one object of a topology.
pub(super) fn parse(text: &str, options: &ReadOptions) -> Result<Layer, Fault> {
    let document: Value = serde_json::from_str(text)
        .map_err(|it| Fault::at(it.line(), format!("no TopoJSON: {it}; write it anew")))?;
    let objects = document["objects"].as_object();
    let objects = objects.ok_or_else(|| Fault::new("TopoJSON without objects; write it anew"))?;
    let names: Vec<&str> = objects.keys().map(String::as_str).collect();
    let name = match &options.member {
        Some(member) => &**member,
        None => {
            names.first().ok_or_else(|| Fault::new("TopoJSON without objects; write it anew"))?
        }
    };
    let object = objects.get(name).ok_or_else(|| {
        Fault::new(format!("there is no object `{name}`; there are {}", names.join(", ")))
    })?;
    let mut notes = vec![];
    if names.len() > 1 {
        notes.push(format!(
            "read the object `{name}` of {}; --member NAME chooses another",
            names.join(", ")
        ));
    }
    let topology = Topology { arcs: arcs(&document)?, scale: transform(&document) };
    let mut features = vec![];
    topology.features(object, &mut features)?;
    let before = features.len();
    features.retain(|it| !it.parts.is_empty());
    if features.len() < before {
        notes.push(format!("features without geometry are left out: {}", before - features.len()));
    }
    let (unit, crs) = CoordinateUnit::of_geojson(document.get("crs"));
    Ok(Layer { features, format: "TopoJSON", notes, unit, crs, ..Layer::default() })
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn pair(value: &Value) -> Result<[f64; 2], Fault> {
    value[0].as_f64().zip(value[1].as_f64()).map(|(x, y)| [x, y]).ok_or_else(|| {
        Fault::new(format!("the position {value} is no pair of numbers; write x and y"))
    })
}

/// Scale and translation of quantised positions.
fn transform(document: &Value) -> Option<[[f64; 2]; 2]> {
    let transform = document.get("transform")?;
    Some([pair(&transform["scale"]).ok()?, pair(&transform["translate"]).ok()?])
}

fn placed([x, y]: [f64; 2], transform: Option<[[f64; 2]; 2]>) -> Point {
    match transform {
        Some([scale, shift]) => Point { x: x * scale[0] + shift[0], y: y * scale[1] + shift[1] },
        None => Point { x, y },
    }
}

/// All arcs; those that are quantised go by steps.
fn arcs(document: &Value) -> Result<Vec<Vec<Point>>, Fault> {
    let scale = transform(document);
    let arc = |value: &Value| {
        let mut at = [0.0; 2];
        let place = |position: &Value| {
            let [x, y] = pair(position)?;
            at = if scale.is_some() { [at[0] + x, at[1] + y] } else { [x, y] };
            Ok(placed(at, scale))
        };
        array(value).iter().map(place).collect()
    };
    array(&document["arcs"]).iter().map(arc).collect()
}

struct Topology {
    arcs: Vec<Vec<Point>>,
    scale: Option<[[f64; 2]; 2]>,
}

impl Topology {
    /// The features of an object; those of a collection one by one.
    fn features(&self, object: &Value, features: &mut Vec<Feature>) -> Result<(), Fault> {
        if object["type"] == "GeometryCollection" && object.get("properties").is_none() {
            return array(&object["geometries"])
                .iter()
                .try_for_each(|it| self.features(it, features));
        }
        let mut properties: Map<String, Value> =
            object["properties"].as_object().cloned().unwrap_or_default();
        if let Some(id) = object.get("id") {
            properties.entry("id").or_insert_with(|| id.clone());
        }
        let mut parts = vec![];
        self.parts(object, &mut parts)?;
        features.push(Feature { properties, parts });
        Ok(())
    }

    fn parts(&self, object: &Value, parts: &mut Vec<Part>) -> Result<(), Fault> {
        let places = &object["coordinates"];
        let point = |it: &Value| pair(it).map(|it| placed(it, self.scale));
        match object["type"].as_str().unwrap_or_default() {
            "" => {}
            "Point" => parts.push(Part::Points(vec![point(places)?])),
            "MultiPoint" => {
                parts
                    .push(Part::Points(array(places).iter().map(point).collect::<Result<_, _>>()?));
            }
            "LineString" => parts.push(Part::Line(self.line(&object["arcs"])?)),
            "MultiLineString" => {
                for arcs in array(&object["arcs"]) {
                    parts.push(Part::Line(self.line(arcs)?));
                }
            }
            "Polygon" => parts.push(self.polygon(&object["arcs"])?),
            "MultiPolygon" => {
                for polygon in array(&object["arcs"]) {
                    parts.push(self.polygon(polygon)?);
                }
            }
            "GeometryCollection" => {
                for geometry in array(&object["geometries"]) {
                    self.parts(geometry, parts)?;
                }
            }
            other => {
                return Err(Fault::new(format!(
                    "`{other}` is no geometry of TopoJSON; write a Polygon or another of its types"
                )));
            }
        }
        Ok(())
    }

    fn polygon(&self, rings: &Value) -> Result<Part, Fault> {
        let rings: Result<_, _> = array(rings).iter().map(|ring| self.line(ring)).collect();
        Ok(Part::Polygon(rings?))
    }

    /// Arcs after one another, each of which begins where the one before ends; `!k` is arc k
    /// backwards.
    fn line(&self, arcs: &Value) -> Result<Vec<Point>, Fault> {
        let mut line: Vec<Point> = vec![];
        for number in array(arcs) {
            let number = number.as_i64();
            let arc = number.and_then(|it| {
                let index = if it < 0 { !it } else { it };
                self.arcs.get(usize::try_from(index).ok()?)
            });
            let (Some(number), Some(arc)) = (number, arc) else {
                return Err(Fault::new("an arc is named that is not there; write the file anew"));
            };
            let skip = usize::from(!line.is_empty());
            if number < 0 {
                line.extend(arc.iter().rev().skip(skip));
            } else {
                line.extend(arc.iter().skip(skip));
            }
        }
        Ok(line)
    }
}
