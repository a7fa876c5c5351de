// The interval dynamic programming of optimal polygon triangulation by tiles.
//
//   T[a][b] = min over a < k < b of (T[a][k] + T[k][b]) + c[a][b],   T[a][a+1] = base[a]
//
// and if SPLIT, with p_k * (p_a * p_b) added to each sum, p being the sides of the vertices.
//
// Vertices are cut into N blocks of 64, the table into tiles of 64 x 64, each contiguous. Tile (I, J)
// with I <= J holds c and at last T, row a, column b. Its mirror image (J, I) holds the least sums found
// so far and at last T transposed, so that both operands of a min-plus product are read by rows k: the
// mirroring arrangement of Ito and Nakano 2013, tile by tile. One launch computes everything: blocks
// of threads take items of work from a counter, in an order in which an item needs only earlier ones,
// and wait for those of them that are not done.
//
// The host puts REAL_F32, REAL_F64 or REAL_I32, SPLIT and SHARED_BYTES before this text
// (src/cuda/opt/tiled.rs).

// *place = min(*place, value) for all blocks at once.
__device__ __forceinline__ void least_into(real *place, real value) {
#if defined(REAL_I32)
    atomicMin(place, value);
#else
    // Bits of non-negative numbers are ordered as they are, those of negative ones the other way
    // round, and below all others as signed, above all others as unsigned numbers.
    bits_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits >= 0) atomicMin((bits_t *)place, bits);
    else atomicMax((ubits_t *)place, (ubits_t)bits);
#endif
}

__device__ __forceinline__ void wait_until(const int *counter, int value) {
    while (*(const volatile int *)counter < value) __nanosleep(40);
}

// Shared memory of a tile that is being closed.
struct Closing {
    real t[TILE][PITCH];            // the least sums, which become T
    real c[CELLS];
    real ii[CELLS], jj[CELLS];      // T of tiles (I, I) and (J, J), both symmetric
};

// Closes part (x, y) of a tile by one warp: first the sums over vertices of other parts, then cell by
// cell. At `time`, the cells of one anti-diagonal become final; each is held by two lanes, one for its
// column b and one for its row a, which take turns with what its neighbours to the left and below
// hand on: lane b < SUB has the next SUB cells of column b, from the one that is final next upwards,
// and lane SUB + j those of row SUB - 1 - j to the right. (Lanes from 2 SUB on do nothing of use.)
__device__ __forceinline__ void close_part(Closing &s, int x, int y, bool first, real side) {
    constexpr int EACH = SUB * SUB / 32;
    const int lane = threadIdx.x % 32, own = lane % SUB;
    {
        const int a = x * SUB + lane * EACH / SUB, b = y * SUB + lane * EACH % SUB;
        real least[EACH], p_ab[EACH];
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            least[j] = s.t[a][b + j];
            p_ab[j] = p_a[a] * p_b[b + j];
        }
#pragma unroll 8
        for (int k = (x + 1) * SUB; k < TILE; k++)
#pragma unroll
            for (int j = 0; j < EACH; j++) {
                const real sum = sum_over(s.ii[k * TILE + a], s.t[k][b + j], p_a[k], p_ab[j]);
                least[j] = least_of(least[j], sum);
            }
#pragma unroll 8
        for (int k = 0; k < y * SUB; k++)
#pragma unroll
            for (int j = 0; j < EACH; j++) {
                const real sum = sum_over(s.t[a][k], s.jj[k * TILE + b + j], p_b[k], p_ab[j]);
                least[j] = least_of(least[j], sum);
            }
#pragma unroll
        for (int j = 0; j < EACH; j++) s.t[a][b + j] = least[j];
    }
    __syncwarp();
    const bool of_column = lane % (2 * SUB) < SUB;
    const int vertex = of_column ? y * SUB + own : x * SUB + SUB - 1 - own;
    // T between the own column and the one i to the left, or the own row and the one i below; the side of
    // that; and the product of those of the own one and of the one that it meets at time i.
    real least[SUB], apart[SUB], p_k[SUB], p_ab[SUB];
#pragma unroll
    for (int i = 0; i < SUB; i++) {
        const int a = SUB - 1 + own - i;
        const real *side_by_side = of_column ? s.jj + (vertex - i) * TILE : s.ii + (vertex + i) * TILE;
        apart[i] = i <= own ? side_by_side[vertex] : INFINITE;
        p_k[i] = i > own ? (real)0 : of_column ? p_b[vertex - i] : p_a[vertex + i];
        const int met = (i - own) & (SUB - 1);
        p_ab[i] = of_column ? p_a[x * SUB + SUB - 1 - met] * p_b[vertex] : p_a[vertex] * p_b[y * SUB + met];
        least[i] = lane < SUB && a < SUB ? s.t[x * SUB + a][y * SUB + own] : INFINITE;
    }
    // Where the own cell's chord is at time 0, and how far from there it is at the next time; and where
    // the cell is that enters at the top of a column.
    const real *chord = s.c + (x * SUB + SUB - 1 + (of_column ? own : -own)) * TILE + y * SUB + (of_column ? own : -own);
    const int further = of_column ? -TILE : 1;
    real *cell = &s.t[x * SUB + SUB - 1 + own][y * SUB + own];
    real whole = own == 0 ? *chord : (real)0;
