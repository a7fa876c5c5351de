//! Textures and surfaces.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{LookupKind, Opcode, SurfaceAccess, SurfaceEdge, TextureLookup, TextureShape};
use crate::operand::Operand;

impl EncodedInstruction {
    /// What the warp knows a texture by.
    fn texture_handle(self) -> Operand {
        self.in_uniform_of_six(40)
    }

    fn texture_shape(self) -> Option<TextureShape> {
        let axes = match self.field(61, 3) {
            0 | 4 => 1,
            1 | 5 => 2,
            2 => 3,
            _ => return None,
        };
        Some(TextureShape { axes, is_layered: self.bit(63) })
    }

    /// A lookup that gives those words that a mask says.
    pub(super) fn lookup(self, it: Instruction, kind: LookupKind) -> Option<Instruction> {
        let (shape, mask) = (kind.shape(), self.field(72, 4) as u8);
        let count = mask.count_ones() as u8;
        // A condition that it writes is not known, nor a handle that is a number.
        let is_known = self.form() == 7 && !it.writes_conditions() && count > 0;
        let places = shape.axes + u8::from(shape.is_layered);
        let it = Instruction { b: self.texture_handle(), ..it };
        it.wide(count.min(2), [places, 1, count.saturating_sub(2)])
            .does(Opcode::Texture(TextureLookup { kind, mask }))
            .filter(|_| is_known)
    }

    /// At the finest level, which is the only one here.
    pub(super) fn sample(self, it: Instruction) -> Option<Instruction> {
        let is_of_level = matches!(self.field(87, 3), 1 | 3);
        self.lookup(it, LookupKind::Sample(self.texture_shape()?)).filter(|_| is_of_level)
    }

    pub(super) fn fetch(self, it: Instruction) -> Option<Instruction> {
        let is_plain = self.field(87, 3) == 1 && self.field(61, 3) == 0;
        self.lookup(it, LookupKind::Fetch).filter(|_| is_plain)
    }

    pub(super) fn gather(self, it: Instruction) -> Option<Instruction> {
        let channel = self.field(87, 2) as u8;
        self.lookup(it, LookupKind::Gather { channel }).filter(|_| self.field(61, 3) == 1)
    }

    pub(super) fn surface(self, it: Instruction, is_store: bool) -> Option<Instruction> {
        let (axes, is_layered) = match self.field(61, 3) {
            0 => (1, false),
            2 => (1, true),
            3 => (2, false),
            4 => (2, true),
            5 => (3, false),
            _ => return None,
        };
        let edge = match self.field(59, 2) {
            0 => SurfaceEdge::Ignore,
            1 => SurfaceEdge::Clamp,
            2 => SurfaceEdge::Trap,
            _ => return None,
        };
        let shape = TextureShape { axes, is_layered };
        let is_plain = self.bit(72) && self.form() == 7 && self.field(52, 2) == 0;
        let it = self.sized(it)?;
        let places = axes + u8::from(is_layered);
        let c =
            if is_store { self.in_register(32).words(it.words) } else { Operand::NONE.words(0) };
        Instruction { a: self.in_register(24).words(places), b: self.texture_handle(), c, ..it }
            .does(Opcode::Surface(SurfaceAccess { shape, edge, is_store }))
            .filter(|_| is_plain)
    }
}
