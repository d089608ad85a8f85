/* Backends run a method's program in engines. A backend contains no physics. All backends give bit-identical results,
 * except for methods with atomic sums, and on devices with different rounding, which --inexact allows.
 *
 * Each backend has a folder with its descriptor (struct backend), and a line in backends.def with its name and all
 * words that choose it (docs/backends.md). */
#ifndef SPRINGBACK_BACKEND_BACKEND_H
#define SPRINGBACK_BACKEND_BACKEND_H

#include "base/status.h"
#include "method/program.h"

#include <stdbool.h>

struct backend;

/* A program's state on a backend. An engine owns its buffers, except in an ensemble, which owns the buffers of all
 * members. An engine never owns its program. */
struct engine;

/* Approximate costs in seconds. A time step of mass_spring takes iteration_seconds, plus item_seconds for each node and
 * each spring. For an iteration of another method, item_seconds is multiplied by relative_cost (method/method.h). */
struct backend_cost {
    double item_seconds, iteration_seconds;
};

/* A backend with its device or threads: the result of backend_choose. */
struct backend_choice {
    const struct backend *backend;
    int threads; /* 1 unless the backend has threads */
    int device;  /* index of the device, if the backend has devices */
    char device_name[320], driver[544];
    bool is_gpu;
    bool bit_exact; /* arithmetic_fault() is NULL, and the device, if any, is bit_exact (device.h) */
    struct backend_cost cost;
};

/* The descriptor of a backend. Each backend has its own engine struct, whose first member is a struct engine. */
struct backend {
    const char *name;      /* traces record this name, and every word that chooses the backend begins with this name */
    bool has_threads;      /* runs on choice->threads threads of the processor */
    bool has_devices;      /* runs on one of several devices, which have memory of their own and may be GPUs */
    bool compiles_kernels; /* compiles kernels/ at run time; other backends run the loops of the program */
    bool has_ensembles;    /* an OpenCL backend that can run many programs together on a device (opencl/ensemble.h) */

    /* Complete *choice, whose backend is set. `word` is from the experiment file, such as "threads:4"; `suffix` is its
     * part after the name, ":4" or "". Fails if the word is wrong, or the device is not available. Also fails, and sets
     * choice->backend to NULL, if an environment variable is wrong. */
    int (*choose)(const char *word, const char *suffix, struct backend_choice *choice);

    /* Both are NULL for a backend without devices. device_named returns the index of the first device with this name,
     * or -1 if there is none. list calls `row` for each device; if there is no device, it calls `row` once, with advice
     * for the user. */
    int (*device_named)(const char *name);
    void (*list)(void (*row)(const char *word, const char *text));

    /* backend_check, engine_open and so on, at the end of this file, call these functions. The comments there say what
     * each function does. `slot` is where the buffer is after all swaps, engine.slot[buffer]. */
    int (*check)(const struct backend_choice *choice, const struct program *program);
    int (*open)(const struct backend_choice *choice, const struct program *program, struct engine **out);
    void (*close)(struct engine *engine); /* NULL if engines of this backend are closed by another owner */
    int (*write)(struct engine *engine, int slot, const void *contents);
    int (*read)(struct engine *engine, int slot, void *contents);
    int (*advance)(struct engine *engine);
    int (*start)(struct engine *engine), (*wait)(struct engine *engine); /* NULL if the host itself computes */
};

extern const struct backend *const backend_list[]; /* ends with NULL */
extern const char *const backend_words[]; /* the words of each backend in the syntax of field.choices; ends with NULL */

/* The backend whose name is at the beginning of `text`. `text` is a word ("threads:4"), the name in a trace ("threads")
 * or a part of a run's id ("threads.4,..."). Returns NULL if there is no such backend, or `text` is NULL. */
const struct backend *backend_find(const char *text);

/* Parse a word that chooses a backend: "serial", "threads:4", "opencl:gpu". Fails if the word is unknown, if its device
 * is not available, or if SPRINGBACK_OPENCL has an unknown word. If the device is not available, choice->backend is
 * set. If the name is unknown or SPRINGBACK_OPENCL is wrong, choice->backend is NULL. run/runner.c uses this
 * difference: it skips a run whose device is missing, and refuses a run with a wrong setting. (The reader of a plan has
 * already refused a word like "opencl:xyz", by backend_words.) */
int backend_choose(const char *word, struct backend_choice *choice);

/* Check that the backend compiles the program's kernels, or that each has a loop in C. Otherwise report at `place`
 * which backends can run the program. */
int backend_check_kernels(const struct backend *backend, const struct program *program, struct place place);

/* Check that the backend can run the program: unless `inexact` is true, this build (arithmetic_fault) and the device
 * are bit-exact; the backend has all kernels (backend_check_kernels); and the program fits into memory. */
int backend_check(const struct backend_choice *choice, const struct program *program, bool inexact);

/* Allocate the program's buffers and, on a device, compile its kernels. The program must outlive the engine. The caller
 * closes the engine. On failure nothing is allocated, and *out does not change. */
int engine_open(const struct backend_choice *choice, const struct program *program, struct engine **out);
void engine_close(struct engine *engine); /* NULL does nothing */

/* Write or read the whole contents of a buffer, by its index in the program. Swaps since the start are taken into
 * account. */
int engine_write(struct engine *engine, int buffer, const void *contents);
int engine_read(struct engine *engine, int buffer, void *contents);

/* Run one frame, and return when it has ended. */
int engine_advance(struct engine *engine);

/* engine_start starts a frame, and engine_wait waits for its end. In between a device computes, and no other function
 * of this engine may be called. Only for engines that are asynchronous. */
bool engine_is_asynchronous(const struct engine *engine);
int engine_start(struct engine *engine);
int engine_wait(struct engine *engine);

struct engine {
    const struct backend *backend;
    const struct program *program;
    int step; /* index of the next time step; the caller may set it */

    /* slot[b]: where buffer b of the program is now. A swap exchanges two slots and moves no data. Exception: in an
     * ensemble, a state in local memory keeps its slots (opencl/ensemble.c). */
    int slot[PROGRAM_BUFFERS];
};

#endif
