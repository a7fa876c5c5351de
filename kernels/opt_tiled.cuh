// The interval dynamic programming of optimal polygon triangulation by tiles.
//
//   T[a][b] = min over a < k < b of (T[a][k] + T[k][b]) + c[a][b],   T[a][a+1] = base[a]
//
// and if SPLIT, with p_k * (p_a * p_b) added to each sum, p being the sides of the vertices.
//
// Vertices are cut into N blocks of SIDE, the table into tiles of SIDE x SIDE. Tile (I, J) with I <= J
// holds c and at last T, row a, column b. Its mirror image (J, I) holds the least sums found so far and
// at last T transposed, so that both operands of a min-plus product are read by rows k: the mirroring
// arrangement of Ito and Nakano 2013, tile by tile. One launch computes everything: blocks of threads
// take items of work from a counter, in an order in which an item needs only earlier ones, and wait for
// those of them that are not done.
//
// The host puts REAL_F32, REAL_F64 or REAL_I32, SPLIT, SIDE and SHARED_BYTES before this text
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

// Waits until a counter is so high; what others wrote before they raised it can be read then.
__device__ __forceinline__ void wait_until(const int *counter, int value) {
    while (*(const volatile int *)counter < value) __nanosleep(20);
    __threadfence();
}

// Whether tile (I, J), I < J, is closed. Then so are those to its left and below it.
__device__ __forceinline__ int *closed(const Problem &p, int polygon, int I, int J) {
    return p.done + ((size_t)polygon * p.blocks + J) * p.blocks + I;
}
// Finished parts of its products.
__device__ __forceinline__ int *finished(const Problem &p, int polygon, int I, int J) {
    return p.done + ((size_t)polygon * p.blocks + I) * p.blocks + J;
}

// Tells the others that a counter's work is done.
__device__ __forceinline__ void tell(int *counter) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(counter, 1);
    }
}

#define LEFT_FOR_SUMS (GROUPS * CELLS)
#define SUB 4              // side of the parts into which a tile is cut to be closed
#define PARTS (SIDE / SUB) // in each direction
#define PITCH (SIDE + 4)   // of rows of a tile that is being closed: no bank conflicts down a column
#define EARLY (SIDE <= 32) // whether there is room for the weights before the tile's sums are complete

// A tile that is being closed, in shared memory, twice: by rows and by columns; and T of tiles (I, I) and
// (J, J), both symmetric. So T[a][k] of row a, and T[k][b] of column b, lie side by side for the k of block
// I, and for those of block J. Of a tile on the main diagonal there is the first alone, which is symmetric.
__device__ __forceinline__ real (*closing())[PITCH] { return (real(*)[PITCH])memory; }
__device__ __forceinline__ real (*transposed())[PITCH] { return closing() + SIDE; }
__device__ __forceinline__ real (*first_corner())[PITCH] { return (real(*)[PITCH])((real *)memory + LEFT_FOR_SUMS); }
__device__ __forceinline__ real (*second_corner())[PITCH] { return first_corner() + SIDE; }
// Its weights.
template <bool ON_DIAGONAL> __device__ __forceinline__ real *weights() {
    return (ON_DIAGONAL ? transposed() : (EARLY ? first_corner() : closing()) + 2 * SIDE)[0];
}

__device__ __forceinline__ void four(real (&cells)[SUB], const real *at) {
#pragma unroll
    for (int i = 0; i < SUB; i += PER_CHUNK) *(chunk *)&cells[i] = *(const chunk *)(at + i);
}

// The least sum over vertices k of `parts` parts, the first `of_rows` of them in block I.
template <bool ON_DIAGONAL> __device__ __forceinline__ real least_of_parts(int parts, int of_rows, int from, int a, int b) {
    const real *x = (ON_DIAGONAL ? closing() : first_corner())[a] + from * SUB;
    const real *y = (ON_DIAGONAL ? closing() : transposed())[b] + from * SUB;
    const real *p_k = p_a + from * SUB;
    const real p_ab = p_a[a] * p_b[b];
    real least[2] = {INFINITE, INFINITE};
#pragma unroll 2
    for (int at = 0; at < parts; at++) {
        if (!ON_DIAGONAL && at == of_rows) x = closing()[a], y = second_corner()[b], p_k = p_b;
        real l[SUB], r[SUB];
        four(l, x), four(r, y);
#pragma unroll
        for (int i = 0; i < SUB; i++) least[i % 2] = least_of(least[i % 2], sum_over(l[i], r[i], p_k[i], p_ab));
        x += SUB, y += SUB, p_k += SUB;
    }
    return least_of(least[0], least[1]);
}

