//! What the given arrays hold before a run.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

use super::CaseError;
use super::input_source::InputSource;
use super::random_source::{GivenBits, RandomSource};
use crate::sample::Settings;
use memory_machine_algorithms::reference::{Given, Numbers};
use memory_machine_core::diagnostic::fingerprint;
use memory_machine_core::language::program::{Array, ArrayId, ExprKind, Program};
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::{self, Memory};
use memory_machine_geometry::matrix::Matrix;
use memory_machine_geometry::polygon::Polygon;

/// The sources of a program's given arrays; those without one are random.
#[derive(Debug, Clone)]
pub struct Inputs {
    sources: Arc<BTreeMap<ArrayId, InputSource>>,
    /// Of random inputs.
    pub seed: u64,
}

/// All random, with seed 1.
impl Default for Inputs {
    fn default() -> Self {
        Self { sources: Arc::default(), seed: 1 }
    }
}

impl Inputs {
    /// The same with another seed of what is random by default.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Reads sources, each an array's name and what [`generators::WORDS`](memory_machine_algorithms::generators::WORDS)
    /// lists, a file `.csv` or `.npy`, a folder of such files, `-`, `image:FILE.png`, `paper`,
    /// `polygon:FILE`, or `schedule:FILE`.
    ///
    /// # Errors
    /// [`CaseError::Given`]: an array that is no input, or given twice; what is no source.
    pub fn read(
        program: &Program,
        given: &[(String, OsString)],
        seed: u64,
    ) -> Result<Self, CaseError> {
        let mut sources = BTreeMap::new();
        for (name, value) in given {
            let id = Self::taken(program, name).map_err(|why| {
                CaseError::Given(format!("--input {name}={}: {why}", OsStr::display(value)))
            })?;
            let source = InputSource::parse(program, &program.arrays[id.0], value, seed)?;
            if sources.insert(id, source).is_some() {
                return Err(CaseError::Given(format!("--input {name} is given twice")));
            }
        }
        Ok(Self { sources: Arc::new(sources), seed })
    }

    /// The same with an array that the caller holds: its numbers row-major, as bits of the array's
    /// type.
    ///
    /// # Errors
    /// [`CaseError::Given`]: an array that is no input.
    pub fn with_array(
        mut self,
        program: &Program,
        name: &str,
        array: Matrix<u64>,
    ) -> Result<Self, CaseError> {
        let id = Self::taken(program, name).map_err(CaseError::Given)?;
        let source = InputSource::Matrix { bits: array, from: name.into() };
        Arc::make_mut(&mut self.sources).insert(id, source);
        Ok(self)
    }

    /// The input of this name; else what is wrong.
    fn taken(program: &Program, name: &str) -> Result<ArrayId, String> {
        Self::takes(program, name).ok_or_else(|| {
            let names = memory::given(program).map(|id| program.arrays[id.0].name.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            let known = match names.as_str() {
                "" => "it takes no inputs: leave out --input".to_owned(),
                names => format!("its inputs are: {names}"),
            };
            format!("`{}` has no input array `{name}`; {known}", program.name)
        })
    }

    /// The same of those sources that are for inputs of the program.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_own(
        program: &Program,
        given: &[(String, OsString)],
        seed: u64,
    ) -> Result<Self, CaseError> {
        let own = given.iter().filter(|(name, _)| Self::takes(program, name).is_some());
        Self::read(program, &own.cloned().collect::<Vec<_>>(), seed)
    }

    /// The input of this name, if the program has one.
    pub fn takes(program: &Program, name: &str) -> Option<ArrayId> {
        program.array_named(name).filter(|id| program.arrays[id.0].role.is_given())
    }

