// The iterative quickhull of Srikanth et al. (Parallelizing Two Dimensional Convex Hull on NVIDIA
// GPU and Cell BE), corrected, both hulls at once. Behind exact.cuh and scan.cuh.
//
// ANS holds the vertices found so far, counter-clockwise from the leftmost point; chord l runs from
// ANS[l] to the next one, and label l is that of the points outside it. Points lie in the order of
// their labels. A point is dropped only if it is certainly inside; one that is too near to a chord
// to tell is set aside, and the host settles it exactly.

// Phase 3: the leftmost and the rightmost point, of those the lowest and the highest.
struct Ends {
    const double2 *points;
    struct Value {
        double2 low, high;
        u32 least, greatest;
    };
    static __device__ Value none() { return {{0, 0}, {0, 0}, NONE, NONE}; }
    static __device__ bool before(double2 a, double2 b) {
        return a.x < b.x || (a.x == b.x && a.y < b.y);
    }
    static __device__ Value join(Value a, Value b) {
        if (a.least == NONE) return b;
        if (b.least == NONE) return a;
        if (before(b.low, a.low)) a.low = b.low, a.least = b.least;
        if (before(a.high, b.high)) a.high = b.high, a.greatest = b.greatest;
        return a;
    }
    __device__ Value load(u64 i) const { return {points[i], points[i], (u32)i, (u32)i}; }
};
extern "C" __global__ void __launch_bounds__(SCAN_THREADS)
ends_1(const double2 *points, u64 count, Ends::Value *totals) {
    scan_tile_totals(Ends{points}, count, totals);
}
extern "C" __global__ void __launch_bounds__(512) ends_2(u32 tiles, Ends::Value *totals) {
    scan_totals<Ends, 512>(tiles, totals);
}

// What a round works on. Sizes are those of the round.
struct Round {
    const double2 *places, *ans;       // of the points, and of the vertices
    const u32 *numbers, *labels;       // of the points
    double *distances;                 // > 0: outside the chord; < 0: certainly not; 0: too near
    u32 *begins, *ends, *farthest;     // of each label's points
    u32 *before;                       // chords with a farthest point before this one
    uint2 *ranks;                      // before each point: points kept, and those in the first half
    u8 *sides;                         // 0: not kept; 1, 2: in the first, the second half
    double2 *aside_places;             // points set aside: places, numbers, and their count
    u32 *aside, *asides;
    u32 count, chords;
};

__device__ double outside(double2 a, double2 b, double2 point) {
    const double left = (a.x - point.x) * (b.y - point.y), right = (a.y - point.y) * (b.x - point.x);
    const double distance = right - left, error = ORIENTATION_ERROR * (fabs(left) + fabs(right));
    return distance > error ? distance : distance < -error ? -1.0 : 0.0;
}

// Phase 4: distances from the chords (not divided by the chords' lengths), and where labels begin.
extern "C" __global__ void distances(Round r) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= r.count) return;
    const u32 label = r.labels[i], next = label + 1 < r.chords ? label + 1 : 0;
    r.distances[i] = outside(r.ans[label], r.ans[next], r.places[i]);
    if (i == 0 || r.labels[i - 1] != label) r.begins[label] = i;
    if (i + 1 == r.count || r.labels[i + 1] != label) r.ends[label] = i + 1;
}

// Phase 5: the farthest point of each label, by a segmented scan.
struct Farthest {
    Round r;
    struct Value {
        double distance;
        u32 at, head;
    };
    static __device__ Value none() { return {-1.0, NONE, 0}; }
    static __device__ Value join(Value a, Value b) {
        if (b.head) return b;
        const Value more = b.distance > a.distance ? b : a;
        return {more.distance, more.at, a.head};
    }
    __device__ Value load(u64 i) const {
        return {r.distances[i], (u32)i, i == 0 || r.labels[i - 1] != r.labels[i]};
    }
    __device__ void store(u64 i, Value before, Value value) const {
        if (i + 1 < r.count && r.labels[i + 1] == r.labels[i]) return;
        const Value farthest = join(before, value);
        if (farthest.distance > 0.0) r.farthest[r.labels[i]] = farthest.at;
    }
};
extern "C" __global__ void __launch_bounds__(SCAN_THREADS)
farthest_1(Round r, Farthest::Value *totals) { scan_tile_totals(Farthest{r}, r.count, totals); }
extern "C" __global__ void __launch_bounds__(1024) farthest_2(u32 tiles, Farthest::Value *totals) {
    scan_totals<Farthest, 1024>(tiles, totals);
}
extern "C" __global__ void __launch_bounds__(SCAN_THREADS)
farthest_3(Round r, const Farthest::Value *totals) { scan_tiles(Farthest{r}, r.count, totals); }

