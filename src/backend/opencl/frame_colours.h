/* How the frame of a listed program (frame_source.h) goes through a list colour by colour. */
#ifndef SPRINGBACK_BACKEND_FRAME_COLOURS_H
#define SPRINGBACK_BACKEND_FRAME_COLOURS_H

#include "backend/opencl/frame_shape.h"
#include "backend/opencl/listing.h"

/* A frame as it is written. */
struct frame {
    struct listing text;
    const struct program *program;
    const struct frame_shape *shape;
};

/* Write a line that calls NAME and `suffix` (kernel_source.h) with the kernel's buffers, the parameters and what
 * `format` says. `before` stands before it. */
void frame_call(struct frame *f, const char *before, const struct kernel *kernel, const char *suffix,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Write, before the kernel, where the colours of each colouring start, and once more where the last ends. */
void frame_write_starts(struct frame *f);

/* Write the s-th stage, which runs a kernel by colours; where it `is_held`, of what lanes hold. */
void frame_write_colours(struct frame *f, const struct stage *stage, int s, bool is_held);

/* Ahead of a repetition: each lane takes what it holds of all its items; and behind it: it leaves what they keep. */
void frame_hold_colours(struct frame *f, const struct stage *stage, int s);
void frame_keep_colours(struct frame *f, const struct stage *stage, int s);

#endif
