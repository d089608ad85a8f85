#include "body/tetgen.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/tree.h"
#include "base/vector.h"
#include "mesh/check.h"
#include "mesh/scan.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 60, MESSAGE_LINES = 4 };
static const size_t memory_limit = (size_t)4 << 30;

/* ---- Tetrahedra ---- */

void tetrahedra_free(struct tetrahedra *body) {
    free(body->position);
    free(body->corner);
    *body = (struct tetrahedra){.vertices = 0};
}

double tetrahedron_determinant(const double (*position)[3], const int corner[4]) {
    double normal[3], side[3];
    vector_normal(position[corner[0]], position[corner[1]], position[corner[2]], normal);
    vector_minus(position[corner[3]], position[corner[0]], side);
    return vector_dot(normal, side);
}

/* The cotangent of the smallest dihedral angle of a positively oriented tetrahedron: the largest of the cotangents at
 * its six edges. At an edge e between sides with the normals n and m, |n x m| = |e| det, so the cotangent is
 * n . m / (|e| det). */
static double largest_cotangent(const struct tetrahedra *body, const int corner[4], double six_volumes) {
    static const int edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    double largest = -INFINITY;
    for (int e = 0; e < 6; ++e) {
        const double *p[4];
        double n[3], m[3];
        for (int k = 0; k < 4; ++k)
            p[k] = body->position[corner[edges[e][k]]];
        vector_normal(p[0], p[1], p[2], n);
        vector_normal(p[0], p[1], p[3], m);
        const double cotangent = vector_dot(n, m) / (vector_distance(p[0], p[1]) * six_volumes);
        largest = cotangent > largest ? cotangent : largest;
    }
    return largest;
}

void tetrahedra_survey(const struct tetrahedra *body, struct tetrahedra_survey *survey) {
    const double none = -(double)INFINITY;
    AUTO_FREE double *part = memory_new((size_t)body->tetrahedra, sizeof *part);
    double cotangent = none;
    for (int t = 0; t < body->tetrahedra; ++t) {
        part[t] = tetrahedron_determinant(body->position, body->corner[t]);
        if (part[t] > 0)
            cotangent = fmax(cotangent, largest_cotangent(body, body->corner[t], part[t]));
        else if (part[t] == 0)
            cotangent = INFINITY;
    }
    survey->volume = tree_reduce(TREE_SUM, part, (size_t)body->tetrahedra) / 6;
    survey->smallest_angle = cotangent > none ? atan2(1, cotangent) * 45 / atan2(1, 1) : (double)NAN;
}

/* ---- TetGen ---- */

static int check_surface(const struct mesh *surface) {
    if (surface->vertices < 4 || surface->triangles < 4)
        return fail("a surface of %d vertices and %d triangles encloses nothing; it needs at least 4 of each",
                    surface->vertices, surface->triangles);
    return mesh_check_numbers(surface);
}

/* Fails unless the text consists of switches: TetGen would treat other text as a file name. The text is one argument
 * and is not interpreted by a shell. */
static int check_switches(const char *switches) {
    if (!switches || strncmp(switches, "-p", 2) != 0)
        return fail("TetGen's switches are \"%s\"; they must begin with -p, which fills a surface",
                    switches ? switches : "");
    for (const char *c = switches + 1; *c; ++c)
        if (!isalnum((unsigned char)*c) && !strchr("./,", *c))
            return fail("TetGen's switches are \"%s\"; after the dash use only letters, digits and . / ,", switches);
    return STATUS_OK;
}

/* TetGen's .smesh: vertices, triangles, no holes, no regions. 17 digits represent a double exactly. */
static int write_surface(const struct mesh *surface, const char *path) {
    struct file_draft draft;
    if (file_draft_begin(path, &draft))
        return STATUS_BAD;
    FILE *file = draft.file;
    fprintf(file, "%d 3 0 0\n", surface->vertices);
    for (int v = 0; v < surface->vertices; ++v)
        fprintf(file, "%d %.17g %.17g %.17g\n", v, surface->position[v][0], surface->position[v][1],
                surface->position[v][2]);
    fprintf(file, "%d 0\n", surface->triangles);
    for (int t = 0; t < surface->triangles; ++t)
        fprintf(file, "3 %d %d %d\n", surface->corner[t][0], surface->corner[t][1], surface->corner[t][2]);
    fputs("0\n0\n", file);
    return file_draft_end(&draft, STATUS_OK);
}

/* Open a file of numbers written by TetGen, in which a # begins a comment. `name` is the file's name in messages:
 * "TetGen's FILE". The text is newly allocated. */
static int open_numbers(const char *folder, const char *name, char **text, struct scan *numbers) {
    const char *file = strchr(name, ' ') + 1;
    AUTO_FREE char *path = text_format("%s/%s", folder, file);
    if (!file_exists(path))
        return fail("TetGen wrote no %s", file);
    if (file_read(path, text))
        return STATUS_BAD;
    *numbers = scan_begin(name, *text, strlen(*text));
    numbers->comment = '#';
    return STATUS_OK;
}

