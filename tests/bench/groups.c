/* Measures colouring: the processor time per million springs, for the structural springs of a cloth and for all its
 * springs. A cloth of 410 x 410 nodes has a million springs.
 *
 *   bench_groups [COLUMNS ROWS]      default: 410 410 */
#include "body/groups.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPEATS = 5 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void time_cloth(int columns, int rows, int kinds) {
    static const int springs[6][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}};
    int(*particle)[2] = memory_new((size_t)columns * (size_t)rows * (size_t)kinds, sizeof *particle), count = 0;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x)
            for (int k = 0; k < kinds; ++k) {
                const int to_x = x + springs[k][0], to_y = y + springs[k][1];
                if (to_x < 0 || to_x >= columns || to_y >= rows)
                    continue;
                particle[count][0] = y * columns + x;
                particle[count++][1] = to_y * columns + to_x;
            }
    int *colour = memory_new((size_t)count, sizeof *colour), colours = 0;
    double seconds[REPEATS];
    for (int i = 0; i < REPEATS; ++i) {
        const double start = now();
        colours = groups_colour(columns * rows, count, 2, particle[0], colour);
        seconds[i] = now() - start;
    }
    qsort(seconds, REPEATS, sizeof *seconds, compare);
    printf("%5d x %-5d %9d springs %3d colours (at least %3d), %8.3f s, %.3f s a million springs\n", columns, rows,
           count, colours, groups_bound(columns * rows, count, 2, particle[0]), seconds[REPEATS / 2],
           1e6 * seconds[REPEATS / 2] / count);
    free(particle);
    free(colour);
}

int main(int count, char **words) {
    const int columns = count == 3 ? (int)strtol(words[1], NULL, 10) : 410;
    const int rows = count == 3 ? (int)strtol(words[2], NULL, 10) : 410;
    if ((count != 1 && count != 3) || columns < 2 || rows < 2 || columns > 4000 || rows > 4000) {
        fprintf(stderr, "usage: bench_groups [COLUMNS ROWS]; COLUMNS and ROWS are 2 to 4000\n");
        return 2;
    }
    time_cloth(columns, rows, 2);
    time_cloth(columns, rows, 6);
    return 0;
}
