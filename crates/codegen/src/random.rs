//! The random inputs of a standalone program: those of `umm run`, to the last bit.

use super::short_floats;
use memory_machine_algorithms::generators::Generator;
use memory_machine_algorithms::random::{Distribution, distribution, places_of_unit};
use memory_machine_core::diagnostic::Diagnostic;
use memory_machine_core::language::program::{Array, Expr, OriginValue, Program};
use memory_machine_core::language::syntax::OriginArgument;

/// What an array is filled with.
#[derive(Debug, Clone)]
pub(super) enum Fill {
    Distribution(Distribution),
    /// Floats of 16 bits from [0, 1), each the beginning of one of so many parts.
    ShortUnit(f64),
    /// Numbers between two, sorted numbers, or a text; whether they are reals.
    Generator(Generator, bool),
    /// Numbers between two that depend on the sizes; whether they are reals.
    Between([OriginValue; 2], bool),
}

impl Fill {
    /// As the listing says, else as makes sense for the array.
    ///
    /// # Errors
    /// What the listing says is not made outside of `umm`.
    pub(super) fn of(program: &Program, array: &Array) -> Result<Self, Diagnostic> {
        let origin = program.listing.clauses.origins.iter().find(|it| it.array == array.name);
        let by_default = || match (distribution(program, array), places_of_unit(array.element)) {
            (Distribution::Unit, Some(places)) => Self::ShortUnit(places),
            (distribution, _) => Self::Distribution(distribution),
        };
        let Some(origin) = origin else { return Ok(by_default()) };
        let is_real = array.element.is_float();
        let text = |it: &OriginArgument| match it {
            OriginArgument::Text(text) => Some(text.clone()),
            OriginArgument::Expression(_) => None,
        };
        let written: Option<Vec<String>> = origin.arguments.iter().map(text).collect();
        let depends_on_sizes = written.is_none();
        let written = written.unwrap_or_default();
        let arguments: Vec<&str> = written.iter().map(String::as_str).collect();
        match (origin.word.text.as_str(), &array.origin[..]) {
            ("random", [low, high]) if depends_on_sizes => {
                return Ok(Self::Between([low.clone(), high.clone()], is_real));
            }
            _ => {}
        }
        match (origin.word.text.as_str(), &arguments[..]) {
            ("random", []) if !depends_on_sizes => {
                return Ok(by_default());
            }
            ("permutation", []) if !depends_on_sizes => {
                return Ok(Self::Distribution(Distribution::Permutation));
            }
            ("spd", []) if !depends_on_sizes => {
                return Ok(Self::Distribution(Distribution::Definite));
            }
            (word, arguments) if !depends_on_sizes => {
                let made = Generator::of(word, arguments).and_then(Result::ok);
                if let Some(
                    made @ (Generator::Between(..) | Generator::Sorted | Generator::Text(_)),
                ) = made
                {
                    return Ok(Self::Generator(made, is_real));
                }
            }
            _ => {}
        }
        let message = "a standalone program does not fill an array so";
        Err(Diagnostic::new(origin.word.span, message).help(
            "it makes random, permutation, sorted, text and spd; leave out `from`, or emit the kernels \
             without --standalone: `umm gpu run` gives them every input",
        ))
    }

    /// The function that fills an array from a generator.
    pub(super) const fn name(&self) -> &'static str {
        self.function().0
    }

    /// The bounds that depend on sizes, if it has some; `plain` writes an expression of the sizes.
    pub(super) fn bounds(&self, mut plain: impl FnMut(&Expr) -> String) -> Option<[String; 2]> {
        let Self::Between([low, high], is_real) = self else { return None };
        let mut bound = |it: &OriginValue, round: fn(f64) -> f64| match it {
            OriginValue::Integer(it) => plain(it),
            OriginValue::Text(text) => match text.parse() {
                Ok(number) if !is_real => round(number).to_string(),
                _ => text.clone(),
            },
        };
        Some([bound(low, f64::ceil), bound(high, f64::floor)])
    }

    /// What else it takes behind the generator.
    pub(super) fn arguments(&self) -> String {
        match self {
            Self::ShortUnit(places) => format!("{places}, "),
            Self::Generator(Generator::Between(low, high), true) => format!("{low:?}, {high:?}, "),
            Self::Generator(Generator::Between(low, high), false) => {
                let (low, high) = (low.ceil() as i64, high.floor() as i64);
                format!("{low}, {}, ", high.max(low))
            }
            Self::Generator(Generator::Text(alphabet), _) => {
                let letters: Vec<String> =
                    alphabet.chars().map(|it| format!("{}u", u32::from(it))).collect();
                format!("{{{}}}, ", letters.join(", "))
            }
            _ => String::new(),
        }
    }

    const fn function(&self) -> (&'static str, &'static str) {
        match self {
            Self::Distribution(it) => function(*it),
            Self::ShortUnit(_) => short_floats::UNITS,
            Self::Between(_, true) | Self::Generator(Generator::Between(..), true) => REALS,
            Self::Between(_, false) | Self::Generator(Generator::Between(..), false) => BETWEEN,
            Self::Generator(Generator::Text(_), _) => TEXTS,
            Self::Generator(_, true) => SORTED_UNITS,
            Self::Generator(_, false) => SORTED,
        }
    }
}

