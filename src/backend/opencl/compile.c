#include "backend/opencl/compile.h"

#include "backend/opencl/context.h"
#include "backend/opencl/frame_source.h"
#include "backend/opencl/kernel_source.h"
#include "backend/opencl/opencl_override.h"
#include "backend/source.h"
#include "base/digest.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int opencl_failed(const char *what, cl_int error) {
    context_clear();
    return fail("OpenCL: %s failed: %s", what, device_error_name(error));
}

/* Compiler options for a program's kernels, including `define`. Newly allocated; the caller frees them. */
static char *options_of(const struct device *device, const struct program *program, const char *define) {
    char *options = text_format("-cl-std=CL1.2 -DREAL_IS_%s%s%s%s", program->real_size == 8 ? "double" : "float",
                                define, device->bit_exact ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
                                warnings_are_errors() ? " -Werror" : "");
    for (int c = 0; c < program->constant_count; ++c)
        text_append(&options, " -D%s=%d", program->constants[c].name, program->constants[c].value);
    return options;
}

int compile_text(struct opencl_queue *q, int count, const char **text, const char *options) {
    const struct device *device = q->device;
    size_t size = 0;
    cl_int error;
    q->program = clCreateProgramWithSource(q->context, (cl_uint)count, text, NULL, &error);
    if (error)
        return opencl_failed("clCreateProgramWithSource", error);
    if (!(error = clBuildProgram(q->program, 1, &device->id, options, NULL, NULL)))
        return STATUS_OK;
    clGetProgramBuildInfo(q->program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    AUTO_FREE char *log = memory_new(size + 1, 1);
    clGetProgramBuildInfo(q->program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    for (size = strlen(log); size && log[size - 1] == '\n';)
        log[--size] = 0;
    return fail("device '%s' cannot compile the kernels (%s); its compiler says:\n%s", device->name,
                device_error_name(error), log);
}

int compile(struct opencl_queue *q, const struct program *program, char *generated, const char *define) {
    enum { TEXTS = 3 };
    AUTO_FREE char *source = source_read(program->sources, program->source_count, false);
    AUTO_FREE char *kernels = kernel_source(program);
    AUTO_FREE char *options = options_of(q->device, program, define);
    AUTO_FREE char *last = generated;
    const char *text[TEXTS] = {source, kernels, last};
    char digest[DIGEST_SIZE];
    if (!source)
        return STATUS_BAD;
    struct digest *all = digest_create();
    for (int t = 0; t < TEXTS; ++t)
        digest_add_text(all, text[t]);
    digest_add_text(all, options);
    digest_finish(all, digest);
    if ((q->program = context_find_program(q->context, digest)))
        return STATUS_OK;
    if (compile_text(q, TEXTS, text, options))
        return STATUS_BAD;
    context_store_program(q->context, digest, q->program);
    return STATUS_OK;
}

int compile_frame(struct opencl_queue *q, const struct program *program, const struct frame_shape *shape,
                  cl_kernel *out, size_t *max_lanes) {
    AUTO_FREE char *options = frame_options(program, shape);
    if (compile(q, program, frame_source(program, shape), options) || queue_create_kernel(q, "springback_frame", out))
        return STATUS_BAD;
    *max_lanes = q->max_group_size;
    if (!q->device->has_global_barrier && *max_lanes < shape->lanes) {
        queue_release_program(q);
        *out = NULL;
    }
    return STATUS_OK;
}
