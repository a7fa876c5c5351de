// The filter before a convex hull: points that are certainly inside a convex polygon are dropped.
// Behind exact.cuh.

// The polygon, as `engines/src/hull/grid.rs` cuts it: COLUMNS columns of equal width, each with
// two lines y = a + b x and y = c + d x (x, in columns, and y from the origin) between which points
// of the column are certainly inside; and its two chains, from left to right. Without chains, every
// point is kept.
struct Column {
    double2 lower, upper;  // (a, b) and (c, d)
};
struct Polygon {
    const Column *columns;
    const double2 *lower, *upper;
    double origin_x, origin_y, columns_per_unit;
    u32 lowers, uppers;
};

// Whether a point of the chain's range of x certainly lies on the inner side of the chain: on its
// left for the lower one (side 1), on its right for the upper one (side -1).
__device__ bool within(const double2 *chain, u32 count, double2 point, double side) {
    if (!(point.x >= chain[0].x && point.x <= chain[count - 1].x)) return false;
    u32 low = 0, high = count - 1;
    while (high - low > 1) {
        const u32 middle = (low + high) / 2;
        if (chain[middle].x <= point.x) low = middle;
        else high = middle;
    }
    const double2 a = chain[low], b = chain[high];
    const double left = (a.x - point.x) * (b.y - point.y), right = (a.y - point.y) * (b.x - point.x);
    return side * (left - right) > ORIENTATION_ERROR * (fabs(left) + fabs(right));
}

constexpr int FILTER_THREADS = 512, FILTER_POINTS = 4, COLUMNS = 512;

// Points 0, stride, 2 stride ...: `count` of them. Those kept are put behind one another, in any
// order: their places and numbers.
extern "C" __global__ void __launch_bounds__(FILTER_THREADS)
filter(const double2 *points, u64 count, u64 stride, Polygon polygon, double2 *places, u32 *numbers,
       u32 *kept) {
    __shared__ Column columns[COLUMNS];
    for (u32 column = threadIdx.x; column < COLUMNS && polygon.lowers != 0; column += FILTER_THREADS)
        columns[column] = polygon.columns[column];
    __syncthreads();
    const u32 lane = threadIdx.x % 32;
    const u64 step = (u64)gridDim.x * FILTER_THREADS;
    // Whole warps run together: their first point tells.
    u64 first = (u64)blockIdx.x * FILTER_THREADS + threadIdx.x;
    for (; first - lane < count; first += FILTER_POINTS * step) {
        double2 point[FILTER_POINTS];
#pragma unroll
        for (int k = 0; k < FILTER_POINTS; ++k) {
            const u64 sample = first + k * step;
            if (sample < count) point[k] = __ldcs(points + sample * stride);
        }
#pragma unroll
        for (int k = 0; k < FILTER_POINTS; ++k) {
            const u64 sample = first + k * step;
            bool keep = sample < count;
            if (keep && polygon.lowers != 0) {
                const double x = (point[k].x - polygon.origin_x) * polygon.columns_per_unit;
                const double y = point[k].y - polygon.origin_y;
                const u32 column = (u32)__double2int_rd(x);
                if (column < COLUMNS) {
                    const double2 lower = columns[column].lower, upper = columns[column].upper;
                    keep = !(lower.x + lower.y * x < y && y < upper.x + upper.y * x);
                }
                if (keep)
                    keep = !(within(polygon.lower, polygon.lowers, point[k], 1.0) &&
                             within(polygon.upper, polygon.uppers, point[k], -1.0));
            }
            const u32 keeping = __ballot_sync(~0u, keep);
            if (keeping == 0) continue;
            u32 place = 0;
            if (lane == 0) place = atomicAdd(kept, __popc(keeping));
            place = __shfl_sync(~0u, place, 0) + __popc(keeping & ((1u << lane) - 1));
            if (keep) {
                places[place] = point[k];
                numbers[place] = (u32)(sample * stride);
            }
        }
    }
}
