/* springback mesh: describe meshes. */
#include "base/interrupt.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "body/groups.h"
#include "body/surface.h"
#include "cli/verb.h"
#include "mesh/mesh_file.h"
#include "mesh/survey.h"
#include "report/snapshot.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mesh_verb {
    struct words words;
    const char *figure;
    double turn;
    bool json;
};

/* A mesh, and the argument that selected it. */
struct surveyed {
    const char *word, *name;
    struct mesh mesh;
    struct mesh_survey survey;
    int colours; /* number of edge colours: sets of edges that share no vertex */
};

/* ---- One table for text and JSON ---- */

enum kind { KIND_COUNT, KIND_PAIRS, KIND_GENUS, KIND_BOOL, KIND_REAL, KIND_SIDE };

static const struct row {
    const char *label, *key, *unit;
    enum kind kind;
    size_t offset;
    enum { NEUTRAL, FAULT_IF_ANY, FAULT_IF_NOT } fault;
} rows[] = {
#define ROW(label, key, unit, kind, member, fault)                                                                     \
    { label, key, unit, kind, offsetof(struct surveyed, survey.member), fault }
    ROW("vertices", "vertices", NULL, KIND_COUNT, vertices, NEUTRAL),
    ROW("edges", "edges", NULL, KIND_COUNT, edges, NEUTRAL),
    ROW("triangles", "triangles", NULL, KIND_COUNT, triangles, NEUTRAL),
    ROW("Euler characteristic", "euler_characteristic", NULL, KIND_COUNT, euler_characteristic, NEUTRAL),
    ROW("genus", "genus", NULL, KIND_GENUS, genus, NEUTRAL),
    ROW("connected parts", "components", NULL, KIND_COUNT, components, NEUTRAL),
    ROW("closed", "closed", NULL, KIND_BOOL, closed, FAULT_IF_NOT),
    ROW("consistently oriented", "oriented", NULL, KIND_BOOL, oriented, FAULT_IF_NOT),
    ROW("orientable", "orientable", NULL, KIND_BOOL, orientable, FAULT_IF_NOT),
    ROW("boundary loops", "boundary_loops", NULL, KIND_COUNT, boundary_loops, FAULT_IF_ANY),
    ROW("boundary edges", "boundary_edges", NULL, KIND_COUNT, boundary_edges, FAULT_IF_ANY),
    ROW("non-manifold edges", "non_manifold_edges", NULL, KIND_COUNT, non_manifold_edges, FAULT_IF_ANY),
    ROW("non-manifold vertices", "non_manifold_vertices", NULL, KIND_COUNT, non_manifold_vertices, FAULT_IF_ANY),
    ROW("triangles without area", "degenerate_triangles", NULL, KIND_COUNT, degenerate, FAULT_IF_ANY),
    ROW("duplicate triangles", "duplicate_triangles", NULL, KIND_COUNT, duplicates, FAULT_IF_ANY),
    ROW("intersecting triangle pairs", "self_intersections", NULL, KIND_PAIRS, intersections, FAULT_IF_ANY),
    ROW("vertices without a triangle", "unused_vertices", NULL, KIND_COUNT, unused, FAULT_IF_ANY),
    ROW("volume", "volume", "m^3", KIND_REAL, volume, NEUTRAL),
    ROW("area", "area", "m^2", KIND_REAL, area, NEUTRAL),
    ROW("x", NULL, "m", KIND_SIDE, low[0], NEUTRAL),
    ROW("y", NULL, "m", KIND_SIDE, low[1], NEUTRAL),
    ROW("z", NULL, "m", KIND_SIDE, low[2], NEUTRAL),
    ROW("shortest edge", "shortest_edge", "m", KIND_REAL, shortest_edge, NEUTRAL),
    ROW("mean edge", "mean_edge", "m", KIND_REAL, mean_edge, NEUTRAL),
    ROW("longest edge", "longest_edge", "m", KIND_REAL, longest_edge, NEUTRAL),
    ROW("smallest angle", "smallest_angle", "degrees", KIND_REAL, smallest_angle, NEUTRAL),
    ROW("edge colours, lower bound", "least_edge_colours", NULL, KIND_COUNT, largest_valence, NEUTRAL),
#undef ROW
    {"edge colours", "edge_colours", NULL, KIND_COUNT, offsetof(struct surveyed, colours), NEUTRAL},
};

