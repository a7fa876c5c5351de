// The transpose of an n × n matrix in blocks of 32 × 32 threads, n a multiple of 32, three times.
const int TILE = 32;

// Writes go down a column: each thread of a warp touches a sector of its own.
__global__ void naive(int n, const float *in, float *out) {
  int column = blockIdx.x * TILE + threadIdx.x;
  int row = blockIdx.y * TILE + threadIdx.y;
  out[column * n + row] = in[row * n + column];
}

// Through shared memory both go along rows, but columns of the tile lie in one bank.
__global__ void tiled(int n, const float *in, float *out) {
  __shared__ float tile[TILE][TILE];
  int column = blockIdx.x * TILE + threadIdx.x;
  int row = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[row * n + column];
  __syncthreads();
  column = blockIdx.y * TILE + threadIdx.x;
  row = blockIdx.x * TILE + threadIdx.y;
  out[row * n + column] = tile[threadIdx.x][threadIdx.y];
}

// One more column, and they do not.
__global__ void padded(int n, const float *in, float *out) {
  __shared__ float tile[TILE][TILE + 1];
  int column = blockIdx.x * TILE + threadIdx.x;
  int row = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[row * n + column];
  __syncthreads();
  column = blockIdx.y * TILE + threadIdx.x;
  row = blockIdx.x * TILE + threadIdx.y;
  out[row * n + column] = tile[threadIdx.x][threadIdx.y];
}