// Phase 6: the new vertices take their places in ANS, by a prefix scan.
struct Grow {
    typedef u32 Value;
    Round r;
    const u32 *ans_numbers;
    double2 *ans;
    u32 *numbers;
    static __device__ u32 none() { return 0; }
    static __device__ u32 join(u32 a, u32 b) { return a + b; }
    __device__ u32 load(u64 l) const { return r.farthest[l] != NONE; }
    __device__ void store(u64 l, u32 before, u32 found) const {
        r.before[l] = before;
        ans[l + before] = r.ans[l];
        numbers[l + before] = ans_numbers[l];
        if (found) {
            ans[l + before + 1] = r.places[r.farthest[l]];
            numbers[l + before + 1] = r.numbers[r.farthest[l]];
        }
    }
};
extern "C" __global__ void __launch_bounds__(SCAN_THREADS)
grow_1(Round r, u32 *totals) { scan_tile_totals(Grow{r}, r.chords, totals); }
extern "C" __global__ void __launch_bounds__(1024) grow_2(u32 tiles, u32 *totals) {
    scan_totals<Grow, 1024>(tiles, totals);
}
extern "C" __global__ void __launch_bounds__(SCAN_THREADS)
grow_3(Round r, const u32 *ans_numbers, double2 *ans, u32 *numbers, const u32 *totals) {
    scan_tiles(Grow{r, ans_numbers, ans, numbers}, r.chords, totals);
}

__device__ void set_aside(const Round &r, u32 i) {
    const u32 place = atomicAdd(r.asides, 1);
    r.aside[place] = r.numbers[i];
    r.aside_places[place] = r.places[i];
}

// Before the first round: below the line from the leftmost to the rightmost point, or above it.
// There are two vertices and one label.
extern "C" __global__ void divide(Round r) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= r.count) return;
    const double below = outside(r.ans[0], r.ans[1], r.places[i]);
    if (below == 0.0) set_aside(r, i);
    r.sides[i] = below > 0.0 ? 1 : below < 0.0 ? 2 : 0;
}

// Phase 7: which points stay, and on which side of their label's farthest point.
extern "C" __global__ void sides(Round r) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= r.count) return;
    const u32 label = r.labels[i], next = label + 1 < r.chords ? label + 1 : 0;
    const u32 farthest = r.farthest[label];
    const double distance = r.distances[i];
    u8 side = 0;
    if (distance == 0.0) {
        set_aside(r, i);
    } else if (distance > 0.0 && i != farthest) {
        const double x = r.places[i].x, middle = r.places[farthest].x;
        const bool rightwards = r.ans[label].x < r.ans[next].x;
        side = (rightwards ? x < middle : x > middle) ? 1 : 2;
    }
    r.sides[i] = side;
}

// Two prefix scans at once: of the points that stay, and of those in the first half.
struct Ranks {
    Round r;
    typedef uint2 Value;
    static __device__ uint2 none() { return {0, 0}; }
    static __device__ uint2 join(uint2 a, uint2 b) { return {a.x + b.x, a.y + b.y}; }
    __device__ uint2 load(u64 i) const { return {r.sides[i] != 0, r.sides[i] == 1}; }
    __device__ void store(u64 i, uint2 before, uint2 value) const {
        r.ranks[i] = before;
        if (i + 1 == r.count) r.ranks[i + 1] = join(before, value);
    }
};
extern "C" __global__ void __launch_bounds__(SCAN_THREADS)
ranks_1(Round r, uint2 *totals) { scan_tile_totals(Ranks{r}, r.count, totals); }
extern "C" __global__ void __launch_bounds__(1024) ranks_2(u32 tiles, uint2 *totals) {
    scan_totals<Ranks, 1024>(tiles, totals);
}
extern "C" __global__ void __launch_bounds__(SCAN_THREADS)
ranks_3(Round r, const uint2 *totals) { scan_tiles(Ranks{r}, r.count, totals); }

// The points that stay go where their new labels belong: each label's first half before its second.
extern "C" __global__ void distribute(Round r, double2 *places, u32 *numbers, u32 *labels) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= r.count || r.sides[i] == 0) return;
    const u32 label = r.labels ? r.labels[i] : 0;
    const u32 begin = r.labels ? r.begins[label] : 0, end = r.labels ? r.ends[label] : r.count;
    const uint2 before = r.ranks[begin], mine = r.ranks[i];
    const bool first = r.sides[i] == 1;
    const u32 firsts = r.ranks[end].y - before.y;
    const u32 to = before.x + (first ? mine.y - before.y
                                     : firsts + (mine.x - mine.y) - (before.x - before.y));
    places[to] = r.places[i];
    numbers[to] = r.numbers[i];
    labels[to] = label + (r.labels ? r.before[label] : 0) + !first;
}

// All points take part at first.
extern "C" __global__ void number(u32 *numbers, u32 count) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) numbers[i] = i;
}
