/* Generates the STAGE_COLOURS of a list program's frame kernel (frame_source.h). */
#ifndef SPRINGBACK_BACKEND_FRAME_COLOURS_H
#define SPRINGBACK_BACKEND_FRAME_COLOURS_H

#include "backend/opencl/frame_shape.h"
#include "backend/opencl/source_writer.h"

/* A frame kernel while it is generated. */
struct frame {
    struct source_writer text;
    const struct program *program;
    const struct frame_shape *shape;
};

/* Write a line that calls NAME and `suffix` (kernel_source.h) with the kernel's buffers, the parameters, and the
 * arguments in `format`. `before` is text before the call. */
void frame_call(struct frame *f, const char *before, const struct kernel *kernel, const char *suffix,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Write the constant arrays of the colours' starts, before the kernel. Each ends with its last start twice. */
void frame_write_starts(struct frame *f);

/* Write stage s, which runs a kernel by colours; `is_cached`: on the registers that frame_write_cache_loads filled. */
void frame_write_colours(struct frame *f, const struct stage *stage, int s, bool is_cached);

/* Write the code before the loop of a cached stage (frame_shape.h): each lane loads the prefetched data of all its
 * items into registers. And the code after the loop: each lane stores what its items write back. */
void frame_write_cache_loads(struct frame *f, const struct stage *stage, int s);
void frame_write_cache_stores(struct frame *f, const struct stage *stage, int s);

#endif
