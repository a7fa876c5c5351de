// Min-plus products of tiles, for the engine of opt_tiled.cuh.

// The host says by SIDE how many vertices wide tiles are computed: 64, or 32 where few tiles are left for
// each multiprocessor, since a small one is closed sooner. Memory has them by 64 in either case.
#define TILE 64
#define CELLS (SIDE * SIDE)
#define THREADS (4 * SIDE)
#define EIGHTHS (SIDE / 8)
#define GROUPS (THREADS / (EIGHTHS * EIGHTHS))   // each takes a part of the vertices k of a stage
#define RESIDENT (sizeof(real) * SIDE <= 128 ? 4 : 2)   // blocks of threads of a multiprocessor
#define STAGES 3

struct Problem {
    real *tiles;            // polygons, each as tiles of 64 x 64
    const real *base;       // polygons x n, or null for 0
    int *done;              // polygons x N x N: finished parts of the products of tile (I, J) at (I, J),
                            // and at (J, I) whether it is closed
    int *next;              // the next item of work
    int *negative;          // whether a weight is negative
    // For each block diagonal e: its first item, and the parts of the products of each of its tiles.
    // Items are the tiles of e to close, then the parts of the tiles of e + ahead.
    const int2 *plan;
    int n, blocks;          // vertices, and blocks of SIDE of them: N
    int ahead;              // block diagonals by which products run ahead
    int polygons;
    const real *sides;      // p of each vertex of the only polygon, 0 beyond n, whole tiles; null unless SPLIT
};

// A kernel's parameters are scalars; these are those of a problem.
#define PROBLEM                                                                                                       \
    real *tiles, const real *base, int *done, int *next, int *negative, const int2 *plan, int n, int blocks, int ahead,  \
        int polygons, const real *sides
#define ITS_FIELDS {tiles, base, done, next, negative, plan, n, blocks, ahead, polygons, sides}

// Tile (row, column) of 64 x 64 as it lies in memory.
__device__ __forceinline__ real *stored(const Problem &p, int polygon, int row, int column) {
    const int rows = (p.n + TILE - 1) / TILE;
    return p.tiles + ((size_t)(polygon * rows + row) * rows + column) * (TILE * TILE);
}

// Tile (row, column) of SIDE x SIDE: its rows are TILE apart.
__device__ __forceinline__ real *tile(const Problem &p, int polygon, int row, int column) {
    constexpr int EACH = TILE / SIDE;
    return stored(p, polygon, row / EACH, column / EACH) + (row % EACH * TILE + column % EACH) * SIDE;
}

__device__ __forceinline__ void copy_async(real *shared, const real *global) {
#if __CUDA_ARCH__ >= 800
    const unsigned int at = (unsigned int)__cvta_generic_to_shared(shared);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(global) : "memory");
#else
    *(chunk *)shared = __ldcg((const chunk *)global);
#endif
}
__device__ __forceinline__ void commit() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int PENDING> __device__ __forceinline__ void await() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#endif
}

// Calls `visit(i, row, column)` for a thread's share of a tile's cells, the i-th of CELLS / THREADS:
// neighbours have neighbouring columns.
template <typename Visit> __device__ __forceinline__ void each_cell(Visit visit) {
    const int row = threadIdx.x / SIDE, column = threadIdx.x % SIDE;
#pragma unroll
    for (int i = 0; i < CELLS / THREADS; i++) visit(i, row + i * (THREADS / SIDE), column);
}

// Copies a tile by all threads, row to row; rows in shared memory are PITCH_OF apart.
template <int PITCH_OF = SIDE> __device__ __forceinline__ void fetch(real *shared, const real *tile) {
    constexpr int CHUNKS = SIDE / PER_CHUNK, ROWS = THREADS / CHUNKS;
    const int row = threadIdx.x / CHUNKS, column = threadIdx.x % CHUNKS * PER_CHUNK;
    shared += row * PITCH_OF + column, tile += row * TILE + column;
#pragma unroll
    for (int i = 0; i < SIDE / ROWS; i++) copy_async(shared + i * ROWS * PITCH_OF, tile + i * ROWS * TILE);
}

