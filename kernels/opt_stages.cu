// Optimal polygon triangulation, a stage a launch (Ito and Nakano 2013): stage p computes
//   M[i][i+p] = min over i <= k < i+p of (M[i][k] + M[k+1][i+p]) + c[i-1][i+p],  1 <= i <= n-1-p.
// M and c have n x n cells, row-major; of c only the part above the diagonal is read.
//
// No cell is -0.0: stage 0 is +0.0, and a sum is -0.0 only if both of its terms are. A minimum of
// sums therefore has the same bits in whatever order it is taken.

// The integer that stands for +infinity, of which two can be added; sums from `LIMIT` on become it.
constexpr int INFINITE = (1 << 30) - 1, LIMIT = 1 << 29;

__device__ float infinity(float) { return __int_as_float(0x7f800000); }
__device__ double infinity(double) { return __longlong_as_double(0x7ff0000000000000LL); }
__device__ int infinity(int) { return INFINITE; }

__device__ float smaller(float a, float b) { return fminf(a, b); }
__device__ double smaller(double a, double b) { return fmin(a, b); }
__device__ int smaller(int a, int b) { return min(a, b); }

// A cell from its least sum and its chord. It never decreases where the least sum grows (rounding
// is monotone, too), so that the least cell of several blocks is the cell of their least sum.
__device__ float cell(float least, float chord) { return least + chord; }
__device__ double cell(double least, double chord) { return least + chord; }
__device__ int cell(int least, int chord) {
    if (least >= LIMIT) return INFINITE;
    const int sum = least + chord;
    return sum >= LIMIT ? INFINITE : sum;
}

// *place = min(*place, value). Bits of non-negative floats are ordered as signed integers, and come
// after those of negative ones; bits of negative floats are ordered the other way round as unsigned
// integers, and come after those of non-negative ones.
__device__ void lower(float *place, float value) {
    const int bits = __float_as_int(value);
    if (bits >= 0) atomicMin((int *)place, bits);
    else atomicMax((unsigned *)place, (unsigned)bits);
}
__device__ void lower(double *place, double value) {
    const long long bits = __double_as_longlong(value);
    if (bits >= 0) atomicMin((long long *)place, bits);
    else atomicMax((unsigned long long *)place, (unsigned long long)bits);
}
__device__ void lower(int *place, int value) { atomicMin(place, value); }

// Where M[i][j] is, and how far it is from there to M[i][j+1] (along a row, as `left` is read) and
// from the copy that `right` is read from, M[k+1][j], to M[k+2][j].
struct Naive {
    static constexpr int COPIES = 1;
    static __device__ long long at(long long n, int i, int j) { return i * n + j; }
    static __device__ long long right(long long n, int i, int j) { return at(n, i, j); }
    static __device__ long long row_step(long long) { return 1; }
    static __device__ long long column_step(long long n) { return n; }
};
// A row for each stage: (i - j + n - 1, j).
struct Sliding {
    static constexpr int COPIES = 1;
    static __device__ long long at(long long n, int i, int j) { return (i - j + n - 1) * n + j; }
    static __device__ long long right(long long n, int i, int j) { return at(n, i, j); }
    static __device__ long long row_step(long long n) { return 1 - n; }
    static __device__ long long column_step(long long n) { return n; }
};
// Both (i, j) and (j, i).
struct Mirroring {
    static constexpr int COPIES = 2;
    static __device__ long long at(long long n, int i, int j) { return i * n + j; }
    static __device__ long long right(long long n, int i, int j) { return at(n, j, i); }
    static __device__ long long row_step(long long) { return 1; }
    static __device__ long long column_step(long long) { return 1; }
};

// TB(t): a thread a cell, t threads a block.
template <typename Arrangement, typename T>
__device__ void thread_based(T *m, const T *c, int n, int p) {
    const int i = 1 + blockIdx.x * blockDim.x + threadIdx.x, j = i + p;
    if (j >= n) return;
    const T *left = m + Arrangement::at(n, i, i), *right = m + Arrangement::right(n, i + 1, j);
    const long long row = Arrangement::row_step(n), column = Arrangement::column_step(n);
    T least = infinity(T());
#pragma unroll 8
    for (int k = 0; k < p; ++k) {
        least = smaller(least, left[k * row] + right[k * column]);
    }
    m[Arrangement::at(n, i, j)] = cell(least, c[(i - 1) * (long long)n + j]);
}

