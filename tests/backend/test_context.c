/* Tests of the OpenCL contexts and programs that a process stores for all its runs (backend/opencl/context.h). */
#include "backend/opencl/context.h"
#include "base/digest.h"

#include <criterion/criterion.h>
#include <stdio.h>

static const struct device *device_here(void) {
    const struct device_list *list = device_list();
    cr_assert_gt(list->count, 0, "there is no OpenCL device to test on");
    return &list->devices[list->count - 1];
}

static cl_context context_here(void) {
    cl_int error;
    cl_context context = context_open(device_here(), &error);
    cr_assert(context && !error);
    return context;
}

static cl_program program_in(cl_context context) {
    const char *text = "__kernel void nothing(void) {}\n";
    cl_int error;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    cr_assert(program && !error);
    return program;
}

static cl_uint references(cl_program program) {
    cl_uint count = 0;
    cr_assert_eq(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, NULL), CL_SUCCESS);
    return count;
}

/* Returns a made-up digest, a different one for each number. The text is valid until the next call. */
static const char *digest_of(int number) {
    static char text[DIGEST_SIZE];
    snprintf(text, sizeof text, "%032d", number);
    return text;
}

Test(context, one_a_device_until_it_is_forgotten) {
    cl_context first = context_here(), second = context_here();
    cr_expect_eq(first, second);
    clReleaseContext(second);
    context_clear();
    cl_context third = context_here();
    cr_expect_neq(first, third, "context_clear has not released the stored context");
    clReleaseContext(first);
    clReleaseContext(third);
    context_clear();
}

Test(context, what_was_built_is_found_by_its_digest) {
    cl_context context = context_here();
    cl_program program = program_in(context);
    cr_expect_null(context_find_program(context, digest_of(1)));
    context_store_program(context, digest_of(1), program);
    cr_expect_eq(references(program), 2);
    cr_expect_null(context_find_program(context, digest_of(2)));
    cl_program found = context_find_program(context, digest_of(1));
    cr_expect_eq(found, program);
    cr_expect_eq(references(program), 3, "context_find_program must add a reference, which the caller releases");
    clReleaseProgram(found);
    context_clear();
    cr_expect_eq(references(program), 1);
    cr_expect_null(context_find_program(context, digest_of(1)));
    clReleaseProgram(program);
    clReleaseContext(context);
}

Test(context, the_oldest_of_many_programs_is_freed) {
    enum { MANY = 100 };
    cl_context context = context_here();
    cl_program first = program_in(context);
    context_store_program(context, digest_of(0), first);
    for (int n = 1; n < MANY; ++n) {
        cl_program program = program_in(context);
        context_store_program(context, digest_of(n), program);
        clReleaseProgram(program);
    }
    cr_expect_null(context_find_program(context, digest_of(0)));
    cr_expect_eq(references(first), 1, "the removed program must be released");
    cl_program last = context_find_program(context, digest_of(MANY - 1));
    cr_expect_not_null(last);
    clReleaseProgram(last);
    clReleaseProgram(first);
    clReleaseContext(context);
    context_clear();
}
