//! Vectors of numbers, at the widest level that the CPU has. All unsafe code of the engine is here.
//!
//! A level is a token: only [`Native::run`] makes one, after the CPU was asked whether it has what
//! the token stands for. What is generic over it must be inlined into [`SimdJob::run`] as a whole, or
//! each operation becomes a call.

/// Operations of vectors of `T`: each lane as [`super::Weight`] has it for two numbers.
pub trait Simd<T>: Copy {
    /// As many numbers as the level's registers hold.
    type Vector: Copy;
    /// Numbers of a vector.
    const LANES: usize;
    /// Whether there are 32 registers, and not 16.
    const MANY_REGISTERS: bool;

    /// The first lanes of `from`, which has at least this many.
    fn load(self, from: &[T]) -> Self::Vector;
    /// Writes the first lanes of `to`, which has at least this many.
    fn store(self, vector: Self::Vector, to: &mut [T]);
    /// `value` in every lane.
    fn splat(self, value: T) -> Self::Vector;
    /// [`super::Weight::plus`] of each lane.
    fn plus(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// [`super::Weight::times`] of each lane.
    fn times(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// [`super::Weight::least`] of each lane.
    fn least(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// [`super::Weight::settled`] of each lane.
    fn settled(self, a: Self::Vector) -> Self::Vector;
    /// The number in one lane, below [`Self::LANES`].
    fn lane(self, vector: Self::Vector, lane: usize) -> T;

    /// Starts to bring `cells` into the second-level cache, where the machine has an instruction for it.
    #[inline(always)]
    fn fetch(self, cells: &[T]) {
        #[cfg(target_arch = "x86_64")]
        for line in cells.chunks(64 / size_of::<T>()) {
            use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
            // SAFETY: every x86-64 CPU has the instruction, and it reads nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = cells;
    }
}

/// Work that is compiled for each level. `run` must be `#[inline(always)]`.
pub trait SimdJob<T> {
    /// What is to be done with the vectors of one level.
    fn run<S: Simd<T>>(self, simd: S);
}

/// A number that every level has vectors of.
pub trait Native: Sized {
    /// Runs a job at a level.
    fn run<J: SimdJob<Self>>(level: SimdLevel, job: J);
}

/// What vectors are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimdLevel(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl SimdLevel {
    /// The levels that this CPU has, the fastest last.
    pub fn available() -> Vec<Self> {
        let levels = [
            Some(Kind::Portable),
            #[cfg(target_arch = "x86_64")]
            is_x86_feature_detected!("avx2").then_some(Kind::Avx2),
            #[cfg(target_arch = "x86_64")]
            is_x86_feature_detected!("avx512f").then_some(Kind::Avx512),
            #[cfg(target_arch = "aarch64")]
            std::arch::is_aarch64_feature_detected!("neon").then_some(Kind::Neon),
        ];
        levels.into_iter().flatten().map(Self).collect()
    }

    /// The fastest of them.
    pub fn fastest() -> Self {
        Self::available().pop().unwrap_or(Self(Kind::Portable))
    }

    /// What the level is called.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => "NEON",
        }
    }
}

macro_rules! native {
    ($($number:ty),*) => {$(
        impl Native for $number {
            fn run<J: SimdJob<Self>>(level: SimdLevel, job: J) {
                match level.0 {
                    Kind::Portable => job.run(portable::Portable),
                    // SAFETY: a level of this kind exists only where the CPU has the features.
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx2 => unsafe { x86::avx2(job) },
                    // SAFETY: as above.
                    #[cfg(target_arch = "x86_64")]
                    Kind::Avx512 => unsafe { x86::avx512(job) },
                    // SAFETY: as above.
                    #[cfg(target_arch = "aarch64")]
                    Kind::Neon => unsafe { arm::neon(job) },
                }
            }
        }
    )*};
}
native!(f32, f64, i32);

mod portable {
    use super::Simd;
    use crate::opt::Weight;

