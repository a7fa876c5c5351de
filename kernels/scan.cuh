// Scans over arrays of any length in three launches: a total for each tile, the totals scanned by
// one block, then each tile again from its total. A scan S says what is scanned:
//   S::Value, S::none()        a value, and the neutral one
//   s.load(i), S::join(a, b)   the value at i, and an associative operator, left operand first
//   s.store(i, before, value)  takes what was joined of all before i, and the value at i
// Behind exact.cuh.

constexpr int SCAN_THREADS = 256, SCAN_ITEMS = 8, SCAN_TILE = SCAN_THREADS * SCAN_ITEMS;

// What the threads before this one hold, joined; `all` becomes what all of them hold.
template <class S, int THREADS>
__device__ typename S::Value scan_block(typename S::Value mine, typename S::Value &all) {
    __shared__ typename S::Value held[THREADS];
    const int thread = threadIdx.x;
    __syncthreads();
    held[thread] = mine;
    for (int distance = 1; distance < THREADS; distance *= 2) {
        __syncthreads();
        const bool has = thread >= distance;
        const typename S::Value left = has ? held[thread - distance] : S::none();
        __syncthreads();
        if (has) held[thread] = mine = S::join(left, mine);
    }
    __syncthreads();
    all = held[THREADS - 1];
    return thread == 0 ? S::none() : held[thread - 1];
}

template <class S>
__device__ void scan_tile_totals(const S &s, u64 count, typename S::Value *totals) {
    const u64 first = (u64)blockIdx.x * SCAN_TILE + threadIdx.x * SCAN_ITEMS;
    typename S::Value mine = S::none(), all;
    for (int item = 0; item < SCAN_ITEMS; ++item)
        if (first + item < count) mine = S::join(mine, s.load(first + item));
    scan_block<S, SCAN_THREADS>(mine, all);
    if (threadIdx.x == 0) totals[blockIdx.x] = all;
}

// By one block. Totals become what was joined before each tile; behind them comes that of all.
template <class S, int THREADS>
__device__ void scan_totals(u32 tiles, typename S::Value *totals) {
    typename S::Value before = S::none(), all;
    for (u32 first = 0; first < tiles; first += THREADS) {
        const u32 tile = first + threadIdx.x;
        const typename S::Value mine = tile < tiles ? totals[tile] : S::none();
        const typename S::Value left = scan_block<S, THREADS>(mine, all);
        if (tile < tiles) totals[tile] = S::join(before, left);
        before = S::join(before, all);
    }
    if (threadIdx.x == 0) totals[tiles] = before;
}

template <class S>
__device__ void scan_tiles(const S &s, u64 count, const typename S::Value *totals) {
    const u64 first = (u64)blockIdx.x * SCAN_TILE + threadIdx.x * SCAN_ITEMS;
    typename S::Value values[SCAN_ITEMS], mine = S::none(), all;
    for (int item = 0; item < SCAN_ITEMS; ++item) {
        values[item] = first + item < count ? s.load(first + item) : S::none();
        mine = S::join(mine, values[item]);
    }
    typename S::Value before = scan_block<S, SCAN_THREADS>(mine, all);
    before = S::join(totals[blockIdx.x], before);
    for (int item = 0; item < SCAN_ITEMS; ++item) {
        if (first + item < count) s.store(first + item, before, values[item]);
        before = S::join(before, values[item]);
    }
}