#pragma unroll
    for (int time = 0; time < 2 * SUB - 1; time++) {
        const int other = time - own;
        const bool active = other >= 0 && other < SUB;
        const real theirs = __shfl_sync(0xffffffffu, least[0], (of_column ? SUB : 0) + (other & (SUB - 1)), 2 * SUB);
        const real sum = plus(least_of(least[0], theirs), whole);
        const real value = !active ? INFINITE : first && time == 0 ? side : sum;
#pragma unroll
        for (int i = 1; i < SUB; i++) {
            const real neighbour = __shfl_up_sync(0xffffffffu, value, i, SUB);
            least[i - 1] = least_of(least[i], sum_over(neighbour, apart[i], p_k[i], p_ab[(time + i) % SUB]));
        }
        least[SUB - 1] = lane < SUB && other < 0 ? *(cell - SUB * PITCH) : INFINITE;
        if (active && lane < SUB) *cell = value;
        cell -= PITCH;
        whole = other >= -1 && other < SUB - 1 ? chord[(time + 1) * further] : (real)0;
    }
}

// Closes tile (I, J), I < J: adds what runs over vertices of blocks I and J themselves. Of neighbours,
// the corner is a side of the polygon.
__device__ __noinline__ void close(bool neighbours, real side) {
    constexpr int LAST = TILE / SUB - 1;
    static_assert(LAST < THREADS / 32, "a warp for each part of an anti-diagonal");
    // Parts (x, y) of the tile with (LAST - x) + y = step do not need each other.
    for (int step = 0; step <= 2 * LAST; step++) {
        const int y = max(0, step - LAST) + (int)threadIdx.x / 32, x = LAST - (step - y);
        if (y <= LAST && x <= LAST) close_part(*(Closing *)memory, x, y, neighbours && step == 0, side);
        __syncthreads();
    }
}

__device__ void finish(const Problem &p, int polygon, int I, int J) {
    const int e = J - I;
    if (threadIdx.x == 0) {
        wait_until(p.done + polygon * p.blocks + e - 1, p.blocks - e + 1);
        wait_until(p.parts + ((size_t)polygon * p.blocks + I) * p.blocks + J, p.plan[e].y);
        __threadfence();
    }
    __syncthreads();
    const int to = min(I + 1 + p.ahead, J);
    product(p, polygon, I, J, I + 1, to, max(J - p.ahead, to), J);
    const real *sums = tile(p, polygon, J, I), *weights = tile(p, polygon, I, J);
    Closing &closing = *(Closing *)memory;
    real mine[CELLS / THREADS];
#pragma unroll
    for (int i = 0; i < CELLS / THREADS; i++) {
        const int cell = threadIdx.x + i * THREADS;
        mine[i] = least_of(least_of_groups(cell), __ldcg(sums + cell));
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < CELLS / THREADS; i++) {
        const int cell = threadIdx.x + i * THREADS;
        closing.t[cell / TILE][cell % TILE] = mine[i];
    }
    fetch(closing.c, weights, CELLS);
    fetch(closing.ii, tile(p, polygon, I, I), CELLS);
    fetch(closing.jj, tile(p, polygon, J, J), CELLS);
    commit();
    await<0>();
    __syncthreads();
    const int edge = min(J * TILE - 1, p.n - 1);
    close(I + 1 == J, p.base ? p.base[(size_t)polygon * p.n + edge] : (real)0);
    auto &t = closing.t;
    real *upper = tile(p, polygon, I, J), *lower = tile(p, polygon, J, I);
    for (int cell = threadIdx.x; cell < CELLS; cell += THREADS) {
        upper[cell] = t[cell / TILE][cell % TILE];
        lower[cell] = t[cell % TILE][cell / TILE];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(p.done + polygon * p.blocks + e, 1);
    }
}

// Part `part` of the products of tile (I, J) over blocks that are `ahead` apart from both.
__device__ void multiply(const Problem &p, int polygon, int I, int J, int part, int parts) {
    const int e = J - I;
    if (threadIdx.x == 0) {
        wait_until(p.done + polygon * p.blocks + e - p.ahead - 1, p.blocks - (e - p.ahead - 1));
        __threadfence();
    }
    __syncthreads();
    const int first = I + 1 + p.ahead, count = J - p.ahead - first;
    const int from = first + (int)((long long)count * part / parts), to = first + (int)((long long)count * (part + 1) / parts);
    product(p, polygon, I, J, from, to, to, to);
    real *sums = tile(p, polygon, J, I);
    for (int cell = threadIdx.x; cell < CELLS; cell += THREADS) {
        const real least = least_of_groups(cell);
        if (parts == 1) sums[cell] = least;
        else least_into(sums + cell, least);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(p.parts + ((size_t)polygon * p.blocks + I) * p.blocks + J, 1);
    }
}

