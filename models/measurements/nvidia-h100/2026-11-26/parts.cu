// Whether the first cache has what was stored (parts.csv): each of some lanes stores twice to words beside
// each other, which were read before or not, with dependent products in between; much later the first of
// them is read, and read again. `nvcc -O3 -arch=sm_90 parts.cu && ./a.out`, of the H100 the rows of two
// stores to neighbouring words with 0 and 48 products.
#include <cstdio>
#include <cuda_runtime.h>
template<class T> __global__ void parts(T* a, int* cycles, int lanes, int apart, int before, int stores, int products, int between, int zero) {
    int l = threadIdx.x, x = 0;
    if (l >= lanes) return;
    T* p = a + l * apart;
    if (before) for (int i = 0; i < 8; i++) x += p[i * between + x * zero];
    { long long until = clock64() + 3000 + x * zero; while (clock64() < until); }
    for (int n = 0; n < stores; n++) {
        p[n * between + x * zero] = (T)x;
        #pragma unroll 1
        for (int k = 0; k < products; k++) x = x * 5 + zero;
    }
    { long long until = clock64() + 20000 + x * zero; while (clock64() < until); }
    long long t0 = clock64(); x = p[x * zero]; if (x == 77) cycles[8] = 1;
    long long t1 = clock64(); x += p[x * zero]; if (x == 78) cycles[8] = 1;
    long long t2 = clock64();
    if (l == 0) cycles[0] = (int)(t1 - t0), cycles[1] = (int)(t2 - t1);
}
template<class T> void of(const char* name, T* a, int* c) {
    int h[2];
    for (int lanes : {1, 2, 4, 8, 16, 32}) for (int apart : {16, 64, 65, 72, 256}) for (int before : {0, 1})
    for (int stores : {2, 3, 8}) for (int between : {1, 8, 32 / (int)sizeof(T)}) for (int products : {0, 2, 4, 6, 8, 12, 16, 24, 32, 48}) {
        if (between * (stores - 1) + 1 > apart) continue;
        cudaMemset(a, 0, 1 << 20);
        for (int i = 0; i < 2; i++) parts<T><<<1, 32>>>(a, c, lanes, apart, before, stores, products, between, 0);
        cudaMemcpy(h, c, 8, cudaMemcpyDeviceToHost);
        printf("%s,%d,%d,%d,%d,%d,%d,%d,%d\n", name, lanes, apart, before, stores, between, products, h[0], h[1]);
    }
}
int main() {
    char* a; int* c;
    cudaMalloc(&a, 1 << 26); cudaMalloc(&c, 64);
    of<int>("int", (int*)a, c); of<unsigned char>("u8", (unsigned char*)a, c);
}