enum { ROWS = sizeof rows / sizeof *rows, CELL = 32, VALENCES = 12 };

static long whole(const struct row *row, const struct surveyed *mesh) {
    const char *at = (const char *)mesh + row->offset;
    return row->kind == KIND_BOOL    ? *(const bool *)(const void *)at
           : row->kind == KIND_PAIRS ? *(const long *)(const void *)at
                                     : *(const int *)(const void *)at;
}

static double real_of(const struct row *row, const struct surveyed *mesh) {
    return *(const double *)(const void *)((const char *)mesh + row->offset);
}

/* ---- Text ---- */

/* Format a number with thousands separators, as in 871,414. */
static void format_count(long count, char cell[CELL]) {
    char digits[CELL];
    const int length = snprintf(digits, sizeof digits, "%ld", labs(count));
    int to = snprintf(cell, CELL, "%s", count < 0 ? "-" : "");
    for (int d = 0; d < length && to < CELL - 2; ++d) {
        if (d && (length - d) % 3 == 0)
            cell[to++] = ',';
        cell[to++] = digits[d];
    }
    cell[to] = 0;
}

static enum terminal_style format_cell(const struct row *row, const struct surveyed *mesh, char cell[CELL]) {
    if (row->kind == KIND_REAL) {
        const double value = real_of(row, mesh);
        snprintf(cell, CELL, isnan(value) ? "-" : "%.6g", value);
        return row->offset == offsetof(struct surveyed, survey.volume) && value < 0 ? TERMINAL_FAIR : TERMINAL_PLAIN;
    }
    if (row->kind == KIND_SIDE) {
        const size_t axis = (row->offset - offsetof(struct surveyed, survey.low)) / sizeof(double);
        snprintf(cell, CELL, "%.4g to %.4g", mesh->survey.low[axis], mesh->survey.high[axis]);
        return TERMINAL_PLAIN;
    }
    const long value = whole(row, mesh);
    if (row->kind == KIND_BOOL)
        snprintf(cell, CELL, value ? "yes" : "no");
    else if (row->kind == KIND_GENUS && value < 0)
        snprintf(cell, CELL, "-");
    else
        format_count(value, cell);
    const bool fault = (row->fault == FAULT_IF_ANY && value) || (row->fault == FAULT_IF_NOT && !value);
    return fault ? TERMINAL_FAIR : TERMINAL_PLAIN;
}

static void print_cell(const char *cell, int width, enum terminal_style style) {
    printf("  %*s%s%s%s", width - (int)strlen(cell), "", terminal_begin(stdout, style), cell,
           terminal_end(stdout, style));
}

static int valence_count(const struct mesh_survey *survey, int valence) {
    int count = 0;
    for (int n = valence; n <= survey->largest_valence && (n == valence || valence == VALENCES); ++n)
        count += survey->valence[n];
    return count;
}

static int width_of(const struct surveyed *mesh) {
    int width = (int)strlen(mesh->name);
    for (int r = 0; r < ROWS; ++r) {
        char cell[CELL];
        format_cell(&rows[r], mesh, cell);
        width = width > (int)strlen(cell) ? width : (int)strlen(cell);
    }
    return width;
}

/* Print meshes in columns next to each other. */
static void print_block(const struct surveyed *meshes, int count, const int *width) {
    enum { LABEL = 32 };
    char cell[CELL];
    printf("%-*s", LABEL, "");
    for (int m = 0; m < count; ++m)
        print_cell(meshes[m].name, width[m], TERMINAL_PLAIN);
    printf("\n");
    for (int r = 0; r < ROWS; ++r) {
        const char *unit = rows[r].unit;
        const int length = printf("%s%s%s", rows[r].label, unit ? ", " : "", unit ? unit : "");
        printf("%*s", LABEL - length, "");
        for (int m = 0; m < count; ++m) {
            const enum terminal_style style = format_cell(&rows[r], &meshes[m], cell);
            print_cell(cell, width[m], style);
        }
        printf("\n");
    }
    for (int n = 1; n <= VALENCES; ++n) {
        bool any = false;
        for (int m = 0; m < count; ++m)
            any = any || valence_count(&meshes[m].survey, n);
        if (!any)
            continue;
        const int length = printf("vertices of %d%s edge%s", n, n == VALENCES ? " and more" : "", n == 1 ? "" : "s");
        printf("%*s", LABEL - length, "");
        for (int m = 0; m < count; ++m) {
            format_count(valence_count(&meshes[m].survey, n), cell);
            print_cell(cell, width[m], TERMINAL_PLAIN);
        }
        printf("\n");
    }
    for (int m = 0; m < count; ++m)
        if (meshes[m].survey.volume < 0)
            printf("%s is inside out: its triangles are clockwise as seen from outside\n", meshes[m].name);
}

