//! Textures and surfaces: arrays of texels that are looked up by coordinates.
//!
//! How a lookup rounds was read off an H200: coordinates between 0 and 1 have 21 bits behind the point, weights
//! 8 bits, and each weight is split in two whole ones by the next coordinate.

use super::texel::{Texel, UNIT};

/// Which texels a lookup between them takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextureFilter {
    /// The nearest.
    #[default]
    Point,
    /// The mean of those beside, by their distance.
    Linear,
}

/// What stands beyond the edge.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum TextureEdge {
    /// The texel at the edge.
    #[default]
    Clamp,
    /// This number.
    Border(f32),
    /// It begins again.
    Wrap,
    /// It goes back.
    Mirror,
}

/// A texture or a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// The number of its array in global memory.
    pub array: usize,
    /// Of one channel.
    pub texel: Texel,
    /// 1, 2 or 4.
    pub channels: u8,
    /// Texels along x, y and z; of what is layered the last are layers.
    pub extents: [u32; 3],
    /// How many of the extents it has.
    pub rank: u8,
    /// Whether it has layers, between which nothing is filtered.
    pub is_layered: bool,
    /// Which texels are taken.
    pub filter: TextureFilter,
    /// What stands beyond the edge.
    pub edge: TextureEdge,
    /// Whether coordinates go from 0 to 1.
    pub is_normalized: bool,
    /// Whether integers stand for numbers from 0 to 1, or from −1 to 1.
    pub is_fraction: bool,
}

impl Texture {
    fn texel_bytes(&self) -> usize {
        self.texel.bytes() * usize::from(self.channels)
    }

    /// Bytes of all.
    pub fn bytes(&self) -> usize {
        self.extents.iter().map(|it| *it as usize).product::<usize>() * self.texel_bytes()
    }

    /// Where a texel begins.
    pub(super) fn place(&self, [x, y, z]: [u32; 3]) -> usize {
        let [width, height, _] = self.extents.map(|it| it as usize);
        ((z as usize * height + y as usize) * width + x as usize) * self.texel_bytes()
    }

    /// Which texel stands at a place along an axis; none at a border.
    fn inside(&self, at: i64, axis: usize) -> Option<u32> {
        let count = i64::from(self.extents[axis]);
        let found = match self.edge {
            TextureEdge::Clamp => at.clamp(0, count - 1),
            TextureEdge::Border(_) if (0..count).contains(&at) => at,
            TextureEdge::Border(_) => return None,
            TextureEdge::Wrap => at.rem_euclid(count),
            TextureEdge::Mirror => {
                let twice = at.rem_euclid(2 * count);
                twice.min(2 * count - 1 - twice)
            }
        };
        Some(found as u32)
    }

    /// A channel of a texel.
    fn number(&self, bytes: &[u8], at: Option<[u32; 3]>, channel: usize) -> f64 {
        let size = self.texel.bytes();
        let Some(at) = at else {
            return if let TextureEdge::Border(it) = self.edge { it.into() } else { 0.0 };
        };
        let texel = bytes.get(self.place(at) + channel * size..).and_then(|it| it.get(..size));
        texel.map_or(0.0, |it| self.texel.number(it))
    }

    /// How a lookup gives a number.
    fn word(&self, number: f64) -> u32 {
        match self.texel {
            Texel::Single | Texel::Half => (number as f32).to_bits(),
            of if self.is_fraction => ((number / of.most()).max(-1.0) as f32).to_bits(),
            _ => (number as i64) as u32,
        }
    }

    /// A place along an axis in texels.
    fn along(&self, coordinate: f32, axis: usize) -> f64 {
        const STEPS: f64 = (1 << 21) as f64;
        let at = f64::from(coordinate);
        match self.is_normalized {
            true => (at * STEPS).floor() / STEPS * f64::from(self.extents[axis]),
            false => at,
        }
    }