// Adds to cell (a, b) of part (x, y) what runs over vertices of other parts, which are closed.
template <bool ON_DIAGONAL> __device__ __forceinline__ void add_parts(int parts, int of_rows, int x, int a, int b) {
    real &cell = closing()[a][b];
    cell = least_of(cell, least_of_parts<ON_DIAGONAL>(parts, of_rows, x + 1, a, b));
}

// Closes part (x, y) in registers. `side` is the cell at the tile's corner if `first`.
template <bool ON_DIAGONAL> __device__ __forceinline__ void close_part(int x, int y, bool first, real side) {
    auto t = closing();
    real cells[SUB][SUB], whole[SUB][SUB], of_row[SUB][SUB], of_column[SUB][SUB], p_row[SUB], p_column[SUB];
#pragma unroll
    for (int i = 0; i < SUB; i++) {
        const int a = x * SUB + i, b = y * SUB + i;
        p_row[i] = p_a[a], p_column[i] = p_b[b];
        four(cells[i], &t[a][y * SUB]);
        four(whole[i], weights<ON_DIAGONAL>() + a * SIDE + y * SUB);
        four(of_row[i], (ON_DIAGONAL ? t : first_corner())[a] + x * SUB);
        four(of_column[i], (ON_DIAGONAL ? t : second_corner())[b] + y * SUB);
    }
    // By anti-diagonals: what is final is added at once to what needs it, so that the last of a cell's sums
    // to come is the last to be compared.
#pragma unroll
    for (int step = 0; step < 2 * SUB - 1; step++)
#pragma unroll
        for (int i = SUB - 1; i >= 0; i--) {
            const int j = step - (SUB - 1 - i);
            if (j < 0 || j >= SUB) continue;
            const real cell = step == 0 && first ? side : plus(cells[i][j], whole[i][j]);
            cells[i][j] = cell;
#pragma unroll
            for (int k = 0; k < i; k++)
                cells[k][j] = least_of(cells[k][j], sum_over(of_row[k][i], cell, p_row[i], p_row[k] * p_column[j]));
#pragma unroll
            for (int k = j + 1; k < SUB; k++)
                cells[i][k] = least_of(cells[i][k], sum_over(cell, of_column[j][k], p_column[j], p_row[i] * p_column[k]));
        }
    real(*across)[PITCH] = ON_DIAGONAL ? t : transposed();
#pragma unroll
    for (int i = 0; i < SUB; i++)
#pragma unroll
        for (int j = 0; j < SUB; j += PER_CHUNK) {
            real mirrored[PER_CHUNK];
#pragma unroll
            for (int k = 0; k < PER_CHUNK; k++) mirrored[k] = cells[j + k][i];
            *(chunk *)&t[x * SUB + i][y * SUB + j] = *(const chunk *)&cells[i][j];
            *(chunk *)&across[y * SUB + i][x * SUB + j] = *(const chunk *)mirrored;
        }
}

// Closes tile (I, J), I < J: adds what runs over vertices of blocks I and J themselves. Of neighbours,
// the corner is a side of the polygon.
__device__ __forceinline__ void close(bool neighbours, real side) {
    constexpr int LAST = PARTS - 1;
    static_assert(THREADS == PARTS * SUB * SUB, "a thread for each cell of the parts of an anti-diagonal");
    // Parts (x, y) of the tile with (LAST - x) + y = step do not need each other. Sixteen threads add to the
    // cells of one, always in columns y; then a thread closes it.
    const int y = threadIdx.x / (SUB * SUB), row = threadIdx.x / SUB % SUB, column = threadIdx.x % SUB;
    for (int step = 0; step <= 2 * LAST; step++) {
        const int of_rows = step - y, x = LAST - of_rows;
        if (x >= 0 && x <= LAST) add_parts<false>(step, of_rows, x, x * SUB + row, y * SUB + column);
        __syncthreads();
        // Threads of one warp, so that the multiprocessor's other blocks go on meanwhile.
        const int own_y = max(0, step - LAST) + (int)threadIdx.x;
        if (own_y <= min(step, LAST)) close_part<false>(LAST - (step - own_y), own_y, neighbours && step == 0, side);
        __syncthreads();
    }
}

