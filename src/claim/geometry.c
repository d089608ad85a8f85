#include "claim/geometry.h"

#include "base/memory.h"
#include "base/vector.h"
#include "claim/quantity.h"
#include "trace/index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef SPRINGBACK_SWEEP
static const bool can_fit = true;
#else
static const bool can_fit = false;
double rigid_distance(const double (*from)[3], const double (*to)[3], size_t n) {
    (void)from, (void)to, (void)n;
    return NAN;
}
#endif

const struct geometry_kind geometry_kinds[GEOMETRY_QUANTITIES] = {
    [GEOMETRY_CENTRE_X] = {"centre_x", "m", "the mean x of the vertices", false, false},
    [GEOMETRY_CENTRE_Y] = {"centre_y", "m", "the mean y of the vertices", false, false},
    [GEOMETRY_CENTRE_Z] = {"centre_z", "m", "the mean z of the vertices", false, false},
    [GEOMETRY_LOWEST] = {"lowest", "m", "the smallest y of a vertex", false, false},
    [GEOMETRY_HEIGHT] = {"height", "m", "the largest y minus the smallest", false, false},
    [GEOMETRY_WIDTH_X] = {"width_x", "m", "the largest x minus the smallest", false, false},
    [GEOMETRY_WIDTH_Z] = {"width_z", "m", "the largest z minus the smallest", false, false},
    [GEOMETRY_BENDING] = {"bending", "m", "the integral of the absolute mean curvature", false, false},
    [GEOMETRY_WRINKLES] = {"wrinkles", "1", "the number of tightly bent regions, as docs/claims.md defines them", false,
                           false},
    [GEOMETRY_SHAPE_ERROR] =
        {"shape_error", "1",
         "root mean square distance of the vertices, after the best rigid motion, from their positions in frame 0, "
         "divided by the longest side of the bounding box in frame 0",
         false, true},
    [GEOMETRY_SHAPE_DISTANCE] = {"shape_distance", "1",
                                 "the same as shape_error, but from the vertices of the reference run in the same "
                                 "frame, divided by the longest side of the reference run's bounding box in frame 0",
                                 true, true},
    [GEOMETRY_CENTRE_DISTANCE] =
        {"centre_distance", "1",
         "the distance of the centres of two runs in the same frame, divided by the longest side of the "
         "reference run's bounding box in frame 0",
         true, false},
    [GEOMETRY_HEIGHT_DIFFERENCE] =
        {"height_difference", "1",
         "the absolute difference of the heights of two runs in the same frame, divided by the longest side of the "
         "reference run's bounding box in frame 0",
         true, false},
    [GEOMETRY_POSITION_DISTANCE] = {"position_distance", "1",
                                    "root mean square distance of the vertices of two runs in the same frame, divided "
                                    "by the longest side of the reference run's bounding box in frame 0. A rigid "
                                    "motion is not removed",
                                    true, false},
};

const struct geometry_kind *geometry_kind_named(const char *name) {
    for (int q = 0; q < GEOMETRY_QUANTITIES; q++)
        if (!strcmp(geometry_kinds[q].name, name))
            return &geometry_kinds[q];
    return NULL;
}

bool geometry_is_known(const struct geometry_kind *kind) {
    return can_fit || !kind->needs_fit;
}

/* The vertices of a trace's surface, one frame at a time. */
struct surface {
    const struct trace_data *trace;
    size_t count;
    size_t *node;           /* [count] the index of each vertex's node, in increasing order */
    double *all;            /* [nodes][3] the positions of all nodes in the frame that was read last, m */
    double (*vertex)[3];    /* [count] the positions of the vertices in this frame */
    double (*rest)[3];      /* [count] the positions of the vertices in frame 0 */
    double longest;         /* the longest side of the bounding box at rest, m; NaN if it is 0 */
    double centre[3];       /* the mean of `vertex` */
    double low[3], high[3]; /* the bounding box of `vertex`; NaN if a coordinate is not finite */
    struct hinges hinges;
    struct pool pool; /* owns all arrays except those of the hinges */
};

static void surface_close(struct surface *surface) {
    pool_free(&surface->pool);
    hinges_free(&surface->hinges);
}

/* Read the k-th recorded geometry. Returns NULL or an error message, newly allocated. fmin and fmax ignore NaN, so the
 * sum decides whether all coordinates are finite. */
static char *surface_read(struct surface *surface, int k) {
    const struct failure_mark mark = failure_mark();
    if (trace_read_mesh(surface->trace, k, surface->all))
        return failure_take(mark);
    for (int a = 0; a < 3; a++) {
        double sum = 0, low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < surface->count; i++) {
            const double x = surface->vertex[i][a] = surface->all[3 * surface->node[i] + (size_t)a];
            sum += x;
            low = fmin(low, x);
            high = fmax(high, x);
        }
        surface->centre[a] = sum / (double)surface->count;
        surface->low[a] = isfinite(sum) ? low : (double)NAN;
        surface->high[a] = isfinite(sum) ? high : (double)NAN;
    }
    return NULL;
}

