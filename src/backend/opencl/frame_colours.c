#include "backend/opencl/frame_colours.h"

#include <stdio.h>

/* What a stage by colours is over. */
struct colours {
    const struct kernel *kernel;
    const char *type; /* of what is taken of an item */
    int count, colouring;
    const int *start; /* [count + 1] */
    int lanes;        /* of a group */
};

static struct colours colours_of(const struct frame *f, const struct stage *stage) {
    const struct kernel *kernel = &f->program->kernels[stage->a];
    return (struct colours){kernel,
                            kernel->hints.prefetched,
                            f->program->colourings[stage->b].colours,
                            stage->b,
                            f->program->colourings[stage->b].start,
                            (int)f->shape->lanes};
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

/* Each lane's items one after the other. */
static void write_plain(struct frame *f, const struct colours *of) {
    listing_open(&f->text, "for (int c = 0; c < %d; ++c)", of->count);
    listing_line(&f->text, "const int end = start%d[c + 1];", of->colouring);
    listing_line(&f->text, "for (int item = start%d[c] + lane; item < end; item += LANES)", of->colouring);
    frame_call(f, "    ", of->kernel, "", "step, item");
    listing_line(&f->text, "MEET;");
    listing_close(&f->text);
}

/* Project an item of which `taken` was taken, and leave what it keeps of its own. */
static void write_apply(struct frame *f, const struct colours *of, const char *item, const char *taken) {
    listing_open(&f->text, "if (%s < end)", item);
    frame_call(f, "", of->kernel, "_apply", "step, %s, &%s", item, taken);
    if (of->kernel->hints.writes_back)
        frame_call(f, "", of->kernel, "_keep", "%s, &%s", item, taken);
    listing_close(&f->text);
}

/* The next colour's turn. */
static void write_next(struct frame *f) {
    listing_line(&f->text, "item = next;");
    listing_line(&f->text, "end = next_end;");
    listing_line(&f->text, "MEET;");
    listing_close(&f->text);
}

/* The same where what no other item changes is taken for the next colour while this one is at work: its reads are under
 * way before the meeting. Where there is none in the next colour, it is the first colour's, or, while that is at
 * work, the last one's; none of these is written then, and what is taken is not used. */
static void write_ahead(struct frame *f, const struct colours *of) {
    struct listing *l = &f->text;
    listing_block(l);
    listing_line(l, "const int FIRST = %d, LAST = %d;", of->start[0], of->start[of->count] - 1);
    listing_line(l, "int item = FIRST + lane, end = start%d[1];", of->colouring);
    listing_line(l, "%s taken =", of->type);
    frame_call(f, "    ", of->kernel, "_take", "item < LAST ? item : LAST");
    listing_open(l, "for (int c = 0; c < %d; ++c)", of->count);
    listing_line(l, "const int next = end + lane, next_end = start%d[c + 2];", of->colouring);
    listing_line(l, "const %s next_taken =", of->type);
    frame_call(f, "    ", of->kernel, "_take", "next <= LAST ? next : c ? FIRST : LAST");
    write_apply(f, of, "item", "taken");
    listing_line(l, "for (item += LANES; item < end; item += LANES)");
    frame_call(f, "    ", of->kernel, "", "step, item");
    listing_line(l, "taken = next_taken;");
    write_next(f);
    listing_close(l);
}

/* Into NAME0, NAME1, ... what lanes take of their items from `first` on, where there is one before `end`. */
static void write_takes(struct frame *f, const struct colours *of, const char *name, const char *first, const char *end,
                        int turns) {
    for (int t = 0; t < turns; ++t) {
        listing_line(&f->text, "if (%s + %d < %s)", first, t * of->lanes, end);
        listing_line(&f->text, "    %s%d =", name, t);
        frame_call(f, "        ", of->kernel, "_take", "%s + %d", first, t * of->lanes);
    }
}

/* The same where a lane takes all its items of the next colour: as many turns as the largest colour has. Ahead of its
 * work on this one where it has the registers; else behind it, so that the reads are under way while it waits for the
 * others. Behind, it stays unset where there is none: that read would take a tenth of the Bunny's frame on an H100. */
static void write_turns(struct frame *f, const struct colours *of) {
    struct listing *l = &f->text;
    const int turns = list_turns_at_most(of->start, of->count, f->shape->lanes);
    const bool is_early = f->shape->lanes <= LIST_ALONE;
    listing_block(l);
    listing_line(l, "int item = %d + lane, end = start%d[1];", of->start[0], of->colouring);
    for (int t = 0; t < turns; ++t) {
        listing_line(l, "%s taken%d%s", of->type, t, is_early ? " =" : ";");
        if (is_early) /* where there is none, the last colour's, not at work yet; unused */
            frame_call(f, "    ", of->kernel, "_take", "item + %d < end ? item + %d : %d", t * of->lanes, t * of->lanes,
                       of->start[of->count] - 1);
    }
    if (!is_early)
        write_takes(f, of, "taken", "item", "end", turns);
    listing_open(l, "for (int c = 0; c < %d; ++c)", of->count);
    listing_line(l, "const int next = end + lane, next_end = start%d[c + 2];", of->colouring);
    for (int t = 0; is_early && t < turns; ++t)
        listing_line(l, "%s next%d = taken%d;", of->type, t, t);
    if (is_early)
        write_takes(f, of, "next", "next", "next_end", turns);
    for (int t = 0; t < turns; ++t) {
        char item[32], taken[32];
        snprintf(item, sizeof item, "item + %d", t * of->lanes);
        snprintf(taken, sizeof taken, "taken%d", t);
        write_apply(f, of, item, taken);
    }
    if (!is_early)
        write_takes(f, of, "taken", "next", "next_end", turns);
    for (int t = 0; is_early && t < turns; ++t)
        listing_line(l, "taken%d = next%d;", t, t);
    write_next(f);
    listing_close(l);
}

/* One colour after the other in the source, of what is held. */
static void write_held(struct frame *f, const struct colours *of, int s) {
    for (int c = 0; c < of->count; ++c) {
        for (int t = 0; t < list_turns_of(of->start, c, f->shape->lanes); ++t) {
            const int begin = of->start[c] + t * of->lanes;
            listing_line(&f->text, "if (%d + lane < %d)", begin, of->start[c + 1]);
            frame_call(f, "    ", of->kernel, "_apply", "step, %d + lane, &held%d_%d_%d", begin, s, c, t);
        }
        listing_line(&f->text, "MEET;");
    }
}

void frame_write_colours(struct frame *f, const struct stage *stage, int s, bool is_held) {
    const struct colours of = colours_of(f, stage);
    if (of.count <= 0)
        return;
    const bool has_items = of.start[of.count] > of.start[0];
    if (is_held)
        write_held(f, &of, s);
    else if (list_takes_all(f->program, stage, f->shape))
        write_turns(f, &of);
    else if (has_items && list_takes_ahead(f->program, stage, f->shape))
        write_ahead(f, &of);
    else
        write_plain(f, &of);
}

/* Where a lane has no item, it takes the first one's, which is not used. */
void frame_hold_colours(struct frame *f, const struct stage *stage, int s) {
    const struct colours of = colours_of(f, stage);
    for (int c = 0; c < of.count; ++c)
        for (int t = 0; t < list_turns_of(of.start, c, f->shape->lanes); ++t) {
            const int begin = of.start[c] + t * of.lanes;
            listing_line(&f->text, "%s held%d_%d_%d =", of.type, s, c, t);
            frame_call(f, "    ", of.kernel, "_take", "%d + lane < %d ? %d + lane : %d", begin, of.start[c + 1], begin,
                       of.start[0]);
        }
}

void frame_keep_colours(struct frame *f, const struct stage *stage, int s) {
    const struct colours of = colours_of(f, stage);
    for (int c = 0; c < of.count && of.kernel->hints.writes_back; ++c)
        for (int t = 0; t < list_turns_of(of.start, c, f->shape->lanes); ++t) {
            const int begin = of.start[c] + t * of.lanes;
            listing_line(&f->text, "if (%d + lane < %d)", begin, of.start[c + 1]);
            frame_call(f, "    ", of.kernel, "_keep", "%d + lane, &held%d_%d_%d", begin, s, c, t);
        }
}
