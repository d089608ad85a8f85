/* A method's program: what it keeps in memory, and the stages of one frame. Backends run it; they know no physics. */
#ifndef SPRINGBACK_METHOD_PROGRAM_H
#define SPRINGBACK_METHOD_PROGRAM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    PROGRAM_BUFFERS = 29,
    PROGRAM_KERNELS = 16,
    PROGRAM_STAGES = 32,
    KERNEL_BUFFERS = 16,
    PROGRAM_CONSTANTS = 8,
    PROGRAM_COLOURINGS = 4
};

enum sharing {
    BUFFER_OWN,    /* an item is touched by the work item of its own index alone */
    BUFFER_SHARED, /* others read it too */
    BUFFER_FIXED,  /* likewise, and no stage writes it: in OpenCL C its pointers are of constants */
    BUFFER_FRAME,  /* the same, of a frame alone: written before it is read, and read by none after it. In OpenCL C its
                    * pointers are FRAME_SPACE, so that it can lie in local memory */
    BUFFER_SPARE,  /* likewise, SPARE_SPACE: where local memory has room for all of these beside those */
    BUFFER_TOTAL   /* one quad that a STAGE_SUM leaves: kernels only read it, by a pointer marked TOTAL */
};

struct buffer {
    const char *name, *type; /* in OpenCL C: "quad" */
    enum sharing sharing;
    size_t items, item_size; /* bytes an item */
};

/* A rectangle of work items: columns and rows; a plain list has one row. */
struct range {
    int column_begin, column_end, row_begin, row_end;
};

