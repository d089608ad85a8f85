/* Compare the results of two traces bit by bit. */
#ifndef SPRINGBACK_TESTS_SAME_TRACE_H
#define SPRINGBACK_TESTS_SAME_TRACE_H

#include "base/memory.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* The first difference between `trace` and `reference`, or NULL if there is none. If `trace` is not whole, it may have
 * fewer frames than `reference`. */
static inline const char *trace_difference(const struct trace_data *trace, const struct trace_data *reference) {
    const size_t frames = (size_t)trace->frames, bytes = 3 * reference->nodes * sizeof(double);
    const char *last = trace_run_note(trace, "state_hash"), *wanted = trace_run_note(reference, "state_hash");
    if (trace->frames > reference->frames || trace->mesh_frames > reference->mesh_frames)
        return "there are more frames";
    if (trace->whole && (trace->frames != reference->frames || trace->mesh_frames != reference->mesh_frames))
        return "frames are missing";
    if (trace->whole && (!last || !wanted || strcmp(last, wanted) != 0))
        return "the final hash";
    if (frames && (memcmp(trace->frame_index, reference->frame_index, frames * sizeof *trace->frame_index) != 0 ||
                   memcmp(trace->frame_time, reference->frame_time, frames * sizeof *trace->frame_time) != 0))
        return "the numbers or times of frames";
    if (frames && memcmp(trace->frame_hash, reference->frame_hash, frames * sizeof *trace->frame_hash) != 0)
        return "a frame's hash";
    if (trace->series_count != reference->series_count)
        return "the number of series";
    for (int s = 0; s < trace->series_count && frames; ++s)
        if (memcmp(trace->values[s], reference->values[s], frames * sizeof(double)) != 0)
            return trace->series[s].name;
    double *a = memory_large(bytes), *b = memory_large(bytes);
    const char *wrong = NULL;
    for (int k = 0; k < trace->mesh_frames && !wrong; ++k) {
        if (trace->mesh_frame[k] != reference->mesh_frame[k])
            wrong = "the numbers of frames with geometry";
        for (int v = 0; v < 2 && !wrong; ++v) {
            int (*read)(const struct trace_data *, int, double *) = v ? trace_read_velocity : trace_read_mesh;
            if (read(trace, k, a) || read(reference, k, b) || memcmp(a, b, bytes) != 0)
                wrong = v ? "a velocity" : "a position";
        }
    }
    free(a);
    free(b);
    return wrong;
}

#endif
