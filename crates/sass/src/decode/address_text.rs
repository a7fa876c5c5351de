//! Places in memory, as the disassembler writes them.

use super::EncodedInstruction;
use super::text::{hexadecimal, register_name};
use crate::operand::RZ;

impl EncodedInstruction {
    /// Places in memory.
    pub(super) fn address_operand(self, token: &str) -> Option<String> {
        let offset = self.signed_offset().into();
        let register = (self.field(24, 8) != 255).then(|| register_name(self.register(24)));
        let is_whole = self.bit(72);
        let also = |first: u32| self.bit(91).then(|| register_name(self.uniform_text(first)));
        Some(match token {
            "global" => {
                let is_load = matches!(self.field(0, 9), 0x180 | 0x181 | 0x1aa);
                let at = if is_load { 32 } else { 64 };
                let is_access = matches!(self.field(0, 9), 0x180 | 0x181 | 0x185 | 0x186);
                // By a descriptor, or from what a register of the warp says.
                let of_warp = also(at).filter(|_| !matches!(self.field(0, 9), 0x18b | 0x1a9));
                let wide = if is_whole && of_warp.is_some() { ".64" } else { "" };
                let base = Some(format!("{}{wide}", register_name(self.register(24))));
                match of_warp {
                    Some(it) if !is_access || self.bit(76) => {
                        format!("desc[{it}]{}", place(&[base], offset))
                    }
                    of_warp => place(&[base, of_warp], offset),
                }
            }
            "shared" => {
                let is_load = matches!(self.field(0, 9), 0x184 | 0x03b);
                let is_scaled = matches!(self.field(0, 9), 0x184 | 0x188 | 0x18c | 0x18d);
                let scale = ["", ".X4", ".X8", ".X16"]
                    [if is_scaled { self.field(78, 2) as usize } else { 0 }];
                let register = match scale {
                    "" => register,
                    _ => Some(format!("{}{scale}", register_name(self.register(24)))),
                };
                place(&[register, also(if is_load { 32 } else { 64 })], offset)
            }
            "local" => place(&[register], offset),
            "exchanged" => place(&[Some(register_name(self.uniform_text(24)))], offset),
            "copied" => {
                place(&[Some(register_name(self.register(16)))], self.offsets_of_copy()[0].into())
            }
            "global-source" => {
                let offset = self.offsets_of_copy()[1].into();
                let base = Some(format!("{}.64", register_name(self.register(24))));
                let of_warp = register_name(self.uniform_text(64));
                match self.bit(76) {
                    true => format!("desc[{of_warp}]{}", place(&[base], offset)),
                    false => place(&[base, Some(of_warp)], offset),
                }
            }
            "constant" => {
                let bank = hexadecimal(self.field(54, 5) as i64);
                let index = match (self.field(0, 9) == 0x182, self.bit(91)) {
                    (true, _) => register,
                    (false, true) => Some(register_name(self.uniform_text(24))),
                    (false, false) => None,
                };
                let at = self.field(38, 16);
                match index {
                    Some(_) => format!("c[{bank}]{}", place(&[index], (at as i64) << 48 >> 48)),
                    None if at == 0 && self.field(0, 9) == 0x182 => format!("c[{bank}][RZ]"),
                    None => format!("c[{bank}][{at:#x}]"),
                }
            }
            _ => return None,
        })
    }
}

/// Registers and a number, added in brackets.
fn place(registers: &[Option<String>], offset: i64) -> String {
    let mut parts: Vec<String> = registers.iter().flatten().cloned().collect();
    match (parts.is_empty(), offset) {
        (true, 0) => parts.push(register_name(RZ)),
        (false, 0) => {}
        _ => parts.push(hexadecimal(offset)),
    }
    format!("[{}]", parts.join("+"))
}
