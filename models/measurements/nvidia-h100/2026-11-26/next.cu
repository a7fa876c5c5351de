// How long after a graph's kernel the next one is done, by its blocks of 128 threads, each kernel reading what the one
// before wrote: `empty` does nothing, `index` finds its place, `write` writes a word, `same` reads and writes one, `two`
// reads two and writes one, `chain` reads one where another says. A graph of 401 kernels less one of 1, over 400.
#include <cstdio>
#include <cuda_runtime.h>
#define PLACE unsigned i = blockIdx.x * 128u + threadIdx.x; if (i >= n) return;
__global__ void empty(float* a, const float* b, unsigned n) {}
__global__ void index1(float* a, const float* b, unsigned n) { PLACE if (n == 7) a[i] = 0; }
__global__ void wr(float* a, const float* b, unsigned n) { PLACE a[i] = i; }
__global__ void rw(float* a, const float* b, unsigned n) { PLACE a[i] = a[i] + 1; }
__global__ void rd2(float* a, const float* b, unsigned n) { PLACE a[i] = b[i] + b[(i + 64) % n]; }
__global__ void chain(float* a, const float* b, unsigned n) { PLACE unsigned j = (unsigned)a[i]; a[i] = b[(i + j) % n]; }
typedef void (*K)(float*, const float*, unsigned);
int main() {
    float *a, *b;
    cudaMalloc(&a, 1 << 24); cudaMalloc(&b, 1 << 24); cudaMemset(a, 0, 1 << 24); cudaMemset(b, 0, 1 << 24);
    cudaStream_t s; cudaStreamCreate(&s);
    cudaEvent_t e0, e1; cudaEventCreate(&e0); cudaEventCreate(&e1);
    K kernels[] = {empty, index1, wr, rw, rd2, chain};
    const char* names[] = {"empty", "index", "write", "same", "two", "chain"};
    printf("kernel,blocks,kernels,repetition,time_us\n");
    for (int k = 0; k < 6; k++)
        for (int blocks : {1, 2, 4, 8, 16, 32, 64, 132, 264, 528, 1056})
            for (int count : {1, 401}) {
                cudaGraph_t g; cudaGraphExec_t x;
                cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
                for (int i = 0; i < count; i++) kernels[k]<<<blocks, 128, 0, s>>>(i % 2 ? b : a, i % 2 ? a : b, blocks * 128);
                cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0);
                for (int r = 0; r < 6; r++) {
                    cudaEventRecord(e0, s); cudaGraphLaunch(x, s); cudaEventRecord(e1, s); cudaEventSynchronize(e1);
                    float t; cudaEventElapsedTime(&t, e0, e1);
                    if (r) printf("%s,%d,%d,%d,%.3f\n", names[k], blocks, count, r, t * 1e3);
                }
                cudaGraphExecDestroy(x); cudaGraphDestroy(g);
            }
}