    #[derive(Clone, Copy)]
    pub(super) struct Portable;

    impl<T: Weight> Simd<T> for Portable {
        type Vector = [T; 4];
        const LANES: usize = 4;
        const MANY_REGISTERS: bool = false;

        #[inline(always)]
        fn load(self, from: &[T]) -> [T; 4] {
            [from[0], from[1], from[2], from[3]]
        }
        #[inline(always)]
        fn store(self, vector: [T; 4], to: &mut [T]) {
            to[..4].copy_from_slice(&vector);
        }
        #[inline(always)]
        fn splat(self, value: T) -> [T; 4] {
            [value; 4]
        }
        #[inline(always)]
        fn plus(self, a: [T; 4], b: [T; 4]) -> [T; 4] {
            std::array::from_fn(|lane| a[lane].plus(b[lane]))
        }
        #[inline(always)]
        fn times(self, a: [T; 4], b: [T; 4]) -> [T; 4] {
            std::array::from_fn(|lane| a[lane].times(b[lane]))
        }
        #[inline(always)]
        fn least(self, a: [T; 4], b: [T; 4]) -> [T; 4] {
            std::array::from_fn(|lane| a[lane].least(b[lane]))
        }
        #[inline(always)]
        fn settled(self, a: [T; 4]) -> [T; 4] {
            a.map(T::settled)
        }
        #[inline(always)]
        fn lane(self, vector: [T; 4], lane: usize) -> T {
            vector[lane]
        }
    }
}

/// One level's vectors of one type. `$a` and `$b` are the operands of the operations.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! vectors {
    (
        $level:ident, $number:ty, $vector:ty, $lanes:literal, $many:literal,
        load $load:expr, store $store:expr, splat $splat:ident, plus $plus:ident,
        times $times:ident, least |$a:ident, $b:ident| $least:expr, settled |$s:ident| $settled:expr
    ) => {
        // SAFETY of all: the token proves the features, and slices are as long as is read or written.
        impl Simd<$number> for $level {
            type Vector = $vector;
            const LANES: usize = $lanes;
            const MANY_REGISTERS: bool = $many;

            #[inline(always)]
            fn load(self, from: &[$number]) -> $vector {
                let from = &from[..$lanes];
                unsafe { $load(from.as_ptr().cast()) }
            }
            #[inline(always)]
            fn store(self, vector: $vector, to: &mut [$number]) {
                let to = &mut to[..$lanes];
                unsafe { $store(to.as_mut_ptr().cast(), vector) }
            }
            #[inline(always)]
            fn splat(self, value: $number) -> $vector {
                unsafe { $splat(value) }
            }
            #[inline(always)]
            fn plus(self, a: $vector, b: $vector) -> $vector {
                unsafe { $plus(a, b) }
            }
            #[inline(always)]
            fn times(self, a: $vector, b: $vector) -> $vector {
                unsafe { $times(a, b) }
            }
            #[inline(always)]
            fn least(self, $a: $vector, $b: $vector) -> $vector {
                unsafe { $least }
            }
            #[inline(always)]
            fn settled(self, $s: $vector) -> $vector {
                #[allow(unused_unsafe, reason = "floating-point numbers are settled as they are")]
                unsafe {
                    $settled
                }
            }
            #[inline(always)]
            fn lane(self, vector: $vector, lane: usize) -> $number {
                let mut lanes = [<$number>::default(); $lanes];
                self.store(vector, &mut lanes);
                lanes[lane]
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Simd, SimdJob};
    use crate::opt::Weight;

    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());
    #[derive(Clone, Copy)]
    pub(super) struct Avx512(());

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2<T, J: SimdJob<T>>(job: J)
    where
        Avx2: Simd<T>,
    {
        job.run(Avx2(()));
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn avx512<T, J: SimdJob<T>>(job: J)
    where
        Avx512: Simd<T>,
    {
        job.run(Avx512(()));
    }

    // MINPS gives its second operand unless the first is less.
    vectors!(Avx2, f32, __m256, 8, false,
        load _mm256_loadu_ps, store _mm256_storeu_ps, splat _mm256_set1_ps, plus _mm256_add_ps,
        times _mm256_mul_ps, least |a, b| _mm256_min_ps(b, a), settled |a| a);
    vectors!(Avx2, f64, __m256d, 4, false,
        load _mm256_loadu_pd, store _mm256_storeu_pd, splat _mm256_set1_pd, plus _mm256_add_pd,
        times _mm256_mul_pd, least |a, b| _mm256_min_pd(b, a), settled |a| a);
    vectors!(Avx2, i32, __m256i, 8, false,
    load _mm256_loadu_si256, store _mm256_storeu_si256, splat _mm256_set1_epi32,
    plus _mm256_add_epi32, times _mm256_mullo_epi32, least |a, b| _mm256_min_epi32(a, b),
    settled |a| {
        let infinite =
            _mm256_cmpgt_epi32(_mm256_abs_epi32(a), _mm256_set1_epi32((1 << 29) - 1));
        _mm256_blendv_epi8(a, _mm256_set1_epi32(i32::INFINITY), infinite)
    });
    vectors!(Avx512, f32, __m512, 16, true,
        load _mm512_loadu_ps, store _mm512_storeu_ps, splat _mm512_set1_ps, plus _mm512_add_ps,
        times _mm512_mul_ps, least |a, b| _mm512_min_ps(b, a), settled |a| a);
    vectors!(Avx512, f64, __m512d, 8, true,
        load _mm512_loadu_pd, store _mm512_storeu_pd, splat _mm512_set1_pd, plus _mm512_add_pd,
        times _mm512_mul_pd, least |a, b| _mm512_min_pd(b, a), settled |a| a);
    vectors!(Avx512, i32, __m512i, 16, true,
    load _mm512_loadu_si512, store _mm512_storeu_si512, splat _mm512_set1_epi32,
    plus _mm512_add_epi32, times _mm512_mullo_epi32, least |a, b| _mm512_min_epi32(a, b),
    settled |a| {
        let infinite =
            _mm512_cmpge_epi32_mask(_mm512_abs_epi32(a), _mm512_set1_epi32(1 << 29));
        _mm512_mask_mov_epi32(a, infinite, _mm512_set1_epi32(i32::INFINITY))
    });
}

#[cfg(target_arch = "aarch64")]
mod arm {
    use std::arch::aarch64::*;

    use super::{Simd, SimdJob};
    use crate::opt::Weight;

    #[derive(Clone, Copy)]
    pub(super) struct Neon(());

    #[target_feature(enable = "neon")]
    pub(super) fn neon<T, J: SimdJob<T>>(job: J)
    where
        Neon: Simd<T>,
    {
        job.run(Neon(()));
    }

    vectors!(Neon, f32, float32x4_t, 4, true,
        load vld1q_f32, store vst1q_f32, splat vdupq_n_f32, plus vaddq_f32,
        times vmulq_f32, least |a, b| vminq_f32(a, b), settled |a| a);
    vectors!(Neon, f64, float64x2_t, 2, true,
        load vld1q_f64, store vst1q_f64, splat vdupq_n_f64, plus vaddq_f64,
        times vmulq_f64, least |a, b| vminq_f64(a, b), settled |a| a);
    vectors!(Neon, i32, int32x4_t, 4, true,
    load vld1q_s32, store vst1q_s32, splat vdupq_n_s32, plus vaddq_s32,
    times vmulq_s32, least |a, b| vminq_s32(a, b), settled |a| {
        let infinite = vcgeq_s32(vabsq_s32(a), vdupq_n_s32(1 << 29));
        vbslq_s32(infinite, vdupq_n_s32(i32::INFINITY), a)
    });
}
