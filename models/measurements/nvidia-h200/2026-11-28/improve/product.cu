// The product of n × n matrices by 8 × 8 elements a thread, 256 threads a block, as `umm improve` has it and as
// a person may write it: `nvcc -std=c++17 -O3 -arch=sm_90 -fmad=false -DFMAD='"products and sums"'`, and
// without -fmad=false as "fused". v0: as emitted; v1: reads of 16 bytes; v2: and the next tiles read early into
// the other of two copies; v3: v2 in 128 registers; v4: v0 with two copies; v5: v1 in 128 registers.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
constexpr int n = 4096;
// as emitted: scalar reads, padded rows
__global__ void __launch_bounds__(256) v0(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
    __shared__ __align__(16) float at[128 * 17], bt[16 * 129];
    float s[64] = {}, x[8], y[8];
    int I = blockIdx.x / 32, J = blockIdx.x % 32, t = threadIdx.x, u = t / 16, v = t % 16;
    for (int K = 0; K < n / 16; K++) {
        __syncthreads();
#pragma unroll
        for (int r = 0; r < 8; r++) { int q = r * 256 + t; at[q / 16 * 17 + q % 16] = a[(128 * I + q / 16) * n + 16 * K + q % 16]; }
#pragma unroll
        for (int r = 0; r < 8; r++) { int q = r * 256 + t; bt[q / 128 * 129 + q % 128] = b[(16 * K + q / 128) * n + 128 * J + q % 128]; }
        __syncthreads();
#pragma unroll 4
        for (int l = 0; l < 16; l++) {
#pragma unroll
            for (int z = 0; z < 8; z++) x[z] = at[(u + 16 * z) * 17 + l];
#pragma unroll
            for (int z = 0; z < 8; z++) y[z] = bt[l * 129 + v + 16 * z];
#pragma unroll
            for (int e = 0; e < 8; e++)
#pragma unroll
                for (int f = 0; f < 8; f++) s[e * 8 + f] = s[e * 8 + f] + x[e] * y[f];
        }
    }
#pragma unroll
    for (int e = 0; e < 8; e++)
#pragma unroll
        for (int f = 0; f < 8; f++) c[(128 * I + 16 * e + u) * n + 128 * J + 16 * f + v] = s[e * 8 + f];
}
// vector reads: b by 4 + 4 neighbours, a by 4 steps
template <int AS, bool EARLY> __device__ __forceinline__ void body(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
    __shared__ __align__(16) float at[(EARLY ? 2 : 1)][128 * AS], bt[(EARLY ? 2 : 1)][16 * 132];
    float s[64] = {};
    int I = blockIdx.x / 32, J = blockIdx.x % 32, t = threadIdx.x, u = t / 16, v = t % 16;
    float4 ga[2], gb[2];
    auto load = [&](int K) {
#pragma unroll
        for (int r = 0; r < 2; r++) {
            int q = r * 256 + t;
            ga[r] = *(const float4 *)&a[(128 * I + q / 4) * n + 16 * K + q % 4 * 4];
            gb[r] = *(const float4 *)&b[(16 * K + q / 32) * n + 128 * J + q % 32 * 4];
        }
    };
    auto store = [&](int p) {
#pragma unroll
        for (int r = 0; r < 2; r++) {
            int q = r * 256 + t;
            *(float4 *)&at[p][q / 4 * AS + q % 4 * 4] = ga[r];
            *(float4 *)&bt[p][q / 32 * 132 + q % 32 * 4] = gb[r];
        }
    };
    auto compute = [&](int p) {
#pragma unroll
        for (int l = 0; l < 16; l += 4) {
            float4 x[8];
#pragma unroll
            for (int z = 0; z < 8; z++) x[z] = *(float4 *)&at[p][(u + 16 * z) * AS + l];
#pragma unroll
            for (int m = 0; m < 4; m++) {
                float4 y0 = *(float4 *)&bt[p][(l + m) * 132 + 4 * v], y1 = *(float4 *)&bt[p][(l + m) * 132 + 64 + 4 * v];
                float y[8] = {y0.x, y0.y, y0.z, y0.w, y1.x, y1.y, y1.z, y1.w};
#pragma unroll
                for (int e = 0; e < 8; e++) {
                    float xe = m == 0 ? x[e].x : m == 1 ? x[e].y : m == 2 ? x[e].z : x[e].w;
#pragma unroll
                    for (int f = 0; f < 8; f++) s[e * 8 + f] = s[e * 8 + f] + xe * y[f];
                }
            }
        }
    };
    if (EARLY) {
        load(0); store(0); __syncthreads();
        for (int K = 0; K < n / 16; K++) {
            if (K + 1 < n / 16) load(K + 1);
            compute(K & 1);
            if (K + 1 < n / 16) store((K + 1) & 1);
            __syncthreads();
        }
    } else {
        for (int K = 0; K < n / 16; K++) {
            __syncthreads(); load(K); store(0); __syncthreads(); compute(0);
        }
    }
#pragma unroll
    for (int e = 0; e < 8; e++) {
        float *row = &c[(128 * I + 16 * e + u) * n + 128 * J];
        *(float4 *)&row[4 * v] = make_float4(s[e * 8], s[e * 8 + 1], s[e * 8 + 2], s[e * 8 + 3]);
        *(float4 *)&row[64 + 4 * v] = make_float4(s[e * 8 + 4], s[e * 8 + 5], s[e * 8 + 6], s[e * 8 + 7]);
    }
}
__global__ void __launch_bounds__(256) v1(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) { body<20, false>(a, b, c); }
__global__ void __launch_bounds__(256) v2(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) { body<20, true>(a, b, c); }
__global__ void __launch_bounds__(256, 2) v3(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) { body<20, true>(a, b, c); }
// scalar reads, but the next tiles are read early into registers and two copies go by turns
__global__ void __launch_bounds__(256, 2) v4(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
    __shared__ __align__(16) float at[2][128 * 17], bt[2][16 * 129];
    float s[64] = {}, x[8], y[8], ga[8], gb[8];
    int I = blockIdx.x / 32, J = blockIdx.x % 32, t = threadIdx.x, u = t / 16, v = t % 16;
    auto load = [&](int K) {
#pragma unroll
        for (int r = 0; r < 8; r++) { int q = r * 256 + t; ga[r] = a[(128 * I + q / 16) * n + 16 * K + q % 16]; gb[r] = b[(16 * K + q / 128) * n + 128 * J + q % 128]; }
    };
    auto store = [&](int p) {
#pragma unroll
        for (int r = 0; r < 8; r++) { int q = r * 256 + t; at[p][q / 16 * 17 + q % 16] = ga[r]; bt[p][q / 128 * 129 + q % 128] = gb[r]; }
    };
    load(0); store(0); __syncthreads();
    for (int K = 0; K < n / 16; K++) {
        if (K + 1 < n / 16) load(K + 1);
#pragma unroll 4
        for (int l = 0; l < 16; l++) {
#pragma unroll
            for (int z = 0; z < 8; z++) x[z] = at[K & 1][(u + 16 * z) * 17 + l];
#pragma unroll
            for (int z = 0; z < 8; z++) y[z] = bt[K & 1][l * 129 + v + 16 * z];
#pragma unroll
            for (int e = 0; e < 8; e++)
#pragma unroll
                for (int f = 0; f < 8; f++) s[e * 8 + f] = s[e * 8 + f] + x[e] * y[f];
        }
        if (K + 1 < n / 16) store((K + 1) & 1);
        __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < 8; e++)
#pragma unroll
        for (int f = 0; f < 8; f++) c[(128 * I + 16 * e + u) * n + 128 * J + 16 * f + v] = s[e * 8 + f];
}
// scalar, one copy; 4 × 4 by vectors only along l of a (odd pad lost), scalar b
__global__ void __launch_bounds__(256, 2) v5(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) { body<20, false>(a, b, c); }
typedef void (*K)(const float *, const float *, float *);
int main() {
    size_t bytes = sizeof(float) * n * n;
    std::vector<float> h(n * n), r(n * n), w(n * n);
    float *a, *b, *c;
    cudaMalloc(&a, bytes); cudaMalloc(&b, bytes); cudaMalloc(&c, bytes);
    srand(1); for (auto &x : h) x = rand() / (float)RAND_MAX; cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice);
    for (auto &x : h) x = rand() / (float)RAND_MAX; cudaMemcpy(b, h.data(), bytes, cudaMemcpyHostToDevice);
    struct { const char *name; K k; } all[] = {{"v0", v0}, {"v1", v1}, {"v2", v2}, {"v3", v3}, {"v4", v4}, {"v5", v5}};
    cudaEvent_t p, q; cudaEventCreate(&p); cudaEventCreate(&q);
    for (auto &it : all) {
        cudaMemset(c, 0xff, bytes);
        std::vector<float> ms;
        cudaFuncAttributes at; cudaFuncGetAttributes(&at, (void *)it.k);
        for (int i = 0; i < 11; i++) {
            cudaEventRecord(p); it.k<<<1024, 256>>>(a, b, c); cudaEventRecord(q); cudaEventSynchronize(q);
            float x; cudaEventElapsedTime(&x, p, q); if (i) ms.push_back(x);
        }
        for (size_t i = 0; i < ms.size(); i++) printf("%s,%s,%d,%zu,%zu,%.9f\n", it.name, FMAD, at.numRegs, at.localSizeBytes, i, ms[i] / 1e3);
        std::sort(ms.begin(), ms.end());
        cudaMemcpy(w.data(), c, bytes, cudaMemcpyDeviceToHost);
        if (it.k == v0) r = w;
        bool same = !memcmp(r.data(), w.data(), bytes);
        if (!same) printf("%s differs\n", it.name);
    }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
