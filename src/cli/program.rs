//! From the command line to a program with its memory filled, ready to run.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::path::Path;

use super::Failure;
use super::inputs::{GivenBits, Source};
use super::options::ProgramOptions;
use crate::algorithms::catalogue;
use crate::algorithms::polygon::Polygon;
use crate::algorithms::reference::{Given, Numbers};
use crate::diagnostic::{Diagnostic, Located, Source as Text};
use crate::host::files;
use crate::language;
use crate::language::program::{Array, ArrayId, ExprKind, Program};
use crate::run::layout::{Bulk, Layout, LayoutError};
use crate::run::memory::{self, Memory};
use crate::units::Width;

/// A listing by name or file, and its catalogue entry if it says the same as a shipped one.
pub(super) fn load(
    algorithm: impl AsRef<OsStr>,
) -> Result<(Program, Option<&'static catalogue::Entry>), Failure> {
    let path = Path::new(algorithm.as_ref());
    if let Some(entry) = path.to_str().and_then(catalogue::find) {
        let source = Text { name: format!("{}.alg", entry.name), text: entry.text.to_owned() };
        return Ok((language::load(source)?, Some(entry)));
    }
    let is_file = path.extension().is_some_and(|it| it == "alg") || path.components().count() > 1;
    let name = path.display();
    if !is_file && path != "-" {
        return Err(Failure::input(format_args!(
            "no shipped listing is called `{name}`; see `umm list`, or name a file FILE.alg"
        )));
    }
    let text = files::read(path, files::DESCRIPTION)?;
    let program = language::load(Text { name: name.to_string(), text })?;
    let entry = catalogue::find(&program.name).filter(|entry| {
        language::parse(entry.text).is_ok_and(|shipped| shipped == program.listing)
    });
    Ok((program, entry))
}

/// A program with sizes and inputs.
pub(super) struct Prepared {
    pub(super) program: Program,
    pub(super) entry: Option<&'static catalogue::Entry>,
    pub(super) layout: Layout,
    sources: BTreeMap<ArrayId, Source>,
    pub(super) seed: u64,
}

impl Prepared {
    pub(super) fn new(
        options: &ProgramOptions,
        width: Width,
        bulk: Option<Bulk>,
    ) -> Result<Self, Failure> {
        let (program, entry) = load(&options.algorithm)?;
        if let (Some(_), Some(span)) = (bulk, program.first_parallel_loop()) {
            let error = Diagnostic::new(span, "a bulk run executes a sequential program")
                .label("this loop is parallel")
                .help("leave out --bulk, or drop `in parallel`");
            return Err(Box::new(Located { source: program.source, diagnostic: error }).into());
        }
        let sources = sources(&program, options)?;
        let settings = settings(&program, options, &sources)?;
        let layout = Layout::new(&program, |name| settings.get(name).copied(), width, bulk)
            .map_err(|error| explain(&error))?;
        Ok(Self { program, entry, layout, sources, seed: options.seed })
    }

    /// What each given array holds before the run, in one input of a bulk run.
    pub(super) fn given(&self, input: u64) -> impl Iterator<Item = GivenArray<'_>> {
        memory::given(&self.program).map(move |id| GivenArray { prepared: self, id, input })
    }

    /// Memory with every given array filled.
    pub(super) fn memory(&self) -> Result<Memory, Failure> {
        let arrays = &self.program.arrays;
        for (id, source) in &self.sources {
            source.check(&arrays[id.0], &self.layout.regions[id.0].extents)?;
        }
        let mut memory = Memory::new(&self.layout).map_err(Failure::input)?;
        let inputs = self.layout.bulk.map_or(1, |bulk| bulk.inputs);
        for input in 0..if self.sources.is_empty() { 0 } else { inputs } {
            for given in self.given(input) {
                let filled = memory.fill_each(&self.layout, given.id, input, given.bits());
                filled.map_err(|(place, number)| {
                    let Array { name, element, .. } = &arrays[given.id.0];
                    let (place, element) = (place + 1, element.word());
                    Failure::input(format_args!(
                        "--input {name}: number {place}, {number:?}, is no {element}; change it, or \
                         the array's type"
                    ))
                })?;
            }
        }
        Ok(memory)
    }

    /// The polygon whose chords an array holds, if one was given.
    pub(super) fn polygon(&self) -> Option<&Polygon> {
        self.sources.values().find_map(|source| match source {
            Source::Polygon { polygon, .. } => Some(&**polygon),
            _ => None,
        })
    }

    pub(super) fn is_random(&self) -> bool {
        self.sources.values().any(|source| matches!(source, Source::Random { .. }))
    }

    /// Parameters with their values, as in `n = 16`.
    pub(super) fn sizes(&self) -> String {
        let parameters = self.program.parameters.iter().zip(&self.layout.parameters);
        parameters
            .map(|(it, value)| format!("{} = {value}", it.name))
            .collect::<Vec<_>>()
            .join("  ")
    }
}

