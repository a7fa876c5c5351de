// Stores of W consecutive words a thread, one after another, with GAP dependent sums between.
template <int W, int GAP> __global__ void fill(unsigned *x, unsigned n, float seed) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / W) return;
    float f = seed + t;
#pragma unroll
    for (int k = 0; k < W; k++) {
#pragma unroll
        for (int g = 0; g < GAP; g++) f = f * 1.0001f + 0.5f;
        // A volatile store stays one store of a word.
        ((volatile unsigned *)x)[(size_t)t * W + k] = __float_as_uint(f) ^ k;
    }
}
template <int W> void some(unsigned *x, unsigned blocks, unsigned threads) {
    unsigned n = blocks * threads * W;
    fill<W, 0><<<blocks, threads>>>(x, n, 1);
    fill<W, 32><<<blocks, threads>>>(x, n, 1);
}

int main() {
    unsigned n = 1 << 23, *x;
    cudaMalloc(&x, 64 << 20);
    cudaMemset(x, 1, 64 << 20);
    fill<1, 0><<<n / 256, 256>>>(x, n, 1);
    fill<2, 0><<<n / 512, 256>>>(x, n, 1);
    fill<4, 0><<<n / 1024, 256>>>(x, n, 1);
    fill<8, 0><<<n / 2048, 256>>>(x, n, 1);
    fill<16, 0><<<n / 4096, 256>>>(x, n, 1);
    fill<4, 16><<<n / 1024, 256>>>(x, n, 1);
    fill<4, 128><<<n / 1024, 256>>>(x, n, 1);
    fill<8, 128><<<n / 2048, 256>>>(x, n, 1);
    // Few warps on each of 132 multiprocessors.
    for (unsigned each : {1, 4, 16})
        for (unsigned threads : {32, 128}) {
            some<2>(x, 132 * each, threads);
            some<4>(x, 132 * each, threads);
            some<8>(x, 132 * each, threads);
            some<16>(x, 132 * each, threads);
        }
    return cudaDeviceSynchronize();
}
