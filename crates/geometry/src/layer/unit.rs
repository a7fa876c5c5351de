//! What one unit of the coordinates is.

use serde_json::Value;

/// What one unit of the coordinates is, as far as the file tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CoordinateUnit {
    /// The file does not say.
    #[default]
    Unknown,
    /// Degrees of longitude and latitude.
    Degrees,
    /// Metres of a projection.
    Metres,
}

impl CoordinateUnit {
    /// As it stands behind a number; nothing if it is unknown.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Unknown => "",
            Self::Degrees => "°",
            Self::Metres => " m",
        }
    }

    /// Of the reference system of this name, such as `urn:ogc:def:crs:EPSG::3857` or `4326`.
    pub(super) fn of_crs(name: &str) -> Self {
        if name.ends_with("CRS84") || name.ends_with("CRS83") || name.ends_with("CRS27") {
            return Self::Degrees;
        }
        let code = name.rsplit([':', '/']).next().and_then(|it| it.parse::<u32>().ok());
        match code {
            // WGS 84, ETRS89, NAD83 and NAD27, and geographic systems of countries.
            Some(
                4326 | 4979 | 4258 | 4269 | 4267 | 4283 | 7844 | 4612 | 6668 | 4617 | 4674 | 4490
                | 4171 | 4230 | 4277 | 4313 | 4314,
            ) => Self::Degrees,
            // Web Mercator; UTM on WGS 84, ETRS89; LAEA and LCC of Europe; the grids of Britain,
            // France, the Netherlands and Switzerland; world equidistant and Mercator.
            Some(
                3857
                | 32_601..=32_660
                | 32_701..=32_760
                | 25_828..=25_838
                | 3034
                | 3035
                | 27_700
                | 2154
                | 28_992
                | 2056
                | 3395
                | 4087
                | 900_913,
            ) => Self::Metres,
            _ => Self::Unknown,
        }
    }

    /// Of a number of EPSG, and how GeoJSON names its system.
    #[cfg(feature = "formats")]
    pub(super) fn of_srid(srid: Option<&str>) -> (Self, Option<String>) {
        let name = srid.map(|it| format!("urn:ogc:def:crs:EPSG::{it}"));
        (name.as_deref().map_or(Self::Unknown, Self::of_crs), name)
    }

    /// Of a reference system by its number of EPSG, or else by its definition as well-known text.
    #[cfg(feature = "geo-formats")]
    pub(super) fn of_system(code: Option<i64>, definition: &str) -> (Self, Option<String>) {
        let code = code.filter(|it| *it > 0).map(|it| it.to_string());
        let (unit, crs) = Self::of_srid(code.as_deref());
        let unit = if unit == Self::Unknown { Self::of_definition(definition) } else { unit };
        (unit, crs)
    }

    /// Of well-known text of a reference system, in either version.
    #[cfg(feature = "formats")]
    pub(super) fn of_definition(text: &str) -> Self {
        let text = text.trim_start().to_uppercase();
        // The last unit is that of the axes.
        let unit = text.rsplit_once("UNIT[").map_or("", |it| it.1);
        let starts = |with: [&str; 3]| with.iter().any(|it| text.starts_with(it));
        if starts(["GEOGCS", "GEOGCRS", "GEODCRS"]) {
            Self::Degrees
        } else if starts(["PROJCS", "PROJCRS", "PROJECTEDCRS"]) && unit.starts_with("\"MET") {
            Self::Metres
        } else {
            Self::Unknown
        }
    }

    /// Of GeoJSON: as its member `crs` says (a member of its older version), or degrees.
    pub(super) fn of_geojson(crs: Option<&Value>) -> (Self, Option<String>) {
        match crs.and_then(|it| it["properties"]["name"].as_str()) {
            Some(name) => (Self::of_crs(name), Some(name.to_owned())),
            None => (Self::Degrees, None),
        }
    }
}
