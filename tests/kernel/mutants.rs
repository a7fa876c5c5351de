//! Machine code with bytes that were changed: whatever it is then, reading and executing it ends, and says why.

use memory_machine::gpu::toolchain::{CompileOptions, assemble_text};
use memory_machine::kernel::{Argument, Plan, Prepared};
use memory_machine::sass;

use super::{plan, shipped_code};

/// Xorshift (Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end
    }
}

fn change(code: &mut [u8], random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        let at = random.below(code.len());
        match random.below(4) {
            0 => code[at] ^= 1 << random.below(8),
            1 => code[at] = random.below(256) as u8,
            2 => {
                let number = [0_u32, 1, u32::MAX, 1 << 31, 1 << 16][random.below(5)];
                if let Some(word) = code.get_mut(at & !3..(at & !3) + 4) {
                    word.copy_from_slice(&number.to_le_bytes());
                }
            }
            _ => {
                let from = random.below(code.len());
                let count = 16.min(code.len() - from).min(code.len() - at);
                code.copy_within(from..from + count, at);
            }
        }
    }
}

/// The arguments that fit the parameters as the changed code has them.
fn arguments(kernel: &sass::KernelCode) -> Option<Vec<Argument>> {
    let sizes = kernel.parameters().into_iter().map(|it| it.1).enumerate();
    let each = sizes.map(|(at, size)| match size {
        8 => format!("{at}=random:f32[256]"),
        4 => format!("{at}=i32:100"),
        _ => format!("{at}=i8:1"),
    });
    each.map(|it| it.parse().ok()).collect()
}

/// Launches each kernel of changed code; how many could be, and of how many something was wrong.
fn launched(module: &sass::Module) -> [usize; 2] {
    let (mut executed, mut wrong) = (0, 0);
    for kernel in &module.kernels {
        let Some(arguments) = arguments(kernel) else { continue };
        let plan = Plan { arguments, limit: 2000, ..plan("2x2", "8x8", &[]) };
        let Ok(prepared) = Prepared::new(module, kernel, None, &plan) else { continue };
        executed += 1;
        wrong += usize::from(prepared.execute(module, kernel, &plan).is_err());
    }
    [executed, wrong]
}

#[test]
#[ignore = "needs NVRTC"]
fn changed_machine_code_ends_and_says_why() {
    let count = if std::env::var_os("UMM_THOROUGH").is_some() { 4000 } else { 400 };
    let mut random = Random(56);
    let (mut executed, mut wrong) = (0, 0);
    for name in ["saxpy.cu", "reduce.cu", "transpose.cu"] {
        let code = shipped_code(name);
        for _ in 0..count {
            let mut code = code.clone();
            change(&mut code, &mut random);
            let Ok(module) = sass::read(&code) else {
                wrong += 1;
                continue;
            };
            let [ended, failed] = launched(&module);
            executed += ended;
            wrong += failed;
        }
    }
    assert!(executed > count && wrong > count / 4, "{executed} executed, {wrong} wrong");
}

