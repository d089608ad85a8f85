#include "base/json.h"
#include "diff/diff.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char side_name[2] = {'A', 'B'};

static const char *note(const struct trace_data *trace, const char *name) {
    const char *text = trace_run_note(trace, name);
    return text ? text : "-";
}

/* ---- Text ---- */

static void print_frames(const struct diff *diff, FILE *out) {
    if (!diff->common)
        fprintf(out, "frames: no frame is recorded in both traces (%d in A, %d in B)\n", diff->trace[0]->frames,
                diff->trace[1]->frames);
    else if (diff->first_different < 0)
        fprintf(out, "frames: bit-identical in all %d frames that both traces recorded\n", diff->common);
    else if (diff->last_same < 0)
        fprintf(out, "frames: frame %d is the first that differs, of %d recorded in both traces\n",
                diff->first_different, diff->common);
    else
        fprintf(out,
                "frames: frame %d is the first that differs, of %d recorded in both traces; bit-identical up to frame "
                "%d\n",
                diff->first_different, diff->common, diff->last_same);
    for (int k = 0; k < 2 && diff->common; ++k)
        if (diff->trace[k]->frames > diff->common)
            fprintf(out, "    %c has %d frames that the other trace lacks\n", side_name[k],
                    diff->trace[k]->frames - diff->common);
    for (int k = 0; k < 2; ++k)
        if (!diff->trace[k]->whole)
            fprintf(out, "    %c is the trace of an interrupted run\n", side_name[k]);
}

static void print_difference(const struct difference *difference, FILE *out) {
    const bool is_single = difference->real_size == 4;
    fprintf(out, "  element   %zu", difference->element);
    if (difference->column >= 0)
        fprintf(out, " (column %d, row %d)", difference->column, difference->row);
    fprintf(out, ", the first that differs; differing elements:");
    for (int b = 0; b < difference->buffer_count; ++b)
        fprintf(out, "%s %zu of %zu in %s", b ? "," : "", difference->buffers[b].differing,
                difference->buffers[b].elements, difference->buffers[b].buffer);
    fputc('\n', out);
    for (int p = 0; p < difference->pair_count; ++p) {
        const struct real_pair *pair = &difference->pairs[p];
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", pair->buffer, *pair->component && *pair->component != '[' ? "." : "",
                 pair->component);
        fprintf(out, "    %-18s", name);
        for (int k = 0; k < 2; ++k)
            fprintf(out, "  %*.*g 0x%0*" PRIx64, is_single ? 16 : 25, is_single ? 9 : 17, pair->value[k],
                    2 * difference->real_size, pair->bits[k]);
        if (pair->has_ulps)
            fprintf(out, "  %" PRIu64 " ulp%s\n", pair->ulps, pair->ulps == 1 ? "" : "s");
        else
            fprintf(out, "  one value is NaN\n");
    }
}

static void print_again(const struct diff *diff, FILE *out) {
    fprintf(out, "run again: A on %s, B on %s\n", diff->backend[0], diff->backend[1]);
    for (int k = 0; k < 2; ++k)
        if (diff->first_mismatch[k] >= 0)
            fprintf(
                out,
                "    %c: the new run is not bit-identical to the trace at frame %d: another program, kernel, driver or "
                "backend made the trace\n",
                side_name[k], diff->first_mismatch[k]);
    if (diff->depth == DEPTH_TRACES && !diff->stopped)
        fprintf(out, "  the new runs of A and B are bit-identical in every frame up to frame %d\n", diff->frame);
    if (diff->depth >= DEPTH_FRAME && diff->frame == 0)
        fprintf(out, "  frame     0: the initial states differ\n");
    else if (diff->depth >= DEPTH_FRAME)
        fprintf(out, "  frame     %d, the first that differs\n", diff->frame);
    if (diff->depth >= DEPTH_STEP)
        fprintf(out, "  step      %d of the run, counted from 0: number %d of the %d in the frame\n", diff->step,
                diff->step - diff->first_step + 1, diff->steps);
    if (diff->depth >= DEPTH_STAGE)
        fprintf(out, "  stage     %d of the program, counted from 0: %s%s\n", diff->stage,
                *diff->kernel ? "kernel " : "a function of the host", diff->kernel);
    if (diff->depth >= DEPTH_STAGE && diff->colour >= 0)
        fprintf(out, "  colour    %d, counted from 0: the first of the stage's %d colours that differs\n", diff->colour,
                diff->colours);
}