static double side(const struct surface *surface, int axis) {
    return surface->high[axis] - surface->low[axis];
}

/* Open the surface of a trace and read its vertices at rest. The caller closes the surface, also after an error.
 * Returns NULL or an error message, newly allocated. */
static char *surface_open(const struct trace_data *trace, struct surface *out) {
    *out = (struct surface){.trace = trace};
    if (!trace->mesh_frames || !trace->nodes)
        return text_format("the run %s has no recorded geometry; set record.mesh_every in its experiment",
                           trace_name(trace));
    if (trace->frame_index[trace->mesh_frame[0]] != 0)
        return text_format("the run %s has no geometry of frame 0, its shape at rest", trace_name(trace));
    AUTO_FREE bool *named = memory_large(trace->nodes * sizeof *named);
    out->node = pool_add(&out->pool, memory_large(trace->nodes * sizeof *out->node));
    out->all = pool_add(&out->pool, memory_large(trace->nodes * sizeof(double[3])));
    out->vertex = pool_add(&out->pool, memory_large(trace->nodes * sizeof *out->vertex));
    out->rest = pool_add(&out->pool, memory_large(trace->nodes * sizeof *out->rest));
    if (!named || !out->node || !out->all || !out->vertex || !out->rest)
        return text_format("the run %s has %zu nodes; there is not enough memory for them", trace_name(trace),
                           trace->nodes);
    memset(named, trace->triangle_count == 0, trace->nodes * sizeof *named);
    for (size_t c = 0; c < 3 * trace->triangle_count; c++)
        named[trace->triangles[c]] = true;
    for (size_t n = 0; n < trace->nodes; n++)
        if (named[n])
            out->node[out->count++] = n;
    if (trace->triangle_count)
        hinges_create(trace->triangles, trace->triangle_count, trace->nodes, &out->hinges);
    char *problem = surface_read(out, 0);
    memcpy(out->rest, out->vertex, out->count * sizeof *out->rest);
    out->longest = fmax(side(out, 0), fmax(side(out, 1), side(out, 2)));
    out->longest = out->longest > 0 ? out->longest : (double)NAN;
    return problem;
}

/* Whether two runs have the same surface: the same triangles and the same number of vertices. */
static bool is_same_surface(const struct surface *a, const struct surface *b) {
    const size_t count = a->trace->triangle_count;
    return count == b->trace->triangle_count && a->count == b->count &&
           (!count || !memcmp(a->trace->triangles, b->trace->triangles, 3 * count * sizeof *a->trace->triangles));
}

/* A distance divided by the longest side. A quotient below 1e-14 becomes 0: it comes from rounding alone, which differs
 * between machines. */
static double share_of(double distance, double longest) {
    return distance < 1e-14 * longest ? 0 : distance / longest;
}

static void measure_alone(const struct surface *now, int k, struct geometry *out) {
    for (int a = 0; a < 3; a++)
        out->values[GEOMETRY_CENTRE_X + a][k] = now->centre[a];
    out->values[GEOMETRY_LOWEST][k] = now->low[1];
    out->values[GEOMETRY_HEIGHT][k] = side(now, 1);
    out->values[GEOMETRY_WIDTH_X][k] = side(now, 0);
    out->values[GEOMETRY_WIDTH_Z][k] = side(now, 2);
    if (now->trace->triangle_count) {
        const double(*all)[3] = (const double(*)[3])now->all;
        out->values[GEOMETRY_BENDING][k] = hinges_bending(&now->hinges, all);
        out->values[GEOMETRY_WRINKLES][k] = wrinkles_count(
            &now->hinges, now->trace->triangles, now->trace->triangle_count, now->trace->nodes, all, now->longest);
    }
    out->values[GEOMETRY_SHAPE_ERROR][k] = share_of(
        rigid_distance((const double(*)[3])now->rest, (const double(*)[3])now->vertex, now->count), now->longest);
}

static double root_mean_square(const double (*a)[3], const double (*b)[3], size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double distance = vector_distance(a[i], b[i]);
        sum += distance * distance;
    }
    return sqrt(sum / (double)count);
}

static void measure_pair(const struct surface *now, const struct surface *other, int k, struct geometry *out) {
    const double longest = other->longest;
    out->values[GEOMETRY_SHAPE_DISTANCE][k] = share_of(
        rigid_distance((const double(*)[3])other->vertex, (const double(*)[3])now->vertex, now->count), longest);
    out->values[GEOMETRY_CENTRE_DISTANCE][k] = vector_distance(now->centre, other->centre) / longest;
    out->values[GEOMETRY_HEIGHT_DIFFERENCE][k] = fabs(side(now, 1) - side(other, 1)) / longest;
    out->values[GEOMETRY_POSITION_DISTANCE][k] =
        root_mean_square((const double(*)[3])now->vertex, (const double(*)[3])other->vertex, now->count) / longest;
}

/* Measure all frames of an open surface and, unless `other` is NULL, the distances from another surface. Returns NULL
 * or an error message, newly allocated. */
