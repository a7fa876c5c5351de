// How much the first cache holds beside shared memory: one thread follows a chain of lines of 128 bytes
// a few times; of the last time the mean cycles of a load, by lines and by a block's shared memory.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
__global__ void chain(const unsigned* next, int lines, unsigned* out) {
    extern __shared__ unsigned s[];
    if (threadIdx.x || blockIdx.x) { if (lines < 0) out[2] = s[threadIdx.x]; return; }
    unsigned at = 0; long long t = 0;
    for (int pass = 0; pass < 3; pass++) {
        long long begun = clock64();
        for (int i = 0; i < lines; i++) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(at) : "l"(next + at));
        t = clock64() - begun + (at == 12345);
    }
    out[0] = (unsigned)t; out[1] = at;
}
int main() {
    cudaDeviceProp d; cudaGetDeviceProperties(&d, 0);
    std::vector<unsigned> h(4096 * 32); unsigned *a, *o; cudaMalloc(&a, h.size() * 4); cudaMalloc(&o, 64);
    cudaFuncSetAttribute(chain, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024);
    printf("threads,blocks,shared_bytes,lines,repetition,cycles\n");
    for (int threads : {64, 128, 256, 1024}) for (int blocks : {1, 528}) for (int shared : {0, 1024, 2048, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152, 65536, 98304, 131072, 196608}) {
        if (blocks > 1 && threads != 64) continue;
        for (int lines = 32; lines <= 2048; lines += lines < 512 ? 32 : 64) {
            for (int i = 0; i < lines; i++) h[i * 32] = (i + 1) % lines * 32;
            cudaMemcpy(a, h.data(), h.size() * 4, cudaMemcpyHostToDevice);
            for (int repetition = 0; repetition < 3; repetition++) {
                chain<<<blocks, threads, shared>>>(a, lines, o);
                unsigned r[2]; cudaMemcpy(r, o, 8, cudaMemcpyDeviceToHost);
                printf("%d,%d,%d,%d,%d,%.1f\n", threads, blocks, shared, lines, repetition, r[0] / (double)lines);
            }
        }
    }
    fprintf(stderr, "%s %s\n", d.name, cudaGetErrorString(cudaDeviceSynchronize()));
}
