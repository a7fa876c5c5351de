//! Meshes: OBJ, PLY (text and binary) and OFF, seen from above: z is left out.

use super::text_numbers::{Words, lines};
use super::{Fault, Layer, Part};
use crate::points::Point;

const FROM_ABOVE: &str = "z is left out";

/// A mesh that is being read.
#[derive(Default)]
struct Mesh {
    vertices: Vec<Point>,
    polygons: Vec<Vec<Vec<u32>>>,
    has_height: bool,
}

impl Mesh {
    fn add_face(&mut self, corners: Vec<u32>) {
        if corners.len() > 2 {
            self.polygons.push(vec![corners]);
        }
    }

    fn layer(self, format: &'static str) -> Result<Layer, Fault> {
        let n = self.vertices.len() as u64;
        if let Some(it) = self.polygons.iter().flatten().flatten().find(|it| u64::from(**it) >= n) {
            return Err(Fault::new(format!(
                "a face names vertex {it}, but there are {n}, numbered from 0; write the file anew"
            )));
        }
        let notes = if self.has_height { vec![FROM_ABOVE.to_owned()] } else { vec![] };
        let part = if self.polygons.is_empty() {
            Part::Points(self.vertices)
        } else {
            Part::Mesh { vertices: self.vertices, polygons: self.polygons }
        };
        Ok(Layer { notes, ..Layer::of_part(format, part) })
    }
}

/// Whether the first lines that are no comments are those of an OBJ file.
pub(super) fn is_obj(text: &str) -> bool {
    let mut words = lines(text).take(64).filter_map(|mut it| it.next().map(str::to_owned));
    let known = ["v", "vn", "vt", "o", "g", "s", "f", "l", "mtllib", "usemtl"];
    let mut has_vertex = false;
    let all = words.by_ref().all(|it| {
        has_vertex |= it == "v";
        known.contains(&&*it)
    });
    all && has_vertex
}

/// Reads OBJ.
pub(super) fn obj(text: &str) -> Result<Layer, Fault> {
    let mut mesh = Mesh::default();
    for mut words in lines(text) {
        match words.next() {
            Some("v") => {
                let point = Point { x: words.coordinate()?, y: words.coordinate()? };
                mesh.has_height |= words.next().is_some_and(|it| it.parse() != Ok(0.0));
                mesh.vertices.push(point);
            }
            Some("f") => {
                let mut corners = vec![];
                while let Some(word) = words.next() {
                    corners.push(obj_corner(word, mesh.vertices.len()).ok_or_else(|| {
                        Fault::at(words.line, format!("'{word}' is no vertex; number them from 1"))
                    })?);
                }
                mesh.add_face(corners);
            }
            _ => {}
        }
    }
    mesh.layer("OBJ")
}

/// `3/1/2` is vertex 3, from 1; `-1` the last one.
fn obj_corner(word: &str, vertices: usize) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let index = if number < 0 { vertices as i64 + number } else { number - 1 };
    u32::try_from(index).ok()
}

/// Whether a text says that it is OFF.
pub(super) fn is_off(text: &str) -> bool {
    text.split_ascii_whitespace().next().is_some_and(|it| matches!(it, "OFF" | "COFF" | "NOFF"))
}

/// Reads OFF.
pub(super) fn off(text: &str) -> Result<Layer, Fault> {
    let mut rows = lines(text);
    let ended = || Fault::new("this OFF file ends too soon; write it anew");
    let mut words = rows.next().ok_or_else(ended)?;
    words.next();
    let mut sizes = rows.next().ok_or_else(ended)?;
    let (n, faces): (usize, usize) =
        (sizes.number("the number of vertices")?, sizes.number("the number of faces")?);
    let mut mesh = Mesh::default();
    for _ in 0..n {
        let mut words = rows.next().ok_or_else(ended)?;
        mesh.vertices.push(Point { x: words.coordinate()?, y: words.coordinate()? });
        mesh.has_height |= words.next().is_some_and(|it| it.parse() != Ok(0.0));
    }
    for _ in 0..faces {
        let mut words = rows.next().ok_or_else(ended)?;
        mesh.add_face(corners(&mut words)?);
    }
    mesh.layer("OFF")
}

/// A number of corners, and the corners.
fn corners(words: &mut Words) -> Result<Vec<u32>, Fault> {
    let count: usize = words.number("the number of corners")?;
    // No more than there are words.
    let mut corners = vec![];
    for _ in 0..count {
        corners.push(words.number("a vertex")?);
    }
    Ok(corners)
}

/// A property of an element of PLY.
#[derive(Clone)]
struct Property {
    name: String,
    kind: Scalar,
    /// Of a list, the kind of its length.
    length: Option<Scalar>,
}

struct Element {
    name: String,
    count: usize,
    properties: Vec<Property>,
}

#[derive(Clone, Copy)]
enum Scalar {
    Signed(usize),
    Unsigned(usize),
    Float(usize),
}

