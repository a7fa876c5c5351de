//! `umm kernel`, and traces of other tools, as they are typed.

use crate::support::{folder, reads, root, umm};

fn succeeds(at: &std::path::Path, words: &str) -> String {
    let done = umm(at, words);
    assert!(done.status.success(), "{words}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn traces_of_other_tools_are_timed() {
    let lackey = "==7== Lackey\nI  04001000,3\n L 1ffeffe7c8,8\n S 04222c4c,4\n";
    let traceg = "-kernel name = f\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n#BEGIN_TB\n\
        thread block = 0,0,0\nwarp = 0\ninsts = 1\n0000 ffffffff 1 R4 LDG.E 1 R4 4 1 0x1000 128 0\n";
    let list = "MemcpyHtoD,0x1000,64\nk.traceg\nk.traceg\n";
    let files =
        [("ls.log", lackey), ("k.traceg", traceg), ("kernelslist.g", list), ("x", "\u{1f}")];
    let at = folder(&files);
    let of = |words: &str| succeeds(at.path(), words);
    assert!(of("replay ls.log -w 32 -l 10").contains("accesses    3\n"));
    assert!(of("replay k.traceg -w 32 -l 10").contains("stages      32\ntime units  41\n"));
    assert!(of("replay kernelslist.g -w 32 -l 10").contains("stages      64\ntime units  82\n"));
    for (name, magic, remedy) in [
        ("k.gz", &b"\x1f\x8b\x08"[..], "`gzip -dk k.gz` unpacks it"),
        #[cfg(not(feature = "xz"))]
        (
            "k.xz",
            b"\xfd7zXZ\0",
            "`xz -dk k.xz` unpacks it, and a build with the feature `xz` reads",
        ),
        #[cfg(feature = "xz")]
        ("k.xz", b"\xfd7zXZ\0", "as xz: it ends too early"),
    ] {
        std::fs::write(at.path().join(name), magic).unwrap();
        let packed = umm(at.path(), &format!("replay {name}"));
        assert_eq!(packed.status.code(), Some(2));
        let said = String::from_utf8_lossy(&packed.stderr);
        assert!(said.contains(remedy), "{said}");
    }
    let written = of("trace sum --set n=4 -p 2 --format lackey -o -");
    assert!(written.starts_with(" L 00000000,4\n L 00000004,4\n"), "{written}");
    // A read of each number and a write of the sum; each reader finds as many accesses.
    for (format, first) in [
        ("dinero", "0 0\n0 4\n"),
        ("dramsim3", "0x0 READ 0\n0x4 READ 0\n"),
        ("ramulator", "0x0 R\n0x4 R\n"),
    ] {
        let written = of(&format!("trace sum --set n=4 -p 2 --format {format} -o -"));
        assert!(written.starts_with(first), "{written}");
        std::fs::write(at.path().join("other"), &written).unwrap();
        let lines = written.lines().count();
        let words = if format == "dinero" { lines } else { 16 * lines };
        let timed = of("replay other -l 10");
        assert!(timed.contains(&format!("accesses    {words}\n")), "{format}: {timed}");
    }
    of("trace sum --set n=48 -p 48 -o sum.trace");
    // As Accel-Sim reads it, and with the stages that the run itself takes: here by 48 threads, in two warps.
    of("trace sum --set n=48 -p 48 --format traceg -o sum.traceg");
    let line = |text: &str, word: &str| text.lines().find(|it| it.contains(word)).map(String::from);
    let stages = line(&of("replay sum.traceg -w 32 -l 10"), "stages");
    assert!(stages.is_some());
    assert_eq!(stages, line(&of("replay sum.trace -w 32 -l 10"), "stages"));
}

/// What another tool recorded comes through a pipe, too, and `--format` says what its beginning does not.
#[test]
fn traces_come_from_standard_input() {
    let at = tempfile::tempdir().unwrap();
    let lackey = " L 1ffeffe7c8,8\n S 04222c4c,4\n";
    for (words, text, code, said) in [
        ("replay - -l 10", lackey, 0, "accesses    3\n"),
        ("replay - -l 10 --format lackey", lackey, 0, "accesses    3\n"),
        ("replay - -w 4 -l 5", "threads 8\nR 7 5 15 0 10+0x4\n", 0, "p = 8"),
        ("replay - -l 10 --format dinero", "# of a cache\n0 10 8\n1 20\n", 0, "accesses    3\n"),
        (
            "replay - -l 10 --format dinero",
            lackey,
            2,
            "standard input: line 1: `L 1ffeffe7c8,8` is no access",
        ),
        ("replay - -l 10", "\u{1f}", 2, "standard input"),
        ("replay - -l 10 --format vcd", "", 2, "--format"),
    ] {
        let done = reads(at.path(), words, text);
        let all = [done.stdout, done.stderr].concat();
        let all = String::from_utf8_lossy(&all);
        assert_eq!(done.status.code(), Some(code), "{words}: {all}");
        assert!(all.contains(said), "{words}: {all}");
    }
}

#[test]
#[ignore = "needs NVRTC"]
fn textures_and_surfaces_are_arguments() {
    let source = "extern \"C\" __global__ void look(cudaTextureObject_t t, float *out) {\n\
        int i = threadIdx.x; out[i] = tex2D<float>(t, (i + 0.5f) / 4, 0.25f);\n}\n\
        extern \"C\" __global__ void paint(cudaSurfaceObject_t s) {\n\
        int x = threadIdx.x; surf2Dwrite((float)x, s, 4 * x, 1);\n}\n";
    let at = folder(&[("t.cu", source)]);
    let look = "kernel t.cu --kernel look --block 8 --arg out=zeros:f32[8]";
    let texture = "--arg t=texture,wrap,normalized:count:f32[2x4]";
    succeeds(at.path(), &format!("{look} {texture} --output out=out.csv"));
    let read = |name: &str| std::fs::read_to_string(at.path().join(name)).unwrap();
    assert_eq!(read("out.csv").trim(), "0,1,2,3,0,1,2,3");
    let paint = "kernel t.cu --kernel paint --arg s=surface:zeros:f32[2x4] --output s=s.csv";
    succeeds(at.path(), &format!("{paint} --block 4"));
    assert_eq!(read("s.csv").trim(), "0,0,0,0\n0,1,2,3");
    for (words, code, reason) in [
        (format!("{paint} --block 5"), 1, "beyond the edge of a surface"),
        (format!("{look} --arg t=i64:7"), 1, "--arg NAME=texture"),
        (format!("{look} --arg t=texture,wrap:count:f32[2x4]"), 2, "say normalized"),
        (format!("{look} --arg t=texture,round:count:f32[2x4]"), 2, "point, linear, clamp"),
        (format!("{look} --arg t=texture,linear:count:i32[2x4]"), 2, "fraction"),
        (format!("{look} --arg t=texture:count:f32[2x4x3]"), 1, "by 2 coordinates"),
    ] {
        let done = umm(at.path(), &words);
        let errors = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{words}: {errors}");
        assert!(errors.contains(reason), "{words}: {errors}");
    }
}

/// A flag that would change nothing is refused by its name, before anything is compiled.
#[test]
fn flags_that_say_nothing_are_refused() {
    let at = folder(&[("k.cu", ""), ("k.ptx", ""), ("t.trace", "threads 1\nR 0\n")]);
    std::fs::write(at.path().join("all.toml"), "file = \"k.cu\"\n[[launch]]\n").unwrap();
    for (words, flag, remedy) in [
        ("explain k.cu -p 4", "-p", "--grid"),
        ("explain k.cu --set n=4", "--set", "--arg"),
        ("explain k.cu --semantics pram", "--semantics", "--arg"),
        ("explain k.cu --atomics merged", "--atomics", "--arg"),
        ("explain k.cu --while-limit 4", "--while-limit", "--arg"),
        ("explain t.trace -p 4", "-p", "umm list"),
        ("explain t.trace --bulk column", "--bulk", "umm list"),
        ("explain t.trace --theme dark", "--theme", "--draw"),
        ("kernel k.cu -l 5", "-l", "-m umm"),
        ("kernel k.cu --mode async", "--mode", "-m umm"),
        ("kernel k.cu --model h100 -w 32", "-w", "-m umm"),
        ("kernel k.cu --tolerance 1e-6", "--tolerance", "--expect"),
        ("kernel k.cu --lines 3 --json", "--lines", "--json"),
        ("kernel k.cu --sass --arg n=1", "--sass", "--arg"),
        ("kernel k.cu --sass -m umm", "--sass", "--machine"),
        ("kernel k.ptx -D N=4", "--define", "leave it out"),
        ("kernel all.toml --grid 4", "--grid", "the file says"),
        ("kernel all.toml -l 4", "-l", "the file says"),
    ] {
        let done = umm(at.path(), words);
        let errors = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{words}: {errors}");
        assert!(errors.contains(flag) && errors.contains(remedy), "{words}: {errors}");
    }
}

/// What is inlined is charged to the line that calls it, or to its own.
#[test]
#[ignore = "needs NVRTC"]
fn inlined_lines_are_charged_both_ways() {
    let source = "__device__ inline float f(float x) {\n  return x * x + 3;\n}\n\
        __global__ void k(float *x) {\n  x[threadIdx.x] = f(x[threadIdx.x]);\n}\n";
    let at = folder(&[("k.cu", source)]);
    let launch = "kernel k.cu --arg x=ones:f32[32]";
    let called = succeeds(at.path(), launch);
    assert!(called.contains("k.cu:5") && !called.contains("k.cu:2"), "{called}");
    let own = succeeds(at.path(), &format!("{launch} --inlined"));
    assert!(own.contains("k.cu:5") && own.contains("k.cu:2"), "{own}");
}

#[test]
#[ignore = "needs NVRTC"]
fn kernels_are_launched_in_turn_predicted_and_traced() {
    let at = tempfile::tempdir().unwrap();
    let of = |words: &str| {
        let kernels = root().join("kernels/cuda");
        succeeds(at.path(), &words.replace("CUDA", kernels.to_str().unwrap()))
    };
    of("kernel CUDA/jacobi.toml --output a=a.csv");
    let text = std::fs::read_to_string(at.path().join("a.csv")).unwrap();
    // A straight line is what heat does not change.
    let expected: Vec<String> = (0..1024).map(|it| it.to_string()).collect();
    assert_eq!(text.trim(), expected.join(","));
    let launch = "kernel CUDA/transpose.cu --kernel padded --grid 4x4 --block 32x32 --arg n=128 \
        --arg in=count:f32[128x128] --arg out=zeros:f32[128x128]";
    let json = of(&format!("{launch} --model h100 --json --output out=out.npy --trace k.traceg"));
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let number = |at: &str| report.pointer(at).and_then(serde_json::Value::as_f64).unwrap();
    assert!((1e-7..1e-5).contains(&number("/predicted/kernel_s")));
    assert_eq!(number("/predicted/occupancy/blocks"), 1.0);
    // Each of 128 × 128 numbers is read and written once.
    assert_eq!(number("/predicted/moved_bytes/l1"), 8.0 * 128.0 * 128.0);
    assert_eq!(number("/predicted/moved_bytes/l2"), 8.0 * 128.0 * 128.0);
    let lines = report["lines"].as_array().unwrap();
    let shares: f64 = lines.iter().map(|it| it["share"].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-9);
    let product = "kernel CUDA/product.cu --grid 8x8 --block 16x16 --arg n=128 --arg a=count:f32[128x128] \
        --arg b=ones:f32[128x128] --arg c=zeros:f32[128x128] --model h100 --json";
    for words in [
        product.to_owned(),
        format!("{product} --sample 7"),
        format!("{launch} --model h100 --json"),
    ] {
        let report: serde_json::Value = serde_json::from_str(&of(&words)).unwrap();
        let lines = report["lines"].as_array().unwrap();
        for level in ["l1", "l2", "dram"] {
            let bytes = |it: &serde_json::Value| it["moved_bytes"][level].as_f64().unwrap();
            let sum: f64 = lines.iter().map(bytes).sum();
            let all = bytes(&report["predicted"]);
            assert!((sum - all).abs() <= 1e-9 * all, "{words}: {level}: {sum} of {all}");
        }
        assert!(lines.iter().filter(|it| it["moved_bytes"]["l2"] != 0.0).count() > 1, "{words}");
    }
    assert!(lines[0]["stall_cycles"]["long_scoreboard"].as_f64().unwrap() > 0.0);
    let npy = std::fs::read(at.path().join("out.npy")).unwrap();
    assert_eq!(npy.len(), 128 + 4 * 128 * 128);
    of(&format!("{launch} --expect out=out.npy"));
    let sampled = of(&format!("{launch} --sample blocks=4 --json"));
    assert!(
        sampled.contains("\"blocks_executed\": 4,") || sampled.contains("\"blocks_executed\":4,")
    );
    of("replay k.traceg -m hmm -d 4");
}

#[test]
#[ignore = "needs NVRTC"]
fn pages_print_what_they_say() {
    let pages = ["docs/slow-line.md", "docs/kernels.md"];
    let pages = pages.map(|it| std::fs::read_to_string(root().join(it)).unwrap());
    let at = tempfile::tempdir().unwrap();
    let kernels = root().join("kernels/cuda");
    let mut commands = 0;
    let blocks = pages.iter().flat_map(|it| it.split("```text\n").skip(1));
    for block in blocks.filter(|it| it.starts_with("$ umm ")) {
        let (session, _) = block.split_once("```").unwrap();
        let mut lines = session.lines();
        let words = lines.next().and_then(|it| it.strip_prefix("$ umm ")).unwrap();
        let words = words.replace("kernels/cuda", kernels.to_str().unwrap());
        let done = umm(at.path(), &words);
        let expected = i32::from(words.contains("forgotten"));
        let errors = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(expected), "{words}: {errors}");
        let printed = String::from_utf8(done.stdout).unwrap();
        for line in lines {
            assert!(printed.contains(line), "{words}: {line}\n{printed}");
        }
        if words.contains("padded ") {
            assert!(!printed.contains("\n1. "), "{printed}");
        }
        commands += 1;
    }
    assert_eq!(commands, 8);
}

