/* springback export: results for other programs. */
#include "trace/export.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/verb.h"
#include "report/figure_data.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct export_verb {
    struct words sources;
    const char *format, *out;
    int frame;
};

/* Light from above, over the viewer's shoulder; a cloth's blue. */
static const struct export_view view = {.light = {-0.4, 0.8, 0.45}, .ambient = 0.3, .colour = 0x5b8fd0};

static int write_vtk(const struct export_verb *verb, const char *source) {
    struct trace_data trace;
    int status = folder_make(verb->out);
    if (!status && !(status = trace_open(source, &trace))) {
        status = export_vtk(&trace, verb->out);
        trace_close(&trace);
    }
    return status;
}

static int write_series(const struct export_verb *verb, const char *source) {
    (void)verb;
    struct trace_data trace;
    int status = trace_open(source, &trace);
    if (!status) {
        status = export_series(&trace, stdout);
        trace_close(&trace);
    }
    return status;
}

static int write_triangles(const struct export_verb *verb, const char *source) {
    struct trace_data trace;
    if (trace_open(source, &trace))
        return STATUS_BAD;
    int k = 0;
    while (k < trace.mesh_frames && trace.frame_index[trace.mesh_frame[k]] != verb->frame)
        ++k;
    int status = k < trace.mesh_frames ? export_triangles(&trace, k, &view, stdout, NULL)
                                       : fail("%s: the geometry of frame %d is not recorded; record.mesh_every says "
                                              "which frames are",
                                              source, verb->frame);
    trace_close(&trace);
    return status;
}

static int write_figure(const struct export_verb *verb, const char *source) {
    return figure_data_write(source, verb->out);
}

static const struct {
    const char *name;
    int (*write)(const struct export_verb *verb, const char *source);
} formats[] = {{"series", write_series}, {"vtk", write_vtk}, {"triangles", write_triangles}, {"figure", write_figure}};

enum { FORMATS = sizeof formats / sizeof *formats };

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0,
     "series (the default): a trace's series as a table on standard output. vtk: a .vtk series of its geometry. "
     "triangles: one frame's lit surface for gnuplot, on standard output. figure: the tables of an experiment's folder "
     "of traces",
     0},
    {"frame", 'n', "FRAME", 0, "Which frame's triangles (0)", 0},
    {"out", 'o', "DIR", 0, "Folder for what is written (the present one)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct export_verb *verb = state->input;
    switch (key) {
    case 'f':
        verb->format = argument;
        return 0;
    case 'o':
        verb->out = argument;
        return 0;
    case 'n': {
        char *end;
        long frame = strtol(argument, &end, 10);
        if (end == argument || *end || frame < 0 || frame > INT_MAX)
            argp_error(state, "--frame takes a frame's number, from 0; '%s' is none", argument);
        verb->frame = (int)frame;
        return 0;
    }
    case ARGP_KEY_ARG:
        words_add(&verb->sources, argument);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a trace (or, for figure, an experiment's folder) must be named");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int verb_export(int count, char **words) {
    struct export_verb verb = {.format = "series", .out = "."};
    const struct argp argp = {options,
                              parse,
                              "TRACE...",
                              "Write results for other programs."
                              "\vExample: a cloth's motion for a ParaView older than 5.12\n"
                              "  springback export --format vtk --out /tmp/push \\\n"
                              "      out/$(uname -n)/va2022/strong-push/step=0.00025.h5",
                              NULL,
                              NULL,
                              NULL};
    int status = verb_parse(&argp, count, words, &verb);
    if (status >= 0)
        return status;
    int f = 0;
    while (f < FORMATS && strcmp(formats[f].name, verb.format) != 0)
        ++f;
    status = f < FORMATS ? STATUS_OK
                         : fail("format '%s' is not known; series, vtk, triangles or figure would be", verb.format);
    for (int s = 0; !status && s < verb.sources.count; ++s)
        status = formats[f].write(&verb, verb.sources.words[s]);
    words_free(&verb.sources);
    return status ? complain() : STATUS_OK;
}