impl Scalar {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self::Signed(1),
            "short" | "int16" => Self::Signed(2),
            "int" | "int32" => Self::Signed(4),
            "uchar" | "uint8" => Self::Unsigned(1),
            "ushort" | "uint16" => Self::Unsigned(2),
            "uint" | "uint32" => Self::Unsigned(4),
            "float" | "float32" => Self::Float(4),
            "double" | "float64" => Self::Float(8),
            _ => return None,
        })
    }

    const fn size(self) -> usize {
        match self {
            Self::Signed(size) | Self::Unsigned(size) | Self::Float(size) => size,
        }
    }
}

/// The numbers behind the header of a PLY file.
enum Body<'a> {
    Text(std::str::SplitAsciiWhitespace<'a>),
    Binary { bytes: &'a [u8], big_endian: bool },
}

impl Body<'_> {
    fn number(&mut self, kind: Scalar) -> Option<f64> {
        match self {
            Self::Text(words) => words.next()?.parse().ok(),
            Self::Binary { bytes, big_endian } => {
                let (head, rest) = bytes.split_at_checked(kind.size())?;
                let mut word = [0; 8];
                word[..head.len()].copy_from_slice(head);
                if *big_endian {
                    word[..head.len()].reverse();
                }
                *bytes = rest;
                let bits = u64::from_le_bytes(word);
                let shift = 64 - 8 * kind.size() as u32;
                Some(match kind {
                    Scalar::Signed(_) => ((bits << shift).cast_signed() >> shift) as f64,
                    Scalar::Unsigned(_) => bits as f64,
                    Scalar::Float(4) => f32::from_bits(bits as u32).into(),
                    Scalar::Float(_) => f64::from_bits(bits),
                })
            }
        }
    }
}

/// Reads PLY.
pub(super) fn ply(bytes: &[u8]) -> Result<Layer, Fault> {
    let broken = |what: &str| Fault::new(format!("no PLY: {what}; write the file anew"));
    let end = bytes
        .windows(11)
        .position(|it| it == b"end_header\n" || it == b"end_header\r")
        .ok_or_else(|| broken("its header has no end"))?;
    let body = &bytes[end + 11..];
    let body = body.strip_prefix(b"\n").filter(|_| bytes[end + 10] == b'\r').unwrap_or(body);
    let header = std::str::from_utf8(&bytes[..end]).map_err(|_| broken("its header is no text"))?;
    let (elements, format) = ply_header(header).ok_or_else(|| broken("its header"))?;
    let mut body = match format {
        "ascii" => {
            let text = std::str::from_utf8(body).map_err(|_| broken("its body is no text"))?;
            Body::Text(text.split_ascii_whitespace())
        }
        "binary_little_endian" => Body::Binary { bytes: body, big_endian: false },
        "binary_big_endian" => Body::Binary { bytes: body, big_endian: true },
        other => return Err(broken(&format!("the format {other}"))),
    };
    let mut mesh = Mesh::default();
    for element in elements {
        for rank in 0..element.count {
            let at = || broken(&format!("{} {rank} is cut off", element.name));
            ply_element(&element, &mut body, &mut mesh).ok_or_else(at)?;
        }
    }
    mesh.layer("PLY")
}

fn ply_header(header: &str) -> Option<(Vec<Element>, &str)> {
    let (mut elements, mut format) = (vec![], "");
    for line in header.lines().skip(1) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["format", name, _] => format = name,
            ["element", name, count] => {
                let count = count.parse().ok()?;
                elements.push(Element { name: name.to_owned(), count, properties: vec![] });
            }
            ["property", "list", length, kind, name] => {
                let (length, kind) = (Some(Scalar::of(length)?), Scalar::of(kind)?);
                let property = Property { name: name.to_owned(), kind, length };
                elements.last_mut()?.properties.push(property);
            }
            ["property", kind, name] => {
                let kind = Scalar::of(kind)?;
                let property = Property { name: name.to_owned(), kind, length: None };
                elements.last_mut()?.properties.push(property);
            }
            ["comment" | "obj_info", ..] | [] => {}
            _ => return None,
        }
    }
    // An element without properties takes nothing, however many are declared.
    elements.retain(|it| !it.properties.is_empty());
    Some((elements, format))
}

fn ply_element(element: &Element, body: &mut Body, mesh: &mut Mesh) -> Option<()> {
    let (mut x, mut y) = (None, None);
    for Property { name, kind, length } in &element.properties {
        if let Some(length) = length {
            let count = body.number(*length)?;
            let is_face = element.name == "face" && name.starts_with("vert");
            let mut corners = vec![];
            for _ in 0..count as u64 {
                let corner = body.number(*kind)?;
                if is_face {
                    corners.push(corner as u32);
                }
            }
            mesh.add_face(corners);
            continue;
        }
        let value = body.number(*kind)?;
        match &**name {
            "x" => x = Some(value),
            "y" => y = Some(value),
            "z" => mesh.has_height |= value != 0.0,
            _ => {}
        }
    }
    if element.name == "vertex" {
        mesh.vertices.push(Point { x: x?, y: y? });
    }
    Some(())
}
