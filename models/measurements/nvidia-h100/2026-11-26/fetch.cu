// Straight-line code of so many products, gone through again and again by warps of a multiprocessor that are
// at different places of it (apart = 1) or at the same (0), on so many multiprocessors: cycles an instruction
// of a warp. `nvcc -O3 -arch=sm_90 fetch.cu && ./a.out`; prints fetch.csv.
#include <cstdio>
#include <cuda_runtime.h>
__device__ __forceinline__ long long cycles_now() { long long t; asm volatile("mov.u64 %0, %clock64;" : "=l"(t) :: "memory"); return t; }
template <int n> __global__ void __launch_bounds__(1024) k(int passes, int apart, long long a_pass, int* out, int zero) {
    int w = threadIdx.x / 32, warps = blockDim.x / 32;
    int x = threadIdx.x, y = x + 1, z = x + 2, u = x + 3;
    long long begun = cycles_now();
    if (apart) { long long until = begun + a_pass * w / warps; while (cycles_now() < until) { } }
    long long t0 = 0, t1 = 0;
    for (int r = 0; r < passes; r++) {
        if (r == 2) t0 = cycles_now();
#pragma unroll
        for (int i = 0; i < n / 4; i++) asm volatile("mad.lo.s32 %0, %0, %4, %4;\n mad.lo.s32 %1, %1, %4, %4;\n mad.lo.s32 %2, %2, %4, %4;\n mad.lo.s32 %3, %3, %4, %4;" : "+r"(x), "+r"(y), "+r"(z), "+r"(u) : "r"(zero));
    }
    t1 = cycles_now();
    if (threadIdx.x % 32 == 0) out[blockIdx.x * warps + w] = (int)((t1 - t0) * 100 / ((passes - 2) * (long long)n));
    if (x + y + z + u == 12345) out[0] = 0;
}
template <int n> void of(int* o) {
    for (int warps : {1, 2, 4, 8, 16, 32}) for (int blocks : {1, 132}) for (int apart : {0, 1}) {
        static int h[132 * 32];
        double a = 1;
        // Again, so that the next knows what a pass takes.
        for (int i = 0; i < 4; i++) {
            k<n><<<blocks, 32 * warps>>>(12, apart, (long long)(a * n), o, 0);
            cudaMemcpy(h, o, 4 * blocks * warps, cudaMemcpyDeviceToHost);
            double m = 0; for (int j = 0; j < blocks * warps; j++) m += h[j];
            a = m / (blocks * warps) / 100;
        }
        printf("%d,%d,%d,%d,%.2f\n", n, blocks, warps, apart, a);
    }
}
int main() {
    int* o; cudaMalloc(&o, 1 << 20);
    printf("instructions,blocks,warps,apart,cycles\n");
    of<64>(o);
    of<128>(o);
    of<256>(o);
    of<512>(o);
    of<768>(o);
    of<1024>(o);
    of<1536>(o);
    of<2048>(o);
    of<3072>(o);
    of<4096>(o);
    of<6144>(o);
    of<8192>(o);
    of<12288>(o);
    of<16384>(o);
    of<32768>(o);
    fprintf(stderr, "%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
