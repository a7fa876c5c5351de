// What a warp stores, whether the next stores complete it before it goes on to the last-level cache: each thread has a
// few words, in its own memory or beside those of its warp in global memory, and stores to one of them, by chance, 64
// times. Between stores it reads nothing, the same word, another of the few, or a word elsewhere. Counted by
//   ncu --metrics l1tex__t_{requests,sectors}_pipe_lsu_mem_{local,global}_op_st.sum,
//       lts__t_{sectors,requests}_srcunit_tex_op_{read,write}.sum,gpu__time_duration.sum
// (rows without stores, whose words stayed in registers, are left out of between.csv).
#include <cstdio>
#include <cuda_runtime.h>
template <int words, int between, int global>
__global__ void __launch_bounds__(128) go(unsigned* out, unsigned* all, const unsigned* other, int turns) {
    volatile unsigned own[words];
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    volatile unsigned* first = all + (size_t)(t / 32) * (32 * words) + t % 32;
    #define A(i) (*(global ? first + 32 * (i) : own + (i)))
    for (int i = 0; i < words; i++) A(i) = t + i;
    unsigned h = t * 2654435761u, s = 0;
    for (int i = 0; i < turns; i++) {
        h = h * 1664525u + 1013904223u;
        unsigned g = (h >> 16) % words;
        if (between == 0) A(g) = i;
        else if (between == 1) { unsigned x = A(g); A(g) = x + 1; }
        else if (between == 2) { unsigned x = A((g + 1) % words); A(g) = x + i; }
        else { unsigned x = __ldcg(other + ((t * 7 + i * 32) & 0xffff)); A(g) = x + i; }
    }
    for (int i = 0; i < words; i++) s += A(i) * i;
    out[t] = s;
}
int main() {
    unsigned *o, *g, *p;
    cudaMalloc(&o, 1 << 26); cudaMalloc(&g, 1 << 28); cudaMalloc(&p, 1 << 20); cudaMemset(p, 0, 1 << 20);
    for (int each : {1, 8, 32}) {
        int turns = 64;
        #define ONE(w, b, m) go<w, b, m><<<132 * each, 128>>>(o, g, p, turns);
        #define ALL(w) ONE(w, 0, 0) ONE(w, 1, 0) ONE(w, 2, 0) ONE(w, 3, 0) ONE(w, 0, 1) ONE(w, 1, 1) ONE(w, 2, 1) ONE(w, 3, 1)
        ALL(2) ALL(4) ALL(8) ALL(16)
        cudaDeviceSynchronize();
    }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
