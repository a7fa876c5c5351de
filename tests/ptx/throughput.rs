//! What schedulers take for instructions, as measured: loops of one kind of instructions, by
//! `models/measurements/nvidia-h200/2026-11-25/throughput.py` (H200 and H100).

use super::timed;

/// The measured kernels, as PTX: what a body makes of `x` and `y` it leaves in `u` and `v`.
const BODIES: [(&str, &str); 24] = [
    ("add64_xor64", "add.s64 u, x, y;\nxor.b64 v, y, u;\n"),
    ("xor32", "xor.b32 u, x, y;\nnot.b32 t, u;\nand.b32 s, y, t;\nor.b32 v, s, 1;\n"),
    ("min32_xor32", "min.s32 u, x, y;\nxor.b32 v, y, u;\n"),
    ("min64_xor64", "min.s64 u, x, y;\nxor.b64 v, y, u;\n"),
    ("less64", "setp.lt.s64 p, x, y;\nselp.u64 t, 1, 0, p;\nadd.s64 u, x, t;\nxor.b64 v, y, u;\n"),
    ("mad32", "mad.lo.s32 u, x, y, x;\nmad.lo.s32 v, y, u, 3;\n"),
    ("mul32_xor32", "mul.lo.s32 u, x, y;\nxor.b32 v, y, u;\n"),
    ("mulhi32_xor32", "mul.hi.u32 u, x, y;\nxor.b32 v, y, u;\n"),
    ("mul64_xor64", "mul.lo.s64 u, x, y;\nxor.b64 v, y, u;\n"),
    ("mulhi_u64_xor64", "mul.hi.u64 u, x, y;\nxor.b64 v, y, u;\n"),
    ("mulhi_s64_xor64", "mul.hi.s64 u, x, y;\nxor.b64 v, y, u;\n"),
    ("fadd", "add.rn.f32 u, x, y;\nadd.rn.f32 v, y, u;\n"),
    ("fma", "fma.rn.f32 u, x, y, x;\nfma.rn.f32 v, y, u, y;\n"),
    ("less_fadd", "setp.lt.f32 p, y, x;\nselp.f32 u, y, x, p;\nadd.rn.f32 v, y, u;\n"),
    ("floor_fadd", "cvt.rmi.f32.f32 u, y;\nadd.rn.f32 v, y, u;\n"),
    ("s32_to_f32_fadd", "cvt.rn.f32.s32 u, y;\nadd.rn.f32 v, y, u;\n"),
    ("u8_to_f32_fadd", "cvt.rn.f32.u16 u, y;\nadd.rn.f32 v, y, u;\n"),
    ("f32_to_s32_xor32", "cvt.rzi.s32.f32 u, y;\nxor.b32 v, y, u;\n"),
    ("f32_to_s64_xor32", "cvt.rzi.s64.f32 u, y;\nxor.b32 v, y, u;\n"),
    ("f32_to_f64_dadd", "cvt.f64.f32 u, y;\nadd.rn.f64 v, y, u;\n"),
    ("f64_to_f32_dadd", "cvt.rn.f32.f64 u, y;\nadd.rn.f64 v, y, u;\n"),
    ("popc32", "popc.b32 u, y;\nshl.b32 t, u, 3;\nxor.b32 v, y, t;\n"),
    ("dadd", "add.rn.f64 u, x, y;\nadd.rn.f64 v, y, u;\n"),
    ("less_dadd", "setp.lt.f64 p, y, x;\nselp.f64 u, y, x, p;\nadd.rn.f64 v, y, u;\n"),
];
/// Bodies one after another; each uses what the one before left.
const TURNS: usize = 16;
/// Warps of the blocks that are compared, of which a scheduler has a quarter.
const WARPS: &str = "32";

/// Cycles of the scheduler's busiest part for one body.
fn told(body: &str) -> f64 {
    let turn = |turn: usize| {
        let named = |letter: char| match letter {
            'x' => format!("%x{turn}"),
            'y' => format!("%y{turn}"),
            'u' => format!("%x{}", turn + 1),
            'v' => format!("%y{}", turn + 1),
            _ => format!("%{letter}{turn}"),
        };
        let words = body.split_inclusive([' ', '\n']).map(|word| match word.chars().next() {
            Some(letter) if word.len() == 3 && letter.is_ascii_lowercase() => {
                named(letter) + &word[1..]
            }
            _ => word.to_owned(),
        });
        words.collect::<String>()
    };
    let [some, none] = [TURNS, 0].map(|turns| timed(&(0..turns).map(turn).collect::<String>(), 1));
    let units = some.units.into_iter().zip(none.units).map(|(some, none)| some - none);
    units.fold(some.slots - none.slots, f64::max) / TURNS as f64
}

fn measured(rows: &str, kernel: &str) -> f64 {
    let of_kernel = rows.lines().map(|it| it.split(',').collect::<Vec<_>>());
    let of_kernel = of_kernel.filter(|it| it[0] == kernel && it[1] == WARPS);
    let mut cycles: Vec<f64> = of_kernel.map(|it| it[3].parse().unwrap()).collect();
    cycles.sort_by(f64::total_cmp);
    cycles[cycles.len() / 2] / (WARPS.parse::<f64>().unwrap() / 4.0)
}

#[test]
fn schedulers_take_as_long_as_was_measured() {
    let h200 = include_str!("../../models/measurements/nvidia-h200/2026-11-25/throughput.csv");
    let h100 = include_str!("../../models/measurements/nvidia-h100/2026-11-25/throughput.csv");
    for (kernel, body) in BODIES {
        let told = told(body);
        for rows in [h200, h100] {
            let ratio = told / measured(rows, kernel);
            assert!(
                (0.75..1.25).contains(&ratio),
                "{kernel}: {told}, {ratio} of what was measured"
            );
        }
    }
}
