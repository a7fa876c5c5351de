//! The few functions that emitted code calls; a file gets those that it mentions.

use super::{mathematics, warp};

/// Name, and text.
const FUNCTIONS: &[(&str, &str)] = &[
    (
        "least",
        "// min(x, y) as the listing means it: y where y < x.
template <class T> __host__ __device__ __forceinline__ T least(T x, T y) { return y < x ? y : x; }
",
    ),
    (
        "greatest",
        "// max(x, y): y where y > x.
template <class T> __host__ __device__ __forceinline__ T greatest(T x, T y) { return y > x ? y : x; }
",
    ),
    (
        "magnitude",
        "template <class T> __host__ __device__ __forceinline__ T magnitude(T x) { return x < 0 ? wrapping_negate(x) : x; }
",
    ),
    (
        "wrapping_negate",
        "// Integers wrap around.
__host__ __device__ __forceinline__ int wrapping_negate(int x) { return (int)(0u - (unsigned)x); }
__host__ __device__ __forceinline__ long long wrapping_negate(long long x) { return (long long)(0ull - (unsigned long long)x); }
",
    ),
    (
        "wrapping_add",
        "__host__ __device__ __forceinline__ int wrapping_add(int x, int y) { return (int)((unsigned)x + (unsigned)y); }
__host__ __device__ __forceinline__ long long wrapping_add(long long x, long long y) { return (long long)((unsigned long long)x + (unsigned long long)y); }
",
    ),
    (
        "wrapping_subtract",
        "__host__ __device__ __forceinline__ int wrapping_subtract(int x, int y) { return (int)((unsigned)x - (unsigned)y); }
__host__ __device__ __forceinline__ long long wrapping_subtract(long long x, long long y) { return (long long)((unsigned long long)x - (unsigned long long)y); }
",
    ),
    (
        "wrapping_multiply",
        "__host__ __device__ __forceinline__ int wrapping_multiply(int x, int y) { return (int)((unsigned)x * (unsigned)y); }
__host__ __device__ __forceinline__ long long wrapping_multiply(long long x, long long y) { return (long long)((unsigned long long)x * (unsigned long long)y); }
",
    ),
    (
        "swizzled",
        "// So many bits of a cell's number, from bit base + shift on, are combined with those from base on.
template <class T> __host__ __device__ __forceinline__ T swizzled(T cell, long long bits, long long base, long long shift) {
    const T mask = (T)(((1ll << bits) - 1) << base);
    return cell ^ (shift < 0 ? (cell & mask) << -shift : cell >> shift & mask);
}
",
    ),
    (
        "shift_left",
        "// Shifts are by their number modulo the type's bits.
__host__ __device__ __forceinline__ int shift_left(int x, long long by) { return (int)((unsigned)x << (by & 31)); }
__host__ __device__ __forceinline__ unsigned shift_left(unsigned x, long long by) { return x << (by & 31); }
__host__ __device__ __forceinline__ unsigned long long shift_left(unsigned long long x, long long by) { return x << (by & 63); }
__host__ __device__ __forceinline__ long long shift_left(long long x, long long by) { return (long long)((unsigned long long)x << (by & 63)); }
",
    ),
    (
        "shift_right",
        "__host__ __device__ __forceinline__ int shift_right(int x, long long by) { return x >> (by & 31); }
__host__ __device__ __forceinline__ unsigned shift_right(unsigned x, long long by) { return x >> (by & 31); }
__host__ __device__ __forceinline__ unsigned long long shift_right(unsigned long long x, long long by) { return x >> (by & 63); }
__host__ __device__ __forceinline__ long long shift_right(long long x, long long by) { return x >> (by & 63); }
",
    ),
    (
        "rotate_left",
        "// Rotations, of bits without a sign.
__host__ __device__ __forceinline__ unsigned rotate_left(unsigned x, long long by) { return x << (by & 31) | x >> (-by & 31); }
__host__ __device__ __forceinline__ unsigned long long rotate_left(unsigned long long x, long long by) { return x << (by & 63) | x >> (-by & 63); }
",
    ),
    (
        "rotate_left_narrow",
        "// The same of 8 or 16 bits.
template <class T> __host__ __device__ __forceinline__ T rotate_left_narrow(T x, long long by) {
    const int last = 8 * sizeof(T) - 1;
    return (T)(x << (by & last) | x >> (-by & last));
}
",
    ),
    (
        "ones",
        "// The ones among the bits.
__host__ __device__ __forceinline__ int ones(unsigned long long x) {
#ifdef __CUDA_ARCH__
    return __popcll(x);
#else
    return __builtin_popcountll(x);
#endif
}
",
    ),
    (
        "leading_zeros",
        "// The zeros above the highest one of 64 bits.
__host__ __device__ __forceinline__ int leading_zeros(unsigned long long x) {
#ifdef __CUDA_ARCH__
    return __clzll((long long)x);
#else
    return x == 0 ? 64 : __builtin_clzll(x);
#endif
}
",
    ),
    (
        "multiply_high",
        "// The upper half of a product.
__host__ __device__ __forceinline__ int multiply_high(int x, int y) { return (int)((long long)x * y >> 32); }
__host__ __device__ __forceinline__ unsigned multiply_high(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
__host__ __device__ __forceinline__ long long multiply_high(long long x, long long y) {
#ifdef __CUDA_ARCH__
    return __mul64hi(x, y);
#else
    return (long long)((__int128)x * y >> 64);
#endif
}
__host__ __device__ __forceinline__ unsigned long long multiply_high(unsigned long long x, unsigned long long y) {
#ifdef __CUDA_ARCH__
    return __umul64hi(x, y);
#else
    return (unsigned long long)((unsigned __int128)x * y >> 64);
#endif
}
",
    ),
    (
        "integer_power",
        "// x to the n; it wraps around.
template <class T> __host__ __device__ __forceinline__ T integer_power(T x, long long n) {
    unsigned long long result = 1, square = (unsigned long long)x;
    for (; n > 0; n >>= 1) {
        if (n & 1) result *= square;
        square *= square;
    }
    return (T)result;
}
",
    ),
    (
        "floor_divide",
        "// The quotient rounded down, as the listing's / is.
template <class T> __host__ __device__ __forceinline__ T floor_divide(T x, T y) {
    if (y == -1) return wrapping_negate(x);
    const T q = x / y;
    return q - (q * y != x && (x < 0) != (y < 0));
}
",
    ),
    (
        "floor_modulo",
        "// x mod y with the sign of y.
template <class T> __host__ __device__ __forceinline__ T floor_modulo(T x, T y) {
    if (y == -1) return 0;
    const T rest = x % y;
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}
",
    ),
    (
        "infinity",
        "template <class T> __host__ __device__ __forceinline__ T infinity() {
#ifdef __CUDA_ARCH__
    return (T)__longlong_as_double(0x7ff0000000000000LL);
#else
    return (T)__builtin_huge_val();
#endif
}
",
    ),
    (
        "quotient",
        "// number / by; 64-bit division is slow, and seldom needed.
__host__ __device__ __forceinline__ long long quotient(long long number, long long by) {
    return (number | by) >> 32 == 0 ? (long long)((unsigned)number / (unsigned)by) : number / by;
}
// Neither is negative.
__host__ __device__ __forceinline__ int quotient(int number, int by) { return (int)((unsigned)number / (unsigned)by); }
",
    ),
    (
        "modulus",
        "// number mod by; neither is negative.
__host__ __device__ __forceinline__ int modulus(int number, int by) { return (int)((unsigned)number % (unsigned)by); }
",
    ),
    (
        "of_thread_0",
        "// What the first thread of the block has.
template <class T> __device__ __forceinline__ T of_thread_0(T value) {
    __shared__ T shared;
    __syncthreads();
    if (threadIdx.x == 0) shared = value;
    __syncthreads();
    return shared;
}
",
    ),
    (
        "loop_length",
        "// Iterations of a loop from low to high.
__host__ __device__ __forceinline__ long long loop_length(long long low, long long high, long long step) {
    return high < low ? 0 : (high - low) / step + 1;
}
",
    ),
    (
        "series",
        "// The sum of max(0, length + slope * k) over from <= k < to.
template <long long slope>
__host__ __device__ __forceinline__ long long series(long long length, long long from, long long to) {
    if (slope == 0 && length <= 0) return 0;
    if (slope > 0) from = greatest(from, -floor_divide(length, slope > 0 ? slope : 1));
    if (slope < 0) to = least(to, floor_divide(length, slope < 0 ? -slope : 1) + 1);
    return to <= from ? 0 : (to - from) * (2 * length + slope * (from + to - 1)) / 2;
}
",
    ),
    (
        "row_of",
        "// The row of an iteration: before(row) <= number < before(row + 1).
template <class Before>
__host__ __device__ __forceinline__ long long row_of(const Before &before, long long rows, long long number) {
    long long low = 0, high = rows;
    while (high - low > 1) {
        const long long middle = low + (high - low) / 2;
        if (before(middle) <= number) low = middle;
        else high = middle;
    }
    return low;
}
",
    ),
    (
        "fetch",
        "// Copies a word to shared memory without waiting for it, where the device can.
template <class T> __device__ __forceinline__ void fetch(T *to, const T *from) {
#if __CUDA_ARCH__ >= 800
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    asm volatile(\"cp.async.ca.shared.global [%0], [%1], %2;\" ::\"r\"(place), \"l\"(from), \"n\"(sizeof(T)) : \"memory\");
#else
    *to = *from;
#endif
}
",
    ),
    (
        "fetch_four",
        "// The same for four words of 4 bytes, on 16 bytes.
template <class T> __device__ __forceinline__ void fetch_four(T *to, const T *from) {
#if __CUDA_ARCH__ >= 800
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16;\" ::\"r\"(place), \"l\"(from) : \"memory\");
#else
    *(int4 *)to = *(const int4 *)from;
#endif
}
",
    ),
    (
        "copy_four",
        "// Four words of 4 bytes from one place on 16 bytes to another.
template <class T> __device__ __forceinline__ void copy_four(T *to, const T *from) { *(int4 *)to = *(const int4 *)from; }
",
    ),
    (
        "fetched",
        "// All that was fetched since the last call is a group.
__device__ __forceinline__ void fetched() {
#if __CUDA_ARCH__ >= 800
    asm volatile(\"cp.async.commit_group;\" ::: \"memory\");
#endif
}
",
    ),
    (
        "arrived",
        "// Waits until all but the last groups have arrived.
template <int last> __device__ __forceinline__ void arrived() {
#if __CUDA_ARCH__ >= 800
    asm volatile(\"cp.async.wait_group %0;\" ::\"n\"(last) : \"memory\");
#endif
}
",
    ),
    (
        "grid_barrier",
        "// Every thread of the grid waits for every other; all its blocks must be resident.
__device__ __forceinline__ void grid_barrier(unsigned *arrived, unsigned &round) {
    __syncthreads();
    round += gridDim.x;
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while ((int)(*(volatile unsigned *)arrived - round) < 0) {
        }
        __threadfence();
    }
    __syncthreads();
}
",
    ),
];

/// The functions that `text` calls, and those that they call, in an order in which each is known
/// before it is used.
pub(super) fn needed(text: &str) -> String {
    let functions: Vec<_> =
        FUNCTIONS.iter().chain(mathematics::FUNCTIONS).chain(warp::FUNCTIONS).collect();
    let mut needed = vec![false; functions.len()];
    loop {
        let before = needed.clone();
        for (index, (name, _)) in functions.iter().enumerate() {
            let bodies = functions.iter().zip(&before).filter(|(_, needed)| **needed);
            let mut texts = bodies.map(|((_, body), _)| *body).chain([text]);
            needed[index] |= texts.any(|text| calls(text, name));
        }
        if needed == before {
            break;
        }
    }
    // Those that others call come first.
    let order = ["wrapping_negate", "least", "greatest", "floor_divide"];
    let rank = |name: &str| order.iter().position(|it| *it == name).unwrap_or(order.len());
    let mut found: Vec<_> =
        functions.iter().zip(needed).filter(|(_, needed)| *needed).map(|(it, _)| *it).collect();
    found.sort_by_key(|(name, _)| rank(name));
    found.into_iter().map(|(_, body)| *body).collect()
}

/// Whether the name stands in the text as a call.
fn calls(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].bytes().next_back();
        let whole = before.is_none_or(|it| !it.is_ascii_alphanumeric() && it != b'_');
        whole && text[at + name.len()..].starts_with(['(', '<'])
    })
}