// Eight cells: four beginning at `at`, four half a row further on.
__device__ __forceinline__ void eight(real *cells, const real *at) {
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int i = 0; i < 4; i += PER_CHUNK)
            *(chunk *)(cells + 4 * half + i) = *(const chunk *)(at + SIDE / 2 * half + i);
}
// Where the i-th of a thread's eight rows or columns is, from the first on.
__device__ __forceinline__ int eighth(int i) { return i % 4 + i / 4 * (SIDE / 2); }

// Sides of the rows and of the columns of the tile that a block of threads works at, if SPLIT.
__shared__ real p_a[SIDE], p_b[SIDE];

// Sides of vertices a and b, and of two vertices k.
struct Sides {
    real a[8], b[8], k[2];
};

// least[i][j] = min(least[i][j], x[i] + y[j]) for two vertices k at once, with what triangles add.
template <bool NATURAL>
__device__ __forceinline__ void relax(real (&least)[8][8], const real *x, const real *y, const real *x2, const real *y2,
                                      const Sides &p) {
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) {
            auto one = [&] { return sum_over(x[i], y[j], p.k[0], p.a[i] * p.b[j]); };
            auto two = [&] { return sum_over(x2[i], y2[j], p.k[1], p.a[i] * p.b[j]); };
#if defined(REAL_F32)
            if (NATURAL) {
                // Without a negative number the bits of floats are ordered as they are.
                const int bits = __float_as_int(one()), bits2 = __float_as_int(two());
                least[i][j] = __int_as_float(__vimin3_s32(__float_as_int(least[i][j]), bits, bits2));
            } else {
                least[i][j] = fminf(fminf(least[i][j], one()), two());
            }
#elif defined(REAL_I32)
            if (SPLIT) {
                least[i][j] = __vimin3_s32(least[i][j], one(), two());
            } else {
                least[i][j] = __viaddmin_s32(x[i], y[j], least[i][j]);
                least[i][j] = __viaddmin_s32(x2[i], y2[j], least[i][j]);
            }
#else
            least[i][j] = least_of(least_of(least[i][j], one()), two());
#endif
        }
}

// The rows and columns of a tile that a thread has in a product, and its group.
struct Share {
    int group, y, x;
};
__device__ __forceinline__ Share own_share() {
    constexpr int THREADS_OF_GROUP = EIGHTHS * EIGHTHS;
    const int own = threadIdx.x % THREADS_OF_GROUP;
    return {(int)threadIdx.x / THREADS_OF_GROUP, 4 * (own / EIGHTHS), 4 * (own % EIGHTHS)};
}

__device__ __forceinline__ void begin(real (&least)[8][8]) {
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) least[i][j] = INFINITE;
}

// Adds the product of two tiles in shared memory, (K, I) and (K, J); `p_k` are the sides of K.
template <bool NATURAL>
__device__ __forceinline__ void multiply_tiles(real (&least)[8][8], const real *left, const real *right, const real *p_k) {
    constexpr int EACH = SIDE / GROUPS;
    const Share own = own_share();
    left += own.group * EACH * SIDE + own.y, right += own.group * EACH * SIDE + own.x, p_k += own.group * EACH;
#pragma unroll
    for (int k = 0; k < EACH; k += 2) {
        real l[2][8], r[2][8];
        Sides p = {};
#pragma unroll
        for (int two = 0; two < 2; two++) {
            eight(l[two], left + (k + two) * SIDE);
            eight(r[two], right + (k + two) * SIDE);
            if (SPLIT) p.k[two] = p_k[k + two];
        }
        // Read again for each two vertices: else the compiler keeps all 64 products p_a * p_b, for which
        // there are not enough registers.
#pragma unroll
        for (int i = 0; SPLIT && i < 8; i++) {
            p.a[i] = *(const volatile real *)(p_a + own.y + eighth(i));
            p.b[i] = p_b[own.x + eighth(i)];
        }
        relax<NATURAL>(least, l[0], r[0], l[1], r[1], p);
    }
}

