/* A backend runs the program of a method (method/program.h). A backend contains no physics. All backends give
 * bit-identical results, with two exceptions: methods with atomic sums, and devices that round differently. Such a
 * device is used only with --inexact.
 *
 * Each backend has a folder with its descriptor (struct backend). A line in backends.def has the backend's name and all
 * words that choose it (docs/backends.md). */
#ifndef SPRINGBACK_BACKEND_BACKEND_H
#define SPRINGBACK_BACKEND_BACKEND_H

#include "base/status.h"
#include "method/program.h"

#include <stdbool.h>

struct backend;

/* The state of one program on a backend. An engine owns its buffers, but not its program. In an ensemble, the ensemble
 * owns the buffers of all members. */
struct engine;

/* Approximate costs in seconds. A time step of mass_spring takes iteration_seconds, plus item_seconds for each node and
 * each spring. For an iteration of another method, item_seconds is multiplied by relative_cost (method/method.h). */
struct backend_cost {
    double item_seconds, iteration_seconds;
};

/* A backend, with the device or the threads that it uses: the result of backend_choose. */
struct backend_choice {
    const struct backend *backend;
    int threads; /* number of threads; 1 if backend->has_threads is false */
    int device;  /* index of the device, if the backend has devices */
    char device_name[320], driver[544];
    bool is_gpu;
    bool bit_exact; /* this build (arithmetic_fault) and the device, if there is one, are bit-exact */
    struct backend_cost cost;
};

/* The descriptor of a backend. Each backend has its own engine struct, whose first member is a struct engine. */
struct backend {
    const char *name;      /* traces record this name, and every word that chooses the backend begins with this name */
    bool has_threads;      /* runs on choice->threads threads of the processor */
    bool has_devices;      /* runs on one of several devices, which have memory of their own and may be GPUs */
    bool compiles_kernels; /* compiles kernels/ at run time; other backends run the loops of the program */
    bool has_ensembles;    /* an OpenCL backend that can run many programs together on a device (opencl/ensemble.h) */

    /* Fill *choice, whose member `backend` is already set. `word` is from the experiment file, such as "threads:4";
     * `suffix` is its part after the name, ":4" or "". Fails if the word is wrong, the device is not available, or an
     * environment variable that the backend checks is wrong (SPRINGBACK_OPENCL). In the last of these three cases
     * choice->backend becomes NULL. */
    int (*choose)(const char *word, const char *suffix, struct backend_choice *choice);

    /* Both functions are NULL for a backend without devices. device_named returns the index of the first device with
     * this name, or -1 if there is none. `list` calls `row` for each device. If there is no device, `list` calls `row`
     * once, with advice for the user. */
    int (*device_named)(const char *name);
    void (*list)(void (*row)(const char *word, const char *text));

    /* These functions are called by the functions at the end of this file with similar names, such as engine_open. The
     * comments there say what each function does. `slot` is engine.slot[buffer], the place of a buffer after all
     * swaps. */
    int (*check)(const struct backend_choice *choice, const struct program *program);
    int (*open)(const struct backend_choice *choice, const struct program *program, struct engine **out);
    void (*close)(struct engine *engine); /* NULL if another object closes the engines, as an ensemble does */
    int (*write)(struct engine *engine, int slot, const void *contents);
    int (*read)(struct engine *engine, int slot, void *contents);
    int (*advance)(struct engine *engine);
    int (*start)(struct engine *engine), (*wait)(struct engine *engine); /* both NULL if not asynchronous */
};

extern const struct backend *const backend_list[]; /* ends with NULL */
extern const char *const backend_words[]; /* the words of each backend in the syntax of field.choices; ends with NULL */

/* The backend whose name is at the beginning of `text`. `text` is a word ("threads:4"), the name in a trace ("threads")
 * or a part of a run's id ("threads.4,..."). Returns NULL if there is no such backend, or `text` is NULL. */
const struct backend *backend_find(const char *text);

/* Parse a word that chooses a backend: "serial", "threads:4", "opencl:gpu". Fails if the word is unknown or its
 * device is not available. A word for the opencl backend also fails if SPRINGBACK_OPENCL has an unknown word.
 *
 * After a failure, choice->backend is NULL if the backend's name is unknown or SPRINGBACK_OPENCL is wrong. Otherwise
 * choice->backend is set, for example if the device is not available. run/runner.c skips a run whose backend is set and
 * has devices, and refuses the run otherwise. A plan contains no word with a wrong suffix such as "opencl:xyz", because
 * the plan's reader checks each word by backend_words. */
int backend_choose(const char *word, struct backend_choice *choice);

/* Check that the backend can run each kernel: it compiles kernels, or the kernel has a loop in C. If not, fail with a
 * message at `place` that names the backends that can run the program. */
int backend_check_kernels(const struct backend *backend, const struct program *program, struct place place);

/* Check that the backend can run the program: it has all kernels (backend_check_kernels), and the program fits into
 * memory. Unless `inexact` is true, also check that this build (arithmetic_fault) and the device are bit-exact. */
int backend_check(const struct backend_choice *choice, const struct program *program, bool inexact);

/* Allocate the program's buffers and, on a device, compile its kernels. The program must outlive the engine. The caller
 * closes the engine. On failure nothing is allocated, and *out does not change. */
int engine_open(const struct backend_choice *choice, const struct program *program, struct engine **out);
void engine_close(struct engine *engine); /* NULL does nothing */

/* Write or read the whole contents of the buffer with this index in the program. All swaps since the start are taken
 * into account. */
int engine_write(struct engine *engine, int buffer, const void *contents);
int engine_read(struct engine *engine, int buffer, void *contents);

/* Run one frame, and return when it has ended. */
int engine_advance(struct engine *engine);

/* engine_start starts a frame, and engine_wait waits for its end. Between the two calls the device computes, and the
 * caller must not call another function for this engine. Only for engines that are asynchronous. */
bool engine_is_asynchronous(const struct engine *engine);
int engine_start(struct engine *engine);
int engine_wait(struct engine *engine);

struct engine {
    const struct backend *backend;
    const struct program *program;
    int step; /* index of the next time step; the caller may set it */

    /* slot[b] is the place of buffer b. A swap exchanges two elements of this array and moves no data. Exception: in an
     * ensemble, the buffers of a state in local memory keep their slots (opencl/ensemble.c). */
    int slot[PROGRAM_BUFFERS];
};

#endif
