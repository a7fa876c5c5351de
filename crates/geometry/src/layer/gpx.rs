//! GPX: way points as points, routes and tracks as lines.

use serde_json::{Map, Value};

use super::{CoordinateUnit, Fault, Feature, Layer, Part};
use crate::points::Point;

/// Reads a document of XML, if it is GPX.
pub(super) fn parse(text: &str) -> Result<Layer, Fault> {
    let document = roxmltree::Document::parse(text).map_err(|it| {
        Fault::at(it.pos().row as usize, format!("no XML: {it}; give GPX, GeoJSON or CSV"))
    })?;
    let root = document.root_element();
    let name = root.tag_name().name();
    if name != "gpx" {
        let remedy = "convert it, as by: ogr2ogr out.geojson FILE";
        return Err(Fault::new(format!("XML of `{name}` is not read, but GPX is; {remedy}")));
    }
    let (mut features, mut way_points) = (vec![], vec![]);
    for child in root.children().filter(roxmltree::Node::is_element) {
        match child.tag_name().name() {
            "wpt" => way_points.push(place(child)?),
            "rte" => features.push(feature(child, "rtept")?),
            "trk" => {
                let segments = child.children().filter(|it| it.has_tag_name_of("trkseg"));
                for segment in segments {
                    let mut feature = feature(segment, "trkpt")?;
                    feature.properties = properties(child);
                    features.push(feature);
                }
            }
            _ => {}
        }
    }
    if !way_points.is_empty() {
        let parts = vec![Part::Points(way_points)];
        features.insert(0, Feature { parts, ..Feature::default() });
    }
    Ok(Layer { features, format: "GPX", unit: CoordinateUnit::Degrees, ..Layer::default() })
}

trait NamedNode {
    /// Whether it is an element of this name, in whatever namespace.
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl NamedNode for roxmltree::Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

fn feature(node: roxmltree::Node, point: &str) -> Result<Feature, Fault> {
    let points = node.children().filter(|it| it.has_tag_name_of(point)).map(place);
    let line = points.collect::<Result<_, _>>()?;
    Ok(Feature { properties: properties(node), parts: vec![Part::Line(line)] })
}

fn properties(node: roxmltree::Node) -> Map<String, Value> {
    let name = node.children().find(|it| it.has_tag_name_of("name"));
    let name = name.and_then(|it| it.text()).map(|it| ("name".to_owned(), Value::from(it.trim())));
    name.into_iter().collect()
}

fn place(node: roxmltree::Node) -> Result<Point, Fault> {
    let value = |name: &str| {
        let text = node.attribute(name).unwrap_or_default();
        text.trim().parse::<f64>().ok().filter(|it| it.is_finite()).ok_or_else(|| {
            let line = node.document().text_pos_at(node.range().start).row as usize;
            Fault::at(line, format!("{name}=\"{text}\" is not a finite number; write degrees"))
        })
    };
    Ok(Point { x: value("lon")?, y: value("lat")? })
}
