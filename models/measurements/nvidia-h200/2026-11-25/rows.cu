// What the first cache keeps of rows of words, one row a thread, gone through `turns` times.
// mode 0 reads, 1 writes then reads, 2 reads and writes the same word, 3 reads one array and writes
// another, 4 reads two words of the row before and writes the row (width words each), 5 writes a word two
// words before the one it reads, 6 reads all of a row's 8 words then writes all 8.
#include <cstdio>
#include <cstdlib>
struct W { float *p; __device__ operator float() const { float v; asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory"); return v; }
 __device__ void operator=(float v) { asm volatile("st.global.f32 [%0], %1;" :: "l"(p), "f"(v) : "memory"); } };
struct R { float *p; __device__ W operator[](int i) const { return W{p + i}; } __device__ R operator+(int i) const { return R{p + i}; } };
__global__ void rows(float *a, float *b, int words, int turns, int mode) {
    size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    R x{a + thread * words}, y{b + thread * words};
    float s = 0;
    if (mode == 0) for (int t = 0; t < turns; t++) for (int i = 0; i < words; i++) s += x[i];
    if (mode == 1) for (int t = 0; t < turns; t++) { for (int i = 0; i < words; i++) x[i] = s + i; for (int i = 0; i < words; i++) s += x[i]; }
    if (mode == 2) for (int t = 0; t < turns; t++) for (int i = 0; i < words; i++) { float v = x[i]; x[i] = v + 1; }
    if (mode == 3) for (int t = 0; t < turns; t++) for (int i = 0; i < words; i++) { float v = x[i]; y[i] = v + 1; }
    if (mode == 4) {
        int w = words / 2;
        for (int t = 0; t < turns; t++) {
            R from = x + (t & 1) * w, to = x + (1 - (t & 1)) * w;
            for (int i = 1; i < w; i++) { float v = from[i - 1], u = from[i]; to[i] = v + u; }
        }
    }
    if (mode == 5) for (int t = 0; t < turns; t++) for (int i = 2; i < words; i++) { float v = x[i]; x[i - 2] = v + 1; }
    if (mode == 6) for (int t = 0; t < turns; t++) for (int i = 0; i + 8 <= words; i += 8) {
        float v[8];
        for (int k = 0; k < 8; k++) v[k] = x[i + k];
        for (int k = 0; k < 8; k++) x[i + k] = v[k] + 1;
    }
    if (s == 12345.0f) b[0] = s;
}
int main() {
    float *a, *b; size_t n = (size_t)1 << 28; cudaMalloc(&a, n); cudaMalloc(&b, n); cudaMemset(a, 0, n); cudaMemset(b, 0, n);
    for (int mode = 0; mode < 7; mode++)
        for (int threads : {64, 256, 512, 1024})
            for (int part : {2, 4, 6, 8, 10, 14, 20, 32}) {  // eighths of 1720 lines
                int lines = 1720 * part / 8;
                int words = lines * 32 / threads;
                if (mode == 3) words /= 2;
                if (words < 8) continue;
                words = words / 2 * 2 + 1;  // odd: rows are not aligned
                rows<<<132, threads>>>(a, b, words, 8, mode);
            }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
