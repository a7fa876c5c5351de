// A random permutation of 2^24 words by one plain kernel: prints NAME,SIZE,REPETITION,SECONDS.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "../check.cuh"

__global__ void scatter(const float *a, const int *p, float *b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[p[i]] = a[i];
}
__global__ void gather(const float *a, const int *p, float *b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[p[i]];
}

int main() {
    const int n = 1 << 24, repetitions = 11;
    std::vector<int> p(n);
    std::iota(p.begin(), p.end(), 0);
    std::shuffle(p.begin(), p.end(), std::mt19937(1));
    std::vector<float> given(n), found(n);
    for (int i = 0; i < n; i++) given[i] = (float)i;
    float *a, *b;
    int *places;
    CHECK(cudaMalloc(&a, n * sizeof *a));
    CHECK(cudaMalloc(&b, n * sizeof *b));
    CHECK(cudaMalloc(&places, n * sizeof *places));
    CHECK(cudaMemcpy(a, given.data(), n * sizeof *a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(places, p.data(), n * sizeof *places, cudaMemcpyHostToDevice));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (const char *name : {"copy", "scatter", "gather"}) {
        for (int i = -2; i < repetitions; i++) {
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaEventRecord(begin));
            if (*name == 'c') CHECK(cudaMemcpyAsync(b, a, n * sizeof *a, cudaMemcpyDeviceToDevice));
            if (*name == 's') scatter<<<n / 256, 256>>>(a, places, b, n);
            if (*name == 'g') gather<<<n / 256, 256>>>(a, places, b, n);
            CHECK(cudaGetLastError());
            CHECK(cudaEventRecord(end));
            CHECK(cudaEventSynchronize(end));
            float milliseconds;
            CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
            if (i >= 0) printf("%s,%d,%d,%.9g\n", name, n, i, milliseconds / 1000);
        }
        CHECK(cudaMemcpy(found.data(), b, n * sizeof *b, cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; i++) {
            const bool right = *name == 'c' ? found[i] == given[i] : *name == 's' ? found[p[i]] == given[i] : found[i] == given[p[i]];
            if (!right) {
                fprintf(stderr, "%s: WRONG at %d\n", name, i);
                return 1;
            }
        }
    }
}
