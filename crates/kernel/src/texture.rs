//! Arrays as textures, surfaces and tensors: `texture,linear,wrap,normalized:random:f32[64x64]`,
//! `tensor,box=64x64,swizzle=128:random:f16[512x512]`.

use super::element::Element;
use memory_machine_sass::launch::{TensorMap, Texel, Texture, TextureEdge, TextureFilter};

/// How an array is looked up.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureOptions {
    filter: TextureFilter,
    edge: TextureEdge,
    is_normalized: bool,
    is_fraction: bool,
    is_layered: bool,
    channels: u8,
    extents: Option<Vec<u64>>,
}

/// Texels along an axis, at most.
const MOST_EXTENT: u64 = 1 << 17;

impl TextureOptions {
    /// Reads `texture` or `surface` and the words behind it.
    ///
    /// # Errors
    /// A word that is none of them.
    pub(super) fn read(words: &str) -> Result<Self, String> {
        let mut it = Self {
            filter: TextureFilter::default(),
            edge: TextureEdge::default(),
            is_normalized: false,
            is_fraction: false,
            is_layered: false,
            channels: 1,
            extents: None,
        };
        let mut given = words.split(',');
        let is_surface = given.next() == Some("surface");
        for word in given {
            match word.split_once('=').unwrap_or((word, "")) {
                ("layered", "") => it.is_layered = true,
                ("channels", "1") => it.channels = 1,
                ("channels", "2") => it.channels = 2,
                ("channels", "4") => it.channels = 4,
                ("extents", text) => it.extents = Some(extents(text)?),
                _ if is_surface => {
                    return Err(format!(
                        "`{word}` says nothing of a surface: layered, channels=2 or 4, extents=64x64"
                    ));
                }
                ("point", "") => it.filter = TextureFilter::Point,
                ("linear", "") => it.filter = TextureFilter::Linear,
                ("clamp", "") => it.edge = TextureEdge::Clamp,
                ("border", "") => it.edge = TextureEdge::Border(0.0),
                ("border", number) => {
                    let number = number.parse().map_err(|_| "write border=0.5".to_owned())?;
                    it.edge = TextureEdge::Border(number);
                }
                ("wrap", "") => it.edge = TextureEdge::Wrap,
                ("mirror", "") => it.edge = TextureEdge::Mirror,
                ("normalized", "") => it.is_normalized = true,
                ("fraction", "") => it.is_fraction = true,
                _ => {
                    return Err(format!(
                        "`{word}` says nothing of a texture: point, linear, clamp, border=0, wrap, mirror, \
                         normalized (coordinates), fraction (of integers), layered, channels=2 or 4, \
                         extents=64x64"
                    ));
                }
            }
        }
        let repeats = matches!(it.edge, TextureEdge::Wrap | TextureEdge::Mirror);
        if repeats && !it.is_normalized {
            return Err("only normalized coordinates wrap: say normalized, too".to_owned());
        }
        Ok(it)
    }

    /// The texture of an array that is in memory under this number, from its numbers, bytes and columns, and
    /// the extents with which it was made.
    ///
    /// # Errors
    /// Numbers or extents that no texture has.
    pub(super) fn texture(
        &self,
        number: usize,
        (element, bytes, columns): (Element, usize, usize),
        made: Option<&[u64]>,
    ) -> Result<Texture, String> {
        let texel = match element {
            Element::Float(4) => Texel::Single,
            Element::Float(2) => Texel::Half,
            Element::Signed(bytes @ 1..=4) => Texel::Signed(bytes),
            Element::Unsigned(bytes @ 1..=4) => Texel::Unsigned(bytes),
            of => {
                return Err(format!(
                    "a texture of {} is not known; f32 and integers are",
                    of.name()
                ));
            }
        };
        let is_whole = matches!(texel, Texel::Signed(_) | Texel::Unsigned(_));
        if self.is_fraction && (!is_whole || texel.bytes() == 4) {
            return Err("only integers of 8 and 16 bits are fractions".to_owned());
        }
        let is_coloured = matches!(self.edge, TextureEdge::Border(it) if it != 0.0);
        if is_coloured && is_whole {
            return Err("only textures of f32 and f16 have another border than 0".to_owned());
        }
        if self.filter == TextureFilter::Linear && is_whole && !self.is_fraction {
            return Err("integers are filtered as fractions alone: say fraction, too".to_owned());
        }
        let mut all = self.extents((element, bytes, columns), made)?;
        let rank = all.len();
        if !(1..=3).contains(&rank) || self.is_layered && rank == 1 {
            return Err("a texture has 1 to 3 extents, the last of which is x".to_owned());
        }
        if all.iter().any(|it| !(1..=MOST_EXTENT).contains(it)) {
            return Err(format!("1 to {MOST_EXTENT} texels along an axis"));
        }
        // x is first; layers are behind what each of them has.
        all.reverse();
        all.resize(3, 1);
        let extents = [all[0] as u32, all[1] as u32, all[2] as u32];
        let texture = Texture {
            array: number,
            texel,
            channels: self.channels,
            extents,
            rank: rank as u8,
            is_layered: self.is_layered,
            filter: self.filter,
            edge: self.edge,
            is_normalized: self.is_normalized,
            is_fraction: self.is_fraction,
        };
        match texture.bytes() == bytes {
            true => Ok(texture),
            false => Err(format!(
                "its extents are of {} bytes, and the array has {}: write extents=64x64",
                texture.bytes(),
                bytes
            )),
        }
    }

