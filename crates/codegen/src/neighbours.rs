//! Accesses of neighbours: one of 2 or 4 elements in CUDA C, too, as `float4`.

use super::statement::Statements;
use super::storage::type_word;
use memory_machine_core::language::program::{Access, ExprKind, SiteId, Statement, VectorLane};
use memory_machine_core::language::syntax::Type;

/// What CUDA C calls the parts of a vector.
const PARTS: [&str; 4] = ["x", "y", "z", "w"];

/// The name of a vector's type in CUDA C, without the number of its parts.
const fn vector_word(element: Type) -> &'static str {
    match element {
        Type::I8 => "char",
        Type::U8 | Type::Bool => "uchar",
        Type::I16 => "short",
        Type::U16 | Type::F16 | Type::Bf16 => "ushort",
        Type::I32 => "int",
        Type::U32 => "uint",
        Type::I64 => "longlong",
        Type::U64 => "ulonglong",
        Type::F32 => "float",
        Type::F64 => "double",
    }
}

impl Statements<'_> {
    /// Before the first of neighbours is read: all of them, from which the lanes then take theirs.
    pub(super) fn neighbours(&mut self, statement: &Statement) {
        let Statement::Assign { value, .. } = statement else { return };
        let ExprKind::Element(access) = &value.kind else { return };
        let site = &self.expressions.program.sites[access.site.0];
        let Some(VectorLane { lane: 0, lanes }) = site.vector else { return };
        let (vector, name) = (format!("{}{lanes}", vector_word(value.element)), name(access, 0));
        let element = self.expressions.element(access);
        self.lines.line(&format!("const {vector} {name} = *(const {vector} *)&{element};"));
        for (lane, part) in (0..lanes as usize).zip(PARTS) {
            let site = SiteId(access.site.0 + lane);
            let text = match value.element.is_short_float() {
                true => format!("{}::of_bits({name}.{part})", type_word(value.element)),
                false => format!("{name}.{part}"),
            };
            self.expressions.prefetch.insert(site, text);
        }
    }

    /// The store of one lane: the value, kept until the last one writes all of them. Returns the
    /// statement that does.
    pub(super) fn store_lane(
        &mut self,
        access: &Access,
        VectorLane { lane, lanes }: VectorLane,
        (element, value): (&str, &str),
    ) -> Option<String> {
        let of = self.expressions.program.arrays[access.array.0].element;
        let (vector, name) = (format!("{}{lanes}", vector_word(of)), name(access, lane));
        if lane == 0 {
            self.lines.line(&format!("{vector} *const {name} = ({vector} *)&{element};"));
        }
        self.lines.line(&format!("const {} {name}_{lane} = {value};", type_word(of)));
        let bits = if of.is_short_float() { ".bits" } else { "" };
        let parts: Vec<String> = (0..lanes).map(|it| format!("{name}_{it}{bits}")).collect();
        (lane + 1 == lanes).then(|| format!("*{name} = make_{vector}({});", parts.join(", ")))
    }
}

/// The name of the vector that lane `lane` belongs to: sites of its lanes follow each other.
fn name(access: &Access, lane: u64) -> String {
    format!("vector{}", access.site.0 as u64 - lane)
}
