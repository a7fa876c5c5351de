//! Products of warp groups and copies of tensors, as inline PTX writes them.

use super::{numbers, own, plan, run};

/// D - A · B of 64 × 16 and 16 × 8 halves, in units of 8 of them: blocks of 8 rows behind each other, and in each
/// the second half of the depth behind the first.
const PRODUCT: &str = r#"
__global__ void product(const unsigned short *a, const unsigned short *b, float *d) {
    __shared__ __align__(128) unsigned short A[64 * 16], B[8 * 16];
    for (int i = threadIdx.x; i < 64 * 16; i += 128) {
        int row = i / 16, k = i % 16;
        A[row / 8 * 128 + k / 8 * 64 + row % 8 * 8 + k % 8] = a[i];
        if (row < 8) B[k / 8 * 64 + row * 8 + k % 8] = b[i];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    unsigned long long of = (128ull / 16) << 16 | (256ull / 16) << 32;
    unsigned long long at = of | (unsigned)__cvta_generic_to_shared(A) >> 4;
    unsigned long long bt = of | (unsigned)__cvta_generic_to_shared(B) >> 4;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = 16 * warp + lane / 4, column = lane % 4 * 2;
    float c[4];
    for (int i = 0; i < 4; i++) c[i] = d[(row + i / 2 * 8) * 8 + column + i % 2];
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, -1, 0, 0;"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "l"(at), "l"(bt));
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; i++) d[(row + i / 2 * 8) * 8 + column + i % 2] = c[i];
}
"#;

#[test]
#[ignore = "needs NVRTC"]
fn a_group_of_warps_multiplies_matrices() {
    let (code, _folder) = own(PRODUCT);
    // The bits of the least halves: whole numbers times 2^-24.
    let of = plan("1", "128", &["a=count:u16[1024]", "b=count:u16[128]", "d=zeros:f32[64x8]"]);
    let done = run(&code, "product", &of).unwrap();
    let product =
        |it: usize| -> usize { (0..16).map(|k| (it / 8 * 16 + k) * (it % 8 * 16 + k)).sum() };
    let expected: Vec<f64> =
        (0..512).map(|it| 0.0 - product(it) as f64 * 2_f64.powi(-48)).collect();
    assert_eq!(numbers(&done, "d"), expected);
    assert!(done.findings.is_empty(), "{:?}", done.findings);
}

/// A box is loaded at (x, y), shown as it lies in shared memory, and stored at (0, 3) of another tensor.
const COPY: &str = r#"
struct alignas(64) Map { unsigned long long opaque[16]; };
__global__ void copy(const __grid_constant__ Map from, const __grid_constant__ Map to, float *shown, int x, int y) {
    __shared__ __align__(128) float s[4 * 32];
    __shared__ unsigned long long bar;
    unsigned at = (unsigned)__cvta_generic_to_shared(s), b = (unsigned)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(b) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(b), "r"(512) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
            :: "r"(at), "l"(&from), "r"(x), "r"(y), "r"(b) : "memory");
        int is;
        do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
            : "=r"(is) : "r"(b) : "memory"); while (!is);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 4 * 32; i += blockDim.x) shown[i] = s[i];
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
            :: "l"(&to), "r"(0), "r"(3), "r"(at) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
"#;

#[test]
#[ignore = "needs NVRTC"]
fn a_box_of_a_tensor_comes_and_goes() {
    let (code, _folder) = own(COPY);
    let done = |x: &str| {
        let map = "tensor,box=4x32,swizzle=128";
        let [from, to] = ["count:f32[8x64]", "zeros:f32[8x32]"].map(|it| format!("{map}:{it}"));
        let given =
            [&format!("from={from}"), &format!("to={to}"), "shown=zeros:f32[128]", x, "y=2"];
        run(&code, "copy", &plan("1", "32", &given))
    };
    let it = done("x=32").unwrap();
    // Row 3 of the pattern has its units in another order: 3, 2, 1, 0, 7, 6, 5, 4.
    let shown = numbers(&it, "shown");
    assert_eq!(shown[..4], [160.0, 161.0, 162.0, 163.0]);
    assert_eq!(shown[96..100], [364.0, 365.0, 366.0, 367.0]);
    let to = numbers(&it, "to");
    let expected = |at: usize| {
        if at < 96 { 0.0 } else { (at / 32 - 1) as f64 * 64.0 + 32.0 + (at % 32) as f64 }
    };
    let expected: Vec<f64> = (0..256).map(|at| if at < 224 { expected(at) } else { 0.0 }).collect();
    assert_eq!(to, expected);
    assert!(it.findings.is_empty(), "{:?}", it.findings);
    // Beyond the edge stand zeros; between units no box begins.
    let shown = numbers(&done("x=48").unwrap(), "shown");
    assert_eq!((shown[15], shown[16]), (191.0, 0.0));
    let wrong = done("x=33").unwrap_err().to_string();
    assert!(
        wrong.contains("begins at element 33 of a row, whose byte is no multiple of 16"),
        "{wrong}"
    );
}
