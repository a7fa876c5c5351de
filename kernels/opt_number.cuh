// Numbers of the engines of the interval dynamic programming: REAL_F32, REAL_F64 or REAL_I32 is defined
// by the host before this text (src/cuda/opt/tiled.rs), and tells which; so is SPLIT, true or false:
// whether triangles weigh something themselves.

#if defined(REAL_F32)
typedef float real;
typedef float4 chunk;
typedef int bits_t;
typedef unsigned int ubits_t;
#elif defined(REAL_F64)
typedef double real;
typedef double2 chunk;
typedef long long bits_t;
typedef unsigned long long ubits_t;
#else
typedef int real;
typedef int4 chunk;
typedef int bits_t;
typedef unsigned int ubits_t;
#endif
#define PER_CHUNK (16 / (int)sizeof(real))

#if defined(REAL_I32)
#define INFINITE ((real)0x3fffffff)
__device__ __forceinline__ real settled(real x) { return x > -0x20000000 && x < 0x20000000 ? x : INFINITE; }
__device__ __forceinline__ real plus(real least, real whole) { return settled(settled(least) + whole); }
#else
#define INFINITE ((real)__int_as_float(0x7f800000))
__device__ __forceinline__ real settled(real x) { return x; }
__device__ __forceinline__ real plus(real least, real whole) { return least + whole; }
#endif

// Shared memory of a block of `triangulate`.
extern __shared__ __align__(16) unsigned char memory[];

__device__ __forceinline__ real least_of(real a, real b) {
#if defined(REAL_F32)
    return fminf(a, b);   // one instruction, which a comparison is not
#else
    return a < b ? a : b;
#endif
}

// What relaxes T[a][b] by way of k, from x = T[a][k] and y = T[k][b]: their sum, and if SPLIT what triangle
// a-k-b weighs, p_ab being p_a * p_b. In this order all engines give the same bits.
__device__ __forceinline__ real sum_over(real x, real y, real p_k, real p_ab) {
    return SPLIT ? settled(x + y) + p_k * p_ab : x + y;
}
