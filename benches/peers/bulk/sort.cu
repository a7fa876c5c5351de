// 2^20 times 64 keys by CUB's segmented sorts: prints rows of seconds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <vector>

#include "../check.cuh"

int main() {
    const int keys = 64, inputs = 1 << 20, all = keys * inputs, repetitions = 11;
    std::vector<float> given(all), found(all);
    unsigned state = 1;
    for (float &it : given) it = (float)((state = state * 1664525 + 1013904223) >> 8) / (1 << 24);
    std::vector<int> begins(inputs + 1);
    for (int i = 0; i <= inputs; i++) begins[i] = i * keys;
    float *in, *out;
    int *offsets;
    CHECK(cudaMalloc(&in, all * sizeof *in));
    CHECK(cudaMalloc(&out, all * sizeof *out));
    CHECK(cudaMalloc(&offsets, begins.size() * sizeof *offsets));
    CHECK(cudaMemcpy(in, given.data(), all * sizeof *in, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(offsets, begins.data(), begins.size() * sizeof *offsets, cudaMemcpyHostToDevice));
    size_t bytes = 0;
    void *temporary;
    CHECK(cub::DeviceSegmentedSort::SortKeys(nullptr, bytes, in, out, all, inputs, offsets, offsets + 1));
    CHECK(cudaMalloc(&temporary, bytes));
    const auto sort = [&] {
        CHECK(cub::DeviceSegmentedSort::SortKeys(temporary, bytes, in, out, all, inputs, offsets, offsets + 1));
    };
    sort();
    CHECK(cudaMemcpy(found.data(), out, all * sizeof *out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < inputs; i++) std::sort(given.begin() + i * keys, given.begin() + (i + 1) * keys);
    if (found != given) {
        fprintf(stderr, "CUB: WRONG\n");
        return 1;
    }
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int repetition = -2; repetition < repetitions; repetition++) {
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventRecord(begin));
        sort();
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        float milliseconds;
        CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        if (repetition >= 0) printf("bitonic_registers,k=6,CUB,%d,%d,%.9g\n", inputs, repetition, milliseconds / 1000);
    }
}
