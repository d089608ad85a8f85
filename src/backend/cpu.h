/* What the serial and the threads backend share: buffers in main memory. */
#ifndef SPRINGBACK_BACKEND_CPU_H
#define SPRINGBACK_BACKEND_CPU_H

#include "backend/backend.h"

struct cpu_engine {
    struct engine engine;
    void *memory[PROGRAM_BUFFERS];
    int threads;
};

int cpu_check(const struct backend_choice *choice, const struct program *program);
int cpu_open(const struct backend_choice *choice, const struct program *program, struct engine **out);
void cpu_close(struct engine *engine);
int cpu_write(struct engine *engine, int buffer, const void *contents);
int cpu_read(struct engine *engine, int buffer, void *contents);

/* The arguments of a kernel, with the program's buffers lying as `slot` says. */
void cpu_arguments(const struct cpu_engine *cpu, const struct kernel *kernel, const int *slot,
                   void *arguments[KERNEL_BUFFERS]);

#endif
