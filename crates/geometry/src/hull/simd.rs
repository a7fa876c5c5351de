//! Vectors of coordinates, at the widest level that the CPU has. All unsafe code of hulls is here.
//!
//! A level is a token: only [`run`] makes one, after the CPU was asked whether it has what the token
//! stands for. What is generic over it must be inlined into [`LanesJob::run`] as a whole. No level fuses
//! multiplication and addition, so all compute the same bits.

use crate::points::Point;

/// Operations of vectors of `f64`, lane by lane.
pub(super) trait Lanes: Copy {
    type Vector: Copy;
    /// A number of a row in each lane.
    type Rows: Copy;
    const LANES: usize;

    /// All x and all y of the first points, of which there are [`Self::LANES`] at least.
    fn points(self, from: &[Point]) -> [Self::Vector; 2];
    fn splat(self, value: f64) -> Self::Vector;
    fn plus(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn minus(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn times(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn magnitude(self, a: Self::Vector) -> Self::Vector;
    /// Bit `i` tells whether `a < b` in lane `i`.
    fn less(self, a: Self::Vector, b: Self::Vector) -> u32;
    fn store(self, vector: Self::Vector, to: &mut [f64]);
    /// The first of `labels`, of which there are enough.
    fn labels(self, labels: &[u32]) -> Self::Rows;
    /// Numbers from 0 below 2^31 rounded down; any others become some number.
    fn truncated(self, a: Self::Vector) -> Self::Rows;
    /// The four columns of the rows of `table`, which is not empty; of its last row, if the number
    /// is too large.
    fn rows(self, table: &[[f64; 4]], rows: Self::Rows) -> [Self::Vector; 4];
}

/// Work that is compiled for each level. `run` must be `#[inline(always)]`.
pub(super) trait LanesJob {
    fn run<L: Lanes>(self, lanes: L);
}

/// Runs a job with the widest vectors that the CPU has, or without any.
pub(super) fn run(simd: bool, job: impl LanesJob) {
    #[cfg(target_arch = "x86_64")]
    if simd && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has the features.
        return unsafe { x86::avx512(job) };
    } else if simd && is_x86_feature_detected!("avx2") {
        // SAFETY: as above.
        return unsafe { x86::avx2(job) };
    }
    let _ = simd;
    job.run(Plain);
}

/// Bytes of a line of the cache.
pub(super) const LINE: usize = 64;

/// Asks for these to be brought to the first-level cache, where the CPU can be asked.
#[inline(always)]
pub(super) fn prefetch<T>(slice: &[T]) {
    #[cfg(target_arch = "x86_64")]
    for part in slice.chunks(LINE / size_of::<T>()) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has it, and it reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(part.as_ptr().cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = slice;
}

/// One point at a time.
#[derive(Clone, Copy)]
struct Plain;

impl Lanes for Plain {
    type Vector = f64;
    type Rows = u32;
    const LANES: usize = 1;

    #[inline(always)]
    fn points(self, from: &[Point]) -> [f64; 2] {
        [from[0].x, from[0].y]
    }
    #[inline(always)]
    fn splat(self, value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn plus(self, a: f64, b: f64) -> f64 {
        a + b
    }
    #[inline(always)]
    fn minus(self, a: f64, b: f64) -> f64 {
        a - b
    }
    #[inline(always)]
    fn times(self, a: f64, b: f64) -> f64 {
        a * b
    }
    #[inline(always)]
    fn magnitude(self, a: f64) -> f64 {
        a.abs()
    }
    #[inline(always)]
    fn less(self, a: f64, b: f64) -> u32 {
        u32::from(a < b)
    }
    #[inline(always)]
    fn store(self, vector: f64, to: &mut [f64]) {
        to[0] = vector;
    }
    #[inline(always)]
    fn labels(self, labels: &[u32]) -> u32 {
        labels[0]
    }
    #[inline(always)]
    fn truncated(self, a: f64) -> u32 {
        a as u32
    }
    #[inline(always)]
    fn rows(self, table: &[[f64; 4]], rows: u32) -> [f64; 4] {
        table[(rows as usize).min(table.len() - 1)]
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Lanes, LanesJob, Point};

    #[derive(Clone, Copy)]
    struct Avx2(());
    #[derive(Clone, Copy)]
    struct Avx512(());

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2(job: impl LanesJob) {
        job.run(Avx2(()));
    }

    #[target_feature(enable = "avx2,avx512f")]
    pub(super) fn avx512(job: impl LanesJob) {
        job.run(Avx512(()));
    }

    /// The greatest number of a row; rows of more than 2^32 edges do not exist.
    fn last(table: &[[f64; 4]]) -> i32 {
        assert!(!table.is_empty());
        u32::try_from(table.len() - 1).unwrap_or(u32::MAX).cast_signed()
    }

    // SAFETY of all: the token proves the features, and slices are as long as is read or written.
    impl Lanes for Avx2 {
        type Vector = __m256d;
        type Rows = __m128i;
        const LANES: usize = 4;

        #[inline(always)]
        fn points(self, from: &[Point]) -> [__m256d; 2] {
            let from = &from[..4];
            unsafe {
                let first = _mm256_loadu_pd(from.as_ptr().cast());
                let second = _mm256_loadu_pd(from.as_ptr().add(2).cast());
                // x0 y0 x2 y2 and x1 y1 x3 y3.
                let even = _mm256_permute2f128_pd::<0x20>(first, second);
                let odd = _mm256_permute2f128_pd::<0x31>(first, second);
                [_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd)]
            }
        }
        #[inline(always)]
        fn splat(self, value: f64) -> __m256d {
            unsafe { _mm256_set1_pd(value) }
        }
        #[inline(always)]
        fn plus(self, a: __m256d, b: __m256d) -> __m256d {
            unsafe { _mm256_add_pd(a, b) }
        }
        #[inline(always)]
        fn minus(self, a: __m256d, b: __m256d) -> __m256d {
            unsafe { _mm256_sub_pd(a, b) }
        }
        #[inline(always)]
        fn times(self, a: __m256d, b: __m256d) -> __m256d {
            unsafe { _mm256_mul_pd(a, b) }
        }
        #[inline(always)]
        fn magnitude(self, a: __m256d) -> __m256d {
            unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), a) }
        }
        #[inline(always)]
        fn less(self, a: __m256d, b: __m256d) -> u32 {
            unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(a, b)) }.cast_unsigned()
        }
        #[inline(always)]
        fn store(self, vector: __m256d, to: &mut [f64]) {
            let to = &mut to[..4];
            unsafe { _mm256_storeu_pd(to.as_mut_ptr(), vector) }
        }
        #[inline(always)]
        fn labels(self, labels: &[u32]) -> __m128i {
            let labels = &labels[..4];
            unsafe { _mm_loadu_si128(labels.as_ptr().cast()) }
        }
        #[inline(always)]
        fn truncated(self, a: __m256d) -> __m128i {
            unsafe { _mm256_cvttpd_epi32(a) }
        }
        #[inline(always)]
        fn rows(self, table: &[[f64; 4]], rows: __m128i) -> [__m256d; 4] {
            let last = last(table);
            let from = table.as_ptr().cast::<f64>();
            unsafe {
                let rows = _mm_min_epu32(rows, _mm_set1_epi32(last));
                let at = _mm256_slli_epi64::<2>(_mm256_cvtepu32_epi64(rows));
                [0, 1, 2, 3].map(|column| _mm256_i64gather_pd::<8>(from.add(column), at))
            }
        }
    }

    impl Lanes for Avx512 {
        type Vector = __m512d;
        type Rows = __m256i;
        const LANES: usize = 8;

        #[inline(always)]
        fn points(self, from: &[Point]) -> [__m512d; 2] {
            let from = &from[..8];
            unsafe {
                let first = _mm512_loadu_pd(from.as_ptr().cast());
                let second = _mm512_loadu_pd(from.as_ptr().add(4).cast());
                let x = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
                let y = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
                [x, y].map(|which| _mm512_permutex2var_pd(first, which, second))
            }
        }
        #[inline(always)]
        fn splat(self, value: f64) -> __m512d {
            unsafe { _mm512_set1_pd(value) }
        }
        #[inline(always)]
        fn plus(self, a: __m512d, b: __m512d) -> __m512d {
            unsafe { _mm512_add_pd(a, b) }
        }
        #[inline(always)]
        fn minus(self, a: __m512d, b: __m512d) -> __m512d {
            unsafe { _mm512_sub_pd(a, b) }
        }
        #[inline(always)]
        fn times(self, a: __m512d, b: __m512d) -> __m512d {
            unsafe { _mm512_mul_pd(a, b) }
        }
        #[inline(always)]
        fn magnitude(self, a: __m512d) -> __m512d {
            unsafe { _mm512_abs_pd(a) }
        }
        #[inline(always)]
        fn less(self, a: __m512d, b: __m512d) -> u32 {
            unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b) }.into()
        }
        #[inline(always)]
        fn store(self, vector: __m512d, to: &mut [f64]) {
            let to = &mut to[..8];
            unsafe { _mm512_storeu_pd(to.as_mut_ptr(), vector) }
        }
        #[inline(always)]
        fn labels(self, labels: &[u32]) -> __m256i {
            let labels = &labels[..8];
            unsafe { _mm256_loadu_si256(labels.as_ptr().cast()) }
        }
        #[inline(always)]
        fn truncated(self, a: __m512d) -> __m256i {
            unsafe { _mm512_cvttpd_epi32(a) }
        }
        #[inline(always)]
        fn rows(self, table: &[[f64; 4]], rows: __m256i) -> [__m512d; 4] {
            let last = last(table);
            let from = table.as_ptr().cast::<f64>();
            unsafe {
                let rows = _mm256_min_epu32(rows, _mm256_set1_epi32(last));
                let at = _mm512_slli_epi64::<2>(_mm512_cvtepu32_epi64(rows));
                [0, 1, 2, 3].map(|column| _mm512_i64gather_pd::<8>(at, from.add(column)))
            }
        }
    }
}
