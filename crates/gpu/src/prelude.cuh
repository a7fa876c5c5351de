// What kernels use of the headers of C and C++, which NVRTC lacks.
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;
typedef unsigned long long uint64_t; typedef unsigned int uint; typedef unsigned char uchar;
typedef unsigned short ushort; typedef unsigned long ulong; typedef uint64_t uintptr_t; typedef int64_t intptr_t;

#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-LONG_MAX - 1l)
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1ll)
#define ULLONG_MAX 18446744073709551615ull
#define INT8_MIN SCHAR_MIN
#define INT8_MAX SCHAR_MAX
#define UINT8_MAX UCHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define UINT16_MAX USHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LLONG_MIN
#define INT64_MAX LLONG_MAX
#define UINT64_MAX ULLONG_MAX
#define SIZE_MAX ULONG_MAX
#define INT64_C(n) n##l
#define UINT64_C(n) n##ul
#define RAND_MAX 2147483647

#define FLT_MAX 3.40282346638528859811704183484516925e+38f
#define FLT_MIN 1.17549435082228750796873653722224568e-38f
#define FLT_EPSILON 1.19209289550781250000000000000000000e-7f
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define DBL_MAX 1.79769313486231570814527423731704357e+308
#define DBL_MIN 2.22507385850720138309023271733240406e-308
#define DBL_EPSILON 2.22044604925031308084726333618164062e-16
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fc00000)
#define HUGE_VALF INFINITY
#define HUGE_VAL ((double)INFINITY)

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

namespace std {
typedef decltype(sizeof(0)) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uintptr_t; using ::intptr_t;
using ::abs; using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atan2; using ::atanh;
using ::cbrt; using ::ceil; using ::copysign; using ::cos; using ::cosh; using ::erf; using ::erfc; using ::exp;
using ::exp2; using ::expm1; using ::fabs; using ::fdim; using ::floor; using ::fma; using ::fmax; using ::fmin;
using ::fmod; using ::frexp; using ::hypot; using ::isfinite; using ::isinf; using ::isnan; using ::ldexp;
using ::lgamma; using ::log; using ::log10; using ::log1p; using ::log2; using ::lrint; using ::lround; using ::modf;
using ::nearbyint; using ::pow; using ::remainder; using ::rint; using ::round; using ::signbit; using ::sin;
using ::sinh; using ::sqrt; using ::tan; using ::tanh; using ::tgamma; using ::trunc; using ::memcpy; using ::memset;

template <class T> constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> void swap(T &a, T &b) { T c = a; a = b; b = c; }

template <class T, class U> struct is_same { static constexpr bool value = false; };
template <class T> struct is_same<T, T> { static constexpr bool value = true; };
template <class T, class U> constexpr bool is_same_v = is_same<T, U>::value;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class U> struct conditional { typedef T type; };
template <class T, class U> struct conditional<false, T, U> { typedef U type; };
template <bool B, class T, class U> using conditional_t = typename conditional<B, T, U>::type;

template <class T> struct numeric_limits;
#define UMM_LIMITS(T, LEAST, LOWEST, MOST)                                                                        \
    template <> struct numeric_limits<T> {                                                                        \
        static constexpr T min() { return LEAST; }                                                                \
        static constexpr T lowest() { return LOWEST; }                                                            \
        static constexpr T max() { return MOST; }
#define UMM_REALS(EPSILON)                                                                                        \
        static constexpr auto epsilon() { return EPSILON; }                                                       \
        static constexpr decltype(EPSILON) infinity() { return INFINITY; }                                        \
    };
UMM_LIMITS(float, FLT_MIN, -FLT_MAX, FLT_MAX) UMM_REALS(FLT_EPSILON)
UMM_LIMITS(double, DBL_MIN, -DBL_MAX, DBL_MAX) UMM_REALS(DBL_EPSILON)
UMM_LIMITS(char, CHAR_MIN, CHAR_MIN, CHAR_MAX) };
UMM_LIMITS(signed char, SCHAR_MIN, SCHAR_MIN, SCHAR_MAX) };
UMM_LIMITS(unsigned char, 0, 0, UCHAR_MAX) };
UMM_LIMITS(short, SHRT_MIN, SHRT_MIN, SHRT_MAX) };
UMM_LIMITS(unsigned short, 0, 0, USHRT_MAX) };
UMM_LIMITS(int, INT_MIN, INT_MIN, INT_MAX) };
UMM_LIMITS(unsigned int, 0, 0, UINT_MAX) };
UMM_LIMITS(long, LONG_MIN, LONG_MIN, LONG_MAX) };
UMM_LIMITS(unsigned long, 0, 0, ULONG_MAX) };
UMM_LIMITS(long long, LLONG_MIN, LLONG_MIN, LLONG_MAX) };
UMM_LIMITS(unsigned long long, 0, 0, ULLONG_MAX) };
#undef UMM_LIMITS
#undef UMM_REALS
}
