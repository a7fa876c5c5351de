// What random reads take by the bytes that they go through, chains and streams of words, and of whole
// address groups; and rows of threads that lie far apart. Prints random.csv.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { cudaError_t e = (x); if (e) { printf("%s %d\n", cudaGetErrorString(e), __LINE__); exit(1); } } while (0)
__device__ uint64_t mix(uint64_t x) {
    x ^= x >> 31; x *= 0x7fb5d329728ea185ull; x ^= x >> 27; x *= 0x81dadef4bc2dd44dull; x ^= x >> 33; return x;
}
// Each thread reads words at random sectors, one after another, or eight at once.
template <bool chained> __global__ void random_reads(const unsigned *a, uint64_t sectors, int steps, unsigned *out, long long *cycles) {
    uint64_t t = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x, x = mix(t + 1 + sectors);
    unsigned s = 0;
    long long c = clock64();
    if (chained) for (int i = 0; i < steps; i++) {
        unsigned v = __ldcg(a + (x >> 8) % sectors * 8);
        s += v; x = x * 6364136223846793005ull + 1442695040888963407ull + v;
    } else for (int i = 0; i < steps; i += 8) {
        unsigned v[8];
        #pragma unroll
        for (int j = 0; j < 8; j++) { v[j] = __ldcg(a + (x >> 8) % sectors * 8); x = x * 6364136223846793005ull + 1442695040888963407ull; }
        #pragma unroll
        for (int j = 0; j < 8; j++) s += v[j];
    }
    c = clock64() - c;
    if (t == 0) *cycles = c;
    if (s == 123) out[0] = s;
}
__global__ void random_groups(const unsigned *a, uint64_t groups, int steps, unsigned *out, long long *cycles) {
    uint64_t t = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x, x = mix(t / 32 + 1 + groups);
    unsigned s = 0;
    long long c = clock64();
    for (int i = 0; i < steps; i++) {
        unsigned v = __ldcg(a + (x >> 8) % groups * 32 + (t & 31));
        s += v; x = x * 6364136223846793005ull + 1442695040888963407ull + __shfl_sync(~0u, v, 0);
    }
    c = clock64() - c;
    if (t == 0) *cycles = c;
    if (s == 123) out[0] = s;
}
__global__ void rows(const unsigned *a, uint64_t apart, int lines, int turns, unsigned *out, long long *cycles) {
    uint64_t t = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    unsigned s = 0;
    const unsigned *row = a + t * apart / 4;
    long long c = 0;
    for (int k = 0; k <= turns; k++) { if (k == 1) c = clock64(); for (int i = 0; i < lines; i++) s += __ldcg(row + i * 32 + s); }
    c = clock64() - c;
    if (t == 0) *cycles = c;
    if (s == 123) out[0] = s;
}
template <class F> float best(F f) {
    float b = 1e30;
    cudaEvent_t e0, e1;
    cudaEventCreate(&e0); cudaEventCreate(&e1);
    for (int i = 0; i < 3; i++) { cudaEventRecord(e0); f(); cudaEventRecord(e1); CHECK(cudaEventSynchronize(e1)); float m; cudaEventElapsedTime(&m, e0, e1); b = std::min(b, m); }
    return b;
}
int main() {
    const uint64_t most = 32ull << 30;
    unsigned *a, *out;
    long long *c;
    CHECK(cudaMalloc(&a, most)); CHECK(cudaMalloc(&out, 4)); CHECK(cudaMallocManaged(&c, 8)); CHECK(cudaMemset(a, 0, most));
    printf("kind,blocks,threads,bytes,apart,steps,ns,cycles\n");
    int shapes[][2] = {{1, 32}, {132, 32}, {132, 256}, {264, 1024}};
    for (uint64_t b = 4ull << 20; b <= most; b *= 2) for (auto &s : shapes) {
        auto row = [&](const char *kind, float m) { printf("%s,%d,%d,%llu,0,64,%.1f,%lld\n", kind, s[0], s[1], (unsigned long long)b, m * 1e6, *c); };
        row("chain", best([&] { random_reads<true><<<s[0], s[1]>>>(a, b / 32, 64, out, c); }));
        row("stream", best([&] { random_reads<false><<<s[0], s[1]>>>(a, b / 32, 64, out, c); }));
        row("groups", best([&] { random_groups<<<s[0], s[1]>>>(a, b / 128, 64, out, c); }));
    }
    for (int blocks : {1, 16, 128, 1024}) for (uint64_t apart = 8192; apart <= (64ull << 20) && apart * blocks * 64 <= most; apart *= 2) {
        int lines = std::max(1, std::min(64, (int)((16 << 20) / 128 / (blocks * 64))));
        float m = best([&] { rows<<<blocks, 64>>>(a, apart, lines, 20, out, c); });
        printf("rows,%d,64,0,%llu,%d,%.1f,%lld\n", blocks, (unsigned long long)apart, lines * 20, m * 1e6, *c);
    }
}
