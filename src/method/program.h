/* A method's program: the buffers, kernels and stages of one frame. Backends run programs; they contain no equations of
 * a method.
 *
 * A kernel is one operation on each item of a list, or of a grid of columns and rows. A stage runs a kernel, swaps two
 * buffers, adds up a buffer, or begins or ends a loop. A colouring divides the items of a list into colours. No item
 * moves a particle that another item of the same colour reads or moves. A backend may therefore run the items of a
 * colour in any order, but needs a barrier between two colours. */
#ifndef SPRINGBACK_METHOD_PROGRAM_H
#define SPRINGBACK_METHOD_PROGRAM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    PROGRAM_BUFFERS = 30,
    PROGRAM_KERNELS = 16,
    PROGRAM_STAGES = 32,
    KERNEL_BUFFERS = 16,
    PROGRAM_CONSTANTS = 8,
    PROGRAM_COLOURINGS = 4
};

enum sharing {
    BUFFER_OWN,    /* item i is read and written only by work item i */
    BUFFER_SUMMED, /* as BUFFER_OWN, but only STAGE_SUMs read it. Before each STAGE_SUM, a stage writes the buffer. This
                      stage may leave out an item that is already 0 and stays 0. If the stage writes no item, the sum
                      keeps its value. w of each item is 0. In OpenCL C, pointers to the buffer are SHARE_SPACE. A
                      program with such a buffer has no sums of other buffers */
    BUFFER_SHARED, /* a work item may also read items of other work items */
    BUFFER_FIXED,  /* as BUFFER_SHARED, but no stage writes it; in OpenCL C, pointers to it are __global const */
    BUFFER_FRAME,  /* as BUFFER_SHARED, but for one frame: a frame writes it before reading it, and no later frame reads
                      it. In OpenCL C, pointers to it are FRAME_SPACE, so that it can be in local memory */
    BUFFER_SPARE, /* as BUFFER_FRAME, but with a lower priority: it is in local memory (SPARE_SPACE) only if all buffers
                     of both kinds fit. For buffers of which a stage reads each item only once */
    BUFFER_TOTAL  /* one quad, the result of a STAGE_SUM; kernels only read it, by a pointer of the type TOTAL */
};

struct buffer {
    const char *name, *type; /* type of an item: "quad", "real" or "int" */
    enum sharing sharing;
    size_t items, item_size; /* item_size in bytes */
};

/* The items in the columns column_begin to column_end - 1 of the rows row_begin to row_end - 1. A list has one row. */
struct range {
    int column_begin, column_end, row_begin, row_end;
};