    /// All channels at coordinates, of which there are as many as `axes`, in a layer.
    pub(super) fn sample(
        &self,
        bytes: &[u8],
        coordinates: [f32; 3],
        axes: usize,
        layer: u32,
    ) -> [u32; 4] {
        let places = [0, 1, 2].map(|axis| self.along(coordinates[axis], axis));
        let layer = layer.min(self.extents[usize::from(self.rank) - 1] - 1);
        let texel = |at: [i64; 3]| {
            let mut all = [0; 3];
            for axis in 0..axes {
                all[axis] = self.inside(at[axis], axis)?;
            }
            if self.is_layered {
                all[axes] = layer;
            }
            Some(all)
        };
        let channels = usize::from(self.channels);
        let mut words = [0; 4];
        if self.filter == TextureFilter::Point {
            let at = texel(places.map(|it| it.floor() as i64));
            for (channel, to) in words.iter_mut().enumerate().take(channels) {
                *to = self.word(self.number(bytes, at, channel));
            }
            return words;
        }
        let fixed = [0, 1, 2].map(|axis| {
            let at = beyond_first_texel(places[axis]);
            // Beyond the edge nothing is split.
            let last = (i64::from(self.extents[axis]) - 1) * UNIT;
            if self.edge == TextureEdge::Clamp { at.clamp(0, last) } else { at }
        });
        let (first, weights) = (fixed.map(|it| it >> 8), weights(fixed.map(|it| it & 255), axes));
        for (channel, to) in words.iter_mut().enumerate().take(channels) {
            let corner = |(number, weight): (usize, &i64)| {
                let at = [0, 1, 2].map(|axis| first[axis] + (number >> axis & 1) as i64);
                *weight as f64 * self.texel.filtered(self.number(bytes, texel(at), channel))
            };
            *to = self.texel.mean(weights.iter().enumerate().take(1 << axes).map(corner).sum());
        }
        words
    }

    /// A channel of the four texels around a place, from the lower left one against the clock's hand.
    pub(super) fn gather(&self, bytes: &[u8], [x, y]: [f32; 2], channel: usize) -> [u32; 4] {
        let first =
            [(x, 0), (y, 1)].map(|(at, axis)| beyond_first_texel(self.along(at, axis)) >> 8);
        [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(x, y)| {
            let at = [self.inside(first[0] + x, 0), self.inside(first[1] + y, 1)];
            let at = at[0].zip(at[1]).map(|(x, y)| [x, y, 0]);
            self.word(self.number(bytes, at, channel))
        })
    }

    /// A texel by its number.
    pub(super) fn fetch(&self, bytes: &[u8], x: u32) -> [u32; 4] {
        let at = (x < self.extents[0]).then_some([x, 0, 0]);
        [0, 1, 2, 3].map(|channel| match channel < usize::from(self.channels) {
            true => self.word(self.number(bytes, at, channel)),
            false => 0,
        })
    }
}

/// How far a place lies beyond the middle of the first texel, in 256ths of a texel.
fn beyond_first_texel(place: f64) -> i64 {
    ((place - 0.5) * UNIT as f64 + 0.5).floor() as i64
}

