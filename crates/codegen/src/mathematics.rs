//! The functions of `run/mathematics.rs` as C++: the same operations in the same order, so that a GPU
//! computes the same bits.

/// Name, and text, as in the prelude. `RoundedLiteral` is a double whose products are never fused with sums.
pub(super) const FUNCTIONS: &[(&str, &str)] = &[
    (
        "Rounded",
        "// Doubles whose every operation is rounded, whatever the compiler's flags.
struct Rounded {
    double value;
    __host__ __device__ Rounded(double value) : value(value) {}
};
__host__ __device__ __forceinline__ Rounded operator+(Rounded x, Rounded y) { return x.value + y.value; }
__host__ __device__ __forceinline__ Rounded operator-(Rounded x, Rounded y) { return x.value - y.value; }
__host__ __device__ __forceinline__ Rounded operator*(Rounded x, Rounded y) {
#ifdef __CUDA_ARCH__
    return __dmul_rn(x.value, y.value);
#else
    return x.value * y.value;
#endif
}
__host__ __device__ __forceinline__ Rounded operator/(Rounded x, Rounded y) { return x.value / y.value; }
",
    ),
    (
        "rounded",
        "// c[0] + x * (c[1] + x * ...).
template <int count> __host__ __device__ __forceinline__ Rounded rounded(Rounded x, const double (&c)[count]) {
    Rounded sum = Rounded(0);
    for (int index = count - 1; index >= 0; index--) sum = sum * x + c[index];
    return sum;
}
",
    ),
    (
        "double_of",
        "__host__ __device__ __forceinline__ double double_of(long long bits) {
#ifdef __CUDA_ARCH__
    return __longlong_as_double(bits);
#else
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
#endif
}
",
    ),
    (
        "bits_of",
        "__host__ __device__ __forceinline__ long long bits_of(double value) {
#ifdef __CUDA_ARCH__
    return __double_as_longlong(value);
#else
    long long bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
#endif
}
",
    ),
    (
        "turned",
        "// x = quadrant * pi / 2 + r: the sine and the cosine of r.
__host__ __device__ inline int turned(double given, double &sine_of, double &cosine_of) {
    const Rounded x = fabs(given) > 1e6 ? fmod(given, 6.283185307179586) : given;
    const double quadrant = rint((x * 0.6366197723675814).value);
    const Rounded first = x - quadrant * Rounded(1.57079632673412561417), second = quadrant * Rounded(6.07710050630396597660e-11);
    const Rounded high = first - second, third = quadrant * Rounded(2.02226624879595063154e-21) - ((first - high) - second);
    const Rounded r = high - third, tail = (high - r) - third, z = r * r, v = z * r;
    const double odds[] = {8.33333333332248946124e-3, -1.98412698298579493134e-4, 2.75573137070700676789e-6, -2.50507602534068634195e-8, 1.58969099521155010221e-10};
    const Rounded odd = rounded(z, odds);
    sine_of = (r - ((z * (0.5 * tail - v * odd) - tail) - v * -1.66666666666666324348e-1)).value;
    const double evens[] = {4.16666666666666019037e-2, -1.38888888888741095749e-3, 2.48015872894767294178e-5, -2.75573143513906633035e-7, 2.08757232129817482790e-9, -1.13596475577881948265e-11};
    const Rounded even = z * rounded(z, evens), half = 0.5 * z, whole = 1.0 - half;
    cosine_of = (whole + (((1.0 - whole) - half) + (z * even - r * tail))).value;
    return (int)(quadrant == quadrant ? (long long)quadrant & 3 : 0);
}
",
    ),
    (
        "sine",
        "__host__ __device__ inline double sine(double x) {
    double s, c;
    const int quadrant = turned(x, s, c);
    const double value = quadrant & 1 ? c : s;
    return quadrant & 2 ? -value : value;
}
",
    ),
    (
        "cosine",
        "__host__ __device__ inline double cosine(double x) {
    double s, c;
    const int quadrant = turned(x, s, c);
    const double value = quadrant & 1 ? s : c;
    return quadrant == 1 || quadrant == 2 ? -value : value;
}
",
    ),
    (
        "tangent",
        "__host__ __device__ inline double tangent(double x) {
    double s, c;
    return turned(x, s, c) & 1 ? -c / s : s / c;
}
",
    ),
    (
        "exponential",
        "__host__ __device__ inline double exponential(double x) {
    if (x > 709.782712893384) return infinity<double>();
    if (x < -745.1332191019411) return 0;
    if (x != x) return x;
    const double k = rint((Rounded(x) * 1.4426950408889634).value);
    const Rounded high = x - k * Rounded(6.93147180369123816490e-1), low = k * Rounded(1.90821492927058770002e-10);
    const Rounded r = high - low, t = r * r;
    const double terms[] = {1.66666666666666019037e-1, -2.77777777770155933842e-3, 6.61375632143793436117e-5, -1.65339022054652515390e-6, 4.13813679705723846039e-8};
    const Rounded c = r - t * rounded(t, terms);
    const Rounded value = 1.0 + (r * c / (2.0 - c) - low + high);
    const long long whole = (long long)k;
    return (value * double_of(((whole >> 1) + 1023) << 52) * double_of((whole - (whole >> 1) + 1023) << 52)).value;
}
",
    ),
    (
        "split",
        "// x = 2^k * (1 + f): k and ln(1 + f).
__host__ __device__ inline double split(double x, double &exponent) {
    const long long root_of_half = 0x3fe6a09e00000000ll;
    const bool is_small = x < 2.2250738585072014e-308;
    const long long bits = bits_of(is_small ? x * 18014398509481984.0 : x) - root_of_half;
    exponent = (double)((bits >> 52) - (is_small ? 54 : 0));
    const Rounded f = double_of((bits & 0x000fffffffffffffll) + root_of_half) - 1.0;
    const Rounded half = 0.5 * f * f, s = f / (2.0 + f), z = s * s;
    const double terms[] = {6.666666666666735130e-1, 3.999999999940941908e-1, 2.857142874366239149e-1, 2.222219843214978396e-1, 1.818357216161805012e-1, 1.531383769920937332e-1, 1.479819860511658591e-1};
    const Rounded r = z * rounded(z, terms);
    return (f - (half - s * (half + r))).value;
}
",
    ),
    (
        "logarithm",
        "__host__ __device__ inline double logarithm(double x) {
    if (x == 0) return -infinity<double>();
    if (x < 0) return double_of(0x7ff8000000000000ll);
    if (x - x != 0) return x;
    double k;
    const Rounded rest = split(x, k);
    return (k * Rounded(6.93147180369123816490e-1) + (rest + k * Rounded(1.90821492927058770002e-10))).value;
}
",
    ),
    (
        "logarithm_2",
        "__host__ __device__ inline double logarithm_2(double x) {
    if (x == 0) return -infinity<double>();
    if (x < 0) return double_of(0x7ff8000000000000ll);
    if (x - x != 0) return x;
    double k;
    const Rounded rest = split(x, k);
    return (k + rest * 1.4426950408889634).value;
}
",
    ),
    (
        "power",
        "// x to the n by squaring.
__host__ __device__ inline double power(double x, long long n) {
    Rounded result = Rounded(1), square = Rounded(x);
    unsigned long long rest = n < 0 ? 0 - (unsigned long long)n : n;
    while (rest > 0) {
        if (rest & 1) result = result * square;
        rest >>= 1;
        if (rest > 0) square = square * square;
    }
    return n < 0 ? 1 / result.value : result.value;
}
",
    ),
    (
        "real_power",
        "__host__ __device__ inline double real_power(double x, double y) {
    if (fabs(y) <= 1024 && trunc(y) == y) return power(x, (long long)y);
    if (x == 1) return 1;
    return exponential((Rounded(y) * logarithm(x)).value);
}
",
    ),
    (
        "arc_tangent",
        "__host__ __device__ inline double arc_tangent(double given) {
    const Rounded x = given;
    Rounded t = x;
    double high = 0, low = 0;
    if (given < 0.4375) {
    } else if (given < 0.6875) {
        t = (2.0 * x - 1.0) / (2.0 + x), high = 4.63647609000806093515e-1, low = 2.26987774529616870924e-17;
    } else if (given < 1.1875) {
        t = (x - 1.0) / (x + 1.0), high = 0.7853981633974483, low = 3.06161699786838301793e-17;
    } else if (given < 2.4375) {
        t = (x - 1.5) / (1.0 + 1.5 * x), high = 9.82793723247329054082e-1, low = 1.39033110312309984516e-17;
    } else {
        t = -1.0 / x, high = 1.5707963267948966, low = 6.12323399573676603587e-17;
    }
    const Rounded z = t * t;
    const double terms[] = {3.33333333333329318027e-1, -1.99999999998764832476e-1, 1.42857142725034663711e-1, -1.11111104054623557880e-1, 9.09088713343650656196e-2, -7.69187620504482999495e-2, 6.66107313738753120669e-2, -5.83357013379057348645e-2, 4.97687799461593236017e-2, -3.65315727442169155270e-2, 1.62858201153657823623e-2};
    const Rounded sum = z * rounded(z, terms);
    return (high - ((t * sum - low) - t)).value;
}
",
    ),
    (
        "angle",
        "// The angle of the point (x, y).
__host__ __device__ inline double angle(double y, double x) {
    if (x != x || y != y) return double_of(0x7ff8000000000000ll);
    const double a = fabs(y), b = fabs(x);
    const double first = arc_tangent(a == b ? (a > 0 ? 1.0 : 0.0) : a / b);
    const double turn = bits_of(x) < 0 ? (3.141592653589793 - (Rounded(first) - 1.22464679914735320717e-16)).value : first;
    return bits_of(y) < 0 ? -turn : turn;
}
",
    ),
];