#[test]
#[ignore = "needs NVRTC"]
fn kernels_are_disassembled_explained_and_drawn() {
    let at = tempfile::tempdir().unwrap();
    let of = |words: &str| {
        let kernels = root().join("kernels/cuda");
        succeeds(at.path(), &words.replace("CUDA", kernels.to_str().unwrap()))
    };
    let code = of("kernel CUDA/saxpy.cu --sass");
    let line = "saxpy.cu:4  if (i < n) y[i] = a * x[i] + y[i];\n";
    assert!(code.contains(line) && code.contains("FFMA R") && code.contains(" desc[UR"), "{code}");
    let all: serde_json::Value =
        serde_json::from_str(&of("kernel CUDA/transpose.cu --sass --json")).unwrap();
    assert_eq!(all.as_object().unwrap().len(), 3);
    let launch = "CUDA/saxpy.cu --block 32 --arg n=32 --arg a=2 --arg x=ones:f32[32] \
        --arg y=count:f32[32] -w 8 -l 5";
    let explained = of(&format!("explain {launch} --warps 1"));
    for line in [
        "saxpy  UMM  w = 8  l = 5  synchronous  p = 32",
        "step 3, line 4: if (i < n) y[i] = a * x[i] + y[i];",
        "W(1)  writes y[8] y[9] … y[15]",
        "  A[5]:  y[8] y[9] … y[15]",
        "the whole run is complete after 24 time units",
    ] {
        assert!(explained.contains(line), "{line}\n{explained}");
    }
    // The same time as the command that only counts.
    let printed = of(&format!("kernel {launch} -m umm --draw s.svg --html s.html"));
    assert!(printed.contains("\n24 time units"), "{printed}");
    let picture = std::fs::read_to_string(at.path().join("s.svg")).unwrap();
    assert!(picture.contains("complete after 24 time units"));
    let page = std::fs::read_to_string(at.path().join("s.html")).unwrap();
    assert!(page.contains("<tr data-line=\"0:4\"") && page.contains(">LDG.E R"));
    // Shared memory, of which the HMM's pipeline has one for each block.
    let tiled = of(
        "explain CUDA/transpose.cu --kernel tiled --block 32x32 --arg n=32 --arg in=count:f32[1024] \
         --arg out=zeros:f32[1024] -l 2 -m hmm -d 1 --steps 3 --warps 0",
    );
    assert!(tiled.contains("block 0 W(0)  reads shared[0] shared[32] … shared[992]"), "{tiled}");
    let large = "kernel CUDA/saxpy.cu --grid 4 --block 256 --arg n=9 --arg a=1 --arg x=ones:f32[9] \
        --arg y=ones:f32[9] --draw s.svg";
    let kernels = root().join("kernels/cuda");
    of(&large.replace("--grid 4 --block 256", "--block 32"));
    let large = large
        .replace("CUDA", kernels.to_str().unwrap())
        .replace("=9", "=1000")
        .replace("[9]", "[1000]");
    let refused = umm(at.path(), &large);
    let why = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && why.contains("--steps 1..9"), "{why}");
}

