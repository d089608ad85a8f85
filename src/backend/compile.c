#include "backend/compile.h"

#include "backend/context.h"
#include "backend/frame_kernel.h"
#include "backend/source.h"
#include "backend/way.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int compile_failed(const char *what, cl_int error) {
    context_forget();
    return fail("OpenCL: %s failed: %s", what, device_error_name(error));
}

int compile(cl_context context, const struct device *device, const struct program *program, char *generated,
            const char *define, cl_program *out) {
    char *source = source_read(program->sources, program->source_count, false);
    if (!source) {
        free(generated);
        return STATUS_BAD;
    }
    const char *text[] = {source, frame_fold_source, generated};
    cl_int error;
    *out = clCreateProgramWithSource(context, 3, text, NULL, &error);
    free(source);
    free(generated);
    if (error)
        return compile_failed("clCreateProgramWithSource", error);
    char *options = text_format("-cl-std=CL1.2 -DREAL_IS_%s%s%s%s", program->real_size == 8 ? "double" : "float",
                                define, device->bit_exact ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
                                way_is_strict() ? " -Werror" : "");
    for (int c = 0; c < program->constant_count; ++c) {
        char *longer = text_format("%s -D%s=%d", options, program->constants[c].name, program->constants[c].value);
        free(options);
        options = longer;
    }
    error = clBuildProgram(*out, 1, &device->id, options, NULL, NULL);
    free(options);
    if (error) {
        size_t size = 0;
        clGetProgramBuildInfo(*out, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
        char *log = memory_new(size + 1, 1);
        clGetProgramBuildInfo(*out, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
        for (size = strlen(log); size && log[size - 1] == '\n';)
            log[--size] = 0;
        fail("device '%s' cannot compile the kernels (%s); its compiler says:\n%s", device->name,
             device_error_name(error), log);
        free(log);
        return STATUS_BAD;
    }
    return STATUS_OK;
}
