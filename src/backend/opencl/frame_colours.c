#include "backend/opencl/frame_colours.h"

#include <stdio.h>

/* A STAGE_COLOURS for which code is written. */
struct colours {
    const struct kernel *kernel;
    const char *type; /* type of the prefetched data of an item */
    const struct colouring *colouring;
    int index, count; /* index of the colouring; number of its colours */
    int lanes;        /* lanes of a group */
};

static struct colours colours_of(const struct frame *f, const struct stage *stage) {
    const struct kernel *kernel = &f->program->kernels[stage->a];
    const struct colouring *colouring = &f->program->colourings[stage->b];
    return (struct colours){kernel,   kernel->hints.prefetched, colouring,
                            stage->b, colouring->colours,       (int)f->shape->lanes};
}

void frame_write_starts(struct frame *f) {
    for (int k = 0; k < PROGRAM_COLOURINGS; ++k) {
        const int colours = f->program->colourings[k].colours, *start = f->program->colourings[k].start;
        if (colours <= 0)
            continue;
        fprintf(f->text.out, "__constant int start%d[%d] = {", k, colours + 2);
        for (int c = 0; c <= colours; ++c)
            fprintf(f->text.out, "%d, ", start[c]);
        fprintf(f->text.out, "%d};\n", start[colours]);
    }
}

/* Write a stage without prefetching: for each colour, each lane runs its items. */
static void write_plain(struct frame *f, const struct colours *of) {
    source_open(&f->text, "for (int c = 0; c < %d; ++c)", of->count);
    source_line(&f->text, "const int end = start%d[c + 1];", of->index);
    source_line(&f->text, "for (int item = start%d[c] + lane; item < end; item += TOTAL_LANES)", of->index);
    frame_call(f, "    ", of->kernel, "", "step, item");
    source_line(&f->text, "BARRIER;");
    source_close(&f->text);
}

/* Write the code that applies the prefetched data of an item. If kernel_hints.writes_back, the code also writes the
 * data back. */
static void write_apply(struct frame *f, const struct colours *of, const char *item, const char *prefetched) {
    source_open(&f->text, "if (%s < end)", item);
    frame_call(f, "", of->kernel, "_apply", "step, %s, &%s", item, prefetched);
    if (of->kernel->hints.writes_back)
        frame_call(f, "", of->kernel, "_write_back", "%s, &%s", item, prefetched);
    source_close(&f->text);
}

/* Write the end of the loop over colours: continue with the next colour. */
static void write_next(struct frame *f) {
    source_line(&f->text, "item = next;");
    source_line(&f->text, "end = next_end;");
    source_line(&f->text, "BARRIER;");
    source_close(&f->text);
}

/* Write a stage with prefetching of one item. A lane reads its first item of the next colour before it runs its items
 * of this colour, so the reads are in progress at the barrier. If the next colour has no item for the lane, the lane
 * reads an item that it does not use: an item of a later colour, if there is one. Otherwise the lane reads item LAST
 * during the first colour, and item FIRST during the other colours. */
static void write_prefetch_first(struct frame *f, const struct colours *of) {
    struct source_writer *l = &f->text;
    source_block(l);
    source_line(l, "const int FIRST = %d, LAST = %d;", of->colouring->start[0], of->colouring->start[of->count] - 1);
    source_line(l, "int item = FIRST + lane, end = start%d[1];", of->index);
    source_line(l, "%s prefetched =", of->type);
    frame_call(f, "    ", of->kernel, "_prefetch", "item < LAST ? item : LAST");
    source_open(l, "for (int c = 0; c < %d; ++c)", of->count);
    source_line(l, "const int next = end + lane, next_end = start%d[c + 2];", of->index);
    source_line(l, "const %s next_prefetched =", of->type);
    frame_call(f, "    ", of->kernel, "_prefetch", "next <= LAST ? next : c ? FIRST : LAST");
    write_apply(f, of, "item", "prefetched");
    source_line(l, "for (item += TOTAL_LANES; item < end; item += TOTAL_LANES)");
    frame_call(f, "    ", of->kernel, "", "step, item");
    source_line(l, "prefetched = next_prefetched;");
    write_next(f);
    source_close(l);
}

/* Write the code that loads the prefetched data of a lane's items into the variables NAME0, NAME1, ... `first` is the
 * lane's first item. Items from `end` on are not loaded. */
static void write_loads(struct frame *f, const struct colours *of, const char *name, const char *first, const char *end,
                        int iterations) {
    for (int t = 0; t < iterations; ++t) {
        source_line(&f->text, "if (%s + %d < %s)", first, t * of->lanes, end);
        source_line(&f->text, "    %s%d =", name, t);
        frame_call(f, "        ", of->kernel, "_prefetch", "%s + %d", first, t * of->lanes);
    }
}

