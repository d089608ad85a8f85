/* The serial backend: plain loops on one core. It is the reference with which other backends are compared. */
#include "backend/cpu.h"

#include <stdio.h>

static int choose(const char *word, const char *suffix, struct backend_choice *choice) {
    if (*suffix)
        return fail("unknown backend '%s'; use serial", word);
    snprintf(choice->device_name, sizeof choice->device_name, "%s, one core", cpu_name());
    choice->cost.item_seconds = 10e-9;
    return STATUS_OK;
}

static int check(const struct backend_choice *choice, const struct program *program) {
    return cpu_check(choice, program, 0);
}

static int visit(void *context, const struct stage *stage, int step) {
    return cpu_stage(context, stage, step, NULL);
}

static int advance(struct engine *engine) {
    return program_walk(engine->program, visit, engine, &engine->step);
}

const struct backend backend_serial = {
    .name = "serial",
    .choose = choose,
    .check = check,
    .open = cpu_open,
    .close = cpu_close,
    .write = cpu_write,
    .read = cpu_read,
    .advance = advance,
};