/// A given array before the run, as memory then held it.
pub(super) struct GivenArray<'a> {
    prepared: &'a Prepared,
    id: ArrayId,
    input: u64,
}

impl GivenArray<'_> {
    fn bits(&self) -> GivenBits<'_> {
        let Self { prepared: Prepared { program, layout, sources, .. }, id, input } = self;
        let (element, extents) = (program.arrays[id.0].element, &layout.regions[id.0].extents);
        sources[id].bits(element, id.0, extents, *input)
    }
}

impl Given for GivenArray<'_> {
    /// What memory held, not what a file says: the reference and the run round alike.
    fn numbers(&self) -> Numbers<'_> {
        let element = self.prepared.program.arrays[self.id.0].element;
        let held = self.bits().map_while(Result::ok);
        Box::new(held.map(move |bits| memory::number(element, bits)))
    }
}

fn sources(
    program: &Program,
    options: &ProgramOptions,
) -> Result<BTreeMap<ArrayId, Source>, Failure> {
    let mut sources = BTreeMap::new();
    for (name, value) in &options.inputs {
        let known = program.array_named(name).filter(|id| program.arrays[id.0].role.is_given());
        let Some(id) = known else {
            let names = memory::given(program).map(|id| program.arrays[id.0].name.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            let known = match names.as_str() {
                "" => "it takes no inputs: leave out --input".to_owned(),
                names => format!("its inputs are: {names}"),
            };
            return Err(Failure::input(format_args!(
                "--input {name}={}: `{}` has no input array `{name}`; {known}",
                value.display(),
                program.name
            )));
        };
        let source = Source::parse(program, &program.arrays[id.0], value, options.seed)?;
        if sources.insert(id, source).is_some() {
            return Err(Failure::input(format_args!("--input {name} is given twice")));
        }
    }
    for id in memory::given(program) {
        if let Entry::Vacant(vacant) = sources.entry(id) {
            let array = &program.arrays[id.0];
            vacant.insert(Source::parse(program, array, OsStr::new("random"), options.seed)?);
        }
    }
    Ok(sources)
}

/// Parameters' values: those set, and those that an input's shape implies.
fn settings(
    program: &Program,
    options: &ProgramOptions,
    sources: &BTreeMap<ArrayId, Source>,
) -> Result<HashMap<String, i64>, Failure> {
    let mut settings = HashMap::new();
    for (name, value) in &options.settings {
        if !program.parameters.iter().any(|it| it.name == *name) {
            let known = parameters(program);
            return Err(Failure::input(format_args!(
                "--set {name}={value}: `{}` has no parameter `{name}`; {known}",
                program.name
            )));
        }
        if settings.insert(name.clone(), *value).is_some() {
            return Err(Failure::input(format_args!("--set {name} is given twice")));
        }
    }
    for (id, source) in sources {
        let array = &program.arrays[id.0];
        let known = source.extents(array.extents.len()).unwrap_or_default();
        for (extent, known) in array.extents.iter().zip(known) {
            if let ExprKind::Parameter(parameter) = extent.kind {
                let name = &program.parameters[parameter.0].name;
                let known = i64::try_from(known).unwrap_or(i64::MAX);
                settings.entry(name.clone()).or_insert(known);
            }
        }
    }
    Ok(settings)
}

/// What may be set, as a message on something else ends.
pub(super) fn parameters(program: &Program) -> String {
    let names: Vec<&str> = program.parameters.iter().map(|it| it.name.as_str()).collect();
    match names.as_slice() {
        [] => "it has no parameters: leave out --set".to_owned(),
        names => format!("its parameters are: {}", names.join(", ")),
    }
}

fn explain(error: &LayoutError) -> Failure {
    match error {
        LayoutError::MissingParameter(name) => {
            Failure::input(format_args!("{error}; give it: --set {name}=16"))
        }
        LayoutError::Extent { .. } | LayoutError::NoValue { .. } => {
            Failure::input(format_args!("{error}; change --set"))
        }
        LayoutError::Overflow(_) => Failure::input(format_args!("{error}; choose smaller sizes")),
    }
}
