//! Operands that are no register, condition or number alone; places in memory as the disassembler writes them.

use super::EncodedInstruction;
use super::special_registers::special_register_name;
use super::text::{hexadecimal, register_name};
use crate::operand::{Condition, RZ, UNIFORM_TRUE};

impl EncodedInstruction {
    /// Of products of groups of warps, and of packed numbers.
    pub(super) fn group_operand(self, token: &str) -> Option<String> {
        let number = |first, bits| hexadecimal(self.field(first, bits) as i64);
        let uniform = |first| register_name(self.uniform_text(first));
        Some(match token {
            "f2fp-a" => {
                let is_alone = self.bit(89) || self.bit(90) && !self.bit(78);
                return if is_alone { None } else { self.operand_text("|a|:f") };
            }
            "f2fp-c" => return if self.bit(90) { self.operand_text("c") } else { None },
            "group-a" => {
                let sign = if self.bit(72) { "-" } else { "" };
                let name = register_name(self.register(24));
                return (self.form() == 6).then(|| format!("{sign}{name}"));
            }
            "group-places" => {
                let (at, has_a) = if self.form() == 6 { (32, false) } else { (24, true) };
                let signs = [(72, ".negA"), (63, ".negB"), (61, ".tnspA"), (62, ".tnspB")];
                let signs =
                    signs.into_iter().filter(|(at, _)| self.bit(*at) && (has_a || *at != 72));
                format!("gdesc[{}]{}", uniform(at), signs.map(|it| it.1).collect::<String>())
            }
            "group-adds" => {
                let it = self.group_adds();
                let sign = if it.is_negated { "!" } else { "" };
                let is_plain = it == Condition { register: UNIFORM_TRUE, is_negated: false };
                return (!is_plain).then(|| format!("{sign}{}", register_name(it.register)));
            }
            "group-board" => {
                let board = self.field(84, 3);
                return (board != 7).then(|| format!("gsb{board}"));
            }
            "group-left" => format!("gsb0, {}", number(72, 8)),
            _ => return None,
        })
    }

    /// An operand of the table by its word.
    pub(super) fn special_operand(self, token: &str) -> Option<String> {
        let number = |first, bits| hexadecimal(self.field(first, bits) as i64);
        let uniform = |first| register_name(self.uniform_text(first));
        Some(match token {
            "PR" | "URZ" => token.to_owned(),
            // Which bytes are copied, if not all.
            "mask" => {
                let is_part = self.field(72, 4) != 15 && !self.is_of_warp();
                return is_part.then(|| number(72, 4));
            }
            "d" => self.to_text(),
            "up81" => self.condition_text(81, true),
            "d!z" => return self.to_text_if_any(),
            "special" => special_register_name(self.field(72, 8)),
            "ha" => self.half_text(0),
            "hb" => self.half_text(1),
            "hc" => self.half_text(2),
            "lea-upper" => {
                return (self.bit(80) && !self.bit(73)).then(|| self.operand_text("c")).flatten();
            }
            "plop-third" => self.read_condition(68, self.is_of_warp() || self.bit(67)).0,
            "plop-table" => hexadecimal((self.field(64, 3) | self.field(72, 5) << 3) as i64),
            "p-r2ur" => {
                let is_wanted = self.field(81, 3) != 7 || self.bit(84);
                return is_wanted.then(|| self.condition_text(81, false));
            }
            "B16" => format!("B{}", self.field(16, 4)),
            "B24" => format!("B{}", self.field(24, 4)),
            "board" => format!("SB{}", self.field(44, 3)),
            "near" => self.target_text(self.near()),
            "far" => self.far_text(),
            "lepc" => self.target_text(self.near_address()),
            "bra" => self.branch_text(),
            "bar" => self.barrier_text(),
            "b2r" => match self.field(78, 2) {
                0 => number(54, 4),
                1 if self.field(81, 3) != 7 => self.condition_text(81, false),
                _ => return None,
            },
            "boards" => {
                let all: Vec<String> =
                    (0..6).rev().filter(|it| self.bit(32 + it)).map(|it| it.to_string()).collect();
                return (!all.is_empty()).then(|| format!("{{{}}}", all.join(",")));
            }
            "shared-data" => return (self.form() != 7).then(|| register_name(self.register(32))),
            "syncs" => {
                let shared = self.address_operand("shared")?;
                let data = register_name(self.register(32));
                let first = match self.form() {
                    2 => self.condition_text(81, false),
                    _ => self.to_text(),
                };
                format!("{first}, {shared}, {data}")
            }
            "cctl" => {
                let is_of_all = matches!(self.field(87, 4), 4 | 6 | 7 | 8);
                return if is_of_all { None } else { self.address_operand("local") };
            }
            "texture-mask" => return (self.field(72, 4) != 15).then(|| number(72, 4)),
            "number0" => "0x0".to_owned(),
            "generic-data" => register_name(self.register(if self.form() == 1 { 64 } else { 32 })),
            "dimensions" => {
                let words =
                    ["1D", "2D", "3D", "CUBE", "ARRAY_1D", "ARRAY_2D", "INVALID6", "ARRAY_CUBE"];
                words[self.field(61, 3) as usize].to_owned()
            }
            "surface-place" => hexadecimal((self.field(52, 2) << 6) as i64),
            "surface" => format!("[{}]", register_name(self.register(24))),
            "warpsync" => return self.warpsync_text(),
            "match-to" => return (!self.bit(79)).then(|| self.condition_text(81, false)),
            "shuffle-by" => match self.form() {
                1 | 2 => register_name(self.register(32)),
                _ => number(53, 5),
            },
            "shuffle-within" => match self.form() {
                1 | 4 => register_name(self.register(64)),
                _ => number(40, 13),
            },
            "[ur32]" => format!("[{}]", uniform(32)),
            "[ur24]" => format!("[{}]", uniform(24)),
            _ => return self.address_operand(token),
        })
    }

