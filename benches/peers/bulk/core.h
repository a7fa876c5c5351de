// As much of CUDA as a standalone program of a bulk run needs, on one core: `launch` runs thread
// after thread, and events are the clock of the host. core.py puts it before the program.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __constant__ static const
#define __launch_bounds__(threads)
#define __align__(bytes) __attribute__((aligned(bytes)))
struct dim3 {
    unsigned x;
};
static dim3 blockIdx, threadIdx, blockDim;
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float __fdiv_rn(float x, float y) { return x / y; }
static inline float __fsqrt_rn(float x) { return sqrtf(x); }
static inline double __dmul_rn(double x, double y) { return x * y; }
static inline double __ddiv_rn(double x, double y) { return x / y; }
static inline double __dsqrt_rn(double x) { return sqrt(x); }
static inline float __double2float_rn(double x) { return (float)x; }
static inline long long __double2ll_rz(double x) { return (long long)x; }
typedef int cudaError_t, cudaStream_t;
typedef std::chrono::steady_clock::time_point cudaEvent_t;
enum { cudaSuccess, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
static const char *cudaGetErrorString(int) { return ""; }
static int cudaGetLastError() { return 0; }
static int cudaDeviceSynchronize() { return 0; }
static int cudaStreamCreate(int *) { return 0; }
template <class T> static int cudaMalloc(T **at, size_t bytes) { return (*at = (T *)malloc(bytes)) == 0; }
static int cudaMemcpy(void *to, const void *from, size_t bytes, int) { return memcpy(to, from, bytes), 0; }
static int cudaMemset(void *at, int byte, size_t bytes) { return memset(at, byte, bytes), 0; }
static int cudaEventCreate(cudaEvent_t *) { return 0; }
static int cudaEventRecord(cudaEvent_t &at, int) { return at = std::chrono::steady_clock::now(), 0; }
static int cudaEventSynchronize(cudaEvent_t &) { return 0; }
static int cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
    return *milliseconds = std::chrono::duration<float, std::milli>(to - from).count(), 0;
}
template <class Kernel> static void launch(unsigned blocks, unsigned threads, Kernel kernel) {
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++) kernel();
}