/* Print as many meshes next to each other as fit on the terminal. */
static void print_table(const struct surveyed *meshes, int count) {
    const int columns = terminal_columns(stdout, 160);
    AUTO_FREE int *width = memory_new((size_t)count, sizeof *width);
    for (int m = 0; m < count; ++m)
        width[m] = width_of(&meshes[m]);
    for (int first = 0, next; first < count; first = next) {
        int used = 32 + 2 + width[first];
        for (next = first + 1; next < count && used + 2 + width[next] <= columns; ++next)
            used += 2 + width[next];
        printf("%s", first ? "\n" : "");
        print_block(meshes + first, next - first, width + first);
    }
}

/* ---- JSON ---- */

static json_t *json_of(const struct surveyed *mesh) {
    const struct mesh_survey *survey = &mesh->survey;
    json_t *object = json_pack("{so}", "mesh", json_text(mesh->word)), *valence = json_array();
    for (int r = 0; r < ROWS; ++r) {
        const struct row *row = &rows[r];
        if (row->key && row->kind == KIND_REAL)
            json_object_set_new(object, row->key, json_number(real_of(row, mesh)));
        else if (row->key && row->kind == KIND_BOOL)
            json_object_set_new(object, row->key, json_boolean(whole(row, mesh)));
        else if (row->key && row->kind == KIND_GENUS && whole(row, mesh) < 0)
            json_object_set_new(object, row->key, json_null());
        else if (row->key)
            json_object_set_new(object, row->key, json_integer(whole(row, mesh)));
    }
    const double *const corners[] = {survey->low, survey->high};
    static const char *const keys[] = {"low", "high"};
    for (int c = 0; c < 2; ++c)
        json_object_set_new(
            object, keys[c],
            json_pack("[ooo]", json_number(corners[c][0]), json_number(corners[c][1]), json_number(corners[c][2])));
    for (int n = 0; n <= survey->largest_valence; ++n)
        json_array_append_new(valence, json_integer(survey->valence[n]));
    json_object_set_new(object, "vertices_of_valence", valence);
    char hash[33];
    mesh_hash(&mesh->mesh, hash);
    json_object_set_new(object, "hash", json_string(hash));
    return object;
}

static void print_json(const struct surveyed *meshes, int count) {
    json_t *array = json_array();
    for (int m = 0; m < count; ++m)
        json_array_append_new(array, json_of(&meshes[m]));
    json_print(array, stdout);
}

/* ---- Picture ---- */

static char *caption_of(const struct mesh_survey *survey) {
    char vertices[CELL], triangles[CELL], pairs[CELL];
    format_count(survey->vertices, vertices);
    format_count(survey->triangles, triangles);
    format_count(survey->intersections, pairs);
    AUTO_FREE char *form = survey->closed && survey->genus >= 0 ? text_format("closed, genus %d", survey->genus)
                           : survey->closed                     ? text_copy("closed")
                           : survey->non_manifold_edges         ? text_copy("not a manifold")
                                                                : text_format("open, %d loop%s", survey->boundary_loops,
                                                                      survey->boundary_loops == 1 ? "" : "s");
    return text_format("%s vertices, %s triangles; %s%s%s%s", vertices, triangles, form,
                       survey->intersections ? "; " : "", survey->intersections ? pairs : "",
                       survey->intersections == 1 ? " intersection"
                       : survey->intersections    ? " intersections"
                                                  : "");
}

