/* springback export: write results for other programs. */
#include "trace/export.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/verb.h"
#include "report/figure_data.h"
#include "report/snapshot.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The width of a drawn edge, relative to the mean edge length. */
#define EDGE_WIDTH 0.22

struct export_verb {
    struct words sources;
    const char *format, *out, *against, *groups;
    char **heading; /* the heading of the CSV; *heading is NULL until the heading of the first trace is written */
    bool is_bare;
    int frame;
    uint32_t colour;
    struct snapshot_view view; /* `at` and `across` are NAN if not given */
};

static const char *folder_of(const struct export_verb *verb) {
    return verb->out ? verb->out : ".";
}

static int write_vtk(const struct export_verb *verb, const char *source) {
    AUTO(trace_close) struct trace_data trace = {.path = NULL};
    if (folder_make(folder_of(verb)) || trace_open(source, &trace))
        return STATUS_BAD;
    return export_vtk(&trace, folder_of(verb));
}

/* Write the series of a trace, and the quantities of its geometry if it has any. With --against, also the distances
 * from the other run. For the format csv, `heading` is as in export_csv; for the format series it is NULL. */
static int write_columns(const struct export_verb *verb, const char *source, char **heading) {
    AUTO(trace_close) struct trace_data trace = {.path = NULL}, other = {.path = NULL};
    AUTO(geometry_free) struct geometry geometry = {0};
    AUTO_FREE char *problem = NULL;
    if (trace_open(source, &trace) || (verb->against && trace_open(verb->against, &other)))
        return STATUS_BAD;
    if (trace.mesh_frames || verb->against)
        problem = geometry_measure(&trace, verb->against ? &other : NULL, &geometry);
    return problem ? fail("%s: %s", source, problem)
                   : series_table_write(&trace, &geometry, verb->against != NULL, heading, stdout);
}

static int write_series(const struct export_verb *verb, const char *source) {
    return write_columns(verb, source, NULL);
}

static int write_csv(const struct export_verb *verb, const char *source) {
    return write_columns(verb, source, verb->heading);
}

/* The index of the trace's geometry for the requested frame; -1 after fail(). */
static int find_geometry(const struct export_verb *verb, const struct trace_data *trace) {
    const int k = trace_geometry_at(trace, verb->frame);
    if (k < 0)
        fail("%s: the geometry of frame %d is not recorded; record.mesh_every sets which frames are recorded",
             trace->path, verb->frame);
    return k;
}

static int write_triangles(const struct export_verb *verb, const char *source) {
    /* The light comes from above, from the left and from the front. */
    const struct export_view view = {.light = {-0.4, 0.8, 0.45}, .ambient = 0.3, .colour = verb->colour};
    AUTO(trace_close) struct trace_data trace;
    if (trace_open(source, &trace))
        return STATUS_BAD;
    const int k = find_geometry(verb, &trace);
    return k < 0 ? STATUS_BAD : export_triangles(&trace, k, &view, stdout, NULL);
}

#ifdef SPRINGBACK_PREPARE
/* Complete a view: values that the options do not set are computed from the body. */
static int aim(const struct snapshot_view *requested, const struct snapshot_surface *body, struct snapshot_view *view) {
    *view = *requested;
    if ((isnan(requested->across) || isnan(requested->at[0])) && snapshot_aim(body, view))
        return STATUS_BAD;
    if (!isnan(requested->across))
        view->across = requested->across;
    if (!isnan(requested->at[0]))
        memcpy(view->at, requested->at, sizeof view->at);
    return STATUS_OK;
}

static int print_ppm(const struct snapshot_subject *subject, const struct snapshot_view *view) {
    const size_t size = 3 * (size_t)view->width * (size_t)view->height;
    AUTO_FREE unsigned char *pixels = memory_new(size, 1);
    const int status = snapshot_draw(subject, view, pixels);
    if (!status) {
        printf("P6\n%d %d\n255\n", view->width, view->height);
        fwrite(pixels, 1, size, stdout);
        if (fflush(stdout) || ferror(stdout))
            return fail("the picture cannot be written: %s", strerror(errno));
    }
    return status;
}

static int draw_geometry(const struct export_verb *verb, const struct trace_data *trace, int k) {
    AUTO_FREE double(*position)[3] = memory_large(trace->nodes * sizeof *position);
    if (!position)
        return fail("%s: not enough memory for %zu nodes", trace->path, trace->nodes);
    struct snapshot_subject subject = {.body = {.vertices = (int)trace->nodes,
                                                .triangles = (int)trace->triangle_count,
                                                .position = (const double(*)[3])position,
                                                .corner = (const int(*)[3])trace->triangles,
                                                .colour = verb->colour}};
    struct snapshot_view view;
    AUTO(obstacles_free) struct obstacles obstacles = {.count = 0};
    AUTO_FREE uint32_t(*edge)[3] = NULL;
    int status = trace_read_mesh(trace, k, &position[0][0]);
    if (!status)
        status = aim(&verb->view, &subject.body, &view);
    if (!status && !verb->is_bare)
        status = obstacles_read(trace, &obstacles);
    subject.obstacles = obstacles.surface;
    subject.obstacle_count = obstacles.count;
    if (!status && verb->groups) {
        double length = 0;
        edge = edge_groups_colour(verb->groups, &subject.body, &length);
        status = edge ? STATUS_OK : fail("%s: cannot draw its edges by groups", trace->path);
        subject.edge = (const uint32_t(*)[3])edge;
        subject.edge_width = EDGE_WIDTH * length;
    }
    if (!status)
        status = print_ppm(&subject, &view);
    return status;
}

