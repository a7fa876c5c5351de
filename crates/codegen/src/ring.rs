//! Sequential loops whose reads are made ahead of their place: into registers, or through a ring in
//! shared memory.

use super::expression::INPUTS;
use super::iteration_order::is_fixed;
use super::statement::Statements;
use super::storage::{bytes_of, type_word};
use memory_machine_core::language::program::{Access, For, Program};
use memory_machine_core::language::syntax::Type;

/// Iterations of a tile that goes through shared memory.
const TILE: u32 = 16;
/// Iterations whose reads registers hold.
const MOST_REGISTERS: u32 = 8;
/// Bytes of shared memory that a kernel may declare on every device.
const SHARED: u64 = 48 << 10;

/// Tiles of reads under way.
#[derive(Clone, Copy)]
struct Ring {
    tiles: u32,
    bytes: u64,
}

impl Ring {
    /// The largest ring for this many iterations that `left` bytes of shared memory hold; `None` if
    /// registers do as well.
    fn of(
        prefetch: u32,
        threads: u32,
        left: u64,
        reads: &[&Access],
        program: &Program,
    ) -> Option<Self> {
        let bytes = reads.iter().map(|it| match program.arrays[it.array.0].element {
            // Only words of 4 or 8 bytes can be copied without waiting for them.
            element if bytes_of(element) < 4 => SHARED,
            element => bytes_of(element),
        });
        let tile = bytes.sum::<u64>() * u64::from(TILE) * u64::from(threads);
        let tiles = (prefetch / TILE).min(u32::try_from(left / tile.max(1)).unwrap_or(0));
        let bytes = u64::from(tiles) * tile;
        (threads > 0 && tiles >= 2).then_some(Self { tiles, bytes })
    }
}