const REALS: (&str, &str) = (
    "reals",
    "
// From [low, high). No compiler fuses a product that it has to store.
template <class T> static void reals(Random random, double low, double high, T *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) {
        const volatile double above = (high - low) * random.unit();
        cells[cell * stride] = (T)(low + above);
    }
}
",
);

const BETWEEN: (&str, &str) = (
    "between",
    "
// From low to high.
template <class T> static void between(Random random, long long low, long long high, T *cells, size_t count, size_t stride) {
    const unsigned long long range = (unsigned long long)high - (unsigned long long)low + 1;
    const auto product = [&] {
        const unsigned long long first = random.next();
        return (first | (unsigned long long)random.next() << 32) * (unsigned __int128)range;
    };
    for (size_t cell = 0; cell < count; cell++) {
        const unsigned __int128 drawn = product();
        const unsigned long long rest = (unsigned long long)drawn;
        unsigned long long above = (unsigned long long)(drawn >> 64);
        if (rest > 0ull - range) above += rest + (unsigned long long)(product() >> 64) < rest;
        cells[cell * stride] = (T)(long long)((unsigned long long)low + above);
    }
}
",
);

const TEXTS: (&str, &str) = (
    "texts",
    "
// The codes of random letters.
template <class T> static void texts(Random random, std::initializer_list<unsigned> letters, T *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)letters.begin()[random.below((unsigned)letters.size())];
}
",
);

const SORTED: (&str, &str) = (
    "sorted",
    "
// From 0 to 99, by how many there are of each.
template <class T> static void sorted(Random random, T *cells, size_t count, size_t stride) {
    size_t many[100] = {}, cell = 0;
    for (size_t drawn = 0; drawn < count; drawn++) many[random.below(100)]++;
    for (int number = 0; number < 100; number++) {
        for (; many[number] > 0; many[number]--) cells[cell++ * stride] = (T)number;
    }
}
",
);

const SORTED_UNITS: (&str, &str) = (
    "sorted_units",
    "
// From [0, 1), ascending.
template <class T> static void sorted_units(Random random, T *cells, size_t count, size_t stride) {
    double *all = (double *)allocate(count * sizeof *all);
    for (size_t cell = 0; cell < count; cell++) all[cell] = random.unit();
    qsort(all, count, sizeof *all, [](const void *x, const void *y) {
        const double difference = *(const double *)x - *(const double *)y;
        return (difference > 0) - (difference < 0);
    });
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)all[cell];
    free(all);
}
",
);

/// The generator of `algorithms::random::numbers`, and the seeds of `algorithms::random::of_array`.
const GENERATOR: &str = "// The numbers of Rust's rand 0.10, as `umm run` draws them: ChaCha8, its key made by PCG32.
struct Random {
    unsigned state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    unsigned block[16];
    int used = 16;

    explicit Random(unsigned long long seed) {
        for (int word = 4; word < 12; word++) {
            seed = seed * 0x5851f42d4c957f2dull + 0xa17654e46fbe17f3ull;
            const unsigned bits = (unsigned)((seed >> 18 ^ seed) >> 27), by = (unsigned)(seed >> 59);
            state[word] = bits >> by | bits << (32 - by) % 32;
        }
    }

    void mix(int a, int b, int with, unsigned by) {
        block[a] += block[b];
        const unsigned bits = block[with] ^ block[a];
        block[with] = bits << by | bits >> (32 - by);
    }

    void quarter(int a, int b, int c, int d) {
        mix(a, b, d, 16);
        mix(c, d, b, 12);
        mix(a, b, d, 8);
        mix(c, d, b, 7);
    }

    unsigned next() {
        if (used == 16) {
            for (int word = 0; word < 16; word++) block[word] = state[word];
            for (int twice = 0; twice < 4; twice++) {
                for (int column = 0; column < 4; column++) quarter(column, 4 + column, 8 + column, 12 + column);
                for (int row = 0; row < 4; row++) quarter(row, 4 + (row + 1) % 4, 8 + (row + 2) % 4, 12 + (row + 3) % 4);
            }
            for (int word = 0; word < 16; word++) block[word] += state[word];
            if (++state[12] == 0) state[13]++;
            used = 0;
        }
        return block[used++];
    }