static int write_picture(const struct export_verb *verb, const char *source) {
    AUTO(trace_close) struct trace_data trace;
    if (trace_open(source, &trace))
        return STATUS_BAD;
    const int k = find_geometry(verb, &trace);
    if (k >= 0 && !trace.triangle_count)
        fail("%s: the trace has no recorded triangles to draw", source);
    return k >= 0 && trace.triangle_count ? draw_geometry(verb, &trace, k) : STATUS_BAD;
}
#endif

static int write_figure(const struct export_verb *verb, const char *source) {
    return figure_data_write(source, verb->out ? verb->out : source);
}

static const struct {
    const char *name;
    int (*write)(const struct export_verb *verb, const char *source);
} formats[] = {
    {"series", write_series},   {"csv", write_csv}, {"vtk", write_vtk}, {"triangles", write_triangles},
#ifdef SPRINGBACK_PREPARE
    {"picture", write_picture},
#endif
    {"figure", write_figure},
};

enum { FORMATS = sizeof formats / sizeof *formats };

static int refuse_format(const char *format) {
    AUTO_FREE char *known = text_copy(formats[0].name);
    for (int f = 1; f < FORMATS; ++f)
        text_append(&known, "%s%s", f + 1 < FORMATS ? ", " : " or ", formats[f].name);
    return fail("unknown format '%s'; expected %s", format, known);
}

static void take_colour(void *out, const char *argument, struct argp_state *state) {
    struct export_verb *verb = out;
    if (strlen(argument) != 6 || strspn(argument, "0123456789abcdefABCDEF") != 6)
        argp_error(state, "--colour expects six hexadecimal digits, for example c0392b, not '%s'", argument);
    verb->colour = (uint32_t)strtoul(argument, NULL, 16);
}

#ifdef SPRINGBACK_PREPARE
/* Read a number from `low` to `high`. Returns the text after the number, or NULL. */
static const char *parse_number(const char *text, double low, double high, double *out) {
    const char *end = number_read(text, out);
    return end && *out >= low && *out <= high ? end : NULL;
}

static void take_size(void *out, const char *argument, struct argp_state *state) {
    struct snapshot_view *view = &((struct export_verb *)out)->view;
    double width = 0, height = 0;
    const char *at = parse_number(argument, 1, SNAPSHOT_MOST, &width);
    at = at && *at == 'x' ? parse_number(at + 1, 1, SNAPSHOT_MOST, &height) : NULL;
    if (!at || *at || width != floor(width) || height != floor(height))
        argp_error(state, "--size expects width and height, up to %d pixels each, for example 300x200, not '%s'",
                   SNAPSHOT_MOST, argument);
    view->width = (int)width;
    view->height = (int)height;
}

static void take_at(void *out, const char *argument, struct argp_state *state) {
    struct snapshot_view *view = &((struct export_verb *)out)->view;
    const char *at = argument;
    for (int k = 0; k < 3 && at; ++k) {
        at = parse_number(at, -1e6, 1e6, &view->at[k]);
        at = at && *at == (k < 2 ? ',' : 0) ? at + (k < 2) : NULL;
    }
    if (!at)
        argp_error(state, "--at expects three lengths in m, for example 0,0.5,0, not '%s'", argument);
}

static void take_groups(void *out, const char *argument, struct argp_state *state) {
    struct export_verb *verb = out;
    if (!edge_groups_known(argument))
        argp_error(state, "--groups expects colouring, repaired or printed, not '%s'", argument);
    verb->groups = argument;
}
#endif

