#include "backend/backend.h"

#include "base/memory.h"
#include "method/arithmetic.h"

#include <stdlib.h>
#include <string.h>

/* backends.def is read three times: for declarations, for descriptors and for words. */
#define BACKEND(name, words) extern const struct backend backend_##name;
#include "backend/backends.def"
#undef BACKEND

const struct backend *const backend_list[] = {
#define BACKEND(name, words) &backend_##name,
#include "backend/backends.def"
#undef BACKEND
    NULL,
};

const char *const backend_words[] = {
#define BACKEND(name, words) words,
#include "backend/backends.def"
#undef BACKEND
    NULL,
};

const struct backend *backend_find(const char *text) {
    const size_t length = text ? strcspn(text, ":.,") : 0;
    for (const struct backend *const *backend = backend_list; text && *backend; ++backend)
        if (length == strlen((*backend)->name) && !strncmp(text, (*backend)->name, length))
            return *backend;
    return NULL;
}

int backend_choose(const char *word, struct backend_choice *choice) {
    *choice = (struct backend_choice){.backend = backend_find(word), .bit_exact = true, .threads = 1};
    if (choice->backend) {
        const int status = choice->backend->choose(word, word + strlen(choice->backend->name), choice);
        choice->bit_exact = choice->bit_exact && !arithmetic_fault();
        return status;
    }
    AUTO_FREE char *known = text_copy("");
    for (const char *const *words = backend_words; *words; ++words)
        text_append(&known, " %s", *words);
    return fail("unknown backend '%s'; the backends are:%s", word, known);
}

int backend_check_kernels(const struct backend *backend, const struct program *program, struct place place) {
    int k = 0;
    while (k < program->kernel_count && program->kernels[k].loop)
        ++k;
    if (backend->compiles_kernels || k == program->kernel_count)
        return STATUS_OK;
    AUTO_FREE char *names = text_copy("");
    for (const struct backend *const *other = backend_list; *other; ++other)
        if ((*other)->compiles_kernels)
            text_append(&names, "%s%s", *names ? " or " : "", (*other)->name);
    return fail_at(place,
                   "the kernel %s exists for OpenCL devices only, and the backend %s does not compile kernels; "
                   "use the backend %s",
                   program->kernels[k].name, backend->name, names);
}

int backend_check(const struct backend_choice *choice, const struct program *program, bool inexact) {
    const char *fault = arithmetic_fault();
    if (fault && !inexact)
        return fail("this build of springback is not bit-exact: its loops %s; build it without this option, or use "
                    "--inexact to run and to mark the traces",
                    fault);
    if (!choice->bit_exact && !inexact)
        return fail("device '%s' is not bit-exact: it lacks correctly rounded division and square root "
                    "(CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) or denormal numbers; use --inexact to run on it and to mark "
                    "its traces",
                    choice->device_name);
    const int status = backend_check_kernels(choice->backend, program, (struct place){NULL, 0, 0});
    return status ? status : choice->backend->check(choice, program);
}

int engine_open(const struct backend_choice *choice, const struct program *program, struct engine **out) {
    int status = choice->backend->open(choice, program, out);
    if (status)
        return status;
    (*out)->backend = choice->backend;
    (*out)->program = program;
    (*out)->step = 0;
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        (*out)->slot[b] = b;
    return STATUS_OK;
}

void engine_close(struct engine *engine) {
    if (engine && engine->backend->close)
        engine->backend->close(engine);
}

int engine_write(struct engine *engine, int buffer, const void *contents) {
    return engine->backend->write(engine, engine->slot[buffer], contents);
}

int engine_read(struct engine *engine, int buffer, void *contents) {
    return engine->backend->read(engine, engine->slot[buffer], contents);
}

int engine_advance(struct engine *engine) {
    return engine->backend->advance(engine);
}

int engine_start(struct engine *engine) {
    return engine->backend->start(engine);
}

int engine_wait(struct engine *engine) {
    return engine->backend->wait(engine);
}

bool engine_is_asynchronous(const struct engine *engine) {
    return engine->backend->wait != NULL;
}