/* The last word that was read, as an integer from `least` to `most`. `what` is its name in messages. */
static int to_integer(const struct scan *numbers, const char *what, int least, int most, int *value) {
    long long found;
    if (scan_integer(numbers, what, &found))
        return STATUS_BAD;
    *value = (int)found;
    if (found >= least && found <= most)
        return STATUS_OK;
    return least == most ? scan_fail(numbers, "%s is %lld, not %d", what, found, least)
                         : scan_fail(numbers, "%s is %lld, not from %d to %d", what, found, least, most);
}

static int next_integer(struct scan *numbers, const char *what, int least, int most, int *value) {
    return scan_next_word(numbers, what) ? STATUS_BAD : to_integer(numbers, what, least, most, value);
}

/* Go to the next line that is not empty, and read its first number. */
static int first_integer(struct scan *numbers, const char *what, int least, int most, int *value) {
    const bool is_begin = numbers->at == numbers->line_from;
    return (is_begin ? scan_next(numbers) : scan_line(numbers))
               ? to_integer(numbers, what, least, most, value)
               : scan_fail_here(numbers, "the file ends before %s", what);
}

static int read_vertices(struct scan *numbers, struct tetrahedra *body, int *first) {
    int dimension, index = 0;
    if (first_integer(numbers, "the number of vertices", 0, INT_MAX, &body->vertices) ||
        next_integer(numbers, "the dimension", 3, 3, &dimension))
        return STATUS_BAD;
    /* The line of a vertex has at least eight bytes. A count that is larger than an eighth of the file's bytes is
     * therefore wrong, and no memory is allocated for it. */
    if (body->vertices > (numbers->end - numbers->at) / 8)
        return scan_fail(numbers, "the file states more vertices than it has");
    body->position = memory_new((size_t)body->vertices, sizeof *body->position);
    *first = 0;
    for (int v = 0; v < body->vertices; ++v) {
        if (first_integer(numbers, "the vertex's index", v ? *first + v : 0, v ? *first + v : 1, &index) ||
            scan_position(numbers, body->position[v]))
            return STATUS_BAD;
        if (v == 0)
            *first = index;
    }
    return STATUS_OK;
}

/* Read the tetrahedra, and orient each positively by exchanging its last two corners if necessary. */
static int read_tetrahedra(struct scan *numbers, struct tetrahedra *body, int first) {
    int corners, index;
    if (first_integer(numbers, "the number of tetrahedra", 0, INT_MAX, &body->tetrahedra) ||
        next_integer(numbers, "the number of corners", 4, 4, &corners))
        return STATUS_BAD;
    if (body->tetrahedra > (numbers->end - numbers->at) / 10)
        return scan_fail(numbers, "the file states more tetrahedra than it has");
    body->corner = memory_new((size_t)body->tetrahedra, sizeof *body->corner);
    for (int t = 0; t < body->tetrahedra; ++t) {
        int *corner = body->corner[t];
        if (first_integer(numbers, "the tetrahedron's index", first + t, first + t, &index))
            return STATUS_BAD;
        for (int c = 0; c < 4; ++c) {
            if (next_integer(numbers, "the corner", first, first + body->vertices - 1, &corner[c]))
                return STATUS_BAD;
            corner[c] -= first;
        }
        const double determinant = tetrahedron_determinant(body->position, corner);
        if (!(determinant < 0 || determinant > 0))
            return scan_fail(numbers, "this tetrahedron is flat; try other switches, or remove -Y");
        if (determinant < 0) {
            const int held = corner[2];
            corner[2] = corner[3];
            corner[3] = held;
        }
    }
    return STATUS_OK;
}

static int count_kept(const struct mesh *surface, const struct tetrahedra *body) {
    int kept = 0;
    while (kept < surface->vertices && kept < body->vertices && surface->position[kept][0] == body->position[kept][0] &&
           surface->position[kept][1] == body->position[kept][1] &&
           surface->position[kept][2] == body->position[kept][2])
        ++kept;
    return kept;
}

/* The last lines of TetGen's output before its statistics, as one text. Lines with times are omitted, because times
 * differ from run to run. */
static char *message_end(const char *message) {
    const char *stop = strstr(message, "\nStatistics:"), *line[MESSAGE_LINES];
    if (!stop)
        stop = message + strlen(message);
    int lines = 0;
    char *text = text_copy("");
    for (const char *next = message; next < stop; next += strcspn(next, "\n") + 1) {
        const int length = (int)strcspn(next, "\n");
        const bool is_time = memmem(next, (size_t)length, " seconds:", strlen(" seconds:")) != NULL;
        if (length && !is_time)
            line[lines++ % MESSAGE_LINES] = next;
    }
    for (int k = lines > MESSAGE_LINES ? lines - MESSAGE_LINES : 0; k < lines; ++k) {
        const char *begin = line[k % MESSAGE_LINES] + strspn(line[k % MESSAGE_LINES], " ");
        text_append(&text, "\n    %.*s", (int)strcspn(begin, "\n"), begin);
    }
    return text;
}

