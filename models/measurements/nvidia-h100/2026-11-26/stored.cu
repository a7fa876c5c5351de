// What a turn takes of a loop that reads a word (mode 0), reads it and stores to it (1), or reads it and
// stores to the one before (2), each turn after the one before; rows of words a lane, or columns; on one
// block of so many warps, and lanes of each. `nvcc -O3 -arch=sm_90 stored.cu && ./a.out`; stored.csv has
// the rows of one and two warps with 0 and 8 products between the read and the store.
#include <cstdio>
#include <cuda_runtime.h>
template<class T> __global__ void turns(T* a, int* cycles, int lanes, long long lane, long long cell, long long warp, int n, int passes, int mode, int zero, int products) {
    int w = threadIdx.x / 32, l = threadIdx.x % 32, before = 0;
    if (l >= lanes) return;
    T* p = a + w * warp + l * lane;
    long long t0 = 0;
    for (int r = 0; r < passes; r++) {
        if (r == 1) t0 = clock64();
        for (int i = 0; i < n; i++) {
            T* q = p + i * cell + before * zero;
            int x = *q;
            for (int k = 0; k < products; k++) x = x * 3 + zero;
            if (mode == 1) *q = (T)(x + zero);
            if (mode == 2) p[(i > 0 ? i - 1 : n - 1) * cell + x * zero] = (T)x;
            before = x;
        }
    }
    long long t1 = clock64();
    if (threadIdx.x == 0) cycles[0] = (int)((t1 - t0) / ((passes - 1) * n)) + before * zero;
}
template<class T> void of(const char* name, T* a, int* c) {
    int h;
    struct { const char* name; long long lane, cell, warp; } all[] = {{"row64", 64, 1, 64 * 32}, {"row65", 65, 1, 65 * 32}, {"row256", 256, 1, 256 * 32}, {"column1024", 1, 1024, 32}, {"column65536", 1, 65536, 32}, {"column1056", 1, 1056, 32}};
    for (int warps : {1, 2, 8}) for (int lanes : {1, 4, 16, 32}) for (int mode : {0, 1, 2}) for (int products : {0, 8, 32, 64}) for (auto& it : all) {
        cudaMemset(a, 0, 1 << 26);
        for (int i = 0; i < 2; i++) turns<T><<<1, warps * 32>>>(a, c, lanes, it.lane, it.cell, it.warp, 64, 9, mode, 0, products);
        cudaMemcpy(&h, c, 4, cudaMemcpyDeviceToHost);
        printf("%s,%s,%d,%d,%d,%d,%d\n", name, it.name, warps, lanes, mode, products, h);
    }
}
int main() {
    char* a; int* c;
    cudaMalloc(&a, 1 << 30); cudaMalloc(&c, 64);
    of<int>("int", (int*)a, c); of<unsigned char>("u8", (unsigned char*)a, c);
}