/// Shared memory, a barrier in it, a loop, special functions, halves, an atomic operation and a shuffle.
const PTX: &str = r#".version 8.0
.target sm_90
.address_size 64
.visible .entry f(.param .u64 x, .param .u64 y, .param .u32 n)
{
.reg .pred %p<8>;
.reg .b16 %h<4>;
.reg .b32 %r<24>;
.reg .f32 %f<16>;
.reg .b64 %d<16>;
.shared .align 16 .b8 s[512];
.shared .align 8 .b64 b;
ld.param.u64 %d1, [x];
ld.param.u64 %d2, [y];
ld.param.u32 %r1, [n];
cvta.to.global.u64 %d3, %d1;
cvta.to.global.u64 %d4, %d2;
mov.u32 %r2, %tid.x;
mov.u32 %r3, %tid.y;
mov.u32 %r4, %ntid.x;
mad.lo.s32 %r5, %r3, %r4, %r2;
mov.u32 %r6, %ctaid.x;
shl.b32 %r7, %r6, 6;
add.s32 %r8, %r7, %r5;
mov.u32 %r9, s;
mov.u32 %r10, b;
setp.eq.s32 %p1, %r5, 0;
@%p1 mbarrier.init.shared.b64 [%r10], 64;
bar.sync 0;
mul.wide.s32 %d5, %r8, 4;
add.s64 %d6, %d3, %d5;
add.s64 %d7, %d4, %d5;
ld.global.f32 %f1, [%d6];
shl.b32 %r11, %r5, 2;
add.s32 %r12, %r9, %r11;
st.shared.f32 [%r12], %f1;
mbarrier.arrive.shared.b64 %d8, [%r10];
W:
mbarrier.try_wait.parity.shared.b64 %p2, [%r10], 0;
@!%p2 bra W;
xor.b32 %r13, %r11, 4;
add.s32 %r14, %r9, %r13;
ld.shared.f32 %f2, [%r14];
mov.f32 %f3, 0f00000000;
mov.u32 %r15, 0;
L:
ex2.approx.f32 %f4, %f2;
sin.approx.f32 %f5, %f4;
fma.rn.f32 %f3, %f5, %f4, %f3;
sqrt.approx.f32 %f6, %f4;
div.full.f32 %f2, %f6, 0f40000000;
cvt.rn.f16.f32 %h1, %f2;
add.f16 %h2, %h1, %h1;
cvt.f32.f16 %f7, %h2;
add.f32 %f3, %f3, %f7;
add.s32 %r15, %r15, 1;
setp.lt.s32 %p3, %r15, 3;
@%p3 bra L;
shfl.sync.bfly.b32 %r16|%p4, %r15, 1, 31, -1;
add.s32 %r17, %r16, %r8;
cvt.rn.f32.s32 %f8, %r17;
add.f32 %f9, %f3, %f8;
setp.ge.s32 %p5, %r8, %r1;
@%p5 bra E;
st.global.f32 [%d7], %f9;
atom.global.add.u32 %r18, [%d4], 1;
E:
ret;
}
"#;

/// One line is left out, comes twice, or has a word of another line in place of one of its own.
fn changed_text(lines: &[&str], random: &mut Random) -> String {
    let mut lines: Vec<String> = lines.iter().map(|it| (*it).to_owned()).collect();
    // The head and the parameters stay, without which nothing is a kernel.
    let first = lines.iter().position(|it| it.starts_with('{')).unwrap() + 1;
    for _ in 0..1 + random.below(2) {
        let [at, other] = [0, 1].map(|_| first + random.below(lines.len() - 1 - first));
        match random.below(6) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.swap(at, other),
            _ => {
                let given: Vec<&str> = lines[other].split_inclusive([' ', ',', '.']).collect();
                let mut words: Vec<&str> = lines[at].split_inclusive([' ', ',', '.']).collect();
                if let [_, ..] = given[..] {
                    let place = random.below(words.len().max(1));
                    if let Some(word) = words.get_mut(place) {
                        *word = given[random.below(given.len())];
                    }
                }
                lines[at] = words.concat();
            }
        }
    }
    lines.join("\n")
}

#[test]
#[ignore = "needs ptxas"]
fn changed_ptx_ends_and_says_why() {
    let count = std::env::var("UMM_MUTANTS").map_or(100, |it| it.parse().unwrap());
    let lines: Vec<&str> = PTX.lines().collect();
    let (mut random, mut assembled, mut executed) = (Random(65), 0, 0);
    for _ in 0..count {
        let text = changed_text(&lines, &mut random);
        let Ok(code) = assemble_text(&text, &CompileOptions::default()) else { continue };
        assembled += 1;
        executed += launched(&sass::read(&code).unwrap())[0];
    }
    println!("of {count} texts {assembled} were assembled, {executed} executed");
    assert!(executed > count / 10, "{assembled} assembled, {executed} executed");
}