/* Report a failure: its kind, and TetGen's output. */
static int fail_with_output(const struct process *process, const char *switches, const struct tetgen_outcome *outcome) {
    /* If TetGen made no tetrahedra, the last lines of its output are those of a success, so they are not printed. */
    if (outcome->result == TETGEN_EMPTY)
        return fail("tetgen %s made no tetrahedra; the surface must be closed", switches);
    AUTO_FREE char *how = process_end_text(process, &outcome->run);
    AUTO_FREE char *end = message_end(outcome->run.output);
    return fail("tetgen %s %s%s%s", switches, how, *end ? "; its last output:" : " without output", end);
}

static int read_result(const char *folder, const struct mesh *surface, struct tetrahedra *body,
                       struct tetgen_outcome *outcome) {
    AUTO_FREE char *vertices = NULL;
    AUTO_FREE char *tetrahedra = NULL;
    struct scan numbers;
    int first = 0;
    if (open_numbers(folder, "TetGen's body.1.node", &vertices, &numbers) || read_vertices(&numbers, body, &first))
        return STATUS_BAD;
    /* If TetGen makes no tetrahedra, it writes no .ele file; with -J it still writes the vertices. */
    const bool is_nothing = body->vertices == 0 || strstr(outcome->run.output, "Mesh tetrahedra: 0\n");
    if (!is_nothing &&
        (open_numbers(folder, "TetGen's body.1.ele", &tetrahedra, &numbers) || read_tetrahedra(&numbers, body, first)))
        return STATUS_BAD;
    outcome->result = !is_nothing && body->tetrahedra ? TETGEN_WHOLE : TETGEN_EMPTY;
    body->kept = outcome->result == TETGEN_WHOLE ? count_kept(surface, body) : 0;
    return STATUS_OK;
}

static int fill_in(const char *folder, const struct mesh *surface, const struct tetgen_options *options,
                   struct tetrahedra *body, struct tetgen_outcome *outcome) {
    AUTO_FREE char *path = text_format("%s/body.smesh", folder);
    if (write_surface(surface, path))
        return STATUS_BAD;
    /* If TetGen aborts, buffered output to a pipe is lost, unless it is flushed line by line. */
    const char *const argv[] = {"stdbuf", "-oL", "tetgen", options->switches, "body.smesh", NULL};
    const struct process process = {.argv = argv,
                                    .package = "coreutils",
                                    .folder = folder,
                                    .seconds = options->seconds > 0 ? options->seconds : SECONDS,
                                    .memory = options->memory ? options->memory : memory_limit};
    process_free(&outcome->run);
    if (process_run(&process, &outcome->run))
        return STATUS_BAD;
    const bool is_done = outcome->run.end == PROCESS_EXITED && outcome->run.code == 0;
    outcome->result = is_done ? TETGEN_BROKEN : TETGEN_FAILED;
    const int status = is_done ? read_result(folder, surface, body, outcome) : STATUS_OK;
    const bool is_failure = outcome->result == TETGEN_FAILED || outcome->result == TETGEN_EMPTY;
    return is_failure ? fail_with_output(&process, options->switches, outcome) : status;
}

int tetgen_fill(const struct mesh *surface, const struct tetgen_options *options, struct tetrahedra *body,
                struct tetgen_outcome *outcome) {
    char *folder;
    AUTO_FREE char *path = NULL;
    *body = (struct tetrahedra){.vertices = 0};
    *outcome = (struct tetgen_outcome){.result = TETGEN_NOT_RUN, .run = {.code = -1, .output = text_copy("")}};
    if (check_surface(surface) || check_switches(options->switches) || process_find("tetgen", "tetgen", &path) ||
        temporary_make(&folder))
        return STATUS_BAD;
    const int status = fill_in(folder, surface, options, body, outcome);
    temporary_end(folder);
    if (status)
        tetrahedra_free(body);
    return status;
}

int tetgen_check(void) {
    double position[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const struct mesh surface = {.vertices = 4, .triangles = 4, .position = position, .corner = corner};
    AUTO(tetrahedra_free) struct tetrahedra body;
    AUTO(tetgen_free) struct tetgen_outcome outcome;
    const struct failure_mark mark = failure_mark();
    const int failed = tetgen_fill(&surface, &(struct tetgen_options){.switches = "-p"}, &body, &outcome);
    failure_rewind(mark);
    return failed ? fail("tetgen does not fill even a single tetrahedron; reinstall it (Debian: apt-get install "
                         "--reinstall tetgen), or check which tetgen is first in PATH")
                  : STATUS_OK;
}

void tetgen_free(struct tetgen_outcome *outcome) {
    process_free(&outcome->run);
    outcome->result = TETGEN_NOT_RUN;
}
