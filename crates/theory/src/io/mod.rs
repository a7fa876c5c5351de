//! Words that any order of a listing's operations moves between a fast memory of S words and a slow one
//! (Hong and Kung 1981), for all sizes: from the text of the listing alone.
//!
//! An operation is an execution of an assignment; each is executed once, where everything that it reads
//! is in fast memory. Cut an execution where T words have been moved: what a piece reads and does not
//! make was there, S words at most, or is moved, T at most. So a piece has few operations (`product`,
//! `stencil`), there are many pieces, and all but the last move T words. What is counted as read
//! although it was made in the piece is added as if it had been moved.

mod compulsory;
#[doc(hidden)]
pub mod forms;
mod formula;
mod order;
mod product;
mod statement_sum;
mod statements;
mod stencil;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

pub use self::formula::Root;
use self::product::{ProductBound, product_bound};
use self::statement_sum::sum_of_statements;
use self::statements::operations;
use self::stencil::{StencilBound, stencil_bound};
use crate::derive::domain::{GuardedPolynomial, merged, sum_at_large, value};
use crate::derive::polynomial::{Atom, Polynomial, Size, whole};
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::{Expr, ExprKind, Program};
use memory_machine_core::language::syntax::{BinaryOp, Type};

/// Operations of one statement.
#[derive(Debug, Clone)]
pub struct Share {
    /// The statement.
    pub span: Span,
    /// How many there are, at least.
    pub count: Vec<GuardedPolynomial>,
    /// F(X)/X^σ, to the first order: the most operations for which X words are enough are F(X).
    pub most: Root,
    /// σ.
    pub degree: BigRational,
    stencil: Option<StencilBound>,
}

/// A bound by pieces of an execution that move T words each.
#[derive(Debug, Clone)]
pub struct Pieces {
    /// Why it holds.
    pub rule: &'static str,
    /// The operations that are counted.
    pub shares: Vec<Share>,
    /// T/S.
    pub segment: u64,
    /// X = `reserve`·S + T: 1 if words that are read are counted, 2 if also those that are left.
    pub reserve: u64,
    /// Words that are counted without being moved, at most.
    pub free: Vec<GuardedPolynomial>,
}

/// What any order of the operations moves.
#[derive(Debug, Clone, Default)]
pub struct IoBounds {
    /// Words that are given and read.
    pub inputs: Vec<GuardedPolynomial>,
    /// Words that are results.
    pub outputs: Vec<GuardedPolynomial>,
    /// It is at least each.
    pub pieces: Vec<Pieces>,
    /// Scalars and what one statement reads: fast words that no cache of arrays has.
    pub registers: u64,
}

const PRODUCT: &str = "reads of a piece by projections (Loomis–Whitney)";
const STENCIL: &str = "words in and out of a piece by boundaries of levels (isoperimetry)";

/// Derives what can be.
pub fn io_bounds(program: &Program) -> IoBounds {
    let operations = operations(program);
    let [inputs, outputs] = compulsory::compulsory(program, &operations).map(merged);
    let all = || 0..operations.len();
    // An atomic reads what it writes, in an order that is not known.
    let has_atomics = program.first_atomic().is_some();
    let mut found: Vec<ProductBound> = all()
        .filter(|_| !has_atomics)
        .filter_map(|at| product_bound(program, &operations, at))
        .collect();
    found.sort_by_key(|it| std::cmp::Reverse((segment_order(it), sum_at_large(&it.count))));
    let once = merged([&inputs[..], &outputs].concat());
    let mut pieces: Vec<Pieces> = vec![];
    for first in 0..found.len() {
        let more = sum_of_statements(&operations, &found[first..]);
        let is_part = |it: &Pieces| {
            let spans = |it: &Pieces| it.shares.iter().map(|it| it.span.start).collect::<Vec<_>>();
            let all: Vec<_> = pieces.iter().flat_map(spans).collect();
            spans(it).iter().all(|it| all.contains(it))
        };
        let more = more.filter(|it| !is_part(it) && it.at_large() > large(&once));
        pieces.extend(more);
    }
    for it in all().filter_map(|at| stencil_bound(&operations, at)) {
        let d = u64::from(it.dimensions);
        let degree = BigRational::new((d + 1).into(), d.into());
        let share = Share {
            span: operations[it.at].span,
            count: it.count.clone(),
            most: it.most(),
            degree,
            stencil: Some(it.clone()),
        };
        let free = merged(it.free);
        pieces.push(Pieces {
            rule: STENCIL,
            shares: vec![share],
            segment: 2 * d,
            reserve: 2,
            free,
        });
    }
    let reads = operations.iter().map(|it| it.reads.len() as u64).max().unwrap_or(0);
    IoBounds { inputs, outputs, pieces, registers: program.scalars.len() as u64 + reads + 1 }
}

