//! A `main` around emitted kernels: it allocates, fills with random numbers, runs, times, prints.

use std::fmt::Write;

use super::expression::{Expressions, type_word};
use super::names::{self, Names};
use super::nest::{self, Shape};
use super::statement::{Lines, Place};
use super::{BLOCK, BULK_BLOCK, COOPERATIVE_BLOCK, Emitter, Kernel, Launch};
use crate::language::program::{ArrayId, Nest};
use crate::language::syntax::Type;
use crate::run::layout::Arrangement;

const INCLUDES: &str = "#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \\
    do {                                                                                   \\
        const cudaError_t error = (call);                                                  \\
        if (error != cudaSuccess) {                                                        \\
            fprintf(stderr, \"%s:%d: %s\\n\", __FILE__, __LINE__, cudaGetErrorString(error)); \\
            exit(1);                                                                       \\
        }                                                                                  \\
    } while (0)

// The bits of a number that is as good as random: the finaliser of splitmix64.
static unsigned long long mixed(unsigned long long x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

";

const BLOCKS: &str = "static unsigned blocks(long long threads) {
    const long long blocks = (threads + BLOCK_THREADS - 1) / BLOCK_THREADS;
    return blocks < 1 ? 1 : blocks > 0x7fffffff ? 0x7fffffff : (unsigned)blocks;
}

";

impl Emitter<'_> {
    /// Everything that a file needs beside its kernels.
    pub(super) fn standalone(&self, kernels: &[Kernel]) -> String {
        let mut lines = Lines::default();
        let names = Names::new(self.program, &self.program.body, &[]);
        if self.options.launch != Launch::Cooperative {
            for (nest, kernel) in self.nests.iter().zip(kernels) {
                self.iterations(nest, kernel, &mut lines);
            }
        }
        self.run(kernels, &names, &mut lines);
        self.main(&names, &mut lines);
        let mut text = INCLUDES.to_owned();
        if lines.text.contains("<<<blocks(") {
            let threads = if self.options.bulk.is_some() { BULK_BLOCK } else { BLOCK };
            text += &BLOCKS.replace("BLOCK_THREADS", &threads.to_string());
        }
        text + &lines.text
    }

    /// How many threads a nest keeps busy.
    fn iterations(&self, nest: &Nest, kernel: &Kernel, lines: &mut Lines) {
        let block = vec![crate::language::program::Statement::Parallel(nest.clone())];
        let names = Names::new(self.program, &block, &kernel.captured);
        let mut expressions = Expressions::new(self.program, &names, None);
        let arguments = self.scalar_arguments(&names, kernel);
        lines.open(&format!("static long long {}_iterations({arguments}) {{", kernel.name));
        let shape = Shape::of(nest);
        if let Shape::Walk = shape {
            lines.line("return 1 << 18;  // As many as a device keeps busy: they share the rows.");
        } else {
            nest::count(nest, &shape, lines, &mut expressions);
            lines.line("return iterations;");
        }
        lines.close("}");
        lines.line("");
    }

    fn scalar_arguments(&self, names: &Names, kernel: &Kernel) -> String {
        let parameters = (0..self.program.parameters.len())
            .map(|index| format!("long long {}", names.parameter(index)));
        let scalars = kernel.captured.iter().map(|scalar| {
            let element = self.program.scalars[scalar.0].element;
            format!("{} {}", type_word(element), names.scalar(*scalar))
        });
        parameters.chain(scalars).collect::<Vec<_>>().join(", ")
    }

    /// `run`: the program once, on a stream.
    fn run(&self, kernels: &[Kernel], names: &Names, lines: &mut Lines) {
        let inputs = self.options.bulk.map(|_| Names::inputs(self.program));
        let cooperative = self.options.launch == Launch::Cooperative;
        let extra = match inputs {
            Some(inputs) => Some(format!("long long {inputs}")),
            None => cooperative.then(|| "unsigned *arrived".to_owned()),
        };
        let arguments = self.declared(names, &[], extra);
        lines.open(&format!("static void run(cudaStream_t stream, {arguments}) {{"));
        let passed = self.passed(names, &[]);
        match (&kernels[0], inputs) {
            (kernel, _) if cooperative => {
                lines.line("int device, processors, resident;");
                lines.line("CHECK(cudaGetDevice(&device));");
                lines.line("CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));");
                let name = &kernel.name;
                lines.line(&format!("CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, {name}, {COOPERATIVE_BLOCK}, 0));"));
                lines.line("CHECK(cudaMemsetAsync(arrived, 0, sizeof(unsigned), stream));");
                let places: Vec<String> =
                    passed.split(", ").map(|it| format!("(void *)&{it}")).collect();
                lines.line(&format!(
                    "void *arguments[] = {{{}, (void *)&arrived}};",
                    places.join(", ")
                ));
                lines.line(&format!("CHECK(cudaLaunchCooperativeKernel((void *){name}, dim3(processors * resident), dim3({COOPERATIVE_BLOCK}), arguments, 0, stream));"));
            }
            (kernel, Some(inputs)) => lines.line(&format!(
                "{}<<<blocks({inputs}), {BULK_BLOCK}, 0, stream>>>({passed}, {inputs});",
                kernel.name
            )),
            (kernel, None) if kernel.nest.is_none() => {
                lines.line(&format!("{}<<<1, 1, 0, stream>>>({passed});", kernel.name));
            }
            _ => {
                let launch = |nest: &Nest, expressions: &mut Expressions<'_>| {
                    let kernel = kernels.iter().find(|it| super::is(it.nest, nest.span));
                    kernel.map_or_else(String::new, |kernel| {
                        let names = expressions.names;
                        let parameters =
                            (0..self.program.parameters.len()).map(|index| names.parameter(index));
                        let scalars = kernel.captured.iter().map(|it| names.scalar(*it));
                        let sizes = parameters.chain(scalars).collect::<Vec<_>>().join(", ");
                        let all = self.passed(names, &kernel.captured);
                        format!(
                            "{}<<<blocks({}_iterations({sizes})), {BLOCK}, 0, stream>>>({all});",
                            kernel.name, kernel.name
                        )
                    })
                };
                let mut statements = self.statements(names, Place::Host(&launch));
                statements.lines.depth = 1;
                statements.declare(&super::without_nests(&self.program.body));
                statements.block(&self.program.body);
                lines.text.push_str(&statements.lines.text);
            }
        }
        lines.line("CHECK(cudaGetLastError());");
        lines.close("}");
        lines.line("");
    }

    fn main(&self, names: &Names, lines: &mut Lines) {
        let program = self.program;
        let inputs = self.options.bulk.map(|_| Names::inputs(program));
        let mut sizes: Vec<(&str, Option<i64>)> = program
            .parameters
            .iter()
            .enumerate()
            .map(|(index, it)| (names.parameter(index), it.default))
            .collect();
        sizes.extend(inputs.map(|inputs| (inputs, None)));
        let usage: Vec<String> = sizes.iter().map(|(name, _)| name.to_uppercase()).collect();
        lines.open("int main(int count, char **arguments) {");
        let least = sizes.iter().filter(|(_, default)| default.is_none()).count();
        lines.open(&format!("if (count < {}) {{", least + 1));
        lines
            .line(&format!("fprintf(stderr, \"usage: %s {}\\n\", arguments[0]);", usage.join(" ")));
        lines.line("return 2;");
        lines.close("}");
        for (index, (name, default)) in sizes.iter().enumerate() {
            let at = index + 1;
            lines.line(&match default {
                None => format!("const long long {name} = atoll(arguments[{at}]);"),
                Some(default) => {
                    format!("const long long {name} = count > {at} ? atoll(arguments[{at}]) : {default};")
                }
            });
        }
        let mut expressions = Expressions::new(program, names, None);
        for (index, array) in program.arrays.iter().enumerate() {
            let (name, element) = (names.array(ArrayId(index)), type_word(array.element));
            let mut cells: Vec<String> =
                array.extents.iter().map(|it| expressions.factor(it)).collect();
            cells.extend(inputs.map(str::to_owned));
            lines.line("");
            lines.line(&format!("const size_t {name}_cells = (size_t)({});", cells.join(" * ")));
            lines.line(&format!("{element} *{name};"));
            lines.line(&format!("CHECK(cudaMalloc(&{name}, {name}_cells * sizeof *{name}));"));
            if array.role.is_given() {
                // Every array has numbers of its own.
                let mixed = format!("mixed(({index}ull << 48) + cell)");
                let random = match array.element {
                    Type::F32 => format!("(float)({mixed} >> 40) / (1 << 24)"),
                    Type::F64 => format!("(double)({mixed} >> 40) / (1 << 24)"),
                    Type::Bool => format!("({mixed} & 1) != 0"),
                    _ => format!("({element})({mixed} % 100)"),
                };
                lines.line(&format!(
                    "{element} *{name}_given = ({element} *)malloc({name}_cells * sizeof *{name});"
                ));
                lines.line(&format!("for (size_t cell = 0; cell < {name}_cells; cell++) {name}_given[cell] = {random};"));
            }
        }
        lines.line("");
        self.time(names, inputs, lines);
        lines.line("return 0;");
        lines.close("}");
    }

    /// Runs it a few times, each on fresh input, and prints seconds and the first results.
    fn time(&self, names: &Names, inputs: Option<&'static str>, lines: &mut Lines) {
        let program = self.program;
        let cooperative = self.options.launch == Launch::Cooperative;
        lines.line("cudaStream_t stream;");
        lines.line("CHECK(cudaStreamCreate(&stream));");
        if cooperative {
            lines.line("unsigned *arrived;");
            lines.line("CHECK(cudaMalloc(&arrived, sizeof *arrived));");
        }
        let mut passed = self.passed(names, &[]);
        if let Some(inputs) = inputs {
            let _ = write!(passed, ", {inputs}");
        }
        if cooperative {
            passed += ", arrived";
        }
        if self.options.launch == Launch::Graph {
            lines.line("cudaGraph_t graph;");
            lines.line("cudaGraphExec_t launches;");
            lines.line("CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));");
            lines.line(&format!("run(stream, {passed});"));
            lines.line("CHECK(cudaStreamEndCapture(stream, &graph));");
            lines.line("CHECK(cudaGraphInstantiate(&launches, graph, 0));");
        }
        lines.line("cudaEvent_t begin, end;");
        lines.line("CHECK(cudaEventCreate(&begin));");
        lines.line("CHECK(cudaEventCreate(&end));");
        lines.line("// The first run warms up.");
        lines.open("for (int repetition = 0; repetition < 8; repetition++) {");
        for (index, array) in program.arrays.iter().enumerate() {
            let name = names.array(ArrayId(index));
            lines.line(&match array.role.is_given() {
                true => format!("CHECK(cudaMemcpy({name}, {name}_given, {name}_cells * sizeof *{name}, cudaMemcpyHostToDevice));"),
                false => format!("CHECK(cudaMemset({name}, 0xff, {name}_cells * sizeof *{name}));"),
            });
        }
        lines.line("CHECK(cudaDeviceSynchronize());");
        lines.line("CHECK(cudaEventRecord(begin, stream));");
        match self.options.launch {
            Launch::Graph => lines.line("CHECK(cudaGraphLaunch(launches, stream));"),
            _ => lines.line(&format!("run(stream, {passed});")),
        }
        lines.line("CHECK(cudaEventRecord(end, stream));");
        lines.line("CHECK(cudaEventSynchronize(end));");
        lines.line("float milliseconds;");
        lines.line("CHECK(cudaEventElapsedTime(&milliseconds, begin, end));");
        lines.line("if (repetition > 0) printf(\"%g s\\n\", milliseconds / 1000);");
        lines.close("}");
        for (index, array) in program.arrays.iter().enumerate() {
            use crate::language::syntax::Role;
            if !matches!(array.role, Role::Output | Role::Inout) {
                continue;
            }
            let (name, element) = (names.array(ArrayId(index)), type_word(array.element));
            lines.line("");
            lines.line("// The first cells, as far as they were written, the last ones too.");
            lines.open("{");
            lines.line(&format!(
                "{element} *result = ({element} *)malloc({name}_cells * sizeof *{name});"
            ));
            lines.line(&format!("CHECK(cudaMemcpy(result, {name}, {name}_cells * sizeof *{name}, cudaMemcpyDeviceToHost));"));
            lines.line(&format!("printf(\"{name}:\");"));
            let (format, cast) = match array.element {
                Type::F32 | Type::F64 => ("%.9g", "(double)"),
                _ => ("%lld", "(long long)"),
            };
            lines.line(&format!("for (size_t cell = 0; cell < {name}_cells && cell < 8; cell++) printf(\" {format}\", {cast}result[cell]);"));
            lines.line(&format!("printf(\" ... {format}\\n\", {cast}result[{name}_cells - 1]);"));
            lines.line("free(result);");
            lines.close("}");
        }
        if let Some(Arrangement::ColumnWise | Arrangement::RowWise) = self.options.bulk {
            let name = names::plain(&program.name);
            lines.line(&format!("printf(\"{name}: %lld inputs\\n\", {});", inputs.unwrap_or("0")));
        }
    }
}
