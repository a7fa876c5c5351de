//! Words of warps, by the functions that CUDA has for them. A loop whose body has any tells each thread
//! which threads of its warp have an iteration: the mask `warp`.

use super::cpp_text::{Binding, Text};
use super::expression::Expressions;
use super::interval::Interval;
use super::intervals::Intervals;
use super::iteration_order::IterationOrder;
use super::operators::integer;
use memory_machine_core::diagnostic::Diagnostic;
use memory_machine_core::language::program::{Expr, Program, WarpOp};
use memory_machine_core::language::syntax::{BinaryOp, Type};
use memory_machine_core::language::walk::{loops_on_dmms, nests};
use memory_machine_core::language::warp::{Source, first_warp_word};
use memory_machine_core::units::WARP;

/// Name, and text.
pub(super) const FUNCTIONS: &[(&str, &str)] = &[
    (
        "warp_lanes",
        "// The threads of this warp that have an iteration: from this thread on so many of the block do.
__device__ __forceinline__ unsigned warp_lanes(long long left) {
    const long long count = (threadIdx.x & 31) + left;
    return count < 32 ? (1u << count) - 1 : 0xffffffff;
}
",
    ),
    (
        "warp_bits",
        "template <int how, class Bits> __device__ __forceinline__ Bits warp_bits(unsigned warp, Bits bits, unsigned by) {
    if constexpr (how == 0) return __shfl_sync(warp, bits, (int)by);
    else if constexpr (how == 1) return __shfl_up_sync(warp, bits, by);
    else if constexpr (how == 2) return __shfl_down_sync(warp, bits, by);
    else return __shfl_xor_sync(warp, bits, (int)by);
}
",
    ),
    (
        "warp_move",
        "// Moves the bits of a value, whatever its type.
template <int how, class T> __device__ __forceinline__ T warp_move(unsigned warp, T value, unsigned by) {
    if constexpr (sizeof(T) > 4) {
        unsigned long long bits;
        memcpy(&bits, &value, sizeof value);
        bits = warp_bits<how>(warp, bits, by);
        memcpy(&value, &bits, sizeof value);
    } else {
        unsigned bits = 0;
        memcpy(&bits, &value, sizeof value);
        bits = warp_bits<how>(warp, bits, by);
        memcpy(&value, &bits, sizeof value);
    }
    return value;
}
",
    ),
    (
        "warp_shuffle",
        "// What another lane has.
template <class T> __device__ __forceinline__ T warp_shuffle(unsigned warp, T value, long long lane) { return warp_move<0>(warp, value, (unsigned)lane); }
",
    ),
    (
        "warp_shuffle_up",
        "// Beyond the warp's ends a thread keeps its own.
template <class T> __device__ __forceinline__ T warp_shuffle_up(unsigned warp, T value, long long by) { return warp_move<1>(warp, value, by > 31 ? 0 : (unsigned)by); }
",
    ),
    (
        "warp_shuffle_down",
        "template <class T> __device__ __forceinline__ T warp_shuffle_down(unsigned warp, T value, long long by) { return warp_move<2>(warp, value, by > 31 ? 0 : (unsigned)by); }
",
    ),
    (
        "warp_shuffle_xor",
        "template <class T> __device__ __forceinline__ T warp_shuffle_xor(unsigned warp, T value, long long by) { return warp_move<3>(warp, value, (unsigned)by); }
",
    ),
    (
        "warp_reduce",
        "// Each lane of the lower half takes in the one above it, halves becoming quarters; what lane 0 has, all get.
template <class T, class Combine> __device__ __forceinline__ T warp_reduce(unsigned warp, T value, const Combine &combine) {
    const unsigned lane = threadIdx.x & 31;
#pragma unroll
    for (unsigned half = 16; half > 0; half /= 2) {
        const T other = warp_shuffle_down(warp, value, half);
        if (lane + half < 32 && (warp >> (lane + half) & 1) != 0) value = combine(value, other);
    }
    return warp_shuffle(warp, value, 0);
}
",
    ),
];

/// Whether code can be emitted for the nests whose threads give each other values.
///
/// # Errors
/// One whose iterations are found row by row: which threads of a warp have one, nobody knows at once.
pub(super) fn check(program: &Program) -> Result<(), Diagnostic> {
    let nests = loops_on_dmms(&program.body).flat_map(|it| nests(&it.body));
    let mut walked =
        nests.filter(|it| matches!(IterationOrder::of(&it.ranges), IterationOrder::Walk));
    let found = walked.find_map(|it| first_warp_word(&it.body).map(|_| it.span));
    found.map_or(Ok(()), |nest| {
        let message = "no code for words of a warp in loops whose rows have no formula";
        Err(Diagnostic::new(nest, message).help(
            "write one parallel loop over the threads, `for i ← 0 to q-1 do in parallel`, and compute \
             the other variables",
        ))
    })
}

impl Expressions<'_> {
    pub(super) fn warp_word(&mut self, op: WarpOp, operands: &[Expr]) -> Text {
        let mut texts: Vec<Text> = operands.iter().map(|it| self.expr(it)).collect();
        let Some(element) = operands.first().map(|it| it.element) else {
            return match op {
                WarpOp::Width => integer(WARP as i64, Type::I64),
                _ => Text { loose: true, ..Text::new("(int)(threadIdx.x & 31)", Binding::Unary) },
            };
        };
        texts[0] = self.exact(texts[0].clone(), element);
        texts.insert(0, Text::primary("warp"));
        match op {
            WarpOp::Lane | WarpOp::Width => texts.swap_remove(0),
            WarpOp::Any => {
                Text::new(Text::call("__any_sync", &texts).text + " != 0", Binding::Equality)
            }
            WarpOp::All => {
                Text::new(Text::call("__all_sync", &texts).text + " != 0", Binding::Equality)
            }
            WarpOp::Ballot => Text::call("__ballot_sync", &texts).cast("unsigned long long"),
            WarpOp::Shuffle(Source::Lane) => Text::call("warp_shuffle", &texts),
            WarpOp::Shuffle(Source::Up) => Text::call("warp_shuffle_up", &texts),
            WarpOp::Shuffle(Source::Down) => Text::call("warp_shuffle_down", &texts),
            WarpOp::Shuffle(Source::Xor) => Text::call("warp_shuffle_xor", &texts),
            WarpOp::Reduce(by) => {
                let word = self.word(element);
                let combined = self.combined(by, element).text;
                let combine = format!("[]({word} x, {word} y) {{ return {combined}; }}");
                texts.push(Text::primary(combine));
                Text::call("warp_reduce", &texts)
            }
        }
    }
}

impl Intervals<'_> {
    /// Between what a word's value lies.
    pub(super) fn of_warp_word(&self, op: WarpOp, operands: &[Expr], whole: Interval) -> Interval {
        let width = WARP as i64;
        match op {
            WarpOp::Lane => Interval { least: 0, most: width - 1 },
            WarpOp::Width => Interval { least: width, most: width },
            WarpOp::Shuffle(_) | WarpOp::Reduce(BinaryOp::Min | BinaryOp::Max) => {
                self.of(&operands[0])
            }
            WarpOp::Reduce(BinaryOp::Add) => {
                self.of(&operands[0]).corners(&[1, width], |x, by| x * by)
            }
            _ => whole,
        }
    }
}
