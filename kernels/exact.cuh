// Exact signs in f64 (Shewchuk 1997, Adaptive precision floating-point arithmetic and fast robust
// geometric predicates): a filter first, expansions where it fails. Coordinates are 0, or between
// 2^-142 and 2^201 in magnitude, so that no product over- or underflows.

typedef unsigned char u8;
typedef unsigned u32;
typedef unsigned long long u64;
enum : u32 { NONE = ~0u };

struct Two {
    double high, low;  // an exact value, high + low
};

__device__ Two two_sum(double a, double b) {
    const double sum = __dadd_rn(a, b), rest = __dsub_rn(sum, a);
    return {sum, __dadd_rn(__dsub_rn(a, __dsub_rn(sum, rest)), __dsub_rn(b, rest))};
}
__device__ Two two_difference(double a, double b) { return two_sum(a, -b); }
__device__ Two two_product(double a, double b) {
    const double product = __dmul_rn(a, b);
    return {product, __fma_rn(a, b, -product)};
}

// A sum of products, exactly: components that do not overlap, of increasing magnitude, none 0.
struct Expansion {
    double part[32];
    int count = 0;

    __device__ void add(double value) {
        int kept = 0;
        for (int k = 0; k < count; ++k) {
            const Two sum = two_sum(value, part[k]);
            value = sum.high;
            if (sum.low != 0.0) part[kept++] = sum.low;
        }
        if (value != 0.0) part[kept++] = value;
        count = kept;
    }
    __device__ void add_product(double a, double b) {
        const Two product = two_product(a, b);
        add(product.low);
        add(product.high);
    }
    // + sign * a * b
    __device__ void add_product(Two a, Two b, double sign) {
        add_product(sign * a.low, b.low);
        add_product(sign * a.low, b.high);
        add_product(sign * a.high, b.low);
        add_product(sign * a.high, b.high);
    }
    __device__ int sign() const {
        return count == 0 ? 0 : part[count - 1] > 0.0 ? 1 : -1;
    }
};

__device__ int sign_of(double value) { return (value > 0.0) - (value < 0.0); }

__device__ __noinline__ int exact_orientation(double2 a, double2 b, double2 c) {
    const Two acx = two_difference(a.x, c.x), bcx = two_difference(b.x, c.x);
    const Two acy = two_difference(a.y, c.y), bcy = two_difference(b.y, c.y);
    if (acx.low == 0.0 && bcx.low == 0.0 && acy.low == 0.0 && bcy.low == 0.0) {
        const Two left = two_product(acx.high, bcy.high), right = two_product(acy.high, bcx.high);
        if (left.high != right.high) return sign_of(left.high - right.high);
        return sign_of(left.low - right.low);
    }
    Expansion sum;
    sum.add_product(acx, bcy, 1.0);
    sum.add_product(acy, bcx, -1.0);
    return sum.sign();
}

// 2^-53 (3 + 2^-49): Shewchuk's bound of the rounding error of an orientation, relative to the sum
// of its two products' magnitudes.
constexpr double ORIENTATION_ERROR = 3.3306690738754716e-16;

// 1 if a, b, c turn left, -1 if right, 0 if they lie on one line.
__device__ int orientation(double2 a, double2 b, double2 c) {
    const double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x);
    const double turn = left - right, error = ORIENTATION_ERROR * (fabs(left) + fabs(right));
    if (fabs(turn) > error) return sign_of(turn);
    return error == 0.0 ? 0 : exact_orientation(a, b, c);
}

// The sign of |ab|^2 - |cd|^2.
__device__ int compare_lengths(double2 a, double2 b, double2 c, double2 d) {
    const Two abx = two_difference(a.x, b.x), aby = two_difference(a.y, b.y);
    const Two cdx = two_difference(c.x, d.x), cdy = two_difference(c.y, d.y);
    Expansion sum;
    sum.add_product(abx, abx, 1.0);
    sum.add_product(aby, aby, 1.0);
    sum.add_product(cdx, cdx, -1.0);
    sum.add_product(cdy, cdy, -1.0);
    return sum.sign();
}
