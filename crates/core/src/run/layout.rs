//! Where arrays lie in the machine's single address space.

pub use super::cell_order::CellOrder;
pub use super::layout_error::LayoutError;
pub use super::region::Region;
use std::cmp::Ordering;

use crate::keyword::{Keyword, keywords};
use crate::language::program::{ArrayId, BlockShape, Expr, ExprKind, Program, ScalarId};
use crate::language::syntax::{BinaryOp, Role, Type, UnaryOp};
use crate::units::{Address, Threads, Width};

/// How the inputs of a bulk run share a region (Tani et al. 2014, Section III).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arrangement {
    /// Cell `a` of input `j` at `base + j·m + a`.
    RowWise,
    /// Cell `a` of input `j` at `base + a·p + j`.
    ColumnWise,
}

keywords! { Arrangement {
    RowWise "row" "Inputs one after another"
    ColumnWise "column" "Cells one after another, all inputs' first"
} }

impl Arrangement {
    /// As the papers write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RowWise => "row-wise",
            Self::ColumnWise => "column-wise",
        }
    }
}

/// By their words, as tables are sorted.
impl Ord for Arrangement {
    fn cmp(&self, other: &Self) -> Ordering {
        self.word().cmp(other.word())
    }
}

impl PartialOrd for Arrangement {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A bulk run: `inputs` copies of every array, in one arrangement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bulk {
    /// p: a thread for each.
    pub inputs: u64,
    /// How the copies interleave.
    pub arrangement: Arrangement,
}

/// What every block of a loop on DMMs takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockSize {
    /// q.
    pub threads: Threads,
    /// Words of the DMM's memory, from address 0 to the end of the last shared array.
    pub shared_words: u64,
    /// Registers of each thread, those of scalars aside.
    pub registers: u64,
}

/// All arrays in the order in which they are declared, each from the next multiple of the width on,
/// row-major unless it has a layout; those of a loop on DMMs in the memory of each DMM, and in registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Values of the program's parameters.
    pub parameters: Vec<i64>,
    /// By array, in the order of declaration.
    pub regions: Vec<Region>,
    /// Words from address 0 to the end of the last array of global memory.
    pub words: u64,
    /// By loop on DMMs.
    pub blocks: Vec<BlockSize>,
    /// Registers of each thread outside of loops on DMMs, those of scalars aside.
    pub registers: u64,
    /// `None` for a run that is none.
    pub bulk: Option<Bulk>,
    /// w of the machine.
    pub width: Width,
}

/// Addresses stay below 2⁶³, so that differences of addresses fit `i64`.
const END: u64 = 1 << 63;

impl Layout {
    /// # Errors
    /// A parameter without a value, an extent below 1, a size beyond the address space.
    pub fn new(
        program: &Program,
        value: impl Fn(&str) -> Option<i64>,
        width: Width,
        bulk: Option<Bulk>,
    ) -> Result<Self, LayoutError> {
        let parameters = program
            .parameters
            .iter()
            .map(|it| {
                let missing = || LayoutError::MissingParameter(it.name.clone());
                match (value(&it.name), it.default) {
                    (Some(value), Some(unfolded)) if program.is_unfolded && value != unfolded => {
                        let parameter = it.name.clone();
                        Err(LayoutError::Unfolded { parameter, unfolded, value })
                    }
                    (value, default) => value.or(default).ok_or_else(missing),
                }
            })
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(it) = program.listing.reals.iter().find(|it| it.value.is_none()) {
            return Err(LayoutError::MissingReal(it.name.text.clone()));
        }
        let copies = bulk.map_or(1, |bulk| bulk.inputs);
        let mut regions = vec![];
        // Puts an array behind `end`; `copies` of it.
        let mut place = |end: &mut u64, copies: u64, align: u64| {
            let array = ArrayId(regions.len());
            let overflow = || LayoutError::Overflow(format!("`{}`", program.arrays[array.0].name));
            let extents = extents(program, array, &parameters)?;
            let order = order(program, array, &parameters)?;
            let region = |words: u64| {
                let base = end.checked_next_multiple_of(align)?;
                let end = base.checked_add(words.checked_mul(copies)?)?;
                (end < END).then_some((base, end, words))
            };
            let (base, after, words) =
                order.words(&extents).and_then(region).ok_or_else(overflow)?;
            let firsts = firsts(program, array, &parameters)?;
            // No more than words.
            let cells = extents.iter().product();
            regions.push(Region { base: Address(base), extents, firsts, cells, words, order });
            *end = after;
            Ok(())
        };
        let mut words = 0;
        for _ in program.global_arrays() {
            place(&mut words, copies, width.get())?;
        }
        let mut blocks = vec![];
        for shape in &program.blocks {
            let threads = threads(program, shape, &parameters)?;
            blocks.push(BlockSize { threads, shared_words: 0, registers: 0 });
        }
        let mut registers = 0;
        for (at, array) in program.arrays.iter().enumerate().skip(program.global_arrays().count()) {
            let block = program.blocks.iter().position(|it| it.arrays.contains(&at));
            match (block, array.role) {
                (Some(block), Role::Register) => place(&mut blocks[block].registers, 1, 1)?,
                (Some(block), _) => place(&mut blocks[block].shared_words, 1, width.get())?,
                (None, _) => place(&mut registers, 1, 1)?,
            }
        }
        Ok(Self { parameters, regions, words, blocks, registers, bulk, width })
    }

