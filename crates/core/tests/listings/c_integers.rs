//! Integers of C: widened before they are computed with, joined by its rules, cut off where they are stored.

use super::{gives, refused};

#[test]
fn bytes_are_widened() {
    let bytes = "a 250 251 252 253; b 250 251 252 253; n 4; b_length 4";
    let of = |value: &str| {
        format!(
            "void f(unsigned char *a, unsigned char *b, unsigned char *c, int n) {{
    for (int i = 0; i < n; i++) c[i] = {value};\n}}\n"
        )
    };
    gives(&of("(a[i] + b[i]) / 2"), bytes, "c", &[250., 251., 252., 253.]);
    gives(&of("a[i] + b[i]"), bytes, "c", &[244., 246., 248., 250.]);
    gives(&of("(a[i] << 1) >> 1"), bytes, "c", &[250., 251., 252., 253.]);
    gives(&of("a[i] * b[i] % 251"), bytes, "c", &[1., 0., 1., 4.]);
    gives(&of("-a[i]"), bytes, "c", &[6., 5., 4., 3.]);
    gives(&of("~a[i] >> 1"), bytes, "c", &[130., 130., 129., 129.]);
    gives(&of("a[i] > 250 ? a[i] : 300"), bytes, "c", &[44., 251., 252., 253.]);
    gives(&of("a[i] < 300 ? 1 : 0"), bytes, "c", &[1., 1., 1., 1.]);
    gives(&of("(unsigned char)(a[i] + 10) / 2"), bytes, "c", &[2., 2., 3., 3.]);
}

#[test]
fn a_difference_of_bytes_may_be_negative() {
    let text = "void f(unsigned char *a, unsigned char *b, int *c, int n) {
    for (int i = 0; i < n; i++) {
        int t = a[i] - b[i];
        if (t < 0) t = -t;
        c[i] = t;
    }
}
";
    gives(text, "a 10 20; b 20 5; n 2", "c", &[10., 15.]);
    let text = text.replace("int t = a[i] - b[i];", "int t = a[i]; t = t - b[i];");
    gives(&text, "a 10 20; b 20 5; n 2", "c", &[10., 15.]);
}

#[test]
fn shorts_are_widened() {
    let text = "long dot(short *a, short *b, int n) {
    long s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
";
    gives(text, "a 300 -300; b 300 300; n 2", "result", &[0.]);
    gives(text, "a 300 32767; b 300 32767; n 2", "result", &[90000. + 32767. * 32767.]);
    let blur = "void blur(const unsigned char *src, unsigned char *out, int n) {
    for (int i = 1; i < n - 1; i++)
        out[i] = (src[i-1] + 2*src[i] + src[i+1]) / 4;
}
";
    let found = super::result(blur, "src 250 250 250 250; n 4", "out");
    assert_eq!(found[1..3], [250., 250.]);
    let shifted = "void f(unsigned char *a, int *b, int n) {
    for (int i = 0; i < n; i++) b[i] = a[i] << 8 | a[i];
}
";
    gives(shifted, "a 255 1; n 2", "b", &[65535., 257.]);
}

#[test]
fn int_beside_unsigned_is_unsigned() {
    let text = "void f(int *a, int *b, unsigned u, int n) {
    for (int i = 0; i < n; i++) b[i] = a[i] < u ? 1 : 0;
}
";
    gives(text, "a -1 3 7; u 5; n 3", "b", &[0., 1., 0.]);
    let text = "void f(int *a, unsigned *u, int *b, int n) {
    for (int i = 0; i < n; i++) b[i] = (a[i] + u[i]) / 2 > 1000 ? 1 : 0;
}
";
    gives(text, "a -2 -2; u 1 3; n 2", "b", &[1., 0.]);
    let text = "void f(int *a, unsigned *u, int n) {
    for (int i = 0; i < n; i++) u[i] = a[i] * 2u;
}
";
    gives(text, "a -1 4; n 2", "u", &[4294967294., 8.]);
    let hash = "unsigned hash(unsigned char *a, unsigned seed, int n) {
    unsigned h = seed;
    for (int i = 0; i < n; i++) { h ^= a[i]; h *= 16777619; }
    return h;
}
";
    gives(hash, "a 97; seed 2166136261; n 1", "result", &[3826002220.]);
    let hash = "unsigned hash(unsigned char *a, unsigned h, int n) {
    for (int i = 0; i < n; i++) { h ^= a[i]; h *= 16777619; }
    return h;
}
";
    gives(hash, "a 97; h 2166136261; n 1", "result", &[3826002220.]);
}

