// The sum of n numbers: blocks of 256 threads, each adds its part to the sum.
const int THREADS = 256;

__global__ void reduce(int n, const float *x, float *sum) {
  __shared__ float part[THREADS];
  float own = 0;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) own += x[i];
  part[threadIdx.x] = own;
  for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

// The same, but the barrier is forgotten: a race.
__global__ void forgotten(int n, const float *x, float *sum) {
  __shared__ float part[THREADS];
  float own = 0;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) own += x[i];
  part[threadIdx.x] = own;
  for (int half = THREADS / 2; half > 0; half /= 2)
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

// The sum within warps by shuffles, which need no shared memory.
__global__ void shuffled(int n, const float *x, float *sum) {
  float own = 0;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) own += x[i];
  for (int half = 16; half > 0; half /= 2) own += __shfl_down_sync(0xffffffff, own, half);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
}