impl Statements<'_> {
    /// A loop that can make these reads early.
    pub(super) fn ahead(&mut self, source: &For, reads: &[&Access]) {
        let For { range, body, .. } = source;
        let name = self.expressions.names.scalar(range.variable).to_owned();
        let [from, to] = [&range.from, &range.to].map(|it| self.expressions.plain(it));
        self.lines.open("{");
        let index = self.expressions.index;
        self.lines.line(&format!("{index} {name} = {from};"));
        self.lines.line(&format!("const {index} {name}last = {to};"));
        let (left, program) = (SHARED - self.shared, self.expressions.program);
        match Ring::of(self.prefetch, self.block_threads, left, reads, program) {
            Some(ring) => {
                self.shared += ring.bytes;
                self.through_ring(source, reads, ring);
            }
            None => self.through_registers(source, reads),
        }
        self.expressions.prefetch.clear();
        self.expressions.instead.clear();
        self.lines.open(&format!("for (; {name} <= {name}last; {name}++) {{"));
        self.block(body);
        self.lines.close("}");
        self.lines.close("}");
    }

    /// Whether a warp's words of these reads lie side by side, so that its lanes may fetch four
    /// each for all of them.
    fn together(&self, source: &For, reads: &[&Access]) -> bool {
        let elements = &self.expressions.program.arrays;
        let known = self.alike.clone().unwrap_or_default();
        self.side_by_side
            && self.counts_alike(&source.range)
            && reads.iter().all(|read| {
                let element = elements[read.array.0].element;
                let differs = |it| it != source.range.variable && !known.contains(&it);
                matches!(element, Type::F32 | Type::I32 | Type::U32)
                    && read.indices.iter().all(|it| is_fixed(it, differs))
            })
    }

    /// Declares a place for what each read brings; returns their names.
    fn held(&mut self, reads: &[&Access], declare: impl Fn(&str, &str) -> String) -> Vec<String> {
        let mut names = vec![];
        for (number, access) in reads.iter().enumerate() {
            let array = self.expressions.names.array(access.array);
            let twice = reads.iter().filter(|it| it.array == access.array).count() > 1;
            let suffix = if twice { format!("{number}_") } else { String::new() };
            let held = format!("{array}{suffix}ahead");
            let element = self.expressions.program.arrays[access.array.0].element;
            self.lines.line(&declare(type_word(element), &held));
            names.push(held);
        }
        names
    }

    /// Some iterations' reads are made together, into registers.
    fn through_registers(&mut self, source: &For, reads: &[&Access]) {
        let variable = source.range.variable;
        let name = self.expressions.names.scalar(variable).to_owned();
        let count = self.prefetch.min(MOST_REGISTERS);
        self.lines.line(&format!(
            "// The reads of {count} iterations at once: none reads what another of them writes."
        ));
        self.lines
            .open(&format!("for (; {name} + {} <= {name}last; {name} += {count}) {{", count - 1));
        self.expressions.instead.insert(variable, format!("{name} + u"));
        let held = self.held(reads, |element, held| format!("{element} {held}[{count}];"));
        self.lines.line("#pragma unroll");
        self.lines.open(&format!("for (int u = 0; u < {count}; u++) {{"));
        for (access, held) in reads.iter().zip(&held) {
            let element = self.expressions.element(access);
            self.lines.line(&format!("{held}[u] = {element};"));
        }
        self.lines.close("}");
        for (access, held) in reads.iter().zip(&held) {
            self.expressions.prefetch.insert(access.site, format!("{held}[u]"));
        }
        self.lines.line("#pragma unroll");
        self.lines.open(&format!("for (int u = 0; u < {count}; u++) {{"));
        self.block(&source.body);
        self.lines.close("}");
        self.lines.close("}");
    }

    /// Reads run ahead through a ring in shared memory, a tile of iterations at a time: a thread
    /// has all but one of the ring's tiles under way while it works on that one.
    fn through_ring(&mut self, source: &For, reads: &[&Access], ring: Ring) {
        let variable = source.range.variable;
        let name = self.expressions.names.scalar(variable).to_owned();
        let (tiles, under_way) = (ring.tiles, ring.tiles - 1);
        self.lines.line(&format!(
            "// Reads run up to {} iterations ahead of their place, a tile of {TILE} at a time: none reads",
            tiles * TILE
        ));
        self.lines.line("// what an iteration in between writes.");
        let threads = self.block_threads;
        let held = self.held(reads, |element, held| {
            format!("__shared__ {element} {held}[{tiles}][{TILE}][{threads}];")
        });
        let distance = under_way * TILE;
        self.lines.line(&format!(
            "const int tiles = {name}last < {name} ? 0 : (int)(({name}last - {name} + 1) / {TILE});"
        ));
        self.lines.line(&format!("{name} -= {distance};"));
        if self.together(source, reads) {
            self.lines.line(
                "// Where all inputs of a warp lie side by side, its lanes fetch four words each.",
            );
            self.lines.line("const int lane = threadIdx.x % 32;");
            self.lines.line(&format!(
                "const bool whole = {INPUTS} % 4 == 0 && input - lane + 32 <= {INPUTS};"
            ));
            self.lines.line("const long long neighbour = input - lane + lane % 8 * 4;");
        }
        self.lines.open(&format!(
            "for (int tile = -{under_way}; tile < tiles; tile++, {name} += {TILE}) {{"
        ));
        let slot = format!("(unsigned)(tile + {under_way}) % {tiles}");
        let together = self.together(source, reads);
        self.lines.open(&format!("if (tile + {under_way} < tiles) {{"));
        if together {
            self.lines.open("if (whole) {");
            self.lines.line("#pragma unroll");
            self.lines.open(&format!("for (int u = 0; u < {TILE}; u += 4) {{"));
            self.expressions.input = "neighbour";
            let iteration = format!("{name} + {distance} + u + lane / 8");
            self.expressions.instead.insert(variable, iteration);
            for (access, held) in reads.iter().zip(&held) {
                let element = self.expressions.element(access);
                let place = "[u + lane / 8][threadIdx.x - lane + lane % 8 * 4]";
                self.lines.line(&format!("fetch_four(&{held}[{slot}]{place}, &{element});"));
            }
            self.expressions.input = "input";
            self.lines.close("}");
            self.lines.close("} else {");
            self.lines.depth += 1;
        }
        self.lines.line("#pragma unroll");
        self.lines.open(&format!("for (int u = 0; u < {TILE}; u++) {{"));
        self.expressions.instead.insert(variable, format!("{name} + {distance} + u"));
        for (access, held) in reads.iter().zip(&held) {
            let element = self.expressions.element(access);
            self.lines.line(&format!("fetch(&{held}[{slot}][u][threadIdx.x], &{element});"));
        }
        self.lines.close("}");
        if together {
            self.lines.close("}");
        }
        self.lines.close("}");
        self.lines.line("fetched();");
        self.lines.open("if (tile >= 0) {");
        self.lines.line(&format!("arrived<{under_way}>();"));
        if together {
            self.lines.line("__syncthreads();  // A block's rows go through memory side by side.");
        }
        self.lines.line("#pragma unroll");
        self.lines.open(&format!("for (int u = 0; u < {TILE}; u++) {{"));
        self.expressions.instead.insert(variable, format!("{name} + u"));
        for (access, held) in reads.iter().zip(&held) {
            let place = format!("{held}[(unsigned)tile % {tiles}][u][threadIdx.x]");
            self.expressions.prefetch.insert(access.site, place);
        }
        self.block(&source.body);
        self.lines.close("}");
        if together {
            self.lines.line("__syncwarp();  // Nobody fetches over what another still reads.");
        }
        self.lines.close("}");
        self.lines.close("}");
        self.lines.line("arrived<0>();");
    }
}
