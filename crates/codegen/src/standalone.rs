//! A `main` around emitted kernels: it allocates, fills as `umm run` does, runs, times, prints.

use super::emitter::Emitter;
use super::expression::{Expressions, INPUTS};
use super::iteration_order::IterationOrder;
use super::lines::Lines;
use super::names::Names;
use super::nest;
use super::random::{self, Fill};
use super::statement::LoopForm_;
use super::storage::type_word;
use super::{BLOCK, BULK_BLOCK, COOPERATIVE_BLOCK, Kernel, Launch, LaunchGrid};
use memory_machine_core::diagnostic::Diagnostic;
use memory_machine_core::language::program::{ArrayId, Statement};
use memory_machine_core::language::syntax::{Role, Type};
use memory_machine_core::run::layout::Arrangement;

const INCLUDES: &str = "#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#define CHECK(call)                                                                        \\
    do {                                                                                   \\
        const cudaError_t error = (call);                                                  \\
        if (error != cudaSuccess) {                                                        \\
            fprintf(stderr, \"%s:%d: %s\\n\", __FILE__, __LINE__, cudaGetErrorString(error)); \\
            exit(1);                                                                       \\
        }                                                                                  \\
    } while (0)

static long long integer(const char *text) {
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (errno == 0 && end != text && *end == 0) return value;
    fprintf(stderr, \"%s: is no integer\\n\", text);
    exit(2);
}

// The product of the extents of an array, unless there can be no such array.
static size_t cells(const char *array, std::initializer_list<long long> extents) {
    size_t cells = 1;
    for (const long long extent : extents) {
        if (extent < 1 || (size_t)extent > ((size_t)1 << 40) / cells) {
            fprintf(stderr, \"%s: each extent must be at least 1, and there is room for 2^40 cells; choose other sizes\\n\", array);
            exit(2);
        }
        cells *= extent;
    }
    return cells;
}

// Memory for an array on the host.
static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory != NULL) return memory;
    fprintf(stderr, \"no memory for %zu bytes; choose smaller sizes\\n\", bytes);
    exit(1);
}

";

const BLOCKS: &str = "static unsigned blocks(long long threads) {
    const long long blocks = (threads + BLOCK_THREADS - 1) / BLOCK_THREADS;
    return blocks < 1 ? 1 : blocks > 0x7fffffff ? 0x7fffffff : (unsigned)blocks;
}

";

const EACH_INPUT: &str = "for (long long input = 0; input < p; input++) ";

impl Emitter<'_> {
    /// Everything that a file needs beside its kernels.
    ///
    /// # Errors
    /// An array is filled with what is not made outside of `umm`.
    pub(super) fn standalone(&self, kernels: &[Kernel]) -> Result<String, Diagnostic> {
        let fills = self.fills()?;
        let mut lines = Lines::default();
        let names = Names::of_program(self.program);
        if self.options.launch != Launch::Cooperative {
            for (source, kernel) in self.loops.iter().zip(kernels) {
                if !matches!(kernel.grid, LaunchGrid::Tiles(_)) {
                    self.iterations(source, kernel, &mut lines);
                }
            }
        }
        self.run(kernels, &names, &mut lines);
        self.main(&names, &fills, &mut lines);
        let mut text = INCLUDES.to_owned() + &random::needed(&fills);
        if lines.text.contains("<<<blocks(") {
            let threads = if self.options.bulk.is_some() { BULK_BLOCK } else { BLOCK };
            text += &BLOCKS.replace("BLOCK_THREADS", &threads.to_string());
        }
        Ok(text + &lines.text)
    }

    /// How many threads a nest keeps busy, or how many blocks a loop on DMMs has.
    fn iterations(&self, source: &Statement, kernel: &Kernel, lines: &mut Lines) {
        let names = Names::of_loop(self.program, source, &kernel.captured);
        let mut expressions = self.expressions(&names);
        let arguments = self.numbers(&names, &kernel.captured, true).join(", ");
        lines.open(&format!("static long long {}_iterations({arguments}) {{", kernel.name));
        match IterationOrder::of(source.ranges()) {
            IterationOrder::Walk if kernel.grid != LaunchGrid::Blocks => {
                lines.line(
                    "return 1 << 18;  // As many as a device keeps busy: they share the rows.",
                );
            }
            IterationOrder::Walk => nest::count_by_rows(source.ranges(), lines, &mut expressions),
            shape => {
                nest::count(source.ranges(), &shape, lines, &mut expressions);
                lines.line("return iterations;");
            }
        }
        lines.close("}");
        lines.line("");
    }

    /// `run`: the program once, on a stream.
    fn run(&self, kernels: &[Kernel], names: &Names, lines: &mut Lines) {
        let bulk = self.options.bulk.is_some();
        let cooperative = self.options.launch == Launch::Cooperative;
        let extra = match bulk {
            true => Some(format!("long long {INPUTS}")),
            false => cooperative.then(|| "unsigned *arrived".to_owned()),
        };
        let arguments = self.declared(names, &[], extra);
        lines.open(&format!("static void run(cudaStream_t stream, {arguments}) {{"));
        let passed = self.passed(names, &[]);
        match &kernels[0] {
            kernel if cooperative => {
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
            kernel if bulk => lines.line(&format!(
                "{}<<<blocks({INPUTS}), {BULK_BLOCK}, 0, stream>>>({passed}, {INPUTS});",
                kernel.name
            )),
            kernel if kernel.of.is_none() => {
                lines.line(&format!("{}<<<1, 1, 0, stream>>>({passed});", kernel.name));
            }
            _ => {
                for kernel in kernels {
                    let Kernel { name, shared: bytes @ 1.., .. } = kernel else { continue };
                    lines.line(&format!("CHECK(cudaFuncSetAttribute({name}, cudaFuncAttributeMaxDynamicSharedMemorySize, {bytes}));"));
                }
                let launch = |source: &Statement, expressions: &mut Expressions<'_>| {
                    let index = self.kernel_of(kernels, source);
                    index.map_or_else(String::new, |it| self.launched(&kernels[it], expressions))
                };
                let mut statements = self.statements(names, LoopForm_::Host(&launch));
                statements.lines.depth = 1;
                statements.declare(&self.program.body);
                statements.block(&self.program.body);
                lines.text.push_str(&statements.lines.text);
            }
        }
        lines.line("CHECK(cudaGetLastError());");
        lines.close("}");
        lines.line("");
    }

    /// The launch of a parallel loop.
    fn launched(&self, kernel: &Kernel, expressions: &Expressions<'_>) -> String {
        let names = expressions.names;
        let sizes = self.numbers(names, &kernel.captured, false).join(", ");
        let all = self.passed(names, &kernel.captured);
        let name = &kernel.name;
        let Kernel { threads, shared, .. } = kernel;
        match kernel.grid {
            LaunchGrid::Program => String::new(),
            LaunchGrid::Threads(each) => {
                let part = if each > 1 { format!(" / {each}") } else { String::new() };
                format!(
                    "{name}<<<blocks({name}_iterations({sizes}){part}), {threads}, 0, stream>>>({all});"
                )
            }
            LaunchGrid::Blocks => format!(
                "if (const long long grid = {name}_iterations({sizes})) {name}<<<grid, {threads}, {shared}, stream>>>({all});"
            ),
            LaunchGrid::Tiles(tile) => {
                format!("{name}<<<{}, {threads}, 0, stream>>>({all});", tile.blocks)
            }
        }
    }

    /// What each given array is filled with.
    fn fills(&self) -> Result<Vec<Fill>, Diagnostic> {
        let given = self.program.global_arrays().filter(|it| it.role.is_given());
        given.map(|array| Fill::of(self.program, array)).collect()
    }

    fn main(&self, names: &Names, fills: &[Fill], lines: &mut Lines) {
        let mut fills = fills.iter();
        let program = self.program;
        let bulk = self.options.bulk;
        let parameters = program.parameters.iter().enumerate();
        let parameters = parameters.filter(|(index, _)| self.is_free(*index));
        let mut sizes: Vec<(&str, &str, Option<i64>)> =
            parameters.map(|(index, it)| (&*it.name, names.parameter(index), it.default)).collect();
        sizes.extend(bulk.map(|_| (INPUTS, INPUTS, None)));
        let usage: Vec<&str> = sizes.iter().map(|(word, ..)| *word).collect();
        lines.open("int main(int count, char **arguments) {");
        let least = sizes.iter().rposition(|(.., default)| default.is_none());
        let least = least.map_or(0, |last| last + 1);
        lines.open(&format!("if (count < {} || count > {}) {{", least + 1, sizes.len() + 1));
        lines
            .line(&format!("fprintf(stderr, \"usage: %s {}\\n\", arguments[0]);", usage.join(" ")));
        lines.line("return 2;");
        lines.close("}");
        for (index, (_, name, default)) in sizes.iter().enumerate() {
            let at = index + 1;
            let given = format!("integer(arguments[{at}])");
            lines.line(&match default {
                Some(default) if index >= least => {
                    format!("const long long {name} = count > {at} ? {given} : {default};")
                }
                _ => format!("const long long {name} = {given};"),
            });
        }
        let mut expressions = self.expressions(names);
        expressions.bulk = false;
        for (index, array) in program.global_arrays().enumerate() {
            let (name, element) = (names.array(ArrayId(index)), type_word(array.element));
            let extents = array.extents.iter().map(|it| expressions.plain(it));
            let extents: Vec<_> = extents.chain(bulk.map(|_| INPUTS.to_owned())).collect();
            let (word, extents) = (&array.name, extents.join(", "));
            lines.line("");
            lines.line(&format!("const size_t {name}cells = cells(\"{word}\", {{{extents}}});"));
            lines.line(&format!("{element} *{name};"));
            lines.line(&format!("CHECK(cudaMalloc(&{name}, {name}cells * sizeof *{name}));"));
            if !array.role.is_given() {
                continue;
            }
            let Some(fill) = fills.next() else { continue };
            lines.line(&format!(
                "{element} *{name}given = ({element} *)allocate({name}cells * sizeof *{name});"
            ));
            let (each, input, place) = match bulk {
                None => ("", "0", format!("{name}given, {name}cells, 1")),
                Some(Arrangement::RowWise) => {
                    let one = format!("{name}cells / {INPUTS}");
                    (EACH_INPUT, "input", format!("{name}given + input * ({one}), {one}, 1"))
                }
                Some(Arrangement::ColumnWise) => {
                    let place = format!("{name}given + input, {name}cells / {INPUTS}, {INPUTS}");
                    (EACH_INPUT, "input", place)
                }
            };
            let bounds = fill.bounds(|it| expressions.plain(it));
            if let Some([low, high]) = &bounds {
                let why =
                    format!("{word}: random numbers lie between two numbers, the lesser first");
                lines.line(&format!(
                    "if (({low}) > ({high})) {{ fprintf(stderr, \"{why}\\n\"); return 2; }}"
                ));
            }
            let more = bounds.map_or(fill.arguments(), |it| it.join(", ") + ", ");
            let fill = fill.name();
            lines.line(&format!("{each}{fill}(Random(seed({index}, {input})), {more}{place});"));
        }
        lines.line("");
        self.time(names, lines);
        lines.line("return 0;");
        lines.close("}");
    }

    /// Runs it a few times, each on fresh input, and prints seconds and the first results.
    fn time(&self, names: &Names, lines: &mut Lines) {
        let program = self.program;
        let cooperative = self.options.launch == Launch::Cooperative;
        lines.line("cudaStream_t stream;");
        lines.line("CHECK(cudaStreamCreate(&stream));");
        if cooperative {
            lines.line("unsigned *arrived;");
            lines.line("CHECK(cudaMalloc(&arrived, sizeof *arrived));");
        }
        let mut passed = self.passed(names, &[]);
        if self.options.bulk.is_some() {
            passed = passed + ", " + INPUTS;
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
        for (index, array) in program.global_arrays().enumerate() {
            let name = names.array(ArrayId(index));
            lines.line(&match array.role.is_given() {
                true => format!("CHECK(cudaMemcpy({name}, {name}given, {name}cells * sizeof *{name}, cudaMemcpyHostToDevice));"),
                false => format!("CHECK(cudaMemset({name}, 0xff, {name}cells * sizeof *{name}));"),
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
        for (index, array) in program.global_arrays().enumerate() {
            if !matches!(array.role, Role::Output | Role::Inout) {
                continue;
            }
            let name = names.array(ArrayId(index));
            // What nobody wrote is not a bool, either.
            let element = match array.element {
                Type::Bool => "unsigned char",
                element => type_word(element),
            };
            lines.line("");
            lines.line("// The first cells, as far as they were written, the last ones too.");
            lines.open("{");
            lines.line(&format!(
                "{element} *result = ({element} *)allocate({name}cells * sizeof *{name});"
            ));
            lines.line(&format!("CHECK(cudaMemcpy(result, {name}, {name}cells * sizeof *{name}, cudaMemcpyDeviceToHost));"));
            lines.line(&format!("printf(\"{}:\");", array.name));
            let (format, cast) = match array.element {
                element if element.is_float() => ("%.9g", "(double)"),
                Type::U64 => ("%llu", ""),
                _ => ("%lld", "(long long)"),
            };
            lines.line(&format!("for (size_t cell = 0; cell < {name}cells && cell < 8; cell++) printf(\" {format}\", {cast}result[cell]);"));
            lines.line(&format!("printf(\" ... {format}\\n\", {cast}result[{name}cells - 1]);"));
            lines.line("free(result);");
            lines.close("}");
        }
        if self.options.bulk.is_some() {
            lines.line(&format!("printf(\"{}: %lld inputs\\n\", {INPUTS});", program.name));
        }
    }
}
