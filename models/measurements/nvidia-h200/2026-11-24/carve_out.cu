// Blocks of so many threads with so much shared memory each, for ncu --metrics
// launch__shared_mem_config_size: what a multiprocessor is set to.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(unsigned*o,int n){ extern __shared__ unsigned s[]; if(n<0) o[0]=s[threadIdx.x]; }
int main(){ unsigned*o; cudaMalloc(&o,64); cudaFuncSetAttribute(k,cudaFuncAttributeMaxDynamicSharedMemorySize,227*1024);
 for(int t:{32,64,96,128,160,192,256,320,384,512,768,1024}) for(int s:{0,1024,2048,3072,4096,6144,8192,16384}) { printf("%d,%d\n",t,s); k<<<1,t,s>>>(o,0);} cudaDeviceSynchronize(); }
