//! Structures that kernels take by value: members by their names, of types that the compiler says.

use std::path::Path;

use crate::support::{folder, umm};

/// As the CUDA C++ Programming Guide has them, and what else structures consist of.
const SOURCE: &str = "\
#include <cuda_fp16.h>
typedef struct { int width; int height; int stride; float *elements; } Matrix;
__global__ void product(const Matrix a, const Matrix b, Matrix c) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < a.width; k++) sum += a.elements[row * a.stride + k] * b.elements[k * b.stride + column];
  c.elements[row * c.stride + column] = sum;
}
template <class T> struct Base { bool negated; T scale; };
template <class T, int N> struct Options : Base<T> {
  enum Kind { SUM = 3, LAST = 9 } kind;
  short weights[2][N];
  struct { float4 *bodies; unsigned char tag; } rows[2];
  float3 shift;
  union { int whole; float real; };
  static constexpr int COUNT = N;
};
template <class T, int N> __global__ void all(Options<T, N> p, dim3 d, double *out) {
  double *x = out;
  *x++ = p.negated; *x++ = p.scale; *x++ = p.kind;
  for (int i = 0; i < 2 * N; i++) *x++ = p.weights[i / N][i % N];
  *x++ = p.rows[0].bodies[1].y; *x++ = p.rows[1].bodies[0].x; *x++ = p.rows[1].tag;
  *x++ = p.shift.z; *x++ = p.real; *x++ = d.x + 10 * d.y + 100 * d.z;
}
template __global__ void all<double, 3>(Options<double, 3>, dim3, double *);
struct Flags { unsigned a : 3, b : 5; int *x; };
extern \"C\" __global__ void flags(Flags f) { f.x[0] = f.a; f.x[1] = f.b; }
struct Shape { int n; __device__ virtual int area() { return n; } };
__global__ void shapes(Shape s, int *x) { x[0] = s.n; }
struct Node { float value; Node *next; };
struct List { Node *first; float *sum; };
__global__ void link(Node *nodes, int n) { nodes[threadIdx.x] = { 2.0f, threadIdx.x + 1 < n ? nodes + threadIdx.x + 1 : nullptr }; }
__global__ void walk(List list) { for (Node *it = list.first; it; it = it->next) *list.sum += it->value; }
struct Pair { float *from, *to; int n; };
__global__ void shift(Pair p) { if (threadIdx.x < p.n) p.to[threadIdx.x] = p.from[threadIdx.x + 1]; }
__global__ void race(Pair p) { p.to[threadIdx.x % p.n] = threadIdx.x; }
";

/// Commands in a folder with the source: what they are answered with, and what files then hold.
struct Session(tempfile::TempDir);

impl Session {
    fn new() -> Self {
        Self(folder(&[("s.cu", SOURCE)]))
    }

    fn at(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, words: &str) -> (i32, String) {
        let done = umm(self.at(), &format!("kernel s.cu {words}"));
        let said = [done.stdout, done.stderr].concat();
        (done.status.code().unwrap(), String::from_utf8_lossy(&said).into_owned())
    }

    fn succeeds(&self, words: &str) -> String {
        let (code, said) = self.run(words);
        assert_eq!(code, 0, "{words}: {said}");
        said
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.at().join(name)).unwrap()
    }
}

const PRODUCT: &str = "--kernel product --grid 2x2 --block 8x8 --arg a.width=16 --arg a.height=16 --arg a.stride=16 \
    --arg a.elements=count:f32[16x16] --arg b.width=16 --arg b.height=16 --arg b.stride=17 \
    --arg b.elements=ones:f32[16x17] --arg 2=16,16,16,0";