    /// Of texels, the slowest first.
    fn extents(
        &self,
        (element, bytes, columns): (Element, usize, usize),
        made: Option<&[u64]>,
    ) -> Result<Vec<u64>, String> {
        if let Some(extents) = &self.extents {
            return Ok(extents.clone());
        }
        let channels = u64::from(self.channels);
        if let Some(made) = made {
            let mut extents = made.to_vec();
            if channels > 1 && extents.pop() != Some(channels) {
                return Err(format!("its last extent is the channels: f32[64x64x{channels}]"));
            }
            return Ok(extents);
        }
        let numbers = (bytes / element.bytes()) as u64;
        let columns = columns.max(1) as u64;
        let (rows, width) = (numbers / columns, columns / channels);
        Ok(if rows == 1 { vec![width] } else { vec![rows, width] })
    }
}

/// Of one axis or several.
fn extents(text: &str) -> Result<Vec<u64>, String> {
    let all: Option<Vec<u64>> = text.split('x').map(|it| it.parse().ok()).collect();
    all.filter(|it| !it.contains(&0)).ok_or_else(|| "write extents=64x64".to_owned())
}

/// What box of an array one instruction copies, and how it lies in shared memory.
#[derive(Debug, Clone, PartialEq)]
pub struct TensorOptions {
    of_box: Vec<u64>,
    swizzled_bytes: u64,
    extents: Option<Vec<u64>>,
}

impl TensorOptions {
    /// Reads the words behind `tensor`.
    ///
    /// # Errors
    /// A word that says nothing of a map; no box.
    pub(super) fn read(words: &str) -> Result<Self, String> {
        let mut it = Self { of_box: vec![], swizzled_bytes: 0, extents: None };
        for word in words.split(',').skip(1) {
            match word.split_once('=').unwrap_or((word, "")) {
                ("box", text) => {
                    it.of_box = extents(text).map_err(|_| "write box=64x64".to_owned())?;
                }
                ("swizzle", text) => {
                    it.swizzled_bytes = text.parse().map_err(|_| "write swizzle=128".to_owned())?;
                }
                ("extents", text) => it.extents = Some(extents(text)?),
                _ => {
                    return Err(format!(
                        "`{word}` says nothing of a tensor map: box=64x64, swizzle=32, 64 or 128 (bytes), \
                         extents=512x512"
                    ));
                }
            }
        }
        match it.of_box.is_empty() {
            true => Err("a tensor map has a box: tensor,box=64x64:random:f16[512x512]".to_owned()),
            false => Ok(it),
        }
    }

    /// The map of an array at an address, of so many bytes and columns, or of the extents with which it was made.
    ///
    /// # Errors
    /// Extents that are not the array's; what no map can be.
    pub(super) fn map(
        &self,
        address: u64,
        (element, bytes, columns): (Element, usize, usize),
        made: Option<&[u64]>,
    ) -> Result<TensorMap, String> {
        let size = element.bytes() as u64;
        let rows = || {
            let columns = columns.max(1) as u64;
            let rows = bytes as u64 / size / columns;
            if self.of_box.len() == 1 { vec![rows * columns] } else { vec![rows, columns] }
        };
        let extents = self.extents.clone().or_else(|| made.map(<[u64]>::to_vec));
        let mut extents = extents.unwrap_or_else(rows);
        let all = extents.iter().try_fold(size, |all, it| all.checked_mul(*it));
        if all != Some(bytes as u64) {
            return Err(format!(
                "its extents are not those of an array of {bytes} bytes: write extents=512x512"
            ));
        }
        let mut of_box = self.of_box.clone();
        // The axis of neighbours is the last that is written, and a map's first.
        extents.reverse();
        of_box.reverse();
        let kind = (size, element.is_float(), element == Element::Bf16);
        TensorMap::new(address, kind, extents, of_box, self.swizzled_bytes)
    }
}
