#include "method/arithmetic.h"

#include "base/processor.h"

#include <stddef.h>

typedef const char *fault_function(void);

#ifdef __x86_64__
#define DECLARE(precision)                                                                                             \
    fault_function arithmetic_fault_rows_##precision##_base, arithmetic_fault_rows_##precision##_v3,                   \
        arithmetic_fault_rows_##precision##_v4
#define TABLE(precision)                                                                                               \
    {                                                                                                                  \
        arithmetic_fault_rows_##precision##_base, arithmetic_fault_rows_##precision##_v3,                              \
            arithmetic_fault_rows_##precision##_v4                                                                     \
    }
#else
#define DECLARE(precision) fault_function arithmetic_fault_rows_##precision##_base
#define TABLE(precision)                                                                                               \
    { arithmetic_fault_rows_##precision##_base }
#endif

DECLARE(float);
DECLARE(double);

const char *arithmetic_fault(void) {
    static fault_function *const functions[][PROCESSOR_LEVELS] = {TABLE(float), TABLE(double)};
    const char *fault = NULL;
    for (int precision = 0; precision < 2; ++precision)
        for (int level = 0; level <= (int)processor_level() && !fault; ++level)
            fault = functions[precision][level]();
    return fault;
}