    pub(super) fn to_text(self) -> String {
        register_name(if self.is_of_warp() { self.uniform_text(16) } else { self.register(16) })
    }

    fn to_text_if_any(self) -> Option<String> {
        let text = self.to_text();
        (!matches!(&*text, "RZ" | "URZ")).then_some(text)
    }

    fn target_text(self, words: i64) -> String {
        hexadecimal((self.place.wrapping_add(1) as i64).wrapping_mul(16).wrapping_add(4 * words))
    }

    /// Where a jump goes: at a register's value, and from the next instruction.
    fn far_text(self) -> String {
        let by = self.far();
        let target = self.target_text(by);
        let register = register_name(self.register(24));
        match (self.field(0, 9), self.form()) {
            // Of a whole address.
            (0x143, 1) => register,
            (0x143, _) => hexadecimal((self.field(32, 32) | self.field(64, 16) << 32) as i64),
            (0x144, 1) => format!("{register} {target}"),
            (0x149, _) => format!("{register} {}", hexadecimal(4 * by)),
            (0x150, _) if self.bit(85) => format!("{register} {}", hexadecimal(4 * by)),
            (0x150, _) => format!("{register} {target}"),
            _ => target,
        }
    }

    /// A barrier's number, how many threads come there, and a condition that they bring.
    fn barrier_text(self) -> String {
        let number = |first, bits| hexadecimal(self.field(first, bits) as i64);
        let register = register_name(self.register(32));
        let mut text = match self.form() {
            1 => format!("{register}, {register}"),
            4 => format!("{}, {register}", number(54, 4)),
            _ if self.field(42, 12) != 0 => format!("{}, {}", number(54, 4), number(42, 12)),
            _ => number(54, 4),
        };
        if self.field(77, 3) == 2 {
            text += &format!(", {}", self.read_condition(87, false).0);
        }
        text
    }

    fn branch_text(self) -> String {
        let target = self.far_text();
        let (condition, is_plain) = self.read_condition(87, false);
        match (self.field(32, 2) == 2, is_plain) {
            (true, _) => format!("{}, {target}", register_name(self.uniform_text(24))),
            (_, true) => target,
            _ => format!("{condition}, {target}"),
        }
    }

    fn warpsync_text(self) -> Option<String> {
        let register = (self.form() == 1).then(|| register_name(self.register(24)));
        let target = self.bit(86).then(|| self.far_text());
        let all: Vec<String> = register.into_iter().chain(target).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}

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
