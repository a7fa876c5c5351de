// Many small polygons at once.

// Polygons of at most 64 vertices, `lanes` threads of a warp each: T in place of the weights,
// polygons x n x n, upper triangles.
extern "C" __global__ void small(real *tables, int n, int lanes, long long polygons) {
    real *shared = (real *)memory;
    const int each = n * (n | 1), per_block = blockDim.x / lanes, lane = threadIdx.x % lanes;
    real *t = shared + threadIdx.x / lanes * each;
    for (long long first = blockIdx.x * (long long)per_block; first < polygons; first += (long long)gridDim.x * per_block) {
        const long long cells = min((long long)per_block, polygons - first) * n * n;
        real *from = tables + first * n * n;
        for (int at = threadIdx.x; at < cells; at += blockDim.x)
            shared[at / (n * n) * each + at / n % n * (n | 1) + at % n] = from[at];
        __syncthreads();
        for (int a = lane; a + 1 < n; a += lanes) t[a * (n | 1) + a + 1] = (real)0;
        __syncwarp();
        for (int length = 2; length < n; length++) {
            for (int a = lane; a + length < n; a += lanes) {
                const int b = a + length;
                real least = INFINITE;
                for (int k = a + 1; k < b; k++) least = least_of(least, t[a * (n | 1) + k] + t[k * (n | 1) + b]);
                t[a * (n | 1) + b] = plus(least, t[a * (n | 1) + b]);
            }
            __syncwarp();
        }
        __syncthreads();
        for (int at = threadIdx.x; at < cells; at += blockDim.x)
            from[at] = shared[at / (n * n) * each + at / n % n * (n | 1) + at % n];
        __syncthreads();
    }
}
