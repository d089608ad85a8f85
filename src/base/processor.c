#include "base/processor.h"

#include <stdlib.h>
#include <string.h>

static enum processor_level level_here(void) {
#ifdef __x86_64__
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
        return PROCESSOR_BASE;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
        return PROCESSOR_V4;
    return PROCESSOR_V3;
#else
    return PROCESSOR_BASE;
#endif
}

enum processor_level processor_level(void) {
    static const char *const names[] = {"base", "v3"};
    const enum processor_level here = level_here();
    const char *wanted = getenv("SPRINGBACK_LEVEL");
    for (int l = 0; wanted && l < 2; ++l)
        if (!strcmp(wanted, names[l]) && (enum processor_level)l < here)
            return (enum processor_level)l;
    return here;
}