/* Write a stage with prefetching of all items of the next colour, in as many iterations as the largest colour needs. In
 * a group of at most SINGLE_GROUP_LANES lanes, each lane has enough registers to load the next items before it runs
 * this colour. In a larger group a lane loads the next items after it has run this colour, so the reads are in progress
 * while it waits at the barrier.
 *
 * A lane may have no item in a colour. In a group of at most SINGLE_GROUP_LANES lanes, such a lane reads another item
 * for the first colour, and keeps a copy of its older data for each later colour. In a larger group such a lane neither
 * reads nor copies data for the colour. If such a lane read another item in a larger group, too, a frame of the Bunny
 * would take a tenth longer on an H100. */
static void write_prefetch_all(struct frame *f, const struct colours *of) {
    struct source_writer *l = &f->text;
    const int iterations = max_colour_iterations(of->colouring, f->shape->lanes);
    const bool loads_first = f->shape->lanes <= SINGLE_GROUP_LANES;
    source_block(l);
    source_line(l, "int item = %d + lane, end = start%d[1];", of->colouring->start[0], of->index);
    for (int t = 0; t < iterations; ++t) {
        source_line(l, "%s prefetched%d%s", of->type, t, loads_first ? " =" : ";");
        if (loads_first) /* A lane without an item reads the last item, which no lane has changed yet, and does not use
                            it. */
            frame_call(f, "    ", of->kernel, "_prefetch", "item + %d < end ? item + %d : %d", t * of->lanes,
                       t * of->lanes, of->colouring->start[of->count] - 1);
    }
    if (!loads_first)
        write_loads(f, of, "prefetched", "item", "end", iterations);
    source_open(l, "for (int c = 0; c < %d; ++c)", of->count);
    source_line(l, "const int next = end + lane, next_end = start%d[c + 2];", of->index);
    for (int t = 0; loads_first && t < iterations; ++t)
        source_line(l, "%s next%d = prefetched%d;", of->type, t, t);
    if (loads_first)
        write_loads(f, of, "next", "next", "next_end", iterations);
    for (int t = 0; t < iterations; ++t) {
        char item[32], prefetched[32];
        snprintf(item, sizeof item, "item + %d", t * of->lanes);
        snprintf(prefetched, sizeof prefetched, "prefetched%d", t);
        write_apply(f, of, item, prefetched);
    }
    if (!loads_first)
        write_loads(f, of, "prefetched", "next", "next_end", iterations);
    for (int t = 0; loads_first && t < iterations; ++t)
        source_line(l, "prefetched%d = next%d;", t, t);
    write_next(f);
    source_close(l);
}

/* Write calls of the function NAME`suffix` (kernel_source.h) on the cached data of all items, in the order of their
 * colours. The arguments after the buffers and the parameters begin with `first`. A barrier follows each colour if
 * `has_barriers`. */
static void write_cached(struct frame *f, const struct colours *of, int s, const char *suffix, const char *first,
                         bool has_barriers) {
    for (int c = 0; c < of->count; ++c) {
        for (int t = 0; t < colour_iterations(of->colouring, c, f->shape->lanes); ++t) {
            const int begin = of->colouring->start[c] + t * of->lanes;
            source_line(&f->text, "if (%d + lane < %d)", begin, of->colouring->start[c + 1]);
            frame_call(f, "    ", of->kernel, suffix, "%s%d + lane, &cached%d_%d_%d", first, begin, s, c, t);
        }
        if (has_barriers)
            source_line(&f->text, "BARRIER;");
    }
}

void frame_write_colours(struct frame *f, const struct stage *stage, int s, bool is_cached) {
    const struct colours of = colours_of(f, stage);
    if (of.count <= 0)
        return;
    const bool has_items = of.colouring->start[of.count] > of.colouring->start[0];
    if (is_cached)
        write_cached(f, &of, s, "_apply", "step, ", true);
    else if (stage_prefetches_all(f->program, stage, f->shape))
        write_prefetch_all(f, &of);
    else if (has_items && stage_prefetches(f->program, stage, f->shape))
        write_prefetch_first(f, &of);
    else
        write_plain(f, &of);
}

/* A lane without an item reads the first item of the first colour, and does not use it. */
void frame_write_cache_loads(struct frame *f, const struct stage *stage, int s) {
    const struct colours of = colours_of(f, stage);
    for (int c = 0; c < of.count; ++c)
        for (int t = 0; t < colour_iterations(of.colouring, c, f->shape->lanes); ++t) {
            const int begin = of.colouring->start[c] + t * of.lanes;
            source_line(&f->text, "%s cached%d_%d_%d =", of.type, s, c, t);
            frame_call(f, "    ", of.kernel, "_prefetch", "%d + lane < %d ? %d + lane : %d", begin,
                       of.colouring->start[c + 1], begin, of.colouring->start[0]);
        }
}

void frame_write_cache_stores(struct frame *f, const struct stage *stage, int s) {
    const struct colours of = colours_of(f, stage);
    if (of.kernel->hints.writes_back)
        write_cached(f, &of, s, "_write_back", "", false);
}
