//! What the disassembler writes: the entry of the table, filled with the bits of a word.

use super::EncodedInstruction;
use super::modifiers::name_of_warp;
#[cfg(test)]
use super::table::entries;
use super::table::{Entry, UNKNOWN, entry};
use crate::opcode::HalfParts;
use crate::operand::{Operand, OperandSource, RZ, TRUE, UNIFORM, UNIFORM_CONDITIONS, UNIFORM_ZERO};

/// How a number of 32 bits among the operands is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberKind {
    Bits,
    Signed,
    Float,
    /// The upper word of 64 bits.
    Double,
    Halves,
}

/// The bits that say that a register will be read again, by the place of the operand.
const REUSE: [u32; 3] = [122, 123, 124];

pub(super) fn hexadecimal(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{:#x}", value.unsigned_abs())
}

/// As C prints a number by `%.20g`, from a milliard on by `%.20e`, with names for infinities.
fn decimal(value: f64) -> String {
    const DIGITS: i32 = 20;
    let sign = if value.is_sign_negative() { '-' } else { '+' };
    if value.is_infinite() {
        return format!("{sign}INF ");
    }
    if value == 0.0 {
        return if sign == '-' { "-0.0 ".to_owned() } else { "0".to_owned() };
    }
    if value.abs() >= 1e9 {
        let scientific = format!("{value:.*e}", DIGITS as usize);
        let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        return format!("{digits}e+{exponent:0>2}");
    }
    let scientific = format!("{value:.*e}", DIGITS as usize - 1);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let without_zeros = |text: &str| text.trim_end_matches('0').trim_end_matches('.').to_owned();
    if exponent < -4 {
        return format!("{}e-{:02}", without_zeros(digits), -exponent);
    }
    let fixed = format!("{value:.*}", (DIGITS - 1 - exponent) as usize);
    if fixed.contains('.') { without_zeros(&fixed) } else { fixed }
}

fn no_number(is_negative: bool, is_quiet: bool) -> String {
    let sign = if is_negative { '-' } else { '+' };
    format!("{sign}{}NAN ", if is_quiet { 'Q' } else { 'S' })
}

fn number(bits: u32, kind: NumberKind) -> String {
    match kind {
        NumberKind::Bits => hexadecimal(bits.into()),
        NumberKind::Signed => hexadecimal(bits.cast_signed().into()),
        NumberKind::Float => {
            let it = f32::from_bits(bits);
            if it.is_nan() {
                no_number(it.is_sign_negative(), bits >> 22 & 1 == 1)
            } else {
                decimal(it.into())
            }
        }
        NumberKind::Double => {
            let it = f64::from_bits(u64::from(bits) << 32);
            if it.is_nan() {
                no_number(it.is_sign_negative(), bits >> 19 & 1 == 1)
            } else {
                decimal(it)
            }
        }
        NumberKind::Halves => {
            let half = |bits: u32| {
                let it = crate::half_value(bits as u16);
                if it.is_nan() {
                    no_number(bits >> 15 == 1, bits >> 9 & 1 == 1)
                } else {
                    decimal(it)
                }
            };
            format!("{}, {}", half(bits >> 16), half(bits & 0xffff))
        }
    }
}

/// The name of a register or a condition.
pub(super) fn register_name(register: u16) -> String {
    match register {
        RZ => "RZ".to_owned(),
        it if it < RZ => format!("R{it}"),
        TRUE => "PT".to_owned(),
        it if it < TRUE => format!("P{}", it + 7 - TRUE),
        UNIFORM_ZERO => "URZ".to_owned(),
        it if it < UNIFORM_ZERO => format!("UR{}", it - UNIFORM),
        it if it - UNIFORM_CONDITIONS == 7 => "UPT".to_owned(),
        it => format!("UP{}", it - UNIFORM_CONDITIONS),
    }
}

impl EncodedInstruction {
    /// Its text, if the table has it.
    fn text(self) -> Option<String> {
        let entry = entry(self.field(0, 9)).filter(|it| it.operands != UNKNOWN)?;
        let mut text = self.guard_text();
        text += &self.mnemonic_text(entry);
        let mut is_first = true;
        for token in entry.operands.split_whitespace() {
            if let Some(operand) = self.operand_text(token) {
                text += match (is_first, operand.starts_with(' ')) {
                    (true, false) => " ",
                    (_, true) => "",
                    _ => ", ",
                };
                text += &operand;
                is_first = false;
            }
        }
        Some(text.trim_end().to_owned())
    }

    fn guard_text(self) -> String {
        let guard = self.guard();
        let negated = if guard.is_negated { "!" } else { "" };
        match (guard.register == TRUE || guard.register == UNIFORM_CONDITIONS + 7, negated) {
            (true, "") => String::new(),
            _ => format!("@{negated}{} ", register_name(guard.register)),
        }
    }

    /// Its name with all modifiers.
    pub(super) fn mnemonic_text(self, entry: &Entry) -> String {
        let mut words = entry.name.split(' ');
        let mut text = match (words.next().unwrap_or_default(), self.form()) {
            // Of a cluster.
            ("ERRBAR", 2) => "CGAERRBAR".to_owned(),
            (name, _) => name_of_warp(self.field(0, 9), name),
        };
        for word in words {
            text += &self.modifier(word).unwrap_or_default();
        }
        text
    }

    pub(super) fn condition_text(self, first: u32, is_uniform: bool) -> String {
        register_name(self.condition_to(first, is_uniform))
    }

    /// A condition that is read, by its place; `None` if it always holds.
    pub(super) fn read_condition(self, first: u32, is_uniform: bool) -> (String, bool) {
        let it = self.condition(first, first + 3, is_uniform);
        let is_plain = !it.is_negated && self.field(first, 3) == 7;
        (
            format!("{}{}", if it.is_negated { "!" } else { "" }, register_name(it.register)),
            is_plain,
        )
    }

    /// An operand of the table; `None` where nothing is printed.
    pub(super) fn operand_text(self, token: &str) -> Option<String> {
        let is_uniform = self.is_of_warp();
        if let Some((bit, rest)) = token.split_once('?').filter(|it| !it.0.is_empty()) {
            let is_wanted = bit.parse().is_ok_and(|it| self.bit(it));
            return if is_wanted { self.operand_text(rest) } else { None };
        }
        let digits = |text: &str| text.parse::<u32>().ok();
        if let Some(rest) = token.strip_prefix("?p")
            && let Some(first) = digits(rest)
        {
            return (self.field(first, 3) != 7).then(|| self.condition_text(first, is_uniform));
        }
        if let Some(rest) = token.strip_prefix("?q")
            && let Some(first) = digits(rest)
        {
            let (text, is_plain) = self.read_condition(first, is_uniform);
            return (!is_plain).then_some(text);
        }
        match token.split_at(1) {
            ("p", rest) if digits(rest).is_some() => {
                return Some(self.condition_text(digits(rest)?, is_uniform));
            }
            ("q", rest) if digits(rest).is_some() => {
                return Some(self.read_condition(digits(rest)?, self.reads_of_warp()).0);
            }
            ("n", rest) if rest.starts_with(|it: char| it.is_ascii_digit()) => {
                let (first, bits) = rest.split_once('.')?;
                return Some(hexadecimal(self.field(digits(first)?, digits(bits)?) as i64));
            }
            ("r", rest) if digits(rest).is_some() => {
                let (name, first) = (register_name(self.register(digits(rest)?)), digits(rest)?);
                // The first, second and third operand.
                let again = [24, 32, 64]
                    .iter()
                    .position(|it| *it == first)
                    .is_some_and(|it| self.bit(REUSE[it]));
                return Some(if again { name + ".reuse" } else { name });
            }
            _ => {}
        }
        if let Some(first) = token.strip_prefix("ur").and_then(digits) {
            return Some(register_name(self.uniform_text(first)));
        }
        self.source_text(token)
            .or_else(|| self.group_operand(token))
            .or_else(|| self.special_operand(token))
    }

    /// A register of the warp: six bits, beside which others may stand.
    pub(super) fn uniform_text(self, first: u32) -> u16 {
        UNIFORM + self.field(first, 6) as u16
    }

    /// One of the three operands of arithmetic: `a`, with `-` or `~` for what may be negated, `|` for what
    /// may be absolute, too, and after a colon how a number is meant.
    fn source_text(self, token: &str) -> Option<String> {
        let (operand, kind) = token.split_once(':').unwrap_or((token, "u"));
        let (operand, suffix) = match operand.split_once('.') {
            Some((operand, suffix)) => (operand, Some(suffix)),
            None => (operand, None),
        };
        let it = self.source(operand)?;
        let at = match operand.trim_matches(['-', '~', '|']) {
            "a" => 0,
            "c" => 2,
            _ => 1,
        };
        let kind = match kind {
            "s" => NumberKind::Signed,
            "f" => NumberKind::Float,
            "d" => NumberKind::Double,
            // An f32 or f64, as its size says.
            "w" if self.field(84, 2) == 3 => NumberKind::Double,
            "w" => NumberKind::Float,
            _ => NumberKind::Bits,
        };
        let inverts = operand.starts_with('~') && self.bit(74);
        let text = self.signed_text(it, at, kind, if inverts { "~" } else { "-" });
        Some(match suffix {
            Some("rows") => text + if self.bit(73) { ".COL" } else { ".ROW" },
            Some("columns") => text + if self.bit(74) { ".COL" } else { ".ROW" },
            Some("upper") => text + if self.bit(88) { ".H1" } else { "" },
            Some("byte") => text + ["", ".B1", ".B2", ".B3"][self.field(76, 2) as usize],
            Some("part") => text + ["", ".B1", ".B2", ".B3"][self.field(60, 2) as usize],
            _ => text,
        })
    }

    /// An operand with its signs, and whether it will be read again.
    fn signed_text(self, it: Operand, at: usize, kind: NumberKind, sign: &str) -> String {
        let bare = match it.source {
            OperandSource::Register(it) => register_name(it),
            OperandSource::Number(bits) => number(bits, kind),
            OperandSource::Constant(bank, place) => format!("c[{bank:#x}][{place:#x}]"),
        };
        let is_register = matches!(it.source, OperandSource::Register(_));
        let bare = if it.is_absolute { format!("|{bare}|") } else { bare };
        let sign = if it.is_negated { sign } else { "" };
        // A sum's second operand is the third of a product and sum.
        let is_last = at == 1 && matches!(self.field(0, 9), 0x021 | 0x030);
        let is_again = self.bit(REUSE[at]) || is_last && self.bit(REUSE[2]);
        let reuse = if is_register && is_again { ".reuse" } else { "" };
        format!("{sign}{bare}{reuse}")
    }

    /// Operands of halves: which of them, and their signs.
    pub(super) fn half_text(self, at: usize) -> String {
        let (it, parts) = self.half_operand(at);
        let part = match parts {
            HalfParts::Both => "",
            HalfParts::Single => ".INVALID1",
            HalfParts::Lower => ".H0_H0",
            HalfParts::Upper => ".H1_H1",
        };
        let text = self.signed_text(it, at, NumberKind::Halves, "-");
        text + part
    }
}

/// A word of machine code as NVIDIA's disassembler writes it; `None` if the table has no entry for it.
pub(crate) fn text(bits: u128, place: u64) -> Option<String> {
    EncodedInstruction { bits, place }.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What nvdisasm 13.1 writes of words that nvcc made of public and own kernels: place, word, text.
    const SAMPLES: &str = include_str!("samples.tsv");

    #[test]
    fn text_equals_what_the_disassembler_writes() {
        for line in SAMPLES.lines() {
            let mut parts = line.split('\t');
            let mut next = || parts.next().unwrap_or_default();
            let [place, word, expected] = [next(), next(), next()];
            let place = u64::from_str_radix(place, 16).expect("a place");
            let word = u128::from_str_radix(word, 16).expect("a word");
            assert_eq!(text(word, place / 16).as_deref(), Some(expected), "{word:#034x}");
        }
    }

    #[test]
    fn any_word_has_a_text_or_none() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835_u128;
        for _ in 0..200_000 {
            bits ^= bits << 57;
            bits ^= bits >> 49;
            bits ^= bits << 23;
            let place = bits as u64;
            assert!(text(bits, place).is_none_or(|it| !it.is_empty()));
            let _ = crate::decode::decode(bits, place >> 32);
        }
    }

    /// A word of the table that means nothing would leave its modifier or operand out.
    #[test]
    fn words_of_the_table_have_a_meaning() {
        // All fields of a word of ones are there, but for what is printed where it is not this value.
        for entry in entries() {
            let word = EncodedInstruction { bits: entry.number.into(), place: 0 };
            for name in entry.name.split(' ').skip(1) {
                assert!(word.modifier(name).is_some(), "{}: {name}", entry.name);
            }
        }
    }

    /// What the warp does once is done under the warp's conditions; but a vote of threads under theirs.
    #[test]
    fn guards_are_those_that_the_disassembler_prints() {
        for (word, expected) in [
            (0x000e220000008800_00000000000689c3, UNIFORM_CONDITIONS),
            (0x0001e40008000204_0000000a060003ba, UNIFORM_CONDITIONS),
            (0x000fca0000000000_00000000003f0886, crate::operand::CONDITIONS),
        ] {
            assert_eq!(crate::decode::decode(word, 0).guard.register, expected, "{word:#034x}");
        }
    }
}
