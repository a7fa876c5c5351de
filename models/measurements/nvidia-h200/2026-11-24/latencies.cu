// What a warp waits for, in cycles of its multiprocessor, that the calibration's microbenchmarks do
// not tell: words that a multiprocessor had before and words that are new to it, words of one line and
// of 32, words in one bank of shared memory, barriers of several warps, and turns of loops. A row for
// each repetition: name,parameter,repetition,cycles
// nvcc -O3 -arch sm_90 -o latencies latencies.cu && ./latencies > latencies.csv

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#define CHECK(call) \
    do { \
        cudaError_t error = (call); \
        if (error) { \
            fprintf(stderr, "%s, line %d\n", cudaGetErrorString(error), __LINE__); \
            exit(1); \
        } \
    } while (0)

// Each thread of one warp follows its chain of words.
__global__ void chase(const unsigned *a, unsigned *out, long long *time, int steps, int block, unsigned lane) {
    if (blockIdx.x != block) return;
    unsigned x = threadIdx.x * lane;
    const long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; i++) x = a[x];
    const long long end = clock64();
    out[threadIdx.x] = x;
    *time = end - begin;
}

__global__ void fill(unsigned *to, const unsigned *from, size_t words) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words; i += gridDim.x * (size_t)blockDim.x)
        to[i] = from[i];
}

// So many threads of a warp read different words of a bank.
__global__ void banks(unsigned *out, long long *time, int steps, int ways) {
    __shared__ unsigned s[1024];
    const unsigned lane = threadIdx.x, word = lane / ways + lane % ways * 32;
    unsigned at = (unsigned)__cvta_generic_to_shared(s + word);
    s[word] = at;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < steps; i++) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
    const long long end = clock64();
    out[lane] = at;
    *time = end - begin;
}

__global__ void barriers(unsigned *out, long long *time, int steps) {
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 8
    for (int i = 0; i < steps; i++) __syncthreads();
    const long long end = clock64();
    out[threadIdx.x] = 1;
    if (threadIdx.x == 0) *time = end - begin;
}

// A loop that is not unrolled, with a chain of so many products in each turn.
template <int CHAIN> __global__ void loop(unsigned *out, long long *time, int steps) {
    unsigned x = threadIdx.x;
    const long long begin = clock64();
#pragma unroll 1
    for (int i = 0; i < steps; i++) {
#pragma unroll
        for (int k = 0; k < CHAIN; k++) asm volatile("mad.lo.u32 %0, %0, 3, 1;" : "+r"(x));
    }
    const long long end = clock64();
    out[threadIdx.x] = x;
    *time = end - begin;
}

unsigned *out;
long long *elapsed;

template <class Launch> void row(const char *name, long parameter, int repetition, int steps, Launch launch) {
    launch();
    CHECK(cudaDeviceSynchronize());
    long long cycles;
    CHECK(cudaMemcpy(&cycles, elapsed, 8, cudaMemcpyDeviceToHost));
    printf("%s,%ld,%d,%.3f\n", name, parameter, repetition, (double)cycles / steps);
}

int main() {
    const int repetitions = 10, steps = 1024;
    unsigned *a, *b;
    CHECK(cudaMalloc(&a, 1 << 28));
    CHECK(cudaMalloc(&b, 1 << 28));
    CHECK(cudaMalloc(&out, 1 << 20));
    CHECK(cudaMalloc(&elapsed, 64));
    std::mt19937 random(1);
    printf("name,parameter,repetition,cycles\n");
    for (size_t bytes : {256u << 10, 2u << 20, 8u << 20}) {
        // Lines of 128 bytes in a random circle; every thread has its word of each.
        const size_t lines = bytes / 128;
        std::vector<unsigned> words(bytes / 4), order(lines);
        std::iota(order.begin(), order.end(), 0u);
        std::shuffle(order.begin() + 1, order.end(), random);
        for (size_t i = 0; i < lines; i++)
            for (int lane = 0; lane < 32; lane++)
                words[order[i] * 32ul + lane] = order[(i + 1) % lines] * 32 + lane;
        CHECK(cudaMemcpy(b, words.data(), bytes, cudaMemcpyHostToDevice));
        const int once = std::min<size_t>(lines, 8192);
        for (int r = 0; r < repetitions; r++) {
            const int block = r * 11 % 132;
            fill<<<264, 256>>>(a, b, bytes / 4);
            auto read = [&] { chase<<<132, 32>>>(a, out, elapsed, once, block, 1); };
            row("line_new", bytes, r, once, read);
            row("line_again", bytes, r, once, read);
        }
    }
    for (size_t bytes : {16u << 10, 64u << 10, 4u << 20, 16u << 20}) {
        // Each thread has lines, and a circle, of its own.
        const size_t each = bytes / 128 / 32;
        std::vector<unsigned> words(bytes / 4);
        for (int lane = 0; lane < 32; lane++) {
            std::vector<unsigned> order(each);
            std::iota(order.begin(), order.end(), 0u);
            std::shuffle(order.begin() + 1, order.end(), random);
            for (size_t i = 0; i < each; i++)
                words[(order[i] * 32ul + lane) * 32] = (order[(i + 1) % each] * 32 + lane) * 32;
        }
        CHECK(cudaMemcpy(a, words.data(), bytes, cudaMemcpyHostToDevice));
        const int many = std::max<int>(4 * each, 2048);
        for (int r = -1; r < repetitions; r++) {
            auto read = [&] { chase<<<132, 32>>>(a, out, elapsed, many, 0, 32); };
            if (r < 0) read(); else row("lines_32", bytes, r, many, read);
        }
    }
    for (int r = 0; r < repetitions; r++) {
        for (int ways : {1, 2, 4, 8, 16, 32})
            row("shared_ways", ways, r, steps, [&] { banks<<<1, 32>>>(out, elapsed, steps, ways); });
        for (int warps : {1, 2, 4, 8, 16, 32})
            row("barrier_warps", warps, r, steps, [&] { barriers<<<1, 32 * warps>>>(out, elapsed, steps); });
        row("loop_chain", 1, r, steps, [&] { loop<1><<<1, 32>>>(out, elapsed, steps); });
        row("loop_chain", 8, r, steps, [&] { loop<8><<<1, 32>>>(out, elapsed, steps); });
        row("loop_chain", 16, r, steps, [&] { loop<16><<<1, 32>>>(out, elapsed, steps); });
        fill<<<1, 1>>>(a, b, 0);
    }
}