// Makes tile (I, J) final: the products that need the last block diagonals, and what runs over blocks I
// and J. What does not need the diagonal before is fetched while that is not done.
__device__ void finish(const Problem &p, int polygon, int I, int J) {
    real *shared = (real *)memory;
    const int count = min(J - I - 1, 2);
    real *upper = tile(p, polygon, I, J), *lower = tile(p, polygon, J, I);
    fetch<PITCH>(first_corner()[0], tile(p, polygon, I, I));
    fetch<PITCH>(second_corner()[0], tile(p, polygon, J, J));
    if (EARLY) fetch(weights<false>(), upper);
    else asm volatile("prefetch.global.L2 [%0];" ::"l"(upper + threadIdx.x / 4 * TILE + threadIdx.x % 4 * (SIDE / 4)));
    set_sides(p, I, J);
    if (count > 1) {
        if (threadIdx.x == 0) wait_until(closed(p, polygon, I, I + 1), 1);
        if (threadIdx.x == 32) wait_until(closed(p, polygon, J - 1, J), 1);
        __syncthreads();
        fetch(shared, tile(p, polygon, I + 1, I));
        fetch(shared + 3 * CELLS, tile(p, polygon, J - 1, J));
    }
    if (count > 0) {
        if (threadIdx.x == 0) wait_until(closed(p, polygon, I, J - 1), 1);
        if (threadIdx.x == 32) wait_until(closed(p, polygon, I + 1, J), 1);
        if (threadIdx.x == 64) wait_until(finished(p, polygon, I, J), p.plan[J - I].y);
        __syncthreads();
        fetch(shared + CELLS, tile(p, polygon, I + 1, J));
        fetch(shared + (count > 1 ? 2 : 0) * CELLS, tile(p, polygon, J - 1, I));
    }
    commit();
    real mine[CELLS / THREADS];
    each_cell([&](int i, int row, int column) { mine[i] = __ldcg(lower + row * TILE + column); });
    const real *p_k = p.sides + (I + 1) * SIDE;
    const int apart = (J - I - 2) * SIDE;
    if (natural(p)) product_of_pairs<true>(count, p_k, apart);
    else product_of_pairs<false>(count, p_k, apart);
    each_cell([&](int i, int row, int column) { mine[i] = least_of(least_of_groups(row, column), mine[i]); });
    __syncthreads();
    if (!EARLY) fetch(weights<false>(), upper);
    commit();
    auto t = closing();
    each_cell([&](int i, int row, int column) { t[row][column] = mine[i]; });
    await<0>();
    __syncthreads();
    const int edge = min(J * SIDE - 1, p.n - 1);
    close(I + 1 == J, p.base ? p.base[(size_t)polygon * p.n + edge] : (real)0);
    each_cell([&](int, int row, int column) {
        upper[row * TILE + column] = t[row][column];
        lower[row * TILE + column] = transposed()[row][column];
    });
    tell(closed(p, polygon, I, J));
}

// Part `part` of the products of tile (I, J) over blocks that are `ahead` apart from both.
__device__ void multiply(const Problem &p, int polygon, int I, int J, int part, int parts) {
    const int first = I + 1 + p.ahead, count = J - p.ahead - first;
    const int from = first + (int)((long long)count * part / parts), to = first + (int)((long long)count * (part + 1) / parts);
    if (threadIdx.x == 0) wait_until(closed(p, polygon, I, to - 1), 1);
    if (threadIdx.x == 32) wait_until(closed(p, polygon, from, J), 1);
    set_sides(p, I, J);
    __syncthreads();
    if (natural(p)) product<true>(p, polygon, I, J, from, to);
    else product<false>(p, polygon, I, J, from, to);
    real *sums = tile(p, polygon, J, I);
    each_cell([&](int, int row, int column) {
        const real least = least_of_groups(row, column);
        real *place = sums + row * TILE + column;
        if (parts == 1) *place = least;
        else least_into(place, least);
    });
    tell(finished(p, polygon, I, J));
}

static_assert(GROUPS >= 4 && 2 * SIDE * PITCH + CELLS <= LEFT_FOR_SUMS, "two products, then sums, then a tile and its weights");
static_assert(SHARED_BYTES >= (LEFT_FOR_SUMS + 2 * SIDE * PITCH + EARLY * CELLS) * sizeof(real), "a tile that is being closed fits");
static_assert(SHARED_BYTES >= STAGES * 2 * CELLS * sizeof(real), "the stages of a product fit");

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

