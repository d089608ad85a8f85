/* Backends: engines that run a method's program. They know no physics.
 *
 * serial is plain loops, and the reference; threads splits each stage over OpenMP threads; opencl launches each stage
 * on a device. All three end in the same bits. */
#ifndef SPRINGBACK_BACKEND_BACKEND_H
#define SPRINGBACK_BACKEND_BACKEND_H

#include "base/status.h"
#include "method/program.h"

#include <stdbool.h>

struct backend;
struct engine; /* a program, its buffers, and where it runs */

/* Which backend, and where. */
struct backend_choice {
    const struct backend *backend;
    int threads; /* of the threads backend */
    int device;  /* of the opencl backend: index into device_list() */
    char device_name[320], driver[544];
    bool is_gpu, bit_exact;
};

/* Resolve "serial", "threads:4", "opencl:gpu", ... Fails with a list of what there is where the device is missing. */
int backend_choose(const char *text, struct backend_choice *choice);

const char *backend_name(const struct backend_choice *choice); /* "serial", "threads", "opencl" */

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

/* What a backend implements. An engine's first member is struct engine. */
struct backend {
    const char *name;
    int (*check)(const struct backend_choice *choice, const struct program *program);
    int (*open)(const struct backend_choice *choice, const struct program *program, struct engine **out);
    void (*close)(struct engine *engine);
    int (*write)(struct engine *engine, int buffer, const void *contents);
    int (*read)(struct engine *engine, int buffer, void *contents);
    int (*advance)(struct engine *engine);
    int (*start)(struct engine *engine), (*wait)(struct engine *engine); /* NULL where the host itself computes */
};

struct engine {
    const struct backend *backend;
    const struct program *program;
    int step;                  /* index of the next time step */
    int slot[PROGRAM_BUFFERS]; /* where each of the program's buffers lies now */
};

extern const struct backend backend_serial, backend_threads, backend_opencl;

#endif
