// What a person writes first: hand [REPETITIONS] prints NAME,SIZE,REPETITION,SECONDS.
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <functional>

#include "../check.cuh"

__global__ void fill(float *a, size_t n) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        a[i] = (float)((i * 2654435761u) >> 8 & 0xffff) / 65536;
}
__global__ void fill(int *a, size_t n) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        a[i] = (int)((i * 2654435761u) >> 8 & 0xffff);
}

__global__ void saxpy(const float *x, float *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = y[i] + 0.75f * x[i];
}
__global__ void update(const float *a, float *b, int n) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i > n - 2 || j > n - 2) return;
    b[i * n + j] = (a[(i - 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j]) / 4;
}
__global__ void back(const float *b, float *a, int n) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i > n - 2 || j > n - 2) return;
    a[i * n + j] = b[i * n + j];
}
__global__ void nine(const float *a, float *b, int n) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i > n - 2 || j > n - 2) return;
    float r = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) r += a[(i + y) * n + j + x];
    b[i * n + j] = r / 9;
}
__global__ void seven(const float *a, float *b, int n) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, i = blockIdx.z;
    if (i < 1 || j < 1 || k < 1 || i > n - 2 || j > n - 2 || k > n - 2) return;
    const int at = (i * n + j) * n + k;
    b[at] = 0.4f * a[at] + 0.1f * (a[at - n * n] + a[at + n * n] + a[at - n] + a[at + n] + a[at - 1] + a[at + 1]);
}
__global__ void relax(int *d, int n, int k) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) d[i * n + j] = min(d[i * n + j], d[i * n + k] + d[k * n + j]);
}
__global__ void product(const float *a, const float *b, float *c, int n) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n) return;
    float r = 0;
    for (int k = 0; k < n; k++) r += a[i * n + k] * b[k * n + j];
    c[i * n + j] = r;
}
__global__ void turned(const float *a, float *b, int n) {
    __shared__ float t[32][33];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (y + i < n && x + threadIdx.x < n) t[i][threadIdx.x] = a[(size_t)(y + i) * n + x + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x + i < n && y + threadIdx.x < n) b[(size_t)(x + i) * n + y + threadIdx.x] = t[threadIdx.x][i];
}

static cudaStream_t stream;
static int repetitions = 11;

static void time(const char *name, size_t size, const std::function<void()> &run) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int i = -2; i < repetitions; i++) {
        CHECK(cudaEventRecord(begin, stream));
        run();
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaEventSynchronize(end));
        float milliseconds;
        CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        if (i >= 0) printf("%s,%zu,%d,%.9g\n", name, size, i, milliseconds / 1000);
    }
    CHECK(cudaGetLastError());
}

// A graph of what `run` launches.
static cudaGraphExec_t graph_of(const std::function<void()> &run) {
    cudaGraph_t graph;
    cudaGraphExec_t launches;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    run();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&launches, graph, 0));
    return launches;
}

int main(int count, char **arguments) {
    if (count > 1) repetitions = atoi(arguments[1]);
    CHECK(cudaStreamCreate(&stream));
    const size_t most = (size_t)1 << 28;
    float *a, *b, *c;
    CHECK(cudaMalloc(&a, 4 * most));
    CHECK(cudaMalloc(&b, 4 * most));
    CHECK(cudaMalloc(&c, 4 * most));
    fill<<<4096, 256, 0, stream>>>(a, most);
    fill<<<4096, 256, 0, stream>>>(b, most);
    fill<<<4096, 256, 0, stream>>>(c, most);
    const dim3 flat(32, 8);
    const auto grid = [](int n) { return dim3((n + 31) / 32, (n + 7) / 8); };
    time("copy", most, [&] { CHECK(cudaMemcpyAsync(b, a, 4 * most, cudaMemcpyDeviceToDevice, stream)); });
    time("saxpy", most, [&] { saxpy<<<most / 256, 256, 0, stream>>>(a, b, (int)most); });
    const int n = 16384;
    time("jacobi", n, [&] {
        for (int s = 0; s < 8; s++) {
            update<<<grid(n), flat, 0, stream>>>(a, b, n);
            back<<<grid(n), flat, 0, stream>>>(b, a, n);
        }
    });
    time("stencil9", n, [&] { nine<<<grid(n), flat, 0, stream>>>(a, b, n); });
    time("heat3d", 640, [&] { seven<<<dim3(20, 80, 640), flat, 0, stream>>>(a, b, 640); });
    time("transpose", n, [&] { turned<<<dim3(512, 512), flat, 0, stream>>>(a, b, n); });
    time("matrix_multiply", 2048, [&] { product<<<grid(2048), flat, 0, stream>>>(a, b, c, 2048); });
    for (int size : {1024, 4096}) {
        fill<<<4096, 256, 0, stream>>>((int *)c, (size_t)size * size);
        const cudaGraphExec_t all = graph_of([&] {
            for (int k = 0; k < size; k++) relax<<<grid(size), flat, 0, stream>>>((int *)c, size, k);
        });
        time("floyd_warshall", size, [&] { CHECK(cudaGraphLaunch(all, stream)); });
    }
    fill<<<4096, 256, 0, stream>>>(a, most);
    void *spare = nullptr;
    size_t bytes = 0, more = 0;
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, a, b, (int)most, stream));
    CHECK(cub::DeviceScan::InclusiveSum(nullptr, more, a, b, (int)most, stream));
    if (more > bytes) bytes = more;
    CHECK(cudaMalloc(&spare, bytes));
    time("cub_sum", most, [&] { CHECK(cub::DeviceReduce::Sum(spare, bytes, a, b, (int)most, stream)); });
    for (size_t size : {most / 4, most})
        time("cub_scan", size, [&] { CHECK(cub::DeviceScan::InclusiveSum(spare, bytes, a, b, (int)size, stream)); });
}
