// Hand-written sides of the comparison: copies of the same bytes, and bulk prefix-sums of p inputs
// of n words of f32 in place, column-wise (cell a of input j at a * p + j) and row-wise
// (at j * n + a).
//
// Every kernel adds each input up in f32 in the order of its indices, from r = 0, by
// r <- r + b[a]; b[a] <- r, so that all results are equal bit for bit.

#include <string>
#include <vector>

#include <cuda_runtime.h>

using i64 = long long;

// ---- V neighbouring words at once -----------------------------------------------------------

template <int V> struct Words;
template <> struct Words<1> { using T = float; };
template <> struct Words<2> { using T = float2; };
template <> struct Words<4> { using T = float4; };

__device__ inline void clear(float &r) { r = 0.0f; }
__device__ inline void clear(float2 &r) { r = make_float2(0.0f, 0.0f); }
__device__ inline void clear(float4 &r) { r = make_float4(0.0f, 0.0f, 0.0f, 0.0f); }

__device__ inline void add(float &r, float x) { r = r + x; }
__device__ inline void add(float2 &r, float2 x) { r.x = r.x + x.x; r.y = r.y + x.y; }
__device__ inline void add(float4 &r, float4 x) {
    r.x = r.x + x.x; r.y = r.y + x.y; r.z = r.z + x.z; r.w = r.w + x.w;
}

template <bool STREAM, class T> __device__ inline T load(const T *from) {
    if constexpr (STREAM) return __ldcs(from); else return *from;
}
template <bool STREAM, class T> __device__ inline void store(T *to, T x) {
    if constexpr (STREAM) __stcs(to, x); else *to = x;
}

// ---- copies ---------------------------------------------------------------------------------

// Each thread copies U float4, a block apart; a block copies U * blockDim.x neighbours.
template <int U, bool STREAM>
__global__ void copy(float4 *to, const float4 *from, i64 count) {
    i64 i = (i64)blockIdx.x * blockDim.x * U + threadIdx.x;
    float4 x[U];
#pragma unroll
    for (int u = 0; u < U; ++u)
        if (i + (i64)u * blockDim.x < count) x[u] = load<STREAM>(from + i + (i64)u * blockDim.x);
#pragma unroll
    for (int u = 0; u < U; ++u)
        if (i + (i64)u * blockDim.x < count) store<STREAM>(to + i + (i64)u * blockDim.x, x[u]);
}

// ---- column-wise ----------------------------------------------------------------------------

// A thread sums V neighbouring inputs; U steps are fetched before they are summed and stored.
template <int V, int U, bool STREAM>
__global__ void column(float *b, i64 n, i64 p) {
    using T = typename Words<V>::T;
    i64 j = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    i64 step = p / V;
    if (j >= step) return;
    T *cell = reinterpret_cast<T *>(b) + j;
    T r;
    clear(r);
    i64 a = 0;
    for (; a + U <= n; a += U, cell += U * step) {
        T x[U];
#pragma unroll
        for (int u = 0; u < U; ++u) x[u] = load<STREAM>(cell + u * step);
#pragma unroll
        for (int u = 0; u < U; ++u) { add(r, x[u]); store<STREAM>(cell + u * step, r); }
    }
    for (; a < n; ++a, cell += step) { add(r, load<STREAM>(cell)); store<STREAM>(cell, r); }
}

// The same, but the next U steps are fetched before the U at hand are summed and stored, so that
// loads are in flight all the time. n must be a multiple of U.
template <int V, int U, bool STREAM>
__global__ void column_ahead(float *b, i64 n, i64 p) {
    using T = typename Words<V>::T;
    i64 j = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    i64 step = p / V;
    if (j >= step) return;
    T *cell = reinterpret_cast<T *>(b) + j;
    T r, x[U], next[U];
    clear(r);
#pragma unroll
    for (int u = 0; u < U; ++u) next[u] = load<STREAM>(cell + u * step);
    for (i64 a = 0; a < n; a += U, cell += U * step) {
#pragma unroll
        for (int u = 0; u < U; ++u) x[u] = next[u];
        if (a + U < n) {
#pragma unroll
            for (int u = 0; u < U; ++u) next[u] = load<STREAM>(cell + (U + u) * step);
        }
#pragma unroll
        for (int u = 0; u < U; ++u) { add(r, x[u]); store<STREAM>(cell + u * step, r); }
    }
}

// ---- asynchronous copies to shared memory ---------------------------------------------------

__device__ inline void fetch16(float *to, const float *from) {
    unsigned address = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
}
__device__ inline void fetched() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int LEFT> __device__ inline void arrived() {
    asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory");
    __syncwarp();
}

