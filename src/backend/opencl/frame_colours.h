/* Generates the code of the stages STAGE_COLOURS in a list program's frame kernel (frame_source.h). */
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

/* Write a line that calls the function NAME`suffix` of kernel_source.h, where NAME is the kernel's name. The function's
 * arguments are the kernel's buffers, the parameters, and the arguments in `format`. `before` is text before the
 * call. */
void frame_call(struct frame *f, const char *before, const struct kernel *kernel, const char *suffix,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Write a constant array for each colouring, with the first item of each colour. The end of the last colour follows
 * twice, because the code also reads the end of a colour after the last one. Call this function before the kernel is
 * written. */
void frame_write_starts(struct frame *f);

/* Write stage s, which runs a kernel by colours. If is_cached, the items are in the registers that
 * frame_write_cache_loads filled. */
void frame_write_colours(struct frame *f, const struct stage *stage, int s, bool is_cached);

/* For a stage with the register cache (frame_shape.h). frame_write_cache_loads writes the code before the loop: each
 * lane loads the prefetched data of all its items into registers. frame_write_cache_stores writes the code after the
 * loop: each lane stores the data that its items write back. */
void frame_write_cache_loads(struct frame *f, const struct stage *stage, int s);
void frame_write_cache_stores(struct frame *f, const struct stage *stage, int s);

#endif