    unsigned below(unsigned range) {
        const unsigned long long product = (unsigned long long)next() * range;
        const unsigned low = (unsigned)product;
        unsigned result = (unsigned)(product >> 32);
        if (low > 0u - range) result += low + (unsigned)((unsigned long long)next() * range >> 32) < low;
        return result;
    }

    // From [0, 1).
    double unit() { return (next() >> 8) / (double)(1 << 24); }
};

// Every array, and every input of a bulk run, has numbers of its own; those of `--seed 1`.
static unsigned long long seed(unsigned long long array, unsigned long long input) {
    return 1 + (array << 32) + (input << 40);
}
";

/// Fills `count` cells, each `stride` from the one before, from a generator.
const fn function(distribution: Distribution) -> (&'static str, &'static str) {
    match distribution {
        Distribution::Unit => (
            "units",
            "
template <class T> static void units(Random random, T *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)random.unit();
}
",
        ),
        Distribution::Integers => (
            "integers",
            "
// From 0 to 99.
template <class T> static void integers(Random random, T *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)random.below(100);
}
",
        ),
        Distribution::Letters => (
            "letters",
            "
// From 0 to 3.
template <class T> static void letters(Random random, T *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)random.below(4);
}
",
        ),
        Distribution::Dimensions => (
            "dimensions",
            "
// From 1 to 100.
template <class T> static void dimensions(Random random, T *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)(1 + random.below(100));
}
",
        ),
        Distribution::Coin => (
            "coins",
            "
template <class T> static void coins(Random random, T *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)(random.next() >> 31);
}
",
        ),
        Distribution::Seldom => (
            "seldom",
            "
// 0, or 1 once in eight times.
template <class T> static void seldom(Random random, T *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)(random.below(8) == 0);
}
",
        ),
        Distribution::Definite => (
            "definite",
            "
// A symmetric matrix with n more in the diagonal.
template <class T> static void definite(Random random, T *cells, size_t count, size_t stride) {
    size_t n = 0;
    while ((n + 1) * (n + 1) <= count) n++;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            const double number = random.unit() + (i == j ? n : 0);
            cells[(i * n + j) * stride] = cells[(j * n + i) * stride] = (T)number;
        }
    }
}
",
        ),
        Distribution::Dominant => (
            "dominant",
            "
// From [2, 3).
template <class T> static void dominant(Random random, T *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)(2 + (random.next() >> 10) / (double)(1 << 22));
}
",
        ),
        Distribution::Permutation => (
            "permutation",
            "
// Of 0 ... count - 1.
template <class T> static void permutation(Random random, T *cells, size_t count, size_t stride) {
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)cell;
    // A number below (i + 1) * (i + 2) * ... has places for that many cells; that for cell 0 is 0.
    unsigned chunk = 0, places = 1;
    for (unsigned i = 0; i < count; i++) {
        if (places == 0) {
            unsigned bound = i + 1;
            for (places = 1; (unsigned long long)bound * (i + 1 + places) >> 32 == 0; places++) bound *= i + 1 + places;
            chunk = random.below(bound);
        }
        const size_t other = --places == 0 ? chunk : chunk % (i + 1);
        chunk /= i + 1;
        const T cell = cells[i * stride];
        cells[i * stride] = cells[other * stride];
        cells[other * stride] = cell;
    }
}
",
        ),
        Distribution::Chords => (
            "chords",
            "
// Symmetric weights of the chords of an n-gon; its edges weigh 0.
template <class T> static void chords(Random random, T *cells, size_t count, size_t stride) {
    size_t n = 0;
    while ((n + 1) * (n + 1) <= count) n++;
    for (size_t cell = 0; cell < count; cell++) cells[cell * stride] = (T)0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 2; j < (i == 0 ? n - 1 : n); j++) {
            cells[(i * n + j) * stride] = cells[(j * n + i) * stride] = (T)(float)random.unit();
        }
    }
}
",
        ),
    }
}

/// The generator, and what draws these from it; each once.
pub(super) fn needed(fills: &[Fill]) -> String {
    if fills.is_empty() {
        return String::new();
    }
    let mut used: Vec<_> = fills.iter().map(Fill::function).collect();
    let place =
        |(name, _): &(&str, _)| Distribution::ALL.iter().position(|it| function(*it).0 == *name);
    used.sort_by_key(|it| (place(it).unwrap_or(Distribution::ALL.len()), it.0));
    used.dedup();
    std::iter::once(GENERATOR).chain(used.into_iter().map(|it| it.1)).chain(["\n"]).collect()
}
