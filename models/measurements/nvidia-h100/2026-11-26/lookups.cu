// Constants that threads look up one by one: cycles of a multiprocessor for a lookup of a warp, by how many different
// ones it has, warps, and bytes of one.
#include <cstdio>
#include <algorithm>
__constant__ unsigned words[1024]; __constant__ unsigned char bytes[1024];
template<bool byte> __global__ void look(unsigned*out,int different,int turns,long long*c){
  unsigned lane=threadIdx.x&31, x=lane%different, s=0; long long b=clock64();
  for(int t=0;t<turns;t++){
    #pragma unroll
    for(int i=0;i<8;i++){ unsigned at=(x+i*different+s)&1023; unsigned v=byte?bytes[at]:words[at]; s+=v; }
  }
  b=clock64()-b; out[blockIdx.x*blockDim.x+threadIdx.x]=s; if(threadIdx.x==0) c[blockIdx.x]=b; }
template<bool byte> __global__ void apart(unsigned*out,int different,int turns,long long*c){
  unsigned lane=threadIdx.x&31, x=lane%different, s=0; long long b=clock64();
  for(int t=0;t<turns;t++){ unsigned v[8];
    #pragma unroll
    for(int i=0;i<8;i++){ unsigned at=(x+i*different+s)&1023; v[i]=byte?bytes[at]:words[at]; }
    #pragma unroll
    for(int i=0;i<8;i++) s+=v[i];
  }
  b=clock64()-b; out[blockIdx.x*blockDim.x+threadIdx.x]=s; if(threadIdx.x==0) c[blockIdx.x]=b; }
int main(){ unsigned*o; long long*c; cudaMalloc(&o,1<<24); cudaMallocManaged(&c,1<<12); printf("chained,bytes,different,warps,repetition,cycles\n");
 for(int k=0;k<4;k++) for(int w:{1,4,16,32}) for(int d:{1,2,4,8,16,32}) for(int r=0;r<3;r++){ int T=64;
  if(k==0) look<false><<<132,32*w>>>(o,d,T,c); if(k==1) look<true><<<132,32*w>>>(o,d,T,c); if(k==2) apart<false><<<132,32*w>>>(o,d,T,c); if(k==3) apart<true><<<132,32*w>>>(o,d,T,c);
  cudaDeviceSynchronize(); if(r) printf("%d,%d,%d,%d,%d,%.2f\n",k<2,k%2?1:4,d,w,r,(double)c[5]/(8*T)); } }