static const struct verb_option options[] = {
    {"format", 'f', "FORMAT",
     "series (the default): a trace's series as a table on standard output, with quantities of its recorded geometry, "
     "for example height and shape_error. csv: the same as comma-separated values, with the run's id as first column; "
     "traces with the same columns make one table. vtk: a .vtk series of the trace's geometry. "
     "triangles: the shaded surface of one frame for gnuplot, on standard output. "
#ifdef SPRINGBACK_PREPARE
     "picture: the shaded surface of one frame as a PPM picture (Netpbm), on standard output, with the sphere "
     "and the convex bodies of its scene. "
#endif
     "figure: the tables of an experiment's folder of traces",
     OPTION_TEXT, .field = offsetof(struct export_verb, format)},
    {"frame", 'n', "FRAME", "The frame of the formats triangles and picture (default: 0)", OPTION_WHOLE,
     .field = offsetof(struct export_verb, frame), 0, INT_MAX, "a frame's number, from 0"},
    {"against", 0, "TRACE",
     "Add to a trace's series its distance from another run of the same surface, per frame: shape_distance, "
     "centre_distance, height_difference, position_distance",
     OPTION_TEXT, .field = offsetof(struct export_verb, against)},
    {"out", 'o', "DIR",
     "Folder of the written files (default: the current folder; for the format figure, the folder of traces)",
     OPTION_TEXT, .field = offsetof(struct export_verb, out)},
    {"colour", 0, "RRGGBB",
     "The colour of triangles or of a picture, if the light is perpendicular to the surface (default: 5b8fd0)",
     OPTION_OWN, .take = take_colour},
#ifdef SPRINGBACK_PREPARE
    {"size", 0, "WIDTHxHEIGHT", "Size of a picture in pixels (default: 600x600)", OPTION_OWN, .take = take_size},
    {"turn", 0, "DEGREES", "Position of the viewer of a picture: the angle to the right of the z axis (default: 30)",
     OPTION_NUMBER, .field = offsetof(struct export_verb, view.turn), -360, 360, "degrees, -360 to 360"},
    {"tilt", 0, "DEGREES", "Position of the viewer of a picture: the angle above the horizontal (default: 12)",
     OPTION_NUMBER, .field = offsetof(struct export_verb, view.tilt), -90, 90, "degrees, -90 to 90"},
    {"at", 0, "X,Y,Z", "The point at the centre of a picture, in m (default: the body's centre)", OPTION_OWN,
     .take = take_at},
    {"across", 0, "LENGTH",
     "The length that the width of a picture shows, in m (default: the picture shows the whole body)", OPTION_NUMBER,
     .field = offsetof(struct export_verb, view.across), 1e-6, 1e6, "a length in m, 1e-6 to 1e6"},
    {"ground", 0, "HEIGHT", "Draw a floor at this height, in m, with the body's shadow", OPTION_NUMBER,
     .field = offsetof(struct export_verb, view.ground), -1e6, 1e6, "a height in m, -1e6 to 1e6"},
    {"plate", 0, "HEIGHT", "Draw a transparent plate at this height, in m", OPTION_NUMBER,
     .field = offsetof(struct export_verb, view.plate), -1e6, 1e6, "a height in m, -1e6 to 1e6"},
    {"bare", 0, NULL, "Draw a picture without the sphere and the convex bodies of the scene", OPTION_FLAG,
     .field = offsetof(struct export_verb, is_bare)},
    {"groups", 0, "GROUPING",
     "Draw the edges of a picture's surface with one colour for each group. colouring: the groups of this project; "
     "repaired, printed: the groups of algorithm 2 of cetinaslan2019, repaired or as printed. Edges of one group "
     "should share no node: an edge that shares a node with another edge of its group is red. Edges in no group are "
     "not drawn",
     OPTION_OWN, .take = take_groups},
#endif
    {.name = NULL},
};

static const struct export_verb defaults = {.format = "series",
                                            .colour = 0x5b8fd0, /* blue, as in the report's player scenes */
                                            .view = {.width = 600,
                                                     .height = 600,
                                                     .turn = 30,
                                                     .tilt = 12,
                                                     .at = {NAN, NAN, NAN},
                                                     .across = NAN,
                                                     .ground = NAN,
                                                     .plate = NAN}};

static int export(void *out) {
    struct export_verb *verb = out;
    AUTO_FREE char *heading = NULL;
    verb->heading = &heading;
    int f = 0;
    while (f < FORMATS && strcmp(formats[f].name, verb->format) != 0)
        ++f;
    int status = f < FORMATS ? STATUS_OK : refuse_format(verb->format);
    if (!status && verb->against && formats[f].write != write_series && formats[f].write != write_csv)
        status = fail("--against needs the format series or csv, not '%s'", verb->format);
    if (!status && (verb->is_bare || verb->groups) && strcmp(verb->format, "picture") != 0)
        status = fail("--%s needs the format picture, not '%s'", verb->is_bare ? "bare" : "groups", verb->format);
    for (int s = 0; !status && s < verb->sources.count; ++s)
        status = formats[f].write(verb, verb->sources.words[s]);
    return status;
}

const struct verb verb_export = {
    .arguments = "TRACE...",
    .doc = "Write results for other programs."
           "\vExample: a cloth's motion for a ParaView older than 5.12\n"
           "  springback export --format vtk --out /tmp/push \\\n"
           "      out/$(build/springback devices --machine)/va2022/strong-push/step=0.00025.trace-1.vtkhdf",
    .options = options,
    .missing = "no trace given (for the format figure: no folder of an experiment's traces)",
    .size = sizeof(struct export_verb),
    .defaults = &defaults,
    .run = export};