// A warp sums 32 neighbouring inputs, one a lane. Tiles of R steps go through S places of a ring
// in shared memory, of which S - 1 are in flight; 8 lanes fetch one step of 32 words.
// n must be a multiple of R, p of 32.
template <int R, int S, bool STREAM>
__global__ void column_ring(float *b, i64 n, i64 p) {
    extern __shared__ float4 memory[];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    i64 first = 32 * ((i64)blockIdx.x * (blockDim.x / 32) + warp);
    if (first >= p) return;
    float *ring = reinterpret_cast<float *>(memory) + warp * S * R * 32;
    int tiles = (int)(n / R);
    int row = lane / 8, word = 4 * (lane % 8);
    const float *source = b + row * p + first + word;
    auto fetch = [&](int t) {
        if (t < tiles) {
            float *place = ring + (t % S) * R * 32 + row * 32 + word;
#pragma unroll
            for (int k = 0; k < R; k += 4) fetch16(place + k * 32, source + ((i64)t * R + k) * p);
        }
        fetched();
    };
#pragma unroll
    for (int t = 0; t < S - 1; ++t) fetch(t);
    float r = 0.0f;
    float *cell = b + first + lane;
    for (int t = 0; t < tiles; ++t) {
        fetch(t + S - 1);
        arrived<S - 1>();
        const float *place = ring + (t % S) * R * 32 + lane;
#pragma unroll
        for (int k = 0; k < R; ++k, cell += p) { add(r, place[k * 32]); store<STREAM>(cell, r); }
        __syncwarp();
    }
}

// ---- row-wise -------------------------------------------------------------------------------

// A warp sums 32 neighbouring inputs, one a lane. Tiles of 32 inputs times K words are fetched in
// whole lines, S - 1 ahead, summed where they lie in shared memory, and stored in whole lines.
// Rows are padded by 4 words, so that 8 lanes that read 16 bytes each of their rows meet 8 bank
// groups. n must be a multiple of K, p of 32.
template <int K, int S>
__global__ void row(float *b, i64 n, i64 p) {
    extern __shared__ float4 memory[];
    constexpr int PITCH = K + 4;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    i64 first = 32 * ((i64)blockIdx.x * (blockDim.x / 32) + warp);
    if (first >= p) return;
    float *ring = reinterpret_cast<float *>(memory) + warp * S * 32 * PITCH;
    float *inputs = b + first * n;
    int tiles = (int)(n / K);
    auto fetch = [&](int t) {
        if (t < tiles) {
            float *place = ring + (t % S) * 32 * PITCH;
#pragma unroll 8
            for (int k = lane; k < 32 * K / 4; k += 32) {
                int y = k / (K / 4), x = 4 * (k % (K / 4));
                fetch16(place + y * PITCH + x, inputs + y * n + (i64)t * K + x);
            }
        }
        fetched();
    };
#pragma unroll
    for (int t = 0; t < S - 1; ++t) fetch(t);
    float r = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        fetch(t + S - 1);
        arrived<S - 1>();
        float *place = ring + (t % S) * 32 * PITCH;
        float4 *mine = reinterpret_cast<float4 *>(place + lane * PITCH);
#pragma unroll 8
        for (int k = 0; k < K / 4; ++k) {
            float4 x = mine[k];
            x.x = r + x.x; x.y = x.x + x.y; x.z = x.y + x.z; x.w = x.z + x.w;
            r = x.w;
            mine[k] = x;
        }
        __syncwarp();
#pragma unroll 8
        for (int k = lane; k < 32 * K / 4; k += 32) {
            int y = k / (K / 4), x = 4 * (k % (K / 4));
            *reinterpret_cast<float4 *>(inputs + y * n + (i64)t * K + x) =
                *reinterpret_cast<float4 *>(place + y * PITCH + x);
        }
        __syncwarp();
    }
}

// ---- the table of variants ------------------------------------------------------------------

struct Variant {
    std::string name;
    const char *arrangement;             // "column" or "row"
    void (*kernel)(float *, i64, i64);
    int inputs;                          // a thread
    int multiple_n, multiple_p;          // what n and p must be multiples of
    int block;
    size_t shared;                       // bytes a block
};

struct Copy {
    std::string name;
    void (*kernel)(float4 *, const float4 *, i64);
    int words;                           // float4 a thread
    int block;
};

static std::vector<Variant> variants;
static std::vector<Copy> copies;

static std::string hint(bool stream) { return stream ? " streaming" : ""; }

