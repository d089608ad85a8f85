#include "method/arithmetic.h"

#include "method/loops.h"

#include <stddef.h>

typedef const char *fault_function(void);

DECLARE_ROWS(fault_function, arithmetic_fault_rows_float);
DECLARE_ROWS(fault_function, arithmetic_fault_rows_double);

const char *arithmetic_fault(void) {
    static fault_function *const functions[][PROCESSOR_LEVELS] = {ROWS_TABLE(arithmetic_fault_rows_float),
                                                                  ROWS_TABLE(arithmetic_fault_rows_double)};
    const char *fault = NULL;
    for (int precision = 0; precision < 2; ++precision)
        for (int level = 0; level <= (int)processor_level() && !fault; ++level)
            fault = functions[precision][level]();
    return fault;
}
