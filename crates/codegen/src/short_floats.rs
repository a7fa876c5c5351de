//! Floats of 16 bits in CUDA C, without a header: what holds them, and how they are rounded.

const BITS: &str = "__host__ __device__ __forceinline__ unsigned bits_of(float x) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(x);
#else
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
#endif
}
__host__ __device__ __forceinline__ float float_of(unsigned bits) {
#ifdef __CUDA_ARCH__
    return __uint_as_float(bits);
#else
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
#endif
}
";

/// Name, and text.
const TYPES: &[(&str, &str)] = &[
    (
        "binary16",
        "// A float of 16 bits. It is computed as a float, and rounded by a cast; every NaN has one pattern.
struct binary16 {
    unsigned short bits;
    binary16() = default;
    __host__ __device__ __forceinline__ static constexpr binary16 of_bits(unsigned short bits) { return binary16(bits, true); }
    __host__ __device__ __forceinline__ explicit binary16(float x) : bits() {
#ifdef __CUDA_ARCH__
        asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(bits) : \"f\"(x));
#else
        const unsigned all = bits_of(x), magnitude = all & 0x7fffffff, sign = all >> 16 & 0x8000;
        if (magnitude > 0x7f800000) bits = 0x7fff;
        else if (magnitude >= 0x477ff000) bits = (unsigned short)(sign | 0x7c00);
        else if (magnitude < 0x38800000) bits = (unsigned short)(sign | (bits_of(float_of(magnitude) + 0.5f) - 0x3f000000));
        else bits = (unsigned short)(sign | (((magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13) - (112 << 10)));
#endif
    }
    __host__ __device__ __forceinline__ operator float() const {
#ifdef __CUDA_ARCH__
        float wide;
        asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(wide) : \"h\"(bits));
        return wide;
#else
        const unsigned sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
        if (exponent == 0) return float_of(sign | bits_of(fraction / 16777216.0f));
        return float_of(sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | fraction << 13);
#endif
    }

private:
    __host__ __device__ constexpr binary16(unsigned short bits, bool) : bits(bits) {}
};
",
    ),
    (
        "bfloat16",
        "// The upper half of a float. It is computed as a float, and rounded by a cast; every NaN has one pattern.
struct bfloat16 {
    unsigned short bits;
    bfloat16() = default;
    __host__ __device__ __forceinline__ static constexpr bfloat16 of_bits(unsigned short bits) { return bfloat16(bits, true); }
    __host__ __device__ __forceinline__ explicit bfloat16(float x) : bits() {
        const unsigned all = bits_of(x);
        bits = (all & 0x7fffffff) > 0x7f800000 ? 0x7fff : (unsigned short)((all + 0x7fff + (all >> 16 & 1)) >> 16);
    }
    __host__ __device__ __forceinline__ operator float() const { return float_of((unsigned)bits << 16); }

private:
    __host__ __device__ constexpr bfloat16(unsigned short bits, bool) : bits(bits) {}
};
",
    ),
];

/// What a standalone program fills an array of them with.
pub(super) const UNITS: (&str, &str) = (
    "short_units",
    "
template <class T> static void short_units(Random random, long long places, T *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)((double)(long long)(random.unit() * places) / places);
}
",
);

/// The types that texts mention.
pub(super) fn needed(texts: &[&str]) -> String {
    let is_in = |name: &str| {
        let ends = |it: char| !it.is_ascii_alphanumeric() && it != '_';
        texts.iter().any(|text| text.split(ends).any(|word| word == name))
    };
    let types: String = TYPES.iter().filter(|it| is_in(it.0)).map(|it| it.1).collect();
    if types.is_empty() { types } else { BITS.to_owned() + &types }
}