#[test]
#[ignore = "needs NVRTC"]
fn members_are_given_by_their_names() {
    let it = Session::new();
    let product = PRODUCT.replace(
        "--arg 2=16,16,16,0",
        "--arg c.width=16 --arg c.height=16 --arg c.stride=16 --arg c.elements=unwritten:[16x16]",
    );
    let said = it.succeeds(&format!("{product} --output c.elements=c.csv"));
    assert!(!said.contains("wrong"), "{said}");
    let row = |it: usize| (0..16).map(|k| 16 * it + k).sum::<usize>().to_string();
    let expected: Vec<String> = (0..16).map(|it| vec![row(it); 16].join(",")).collect();
    assert_eq!(it.text("c.csv").trim(), expected.join("\n"));
    it.succeeds(&format!("{product} --expect c.elements=c.csv"));
    let (code, said) = it.run(PRODUCT);
    assert!(code == 1 && said.contains("s.cu:7") && said.contains("where no array is"), "{said}");

    it.succeeds(
        "--kernel all --block 1 --arg p.negated=true --arg p.scale=2.5 --arg p.kind=9 --arg p.weights[0]=1,2,3 \
         --arg p.weights[1]=count:[3] --arg p.rows[0].bodies=count:f32[2x4] --arg p.rows[0].tag=0 \
         --arg p.rows[1].bodies=ones:[4] --arg p.rows[1].tag=200 --arg p.shift=1,2,4.5 --arg p.real=0.5 --arg d=1,2,3 \
         --arg out=zeros:[15] --output out=out.csv",
    );
    assert_eq!(it.text("out.csv").trim(), "1,2.5,9,1,2,3,0,1,2,5,1,200,4.5,0.5,321");
    // Numbers of some bits are given with the bytes that they share.
    it.succeeds(
        "--kernel flags --block 1 --arg f@0=u32:42 --arg f.x=zeros:i32[2] --output f.x=x.csv",
    );
    assert_eq!(it.text("x.csv").trim(), "2,5");
}

#[test]
#[ignore = "needs NVRTC"]
fn what_structures_point_to_is_checked() {
    let it = Session::new();
    let pair = "--block 32 --arg p.n=32 --arg p.from=ones:[32] --arg p.to=zeros:[32]";
    let (code, said) = it.run(&format!("--kernel shift {pair}"));
    assert!(code == 1 && said.contains("0 bytes beyond the end of `p.from`"), "{said}");
    let unwritten = pair.replace("from=ones:[32]", "from=unwritten:[33]");
    let (code, said) = it.run(&format!("--kernel shift {unwritten}"));
    assert!(code == 1 && said.contains("never written: byte 4 of `p.from`"), "{said}");
    let (code, said) =
        it.run(&format!("--kernel race --block 64 {}", &pair["--block 32 ".len()..]));
    assert!(
        code == 1 && said.contains("races with another warp") && said.contains("`p.to`"),
        "{said}"
    );
    let explained = umm(it.at(), &format!("explain s.cu --kernel race {pair} -w 8 -l 2 --steps 1"));
    let explained = String::from_utf8_lossy(&explained.stdout).into_owned();
    assert!(explained.contains("p.to[0]"), "{explained}");
}

#[test]
#[ignore = "needs NVRTC"]
fn launches_write_what_structures_link() {
    let it = Session::new();
    let launches = "file = \"s.cu\"\n[arrays]\nnodes = \"unwritten:u8[64]\"\nsum = \"zeros:f32[1]\"\n\
        [[launch]]\nkernel = \"link\"\nblock = \"4\"\nargs = { nodes = \"@nodes\", n = 4 }\n\
        [[launch]]\nkernel = \"walk\"\nblock = \"1\"\n[launch.args.list]\nfirst = \"@nodes\"\nsum = \"@sum\"\n";
    std::fs::write(it.at().join("all.toml"), launches).unwrap();
    let done = umm(it.at(), "kernel all.toml --output sum=sum.csv");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(it.text("sum.csv").trim(), "8");
}