/* An argument of a kernel: a buffer, and the member of the method's struct that points to it. */
struct binding {
    int buffer;
    const char *member; /* NULL ends a list of bindings */
    size_t offset;      /* offset of the member in the struct, in bytes; equal in both precisions */
};
#define BIND(type, member, buffer)                                                                                     \
    { (buffer), #member, offsetof(struct type, member) }

/* Runs a kernel's item function over a range. `arguments` is the method's struct, filled by kernel_arguments. */
typedef void kernel_loop(const void *arguments, struct range range);

/* Enough bytes for any method's struct. */
enum { ARGUMENT_BYTES = 1024 };

/* Memory that a SIMD kernel uses in addition to the buffers. */
struct simd_workspace {
    void *scratch;        /* scratch memory of simd_kernel.scratch bytes; each thread has its own */
    const void *prepared; /* the result of simd_kernel.prepare, shared by all threads */

    /* Block sums, indexed by block (method/tree_sum.h). A SIMD kernel before a STAGE_SUM stores the sums of its range's
     * blocks in `sums`. previous_sums are the block sums of the previous STAGE_SUM. If no sums are needed, `sums`
     * is NULL, and previous_sums is not used. */
    void *sums;
    const void *previous_sums;
};

/* If threads divide a list among themselves, each thread gets whole blocks of LIST_BLOCK items. LIST_BLOCK is a
 * multiple of the size of a block of a sum (TREE_SUM_BLOCK), and of the number of elements of any vector. Threads
 * divide a colour by single items instead of blocks. */
enum { LIST_BLOCK = 512 };

/* A second implementation of a kernel, for the vector units of a processor. It is bit-identical to the plain loop. It
 * does not call the item function, but the functions of kernels/ that the item function calls. Some SIMD kernels do
 * several time steps in one call: they read a range with its surroundings, and write the range after the last step. */
struct simd_kernel {
    void (*run)(struct simd_workspace workspace, const void *arguments, int steps, struct range range);
    size_t scratch; /* bytes of scratch memory for each thread: aligned to 64 bytes, and zero before the first call */
    int steps;      /* maximum number of time steps in one call; 1 if `run` cannot compute several
                       time steps in one call */

    /* If true and workspace.sums is not NULL, `run` stores the block sums, and need not write the buffer that the
     * STAGE_SUM adds up. */
    bool computes_sums;

    /* Rearranges data for the vector units: the kernel's fixed buffers (BUFFER_FIXED), and the inverse masses, which
     * never change. A backend calls `prepare` once, and again after engine_write has changed one of the fixed buffers.
     * The result needs about twice the memory of the buffers; the caller frees it by free(). Returns NULL if out of
     * memory. `prepare` is NULL if there is nothing to rearrange. */
    void *(*prepare)(const void *arguments, int items);

    /* Three functions for a kernel that runs by colours; all are NULL if the kernel has no layout of its own. If
     * has_layout(prepared) is true, enter_layout copies the data that the items change into a layout for the vector
     * units, and leave_layout copies them back. Thread `index` of `count` threads copies its part, and a barrier must
     * follow. Between the two calls only this kernel may run. */
    bool (*has_layout)(const void *prepared);
    void (*enter_layout)(struct simd_workspace workspace, const void *arguments, int index, int count);
    void (*leave_layout)(struct simd_workspace workspace, const void *arguments, int index, int count);
};

/* A macro that is defined when kernels are compiled for a device. */
struct constant {
    const char *name;
    int value;
};

/* A function in OpenCL C that computes several time steps of a grid in one launch: <kernel>_<name>(rows, shared, m). It
 * is for single precision. It is used only if each time step runs this kernel once and otherwise only swaps buffers. */
struct multistep {
    const char *name; /* NULL: there is no such function */
    int steps;        /* time steps of a launch */
    int lanes;        /* work items of a group */
    int count;        /* number of groups side by side; each group computes some columns */
    int rows;         /* rows that a group computes; 0: the backend chooses */
    int lag;          /* if `rows` is 0: how many rows a group computes in addition to those that it stores */
    size_t bytes;     /* size of a group's local memory, which has the type <kernel>_<name>_shared */
};
enum { MULTISTEPS = 2 };

/* Properties of a kernel that make it faster on some backends and change no bit. Zero is valid for every kernel. */
struct kernel_hints {
    /* The number of items that one core computes in the time of a barrier of threads, a few microseconds. Measure it
     * with the kernel's SIMD loop. A list or a colour with fewer items runs on one thread. The OpenCL backend compares
     * the mean size of a colour with this number (frame_shape.c). 0: the backend's default. */
    int grain;

    /* If true, a frame kernel calls <kernel>_resident_item(item, resident, m), or <kernel>_resident_all(item, resident,
     * p, m) if is_collective, with the item's resident data (program_hints). */
    bool uses_resident;

    /* In OpenCL C the item function of a kernel over a list can be split in two. A lane can then load data of its next
     * item while other lanes still compute. <kernel>_prefetch_item(item, m) loads the data that no other item writes,
     * and returns them as a struct. <kernel>_apply_item(item, prefetched, m) does the rest.
     *
     * `prefetched` is the name of the struct; NULL if the function is not split. `prefetched_words` is the size of the
     * struct in single precision, in 4-byte words. This size decides whether a lane can keep the structs of its items
     * in registers during a loop (register cache, backend/opencl/frame_shape.h). 0: a lane never does. */
    const char *prefetched;
    int prefetched_words;
    /* The kernel's functions for several time steps; the first one is preferred. The macro multistep_constant is
     * defined if a device uses one of these functions. */
    struct multistep multistep[MULTISTEPS];
    struct constant multistep_constant;
    bool writes_back; /* <kernel>_apply_item changes the prefetched data, and <kernel>_write_back_item(item, prefetched,
                         m) stores the changes */
};

/* One operation on each item of a list or a grid. The item function <name>_item(item, m) is in kernels/; m points to
 * the method's struct. The name and the bindings determine the loops in C (method/loops.h) and the functions in OpenCL
 * C (backend/opencl/kernel_source.h). */
struct kernel {
    const char *name;
    kernel_loop *loop; /* the plain loop in C, in the program's precision. It is the reference for all other
                          implementations. NULL if the kernel exists in OpenCL C only (method/constraint_paper.c) */
    const struct simd_kernel *simd; /* the SIMD kernel for this processor; NULL if there is none */
    struct binding bindings[KERNEL_BUFFERS + 1];
    int columns, rows;  /* number of items; a list has one row */
    bool is_collective; /* in OpenCL C all work items call <name>_all(item, p, m), even those without an item, because a
                           sum over a warp needs all lanes of the warp */
    int group_size;     /* work items of a group in OpenCL, if the paper states it; 0: the backend chooses */
    struct kernel_hints hints;
};

enum stage_kind {
    STAGE_STEPS,  /* start of a loop up to STAGE_END: `count` time steps */
    STAGE_REPEAT, /* start of a loop up to STAGE_END: `count` iterations */
    STAGE_END,
    STAGE_RUN,    /* run kernel `a` on all its items */
    STAGE_SWAP,   /* exchange the contents of buffers `a` and `b` */
    STAGE_SUM,    /* add up the quads of buffer `a` by the fixed tree (method/tree_sum.h) into buffer `b` */
    STAGE_HOST,   /* run kernel `a` on the host. The kernel's buffers are read from the device before, and written back
                     after */
    STAGE_COLOURS /* run kernel `a`, which is over a list, for each colour of colouring `b`. A barrier follows each
                     colour. For list programs */
};

struct stage {
    enum stage_kind kind;
    int a, b, count;
};

/* Properties of a program that make it faster on some backends and change no bit. Zero is valid for every program. */
struct program_hints {
    /* The same frame with fewer stages, each of which computes more. The results are bit-identical. For backends on
     * which barriers are expensive. If fused_count is 0, there is no such frame. */
    struct stage fused_stages[PROGRAM_STAGES];
    int fused_count;

    int grid_columns; /* number of columns, if the items of all kernels are the nodes of a grid; 0: they are not */

    bool low_register; /* kernels need few registers, so a single group of a GPU may have more than 512 lanes */

    /* Resident data: constants of a node that its work item keeps in registers for a whole frame of a frame kernel.
     * <resident.name>_all(item, p, m) returns the data, of the type `type`, also to work items without a node. `type`
     * and `name` are NULL if there are no resident data. If nodes are ordered (see `network`), resident data also
     * replace some buffers. */
    struct {
        const char *type, *name;
        struct binding bindings[KERNEL_BUFFERS + 1];
        unsigned replaces; /* bit b is set if resident data replace state buffer b */
    } resident;

    /* A network, that is, a list of neighbours for each node. The neighbours of node i are (*neighbour)[(*start)[i]] ..
     * (*neighbour)[(*start)[i + 1] - 1]. Both pointers lead to members of struct body, which body_build sets. `buffer`
     * is the index of the buffer with the contents of *neighbour. `start` is NULL if there is no network.
     *
     * Ordered nodes: an ensemble can store the nodes in another order (backend/opencl/node_order.h). This is possible
     * because kernels use a node's index only to address its resident data and state buffers, which have one item per
     * node. (Kernels of the fused stages are an exception.) The ensemble sets node_at, [2 nodes]: first the node at
     * each place of this order, then the place of each node. The buffer with the index `order` has the same content;
     * `order` is 0 if the nodes are not ordered. Kernels of ordered nodes are compiled with ORDERED
     * (kernels/mass_spring.h).
     *
     * Conditions for ordered nodes:
     *
     * - The resident data depend on fixed buffers only. These buffers are also in the new order.
     *
     * - Among these fixed buffers, `buffer` and those that are not of type int have one item for each neighbour.
     * `buffer` then contains the byte offset of each neighbour's position. The other int buffers have one item for each
     * node: an index into the list of neighbours, as in `start`.
     *
     * - The buffer `shares` (0: none), which a STAGE_SUM adds up, keeps the body's order of nodes. w of its items is 0.
     *
     * - The resident data have the members `node`, `least` and `most`. `node` is the node's index in the body's order.
     * `least` and `most` are the smallest and the largest number of neighbours among the nodes that all lanes compute
     * in the same iteration. */
    struct {
        int *const *start, *const *neighbour;
        const int *node_at;
        int buffer, shares, order;
    } network;

    /* Convergence of a STAGE_REPEAT. <converged.name>(buffer) in OpenCL C returns a real, the same to all work items. A
     * frame kernel calls this function at the start of each iteration. The program writes `buffer` later in the
     * iteration, after the first sum. If the returned real is not 0, the remaining iterations change no buffer and no
     * sum. `name` is NULL if the iterations never end early.
     *
     * On a device with a global barrier, the frame kernel of a program that is not a list program may skip these
     * iterations, except for their swaps. Other frame kernels and ensembles do all iterations. */
    struct {
        const char *name;
        int buffer;
    } converged;
};

/* Colour c consists of the items start[c] to start[c + 1] - 1. The body owns the array `start`, and exists longer than
 * the program. */
struct colouring {
    int colours;
    const int *start; /* [colours + 1] */
};

struct program {
    const char *sources[12]; /* files of kernels/ for OpenCL, in the order in which they are compiled */
    int source_count;
    int real_size; /* bytes of a real: 4 or 8 */
    struct buffer buffers[PROGRAM_BUFFERS];
    int buffer_count;
    /* The indices of the two buffers of quads with the recorded state. A run resumes from x, y and z of both buffers
     * and from the index of the time step. If a frame leaves further data for the next frame, and if the further data
     * differ from those at the start of the run, the program has hidden state. An interrupted run with hidden state
     * restarts. */
    int positions, velocities;
    bool has_hidden_state;
    /* The first state_count buffers are the state buffers; none of them is fixed. They can be in local memory during a
     * frame: in OpenCL C, pointers to them are STATE_SPACE (kernels/dialect.h). Without hidden state, a frame writes
     * each of them before reading it, except for positions, velocities and method_record. */
    int state_count;
    int method_record; /* index of the buffer that method.note reads; unused if the method has no `note` */
    struct kernel kernels[PROGRAM_KERNELS];
    int kernel_count;
    struct stage stages[PROGRAM_STAGES];
    int stage_count;
    struct colouring colourings[PROGRAM_COLOURINGS];
    /* A list program: all kernels are over lists, and their functions in OpenCL C take the item as an argument. In
     * other programs the work item's ids determine its item (ITEM in kernels/dialect.h).
     *
     * A method with stages by colours makes list programs, even for runs without such stages (pbd with Jacobi). An
     * ensemble makes every program a list program. Outside an ensemble, a list program without colours has no frame
     * kernel. */
    bool is_list_program;
    bool has_unordered_sums; /* sums depend on the timing of threads, so two runs need not be bit-identical */
    /* Macros for constants that kernels otherwise read from the parameters. A device's compiler then knows the
     * values. */
    struct constant constants[PROGRAM_CONSTANTS];
    int constant_count;
    /* The method's struct: pointers to buffers, then the parameters `p`, then `step`, the index of the time step. */
    const char *argument_type, *parameter_type; /* such as "struct xpbd" and "struct xpbd_parameters" */
    size_t parameters_offset;                   /* bytes before `p`; equal in both precisions */
    void *parameters;
    size_t parameter_size;
    struct program_hints hints;
};

/* Number of bindings in a list that ends with a NULL member. */
int binding_count(const struct binding *bindings);

/* Fill the method's struct for a kernel: the pointers of the kernel's bindings (buffer k is at memory[k]), the
 * parameters, and `step`. `out` has ARGUMENT_BYTES, aligned for any type. */
void kernel_arguments(const struct program *program, const struct kernel *kernel, void *const *memory, int step,
                      void *out);

/* Bytes of a buffer, and of all buffers. */
size_t buffer_size(const struct buffer *buffer);
size_t program_bytes(const struct program *program);

/* Whether a buffer is for one frame (BUFFER_FRAME or BUFFER_SPARE). */
bool buffer_is_frame_local(const struct buffer *buffer);

/* Items of the largest buffer that a STAGE_SUM adds up; 0 if there is no such stage. */
size_t program_largest_sum(const struct program *program);

/* Whether a stage feeds a sum: the stage runs a kernel, and the next stage adds up the kernel's results, one for each
 * item at the item's own index. No barrier is then needed between the two stages if each thread or work group adds up
 * its own items. */
bool stage_feeds_sum(const struct program *program, const struct stage *stage);

/* Whether a kernel writes a BUFFER_SUMMED. */
bool kernel_is_summed(const struct program *program, const struct kernel *kernel);

/* Execute a STAGE_SWAP: exchange two elements of `slot`. slot[b] says where the contents of buffer b are. */
void program_swap(const struct stage *stage, int *slot);

/* Called for each stage that is not the start or end of a loop, in the order of execution. `step` is the index of the
 * time step. Returns a status; any status except STATUS_OK ends the walk. */
typedef int stage_visit(void *context, const struct stage *stage, int step);

/* Visit the stages of one frame. *step is the index of the frame's first time step, and is advanced by the number of
 * time steps of the frame. */
int program_walk(const struct program *program, stage_visit *visit, void *context, int *step);

/* Whether two programs have the same buffers, kernels, stages, colours and constants. They may differ in parameters and
 * in the counts of their loops. */
bool program_is_compatible(const struct program *a, const struct program *b);

/* Replace the stages by the fused ones, if there are any. */
void program_fuse(struct program *program);

/* Number of STAGE_SUMs among the program's stages; a stage in a loop counts once. */
int program_sum_count(const struct program *program);

/* Returns the kernel that each time step of the frame runs, if a step runs one kernel once and then only swaps buffers.
 * Otherwise returns NULL. */
const struct kernel *program_single_kernel(const struct program *program);

/* Asserts that a kernel's parameter struct has no padding after its last member, with floats or with doubles. The
 * number of 4-byte integers must therefore be even: otherwise the struct with doubles has 4 bytes of padding at its
 * end. */
#define PARAMETERS_END(type, last)                                                                                     \
    _Static_assert(offsetof(type, last) + sizeof(((type *)NULL)->last) == sizeof(type), "an even number of integers")

/* Initialisers of a program's fields that describe the method's struct. */
#define ARGUMENTS_ARE(type, parameters)                                                                                \
    .argument_type = "struct " #type, .parameter_type = "struct " #parameters,                                         \
    .parameters_offset = offsetof(struct type, p)

/* Set the parameters from a parameter struct in double precision. The struct has `bytes` bytes: first real_bytes bytes
 * of doubles, then 4-byte integers. The doubles are stored in the program's precision. */
void program_set_parameters(struct program *program, const void *parameters, size_t real_bytes, size_t bytes);

/* Append a stage. */
void program_add_stage(struct program *program, enum stage_kind kind, int a, int b, int count);

void program_add_constant(struct program *program, const char *name, int value);

/* Get the stored parameters in the form that program_set_parameters takes. The stored reals become doubles without
 * rounding; in single precision, program_set_parameters has already rounded them. */
void program_get_parameters(const struct program *program, void *parameters, size_t real_bytes, size_t bytes);

/* Store or load real k of an array of 4- or 8-byte reals. */
void real_store(void *array, size_t k, double value, int real_size);
double real_load(const void *array, size_t k, int real_size);

void program_free(struct program *program);

#endif