/// Of the corners of a cell, of which bit `axis` of the number says which side, from fractions of 256.
fn weights(fractions: [i64; 3], axes: usize) -> [i64; 8] {
    let mut all = [0; 8];
    all[0] = UNIT;
    // z is first, then x, then y.
    let mut split = |axis: usize, known: &[usize]| {
        for &at in known {
            // A half goes to the corner that lies where x does.
            let half = if axis == 1 && at & 1 == 0 { UNIT / 2 - 1 } else { UNIT / 2 };
            let part = (all[at] * fractions[axis] + half) / UNIT;
            all[at] -= part;
            all[at | 1 << axis] = part;
        }
    };
    match axes {
        1 => split(0, &[0]),
        2 => {
            split(0, &[0]);
            split(1, &[0, 1]);
        }
        _ => {
            split(2, &[0]);
            split(0, &[0, 4]);
            split(1, &[0, 1, 4, 5]);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(texel: Texel, extents: [u32; 3], filter: TextureFilter) -> Texture {
        let rank = extents.iter().filter(|it| **it > 1).count() as u8;
        Texture {
            array: 0,
            texel,
            channels: 1,
            extents,
            rank,
            is_layered: false,
            filter,
            edge: TextureEdge::Clamp,
            is_normalized: false,
            is_fraction: true,
        }
    }

    /// Texels of a cell, where it is looked up, and what an H200 gives there.
    #[test]
    fn lookups_between_texels_are_those_of_a_device() {
        let planes: [([f32; 4], [f32; 3], u32); 4] = [
            (
                [-0.6795279, -0.6115506, -0.24375652, 0.43717048],
                [0.70807457, 1.1358213, 0.0],
                0xbe9cf87c,
            ),
            (
                [0.86852354, -0.6472854, 0.678731, -0.29307336],
                [1.2462983, 0.770_042_9, 0.0],
                0xbe521da1,
            ),
            (
                [0.09170751, 0.62326497, -0.7767901, -0.8694718],
                [0.607_421_9, 1.1308594, 0.0],
                0xbee324f5,
            ),
            (
                [-0.016754009, -0.59665364, -0.3148127, -0.93303907],
                [0.921_899_8, 0.70274734, 0.0],
                0xbea68557,
            ),
        ];
        let of = texture(Texel::Single, [2, 2, 1], TextureFilter::Linear);
        for (texels, at, expected) in planes {
            let bytes: Vec<u8> = texels.iter().flat_map(|it| it.to_le_bytes()).collect();
            assert_eq!(of.sample(&bytes, at, 2, 0)[0], expected, "{at:?}");
        }
        let cells: [([f32; 8], [f32; 3], u32); 2] = [
            (
                [
                    -0.27454796,
                    0.80727464,
                    0.27562037,
                    0.63592315,
                    -0.6774514,
                    -0.8553963,
                    -0.3350343,
                    0.042995647,
                ],
                [1.1269531, 0.724_609_4, 1.0585938],
                0xbe2912a3,
            ),
            (
                [
                    -0.8441291,
                    -0.072964005,
                    -0.36779836,
                    -0.8562294,
                    -0.555782,
                    0.42652074,
                    -0.13620351,
                    -0.09531107,
                ],
                [1.4571228, 1.2963463, 0.531_754],
                0xbf2a0c02,
            ),
        ];
        let of = texture(Texel::Single, [2, 2, 2], TextureFilter::Linear);
        for (texels, at, expected) in cells {
            let bytes: Vec<u8> = texels.iter().flat_map(|it| it.to_le_bytes()).collect();
            assert_eq!(of.sample(&bytes, at, 3, 0)[0], expected, "{at:?}");
        }
        let of = texture(Texel::Unsigned(1), [2, 2, 1], TextureFilter::Linear);
        for (bytes, at, expected) in [
            ([66, 126, 27, 87], [1.0893784, 0.89965975, 0.0], 0x3eac60ac),
            ([173, 189, 243, 167], [0.64881253, 1.0220222, 0.0], 0x3f4da1ce),
            ([31, 204, 67, 56], [0.834_494_6, 0.794_195_9, 0.0], 0x3ea408a4),
        ] {
            assert_eq!(of.sample(&bytes, at, 2, 0)[0], expected, "{at:?}");
        }
    }

    /// Coordinates a little above a whole texel, which 21 bits put below it.
    #[test]
    fn normalized_coordinates_have_21_bits() {
        let of = texture(Texel::Unsigned(1), [37, 1, 1], TextureFilter::Point);
        let of = Texture { is_normalized: true, is_fraction: false, ..of };
        let bytes: Vec<u8> = (0..37).collect();
        for (at, expected) in
            [(0.189_189_2, 6), (0.054054055, 1), (0.567_567_6, 20), (0.486_486_5, 17), (0.5, 18)]
        {
            assert_eq!(of.sample(&bytes, [at, 0.0, 0.0], 1, 0)[0], expected, "{at}");
        }
        for (edge, expected) in [
            (TextureEdge::Clamp, [0, 36]),
            (TextureEdge::Border(3.0), [3, 3]),
            (TextureEdge::Wrap, [36, 0]),
            (TextureEdge::Mirror, [0, 36]),
        ] {
            let of = Texture { edge, ..of.clone() };
            let beside = [-0.01, 1.01].map(|at| of.sample(&bytes, [at, 0.0, 0.0], 1, 0)[0]);
            assert_eq!(beside, expected, "{edge:?}");
        }
    }
}