    /// Cells of all arrays of global memory, without what lies between them.
    pub fn cells(&self, program: &Program) -> u64 {
        program.global_arrays().zip(&self.regions).map(|(_, region)| region.cells).sum()
    }

    /// The element of an array at an address, as a listing writes it, and of which input of a bulk run;
    /// the array may be local.
    pub fn element(&self, program: &Program, array: ArrayId, address: u64) -> String {
        let (cell, input) = self.cell(array, address);
        let (region, array) = (&self.regions[array.0], &program.arrays[array.0]);
        let input = self.bulk.map_or_else(String::new, |_| format!(" of input {input}"));
        let indices = region.indices(cell);
        format!("{}{input}", array.element_text(&indices))
    }

    /// The address of `cell` of an array, in input `input` of a bulk run.
    #[inline]
    pub fn address(&self, array: ArrayId, cell: u64, input: u64) -> Address {
        let region = &self.regions[array.0];
        let word = region.word(cell);
        Address(
            region.base.0
                + match self.bulk {
                    None => word,
                    Some(Bulk { arrangement: Arrangement::RowWise, .. }) => {
                        input * region.words + word
                    }
                    Some(Bulk { arrangement: Arrangement::ColumnWise, inputs }) => {
                        word * inputs + input
                    }
                },
        )
    }

    /// The cell of an array at an address, and the input of a bulk run that it is of: else 0.
    pub fn cell(&self, array: ArrayId, address: u64) -> (u64, u64) {
        let region = &self.regions[array.0];
        let word = address - region.base.0;
        let (word, input) = match self.bulk {
            None => (word, 0),
            Some(Bulk { arrangement: Arrangement::RowWise, .. }) => {
                (word % region.words, word / region.words)
            }
            Some(Bulk { arrangement: Arrangement::ColumnWise, inputs }) => {
                (word / inputs, word % inputs)
            }
        };
        (region.cell(word), input)
    }
}

/// An array's extents for given parameters.
///
/// # Errors
/// An extent below 1 or beyond `i64`.
pub fn extents(
    program: &Program,
    array: ArrayId,
    parameters: &[i64],
) -> Result<Vec<u64>, LayoutError> {
    let array = &program.arrays[array.0];
    array
        .extents
        .iter()
        .enumerate()
        .map(|(dimension, extent)| {
            let names = || {
                let text = program.extent_text(array, dimension);
                (format!("`{}`", array.name), format!("`{text}`"))
            };
            let value = constant(extent, parameters).ok_or_else(|| {
                let (array, extent) = names();
                LayoutError::NoValue { array, extent }
            })?;
            u64::try_from(value).ok().filter(|&value| value > 0).ok_or_else(|| {
                let (array, extent) = names();
                LayoutError::Extent { array, extent, value }
            })
        })
        .collect()
}

