# Atomic operations on a GPU, by pattern of their addresses: python micro.py [FOLDER] writes micro.csv there.
import cupy as cp, os, csv, sys, itertools
SRC = r'''
extern "C" {
__device__ __forceinline__ unsigned mix(unsigned x){ x^=x>>16; x*=0x7feb352du; x^=x>>15; x*=0x846ca68bu; x^=x>>16; return x; }
// mode 0: a thread a random word of W, s words apart; 1: a warp a random group of 32 of W words; 2: a warp one random word of W, s apart;
// 3: half-warps' lanes pairwise one word (two lanes a word), random group
__device__ __forceinline__ unsigned long long place(int mode, unsigned i, unsigned W, unsigned s){
  unsigned lane=i&31, warp=i>>5;
  if(mode==0) return (unsigned long long)(mix(i)%W)*s;
  if(mode==1) return (unsigned long long)(mix(warp)%(W/32))*32+lane;
  if(mode==2) return (unsigned long long)(mix(warp)%W)*s;
  return (unsigned long long)(mix(warp)%(W/16))*16+lane/2;
}
#define KERNEL(name, T, body) __global__ void name(T* a, int mode, unsigned W, unsigned s, unsigned n, unsigned* out){ \
  for(unsigned i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x){ T* p=a+place(mode,i,W,s); T v=(T)(i&7)+1; body } }
KERNEL(none, unsigned, if((unsigned long long)p==1) *p=v;)
KERNEL(red_u32, unsigned, asm volatile("red.global.add.u32 [%0], %1;"::"l"(p),"r"(v):"memory");)
KERNEL(red_max, int, asm volatile("red.global.max.s32 [%0], %1;"::"l"(p),"r"(v):"memory");)
KERNEL(red_and, unsigned, asm volatile("red.global.and.b32 [%0], %1;"::"l"(p),"r"(v):"memory");)
KERNEL(red_u64, unsigned long long, asm volatile("red.global.add.u64 [%0], %1;"::"l"(p),"l"(v):"memory");)
KERNEL(red_f32, float, asm volatile("red.global.add.f32 [%0], %1;"::"l"(p),"f"(v):"memory");)
KERNEL(red_f64, double, asm volatile("red.global.add.f64 [%0], %1;"::"l"(p),"d"(v):"memory");)
KERNEL(atom_u32, unsigned, unsigned r; asm volatile("atom.global.add.u32 %0, [%1], %2;":"=r"(r):"l"(p),"r"(v):"memory"); if(r==0xffffffffu) out[0]=1;)
KERNEL(atom_exch, unsigned, unsigned r; asm volatile("atom.global.exch.b32 %0, [%1], %2;":"=r"(r):"l"(p),"r"(v):"memory"); if(r==0xffffffffu) out[0]=1;)
KERNEL(atom_cas, unsigned, unsigned r; asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;":"=r"(r):"l"(p),"r"(v),"r"(v+1):"memory"); if(r==0xffffffffu) out[0]=1;)
#define SHARED(name, T, body) __global__ void name(T* a, int mode, unsigned W, unsigned s, unsigned n, unsigned* out){ \
  extern __shared__ unsigned char raw[]; T* h=(T*)raw; for(unsigned k=threadIdx.x;k<8192;k+=blockDim.x) h[k]=0; __syncthreads(); \
  unsigned lane=threadIdx.x&31; \
  for(unsigned r=0;r<n;r++){ unsigned w; \
    if(mode==0) w=(mix(r*1315423911u+blockIdx.x*blockDim.x+threadIdx.x)%W)*s; \
    else w=(lane/W)*s + (lane%W)*0 + (r&1)*1024u; \
    T* p=h+w; T v=(T)(lane+1); body } __syncthreads(); if(h[threadIdx.x]==(T)0x12345) out[0]=1; }
SHARED(s_none, unsigned, if((unsigned long long)p==1) *p=v;)
SHARED(s_add, unsigned, atomicAdd(p,v);)
SHARED(s_inc, unsigned, atomicAdd(p,1u);)
SHARED(s_max, int, atomicMax(p,v);)
SHARED(s_and, unsigned, atomicAnd(p,v);)
SHARED(s_f32, float, atomicAdd(p,v);)
SHARED(s_ret, unsigned, unsigned o=atomicAdd(p,v); if(o==0xfffffff1u) out[0]=1;)
SHARED(s_cas, unsigned, unsigned o=atomicCAS(p,v,v+1); if(o==0xfffffff1u) out[0]=1;)
SHARED(s_store, unsigned, *(volatile unsigned*)p=v;)
}
'''
m = cp.RawModule(code=SRC, options=('--std=c++14',), backend='nvrtc')
OUT=sys.argv[1] if len(sys.argv) > 1 else '.'; w=csv.writer(open(OUT+'/micro.csv','w'))
w.writerow(['kernel','mode','words','stride','operations','repetition','time_s'])
dev=cp.cuda.Device(); sm=dev.attributes['MultiProcessorCount']
buf=cp.zeros(1<<29,dtype=cp.uint8); out=cp.zeros(64,dtype=cp.uint32)
def run(name,mode,W,s,n,grid,block,shared,ops,reps=5):
    k=m.get_function(name)
    if shared: k.max_dynamic_shared_size_bytes=max(shared,65536)
    args=(buf,cp.int32(mode),cp.uint32(W),cp.uint32(s),cp.uint32(n),out)
    k((grid,),(block,),args,shared_mem=shared)
    for r in range(reps):
        a=cp.cuda.Event();b=cp.cuda.Event();a.record();k((grid,),(block,),args,shared_mem=shared);b.record();b.synchronize()
        w.writerow([name,mode,W,s,ops,r,'%.9f'%(cp.cuda.get_elapsed_time(a,b)*1e-3)])
N=1<<22
G=sm*8
full=[1<<k for k in range(0,25)]
few=[1,4,32,128,1024,4096,32768,1<<20,1<<24]
for W in full:
    for name in ['none','red_u32']:
        run(name,0,W,1,N,G,256,0,N); run(name,2,W,1,N,G,256,0,N)
        if W<=1<<20: run(name,0,W,8,N,G,256,0,N)
        if W<=1<<18: run(name,0,W,32,N,G,256,0,N); run(name,2,W,32,N,G,256,0,N)
        if W>=32: run(name,1,W,1,N,G,256,0,N); run(name,3,W,1,N,G,256,0,N)
for W in few:
    for name in ['red_max','red_and','red_u64','red_f32','red_f64','atom_u32','atom_exch','atom_cas']:
        if name.endswith('64') and W>1<<22: continue
        run(name,0,W,1,N,G,256,0,N); run(name,2,W,1,N,G,256,0,N)
        if W>=32: run(name,1,W,1,N,G,256,0,N)
# shared: one block of 1 warp, and full
for name in ['s_none','s_add','s_inc','s_max','s_and','s_f32','s_ret','s_cas','s_store']:
    for grid,block in [(1,32),(sm*2,1024)]:
        R=2000 if block==32 else 500
        for W in [1,2,4,8,16,32,64,256,1024,8192]:
            run(name,0,W,1,R,grid,block,65536//2,R,3)
        for W in [1,2,4,8,16,32]:
            run(name,1,W,1,R,grid,block,65536//2,R,3)
        for W in [1,2,4,8]:
            run(name,1,W,32,R,grid,block,65536//2,R,3)
print(dev.attributes['ClockRate'],sm)
