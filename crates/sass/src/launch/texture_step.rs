//! Lookups of textures, and accesses to surfaces.

use super::execution::Running;
use super::image::Image;
use super::memory::GlobalMemory;
use super::observer::LaunchObserver;
use super::texture::Texture;
use super::{Fault, FaultCause};
use crate::instruction::Instruction;
use crate::memory::DeviceMemory;
use crate::opcode::{LookupKind, SurfaceAccess, SurfaceEdge, TextureLookup, TextureShape};

/// The texture that a register of the warp names, if it is of this shape.
fn bound(image: &Image, handle: u32, shape: TextureShape) -> Result<&Texture, String> {
    let words = |axes: u8, is_layered: bool| {
        format!("{axes} coordinates{}", if is_layered { " and a layer" } else { "" })
    };
    let found = image.texture(handle).ok_or_else(|| {
        format!("of {handle:#x}: give it as --arg NAME=texture:random:f32[64x64], or surface:…")
    })?;
    let own = (found.rank - u8::from(found.is_layered), found.is_layered);
    // A texture along x alone is looked up as one of a single row.
    let is_row = own == (1, false) && (shape.axes, shape.is_layered) == (2, false);
    match is_row || own == (shape.axes, shape.is_layered) {
        true => Ok(found),
        false => Err(format!(
            "by {}, where it has {}",
            words(shape.axes, shape.is_layered),
            words(own.0, own.1)
        )),
    }
}

impl<O: LaunchObserver> Running<'_, O> {
    pub(super) fn texture(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        active: u32,
        TextureLookup { kind, mask }: TextureLookup,
    ) -> Result<(), Box<Fault>> {
        let shape = kind.shape();
        let image = self.of.image;
        let failed = |of: &Self, why| of.fault(number, place, None, FaultCause::Texture(why));
        let registers = self.registers(number);
        let handle = registers.word(it.b, 0)[0];
        let coordinates =
            [0, 1, 2, 3].map(|at| registers.word(it.a, at.min(u16::from(it.a.words) - 1)));
        let texture = bound(image, handle, shape).map_err(|why| failed(self, why))?;
        let channels = texture.channels;
        let is_gather = matches!(kind, LookupKind::Gather { .. });
        if !is_gather && u32::from(channels) < u8::BITS - mask.leading_zeros() {
            let why = format!("of 4 channels or 2, where it has {channels}: say channels=4");
            return Err(failed(self, why));
        }
        let Some(array) = self.memory.array(texture.array) else { return Ok(()) };
        let bytes = &array.bytes[..];
        let mut words = [[0; 32]; 4];
        for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
            let at = |place: usize| coordinates[place][lane];
            let first = usize::from(shape.is_layered);
            let place = [0, 1, 2].map(|axis| f32::from_bits(at(first + axis)));
            let found = match kind {
                LookupKind::Fetch => texture.fetch(bytes, at(0)),
                LookupKind::Gather { channel } => {
                    texture.gather(bytes, [place[0], place[1]], channel.into())
                }
                LookupKind::Sample(_) => {
                    texture.sample(bytes, place, shape.axes.into(), at(0) & 0xffff)
                }
            };
            for (to, word) in words.iter_mut().zip(found) {
                to[lane] = word;
            }
        }
        // The first two go to one pair of registers, those after them to another.
        let mut registers = self.registers(number);
        let second = it.second_to();
        for (at, channel) in (0..4).filter(|it| mask >> it & 1 == 1).enumerate() {
            match at {
                0 | 1 => registers.put_word(it.to, at as u16, &words[channel], active),
                _ => registers.put_word(second, at as u16 - 2, &words[channel], active),
            }
        }
        Ok(())
    }

    pub(super) fn surface(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        active: u32,
        of: SurfaceAccess,
    ) -> Result<(), Box<Fault>> {
        let registers = self.registers(number);
        let handle = registers.word(it.b, 0)[0];
        let coordinates =
            [0, 1, 2].map(|at| registers.word(it.a, at.min(u16::from(it.a.words) - 1)));
        let data: Vec<[u32; 32]> =
            (0..u16::from(it.c.words)).map(|at| registers.word(it.c, at)).collect();
        let failed = |of: &Self, why| of.fault(number, place, None, FaultCause::Texture(why));
        let surface = bound(self.of.image, handle, of.shape).map_err(|why| failed(self, why))?;
        let size = usize::from(it.bytes);
        let own = surface.texel.bytes() * usize::from(surface.channels);
        if size != own {
            return Err(failed(self, format!("of {size} bytes, where a texel has {own}")));
        }
        let mut loaded = [[0; 32]; 4];
        for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
            let mut at = [0; 3];
            let mut is_inside = true;
            for axis in 0..usize::from(it.a.words) {
                let given = i64::from(coordinates[axis][lane].cast_signed());
                // Along x in bytes.
                let given = if axis == 0 { given.div_euclid(size as i64) } else { given };
                let last = i64::from(surface.extents[axis]) - 1;
                is_inside &= (0..=last).contains(&given);
                at[axis] = given.clamp(0, last) as u32;
            }
            match of.edge {
                SurfaceEdge::Clamp => {}
                _ if is_inside => {}
                SurfaceEdge::Ignore => continue,
                SurfaceEdge::Trap => {
                    let access = if of.is_store { "store" } else { "load" };
                    let access = format!("a {access} of {size} bytes");
                    let place_in = coordinates.map(|it| it[lane].cast_signed().to_string());
                    let place_in = place_in[..it.a.words.into()].join(", ");
                    let cause = FaultCause::OutOfBounds {
                        access,
                        place: format!("at ({place_in}) beyond the edge of a surface"),
                    };
                    return Err(self.fault(number, place, Some(lane), cause));
                }
            }
            let begin = GlobalMemory::address(surface.array) + surface.place(at) as u64;
            for (word, loaded) in loaded.iter_mut().enumerate().take(size.div_ceil(4)) {
                let (at, bytes) = (begin + 4 * word as u64, size.min(4) as u64);
                match data.get(word) {
                    Some(data) => self.memory.store(at, bytes, data[lane].into()),
                    None => loaded[lane] = DeviceMemory::load(self.memory, at, bytes) as u32,
                }
            }
        }
        if !of.is_store {
            let sign = it.is_signed;
            let mut registers = self.registers(number);
            for word in 0..u16::from(it.words) {
                let lanes = loaded[usize::from(word)].map(|it| match (sign, size) {
                    (true, 1) => i32::from(it as u8 as i8).cast_unsigned(),
                    (true, 2) => i32::from(it as u16 as i16).cast_unsigned(),
                    _ => it,
                });
                registers.put_word(it.to, word, &lanes, active);
            }
        }
        Ok(())
    }
}
