/* The functions in OpenCL C that call a program's item functions, printed from the kernels' bindings
 * (method/program.h). */
#ifndef SPRINGBACK_BACKEND_KERNEL_SOURCE_H
#define SPRINGBACK_BACKEND_KERNEL_SOURCE_H

#include "method/program.h"

/* The source of these functions, newly allocated, to be compiled behind the program's sources:
 *
 *     NAME(buffers, p, step, last)               for each kernel
 *     NAME_held(buffers, p, step, held, last)    for a kernel with is_held
 *     HELD(buffers, p, last)                     takes what the program holds of an item
 *     NAME_take(buffers, p, item), NAME_apply(buffers, p, step, item, taken), NAME_keep(buffers, p, item, taken)
 *
 * `last` is the item if the program is listed. If not, it is the number of items, the item is the work item's global
 * id, and NAME is an entry point unless FRAME is defined. */
char *kernel_source(const struct program *program);

/* Whether an earlier kernel of the program has the name of kernel k: they differ in their buffers alone, and one
 * function serves both. */
bool kernel_is_repeated(const struct program *program, int k);

#endif
