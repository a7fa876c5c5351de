// Rows a thread: what a store of 32 groups takes of the first cache.
#include <cstdio>
#include <cuda_runtime.h>
// mode 0: loads (hit), 1: stores, 2: load and store other array, 3: load+store same place, 4: loads of column (1 group), 5: stores column
template<int MODE> __global__ void k(float* a, float* b, int words, int stride, int turns, long long* out) {
    const int t = threadIdx.x + blockIdx.x * blockDim.x;
    const int all = blockDim.x * gridDim.x;
    float s = 0;
    __syncthreads();
    long long begin = clock64();
    for (int turn = 0; turn < turns; turn++) {
#pragma unroll 8
        for (int i = 0; i < words; i++) {
            long long p = MODE < 4 ? (long long)t * stride + i : (long long)i * all + t;
            if (MODE == 0 || MODE == 4) s += ((volatile float*)a)[p];
            if (MODE == 1 || MODE == 5) a[p] = (float)(i + turn);
            if (MODE == 2) { b[p] = a[p] + turn; }
            if (MODE == 3) { a[p] = a[p] + 1; }
        }
    }
    long long end = clock64();
    if (s == 12345.678f) b[0] = s;
    if (threadIdx.x == 0 ) out[blockIdx.x] = end - begin;
}
int main() {
    float *a, *b; long long* out; size_t n = (size_t)1 << 28;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&out, 8 * 4096);
    cudaMemset(a, 1, n * 4); cudaMemset(b, 1, n * 4);
    printf("mode,blocks,warps,words,stride,cycles_per_warp_op\n");
    for (int mode = 0; mode < 6; mode++) for (int blocks : {1, 132}) for (int warps : {1, 2, 4, 8, 16}) for (int words : {8, 64, 1024}) for (int stride : {1024, 1032, 1025}) {
        if (stride != 1024 && mode >= 4) continue;
        int turns = words == 8 ? 256 : words == 64 ? 32 : 2;
        for (int rep = 0; rep < 2; rep++) switch (mode) {
            case 0: k<0><<<blocks, 32 * warps>>>(a, b, words, stride, turns, out); break;
            case 1: k<1><<<blocks, 32 * warps>>>(a, b, words, stride, turns, out); break;
            case 2: k<2><<<blocks, 32 * warps>>>(a, b, words, stride, turns, out); break;
            case 3: k<3><<<blocks, 32 * warps>>>(a, b, words, stride, turns, out); break;
            case 4: k<4><<<blocks, 32 * warps>>>(a, b, words, stride, turns, out); break;
            case 5: k<5><<<blocks, 32 * warps>>>(a, b, words, stride, turns, out); break;
        }
        long long h[4096]; cudaMemcpy(h, out, 8 * blocks, cudaMemcpyDeviceToHost);
        double sum = 0; for (int i = 0; i < blocks; i++) sum += h[i];
        printf("%d,%d,%d,%d,%d,%.2f\n", mode, blocks, warps, words, stride, sum / blocks / turns / words / warps);
    }
    cudaError_t e = cudaDeviceSynchronize(); fprintf(stderr, "%s\n", cudaGetErrorString(e));
}