    /// A number that follows from what the sources hold.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(format!("{:?}", self.sources).as_bytes())
    }

    /// Whether every array is filled at random, with numbers that a GPU makes by itself: in a bulk run
    /// no permutations, of which it makes one.
    pub fn are_all_random(&self, program: &Program, bulk: bool) -> bool {
        memory::given(program).all(|id| {
            let element = program.arrays[id.0].element;
            let is_made =
                |it: RandomSource| it.is_of_gpu(element) && !(bulk && it.is_permutation());
            self.random(program, id).is_some_and(is_made)
        })
    }

    /// Whether an array holds a random permutation.
    pub fn is_permutation(&self, program: &Program, id: ArrayId) -> bool {
        self.random(program, id).is_some_and(|it| it.is_permutation())
    }

    /// The random numbers that an array holds, if it does.
    fn random(&self, program: &Program, id: ArrayId) -> Option<RandomSource> {
        match self.sources.get(&id) {
            Some(InputSource::Random(random)) => Some(random.clone()),
            Some(_) => None,
            None => RandomSource::of(program, &program.arrays[id.0], self.seed).ok(),
        }
    }

    /// What the given arrays hold, by their names, as a report prints it.
    pub fn describe(&self, program: &Program) -> Vec<(String, String)> {
        let of = |id: ArrayId| {
            let array = &program.arrays[id.0];
            let what = match self.sources.get(&id) {
                Some(source) => source.to_string(),
                None => match RandomSource::of(program, array, self.seed) {
                    Ok(random) => random.to_string(),
                    Err(_) => String::new(),
                },
            };
            (array.name.clone(), what)
        };
        memory::given(program).map(of).collect()
    }

    pub(super) fn polygon(&self) -> Option<&Polygon> {
        self.sources.values().find_map(|source| match source {
            InputSource::Polygon { polygon, .. } => Some(&**polygon),
            _ => None,
        })
    }

    pub(super) fn is_random(&self, program: &Program) -> bool {
        memory::given(program)
            .any(|id| matches!(self.sources.get(&id), None | Some(InputSource::Random(_))))
    }

    /// Parameters' values that the inputs' shapes imply.
    pub(super) fn implied(&self, program: &Program, inputs: Option<u64>) -> Settings {
        let mut implied = BTreeMap::new();
        for (id, source) in &*self.sources {
            let array = &program.arrays[id.0];
            let known = source.extents(array, inputs).unwrap_or_default();
            for (extent, known) in array.extents.iter().zip(known) {
                if let ExprKind::Parameter(parameter) = extent.kind {
                    let name = &program.parameters[parameter.0].name;
                    let known = i64::try_from(known).unwrap_or(i64::MAX);
                    implied.entry(name.clone()).or_insert(known);
                }
            }
        }
        Settings(implied)
    }

    /// Arrays whose given source is of another shape.
    pub(super) fn misfits<'a>(
        &'a self,
        program: &'a Program,
        layout: &'a Layout,
    ) -> impl Iterator<Item = &'a Array> {
        let inputs = layout.bulk.map(|it| it.inputs);
        self.sources.iter().filter_map(move |(id, source)| {
            let array = &program.arrays[id.0];
            source.check(array, shape(layout, *id), inputs).is_err().then_some(array)
        })
    }

    pub(super) fn memory(&self, program: &Program, layout: &Layout) -> Result<Memory, CaseError> {
        let given: Vec<ArrayId> = memory::given(program).collect();
        for id in &given {
            let (array, shape) = (&program.arrays[id.0], shape(layout, *id));
            match self.sources.get(id) {
                Some(source) => source.check(array, shape, layout.bulk.map(|it| it.inputs))?,
                None => RandomSource::of(program, array, self.seed)?.check(array, shape)?,
            }
        }
        let mut memory = Memory::new(layout)?;
        let inputs = layout.bulk.map_or(1, |bulk| bulk.inputs);
        for input in 0..if given.is_empty() { 0 } else { inputs } {
            for &id in &given {
                let array = GivenArray { inputs: self, program, layout, id, input };
                let filled = memory.fill_each(layout, id, input, array.bits());
                filled.map_err(|(place, number)| {
                    let Array { name, element, .. } = &program.arrays[id.0];
                    let (place, element) = (place + 1, element.word());
                    CaseError::Given(format!(
                        "--input {name}: number {place}, {number:?}, is no {element}; change it, or \
                         the array's type"
                    ))
                })?;
            }
        }
        Ok(memory)
    }

    /// What each given array holds before the run, in one input of a bulk run.
    pub(super) fn given<'a>(
        &'a self,
        program: &'a Program,
        layout: &'a Layout,
        input: u64,
    ) -> impl Iterator<Item = GivenArray<'a>> {
        memory::given(program).map(move |id| GivenArray {
            inputs: self,
            program,
            layout,
            id,
            input,
        })
    }
}

/// The sizes, and an array's extents for them.
fn shape(layout: &Layout, id: ArrayId) -> (&[i64], &[u64]) {
    (&layout.parameters, &layout.regions[id.0].extents)
}

/// A given array before the run, as memory then held it.
pub(super) struct GivenArray<'a> {
    inputs: &'a Inputs,
    program: &'a Program,
    layout: &'a Layout,
    id: ArrayId,
    input: u64,
}

impl GivenArray<'_> {
    pub(super) fn id(&self) -> ArrayId {
        self.id
    }

    fn bits(&self) -> GivenBits<'_> {
        let Self { inputs, program, layout, id, input } = self;
        let (array, shape) = (&program.arrays[id.0], shape(layout, *id));
        match inputs.sources.get(id) {
            Some(source) => source.bits(array.element, id.0, shape, *input),
            // Memory was filled before: this is no error.
            None => match RandomSource::of(program, array, inputs.seed) {
                Ok(random) => random.bits(array.element, id.0, shape, *input),
                Err(_) => Box::new(std::iter::empty()),
            },
        }
    }
}

impl Given for GivenArray<'_> {
    /// What memory held, not what a file says: the reference and the run round alike.
    fn numbers(&self) -> Numbers<'_> {
        let element = self.program.arrays[self.id.0].element;
        let held = self.bits().map_while(Result::ok);
        Box::new(held.map(move |bits| memory::number(element, bits)))
    }
}