/// Different words of each array of global memory that a run surely accesses, at least.
pub(crate) fn accessed_words(program: &Program) -> Vec<Vec<GuardedPolynomial>> {
    compulsory::accessed_words(program, &operations(program))
}

/// A sum where sizes are large.
fn large(of: &[GuardedPolynomial]) -> f64 {
    sum_at_large(of).to_f64().unwrap_or(f64::INFINITY)
}

/// Bounds of smaller degree are larger for large S.
fn segment_order(of: &ProductBound) -> BigRational {
    -of.degree()
}

/// An expression over parameters.
fn size(expr: &Expr) -> Option<Polynomial> {
    if expr.element != Type::I64 {
        return None;
    }
    match &expr.kind {
        ExprKind::Integer(value) => Some(Polynomial::constant(*value)),
        ExprKind::Parameter(id) => Some(Size::Parameter(id.0).into()),
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (size(left)?, size(right)?);
            match op {
                BinaryOp::Add => Some(&left + &right),
                BinaryOp::Subtract => Some(&left - &right),
                BinaryOp::Multiply => Some(&left * &right),
                _ => None,
            }
        }
        _ => None,
    }
}

fn at(pieces: &[GuardedPolynomial], parameters: &[i64]) -> Option<BigRational> {
    let of = |atom| match atom {
        Atom::Size(Size::Parameter(at)) => parameters.get(at).map(|it| whole(*it)),
        _ => None,
    };
    value(pieces, &of)
}

impl IoBounds {
    /// Words that are moved at least, for parameters of 1 or more and S ≥ 1.
    pub fn lower_at(&self, parameters: &[i64], fast: u64) -> BigInt {
        let none = BigRational::zero;
        if parameters.iter().any(|it| *it < 1) {
            return BigInt::zero();
        }
        let positive = |it: Option<BigRational>| it.unwrap_or_else(none).max(none());
        let inputs = positive(at(&self.inputs, parameters));
        let outputs = positive(at(&self.outputs, parameters));
        let mut most = &inputs + &outputs;
        for pieces in &self.pieces {
            let Some(words) = pieces.at(parameters, fast) else { continue };
            // Words out are counted already where those that are left are.
            let words =
                if pieces.reserve == 1 { words.max(inputs.clone()) + &outputs } else { words };
            most = most.max(words);
        }
        most.ceil().to_integer()
    }
}

impl Pieces {
    /// The bound to the first order where sizes are large, of a fast memory of 1024 words.
    fn at_large(&self) -> f64 {
        let share = |it: &Share| {
            let [above, below] = it.power().map(f64::from);
            let fast = 1024_f64.powf(above / below);
            it.coefficient(self.segment, self.reserve).value() * large(&it.count) / fast
        };
        self.shares.iter().map(share).sum::<f64>() - large(&self.free)
    }

    /// The bound's value, for the best of some numbers of words a piece.
    fn at(&self, parameters: &[i64], fast: u64) -> Option<BigRational> {
        let free = at(&self.free, parameters)?;
        let counts: Vec<BigRational> =
            self.shares.iter().map(|it| at(&it.count, parameters)).collect::<Option<_>>()?;
        let is_alone = self.shares.len() == 1;
        let best = u128::from(self.segment) * u128::from(fast);
        let tried = [1, 2, 4, 8, 16].into_iter().flat_map(|it| [best / it, best * it / 2]);
        let values = tried.filter(|it| *it > 0).map(|words| {
            let words = BigRational::from_integer(words.into());
            let there =
                BigRational::from_integer((u128::from(self.reserve) * u128::from(fast)).into());
            let sum: BigRational = counts
                .iter()
                .zip(&self.shares)
                .filter(|(count, _)| count.is_positive())
                .map(|(count, share)| count / share.points(&(&there + &words), is_alone))
                .sum();
            // The last piece may move fewer words.
            words * (sum.ceil() - BigRational::one())
        });
        values.max().map(|it| it - free)
    }
}

impl Share {
    /// No more operations than this are enough for this many words. They are whole numbers, but where
    /// words are shared out among statements.
    fn points(&self, words: &BigRational, is_alone: bool) -> BigRational {
        let points = match &self.stencil {
            Some(stencil) => stencil.points(words),
            None => self.most.times(&Root::power(words, &self.degree)).ceil(),
        };
        if is_alone { points.floor().max(BigRational::one()) } else { points }
    }

    /// What the count is multiplied by, with S^(1 − σ), to the first order.
    pub fn coefficient(&self, segment: u64, reserve: u64) -> Root {
        let [segment, words] = [segment, segment + reserve].map(|it| whole(it as i64));
        let per = self.most.times(&Root::power(&words, &self.degree)).reciprocal();
        per.times(&Root::fraction(segment))
    }

    /// σ − 1 as a fraction of small numbers.
    pub fn power(&self) -> [u32; 2] {
        let power = &self.degree - BigRational::one();
        [power.numer(), power.denom()].map(|it| it.to_u32().unwrap_or(u32::MAX))
    }
}