// The tiles on the main diagonal: one block of threads a tile. They hold T both ways. Polygons of one tile
// may have their weights elsewhere, polygons x n x n.
extern "C" __global__ void __launch_bounds__(THREADS) corners(PROBLEM, const real *elsewhere) {
    const Problem p = ITS_FIELDS;
    auto t = closing();
    const int polygon = blockIdx.x / p.blocks, I = blockIdx.x % p.blocks;
    real *cells = tile(p, polygon, I, I);
    const real *edges = p.base ? p.base + (size_t)polygon * p.n : nullptr;
    auto edge = [&](int a) {
        const int from = I * SIDE + a;
        return from + 1 >= p.n ? INFINITE : edges ? edges[from] : (real)0;
    };
    set_sides(p, I, I);
    const real *given = elsewhere ? elsewhere + (size_t)polygon * p.n * p.n : cells;
    const int pitch = elsewhere ? p.n : TILE;
    each_cell([&](int, int a, int b) {
        weights<true>()[a * SIDE + b] = a < b && I * SIDE + b < p.n ? given[a * pitch + b] : INFINITE;
        t[a][b] = INFINITE;
    });
    __syncthreads();
    // Parts on the diagonal, a thread each.
    if (threadIdx.x < PARTS) {
        const int first = threadIdx.x * SUB;
        for (int length = 1; length < SUB; length++)
            for (int a = first; a + length < first + SUB; a++) {
                const int b = a + length;
                real least = INFINITE;
                for (int k = a + 1; k < b; k++) least = least_of(least, sum_over(t[a][k], t[k][b], p_a[k], p_a[a] * p_a[b]));
                t[a][b] = t[b][a] = length == 1 ? edge(a) : plus(least, weights<true>()[a * SIDE + b]);
            }
    }
    const int part = threadIdx.x / (SUB * SUB), row = threadIdx.x / SUB % SUB, column = threadIdx.x % SUB;
    for (int apart = 1; apart < PARTS; apart++) {
        __syncthreads();
        const int end = part + apart;
        if (end < PARTS) add_parts<true>(apart - 1, 0, part, part * SUB + row, end * SUB + column);
        __syncthreads();
        const int x = threadIdx.x, y = x + apart;
        if (y < PARTS) close_part<true>(x, y, apart == 1, edge(y * SUB - 1));
    }
    __syncthreads();
    each_cell([&](int, int row, int column) { cells[row * TILE + column] = t[row][column]; });
}

// Puts weights into tiles, upper triangles only, and says whether one is negative: rows 64 `from` and
// on of row-major weights, `rows` blocks of them, of each polygon.
extern "C" __global__ void __launch_bounds__(THREADS) arrange(PROBLEM, const real *weights, int from, int rows) {
    const Problem p = ITS_FIELDS;
    const int across = (p.n + TILE - 1) / TILE;
    const unsigned int count = p.polygons * rows * across;
    bool found = false;
    for (unsigned int at = blockIdx.x; at < count; at += gridDim.x) {
        const int J = at % across, row = at / across % rows, I = from + row, polygon = at / across / rows;
        real *cells = stored(p, polygon, I, J);
        const real *own = weights + ((size_t)polygon * min(rows * TILE, p.n) + row * TILE) * p.n + J * TILE;
        const int column = threadIdx.x % TILE, b = J * TILE + column;
#pragma unroll 16
        for (int of_tile = threadIdx.x / TILE; of_tile < TILE; of_tile += THREADS / TILE) {
            const int a = I * TILE + of_tile;
            const real value = a + 1 < b && b < p.n ? own[(size_t)of_tile * p.n + column] : INFINITE;
            found |= value < (real)0;
            // Nobody asks what is below the main diagonal of a tile that is computed as a whole.
            if (SIDE < TILE || I != J || a < b) cells[of_tile * TILE + column] = value;
        }
    }
    if (p.base)
        for (long long at = blockIdx.x * (long long)THREADS + threadIdx.x; at < (long long)p.polygons * p.n;
             at += (long long)gridDim.x * THREADS)
            found |= p.base[at] < (real)0;
    for (int at = threadIdx.x; SPLIT && at < p.n; at += THREADS) found |= p.sides[at] < (real)0;
    if (__syncthreads_or(found) && threadIdx.x == 0) *p.negative = 1;
}
