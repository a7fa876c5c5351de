//! Derived bounds against counted times.

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use super::show::Style;
use super::*;
use crate::case::Case;
use crate::diagnostic::Source;
use crate::language;
use crate::machine::Machine;
use crate::units::{Latency, Threads, Width};

fn program(name: &str) -> Program {
    let text = crate::algorithms::catalogue::find(name).unwrap().text.to_owned();
    language::load(Source { name: name.to_owned(), text }).unwrap()
}

#[test]
fn look() {
    let names = std::env::var("LOOK").unwrap_or_else(|_| "umm_opt".to_owned());
    for name in names.split(',') {
        let program = program(name);
        let fixed: Vec<Option<i64>> = program.parameters.iter().map(|it| it.default).collect();
        let bulk = program.first_parallel_loop().is_none().then_some(Arrangement::ColumnWise);
        for kind in [MachineKind::Umm, MachineKind::Dmm] {
            let question =
                Question { program: &program, fixed: &fixed, kind, bulk, mode: Mode::Sync };
            let start = std::time::Instant::now();
            let derived = derive(&question);
            println!("== {name} {kind:?} {:?}", start.elapsed());
            let names: Vec<String> = program.parameters.iter().map(|it| it.name.clone()).collect();
            let style = Style { names: &names, latex: false };
            if kind == MachineKind::Umm {
                for term in &derived.upper {
                    let at: Vec<_> = term
                        .sites
                        .iter()
                        .map(|it| &program.source.text[program.sites[it.0].span.start..program.sites[it.0].span.end])
                        .collect();
                    println!("{at:?} {:?}", term.part);
                    for choice in &term.choices {
                        println!("    {} : {}", choice.rule, style.pieces(&choice.pieces));
                    }
                }
                for lower in &derived.lower {
                    println!("LOW {} : {}", lower.rule, style.pieces(&lower.pieces));
                }
            }
            for missing in &derived.missing {
                println!("missing {:?} {}", program.source.text.get(missing.span.start..missing.span.end), missing.why);
            }
            let mut ratios = vec![];
            for n in [1_i64, 2, 3, 4, 5, 7, 8, 16, 31, 64] {
                for p in [1_u64, 3, 8, 64, 100_000] {
                    for w in [1_u64, 4, 32, 256] {
                        for l in [1_u64, 10, 500] {
                            let width = Width::new(w).unwrap();
                            let machine = Machine { kind, width, latency: Latency::new(l).unwrap() };
                            let mut case = Case::new(program.clone()).on(machine).set("n", n);
                            case.threads = Threads::new(p).unwrap();
                            case.bulk = bulk;
                            let Ok(timed) = case.time() else { continue };
                            let time = BigRational::from_integer(timed.total().time_units.0.into());
                            let parameters = timed.layout.parameters.clone();
                            let sizes = Sizes { parameters: &parameters, threads: p, width: w, latency: l };
                            let lower = derived.lower_at(&sizes);
                            assert!(lower <= time, "{name} n={n} p={p} w={w} l={l}: {lower} > {time}");
                            if let Some(upper) = derived.upper_at(&sizes) {
                                assert!(upper >= time, "{name} n={n} p={p} w={w} l={l}: {upper} < {time}");
                                if !lower.is_zero() {
                                    ratios.push((upper / lower).to_f64().unwrap());
                                }
                            }
                        }
                    }
                }
            }
            ratios.sort_by(f64::total_cmp);
            if !ratios.is_empty() {
                println!("ratio median {:.2} max {:.2} ({})", ratios[ratios.len() / 2], ratios[ratios.len() - 1], ratios.len());
            }
        }
    }
}