// Leaves the least sums of all groups in shared memory, GROUPS tiles one after another.
__device__ __forceinline__ void leave(const real (&least)[8][8]) {
    const Share own = own_share();
    await<0>();
    __syncthreads();
    real *mine = (real *)memory + own.group * CELLS + own.x;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        real *row = mine + (own.y + eighth(i)) * SIDE;
#pragma unroll
        for (int j = 0; j < 8; j += PER_CHUNK) *(chunk *)(row + eighth(j)) = *(const chunk *)&least[i][j];
    }
    __syncthreads();
}

// Row I times column J over blocks [from, to), through STAGES pairs of tiles in shared memory.
template <bool NATURAL>
__device__ __noinline__ void product(const Problem &p, int polygon, int I, int J, int from, int to) {
    real *shared = (real *)memory;
    real least[8][8];
    begin(least);
    auto load = [&](int K) {
        if (K < to) {
            real *stage = shared + (K - from) % STAGES * (2 * CELLS);
            fetch(stage, tile(p, polygon, K, I));
            fetch(stage + CELLS, tile(p, polygon, K, J));
        }
        commit();
    };
#pragma unroll
    for (int at = 0; at < STAGES - 1; at++) load(from + at);
    for (int K = from; K < to; K++) {
        await<STAGES - 2>();
        __syncthreads();
        load(K + STAGES - 1);
        const real *stage = shared + (K - from) % STAGES * (2 * CELLS);
        multiply_tiles<NATURAL>(least, stage, stage + CELLS, p.sides + K * SIDE);
    }
    leave(least);
}

// The products of `count` pairs of tiles that are in shared memory or on the way there; the sides of
// their blocks are `apart` from each other.
template <bool NATURAL> __device__ __noinline__ void product_of_pairs(int count, const real *p_k, int apart) {
    const real *shared = (const real *)memory;
    real least[8][8];
    begin(least);
    await<0>();
    __syncthreads();
#pragma unroll 1
    for (int at = 0; at < count; at++)
        multiply_tiles<NATURAL>(least, shared + 2 * at * CELLS, shared + (2 * at + 1) * CELLS, p_k + at * apart);
    leave(least);
}

// Sides of the rows of block I and of the columns of block J.
__device__ __forceinline__ void set_sides(const Problem &p, int I, int J) {
    if (SPLIT && threadIdx.x < SIDE) {
        p_a[threadIdx.x] = p.sides[I * SIDE + threadIdx.x];
        p_b[threadIdx.x] = p.sides[J * SIDE + threadIdx.x];
    }
}

// Whether bits of floats may be compared in place of them.
__device__ __forceinline__ bool natural(const Problem &p) {
#if defined(REAL_F32)
    return !*p.negative;
#else
    return false;
#endif
}

__device__ __forceinline__ real least_of_groups(int row, int column) {
    const real *shared = (const real *)memory;
    const int cell = row * SIDE + column;
    real least = shared[cell];
#pragma unroll
    for (int group = 1; group < GROUPS; group++) least = least_of(least, shared[group * CELLS + cell]);
    return least;
}

// As many relaxations in registers as the chip makes, to hold engines against: 128 a thread and round.
extern "C" __global__ void __launch_bounds__(THREADS) ceiling(real *sums, int rounds, int natural) {
    real least[8][8], l[2][8], r[2][8];
    const Sides none = {};
    const real own = sums[threadIdx.x];
    for (int i = 0; i < 8; i++) {
        l[0][i] = own + i, l[1][i] = own + 2 * i, r[0][i] = own + 3 * i, r[1][i] = own + 5 * i;
        for (int j = 0; j < 8; j++) least[i][j] = own + 7 * i * j;
    }
    for (int round = 0; round < rounds; round++) {
        if (natural) relax<true>(least, l[0], r[0], l[1], r[1], none);
        else relax<false>(least, l[0], r[0], l[1], r[1], none);
        // New operands, that nothing is computed once and for all.
#pragma unroll
        for (int i = 0; i < 8; i++) l[0][i] = least[i][i];
    }
    real all = least[0][0];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) all = least_of(all, least[i][j]);
    if (all == (real)-1) sums[threadIdx.x] = all;
}