template <int V, int U, bool STREAM> static void add_column() {
    for (int block : {32, 64, 128, 256})
        variants.push_back({"V=" + std::to_string(V) + " U=" + std::to_string(U) + " block=" +
                                std::to_string(block) + hint(STREAM),
                            "column", column<V, U, STREAM>, V, 1, V, block, 0});
}
template <int V, int U> static void add_columns() {
    add_column<V, U, false>();
    add_column<V, U, true>();
}
template <int V, int U> static void add_ahead() {
    for (int block : {32, 64, 128, 256}) {
        std::string name = "ahead V=" + std::to_string(V) + " U=" + std::to_string(U) +
                           " block=" + std::to_string(block);
        variants.push_back({name, "column", column_ahead<V, U, false>, V, U, V, block, 0});
        variants.push_back({name + hint(true), "column", column_ahead<V, U, true>, V, U, V, block, 0});
    }
}
template <int R, int S> static void add_ring() {
    for (int block : {32, 64, 128}) {
        size_t shared = (size_t)(block / 32) * S * R * 32 * sizeof(float);
        std::string name = "ring R=" + std::to_string(R) + " S=" + std::to_string(S) + " block=" +
                           std::to_string(block);
        variants.push_back({name, "column", column_ring<R, S, false>, 1, R, 32, block, shared});
        variants.push_back({name + hint(true), "column", column_ring<R, S, true>, 1, R, 32, block, shared});
    }
}
template <int K, int S> static void add_row() {
    for (int block : {32, 64, 128}) {
        size_t shared = (size_t)(block / 32) * S * 32 * (K + 4) * sizeof(float);
        if (shared > 200 * 1024) continue;
        variants.push_back({"K=" + std::to_string(K) + " S=" + std::to_string(S) + " block=" +
                                std::to_string(block),
                            "row", row<K, S>, 1, K, 32, block, shared});
    }
}
template <int U> static void add_copy() {
    for (int block : {128, 256, 512}) {
        std::string name = "float4 U=" + std::to_string(U) + " block=" + std::to_string(block);
        copies.push_back({name, copy<U, false>, U, block});
        copies.push_back({name + hint(true), copy<U, true>, U, block});
    }
}

// Fills the tables. Answers 0, or the error of a call.
extern "C" int prepare() {
    add_columns<1, 1>(); add_columns<1, 4>(); add_columns<1, 8>(); add_columns<1, 16>();
    add_columns<1, 32>();
    add_columns<2, 1>(); add_columns<2, 4>(); add_columns<2, 8>(); add_columns<2, 16>();
    add_columns<4, 1>(); add_columns<4, 4>(); add_columns<4, 8>(); add_columns<4, 16>();
    add_ahead<1, 8>(); add_ahead<1, 16>(); add_ahead<1, 32>(); add_ahead<2, 8>(); add_ahead<2, 16>();
    add_ring<16, 2>(); add_ring<16, 4>(); add_ring<16, 8>();
    add_row<32, 1>(); add_row<32, 2>(); add_row<32, 4>(); add_row<32, 8>();
    add_row<64, 1>(); add_row<64, 2>(); add_row<64, 4>();
    add_row<128, 1>(); add_row<128, 2>();
    add_copy<1>(); add_copy<2>(); add_copy<4>(); add_copy<8>();
    for (const Variant &v : variants) {
        if (v.shared <= 48 * 1024) continue;
        cudaError_t e = cudaFuncSetAttribute((const void *)v.kernel,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize, (int)v.shared);
        if (e != cudaSuccess) return e;
    }
    return cudaSuccess;
}

extern "C" int variant_count() { return (int)variants.size(); }
extern "C" const char *variant_name(int i) { return variants[i].name.c_str(); }
extern "C" const char *variant_arrangement(int i) { return variants[i].arrangement; }
extern "C" int variant_fits(int i, i64 n, i64 p) {
    return n % variants[i].multiple_n == 0 && p % variants[i].multiple_p == 0;
}
extern "C" int variant_launch(int i, float *b, i64 n, i64 p, cudaStream_t stream) {
    const Variant &v = variants[i];
    i64 each = (i64)v.block * v.inputs;
    v.kernel<<<(unsigned)((p + each - 1) / each), v.block, v.shared, stream>>>(b, n, p);
    return cudaGetLastError();
}

extern "C" int copy_count() { return (int)copies.size(); }
extern "C" const char *copy_name(int i) { return copies[i].name.c_str(); }
// bytes must be a multiple of 16.
extern "C" int copy_launch(int i, void *to, const void *from, i64 bytes, cudaStream_t stream) {
    const Copy &c = copies[i];
    i64 count = bytes / 16, each = (i64)c.block * c.words;
    c.kernel<<<(unsigned)((count + each - 1) / each), c.block, 0, stream>>>(
        (float4 *)to, (const float4 *)from, count);
    return cudaGetLastError();
}
extern "C" int copy_driver(void *to, const void *from, i64 bytes, cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, (size_t)bytes, cudaMemcpyDeviceToDevice, stream);
}

extern "C" const char *error_name(int e) { return cudaGetErrorString((cudaError_t)e); }

// On the host: m inputs of n words, column-wise, each summed in the order of its indices, in
// f32 and in f64.
extern "C" void reference(const float *in, float *out, double *wide, i64 n, i64 m) {
    std::vector<float> r(m, 0.0f);
    std::vector<double> w(m, 0.0);
    for (i64 a = 0; a < n; ++a)
        for (i64 j = 0; j < m; ++j) {
            r[j] = r[j] + in[a * m + j];
            w[j] = w[j] + in[a * m + j];
            out[a * m + j] = r[j];
            wide[a * m + j] = w[j];
        }
}
