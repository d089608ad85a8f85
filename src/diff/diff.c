#include "diff/diff.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- What was run ---- */

/* Add a difference if the texts differ. */
static void add_if_different(struct contrasts *list, const char *name, const char *a, const char *b) {
    if (a != b && !(a && b && !strcmp(a, b)))
        contrasts_add(list, name, a, b);
}

typedef const char *note_reader(const struct trace_data *data, const char *name);

/* The notes that are compared: about the work (is_work), or about the environment. Other notes are not compared. Many
 * other notes, such as load, clock and duration, differ between any two runs. */
static const struct {
    const char *name;
    note_reader *read;
    bool is_work;
} notes[] = {
    {"body_hash", trace_run_note, true},        {"nodes", trace_run_note, true},
    {"springs", trace_run_note, true},          {"experiment", trace_run_note, false},
    {"backend", trace_parameter_text, false},   {"backend_kind", trace_run_note, false},
    {"device", trace_run_note, false},          {"threads", trace_run_note, false},
    {"bit_exact", trace_run_note, false},       {"driver", trace_provenance_note, false},
    {"kernels", trace_provenance_note, false},  {"springback", trace_provenance_note, false},
    {"revision", trace_provenance_note, false}, {"tree", trace_provenance_note, false},
    {"binary", trace_provenance_note, false},   {"code", trace_provenance_note, false},
    {"compiler", trace_provenance_note, false}, {"flags", trace_provenance_note, false},
    {"cpu", trace_provenance_note, false},      {"system", trace_provenance_note, false},
    {"host", trace_provenance_note, false},
};

static void compare_work(struct diff *diff) {
    const struct trace_data *a = diff->trace[0], *b = diff->trace[1];
    for (int p = 0; p < a->parameter_count; ++p)
        if (strcmp(a->parameters[p].path, "backend") != 0)
            add_if_different(&diff->work, a->parameters[p].path, a->parameters[p].value,
                             trace_parameter_text(b, a->parameters[p].path));
    for (int p = 0; p < b->parameter_count; ++p)
        if (!trace_parameter_text(a, b->parameters[p].path))
            add_if_different(&diff->work, b->parameters[p].path, NULL, b->parameters[p].value);
    for (size_t n = 0; n < sizeof notes / sizeof *notes; ++n)
        add_if_different(notes[n].is_work ? &diff->work : &diff->environment, notes[n].name,
                         notes[n].read(a, notes[n].name), notes[n].read(b, notes[n].name));
}

/* ---- Frames and geometry ---- */

static void compare_frames(struct diff *diff) {
    const struct trace_data *a = diff->trace[0], *b = diff->trace[1];
    for (int f = 0, g = 0; f < a->frames && g < b->frames;) {
        if (a->frame_index[f] != b->frame_index[g]) {
            *(a->frame_index[f] < b->frame_index[g] ? &f : &g) += 1;
            continue;
        }
        ++diff->common;
        if (strcmp(a->frame_hash[f], b->frame_hash[g]) != 0 && diff->first_different < 0)
            diff->first_different = (int)a->frame_index[f];
        else if (diff->first_different < 0)
            diff->last_same = (int)a->frame_index[f];
        ++f;
        ++g;
    }
}

static const struct {
    const char *name;
    int (*read)(const struct trace_data *data, int k, double *out);
} geometry[] = {{"position", trace_read_mesh}, {"velocity", trace_read_velocity}};

/* Positions (g = 0) or velocities (g = 1) of the k-th geometry, as reals of the precision of the file. Newly allocated;
 * the caller frees it. NULL after fail(). */
static void *geometry_read(const struct trace_data *trace, int g, int k) {
    const size_t reals = 3 * trace->nodes;
    AUTO_FREE double *wide = memory_large(reals * sizeof *wide);
    void *packed = memory_large(reals * (size_t)trace->real_size);
    if (!wide || !packed) {
        fail("the geometry of %zu nodes does not fit into memory", trace->nodes);
    } else if (!geometry[g].read(trace, k, wide)) {
        for (size_t i = 0; i < reals; ++i)
            real_store(packed, i, wide[i], trace->real_size);
        return packed;
    }
    free(packed);
    return NULL;
}

/* Find where two recorded geometries differ: geometry k[0] of trace A and k[1] of trace B. */
static int compare_geometry(struct diff *diff, const int k[2]) {
    const struct trace_data *trace = diff->trace[0];
    int status = STATUS_OK;
    diff->difference = (struct difference){.column = -1, .row = -1, .real_size = trace->real_size};
    for (int g = 0; !status && g < 2; ++g) {
        AUTO_FREE void *a = geometry_read(diff->trace[0], g, k[0]),
                       *b = a ? geometry_read(diff->trace[1], g, k[1]) : NULL;
        if (a && b)
            difference_add(&diff->difference, geometry[g].name, a, b, trace->nodes, 3 * (size_t)trace->real_size);
        else
            status = STATUS_BAD;
    }
    const char *nodes = trace_parameter_text(trace, "body.cloth.nodes"); /* "COLUMNS ROWS" */
    const long columns = nodes ? strtol(nodes, NULL, 10) : 0;
    if (!status && diff->difference.found && columns > 0) {
        diff->difference.column = (int)(diff->difference.element % (size_t)columns);
        diff->difference.row = (int)(diff->difference.element / (size_t)columns);
    }
    return status;
}

/* Find the first frame whose geometry is recorded in both traces and differs. The runs are not run again. */
static int find_geometry(struct diff *diff) {
    const struct trace_data *a = diff->trace[0], *b = diff->trace[1];
    int status = STATUS_OK;
    if (a->nodes != b->nodes || a->real_size != b->real_size)
        return status;
    for (int k = 0; !status && !diff->difference.found && k < a->mesh_frames; ++k) {
        const int64_t frame = a->frame_index[a->mesh_frame[k]];
        const int pair[2] = {k, trace_geometry_at(b, frame)};
        if (frame < diff->first_different || pair[1] < 0)
            continue;
        status = compare_geometry(diff, pair);
        if (diff->difference.found)
            diff->geometry_frame = (int)frame;
    }
    return status;
}

int diff_traces(const struct trace_data *a, const struct trace_data *b, const char *const *backends, struct diff *out) {
    *out = (struct diff){
        .trace = {a, b}, .last_same = -1, .first_different = -1, .first_mismatch = {-1, -1}, .geometry_frame = -1};
    compare_work(out);
    compare_frames(out);
    const bool all = out->common > 0 && out->common == a->frames && out->common == b->frames;
    out->same = all && !out->work.count && out->first_different < 0;
    int status = STATUS_OK;
    if (out->first_different >= 0 || (backends && out->common))
        status = run_again(out, backends, out->first_different >= 0 ? out->first_different : out->last_same);
    if (!status && out->first_different >= 0 && !out->difference.found)
        status = find_geometry(out);
    if (out->depth >= DEPTH_FRAME)
        out->same = false;
    return status;
}

void diff_free(struct diff *diff) {
    contrasts_free(&diff->work);
    contrasts_free(&diff->environment);
    free(diff->stopped);
    *diff = (struct diff){.common = 0};
}