/// In which order an array's cells lie.
fn order(program: &Program, array: ArrayId, parameters: &[i64]) -> Result<CellOrder, LayoutError> {
    let array = &program.arrays[array.0];
    CellOrder::of(array, |it| constant(it, parameters))
        .map_err(|why| LayoutError::Order { array: format!("`{}`", array.name), why })
}

/// What the listing calls the first index of each dimension.
fn firsts(program: &Program, array: ArrayId, parameters: &[i64]) -> Result<Vec<i64>, LayoutError> {
    let array = &program.arrays[array.0];
    let value = |first: &Option<Expr>| match first {
        None => Ok(0),
        Some(first) => constant(first, parameters).ok_or_else(|| LayoutError::NoValue {
            array: format!("`{}`", array.name),
            extent: format!("`{}`", program.source.at(first.span)),
        }),
    };
    array.firsts.iter().map(value).collect()
}

/// The number of threads of a loop's blocks.
fn threads(
    program: &Program,
    shape: &BlockShape,
    parameters: &[i64],
) -> Result<Threads, LayoutError> {
    let value = constant(&shape.threads, parameters);
    let threads = value.and_then(|it| Threads::new(u64::try_from(it).ok()?).ok());
    threads.ok_or_else(|| LayoutError::Threads {
        file: program.source.name.clone(),
        line: program.source.line(shape.threads.span),
        threads: program.source.at(shape.threads.span).to_owned(),
        value: value.map_or("no number of".to_owned(), |it| it.to_string()),
    })
}

/// The value of an integer expression over the parameters; `None` on overflow, division by zero,
/// or anything that is not such an expression.
pub fn constant(expr: &Expr, parameters: &[i64]) -> Option<i64> {
    integer(expr, parameters, &|_| None)
}

/// As [`constant`], of an expression over scalars, too, as far as they are known.
pub fn integer(
    expr: &Expr,
    parameters: &[i64],
    scalars: &dyn Fn(ScalarId) -> Option<i64>,
) -> Option<i64> {
    match &expr.kind {
        ExprKind::Integer(value) => Some(*value),
        ExprKind::Parameter(parameter) => Some(parameters[parameter.0]),
        ExprKind::Scalar(scalar) => scalars(*scalar),
        ExprKind::Unary(op, operand) => {
            let value = integer(operand, parameters, scalars)?;
            match op {
                UnaryOp::Negate => value.checked_neg(),
                UnaryOp::Abs => value.checked_abs(),
                UnaryOp::BitNot => Some(!value),
                UnaryOp::Popcount if operand.element == Type::I64 => {
                    Some(value.count_ones().into())
                }
                UnaryOp::LeadingZeros if operand.element == Type::I64 => {
                    Some(value.leading_zeros().into())
                }
                _ => None,
            }
        }
        ExprKind::Binary(op, left, right) => {
            let left = integer(left, parameters, scalars)?;
            checked(*op, left, integer(right, parameters, scalars)?)
        }
        _ => None,
    }
}

/// An operator on i64 as a run computes it, but `None` where a run would wrap or fail.
pub fn checked(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Divide => floor_divide(left, right),
        BinaryOp::Modulo => floor_modulo(left, right),
        BinaryOp::Min => Some(left.min(right)),
        BinaryOp::Max => Some(left.max(right)),
        BinaryOp::ShiftLeft => {
            let shifted = left.wrapping_shl(right as u32);
            (shifted.wrapping_shr(right as u32) == left).then_some(shifted)
        }
        BinaryOp::ShiftRight => Some(left.wrapping_shr(right as u32)),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::Power => left.checked_pow(u32::try_from(right).ok()?),
        _ => None,
    }
}

/// ⌊left / right⌋; `None` for a zero divisor or overflow.
#[inline]
pub fn floor_divide(left: i64, right: i64) -> Option<i64> {
    let quotient = left.checked_div(right)?;
    let inexact = quotient.wrapping_mul(right) != left;
    Some(quotient - i64::from(inexact && ((left < 0) != (right < 0))))
}

/// left − right·⌊left / right⌋, with the divisor's sign; `None` for a zero divisor.
#[inline]
pub fn floor_modulo(left: i64, right: i64) -> Option<i64> {
    let rest = left.checked_rem(right).or((right == -1).then_some(0))?;
    Some(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
}
