// Greedy triangulation (Shoemaker, Greedy Triangulation via GPU), corrected: exact lengths and
// orientations, and lines that overlap from a common end conflict.
//
// n distinct points; a line is named i << 16 | j, i < j. Lines are generated in the order of their
// names, sorted by squared length (stably, so that ties are in the order of names), then accepted
// from the shortest on, a round a line: `triangulate` strikes out what conflicts with the line
// accepted, `find_new_small` finds the next one. Behind exact.cuh and scan.cuh.

// Keys are squared lengths, rounded: non-negative, so that their bits are in their order.
extern "C" __global__ void generate(const double2 *points, u32 n, u64 *keys, u32 *names) {
    for (u64 i = blockIdx.x; i + 1 < n; i += gridDim.x) {
        const double2 p = points[i];
        const u64 before = i * (2 * (u64)n - i - 1) / 2;
        for (u64 j = i + 1 + threadIdx.x; j < n; j += blockDim.x) {
            const double x = points[j].x - p.x, y = points[j].y - p.y;
            const u64 line = before + j - i - 1;
            keys[line] = __double_as_longlong(__dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)));
            names[line] = (u32)(i << 16 | j);
        }
    }
}

// Radix sort by eight bits a pass, stable: a block counts the digits of a tile of keys, the counts
// are scanned digit by digit, and the block puts its keys where their digits belong.
constexpr int SORT_THREADS = 256, SORT_ROWS = 16, SORT_WARPS = SORT_THREADS / 32;
constexpr int SORT_TILE = SORT_THREADS * SORT_ROWS, DIGITS = 256;

extern "C" __global__ void __launch_bounds__(SORT_THREADS)
count_digits(const u64 *keys, u64 lines, u32 shift, u32 *counts) {
    __shared__ u32 counted[DIGITS];
    counted[threadIdx.x] = 0;
    __syncthreads();
    const u64 first = (u64)blockIdx.x * SORT_TILE;
    for (int row = 0; row < SORT_ROWS; ++row) {
        const u64 line = first + row * SORT_THREADS + threadIdx.x;
        if (line < lines) atomicAdd(&counted[keys[line] >> shift & (DIGITS - 1)], 1);
    }
    __syncthreads();
    counts[(u64)threadIdx.x * gridDim.x + blockIdx.x] = counted[threadIdx.x];
}

struct Counts {
    typedef u32 Value;
    u32 *counts;
    static __device__ u32 none() { return 0; }
    static __device__ u32 join(u32 a, u32 b) { return a + b; }
    __device__ u32 load(u64 i) const { return counts[i]; }
    __device__ void store(u64 i, u32 before, u32) const { counts[i] = before; }
};
extern "C" __global__ void __launch_bounds__(SCAN_THREADS)
scan_counts_1(u32 *counts, u64 count, u32 *totals) { scan_tile_totals(Counts{counts}, count, totals); }
extern "C" __global__ void __launch_bounds__(1024)
scan_counts_2(u32 tiles, u32 *totals) { scan_totals<Counts, 1024>(tiles, totals); }
extern "C" __global__ void __launch_bounds__(SCAN_THREADS)
scan_counts_3(u32 *counts, u64 count, const u32 *totals) { scan_tiles(Counts{counts}, count, totals); }

extern "C" __global__ void __launch_bounds__(SORT_THREADS)
place_digits(const u64 *keys, const u32 *names, u64 lines, u32 shift, const u32 *counts,
             u64 *sorted_keys, u32 *sorted_names) {
    __shared__ u32 held[SORT_WARPS][DIGITS];  // by a warp's rows so far; then where its first goes
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int k = 0; k < SORT_WARPS; ++k) held[k][threadIdx.x] = 0;
    __syncthreads();
    u64 key[SORT_ROWS];
    u32 name[SORT_ROWS], rank[SORT_ROWS];
    const u64 first = (u64)blockIdx.x * SORT_TILE + warp * 32 * SORT_ROWS + lane;
#pragma unroll
    for (int row = 0; row < SORT_ROWS; ++row) {
        const u64 line = first + row * 32;
        const bool is = line < lines;
        key[row] = is ? keys[line] : 0;
        name[row] = is ? names[line] : 0;
        const u32 digit = is ? (u32)(key[row] >> shift) & (DIGITS - 1) : DIGITS;
        const u32 equal = __match_any_sync(~0u, digit);
        const u32 lower = __popc(equal & ((1u << lane) - 1));
        if (is) rank[row] = held[warp][digit] + lower;
        __syncwarp();
        if (is && lower == 0) held[warp][digit] += __popc(equal);
        __syncwarp();
    }
    __syncthreads();
    u32 place = counts[(u64)threadIdx.x * gridDim.x + blockIdx.x];
    for (int k = 0; k < SORT_WARPS; ++k) {
        const u32 mine = held[k][threadIdx.x];
        held[k][threadIdx.x] = place;
        place += mine;
    }
    __syncthreads();
#pragma unroll
    for (int row = 0; row < SORT_ROWS; ++row) {
        if (first + row * 32 >= lines) break;
        const u32 to = held[warp][(u32)(key[row] >> shift) & (DIGITS - 1)] + rank[row];
        sorted_keys[to] = key[row];
        sorted_names[to] = name[row];
    }
}

