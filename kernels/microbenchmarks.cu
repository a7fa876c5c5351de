// What a machine is calibrated from: one kernel for each number. Every kernel does nothing but the
// access that it is named after, each thread one at a time, since a thread of the memory machine
// waits for each of its accesses.

typedef unsigned int word;

// Sequential memory access (Nakano 2013, Section II): p threads read n addresses, in rounds of p.
// After every n / (f + 1) addresses, `skip` words are left out; addresses are `stride` words apart,
// and wrap around at `mask` + 1, a power of two. Words hold numbers below 2^31, so that adding
// (word >> 31) makes each address wait for the word before and changes nothing.
extern "C" __global__ void read(const word *__restrict__ a, word *__restrict__ out, long long n,
                                long long f, long long skip, long long stride, long long mask) {
    const long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const long long p = gridDim.x * (long long)blockDim.x;
    const long long length = (n + f) / (f + 1);
    word last = 0, sum = 0;
    if (f == 0) {
        for (long long i = first; i < n; i += p) {
            last = a[(i * stride + (last >> 31)) & mask];
            sum ^= last;
        }
    } else {
        for (long long i = first; i < n; i += p) {
            last = a[((i + i / length * skip) * stride + (last >> 31)) & mask];
            sum ^= last;
        }
    }
    if (sum == 0x9e3779b9u) out[0] = sum;
}

// The same, writing.
extern "C" __global__ void write(word *__restrict__ a, long long n, long long stride, long long mask) {
    const long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const long long p = gridDim.x * (long long)blockDim.x;
    for (long long i = first; i < n; i += p) a[(i * stride) & mask] = (word)i;
}

// Each of p threads reads m words one after another, beginning m words after its neighbour: the
// row-wise arrangement, in which a thread's next words lie beside its last.
extern "C" __global__ void row(const word *__restrict__ a, word *__restrict__ out, long long m, long long p) {
    const long long j = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (j >= p) return;
    word last = 0, sum = 0;
    for (long long i = 0; i < m; i++) {
        last = a[j * m + i + (last >> 31)];
        sum ^= last;
    }
    if (sum == 0x9e3779b9u) out[0] = sum;
}

// All threads read n words, side by side, again and again.
extern "C" __global__ void sweep(const word *__restrict__ a, word *__restrict__ out, long long n,
                                 long long rounds) {
    const long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const long long p = gridDim.x * (long long)blockDim.x;
    word sum = 0;
    for (long long round = 0; round < rounds; round++) {
        for (long long i = first; i < n; i += p) sum ^= a[i] + (word)round;
    }
    if (sum == 0x9e3779b9u) out[0] = sum;
}

// One thread follows a chain: next[x] is where to go from x. It begins where it ended before.
extern "C" __global__ void chase(const word *__restrict__ next, word *__restrict__ out, long long steps) {
    word x = out[0];
    for (long long i = 0; i < steps; i++) x = next[x];
    out[0] = x;
}

// Shared memory with conflicts of a given degree: lanes 0 ... degree - 1 of each warp ask bank 0 for
// as many addresses, the other lanes each ask a bank of its own.
extern "C" __global__ void shared(word *__restrict__ out, long long degree, long long steps) {
    __shared__ word cells[1024];
    for (word i = threadIdx.x; i < 1024; i += blockDim.x) cells[i] = i;
    __syncthreads();
    const word lane = threadIdx.x % 32;
    word x = lane < degree ? 32 * lane : lane;
    for (long long i = 0; i < steps; i++) x = cells[x];
    if (x == 0x9e3779b9u) out[0] = x;
}

extern "C" __global__ void empty() {}

// Barriers of the whole grid: those of emitted code, whose text stands before this one.
extern "C" __global__ void barriers(unsigned *arrived, long long count) {
    unsigned round = 0;
    for (long long i = 0; i < count; i++) grid_barrier(arrived, round);
}

// Barriers of a block.
extern "C" __global__ void block_barriers(word *__restrict__ out, long long steps) {
    for (long long i = 0; i < steps; i++) __syncthreads();
    if (steps < 0) out[0] = 1;
}

// Chains of one operation, each of which waits for the one before.
#define CHAIN(name, type, operation)                                                              \
    extern "C" __global__ void name(word *__restrict__ out, long long steps, type y, type z) {    \
        type x = (type)threadIdx.x + z;                                                           \
        _Pragma("unroll 8") for (int i = 0; i < (int)steps; i++) x = operation;                   \
        if (x == (type)12345) out[0] = 1;                                                         \
    }

CHAIN(add, word, (x ^ y) + z)
CHAIN(multiply, word, x * y + z)
CHAIN(divide, word, y / (x | 1))
CHAIN(add64, unsigned long long, (x ^ y) + z)
CHAIN(multiply64, unsigned long long, x * y + z)
CHAIN(divide64, unsigned long long, y / (x | 1))
CHAIN(f32_add, float, x * y + z)
CHAIN(f32_divide, float, y / x)
CHAIN(f32_root, float, sqrtf(x))
CHAIN(f64_add, double, x * y + z)
CHAIN(f64_divide, double, y / x)
CHAIN(f64_root, double, sqrt(x))