// BB(t, b): b blocks of t threads a cell, t a power of two from 32 to 1024. With b > 1 the cells of
// stage p must be infinite before.
template <typename Arrangement, typename T>
__device__ void block_based(T *m, const T *c, int n, int p, int b) {
    __shared__ T second_half[512];
    const int i = 1 + blockIdx.x / b, j = i + p, part = blockIdx.x % b;
    const T *left = m + Arrangement::at(n, i, i), *right = m + Arrangement::right(n, i + 1, j);
    const long long row = Arrangement::row_step(n), column = Arrangement::column_step(n);
    const int end = p * (part + 1) / b;
    T least = infinity(T());
#pragma unroll 4
    for (int k = p * part / b + threadIdx.x; k < end; k += blockDim.x) {
        least = smaller(least, left[k * row] + right[k * column]);
    }
    // The second half of the threads hands its minima to the first, down to one warp.
    for (int half = blockDim.x / 2; half >= 32; half /= 2) {
        const int thread = threadIdx.x;
        if (half <= thread && thread < 2 * half) second_half[thread - half] = least;
        __syncthreads();
        if (thread < half) least = smaller(least, second_half[thread]);
        __syncthreads();
    }
    if (threadIdx.x >= 32) return;
    for (int half = 16; half > 0; half /= 2) {
        least = smaller(least, __shfl_down_sync(0xffffffff, least, half));
    }
    if (threadIdx.x > 0) return;
    const T value = cell(least, c[(i - 1) * (long long)n + j]);
    // A mirrored cell's twin gets the same b values, so that both end as their least.
    T *const places[] = {m + Arrangement::at(n, i, j), m + Arrangement::right(n, i, j)};
    for (int copy = 0; copy < Arrangement::COPIES; ++copy) {
        if (b == 1) *places[copy] = value;
        else lower(places[copy], value);
    }
}

// Stage 0 is zero, everything else infinite.
template <typename T>
__device__ void initialise(T *m, int n, int sliding) {
    const long long cells = (long long)n * n, threads = gridDim.x * (long long)blockDim.x;
    for (long long at = blockIdx.x * (long long)blockDim.x + threadIdx.x; at < cells; at += threads) {
        const long long row = at / n, diagonal = sliding ? n - 1 : at % n;
        m[at] = row == diagonal ? T(0) : infinity(T());
    }
}

// Copies the cells i <= j to another arrangement, in tiles of 32 x 32 cells, 256 threads each. Every
// warp reads and writes neighbours: of a row, or in the sliding arrangement of a diagonal.
constexpr int TILE = 32;
enum Code { NAIVE, SLIDING, MIRRORING };

// Calls `visit(place, row, column)` for all cells of the tile at (i0, j0) on or above the diagonal.
template <typename Visit>
__device__ void each_cell(long long n, int i0, int j0, int arrangement, Visit visit) {
    const int lane = threadIdx.x % TILE, j = j0 + lane;
    for (int step = threadIdx.x / TILE; step < 2 * TILE; step += blockDim.x / TILE) {
        // A row of the tile, or one of its diagonals.
        const int row = arrangement == SLIDING ? lane + step - TILE : step, i = i0 + row;
        if (row < 0 || row >= TILE || i > j || j >= n) continue;
        visit(arrangement == SLIDING ? Sliding::at(n, i, j) : Naive::at(n, i, j), row, lane);
    }
}

template <typename T>
__device__ void convert(const T *from, T *to, int n, int arranged, int wanted) {
    __shared__ T tile[TILE][TILE + 1];
    const int tiles = (n + TILE - 1) / TILE;
    const int i0 = blockIdx.x / tiles * TILE, j0 = blockIdx.x % tiles * TILE;
    if (i0 > j0) return;
    each_cell(n, i0, j0, arranged,
              [&](long long place, int row, int column) { tile[row][column] = from[place]; });
    __syncthreads();
    each_cell(n, i0, j0, wanted,
              [&](long long place, int row, int column) { to[place] = tile[row][column]; });
    if (wanted != MIRRORING) return;
    const int lane = threadIdx.x % TILE, i = i0 + lane;
    for (int column = threadIdx.x / TILE; column < TILE; column += blockDim.x / TILE) {
        const int j = j0 + column;
        if (i <= j && j < n) to[Naive::at(n, j, i)] = tile[lane][column];
    }
}

#define KERNELS(T, NAME)                                                                           \
    extern "C" __global__ void tb_naive_##NAME(T *m, const T *c, int n, int p) {                   \
        thread_based<Naive>(m, c, n, p);                                                           \
    }                                                                                              \
    extern "C" __global__ void tb_sliding_##NAME(T *m, const T *c, int n, int p) {                 \
        thread_based<Sliding>(m, c, n, p);                                                         \
    }                                                                                              \
    extern "C" __global__ void bb_naive_##NAME(T *m, const T *c, int n, int p, int b) {            \
        block_based<Naive>(m, c, n, p, b);                                                         \
    }                                                                                              \
    extern "C" __global__ void bb_mirroring_##NAME(T *m, const T *c, int n, int p, int b) {        \
        block_based<Mirroring>(m, c, n, p, b);                                                     \
    }                                                                                              \
    extern "C" __global__ void initialise_##NAME(T *m, int n, int sliding) {                       \
        initialise(m, n, sliding);                                                                 \
    }                                                                                              \
    extern "C" __global__ void convert_##NAME(const T *from, T *to, int n, int arranged,           \
                                              int wanted) {                                        \
        convert(from, to, n, arranged, wanted);                                                    \
    }

KERNELS(float, f32)
KERNELS(double, f64)
KERNELS(int, i32)
