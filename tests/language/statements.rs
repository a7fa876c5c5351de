//! Statements below declarations that all have: what is answered to them.

use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::language::program::Program;
use memory_machine::language::syntax::Type;
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::Memory;
use memory_machine::run::{Limits, NoopObserver, Observer, execute};
use memory_machine::units::{Threads, Width};

pub(super) const HEAD: &str = "\
algorithm t(n)
inout a[n] : f32
inout d[n] : f64
inout x[n] : i32
inout u[n] : u32
inout y[n] : i64
inout q[n] : bool
output o[n] : f32
function odd(k) = k mod 2 = 1
function next(k) = if odd(k) then k + 1 else k
function sum3(e, f, g) = e + f + g
";

pub(super) fn load(statements: &str) -> Result<Program, String> {
    let source = Source { name: "t.alg".into(), text: format!("{HEAD}{statements}\n") };
    language::load(source).map_err(|error| error.diagnostic.message)
}

pub(super) fn refused(statements: &str, why: &str) {
    match load(statements) {
        Ok(_) => panic!("accepted:\n{statements}"),
        Err(message) => assert!(message.contains(why), "{message}\n{statements}"),
    }
}

/// The message and the remedy.
pub(super) fn answered(statements: &str, why: &str, remedy: &str) {
    let source = Source { name: "t.alg".into(), text: format!("{HEAD}{statements}\n") };
    let error = language::load(source).expect_err(statements).diagnostic;
    let help = error.help.unwrap_or_default();
    assert!(error.message.contains(why), "{}\n{statements}", error.message);
    assert!(help.contains(remedy), "{help}\n{statements}");
}

pub(super) fn type_of(program: &Program, name: &str) -> Type {
    program.scalars.iter().find(|it| it.name == name).unwrap().element
}

pub(super) fn execution(
    statements: &str,
    observer: &mut impl Observer,
    program: &Program,
) -> Memory {
    let four = |_: &str| Some(4);
    let layout = Layout::new(program, four, Width::new(4).unwrap(), None).unwrap();
    let mut memory = Memory::new(&layout).unwrap();
    let limits = Limits::new(Threads::new(u64::MAX).unwrap(), 100);
    if let Err(error) = execute(program, &layout, &mut memory, limits, observer) {
        panic!("{error}\n{statements}");
    }
    memory
}

pub(super) fn output(statements: &str) -> Vec<f32> {
    let program = load(statements).unwrap();
    let memory = execution(statements, &mut NoopObserver, &program);
    let four = |_: &str| Some(4);
    let layout = Layout::new(&program, four, Width::new(4).unwrap(), None).unwrap();
    let o = program.array_named("o").unwrap();
    memory.values(&layout, o, 0).iter().map(|it| f32::from_bits(it.unwrap() as u32)).collect()
}