static int draw(const struct surveyed *meshes, int count, double turn, const char *path) {
    AUTO_FREE struct picture_panel *panels = memory_new((size_t)count, sizeof *panels);
    AUTO(pool_free) struct pool captions = {NULL, 0};
    for (int m = 0; m < count; ++m) {
        const struct mesh *mesh = &meshes[m].mesh;
        panels[m] = (struct picture_panel){.surface = {.vertices = mesh->vertices,
                                                       .triangles = mesh->triangles,
                                                       .position = (const double(*)[3])mesh->position,
                                                       .corner = (const int(*)[3])mesh->corner,
                                                       .colour = 0xd5dce8},
                                           .title = meshes[m].name,
                                           .caption = pool_add(&captions, caption_of(&meshes[m].survey)),
                                           .ground = NAN,
                                           .plate = NAN};
    }
    interrupt_catch(); /* on a signal, gnuplot must end and a partial file must be removed */
    return picture_draw(panels, count, PICTURE_SIDE, turn, path);
}

/* ---- The command ---- */

static const struct verb_option options[] = {
    {"json", 0, NULL, "Print a JSON array with one object per mesh", OPTION_FLAG,
     .field = offsetof(struct mesh_verb, json)},
    {"figure", 0, "PICTURE", "Draw the shaded meshes next to each other into a .svg or .png file", OPTION_TEXT,
     .field = offsetof(struct mesh_verb, figure)},
    {"turn", 0, "DEGREES", "Position of the viewer: the angle to the right of the z axis (default: 30)", OPTION_NUMBER,
     .field = offsetof(struct mesh_verb, turn), -360, 360, "degrees, -360 to 360"},
    {.name = NULL},
};

/* The last part of a path, with "?" in place of control and non-ASCII bytes. Newly allocated; the caller frees it. */
static char *name_of(const char *word) {
    const char *slash = strrchr(word, '/');
    char *name = text_copy(slash && slash[1] ? slash + 1 : word);
    for (char *c = name; *c; ++c)
        if ((unsigned char)*c >= 0x7f || iscntrl((unsigned char)*c))
            *c = '?';
    return name;
}

static int edge_colours(const struct mesh *mesh) {
    AUTO(edges_free) struct edges edges;
    mesh_survey_edges(mesh, &edges);
    AUTO_FREE int *colour = memory_new((size_t)edges.count, sizeof *colour);
    const int colours = groups_colour(mesh->vertices, edges.count, 2, edges.count ? edges.end[0] : colour, colour);
    return colours;
}

/* Read all meshes first, so that all mistakes are reported before the first survey, which can take long. */
static int survey_all(const struct mesh_verb *verb, struct surveyed *meshes) {
    int status = STATUS_OK;
    const int count = verb->words.count;
    for (int m = 0; m < count; ++m) {
        meshes[m].word = verb->words.words[m];
        meshes[m].name = name_of(meshes[m].word);
        if (surface_read(meshes[m].word, true, &meshes[m].mesh))
            status = STATUS_BAD;
    }
    progress_begin(count);
    for (int m = 0; m < count && !status; ++m) {
        progress_show(m, meshes[m].name, "meshes", m, count);
        mesh_survey(&meshes[m].mesh, &meshes[m].survey);
        meshes[m].colours = edge_colours(&meshes[m].mesh);
    }
    progress_end();
    return status;
}

static int describe(void *out) {
    const struct mesh_verb *verb = out;
    AUTO_FREE struct surveyed *meshes = memory_new((size_t)verb->words.count, sizeof *meshes);
    int status = verb->figure ? picture_check(verb->figure) : STATUS_OK;
    if (!status)
        status = survey_all(verb, meshes);
    if (!status && verb->figure)
        status = draw(meshes, verb->words.count, verb->turn, verb->figure);
    if (!status)
        (verb->json ? print_json : print_table)(meshes, verb->words.count);
    for (int m = 0; m < verb->words.count; ++m) {
        free((char *)meshes[m].name);
        mesh_free(&meshes[m].mesh);
        mesh_survey_free(&meshes[m].survey);
    }
    return status;
}

const struct verb verb_mesh = {.arguments = "MESH...",
                               .doc = "Describe meshes: their topology, faults and sizes. A mesh is a file" MESH_ENDINGS
                                      " (also compressed, .gz), "
                                      "or the name of a body that `springback meshes` has prepared."
                                      "\vExample: compare and draw two meshes\n"
                                      "  springback mesh bunny.obj dragon.ply.gz --figure both.png",
                               .options = options,
                               .missing = "no mesh given: expected a file" MESH_ENDINGS,
                               .size = sizeof(struct mesh_verb),
                               .defaults = &(const struct mesh_verb){.turn = 30},
                               .run = describe};
