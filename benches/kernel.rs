//! Kernels of `kernels/cuda` executed on their machine code: warp instructions a second, for values alone, with
//! counts by line, and with the watch for races. Needs nvcc or NVRTC.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use memory_machine::gpu::toolchain::{CompileOptions, machine_code};
use memory_machine::kernel::{Plan, Prepared};
use memory_machine::sass::{self, launch::launch};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels/cuda/");

/// A file, a kernel of it, its grid and block, and its arguments.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static [&'static str]);

const CASES: [Case; 3] = [
    (
        "product.cu",
        "product",
        "16x16",
        "16x16",
        &["0=256", "1=random:f32[65536]", "2=random:f32[65536]", "3=zeros:f32[65536]"],
    ),
    (
        "saxpy.cu",
        "saxpy",
        "4096",
        "256",
        &["0=1048576", "1=2.5", "2=random:f32[1048576]", "3=ones:f32[1048576]"],
    ),
    (
        "transpose.cu",
        "padded",
        "32x32",
        "32x32",
        &["0=1024", "1=random:f32[1048576]", "2=zeros:f32[1048576]"],
    ),
];

fn kernels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kernel");
    group.sample_size(10);
    for (file, name, grid, block, arguments) in CASES {
        let path = format!("{ROOT}{file}");
        let code = machine_code(path.as_ref(), &CompileOptions::default()).expect("a compiler");
        let module = sass::read(&code).expect("a cubin");
        let kernel = module.kernels.iter().find(|it| it.name.contains(name)).expect("there");
        let plan = |checks| Plan {
            grid: grid.parse().expect("a shape"),
            block: block.parse().expect("a shape"),
            shared_bytes: 0,
            arguments: arguments.iter().map(|it| it.parse().expect("an argument")).collect(),
            constants: vec![],
            constant_types: vec![],
            seed: 0,
            sample: None,
            limit: 1 << 40,
            checks,
            traces: false,
        };
        let prepared = Prepared::new(&module, kernel, None, &plan(false)).expect("arguments");
        let values = || {
            let mut own = prepared.clone();
            let (plan, image) = (plan(false), &own.image);
            let of = plan.launch(&own.parameters, None);
            launch(&module, kernel, image, &of, &mut own.memory, &mut ()).expect("runs")
        };
        group.throughput(Throughput::Elements(values()));
        group.bench_function(format!("{name}_values"), |bencher| bencher.iter(values));
        for (what, checks) in [("counts", false), ("checks", true)] {
            group.bench_function(format!("{name}_{what}"), |bencher| {
                bencher.iter(|| prepared.clone().execute(&module, kernel, &plan(checks)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, kernels);
criterion_main!(benches);
