/* Functions of backends on the processor, whose buffers are in main memory. */
#ifndef SPRINGBACK_BACKEND_CPU_H
#define SPRINGBACK_BACKEND_CPU_H

#include "backend/backend.h"

struct cpu_engine {
    struct engine engine;
    void *memory[PROGRAM_BUFFERS];
    void *sums; /* memory for the block sums of a STAGE_SUM; cpu_open allocates it, cpu_create does not */
    int threads;
};

/* Check that the program's buffers and `scratch` further bytes fit into the available main memory. */
int cpu_check(const struct backend_choice *choice, const struct program *program, size_t scratch);

/* Allocate the buffers, but not `sums`, which cpu_stage needs. If this fails, the caller still calls cpu_close, which
 * also frees the engine. */
int cpu_create(struct cpu_engine *cpu, const struct backend_choice *choice, const struct program *program);
void cpu_close(struct engine *engine);

/* The function `open` of a backend that needs only the buffers and `sums`. */
int cpu_open(const struct backend_choice *choice, const struct program *program, struct engine **out);

int cpu_write(struct engine *engine, int slot, const void *contents);
int cpu_read(struct engine *engine, int slot, void *contents);

/* Fill a kernel's arguments by kernel_arguments. Buffer b is at cpu->memory[slot[b]]. */
void cpu_arguments(const struct cpu_engine *cpu, const struct kernel *kernel, const int *slot, int step, void *out);

/* Execute one stage of a frame. If `run` is NULL, all items run in order on one core. Otherwise `run` is called for
 * each range of items that do not depend on each other: one range for each colour, or one range with all items. */
int cpu_stage(struct cpu_engine *cpu, const struct stage *stage, int step,
              void (*run)(kernel_loop *loop, const void *arguments, struct range range));

/* The processor's name in /proc/cpuinfo. "unknown processor" if the file does not contain a name or does not exist.
 * Static text. Ends the program if the file exists but cannot be read. */
const char *cpu_name(void);

#endif
