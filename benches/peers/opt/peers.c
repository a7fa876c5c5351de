/* Optimal polygon triangulation as the literature computes it on a CPU; written from the algorithms.
 *
 *   oblivious   recursive halving without a parameter but the size at which it stops: Chowdhury and
 *               Ramachandran, "Cache-oblivious dynamic programming" (SODA 2006), the parenthesis
 *               problem: A fills a triangle, B a square between two triangles, C is a product of
 *               two squares; tasks where their recursion is parallel
 *   tiled       loops over i, j and k in tiles, tiles of one diagonal in parallel, rows innermost:
 *               what a polyhedral compiler makes of the triple loop (Bondhugula et al., PLDI 2008)
 *   loop        the triple loop, rows from the bottom
 *
 * T[a][b] = min over a < k < b of (T[a][k] + T[k][b]) + c[a][b], in f32, in full arrays.
 *
 * usage: peers oblivious|tiled|loop N TILE    (powers of two)
 * prints: seconds, T[0][N-1], and a checksum of the bits of the upper triangle
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Rows are n + 16 words apart, so that those of a tile do not share cache sets. */
static size_t n, width, tile;
static float *restrict t, *restrict c;

static inline float least(float x, float y) { return y < x ? y : x; }

/* Square (a, b) ← min(itself, square (a, k) ⊗ square (k, b)), each of s × s; four k at a time, so
 * that a row is loaded and stored once for four relaxations. */
static void product(size_t a, size_t k, size_t b, size_t s) {
    for (size_t i = a; i < a + s; i++) {
        float *restrict row = t + i * width + b;
        for (size_t x = k; x < k + s; x += 4) {
            const float *left = t + i * width + x;
            const float l0 = left[0], l1 = left[1], l2 = left[2], l3 = left[3];
            const float *restrict r0 = t + x * width + b, *restrict r1 = r0 + width;
            const float *restrict r2 = r1 + width, *restrict r3 = r2 + width;
            for (size_t j = 0; j < s; j++) {
                const float first = least(l0 + r0[j], l1 + r1[j]);
                const float second = least(l2 + r2[j], l3 + r3[j]);
                row[j] = least(row[j], least(first, second));
            }
        }
    }
}

/* Square (a, b) from triangles a and b, all products of squares being done; a triangle if a = b. */
static void finish(size_t a, size_t b, size_t s) {
    for (size_t i = a + s; i-- > a;) {
        float *row = t + i * width;
        if (a < b)
            for (size_t k = i + 1; k < a + s; k++) {
                const float left = row[k];
                const float *right = t + k * width;
                for (size_t j = b; j < b + s; j++)
                    row[j] = least(row[j], left + right[j]);
            }
        for (size_t k = a < b ? b : i + 1; k < b + s; k++) {
            const float left = row[k] += c[i * width + k];
            const float *right = t + k * width;
            for (size_t j = k + 1; j < b + s; j++)
                row[j] = least(row[j], left + right[j]);
        }
    }
}

static void recursive_c(size_t a, size_t k, size_t b, size_t s) {
    if (s <= tile) {
        product(a, k, b, s);
        return;
    }
    const size_t h = s / 2;
    for (size_t x = k; x < k + s; x += h) {
#pragma omp task
        recursive_c(a, x, b, h);
#pragma omp task
        recursive_c(a, x, b + h, h);
#pragma omp task
        recursive_c(a + h, x, b, h);
        recursive_c(a + h, x, b + h, h);
#pragma omp taskwait
    }
}

static void recursive_b(size_t a, size_t b, size_t s) {
    if (s <= tile) {
        finish(a, b, s);
        return;
    }
    const size_t h = s / 2;
    recursive_b(a + h, b, h);
#pragma omp task
    {
        recursive_c(a, a + h, b, h);
        recursive_b(a, b, h);
    }
    recursive_c(a + h, b, b + h, h);
    recursive_b(a + h, b + h, h);
#pragma omp taskwait
    recursive_c(a, a + h, b + h, h);
    recursive_c(a, b, b + h, h);
    recursive_b(a, b + h, h);
}

static void recursive_a(size_t a, size_t s) {
    if (s <= tile) {
        finish(a, a, s);
        return;
    }
    const size_t h = s / 2;
#pragma omp task
    recursive_a(a, h);
    recursive_a(a + h, h);
#pragma omp taskwait
    recursive_b(a, a + h, h);
}

static void oblivious(void) {
#pragma omp parallel
#pragma omp single
    recursive_a(0, n);
}

static void tiled(void) {
    for (size_t d = 0; d < n; d += tile)
#pragma omp parallel for schedule(dynamic)
        for (size_t a = 0; a < n - d; a += tile) {
            for (size_t k = a + tile; k < a + d; k += tile)
                product(a, k, a + d, tile);
            finish(a, a + d, tile);
        }
}

static void loop(void) {
    for (size_t i = n; i-- > 0;)
        for (size_t j = i + 2; j < n; j++) {
            float best = INFINITY;
            for (size_t k = i + 1; k < j; k++)
                best = least(best, t[i * width + k] + t[k * width + j]);
            t[i * width + j] = best + c[i * width + j];
        }
}

/* Whole numbers below 4096 from Marsaglia's xorshift, chord by chord, row-major. */
static void weigh(void) {
    uint32_t x = 1;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 2; b < n - (a == 0); b++) {
            x ^= x << 13, x ^= x >> 17, x ^= x << 5;
            c[a * width + b] = (float)(x >> 20);
        }
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: peers oblivious|tiled|loop N TILE\n");
        return 2;
    }
    n = strtoul(arguments[2], NULL, 10);
    tile = strtoul(arguments[3], NULL, 10);
    if (tile < 4 || n < tile || (n & (n - 1)) || (tile & (tile - 1))) {
        fprintf(stderr, "peers: N and TILE must be powers of two, TILE at least 4, N at least TILE\n");
        return 2;
    }
    width = n + 16;
    const char *name = arguments[1];
    void (*solve)(void) = !strcmp(name, "oblivious") ? oblivious
                        : !strcmp(name, "tiled")     ? tiled
                        : !strcmp(name, "loop")      ? loop
                                                     : NULL;
    t = aligned_alloc(64, n * width * sizeof *t);
    c = calloc(n * width, sizeof *c);
    if (!solve || !t || !c) {
        fprintf(stderr, "peers: no algorithm `%s`, or no memory\n", name);
        return 2;
    }
    weigh();
    for (size_t i = 0; i < n * width; i++)
        t[i] = INFINITY;
    for (size_t a = 0; a + 1 < n; a++)
        t[a * width + a + 1] = 0;

    /* The threads start before the clock, on both sides. */
#pragma omp parallel
    {
#pragma omp barrier
    }
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    solve();
    clock_gettime(CLOCK_MONOTONIC, &to);

    uint64_t sum = 14695981039346656037u;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) {
            uint32_t bits;
            memcpy(&bits, &t[a * width + b], sizeof bits);
            sum = (sum ^ bits) * 1099511628211u;
        }
    printf("%.6f %.0f %016llx\n", (to.tv_sec - from.tv_sec) + (to.tv_nsec - from.tv_nsec) * 1e-9,
           t[n - 1], (unsigned long long)sum);
    return 0;
}
