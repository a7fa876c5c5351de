// Lines of warps' own, read again and again: what caches keep of them, by the order.
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do{cudaError_t e=(x); if(e){printf("%s %d\n",cudaGetErrorString(e),__LINE__);exit(1);}}while(0)
// Around, up and down, two of which one is read upward and one downward (as rod cutting's prices and best), random.
template<int kind,bool beyond> __device__ unsigned rd(const unsigned*p){ return beyond?__ldcg(p):__ldca(p); }
template<int kind,bool beyond> __global__ void keep(const unsigned*a,int lines,int turns,unsigned*out){
  int lane=threadIdx.x&31; long warp=(blockIdx.x*(long)blockDim.x+threadIdx.x)/32; const unsigned*own=a+warp*lines*32+lane; unsigned s=0, x=warp*7919+1;
  for(int t=0;t<turns;t++) for(int i=0;i<lines;i++){
    int at;
    if(kind==0) at=i; else if(kind==1) at=t%2?lines-1-i:i; else if(kind==2) at=i%2?lines-1-i/2:i/2; else { x=x*1664525u+1013904223u; at=(x>>8)%lines; }
    s+=rd<kind,beyond>(own+(long)at*32+s);
  }
  if(s==123) out[0]=s; }
// Rod cutting: of growing tables.
template<bool beyond> __global__ void grow(const unsigned*a,int lines,int turns,unsigned*out){
  int lane=threadIdx.x&31; long warp=(blockIdx.x*(long)blockDim.x+threadIdx.x)/32; const unsigned*own=a+warp*lines*32+lane; unsigned s=0; int n=lines/2;
  for(int j=1;j<=n;j++) for(int i=0;i<j;i++){ s+=rd<0,beyond>(own+(long)i*32+s); s+=rd<0,beyond>(own+(long)(n+j-1-i)*32+s); }
  if(s==123) out[0]=s; }
int main(){
  unsigned*a,*out; size_t most=1ull<<30; CHECK(cudaMalloc(&a,most)); CHECK(cudaMalloc(&out,4)); CHECK(cudaMemset(a,0,most));
  // First cache: 16 blocks of 16 warps (and of 4), last-level: 132.
  for(int l1=1;l1>=0;l1--) for(int warps:{4,16}) {
    double cache=l1?245000.:25.2e6; int blocks=l1?16:132;
    for(double r:{0.5,0.75,1.0,1.25,1.5,1.75,2.0,2.5,3.0,4.0}){
      if(!l1&&warps==4) continue;
      int lines=r*cache/128/(l1?warps:blocks*warps)+.5; int turns=8;
      if((size_t)lines*128*blocks*warps>most) continue;
      if(l1){ keep<0,false><<<blocks,32*warps>>>(a,lines,turns,out); keep<1,false><<<blocks,32*warps>>>(a,lines,turns,out); keep<2,false><<<blocks,32*warps>>>(a,lines,turns,out); keep<3,false><<<blocks,32*warps>>>(a,lines,turns,out); grow<false><<<blocks,32*warps>>>(a,lines,turns,out); }
      else { keep<0,true><<<blocks,32*warps>>>(a,lines,turns,out); keep<1,true><<<blocks,32*warps>>>(a,lines,turns,out); keep<2,true><<<blocks,32*warps>>>(a,lines,turns,out); keep<3,true><<<blocks,32*warps>>>(a,lines,turns,out); grow<true><<<blocks,32*warps>>>(a,lines,turns,out); }
      printf("CFG,%d,%d,%.2f,%d,%d\n",l1,warps,r,lines,turns);
    }
  }
  CHECK(cudaDeviceSynchronize());
}
