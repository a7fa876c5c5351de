//! One core of the host, for the algorithms whose papers compare with one.

use std::hint::black_box;
use std::time::Instant;

use super::Protocol;
use crate::random::{seed_of, word};
use memory_machine_core::language::syntax::Type;
use memory_machine_core::run::layout::Arrangement;
use memory_machine_geometry::opt;
use memory_machine_measure::{FEWEST, Repetition, Subject};

/// The same point on one core, if the papers compare with one and it ends in passable time.
pub fn subject(of_gpu: &Subject) -> Option<Subject> {
    let has_code = matches!(of_gpu.name.as_str(), "prefix_sums" | "opt");
    let (n, inputs) = size(of_gpu);
    (has_code && is_quick(&of_gpu.name, n, inputs)).then(|| Subject {
        bulk: Some(Arrangement::RowWise),
        launch: None,
        prefetch: 1,
        processor: "cpu".to_owned(),
        devices: 1,
        ..of_gpu.clone()
    })
}

/// The repetitions of a [`subject`]; none of an algorithm without code.
pub fn measure(subject: &Subject, protocol: Protocol) -> Vec<Repetition> {
    let Protocol { repetitions, seed, .. } = protocol;
    let (n, inputs) = size(subject);
    let times = times(&subject.name, n, inputs, repetitions, seed).unwrap_or_default();
    subject.repetitions("none", seed, &times)
}

/// n, and the number of inputs.
fn size(subject: &Subject) -> (u64, u64) {
    let n = subject.set.0.get("n").map_or(0, |n| n.unsigned_abs());
    (n, subject.threads.unwrap_or(1))
}

/// Seconds that one core takes to run an algorithm for `p` inputs of size `n`, one after another,
/// each input's cells side by side: the papers' sequential code. `None` for other algorithms than
/// prefix-sums and OPT.
fn times(algorithm: &str, n: u64, p: u64, repetitions: usize, seed: u64) -> Option<Vec<f64>> {
    let n = usize::try_from(n).ok()?;
    let random = |cells: u64| -> Vec<f32> {
        let bits = (0..cells).map(|cell| word(Type::F32, seed_of(seed, 0), cell));
        bits.map(|bits| f32::from_bits(bits as u32)).collect()
    };
    let cells = match algorithm {
        "prefix_sums" => n,
        "opt" => n * n,
        _ => return None,
    };
    let given = random(p * cells as u64);
    let mut result = given.clone();
    let mut run = || {
        if algorithm == "prefix_sums" {
            result.copy_from_slice(&given);
        }
        let begin = Instant::now();
        for (given, result) in given.chunks_exact(cells).zip(result.chunks_exact_mut(cells)) {
            if algorithm == "opt" {
                opt::reference::fill(n, given, result);
            } else {
                let mut sum = 0.0;
                for value in result {
                    sum += *value;
                    *value = sum;
                }
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        black_box(&result);
        seconds
    };
    // The first run warms up.
    let repetitions = if run() > 1.0 { FEWEST as usize } else { repetitions };
    Some((0..repetitions).map(|_| run()).collect())
}

/// Seconds that a run may take about; points that take longer are not measured.
const MOST_SECONDS: f64 = 6.0;
/// Numbers that inputs may have together; more take long to make, and much memory.
const MOST_NUMBERS: f64 = 3e8;

/// Whether a run of that size ends in passable time: a few 10⁸ sums or relaxations a second.
fn is_quick(algorithm: &str, n: u64, p: u64) -> bool {
    let (n, p) = (n as f64, p as f64);
    let (numbers, seconds) = match algorithm {
        "prefix_sums" => (n * p, n * p / 0.5e9),
        _ => (n * n * p, (n * n * n / 6.0 + n * n) * p / 0.25e9),
    };
    numbers < MOST_NUMBERS && seconds < MOST_SECONDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_are_64_polygons_of_512_vertices() {
        assert!(is_quick("opt", 512, 64));
        assert!(!is_quick("opt", 512, 256) && !is_quick("opt", 8, 1 << 24));
        assert!(is_quick("prefix_sums", 32, 1 << 22) && !is_quick("prefix_sums", 32, 1 << 24));
        assert_eq!(times("opt", 8, 3, 7, 1).unwrap().len(), 7);
        assert!(times("sum", 8, 3, 7, 1).is_none());
    }

    #[test]
    fn a_point_on_a_gpu_has_one_on_a_core() {
        let set = "n=8".parse().unwrap();
        let launch = Some("plain".to_owned());
        let of_gpu = Subject {
            name: "opt".to_owned(),
            set,
            threads: Some(3),
            launch,
            devices: 2,
            ..Subject::default()
        };
        let on_core = subject(&of_gpu).unwrap();
        assert_eq!((on_core.processor.as_str(), on_core.devices), ("cpu", 1));
        assert_eq!((on_core.bulk, &on_core.launch), (Some(Arrangement::RowWise), &None));
        assert_eq!(
            measure(&on_core, Protocol { repetitions: 7, seed: 1, most_accesses: 0 }).len(),
            7
        );
        assert_eq!(subject(&Subject { name: "sum".to_owned(), ..of_gpu.clone() }), None);
        assert_eq!(subject(&Subject { threads: Some(1 << 30), ..of_gpu }), None);
    }
}
