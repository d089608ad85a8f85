/* What backends on the processor share: buffers in main memory. */
#ifndef SPRINGBACK_BACKEND_CPU_H
#define SPRINGBACK_BACKEND_CPU_H

#include "backend/backend.h"

struct cpu_engine {
    struct engine engine;
    void *memory[PROGRAM_BUFFERS];
    void *sums; /* of the blocks of the longest array that is added up; NULL where none is */
    int threads;
};

/* Whether the buffers fit into memory, and so many bytes beside them. */
int cpu_check(const struct backend_choice *choice, const struct program *program, size_t scratch);

/* Allocate the buffers. What was allocated before it failed is left to cpu_close, which frees the engine too. */
int cpu_create(struct cpu_engine *cpu, const struct backend_choice *choice, const struct program *program);
void cpu_close(struct engine *engine);

/* The same for a backend that has nothing else to open. */
int cpu_open(const struct backend_choice *choice, const struct program *program, struct engine **out);

int cpu_write(struct engine *engine, int buffer, const void *contents);
int cpu_read(struct engine *engine, int buffer, void *contents);

/* The arguments of a kernel, as kernel_arguments has them, with the program's buffers lying as `slot` says. */
void cpu_arguments(const struct cpu_engine *cpu, const struct kernel *kernel, const int *slot, int step, void *out);

/* Do one stage of a frame on one core. `run` is given ranges in which no item depends on another: all items, or a range
 * for each colour. If it is NULL, items run in order. */
int cpu_stage(struct cpu_engine *cpu, const struct stage *stage, int step,
              void (*run)(kernel_loop *loop, const void *arguments, struct range range));

/* The processor's name, from the system. */
const char *cpu_name(void);

#endif