/* An argument of a kernel: the program's buffer, and the member of the method's struct that points to it. */
struct binding {
    int buffer;
    const char *member; /* NULL behind the last */
    size_t offset;      /* of the member, in both precisions */
};
#define BIND(type, member, buffer)                                                                                     \
    { (buffer), #member, offsetof(struct type, member) }

/* Runs a kernel's item function over a range. `arguments` is the method's struct, as kernel_arguments fills it. */
typedef void kernel_loop(const void *arguments, struct range range);

/* Bytes that hold any method's struct. */
enum { ARGUMENT_BYTES = 1024 };

/* What a sweep works with beside the buffers. */
struct sweep_room {
    void *scratch;        /* a thread's own */
    const void *prepared; /* for all, what `prepare` made */

    /* Of a sweep that adds up, where a STAGE_SUM follows: where the sums of the blocks of its range go, and what the
     * STAGE_SUM before it had there; by the blocks' indices (method/tree_sum.h). Else NULL. */
    void *sums;
    const void *sums_before;
};

/* Items of a list are shared out in whole blocks of so many: a multiple of what sums and sweeps want. */
enum { LIST_BLOCK = 512 };

/* The same bits over several time steps, shaped for vector units: it reads a range and what is around it, and writes
 * the range as it is after the last. */
struct sweep {
    void (*run)(struct sweep_room room, const void *arguments, int steps, struct range range);
    size_t scratch; /* bytes that each thread brings, aligned to 64 and zero at first */
    int steps;      /* at most, where a program's step is this kernel and swaps alone; 1 elsewhere */

    /* Where the sums of its range's blocks are asked for, it makes them, and need not leave the items' quads. */
    bool adds_up;

    /* What is made of those of the kernel's buffers that no stage writes (BUFFER_FIXED), and of inverse masses, which
     * stay what they are at first: once, and again when one of those was written from outside. Takes about twice
     * their memory. Freed by free(); NULL where memory does not suffice. May itself be NULL. */
    void *(*prepare)(const void *arguments, int items);

    /* Of a kernel that runs by colours, where `turns` says so of what was prepared: between `enter` and `leave` what
     * its items move lies elsewhere, as suits its vectors. Each of `count` threads does its share, and all meet behind
     * it; no other kernel runs between. NULL where there is no such thing. */
    bool (*turns)(const void *prepared);
    void (*enter)(struct sweep_room room, const void *arguments, int index, int count);
    void (*leave)(struct sweep_room room, const void *arguments, int index, int count);
};

/* What makes a kernel faster on some backends, and changes no bit. Zero is right for every kernel. */
struct kernel_hints {
    /* Items of a list below which a thread's share costs less than a barrier; 0: as most. */
    int grain;

    /* A frame's kernel calls NAME_held_item(item, held, m), or NAME_held_all(item, held, p, m) if is_collective, with
     * what the program holds of the item (program_hints). */
    bool is_held;

    /* Of a list's kernel, in OpenCL C: the type of what NAME_take_item(item, m) reads of what no other item writes, and
     * its 4-byte words; NAME_apply_item(item, taken, m) does the rest. So the reads can begin before other items have
     * finished. NULL if there is no such pair. */
    const char *prefetched;
    int prefetched_words;
    bool writes_back; /* NAME_apply_item leaves in `taken` what NAME_keep_item(item, taken, m) writes */
};

/* One operation on each item of a list or grid. kernels/ has its item function NAME_item(item, m), where m points to
 * the method's struct. The loops in C (method/loops.h) and the functions in OpenCL C (backend/opencl/kernel_source.h)
 * are made from the name and the bindings. */
struct kernel {
    const char *name;
    kernel_loop *loop; /* in C, in the program's precision: plain, the reference. NULL where a paper's own program
                        * is OpenCL's alone */
    const struct sweep *sweep; /* for this processor; NULL where there is none */
    struct binding bindings[KERNEL_BUFFERS + 1];
    int columns, rows;  /* items; a list has one row */
    bool is_collective; /* in OpenCL C all work items call NAME_all(item, p, m), also those without an item: a sum over
                         * a warp needs all of them */
    int group;          /* work items of a group in OpenCL, where a paper says so; 0 leaves it to the backend */
    struct kernel_hints hints;
};

enum stage_kind {
    STAGE_STEPS,  /* repeat what follows up to STAGE_END `count` times, and count the time step after each */
    STAGE_REPEAT, /* repeat what follows up to STAGE_END `count` times */
    STAGE_END,
    STAGE_RUN,    /* run kernel `a` over its items */
    STAGE_SWAP,   /* exchange the contents of buffers `a` and `b` */
    STAGE_SUM,    /* add up the quads of buffer `a` by the fixed tree (method/tree_sum.h) into buffer `b` */
    STAGE_HOST,   /* run kernel `a` on the host: a device's buffers are read back for it, and written again */
    STAGE_COLOURS /* run kernel `a`, a list's, colour by colour of colouring `b`: all meet after each */
};

struct stage {
    enum stage_kind kind;
    int a, b, count;
};

/* The same of a program. */
struct program_hints {
    /* The same frame, bit-identical, with fewer stages, each of which costs more: for backends on which a barrier
     * between two stages is what costs. None if the count is 0. */
    struct stage fused_stages[PROGRAM_STAGES];
    int fused_count;

    bool low_register; /* kernels need few registers: a GPU's groups may have as many lanes as there can be */

    /* What a work item of a frame's kernel holds from first to last: of this type, from NAME_all(item, p, m). */
    struct {
        const char *type, *name;
        struct binding bindings[KERNEL_BUFFERS + 1];
    } held;

    /* A function of OpenCL C: of a buffer it gives a real, the same for all work items, that is not 0 once the rest of
     * a repetition would change nothing, sums included. A frame's kernel may then leave out the rest, except its swaps.
     * It is asked as a turn begins; what it reads is written after the turn's first sum. NULL if there is none. */
    struct {
        const char *name;
        int buffer;
    } ended;
};

struct program {
    const char *sources[12]; /* files of kernels/ for OpenCL, in order */
    int source_count;
    int real_size; /* 4 or 8 */
    struct buffer buffers[PROGRAM_BUFFERS];
    int buffer_count;
    /* Buffers of quads: the state that is recorded. An interrupted run goes on from x, y and z of the two and the
     * step's index: whatever else a frame leaves to the next must be as it was at the start, or the program has a
     * memory, and such a run begins anew. */
    int positions, velocities;
    bool has_memory;
    /* Kernels take the first so many buffers as STATE_SPACE (kernels/dialect.h), so that they can lie in local memory
     * through a frame; none of them is fixed. */
    int state_count;
    int record; /* the buffer of what the method notes of a frame; of methods that do */
    struct kernel kernels[PROGRAM_KERNELS];
    int kernel_count;
    struct stage stages[PROGRAM_STAGES];
    int stage_count;
    /* Items by colours, of which none touches what another of its colour touches: colour c is items start[c] to
     * start[c + 1] - 1. The starts are the body's, and outlive the program. */
    struct {
        int colours;
        const int *start; /* [colours + 1] */
    } colourings[PROGRAM_COLOURINGS];
    bool is_listed;  /* all kernels are lists' */
    bool is_inexact; /* its sums hang on who comes first: no two runs need end in the same bits */
    /* Macros that kernels have for what they else take from their parameters: a device's compiler may know them. */
    struct {
        const char *name;
        int value;
    } constants[PROGRAM_CONSTANTS];
    int constant_count;
    /* The method's struct: pointers to buffers, then the parameters `p`, then the index `step` of the time step. */
    const char *argument_type, *parameter_type; /* "struct xpbd", "struct xpbd_parameters" */
    size_t parameters_at;                       /* bytes before p, in both precisions */
    void *parameters;
    size_t parameter_size;
    struct program_hints hints;
};

/* How many bindings a list of them has. */
int binding_count(const struct binding *bindings);

/* Fill the method's struct for a kernel: its members by the kernel's bindings, of which the k-th buffer lies at
 * memory[k]; parameters; step. `out` has ARGUMENT_BYTES, aligned for any type. */
void kernel_arguments(const struct program *program, const struct kernel *kernel, void *const *memory, int step,
                      void *out);

/* Bytes of all buffers, and of the largest. */
size_t program_bytes(const struct program *program);
size_t program_largest_buffer(const struct program *program);

/* Whether a buffer is of a frame alone. */
bool buffer_is_of_frame(const struct buffer *buffer);

/* Items of the longest array that a stage adds up; 0 where none does. */
size_t program_most_summed(const struct program *program);

/* Whether a stage of the table runs a kernel, and the one behind it adds up what each item left at its own index: who
 * adds up what it made itself need not wait for others. */
bool program_is_summed(const struct program *program, const struct stage *stage);

/* Do a STAGE_SWAP: buffer b of the program lies at slot[b]. */
void program_swap(const struct stage *stage, int *slot);

/* Called for each stage that is no bracket in the order of execution. `step` counts from the frame's first step.
 * Returns a status; anything but STATUS_OK ends the walk. */
typedef int stage_visit(void *context, const struct stage *stage, int step);

/* Walk the table of one frame whose first time step has the index *step; *step is moved on. */
int program_walk(const struct program *program, stage_visit *visit, void *context, int *step);

/* Whether two programs differ in nothing but parameters and how often the brackets of their tables turn: the same
 * buffers, kernels, stages, colours and constants. */
bool program_is_alike(const struct program *a, const struct program *b);

/* Put the fused stages, if there are any, in the place of the others. */
void program_fuse(struct program *program);

/* How many stages of the table add up. */
int program_sums(const struct program *program);

/* The kernel of a frame that is nothing but steps of it and swaps, where it can do several at once; else NULL. */
const struct kernel *program_sweep(const struct program *program);

/* Said of a kernel's parameter struct and its last member: there is no padding behind it. So there are as many 4-byte
 * integers as fill eights: with one more its doubles' struct would be longer than what is counted from its floats'. */
#define PARAMETERS_END(type, last)                                                                                     \
    _Static_assert(offsetof(type, last) + sizeof(((type *)NULL)->last) == sizeof(type), "an even number of integers")

/* The program's fields on the method's struct. */
#define ARGUMENTS_ARE(type, parameters)                                                                                \
    .argument_type = "struct " #type, .parameter_type = "struct " #parameters, .parameters_at = offsetof(struct type, p)

/* Set the parameters from a kernel's parameter struct in double precision: `real_bytes` of doubles first, then 4-byte
 * integers. They are stored in the program's precision. */
void program_set_parameters(struct program *program, const void *parameters, size_t real_bytes, size_t bytes);

/* Put a stage behind those that there are. */
void program_add_stage(struct program *program, enum stage_kind kind, int a, int b, int count);

void program_add_constant(struct program *program, const char *name, int value);

/* The way back, exact. */
void program_get_parameters(const struct program *program, void *parameters, size_t real_bytes, size_t bytes);

/* Store or load the k-th real of an array of 4- or 8-byte reals. */
void real_store(void *array, size_t k, double value, int real_size);
double real_load(const void *array, size_t k, int real_size);

void program_free(struct program *program);

#endif
