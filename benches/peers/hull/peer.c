// Qhull, as a server: reads sets of points from standard input, each a u64 n and 2 n doubles, and
// answers each with a double, the seconds that Qhull took, a u64 h and h u64 indices of vertices, in
// any order; h = 0 if Qhull refuses the points (they lie on one line, or nearly so).
#include <libqhull_r/qhull_ra.h>
#include <stdint.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(void) {
    uint64_t n;
    FILE *quiet = fopen("/dev/null", "w");
    while (fread(&n, sizeof n, 1, stdin) == 1) {
        coordT *points = malloc(2 * n * sizeof *points);
        if (!points || fread(points, 2 * sizeof *points, n, stdin) != n) return 1;
        uint64_t *vertices = malloc(n * sizeof *vertices), h = 0;
        qhT memory, *qh = &memory;
        qh_zero(qh, quiet);
        double started = now();
        int failed = qh_new_qhull(qh, 2, (int)n, points, 0, "qhull", quiet, quiet);
        double seconds = now() - started;
        if (!failed) {
            vertexT *vertex;
            FORALLvertices vertices[h++] = (uint64_t)qh_pointid(qh, vertex->point);
        }
        int kept, total;
        qh_freeqhull(qh, !qh_ALL);
        qh_memfreeshort(qh, &kept, &total);
        fwrite(&seconds, sizeof seconds, 1, stdout);
        fwrite(&h, sizeof h, 1, stdout);
        fwrite(vertices, sizeof *vertices, h, stdout);
        fflush(stdout);
        free(vertices);
        free(points);
    }
}
