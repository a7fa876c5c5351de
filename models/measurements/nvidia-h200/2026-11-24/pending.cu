// A store to a line that a read is under way to: is the line in the first cache afterwards?
// One warp, a line a lane. Before: `has` words of the line read (0: the line is new; 1: another sector of
// it is there; 2: the sector itself is). Then a read of word 0 that nobody waits for, G dependent
// products, a store of word `word`; 3000 cycles later the cycles of a read of word `again`, lane by lane.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
__device__ __forceinline__ unsigned ld(const unsigned* p) { unsigned v; asm volatile("ld.global.u32 %0,[%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ void st(unsigned* p, unsigned v) { asm volatile("st.global.u32 [%0],%1;" :: "l"(p), "r"(v) : "memory"); }
__device__ __forceinline__ void gap(long long g) { long long t = clock64(); while (clock64() - t < g); }
template <int G> __global__ void k(unsigned* a, int has, int lanes, int word, int again, int reads, unsigned* out) {
    int t = threadIdx.x; unsigned acc = 0;
    for (int rep = 0; rep < 3; rep++) {
        unsigned* line = a + (size_t)(rep * 1024 + t) * 32;
        if (has == 1) acc ^= ld(line + 16);
        if (has == 2) acc ^= ld(line);
        if (acc == 0x12345) out[64] = acc;
        gap(3000); __syncwarp();
        unsigned v = 0, x = rep;
        if (t < lanes) {
            if (reads) v = ld(line);
#pragma unroll
            for (int j = 0; j < G; j++) asm volatile("mad.lo.u32 %0,%0,%0,%0;" : "+r"(x));
            st(line + word, rep + (G ? x & 1 : 0));
        }
        acc ^= v; if (acc == 0x12345) out[64] = acc;
        gap(3000); __syncwarp();
        unsigned lost = 0;
        for (int q = 0; q < lanes; q++) {
            long long u = clock64(); unsigned w = 0;
            if (t == q) w = ld(line + again);
            w = __shfl_sync(~0u, w, q); acc ^= w; long long e = 0; if (acc != 0x1234567) e = clock64();
            lost += e - u > 220;
        }
        if (t == 0) out[rep] = lost;
    }
}
unsigned *a, *o;
template <int G> void all() {
    for (int has : {0, 1, 2}) for (int lanes : {1, 4, 16, 32}) for (int word : {0, 1, 8, 24}) for (int again : {0, 2, 9, 17}) for (int reads : {0, 1}) {
        cudaMemset(a, 1, 1 << 24);
        k<G><<<1, 32>>>(a, has, lanes, word, again, reads, o);
        unsigned r[3]; cudaMemcpy(r, o, 12, cudaMemcpyDeviceToHost);
        printf("%d,%d,%d,%d,%d,%d,%u,%u,%u\n", has, lanes, reads, word, again, G, r[0], r[1], r[2]);
    }
}
int main() {
    cudaMalloc(&a, 1 << 24); cudaMalloc(&o, 4096);
    printf("has,lanes,reads,word,again,products,lost_0,lost_1,lost_2\n");
    all<0>(); all<8>(); all<24>(); all<48>(); all<64>(); all<80>(); all<96>(); all<128>(); all<192>(); all<256>();
    fprintf(stderr, "%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
