//! The random inputs of a standalone program: those of `umm run`, to the last bit.

use crate::algorithms::random::Distribution;

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

/// The function that fills an array from a generator.
pub(super) const fn name(distribution: Distribution) -> &'static str {
    function(distribution).0
}

/// The generator, and what draws these from it; each once.
pub(super) fn needed(distributions: &[Distribution]) -> String {
    if distributions.is_empty() {
        return String::new();
    }
    let used = Distribution::ALL.iter().filter(|it| distributions.contains(it));
    std::iter::once(GENERATOR).chain(used.map(|it| function(*it).1)).chain(["\n"]).collect()
}