static char *measure_frames(struct surface *now, struct surface *other, struct geometry *out) {
    const struct trace_data *trace = now->trace;
    char *problem = NULL;
    int common = 0;
    for (int k = 0; k < trace->mesh_frames && !problem; k++) {
        const int64_t frame = trace->frame_index[trace->mesh_frame[k]];
        const int at = other ? trace_geometry_at(other->trace, frame) : -1;
        if ((problem = surface_read(now, k)))
            break;
        measure_alone(now, k, out);
        if (at < 0)
            continue;
        const double time = trace->mesh_time[k], other_time = other->trace->mesh_time[at];
        if (fabs(time - other_time) > 1e-9 * fabs(time))
            problem = text_format("frame %lld of the run %s is at %.6g s, but in the run %s this frame is at %.6g s; "
                                  "compared frames must be at the same time",
                                  (long long)frame, trace_name(trace), time, trace_name(other->trace), other_time);
        else if (!(problem = surface_read(other, at)))
            measure_pair(now, other, k, out);
        out->paired[k] = true;
        common++;
    }
    if (!problem && other && !common)
        problem = text_format("the runs %s and %s recorded the geometry of no common frame", trace_name(trace),
                              trace_name(other->trace));
    return problem;
}

/* Measure the geometries of a trace, as geometry_measure does, but without the index. If a trace has triangles, they
 * must have been read (with_triangles). */
static char *measure(const struct trace_data *trace, const struct trace_data *against, struct geometry *out) {
    AUTO(surface_close) struct surface now, other = {.count = 0};
    char *problem = surface_open(trace, &now);
    if (!problem && against)
        problem = surface_open(against, &other);
    if (!problem && against && !is_same_surface(&now, &other))
        problem = text_format("the runs %s and %s have different surfaces: %zu vertices and %zu triangles, and %zu "
                              "vertices and %zu triangles",
                              trace_name(trace), trace_name(against), now.count, trace->triangle_count, other.count,
                              against->triangle_count);
    return problem ? problem : measure_frames(&now, against ? &other : NULL, out);
}

/* Return a trace with its triangles. If the trace comes from an index, which does not store triangles, its file is
 * opened into `opened`, and `opened` is returned. */
static const struct trace_data *with_triangles(const struct trace_data *trace, struct trace_data *opened,
                                               char **problem) {
    const struct failure_mark mark = failure_mark();
    if (!trace || !trace->triangle_count || trace->triangles || *problem)
        return trace;
    if (trace_open(trace->path, opened))
        *problem = failure_take(mark);
    else if (opened->nodes != trace->nodes || opened->mesh_frames != trace->mesh_frames)
        *problem = text_format("%s: another process has changed this file", trace->path);
    return opened;
}

/* The rows of a stored geometry: one for each quantity, then one that has 1 for paired frames and 0 for others. A row
 * has a number for each frame. */
enum { ROWS = GEOMETRY_QUANTITIES + 1 };

/* Allocate the rows of a geometry as one array, filled with NaN. */
static double *rows_create(int frames, struct geometry *out) {
    double *numbers = pool_add(&out->pool, memory_new((size_t)ROWS * (size_t)frames, sizeof *numbers));
    out->frames = frames;
    out->paired = pool_add(&out->pool, memory_new((size_t)frames, sizeof *out->paired));
    for (int q = 0; q < GEOMETRY_QUANTITIES; q++)
        out->values[q] = numbers + (size_t)q * (size_t)frames;
    for (size_t i = 0; i < (size_t)ROWS * (size_t)frames; i++)
        numbers[i] = NAN;
    return numbers;
}

char *geometry_measure(const struct trace_data *trace, const struct trace_data *against, struct geometry *out) {
    *out = (struct geometry){0};
    const size_t count = (size_t)ROWS * (size_t)trace->mesh_frames;
    double *numbers = rows_create(trace->mesh_frames, out), *paired = numbers + count - trace->mesh_frames;
    AUTO_FREE char *name =
        text_format("geometry%s%s", against ? " against " : "", against ? trace_identity(against) : "");
    const bool is_keepable = !against || *trace_identity(against);
    const double *kept = is_keepable && count ? trace_kept_numbers(trace, name, count) : NULL;
    if (kept) {
        memcpy(numbers, kept, count * sizeof *numbers);
        for (int k = 0; k < out->frames; k++)
            out->paired[k] = paired[k] > 0;
        return NULL;
    }
    AUTO(trace_close) struct trace_data opened = {.path = NULL}, other_opened = {.path = NULL};
    char *problem = NULL;
    const struct trace_data *now = with_triangles(trace, &opened, &problem),
                            *other = with_triangles(against, &other_opened, &problem);
    problem = problem ? problem : measure(now, other, out);
    for (int k = 0; k < out->frames; k++)
        paired[k] = out->paired[k];
    if (problem)
        geometry_free(out);
    else if (is_keepable)
        trace_keep_numbers(trace, name, numbers, count);
    return problem;
}

void geometry_free(struct geometry *geometry) {
    pool_free(&geometry->pool);
    *geometry = (struct geometry){0};
}
