// What the last-level cache holds and serves, the first cache left out (ld.cg): every thread has
// `lines` lines of 128 bytes of its own (private) or all have the same (shared), and goes through them
// `rounds` times. mode: 0 reads a word of each, 1 writes it, 2 reads one and writes another line, 3 reads
// and writes the same, 4 writes 8 bytes.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
__device__ unsigned ldcg(const unsigned *p) { unsigned v; asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p)); return v; }
__global__ void go(unsigned *a, unsigned long long lines, unsigned rounds, int mode, int shared, unsigned *out) {
    unsigned long long thread = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    unsigned long long threads = gridDim.x * (unsigned long long)blockDim.x;
    unsigned sum = 0;
    for (unsigned r = 0; r < rounds; r++) {
        #pragma unroll 4
        for (unsigned long long k = 0; k < lines; k++) {
            // Lanes of a warp have neighbouring lines, warps neighbouring groups of 32 lines.
            unsigned long long at = shared ? (thread + k * 32) % (lines * 32) : k * threads + thread;
            unsigned *p = a + at * 32;
            if (mode == 0) sum += ldcg(p + (r & 7));
            if (mode == 1) p[r & 7] = thread;
            if (mode == 2) { sum += ldcg(p + (r & 7)); a[(at ^ 1) * 32 + 8 + (r & 7)] = thread; }
            if (mode == 3) { unsigned v = ldcg(p + (r & 7)); p[r & 7] = v + 1; }
            if (mode == 4) *(unsigned long long *)(p + 2 * (r & 3)) = thread;
        }
    }
    if (sum == 12345) out[0] = sum;
}
int main() {
    cudaDeviceProp q; cudaGetDeviceProperties(&q, 0);
    unsigned *a, *out; size_t most = (size_t)1 << 30; cudaMalloc(&a, most); cudaMalloc(&out, 4); cudaMemset(a, 1, most);
    cudaEvent_t e0, e1; cudaEventCreate(&e0); cudaEventCreate(&e1);
    printf("kind,mode,blocks,threads,lines,bytes,rounds,repetition,time_s\n");
    for (int mode = 0; mode < 5; mode++)
        for (int threads : {256, 1024})
            for (int blocks : {q.multiProcessorCount, 2 * q.multiProcessorCount})
                for (int quarter = 1; quarter <= 48; quarter = quarter < 16 ? quarter + 1 : quarter + 4) {
                    unsigned long long all = (unsigned long long)blocks * threads;
                    unsigned long long lines = ((unsigned long long)quarter * 4 << 20) / 128 / all;
                    if (lines < 1) continue;
                    unsigned rounds = 24;
                    go<<<blocks, threads>>>(a, lines, 2, mode, 0, out);
                    for (int rep = 0; rep < 3; rep++) {
                        cudaEventRecord(e0);
                        go<<<blocks, threads>>>(a, lines, rounds, mode, 0, out);
                        cudaEventRecord(e1); cudaEventSynchronize(e1);
                        float ms; cudaEventElapsedTime(&ms, e0, e1);
                        printf("private,%d,%d,%d,%llu,%llu,%u,%d,%.9g\n", mode, blocks, threads, lines, lines * all * 128, rounds, rep, ms / 1e3);
                    }
                }
    // Shared: every warp goes through all lines, each warp from another one on.
    for (int quarter = 1; quarter <= 24; quarter++) {
        unsigned long long lines = ((unsigned long long)quarter * 4 << 20) / 128 / 32;
        for (int rep = 0; rep < 3; rep++) {
            cudaEventRecord(e0);
            go<<<q.multiProcessorCount, 1024>>>(a, lines, 1, 0, 1, out);
            cudaEventRecord(e1); cudaEventSynchronize(e1);
            float ms; cudaEventElapsedTime(&ms, e0, e1);
            printf("shared,0,%d,1024,%llu,%llu,1,%d,%.9g\n", q.multiProcessorCount, lines, lines * 32 * 128, rep, ms / 1e3);
        }
    }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
