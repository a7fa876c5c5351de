//! Well-known text: one geometry after another, each with an SRID before it or not.

use super::{CoordinateUnit, Fault, Feature, Layer, Part};
use crate::points::Point;

const KINDS: [&str; 7] = [
    "POINT",
    "MULTIPOINT",
    "LINESTRING",
    "MULTILINESTRING",
    "POLYGON",
    "MULTIPOLYGON",
    "GEOMETRYCOLLECTION",
];
/// Collections within collections, at most so deep.
const DEEPEST: usize = 32;

/// Whether a text begins with a geometry.
pub(super) fn is_one(text: &str) -> bool {
    let rest = match text.get(..5) {
        Some(head) if head.eq_ignore_ascii_case("SRID=") => {
            text.split_once(';').map_or("", |it| it.1)
        }
        _ => text.trim_start_matches('"'),
    };
    let word: String = rest.trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
    let word = word.to_ascii_uppercase();
    let after = rest.trim_start()[word.len()..].trim_start();
    let follows = after.starts_with('(')
        || ["EMPTY", "Z", "M"]
            .iter()
            .any(|it| after.get(..it.len()).is_some_and(|head| head.eq_ignore_ascii_case(it)));
    KINDS.contains(&&*word) && follows
}

/// Reads all geometries, each of which becomes a feature.
pub(super) fn parse(text: &str) -> Result<Layer, Fault> {
    let mut parser = Parser { text, at: 0 };
    let (mut features, mut first) = (vec![], None);
    while !parser.is_at_end() {
        if let Some(srid) = parser.srid()? {
            first.get_or_insert(srid);
        }
        let mut parts = vec![];
        parser.geometry(&mut parts, 0)?;
        features.push(Feature { parts, ..Feature::default() });
    }
    let (unit, crs) = CoordinateUnit::of_srid(first.as_deref());
    Ok(Layer { features, format: "WKT", unit, crs, ..Layer::default() })
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Steps over what may stand between tokens: blanks, and what parts geometries.
    fn skip(&mut self, also: &[char]) {
        let rest = self.rest();
        let after = rest.trim_start_matches(|it: char| it.is_whitespace() || also.contains(&it));
        self.at += rest.len() - after.len();
    }

    fn is_at_end(&mut self) -> bool {
        self.skip(&[';', '"', ',']);
        self.rest().is_empty()
    }

    fn fault(&self, what: &str) -> Fault {
        let line = 1 + self.text[..self.at].matches('\n').count();
        let found: String = self.rest().chars().take(12).collect();
        Fault::at(line, format!("'{}' where {what}; mend this geometry", found.escape_default()))
    }

    fn srid(&mut self) -> Result<Option<String>, Fault> {
        let rest = self.rest();
        if !rest.get(..5).is_some_and(|it| it.eq_ignore_ascii_case("SRID=")) {
            return Ok(None);
        }
        let Some((head, _)) = rest.split_once(';') else {
            return Err(self.fault("an SRID ends by a semicolon"));
        };
        self.at += head.len() + 1;
        Ok(Some(head[5..].trim().to_owned()))
    }

    fn word(&mut self) -> String {
        self.skip(&[]);
        let word: String = self.rest().chars().take_while(char::is_ascii_alphabetic).collect();
        self.at += word.len();
        word.to_ascii_uppercase()
    }

    fn accept(&mut self, sign: char) -> bool {
        self.skip(&[]);
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, sign: char) -> Result<(), Fault> {
        if self.accept(sign) { Ok(()) } else { Err(self.fault(&format!("`{sign}` belongs"))) }
    }

    fn geometry(&mut self, parts: &mut Vec<Part>, depth: usize) -> Result<(), Fault> {
        let start = self.at;
        let kind = self.word();
        let kind = kind.strip_suffix("ZM").or_else(|| kind.strip_suffix('Z')).unwrap_or(&kind);
        if !KINDS.contains(&kind) || depth > DEEPEST {
            self.at = start;
            return Err(self.fault("a geometry such as POLYGON begins"));
        }
        let before = self.at;
        match &*self.word() {
            "EMPTY" => return Ok(()),
            "Z" | "M" | "ZM" => {
                let before = self.at;
                if self.word() == "EMPTY" {
                    return Ok(());
                }
                self.at = before;
            }
            _ => self.at = before,
        }
        match kind {
            "POINT" | "MULTIPOINT" => parts.push(Part::Points(self.points()?)),
            "LINESTRING" => parts.push(Part::Line(self.points()?)),
            "MULTILINESTRING" => {
                parts.extend(self.list(Self::points)?.into_iter().map(Part::Line));
            }
            "POLYGON" => parts.push(Part::Polygon(self.list(Self::points)?)),
            "MULTIPOLYGON" => {
                let polygons = self.list(|it| it.list(Self::points))?;
                parts.extend(polygons.into_iter().map(Part::Polygon));
            }
            _ => {
                self.expect('(')?;
                loop {
                    self.geometry(parts, depth + 1)?;
                    if !self.accept(',') {
                        break;
                    }
                }
                self.expect(')')?;
            }
        }
        Ok(())
    }

    fn list<T>(&mut self, one: impl Fn(&mut Self) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
        self.expect('(')?;
        let mut all = vec![one(self)?];
        while self.accept(',') {
            all.push(one(self)?);
        }
        self.expect(')')?;
        Ok(all)
    }

    /// Points, each in parentheses or not.
    fn points(&mut self) -> Result<Vec<Point>, Fault> {
        self.list(|it| {
            let inner = it.accept('(');
            let point = Point { x: it.number()?, y: it.number()? };
            while it.rest().trim_start().starts_with(|it: char| !matches!(it, ',' | ')')) {
                it.number()?; // a height, a measure
            }
            if inner {
                it.expect(')')?;
            }
            Ok(point)
        })
    }

    fn number(&mut self) -> Result<f64, Fault> {
        self.skip(&[]);
        let word = self.rest().split([',', '(', ')', ' ', '\t', '\r', '\n']).next();
        let word = word.unwrap_or_default();
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() => {
                self.at += word.len();
                Ok(value)
            }
            _ => Err(self.fault("a number belongs")),
        }
    }
}
