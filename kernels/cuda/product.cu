// The product of two n × n matrices in blocks of 16 × 16 threads, n a multiple of 16.
const int SIDE = 16;

__global__ void product(int n, const float *a, const float *b, float *c) {
  __shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
  int row = blockIdx.y * SIDE + threadIdx.y, column = blockIdx.x * SIDE + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += SIDE) {
    left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < SIDE; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
