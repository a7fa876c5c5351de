// Min-plus products of tiles, for the engine of opt_tiled.cuh.

#define TILE 64
#define CELLS (TILE * TILE)
#define THREADS 256
#define GROUPS 4   // of 64 threads; each takes a part of the vertices k of a stage
#define SUB 8      // side of the parts into which a tile is cut to be closed
#define PITCH (TILE + 4)   // of rows of a tile that is being closed: no bank conflicts down a column

#if defined(REAL_F64)
#define DEPTH 32   // vertices k of a stage
#define RESIDENT 1 // blocks of threads of a multiprocessor
#else
#define DEPTH 64
#define RESIDENT 2
#endif
#define STAGES 3
#define STAGE_CELLS (2 * DEPTH * TILE)

struct Problem {
    real *tiles;            // polygons x N x N x 64 x 64
    const real *base;       // polygons x n, or null for 0
    int *done;              // polygons x N: closed tiles of each block diagonal
    int *parts;             // polygons x N x N: finished parts of the products of a tile
    int *next;              // the next item of work
    int *negative;          // whether a weight is negative
    // For each block diagonal e: its first item, and the parts of the products of each of its tiles.
    // Items are the tiles of e to close, then the parts of the tiles of e + ahead.
    const int2 *plan;
    int n, blocks;          // vertices, and blocks of them: N
    int ahead;              // block diagonals by which products run ahead
    int polygons;
    const real *sides;      // N x 64, p of each vertex of the only polygon, 0 beyond n; null unless SPLIT
};

// A kernel's parameters are scalars; these are those of a problem.
#define PROBLEM                                                                                                       \
    real *tiles, const real *base, int *done, int *parts, int *next, int *negative, const int2 *plan, int n, int blocks, \
        int ahead, int polygons, const real *sides
#define ITS_FIELDS {tiles, base, done, parts, next, negative, plan, n, blocks, ahead, polygons, sides}

__device__ __forceinline__ real *tile(const Problem &p, int polygon, int row, int column) {
    return p.tiles + ((size_t)(polygon * p.blocks + row) * p.blocks + column) * CELLS;
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

// Copies `cells` cells by all threads.
__device__ __forceinline__ void fetch(real *shared, const real *global, int cells) {
    for (int at = threadIdx.x * PER_CHUNK; at < cells; at += THREADS * PER_CHUNK) copy_async(shared + at, global + at);
}

// Eight cells: four beginning at `at`, four 32 further on.
__device__ __forceinline__ void eight(real *cells, const real *at) {
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int i = 0; i < 4; i += PER_CHUNK) *(chunk *)(cells + 4 * half + i) = *(const chunk *)(at + 32 * half + i);
}

// Sides of the rows and of the columns of the tile that a block of threads works at, if SPLIT.
__shared__ real p_a[TILE], p_b[TILE];

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

// The vertices k of a product: `first` blocks from the address `left` and `right` on, then, after
// `gap` blocks that are left out, `second` more.
struct Operands {
    const real *left, *right;   // tiles (K, I) and (K, J) for the first K
    size_t pitch;               // cells from there to K + 1
    int first, gap, second;
    const real *p_k;            // sides of the first K
};

// The least sums over all vertices k of the operands; they are left in shared memory, GROUPS tiles of
// 64 x 64 one after another.
template <bool NATURAL> __device__ __noinline__ void product(Operands of) {
    real *shared = (real *)memory;
    const int group = threadIdx.x / 64, y = threadIdx.x % 64 / 8, x = threadIdx.x % 8;
    real least[8][8];
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) least[i][j] = INFINITE;

    const int length = (of.first + of.second) * (TILE / DEPTH);
    auto block = [&](int at) {
        const int index = at / (TILE / DEPTH);
        return index < of.first ? index : index + of.gap;
    };
    auto load = [&](int at) {
        if (at < length) {
            const size_t place = block(at) * of.pitch + at % (TILE / DEPTH) * (DEPTH * TILE);
            real *stage = shared + at % STAGES * STAGE_CELLS;
            fetch(stage, of.left + place, DEPTH * TILE);
            fetch(stage + DEPTH * TILE, of.right + place, DEPTH * TILE);
        }
        commit();
    };
#pragma unroll
    for (int at = 0; at < STAGES - 1; at++) load(at);
    for (int at = 0; at < length; at++) {
        await<STAGES - 2>();
        __syncthreads();
        load(at + STAGES - 1);
        const real *left = shared + at % STAGES * STAGE_CELLS + group * (DEPTH / GROUPS) * TILE + 4 * y;
        const real *right = left - 4 * y + DEPTH * TILE + 4 * x;
        const real *p_k = of.p_k + block(at) * TILE + at % (TILE / DEPTH) * DEPTH + group * (DEPTH / GROUPS);
#pragma unroll
        for (int k = 0; k < DEPTH / GROUPS; k += 2) {
            real l[2][8], r[2][8];
            Sides p = {};
#pragma unroll
            for (int two = 0; two < 2; two++) {
                eight(l[two], left + (k + two) * TILE);
                eight(r[two], right + (k + two) * TILE);
                if (SPLIT) p.k[two] = p_k[k + two];
            }
            // Read again for each two vertices: else the compiler keeps all 64 products p_a * p_b, for which
            // there are not enough registers.
#pragma unroll
            for (int i = 0; SPLIT && i < 8; i++) {
                p.a[i] = *(const volatile real *)(p_a + 4 * y + i % 4 + i / 4 * 32);
                p.b[i] = p_b[4 * x + i % 4 + i / 4 * 32];
            }
            relax<NATURAL>(least, l[0], r[0], l[1], r[1], p);
        }
    }
    await<0>();
    __syncthreads();
    real *mine = shared + group * CELLS;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        real *row = mine + (4 * y + i % 4 + i / 4 * 32) * TILE + 4 * x;
#pragma unroll
        for (int j = 0; j < 8; j += PER_CHUNK) *(chunk *)(row + j % 4 + j / 4 * 32) = *(const chunk *)&least[i][j];
    }
    __syncthreads();
}

// Row I times column J over blocks [from, to) and [from2, to2).
__device__ __forceinline__ void product(const Problem &p, int polygon, int I, int J, int from, int to, int from2, int to2) {
    const Operands of = {tile(p, polygon, from, I), tile(p, polygon, from, J), (size_t)p.blocks * CELLS,
                         to - from, from2 - to, to2 - from2, SPLIT ? p.sides + from * TILE : nullptr};
    if (SPLIT && threadIdx.x < TILE) {
        p_a[threadIdx.x] = p.sides[I * TILE + threadIdx.x];
        p_b[threadIdx.x] = p.sides[J * TILE + threadIdx.x];
    }
#if defined(REAL_F32)
    if (!*p.negative) return product<true>(of);
#endif
    product<false>(of);
}

__device__ __forceinline__ real least_of_groups(int cell) {
    const real *shared = (const real *)memory;
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