#[test]
fn signed_quotients_of_an_array_argument_are_cut_off() {
    let text = "void f(int a[], int b[], int n) {
    for (int i = 0; i < n; i++) b[i] = a[i] / 2;
}
";
    gives(text, "a -7 7; n 2", "b", &[-3., 3.]);
}

#[test]
fn unsigned_is_never_below_0() {
    let text = "void f(int *b, unsigned n) {
    for (unsigned i = 0; i < n; i++) b[i] = i - 1 < n ? 1 : 2;
}
";
    gives(text, "n 3", "b", &[2., 1., 1.]);
    let text = "void f(int *b, unsigned n) {
    for (unsigned i = n - 1; i >= 0; i--) b[i] = 1;
}
";
    assert!(refused(text).contains("no end"));
    let text = "void f(int *a, int *b, size_t n) {
    size_t half = n / 2;
    for (size_t i = 0; i < n; i++) b[i] = i < half ? a[i] : a[n - 1 - i];
}
";
    gives(text, "a 1 2 3 4; n 4", "b", &[1., 2., 2., 1.]);
    let text = "void f(int *a, int *b, int n) {
    unsigned i;
    size_t j;
    for (i = 0; i < n; i++) b[i] = a[i];
    for (j = 0; j < n; j++) b[j] = b[j] + j;
}
";
    gives(text, "a 1 2; n 2", "b", &[1., 3.]);
}

#[test]
fn conditions_are_numbers() {
    let text = "void f(int *a, int *b, int n) {
    for (int i = 0; i < n; i++) b[i] = (a[i] > 2) + !a[i] + (a[i] && n) * 10;
}
";
    gives(text, "a 0 2 3; n 3", "b", &[1., 10., 11.]);
    let text = "void f(int *a, unsigned char *b, int n) {
    for (int i = 0; i < n; i++) b[i] = a[i] == 2;
}
";
    gives(text, "a 0 2 3; n 3", "b", &[0., 1., 0.]);
}

#[test]
fn what_is_assigned_gets_its_type() {
    let text = "void f(double *a, int *b, int n) {
    for (int i = 0; i < n; i++) { int t = a[i] * 2; b[i] = t; }
}
";
    gives(text, "a 2.75 -2.75; n 2", "b", &[5., -5.]);
    let text = "long f(int *a, int n) {
    long s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
";
    gives(text, "a 2147483647 2147483647; n 2", "result", &[4294967294.]);
}

#[test]
fn a_reduction_has_the_type_of_its_sum() {
    let text = "long f(int *a, int n) {
    long s = 0;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) { s += a[i]; s += a[i]; }
    return s;
}
";
    gives(text, "a 2147483647 1; n 2", "result", &[4294967296.]);
}

#[test]
fn a_byte_of_two_languages_is_refused() {
    let text = "static void f(byte[] a, int[] b, int n) {
    for (int i = 0; i < n; i++) b[i] = a[i];
}
";
    assert!(refused(text).contains("sign in Java"));
}

#[test]
fn functions_give_their_type() {
    let text = "int mean(double *a, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
";
    gives(text, "a 2.5 0.25; n 2", "result", &[2.]);
    let text = "unsigned char sum(int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
";
    gives(text, "a 200 100; n 2", "result", &[44.]);
    let text = "unsigned char half(unsigned char x, int y) { return x * 2 + y; }
void f(unsigned char *a, int *b, int n) {
    for (int i = 0; i < n; i++) { int h = half(a[i], 1); b[i] = h + 200; }
}
";
    gives(text, "a 200 100; n 2", "b", &[345., 401.]);
}
