// Triangles from the tiles that opt_tiled.cuh leaves.

// The triangulation of the first polygon, by one block of threads: triangles (a, k, b), and their number.
// Polygons still to be split, each cut off by a side a-b, are split all at once at the first k with the
// least sum, few by all threads one after another, many by a warp each.
extern "C" __global__ void __launch_bounds__(1024) triangles(PROBLEM, int2 *queue, int3 *found, int *count) {
    const Problem p = ITS_FIELDS;
    __shared__ int ends[2], made;
    __shared__ real sums[32];
    __shared__ int places[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    auto cell = [&](int row, int column) {
        return stored(p, 0, row / TILE, column / TILE)[row % TILE * TILE + column % TILE];
    };
    auto first_least = [](real &sum, int &k, real other, int other_k) {
        if (other < sum || (other == sum && other_k < k)) sum = other, k = other_k;
    };
    auto least_of_warp = [&](real &sum, int &k) {
        for (int apart = 16; apart; apart /= 2) {
            const real other = __shfl_xor_sync(0xffffffffu, sum, apart);
            const int other_k = __shfl_xor_sync(0xffffffffu, k, apart);
            first_least(sum, k, other, other_k);
        }
    };
    auto split = [&](int2 side, int k) {
        found[atomicAdd(&made, 1)] = make_int3(side.x, k, side.y);
        if (k - side.x > 1) queue[atomicAdd(&ends[1], 1)] = make_int2(side.x, k);
        if (side.y - k > 1) queue[atomicAdd(&ends[1], 1)] = make_int2(k, side.y);
    };
    if (threadIdx.x == 0) {
        ends[0] = 0, ends[1] = p.n > 2, made = 0;
        queue[0] = make_int2(0, p.n - 1);
    }
    for (;;) {
        __syncthreads();
        const int from = ends[0], to = ends[1];
        __syncthreads();
        if (from == to) break;
        if (threadIdx.x == 0) ends[0] = to;
        const bool together = to - from < 32;
        for (int at = together ? from : from + warp; at < to; at += together ? 1 : 32) {
            const int2 side = queue[at];
            const real p_ab = p.sides[side.x] * p.sides[side.y];
            real sum = INFINITE;
            int k = side.y;
            for (int next = side.x + 1 + (together ? threadIdx.x : lane); next < side.y; next += together ? 1024 : 32)
                first_least(sum, k, sum_over(cell(side.x, next), cell(side.y, next), p.sides[next], p_ab), next);
            least_of_warp(sum, k);
            if (together) {
                if (lane == 0) sums[warp] = sum, places[warp] = k;
                __syncthreads();
                sum = sums[lane], k = places[lane];
                least_of_warp(sum, k);
                __syncthreads();
            }
            if (together ? threadIdx.x == 0 : lane == 0) split(side, k);
        }
    }
    if (threadIdx.x == 0) *count = made;
}