#[test]
#[ignore = "needs NVRTC"]
fn what_structures_lack_is_named_with_its_remedy() {
    let it = Session::new();
    let pair = "--kernel shift --block 1";
    for (words, said) in [
        (
            pair.to_owned(),
            "parameter `p.from` of `shift` is not given: --arg p.from=random:f32[1000]",
        ),
        (
            format!("{pair} --arg p.from=ones:[4] --arg p.to=ones:[4]"),
            "parameter `p.n` of `shift` is not given: --arg p.n=1000 (i32)",
        ),
        (format!("{pair} --arg p.form=ones:[4]"), "`p` has no such member; it has from, to, n"),
        (format!("{pair} --arg p.n=1 --arg 0.n=2"), "--arg 0.n: parameter `p.n` is given twice"),
        (format!("{pair} --arg p.n=1 --arg p@16=i32:2"), "given twice"),
        (format!("{pair} --arg p.n=ones:[4]"), "is a number (i32), and no array"),
        (format!("{pair} --arg p.from=3"), "is an array"),
        (format!("{pair} --arg p.from=ones:f64[3]"), "holds f64, and the kernel reads f32"),
        (format!("{pair} --arg p=1,2"), "has 3 members, and 2 numbers are given"),
        (format!("{pair} --arg p=1,2,3"), "`from` is no number"),
        (format!("{pair} --arg p@20=random:f32[4]"), "`p` has 24 bytes"),
        (format!("{pair} --arg p@8=1"), "say its type"),
        (format!("{pair} --arg p.n.x=1"), "no such member"),
        ("--kernel link --arg nodes=zeros:u8[64] --arg n.x=1".to_owned(), "`n` is no structure"),
        (
            "--kernel walk --arg list.sum=zeros:[1] --arg list.first=random:f32[8]".to_owned(),
            "points to what holds pointers itself",
        ),
        ("--kernel shapes --arg s.n=1 --arg x=zeros:[1]".to_owned(), "_vptr"),
    ] {
        let (code, printed) = it.run(&words);
        assert!(code == 2 && printed.contains(said), "{words}: {printed}");
    }
}

#[test]
#[ignore = "needs NVRTC"]
fn constants_have_types_and_members() {
    let source = "__constant__ float c[4];\nstruct P { int n; float s; const double *x; };\n\
        namespace of { __constant__ P p; }\n\
        extern \"C\" __global__ void f(float *out) {\n\
        int i = threadIdx.x; out[i] = c[i] * of::p.s + of::p.n + of::p.x[i];\n}\n";
    let at = folder(&[("c.cu", source)]);
    let run = |words: &str| {
        let done = umm(at.path(), &format!("kernel c.cu --block 4 --arg out=zeros:[4] {words}"));
        let said = [done.stdout, done.stderr].concat();
        (done.status.code().unwrap(), String::from_utf8_lossy(&said).into_owned())
    };
    let members = "--constant p.n=10 --constant p.s=0.5";
    let (code, said) =
        run(&format!("--constant c=1,2,3 {members} --constant p.x=ones:[4] --output out=out.csv"));
    assert_eq!(code, 0, "{said}");
    let written = std::fs::read_to_string(at.path().join("out.csv")).unwrap();
    assert_eq!(written.trim(), "11.5,12,12.5,11");
    let (code, said) = run(&format!("{members} --constant p.x=ones:[3]"));
    assert!(code == 1 && said.contains("beyond the end of `p.x`"), "{said}");
    for (words, why) in [
        ("--constant p.z=1", "no such member; it has n, s, x"),
        ("--constant c[4]=1", "no such member"),
        ("--constant c=1,2,3,4,5", "is 20 bytes, and there are 16"),
        ("--constant d=1", "no such `__constant__`"),
    ] {
        let (code, said) = run(words);
        assert!(code == 2 && said.contains(why), "{words}: {said}");
    }
}

/// Machine code says nothing of structures: their parts are given by their places.
#[test]
#[ignore = "needs NVRTC"]
fn parts_lie_where_they_are_said_to() {
    let it = Session::new();
    let path = it.at().join("s.cu");
    let code = memory_machine::gpu::toolchain::machine_code(&path, &Default::default()).unwrap();
    std::fs::write(it.at().join("s.cubin"), code).unwrap();
    // Its lines name the source, which would say it.
    std::fs::remove_file(path).unwrap();
    let run = |words: &str| {
        let done = umm(it.at(), &format!("kernel s.cubin --kernel race --block 2 {words}"));
        let said = [done.stdout, done.stderr].concat();
        (done.status.code().unwrap(), String::from_utf8_lossy(&said).into_owned())
    };
    let of = "--arg 0@8=zeros:f32[4]";
    let (code, said) =
        run(&format!("{of} --arg 0@0=i64:0 --arg 0@16=i32:4 --output 0@8=to.csv --unchecked"));
    assert_eq!(code, 0, "{said}");
    assert_eq!(it.text("to.csv").trim(), "0,1,0,0");
    let (code, said) = run(&format!("{of} --arg 0@16=i32:4"));
    assert!(
        code == 2 && said.contains("parameter 0, bytes 0 to 7, of `race` is not given"),
        "{said}"
    );
    let (code, said) = run(&format!("{of} --arg 0.n=4"));
    assert!(code == 2 && said.contains("nothing says what 0 consists of"), "{said}");
}
