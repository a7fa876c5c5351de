//! GeoJSON (RFC 7946), whole: collections, all geometries, null ones, and GeoJSON text sequences
//! (RFC 8142) or lines of features.

use ::geojson::{Feature as GeoFeature, GeoJson, Geometry, GeometryValue, Position};
use serde_json::{Map, Value};

use super::{CoordinateUnit, Fault, Feature, Layer, Part};
use crate::points::Point;

const REMEDY: &str = "write one point x,y a line, or GeoJSON as RFC 7946 has it";

/// Reads one document, or several after one another.
pub(super) fn parse(text: &str) -> Result<Layer, Fault> {
    let mut reader = Reader::default();
    let mut crs = None;
    // A record separator stands before each document of a sequence.
    for part in text.split('\u{1e}').filter(|it| !it.trim().is_empty()) {
        for document in serde_json::Deserializer::from_str(part).into_iter::<GeoJson>() {
            let document = document.map_err(|it| no_geojson(&it))?;
            if crs.is_none() {
                crs = foreign(&document).and_then(|it| it.get("crs")).cloned();
            }
            reader.document(document)?;
        }
    }
    let (unit, crs) = CoordinateUnit::of_geojson(crs.as_ref());
    let mut notes = vec![];
    if reader.empty > 0 {
        notes.push(format!("features without geometry are left out: {}", reader.empty));
    }
    Ok(Layer { features: reader.features, format: "GeoJSON", notes, unit, crs, ..Layer::default() })
}

fn no_geojson(why: &dyn std::fmt::Display) -> Fault {
    Fault::new(format!("no GeoJSON: {why}; {REMEDY}"))
}

/// Members that are not of the present version.
fn foreign(document: &GeoJson) -> Option<&Map<String, Value>> {
    match document {
        GeoJson::Geometry(it) => it.foreign_members.as_ref(),
        GeoJson::Feature(it) => it.foreign_members.as_ref(),
        GeoJson::FeatureCollection(it) => it.foreign_members.as_ref(),
    }
}

#[derive(Default)]
struct Reader {
    features: Vec<Feature>,
    /// Features without a geometry.
    empty: usize,
    /// Positions so far.
    position: usize,
}

impl Reader {
    fn document(&mut self, document: GeoJson) -> Result<(), Fault> {
        match document {
            GeoJson::Geometry(geometry) => self.shape(&geometry, Map::new()),
            GeoJson::Feature(feature) => self.feature(feature),
            GeoJson::FeatureCollection(collection) => {
                collection.features.into_iter().try_for_each(|it| self.feature(it))
            }
        }
    }

    fn feature(&mut self, feature: GeoFeature) -> Result<(), Fault> {
        let Some(geometry) = feature.geometry else {
            self.empty += 1;
            return Ok(());
        };
        let mut properties = feature.properties.unwrap_or_default();
        if let Some(id) = feature.id {
            let id = match id {
                ::geojson::feature::Id::String(it) => Value::from(it),
                ::geojson::feature::Id::Number(it) => Value::from(it),
            };
            properties.entry("id").or_insert(id);
        }
        self.shape(&geometry, properties)
    }

    fn shape(&mut self, geometry: &Geometry, properties: Map<String, Value>) -> Result<(), Fault> {
        let mut parts = vec![];
        self.parts(geometry, &mut parts)?;
        self.features.push(Feature { properties, parts });
        Ok(())
    }

    fn parts(&mut self, geometry: &Geometry, parts: &mut Vec<Part>) -> Result<(), Fault> {
        match &geometry.value {
            GeometryValue::Point { coordinates } => {
                parts.push(Part::Points(self.points(std::slice::from_ref(coordinates))?));
            }
            GeometryValue::MultiPoint { coordinates } => {
                parts.push(Part::Points(self.points(coordinates)?));
            }
            GeometryValue::LineString { coordinates } => {
                parts.push(Part::Line(self.points(coordinates)?));
            }
            GeometryValue::MultiLineString { coordinates } => {
                for line in coordinates {
                    parts.push(Part::Line(self.points(line)?));
                }
            }
            GeometryValue::Polygon { coordinates } => {
                parts.push(Part::Polygon(self.rings(coordinates)?));
            }
            GeometryValue::MultiPolygon { coordinates } => {
                for polygon in coordinates {
                    parts.push(Part::Polygon(self.rings(polygon)?));
                }
            }
            GeometryValue::GeometryCollection { geometries } => {
                for geometry in geometries {
                    self.parts(geometry, parts)?;
                }
            }
        }
        Ok(())
    }

    fn rings(&mut self, rings: &[Vec<Position>]) -> Result<Vec<Vec<Point>>, Fault> {
        rings.iter().map(|ring| self.points(ring)).collect()
    }

    fn points(&mut self, positions: &[Position]) -> Result<Vec<Point>, Fault> {
        let point = |position: &Position| {
            let rank = self.position;
            self.position += 1;
            match *position.as_slice() {
                [x, y, ..] => Ok(Point { x, y }),
                ref few => Err(Fault::new(format!(
                    "position {rank} has {} coordinate(s); write x and y",
                    few.len()
                ))),
            }
        };
        positions.iter().map(point).collect()
    }
}
