/* Generates the functions in OpenCL C that call a program's item functions, from the kernels' bindings
 * (method/program.h). */
#ifndef SPRINGBACK_BACKEND_KERNEL_SOURCE_H
#define SPRINGBACK_BACKEND_KERNEL_SOURCE_H

#include "method/program.h"

/* The source of these functions, which must be compiled after the program's sources. Newly allocated; the caller frees
 * it.
 *
 *     NAME(buffers, p, step, last)                     for each kernel NAME
 *     NAME_resident(buffers, p, step, resident, last)  for a kernel with kernel_hints.uses_resident
 *     RESIDENT(buffers, p, last)                       program_hints.resident.name: returns an item's resident data
 *     NAME_prefetch(buffers, p, item)                  for a kernel with kernel_hints.prefetched
 *     NAME_apply(buffers, p, step, item, prefetched)   for a kernel with kernel_hints.prefetched
 *     NAME_write_back(buffers, p, item, prefetched)    for a kernel with kernel_hints.writes_back
 *
 * In a list program `last` is the item, and all functions are inline. In another program `last` is the number of items,
 * and the item is ITEM (kernels/dialect.h). NAME is then an entry point, with two exceptions. If FRAME is defined, all
 * functions are inline. If SUMS_ARE_FUSED is defined, kernels that write a BUFFER_SUMMED are inline. */
char *kernel_source(const struct program *program);

/* Whether a kernel before kernel k has the same name. Kernels with the same name differ only in their buffers, and
 * share one function. */
bool kernel_is_duplicate(const struct program *program, int k);

#endif
