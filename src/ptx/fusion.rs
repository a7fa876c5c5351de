//! What machine code does in one instruction, and PTX in several.
//!
//! Volta and its successors have sums of three integers (`IADD3`), logic of three words (`LOP3`), a
//! shift or a product with a sum (`LEA`, `IMAD.WIDE`), and comparisons that are part of a condition
//! (NVIDIA, CUDA Binary Utilities, 'Instruction Set Reference').

use super::instruction::{Class, Form, Instruction, Opcode, Preset};
use super::predication::Labelled;

/// What is known of a virtual register.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    definitions: u32,
    /// What writes it, where nothing else does and nothing decides whether.
    by: Option<Kind>,
    uses: u32,
    /// Of its uses, those in sums, and in logic.
    in_sums: u32,
    in_logic: u32,
    constant: Option<u64>,
    /// What it is part of where it is shifted by a constant: a register's rotation to the left by so many
    /// bits, of which it is what stays on the left.
    part: Option<Rotation>,
    /// Whether the upper half of its 64 bits is 0.
    is_low: bool,
    /// Its instruction is done by others, or does another one.
    is_fused: bool,
    has_joined: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rotation {
    of: u32,
    by: u64,
    is_left: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Of integers of so many bytes.
    Sum(u64),
    Logic(u64),
    Negation,
    /// Of conditions.
    Condition,
    Comparison,
    /// Of two words, with 64 bits.
    Product,
    /// By a constant to the left, and by half a register's bits.
    Shift,
    Half,
    Other,
}

/// Finds what is done by other instructions, or by none.
pub(super) fn fuse(blocks: &mut [Labelled], count: usize, presets: &[(u32, Preset)]) {
    let mut known = vec![Known::default(); count];
    for &(register, preset) in presets {
        if let Preset::Value(value) = preset {
            known[register as usize].constant = Some(value);
        }
    }
    for (it, _) in blocks.iter().flat_map(|it| &it.1) {
        let kind = kind(it, &known);
        let is_low = it.guard.is_none() && is_low(it, &known);
        let part = part(it, &known);
        for &to in &it.to {
            let of = &mut known[to as usize];
            of.is_low = is_low && of.definitions == 0;
            of.definitions += 1;
            of.by = (of.definitions == 1 && it.guard.is_none()).then_some(kind);
            of.part = of.by.and(part);
        }
        for from in it.reads() {
            let of = &mut known[from as usize];
            of.uses += 1;
            of.in_sums += u32::from(matches!(kind, Kind::Sum(_)));
            of.in_logic += u32::from(matches!(kind, Kind::Logic(_) | Kind::Condition));
        }
    }
    for of in &mut known {
        of.is_fused = match of.by {
            Some(Kind::Product | Kind::Shift) => of.uses == of.in_sums,
            Some(Kind::Negation) => of.uses == of.in_logic,
            Some(Kind::Half) => true,
            _ => false,
        };
    }
    for (it, _) in blocks.iter().flat_map(|it| &it.1) {
        match rotation(it, &known) {
            Some(_) => it.from.iter().for_each(|it| known[*it as usize].is_fused = true),
            None => join(it, &mut known),
        }
    }
    for (it, _) in blocks.iter_mut().flat_map(|it| &mut it.1) {
        let of = |register: &u32| known[*register as usize];
        let is_product = |it: &Known| it.is_fused && it.by == Some(Kind::Product);
        let has_product = || it.from.iter().any(|it| is_product(&of(it)));
        it.form = match kind(it, &known) {
            _ if it.to.first().is_some_and(|it| of(it).is_fused) => Form::Fused,
            // Registers have other names, but for constants.
            _ if it.opcode == Opcode::Mov && it.from.iter().all(|it| of(it).constant.is_none()) => {
                Form::Fused
            }
            // The halves change places, in name.
            _ if rotation(it, &known) == Some(32) => Form::Fused,
            Kind::Sum(8) if has_product() => Form::WithProduct,
            _ => match halves(it, &known) {
                Some(0) => Form::Fused,
                Some(1) => Form::Half,
                _ => Form::Own,
            },
        };
    }
}

/// An instruction does one of those whose results it alone reads, or a comparison does its condition.
fn join(it: &Instruction, known: &mut [Known]) {
    let (&[to], kind) = (&it.to[..], kind(it, known)) else { return };
    for &register in &it.from {
        let of = known[register as usize];
        if of.uses > 1 || of.is_fused || known[to as usize].has_joined {
            continue;
        }
        let others = match (kind, of.by) {
            (Kind::Sum(4), Some(Kind::Sum(4))) => !of.has_joined,
            (Kind::Logic(bytes), Some(Kind::Logic(other))) => bytes == other && !of.has_joined,
            (Kind::Condition, Some(Kind::Comparison)) => {
                known[to as usize].is_fused = true;
                return;
            }
            _ => false,
        };
        known[register as usize].is_fused |= others;
        known[to as usize].has_joined |= others;
    }
}

