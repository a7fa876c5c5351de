// Random inputs made where they are needed, and a sample of the results brought together. The
// numbers depend on the seed, the input and the cell alone, not on the arrangement; the host makes
// the same (src/cuda/random.rs).

// The finaliser of splitmix64: the bits of a number that is as good as random.
__device__ unsigned long long mixed(unsigned long long x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

// The word at which cell `cell` of input `input` lies.
__device__ long long place(long long cell, long long cells, long long input, long long inputs, int column_wise) {
    return column_wise ? cell * inputs + input : input * cells + cell;
}

// Kinds: 0 f32 and 1 f64 in [0, 1) with 24 bits, 2 i32 or u32 and 3 i64 from 0 to 99, 4 bool,
// 5 any u32 below 2^31, 6 i8 or u8 and 7 i16 or u16 from 0 to 99, 8 any f16 and 9 any bf16 in [0, 1).
extern "C" __global__ void random(void *words, int kind, long long cells, long long inputs, int column_wise,
                                  unsigned long long seed) {
    const long long threads = gridDim.x * (long long)blockDim.x;
    for (long long at = blockIdx.x * (long long)blockDim.x + threadIdx.x; at < cells * inputs; at += threads) {
        const long long input = column_wise ? at % inputs : at / cells;
        const long long cell = column_wise ? at / inputs : at % cells;
        const unsigned long long bits = mixed(seed + (unsigned long long)(input * cells + cell));
        if (kind == 0) ((float *)words)[at] = (float)(bits >> 40) / (1 << 24);
        if (kind == 1) ((double *)words)[at] = (double)(bits >> 40) / (1 << 24);
        if (kind == 2) ((int *)words)[at] = (int)(bits % 100);
        if (kind == 3) ((long long *)words)[at] = (long long)(bits % 100);
        if (kind == 4) ((bool *)words)[at] = bits & 1;
        if (kind == 5) ((unsigned *)words)[at] = (unsigned)(bits >> 33);
        if (kind == 6) ((signed char *)words)[at] = (signed char)(bits % 100);
        if (kind == 7) ((short *)words)[at] = (short)(bits % 100);
        if (kind == 8) ((short *)words)[at] = (short)(bits % 0x3c00);
        if (kind == 9) ((short *)words)[at] = (short)(bits % 0x3f80);
    }
}

// All cells of the chosen inputs, input after input, for words of `bytes` bytes.
extern "C" __global__ void sample(void *sample, const void *words, int bytes, long long cells, long long inputs,
                                  int column_wise, const long long *chosen, long long count) {
    const long long threads = gridDim.x * (long long)blockDim.x;
    for (long long at = blockIdx.x * (long long)blockDim.x + threadIdx.x; at < cells * count; at += threads) {
        const long long from = place(at % cells, cells, chosen[at / cells], inputs, column_wise);
        if (bytes == 8) ((long long *)sample)[at] = ((const long long *)words)[from];
        if (bytes == 4) ((int *)sample)[at] = ((const int *)words)[from];
        if (bytes == 2) ((short *)sample)[at] = ((const short *)words)[from];
        if (bytes == 1) ((char *)sample)[at] = ((const char *)words)[from];
    }
}