static_assert(SHARED_BYTES >= sizeof(Closing), "a tile that is being closed fits");
static_assert(SHARED_BYTES >= STAGES * STAGE_CELLS * sizeof(real), "the stages of a product fit");
static_assert(SHARED_BYTES >= GROUPS * CELLS * sizeof(real), "the sums of a product fit");

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) triangulate(PROBLEM) {
    const Problem p = ITS_FIELDS;
    __shared__ int item;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) item = atomicAdd(p.next, 1);
        __syncthreads();
        // Block diagonal e: its tiles are closed, then products for block diagonal e + ahead are made.
        int low = 1, high = p.blocks;
        if (low >= high || item >= p.plan[p.blocks].x) return;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (p.plan[middle].x <= item) low = middle;
            else high = middle;
        }
        const int e = low;
        int at = item - p.plan[e].x;
        const int tiles = p.blocks - e;
        if (at < tiles * p.polygons) {
            finish(p, at / tiles, at % tiles, at % tiles + e);
            continue;
        }
        at -= tiles * p.polygons;
        const int parts = p.plan[e + p.ahead].y, ahead_tiles = tiles - p.ahead;
        const int part = at % parts, tile_of = at / parts;
        const int I = tile_of % ahead_tiles;
        multiply(p, tile_of / ahead_tiles, I, I + e + p.ahead, part, parts);
    }
}

// The tiles on the main diagonal: one block of threads a tile. They hold T both ways.
extern "C" __global__ void __launch_bounds__(THREADS) corners(PROBLEM) {
    const Problem p = ITS_FIELDS;
    __shared__ real t[TILE][TILE + 1];
    const int polygon = blockIdx.x / p.blocks, I = blockIdx.x % p.blocks;
    real *cells = tile(p, polygon, I, I);
    const real *edges = p.base ? p.base + (size_t)polygon * p.n : nullptr, *p_i = p.sides + I * TILE;
    for (int cell = threadIdx.x; cell < CELLS; cell += THREADS) {
        const int a = cell / TILE, b = cell % TILE, from = I * TILE + a;
        t[a][b] = a + 1 != b ? cells[cell] : from + 1 >= p.n ? INFINITE : edges ? edges[from] : (real)0;
    }
    __syncthreads();
    // Four threads a cell, each every fourth k; a block has as many cells as a block diagonal.
    const int a = threadIdx.x / 4, lane = threadIdx.x % 4;
    for (int length = 2; length < TILE; length++) {
        const int b = a + length;
        real least = INFINITE;
        if (b < TILE) {
            const real p_ab = p_i[a] * p_i[b];
            for (int k = a + 1 + lane; k < b; k += 4)
                least = least_of(least, sum_over(t[a][k], t[k][b], p_i[k], p_ab));
        }
        least = least_of(least, __shfl_xor_sync(0xffffffffu, least, 1));
        least = least_of(least, __shfl_xor_sync(0xffffffffu, least, 2));
        if (b < TILE && lane == 0) t[a][b] = plus(least, t[a][b]);
        __syncthreads();
    }
    for (int cell = threadIdx.x; cell < CELLS; cell += THREADS) {
        const int row = cell / TILE, column = cell % TILE;
        cells[cell] = row < column ? t[row][column] : row > column ? t[column][row] : INFINITE;
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(p.done + polygon * p.blocks, 1);
}

// Puts weights into tiles, upper triangles only, and says whether one is negative: rows 64 `from` and
// on of row-major weights, `rows` blocks of them, of each polygon.
extern "C" __global__ void __launch_bounds__(THREADS) arrange(PROBLEM, const real *weights, int from, int rows) {
    const Problem p = ITS_FIELDS;
    const long long count = (long long)p.polygons * rows * p.blocks;
    bool found = false;
    for (long long at = blockIdx.x; at < count; at += gridDim.x) {
        const int J = at % p.blocks, row = at / p.blocks % rows, I = from + row, polygon = at / p.blocks / rows;
        real *cells = tile(p, polygon, I, J);
        for (int cell = threadIdx.x; cell < CELLS; cell += THREADS) {
            const int a = I * TILE + cell / TILE, b = J * TILE + cell % TILE;
            real value = INFINITE;
            if (a + 1 < b && b < p.n)
                value = weights[((size_t)polygon * min(rows * TILE, p.n) + row * TILE + cell / TILE) * p.n + b];
            found |= value < (real)0;
            cells[cell] = value;
        }
    }
    if (p.base)
        for (long long at = blockIdx.x * (long long)THREADS + threadIdx.x; at < (long long)p.polygons * p.n;
             at += (long long)gridDim.x * THREADS)
            found |= p.base[at] < (real)0;
    for (int at = threadIdx.x; SPLIT && at < p.blocks * TILE; at += THREADS) found |= p.sides[at] < (real)0;
    if (__syncthreads_or(found) && threadIdx.x == 0) *p.negative = 1;
}