fn kind(it: &Instruction, known: &[Known]) -> Kind {
    let constant = |place: usize| it.from.get(place).and_then(|it| known[*it as usize].constant);
    let is_wide = it.ty.bytes == 8;
    match it.opcode {
        _ if it.ty.is_float() => match it.opcode {
            Opcode::Setp(_) => Kind::Comparison,
            _ => Kind::Other,
        },
        Opcode::Not => Kind::Negation,
        Opcode::And if is_wide && constant(1) == Some(u64::from(u32::MAX)) => Kind::Half,
        Opcode::And | Opcode::Or | Opcode::Xor => match it.ty.class {
            Class::Predicate => Kind::Condition,
            _ => Kind::Logic(it.ty.bytes),
        },
        Opcode::Add | Opcode::Sub => Kind::Sum(it.ty.bytes),
        Opcode::Setp(_) => Kind::Comparison,
        Opcode::MulWide => Kind::Product,
        Opcode::Shl | Opcode::Shr if is_wide && constant(1) == Some(32) => Kind::Half,
        Opcode::Shl if constant(1).is_some() => Kind::Shift,
        _ => Kind::Other,
    }
}

/// What of a rotation of 64 bits a shift makes.
fn part(it: &Instruction, known: &[Known]) -> Option<Rotation> {
    let &[of, by] = &it.from[..] else { return None };
    let by = known[by as usize].constant.filter(|by| it.ty.bytes == 8 && (1..64).contains(by))?;
    match it.opcode {
        Opcode::Shl => Some(Rotation { of, by, is_left: true }),
        Opcode::Shr if !it.ty.is_signed() => Some(Rotation { of, by: 64 - by, is_left: false }),
        _ => None,
    }
}

/// By how many bits it rotates: what two shifts leave of a register, put together, which nobody else
/// reads. (`SHF` makes a half of it.)
fn rotation(it: &Instruction, known: &[Known]) -> Option<u64> {
    let (&[one, other], Opcode::Add | Opcode::Or | Opcode::Xor) = (&it.from[..], it.opcode) else {
        return None;
    };
    let [one, other] = [one, other].map(|it| known[it as usize]);
    let whole = Rotation { is_left: !other.part?.is_left, ..other.part? };
    (one.uses == 1 && other.uses == 1 && one.part == Some(whole)).then_some(whole.by)
}

/// Whether its result has an upper half of 0.
fn is_low(it: &Instruction, known: &[Known]) -> bool {
    let is_low = |place: usize| it.from.get(place).is_some_and(|it| has_low(&known[*it as usize]));
    let by = it.from.get(1).and_then(|it| known[*it as usize].constant);
    match it.opcode {
        _ if it.ty.bytes != 8 || it.ty.is_float() => false,
        Opcode::Cvt(from, _) => from.bytes < 8 && !from.is_signed() && !from.is_float(),
        Opcode::MulWide | Opcode::Unpack | Opcode::Pack => false,
        Opcode::And => is_low(0) || is_low(1),
        Opcode::Or | Opcode::Xor | Opcode::Selp => is_low(0) && is_low(1),
        Opcode::Shr => is_low(0) || !it.ty.is_signed() && by.is_some_and(|by| by >= 32),
        _ => false,
    }
}

fn has_low(known: &Known) -> bool {
    known.is_low || known.constant.is_some_and(|it| it <= u64::from(u32::MAX))
}

/// Instructions of 32 bits that one of 64 bits takes, but for the usual two: halves that are shifted
/// out, that a constant keeps as they are, or that are 0 need none.
fn halves(it: &Instruction, known: &[Known]) -> Option<usize> {
    let of = |place: usize| it.from.get(place).map(|it| known[*it as usize]);
    let constant = |place: usize| of(place).and_then(|it| it.constant);
    let halves = |constant: u64| [constant as u32, (constant >> 32) as u32];
    match it.opcode {
        _ if it.ty.bytes != 8 || it.ty.is_float() => None,
        Opcode::And | Opcode::Or | Opcode::Xor => {
            let Some(constant) = constant(1).or(constant(0)) else {
                return is_low(it, known).then_some(1);
            };
            let is_kept = |half: u32| match it.opcode {
                Opcode::Xor => half == 0,
                _ => half == 0 || half == u32::MAX,
            };
            Some(halves(constant).into_iter().filter(|it| !is_kept(*it)).count())
        }
        Opcode::Shl => constant(1).filter(|by| *by >= 32).map(|_| 1),
        Opcode::Shr => {
            let (by, is_signed) = (constant(1)?, it.ty.is_signed());
            let is_half =
                by >= 32 && !is_signed || by == 63 || of(0).is_some_and(|it| has_low(&it));
            is_half.then_some(1)
        }
        Opcode::Selp => match (constant(0), constant(1)) {
            (Some(one), Some(other)) if one >> 32 == other >> 32 => Some(1),
            _ => is_low(it, known).then_some(1),
        },
        _ => None,
    }
}
