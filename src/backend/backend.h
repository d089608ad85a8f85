/* Backends: engines that run a method's program. They know no physics, and are bit-identical.
 *
 * A backend is one descriptor in a folder of its own, and one line in backends.def: its name, and all choices of it
 * (docs/backends.md). */
#ifndef SPRINGBACK_BACKEND_BACKEND_H
#define SPRINGBACK_BACKEND_BACKEND_H

#include "base/status.h"
#include "method/program.h"

#include <stdbool.h>

struct backend;
struct engine; /* a program, its buffers, and where it runs */

/* Seconds, roughly: of a node or spring of mass_spring, and of an iteration of whatever size. */
struct backend_cost {
    double unit, iteration;
};

/* Which backend, and where. */
struct backend_choice {
    const struct backend *backend;
    int threads; /* 1 unless the backend has threads */
    int device;  /* of a backend that has devices: its own index */
    char device_name[320], driver[544];
    bool is_gpu, bit_exact;
    struct backend_cost cost;
};

/* What a backend is. An engine's first member is struct engine. */
struct backend {
    const char *name;      /* as choices of it begin, and as traces note it */
    bool has_threads;      /* runs on choice->threads threads of the processor */
    bool has_devices;      /* runs on one of several devices, which have memory of their own and may be GPUs */
    bool compiles_kernels; /* from kernels/ when a run begins; other backends run the loops that the program has */
    bool has_ensembles;    /* runs many programs side by side (ensemble.h) */

    /* Fill what is not yet in *choice. `suffix` is what follows the name, with the colon; "" for the name alone. Fails
     * if `text`, which is both, is no choice, or its device is not here. */
    int (*choose)(const char *text, const char *suffix, struct backend_choice *choice);

    /* Of backends that have devices, else NULL: the index of the device of this name, -1 if it is not here; and a call
     * of `row` for each device, or for one sentence if there is none. */
    int (*device_named)(const char *name);
    void (*list)(void (*row)(const char *choice, const char *text));

    /* Behind the functions below: backend_check, engine_open and so on. */
    int (*check)(const struct backend_choice *choice, const struct program *program);
    int (*open)(const struct backend_choice *choice, const struct program *program, struct engine **out);
    void (*close)(struct engine *engine);
    int (*write)(struct engine *engine, int buffer, const void *contents);
    int (*read)(struct engine *engine, int buffer, void *contents);
    int (*advance)(struct engine *engine);
    int (*start)(struct engine *engine), (*wait)(struct engine *engine); /* NULL if the host itself computes */
};

extern const struct backend *const backend_list[]; /* ends with NULL */
extern const char *const backend_words[];          /* all choices of each, by the rule of field.choices; likewise */

/* The backend that a choice ("threads:4"), a trace's note ("threads") or a part of a run's id ("threads.4,...") begins
 * with; NULL if there is none, or `text` is NULL. */
const struct backend *backend_find(const char *text);

/* Resolve "serial", "threads:4", "opencl:gpu", ... Fails with a list of what there is where the device is missing. The
 * backend is set if it is known, also then. */
int backend_choose(const char *text, struct backend_choice *choice);

const char *backend_name(const struct backend_choice *choice); /* "serial", "threads", "opencl" */

/* Whether a backend has all kernels of a program: it compiles them, or each has a loop. If not, says at `place` which
 * backends would. */
int backend_check_kernels(const struct backend *backend, const struct program *program, struct place place);

/* Whether the program fits, in bytes needed and available, and whether the device can keep the bits. A device that
 * cannot is refused unless `inexact` says that this is known. */
int backend_check(const struct backend_choice *choice, const struct program *program, bool inexact);

/* Allocate the program's buffers and, on a device, compile its kernels. The program must outlive the engine. */
int engine_open(const struct backend_choice *choice, const struct program *program, struct engine **out);
void engine_close(struct engine *engine); /* NULL does nothing */

/* Set a buffer's whole contents, or get them, as the program names them (swaps are followed). */
int engine_write(struct engine *engine, int buffer, const void *contents);
int engine_read(struct engine *engine, int buffer, void *contents);

/* Forget the time steps that were counted; the next frame begins with step 0. */
void engine_rewind(struct engine *engine);

/* Go on counting time steps from `step`, as where the buffers of a frame's midst were written. */
void engine_seek(struct engine *engine, int step);
int engine_step(const struct engine *engine); /* index of the next time step */

/* Run one frame to its end; or begin it, and wait for its end. In between, a device computes while the host does other
 * things; only the frame's end may be asked for. */
int engine_advance(struct engine *engine);
int engine_start(struct engine *engine);
int engine_wait(struct engine *engine);

/* Whether engine_start returns while the frame is computed. */
bool engine_is_apart(const struct engine *engine);

struct engine {
    const struct backend *backend;
    const struct program *program;
    int step;                  /* index of the next time step */
    int slot[PROGRAM_BUFFERS]; /* where each of the program's buffers lies now */
};

#endif