// Whether two neighbours' lengths may be in either order: keys are off by at most 2^-51, relatively.
__device__ bool doubtful(const u64 *keys, u64 line) {
    const double a = __longlong_as_double(keys[line]), b = __longlong_as_double(keys[line + 1]);
    return b - a <= b * 0x1p-48;
}
__device__ bool is_before(const double2 *points, u32 a, u32 b) {
    const int order = compare_lengths(points[a >> 16], points[a & 0xffff], points[b >> 16],
                                      points[b & 0xffff]);
    return order < 0 || (order == 0 && a < b);
}

// Sorts each run of doubtful neighbours exactly, by merging; `spare` has room for all names.
extern "C" __global__ void settle_ties(const double2 *points, const u64 *keys, u64 lines, u32 *names,
                                       u32 *spare) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 line = (u64)blockIdx.x * blockDim.x + threadIdx.x; line + 1 < lines; line += stride) {
        if (!doubtful(keys, line) || (line > 0 && doubtful(keys, line - 1))) continue;
        u64 end = line + 2;
        while (end < lines && doubtful(keys, end - 1)) ++end;
        const u64 length = end - line;
        u32 *from = names + line, *to = spare + line;
        for (u64 half = 1; half < length; half *= 2) {
            for (u64 first = 0; first < length; first += 2 * half) {
                u64 a = first, b = min(first + half, length);
                const u64 middle = b, last = min(first + 2 * half, length);
                for (u64 k = first; k < last; ++k) {
                    const bool right =
                        a == middle || (b < last && is_before(points, from[b], from[a]));
                    to[k] = from[right ? b++ : a++];
                }
            }
            u32 *other = from;
            from = to;
            to = other;
        }
        if (from != names + line)
            for (u64 k = 0; k < length; ++k) to[k] = from[k];
    }
}

// A line with its box.
struct Line {
    u32 i, j;
    double2 p, q, low, high;
};
__device__ Line line_of(const double2 *points, u32 name) {
    const u32 i = name >> 16, j = name & 0xffff;
    const double2 p = points[i], q = points[j];
    return {i, j, p, q, {fmin(p.x, q.x), fmin(p.y, q.y)}, {fmax(p.x, q.x), fmax(p.y, q.y)}};
}

// Whether d and e lie in one quadrant as seen from c, or on one axis.
__device__ bool same_way(double2 c, double2 d, double2 e) {
    return sign_of(d.x - c.x) == sign_of(e.x - c.x) && sign_of(d.y - c.y) == sign_of(e.y - c.y);
}

// Whether two lines share a point other than one common end. Exact, for distinct points.
__device__ bool conflicts(const double2 *points, const Line &line, u32 other) {
    const u32 k = other >> 16, m = other & 0xffff;
    const double2 r = points[k], s = points[m];
    if ((r.x < line.low.x && s.x < line.low.x) || (r.x > line.high.x && s.x > line.high.x) ||
        (r.y < line.low.y && s.y < line.low.y) || (r.y > line.high.y && s.y > line.high.y))
        return false;
    if (line.i == k || line.i == m || line.j == k || line.j == m) {
        // From the common end, c, to the other two.
        const bool first = line.i == k || line.i == m;
        const double2 c = first ? line.p : line.q, d = first ? line.q : line.p;
        const double2 e = line.i == k || line.j == k ? s : r;
        return same_way(c, d, e) && orientation(c, d, e) == 0;
    }
    // Their boxes meet: lines on one line then meet, too.
    return orientation(line.p, line.q, r) * orientation(line.p, line.q, s) <= 0 &&
           orientation(r, s, line.p) * orientation(r, s, line.q) <= 0;
}

// A bit a line tells whether it is not yet struck out. A thread has whole words of 32 lines, so that
// no two threads write one.
extern "C" __global__ void __launch_bounds__(1024)
triangulate(const double2 *points, const u32 *names, u64 lines, const u64 *smallest, u32 *open,
            u64 *tests) {
    const u64 s = *smallest;
    if (s >= lines) return;
    const Line accepted = line_of(points, names[s]);
    const u64 stride = (u64)gridDim.x * blockDim.x, words = (lines + 31) / 32;
    u64 tested = 0, word = s / 32 + (u64)blockIdx.x * blockDim.x + threadIdx.x;
    for (; word < words; word += stride) {
        u32 left = open[word];
        // Lines up to s are settled.
        if (word == s / 32) left &= ~1u << s % 32;
        u32 struck = 0;
        tested += __popc(left);
        for (; left != 0; left &= left - 1) {
            const int k = __ffs(left) - 1;
            if (conflicts(points, accepted, names[word * 32 + k])) struck |= 1u << k;
        }
        if (struck) open[word] &= ~struck;
    }
    if (tests && tested) atomicAdd(tests, tested);
}

// By one block: records the line accepted, and finds the next one that is not struck out. Bits
// behind the last line are 0.
extern "C" __global__ void __launch_bounds__(1024)
find_new_small(const u32 *names, u64 lines, const u32 *open, u64 *smallest, u32 *rounds,
               u32 *accepted) {
    __shared__ u32 least;
    const u64 s = *smallest;
    if (s >= lines) return;
    const u64 words = (lines + 31) / 32;
    if (threadIdx.x == 0) least = NONE;
    for (u64 first = s / 32;; first += blockDim.x) {
        __syncthreads();
        const u64 word = first + threadIdx.x;
        u32 left = word < words ? open[word] : 0;
        if (word == s / 32) left &= ~1u << s % 32;
        if (left) atomicMin(&least, (u32)(word * 32) + __ffs(left) - 1);
        __syncthreads();
        if (least != NONE || first + blockDim.x >= words) break;
    }
    if (threadIdx.x == 0) {
        accepted[(*rounds)++] = names[s];
        *smallest = least == NONE ? lines : least;
    }
}