#[test]
fn what_kernels_cannot_be_asked_names_what_can() {
    let at = folder(&[("f.cu", "__global__ void f() {}"), ("f.fatbin", "no machine code")]);
    for (words, said) in [
        ("explain f.cu --set n=4", "a kernel is given its parameters by --arg"),
        ("explain sum --grid 4", "--grid is for kernels"),
        ("explain f.trace --block 4", "--block is for kernels, and f.trace is read as a trace"),
        ("kernel f.cu --sass --html f.html", "cannot be used with"),
        ("kernel f.fatbin", "f.fatbin: no machine code"),
        ("kernel f.cu --shared 64q", "as in 4096 or 48K"),
        ("kernel f.cu --shared 1MB", "write bytes"),
    ] {
        let done = umm(at.path(), words);
        let why = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.code() == Some(2) && why.contains(said), "{words}: {why}");
    }
}

#[test]
#[ignore = "needs NVRTC"]
fn time_ends_an_endless_kernel() {
    let source = "extern \"C\" __global__ void f(volatile int *x) { while (x[0] == 0); }";
    let at = folder(&[("f.cu", source)]);
    let done = umm(at.path(), "kernel f.cu --arg x=zeros:[1] --limit 300ms");
    assert_eq!(done.status.code(), Some(1));
    let why = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(why.contains("stopped at the limit of 0.3 s; raise --limit"), "{why}");
    let counted = umm(at.path(), "kernel f.cu --arg x=zeros:i32[1] --limit 1e4");
    assert_eq!(counted.status.code(), Some(1));
}
