#include "backend/backend.h"

#include "backend/device.h"
#include "backend/way.h"
#include "base/number.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *backend_name(const struct backend_choice *choice) {
    return choice->backend->name;
}

enum { MOST = 4096 }; /* threads, or devices */

static int choose_threads(const char *text, struct backend_choice *choice) {
    choice->backend = &backend_threads;
    choice->threads = omp_get_max_threads();
    if (text[7] && (text[7] != ':' || !whole_read(text + 8, 1, MOST, &choice->threads)))
        return fail("backend '%s' is not known; threads or threads:N with N from 1 to %d would be", text, MOST);
    snprintf(choice->device_name, sizeof choice->device_name, "%s, %d thread%s", device_cpu_name(), choice->threads,
             choice->threads == 1 ? "" : "s");
    return STATUS_OK;
}

/* A device that keeps the bits before one that does not, and then a GPU before all others. */
static int rank(const struct device *device) {
    return 2 * device->bit_exact + device->is_gpu;
}

static int choose_opencl(const char *text, struct backend_choice *choice) {
    const struct device_list *list = device_list();
    const char *which = text[6] ? text + 7 : "";
    choice->backend = &backend_opencl;
    choice->device = -1;
    if (text[6] && text[6] != ':')
        return fail("backend '%s' is not known; opencl, opencl:N, opencl:gpu or opencl:cpu would be", text);
    if (way_check())
        return STATUS_BAD;
    if (!*which || !strcmp(which, "gpu") || !strcmp(which, "cpu")) {
        for (int d = list->count - 1; d >= 0; --d) /* the first of the best that fit */
            if ((!*which || list->devices[d].is_gpu == !strcmp(which, "gpu")) &&
                (choice->device < 0 || rank(&list->devices[d]) >= rank(&list->devices[choice->device])))
                choice->device = d;
        if (choice->device < 0)
            return fail("backend %s: there is no such OpenCL device here (`springback devices` lists %d)", text,
                        list->count);
    } else if (!whole_read(which, 0, MOST, &choice->device)) {
        return fail("backend '%s' is not known; opencl, opencl:N, opencl:gpu or opencl:cpu would be", text);
    } else if (choice->device >= list->count) {
        return fail("backend %s: there is no OpenCL device %d here; `springback devices` lists %d, counted from 0",
                    text, choice->device, list->count);
    }
    const struct device *device = &list->devices[choice->device];
    choice->is_gpu = device->is_gpu;
    choice->bit_exact = device->bit_exact;
    snprintf(choice->device_name, sizeof choice->device_name, "%s", device->name);
    snprintf(choice->driver, sizeof choice->driver, "%s, driver %s", device->platform, device->driver);
    return STATUS_OK;
}

int backend_choose(const char *text, struct backend_choice *choice) {
    *choice = (struct backend_choice){.bit_exact = true, .threads = 1};
    if (!strcmp(text, "serial")) {
        choice->backend = &backend_serial;
        snprintf(choice->device_name, sizeof choice->device_name, "%s, one core", device_cpu_name());
        return STATUS_OK;
    }
    if (!strncmp(text, "threads", 7))
        return choose_threads(text, choice);
    if (!strncmp(text, "opencl", 6))
        return choose_opencl(text, choice);
    return fail("backend '%s' is not known; serial, threads[:N] or opencl[:N|:gpu|:cpu] would be", text);
}

int backend_check(const struct backend_choice *choice, const struct program *program, bool inexact) {
    if (!choice->bit_exact && !inexact)
        return fail("device '%s' cannot keep the bits: it lacks correctly rounded division and square root "
                    "(CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) or denormal numbers; --inexact runs it all the same and "
                    "marks its traces",
                    choice->device_name);
    return choice->backend->check(choice, program);
}

int engine_open(const struct backend_choice *choice, const struct program *program, struct engine **out) {
    int status = choice->backend->open(choice, program, out);
    if (status)
        return status;
    (*out)->backend = choice->backend;
    (*out)->program = program;
    engine_rewind(*out);
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        (*out)->slot[b] = b;
    return STATUS_OK;
}

void engine_close(struct engine *engine) {
    if (engine)
        engine->backend->close(engine);
}

int engine_write(struct engine *engine, int buffer, const void *contents) {
    return engine->backend->write(engine, engine->slot[buffer], contents);
}

int engine_read(struct engine *engine, int buffer, void *contents) {
    return engine->backend->read(engine, engine->slot[buffer], contents);
}

void engine_rewind(struct engine *engine) {
    engine->step = 0;
}

void engine_seek(struct engine *engine, int step) {
    engine->step = step;
}

int engine_step(const struct engine *engine) {
    return engine->step;
}

int engine_advance(struct engine *engine) {
    return engine->backend->advance(engine);
}

int engine_start(struct engine *engine) {
    return engine->backend->start ? engine->backend->start(engine) : engine->backend->advance(engine);
}

int engine_wait(struct engine *engine) {
    return engine->backend->wait ? engine->backend->wait(engine) : STATUS_OK;
}

bool engine_is_apart(const struct engine *engine) {
    return engine->backend->wait != NULL;
}
