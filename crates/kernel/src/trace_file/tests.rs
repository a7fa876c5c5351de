use super::*;
use memory_machine_core::machine::{Dmms, MachineKind};
use memory_machine_core::units::{Latency, Width};

const HEADER: &str = "-kernel name = f\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n\
    -shmem base_addr = 0x7f0000000000\n-local mem base_addr = 0x7f0001000000\n\
    -accelsim tracer version = 5\n-enable lineinfo = 0\n";

fn umm() -> Machine {
    Machine::umm(Width::at_least_one(32), Latency::new(10).unwrap())
}

fn timed(text: &str, machine: Machine) -> Result<TimedTrace, TraceFileError> {
    let format = TraceFormat::of(text.as_bytes()).expect("a known format");
    time("it", &mut text.as_bytes(), format, machine, Mode::Sync)
}

/// A block of two warps: each reads a row, waits, and writes it through shared memory and back.
fn block(number: usize) -> String {
    let warp = |it: usize| {
        let at = 0x1000 + 256 * number + 128 * it;
        let list: Vec<String> = (0..32).map(|lane| format!("{:#x}", at + 4 * lane)).collect();
        format!(
            "warp = {it}\ninsts = 5\n0000 ffffffff 1 R1 MOV 0 0 0\n\
             0010 ffffffff 1 R4 LDG.E 1 R4 4 1 {at:#x} 4 0\n0020 ffffffff 0 BAR.SYNC 0 0 0\n\
             0030 ffffffff 0 LD.E 1 R4 4 2 0x7f0000000000 {} 0\n\
             0040 ffffffff 0 STG.E 2 R6 R9 4 0 {} 0\n",
            ["128"; 31].join(" "),
            list.join(" ")
        )
    };
    format!("#BEGIN_TB\nthread block = {number},0,0\n{}{}#END_TB\n", warp(0), warp(1))
}

#[test]
fn traces_of_accelsim_in_all_ways_to_list_addresses() {
    let text = format!("{HEADER}{}{}", block(0), block(1));
    let kind = MachineKind::hierarchical(Dmms { number: 2, ..Dmms::ONE });
    let hmm = Machine { kind, ..umm() };
    let it = timed(&text, hmm).unwrap();
    assert_eq!(it.threads.get(), 64);
    // Four warps: a stage to read, 32 of one bank, and one to write.
    assert_eq!((it.counts.dispatches, it.counts.stages), (12, 4 * (1 + 32 + 1)));
    // There is no shared memory elsewhere.
    assert!(timed(&text, umm()).unwrap_err().to_string().contains("shared memory"));
    // Early versions say the block and the warp in each line.
    let early = text.replace("version = 5", "version = 2");
    let lines: Vec<String> = early
        .lines()
        .map(|it| match it.contains(" ffffffff ") {
            true => format!("0 0 0 1 {it}"),
            false => it.to_owned(),
        })
        .collect();
    assert_eq!(timed(&lines.join("\n"), hmm).unwrap(), it);
    let lined = text.replace("lineinfo = 0", "lineinfo = 1").replace("\n00", "\n17 00");
    assert_eq!(timed(&lined, hmm).unwrap(), it);
}

#[test]
fn what_is_wrong_with_a_trace_names_its_line() {
    let text = format!("{HEADER}{}", block(0));
    for (from, to, why) in [
        (" 1 0x1000 4", " 7 0x1000 4", "line 13: `7` is no way to list addresses"),
        ("ffffffff 1 R4", "fffffffff 1 R4", "line 13: `fffffffff` is no mask"),
        ("LDG.E 1 R4 4 1 0x1000 4 0", "LDG.E 1 R4", "line 13: is cut off"),
        ("warp = 0", "warp = 99", "line 10: names no warp"),
        ("insts = 5", "insts = 1", "line 13: is an instruction more than were announced"),
        ("thread block = 0,0,0", "", "line 12: is an instruction of no warp"),
        ("LDG.E", "UTMALDG", "line 13: UTMALDG is not timed"),
    ] {
        let wrong = timed(&text.replacen(from, to, 1), umm()).unwrap_err().to_string();
        assert!(wrong.contains(why), "{from}: {wrong}");
    }
}

#[test]
fn what_nvbit_prints() {
    let line = |launch: u32, warp: u32| {
        let all: Vec<String> = (0..32).map(|lane| format!("{:#018x}", 4096 + 128 * lane)).collect();
        format!(
            "MEMTRACE: CTX 0x01 - grid_launch_id {launch} - CTA 0,0,0 - warp {warp} - LDG.E.64 - {}\n",
            all.join(" ")
        )
    };
    let one = timed(&format!("{}{}", line(0, 0), line(0, 1)), umm()).unwrap();
    // 64 bytes a request: a thread reads a word of 8 bytes, and each is in a group of its own.
    assert_eq!((one.counts.dispatches, one.counts.stages), (2, 64));
    let two = timed(&format!("{}{}", line(0, 0), line(1, 0)), umm()).unwrap();
    assert!(two.counts.time_units > one.counts.time_units);
}

#[test]
fn blocks_of_ppt_gpu() {
    let text = "LDG.E.SYS 1000 1080 \n=====\nSTG.E.64 2000\nLDGSTS.E 0 8 3000 3004\n";
    assert_eq!(TraceFormat::of(text.as_bytes()), Some(TraceFormat::PptGpu));
    let it = timed(text, umm()).unwrap();
    // The copy's addresses in shared memory are no accesses of its own.
    assert_eq!((it.counts.dispatches, it.counts.stages), (3, 4));
    let wrong = timed(&format!("{text}STG.E zero\n"), umm()).unwrap_err().to_string();
    assert!(wrong.contains("line 5: holds what is no address"), "{wrong}");
}

#[test]
fn traces_of_one_thread_are_known_by_what_is_in_them() {
    for (text, accesses) in [
        ("==12== Lackey\nI  04001000,3\n L 1ffeffe7c8,8\n S 04222c4c,4\n M 0421e7cc,4\n", 5),
        ("0 1000\n1 1004\n2 408ed4\n", 2),
        ("0x1000 READ 0\n0x1040 WRITE 12\n", 32),
        ("0x12345680 R\n0x4cbd56c0 W\n", 32),
        ("LD 0x1000\nST 4096\n", 32),
        ("time,address,kind,bytes\n1,0x1000,read,8\n2,4096,W,4\n", 3),
    ] {
        let it = timed(text, umm()).unwrap();
        assert_eq!((it.counts.accesses, it.threads), (accesses, Threads::ONE), "{text}");
    }
    assert_eq!(TraceFormat::of(b"threads 8\nR 7 5\n"), None);
    assert!(timed("0 1000\n3 1000\n", umm()).unwrap_err().to_string().contains("line 2"));
}

#[test]
fn mutated_traces_are_read_or_refused() {
    let text = format!("{HEADER}{}", block(0));
    let mut state = 7_u64;
    let mut random = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for _ in 0..2000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + random() % 4 {
            let at = random() % bytes.len();
            match random() % 3 {
                0 => bytes[at] = (random() % 128) as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"0123456789afxR -=,"[random() % 18]),
            }
        }
        if let Some(format) = TraceFormat::of(&bytes) {
            let _ = time("it", &mut &bytes[..], format, umm(), Mode::Sync);
        }
    }
}