void diff_print(const struct diff *diff, FILE *out) {
    for (int k = 0; k < 2; ++k)
        fprintf(out, "%c  %s\n   %s, run %s: %s on %s\n", side_name[k], diff->trace[k]->path,
                note(diff->trace[k], "experiment"), note(diff->trace[k], "id"), note(diff->trace[k], "backend_kind"),
                note(diff->trace[k], "device"));
    fprintf(out, diff->work.count ? "work: DIFFERENT\n" : "work: the same\n");
    contrasts_print(&diff->work, "    ", out);
    if (diff->environment.count)
        fprintf(out, "the environment differs, which should not change the results:\n");
    contrasts_print(&diff->environment, "    ", out);
    print_frames(diff, out);
    if (diff->again)
        print_again(diff, out);
    if (diff->geometry_frame >= 0)
        fprintf(out, "recorded geometry: frame %d is the first that differs\n", diff->geometry_frame);
    if (diff->difference.found)
        print_difference(&diff->difference, out);
    if (diff->stopped)
        fprintf(out, "stopped: %s\n", diff->stopped);
}

/* ---- JSON ---- */

static json_t *json_bits(uint64_t bits, int real_size) {
    char text[32];
    snprintf(text, sizeof text, "0x%0*" PRIx64, 2 * real_size, bits);
    return json_string(text);
}

static json_t *json_difference(const struct difference *difference) {
    json_t *values = json_array(), *buffers = json_array();
    for (int p = 0; p < difference->pair_count; ++p) {
        const struct real_pair *pair = &difference->pairs[p];
        json_array_append_new(values,
                              json_pack("{ss ss so so so so so}", "buffer", pair->buffer, "component", pair->component,
                                        "a", json_number(pair->value[0]), "b", json_number(pair->value[1]), "a_bits",
                                        json_bits(pair->bits[0], difference->real_size), "b_bits",
                                        json_bits(pair->bits[1], difference->real_size), "ulps",
                                        pair->has_ulps ? json_integer((json_int_t)pair->ulps) : json_null()));
    }
    for (int b = 0; b < difference->buffer_count; ++b)
        json_array_append_new(buffers, json_pack("{ss sI sI}", "buffer", difference->buffers[b].buffer, "elements",
                                                 (json_int_t)difference->buffers[b].elements, "differing",
                                                 (json_int_t)difference->buffers[b].differing));
    return json_pack("{sI so so so so}", "element", (json_int_t)difference->element, "column",
                     json_index(difference->column), "row", json_index(difference->row), "buffers", buffers, "values",
                     values);
}

static json_t *json_again(const struct diff *diff) {
    const bool step = diff->depth >= DEPTH_STEP, stage = diff->depth >= DEPTH_STAGE;
    return json_pack(
        "{s[ss] s[oo] so so so so so so}", "backends", diff->backend[0], diff->backend[1], "not_in_trace_from_frame",
        json_index(diff->first_mismatch[0]), json_index(diff->first_mismatch[1]), "frame",
        json_index(diff->depth >= DEPTH_FRAME ? diff->frame : -1), "step", json_index(step ? diff->step : -1),
        "step_of_frame", json_index(step ? diff->step - diff->first_step : -1), "stage",
        json_index(stage ? diff->stage : -1), "kernel", stage && *diff->kernel ? json_string(diff->kernel) : json_null(), "colour",
        json_index(stage ? diff->colour : -1));
}

void diff_json(const struct diff *diff, FILE *out) {
    json_t *object = json_pack(
        "{so so sb so so s[ii] si so so so so so so}", "a", json_text(diff->trace[0]->path), "b",
        json_text(diff->trace[1]->path), "same", diff->same, "unlike", contrasts_json(&diff->work), "apart",
        contrasts_json(&diff->environment), "frames", diff->trace[0]->frames, diff->trace[1]->frames, "common_frames",
        diff->common, "last_same_frame", json_index(diff->last_same), "first_frame", json_index(diff->first_different),
        "again", diff->again ? json_again(diff) : json_null(), "geometry_frame", json_index(diff->geometry_frame),
        "first_element", diff->difference.found ? json_difference(&diff->difference) : json_null(), "stopped",
        diff->stopped ? json_text(diff->stopped) : json_null());
    json_print(object, out);
}
