/* Macros for a kernel's code in C, for example macros that make the plain loops from the item functions of kernels/.
 * The name of a plain loop ends with its precision (LOOP). The name of a SIMD kernel ends with the precision and the
 * processor level for which the file is compiled (ROWS). */
#ifndef SPRINGBACK_METHOD_LOOPS_H
#define SPRINGBACK_METHOD_LOOPS_H

#include "base/processor.h"
#include "method/program.h"

#include <string.h>

#ifdef REAL_IS_double
#define LOOP(name) name##_double
#else
#define LOOP(name) name##_float
#endif

#define LOOP_PASTE(name, level) name##_##level
#define LOOP_AT(name, level)    LOOP_PASTE(name, level)
#define ROWS(name)              LOOP_AT(LOOP(name), LEVEL)

/* For a loop whose iterations are independent: no iteration reads what another writes. */
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Declare m, a method's struct, from the arguments of a loop or SIMD kernel. */
#define TAKE_ARGUMENTS(type)                                                                                           \
    struct type m;                                                                                                     \
    _Static_assert(sizeof m <= ARGUMENT_BYTES, "the struct fits into ARGUMENT_BYTES");                                 \
    _Static_assert(offsetof(struct type, step) == offsetof(struct type, p) + sizeof m.p, "step follows p directly");   \
    memcpy(&m, arguments, sizeof m)

/* ---- Loops of the kernels that a header of kernels/ lists as KERNEL(kind, type of m, name) ---- */

#define DEFINE_LOOP(kind, type, name) LOOP_OF_##kind(type, name)

#define LOOP_HEAD(type, name)                                                                                          \
    kernel_loop LOOP(name);                                                                                            \
    void LOOP(name)(const void *arguments, struct range range) {                                                       \
        TAKE_ARGUMENTS(type);

/* Defines the loop over the items of a list, which calls NAME_item(item, m) for each item. */
#define LOOP_OF_LIST(type, name)                                                                                       \
    LOOP_HEAD(type, name)                                                                                              \
    for (int item = range.column_begin; item < range.column_end; ++item)                                               \
        name##_item(item, &m);                                                                                         \
    }

/* Like LOOP_OF_LIST, but for items that all need the same data. The loop calls NAME_shared(m) once, and passes the
 * result as `shared`: NAME_item(item, shared, m). */
#define LOOP_OF_SHARED_LIST(type, name)                                                                                \
    LOOP_HEAD(type, name)                                                                                              \
    const __typeof__(name##_shared(&m)) shared = name##_shared(&m);                                                    \
    for (int item = range.column_begin; item < range.column_end; ++item)                                               \
        name##_item(item, &shared, &m);                                                                                \
    }

/* Like LOOP_OF_LIST, but for a kernel with atomic sums. Such a kernel exists in float only. */
#ifdef REAL_IS_double
#define LOOP_OF_FLOAT_LIST(type, name)
#else
#define LOOP_OF_FLOAT_LIST(type, name) LOOP_OF_LIST(type, name)
#endif

/* A loop over the nodes of a grid's row, from node i to column `end` - 1, but at most to node `behind` - 1. If
 * is_checked, neighbours may be missing. Uses the caller's variables `row`, `first` (the row's first node), `i` and
 * `behind`. */
#define GRID_COLUMNS(end, is_checked, ...)                                                                             \
    for (const int last = behind < first + (end) ? behind : first + (end); i < last; ++i) {                            \
        const struct grid_node at = {i, i - first, row, is_checked};                                                   \
        __VA_ARGS__;                                                                                                   \
    }

/* Loops over the nodes of one row. Nodes that are at least two rows and two columns from the border have all
 * neighbours, so their neighbours are not checked. `before_inside` is a pragma for the loop over these nodes, or
 * empty. */
#define GRID_ROW(columns, rows, before_inside, ...)                                                                    \
    const int has_inside = (columns) > 4 && row >= 2 && row < (rows)-2;                                                \
    GRID_COLUMNS(has_inside ? 2 : (columns), 1, __VA_ARGS__)                                                           \
    before_inside GRID_COLUMNS((columns)-2, 0, __VA_ARGS__) GRID_COLUMNS(columns, 1, __VA_ARGS__)

/* Like LOOP_OF_LIST and LOOP_OF_SHARED_LIST, but for a list whose items are a grid's nodes, row by row. NAME_item gets
 * a struct grid_node instead of an index. */
#define LOOP_OF_NODES(type, name)                                                                                      \
    LOOP_HEAD(type, name)                                                                                              \
    const int behind = range.column_end;                                                                               \
    for (int i = range.column_begin; i < behind;) {                                                                    \
        const int row = i / m.p.m.columns, first = row * m.p.m.columns;                                                \
        GRID_ROW(m.p.m.columns, m.p.m.rows, , name##_item(at, &m))                                                     \
    }                                                                                                                  \
    }
#define LOOP_OF_SHARED_NODES(type, name)                                                                               \
    LOOP_HEAD(type, name)                                                                                              \
    const __typeof__(name##_shared(&m)) shared = name##_shared(&m);                                                    \
    const int behind = range.column_end;                                                                               \
    for (int i = range.column_begin; i < behind;) {                                                                    \
        const int row = i / m.p.m.columns, first = row * m.p.m.columns;                                                \
        GRID_ROW(m.p.m.columns, m.p.m.rows, , name##_item(at, &shared, &m))                                            \
    }                                                                                                                  \
    }

/* Like LOOP_OF_NODES, but for a rectangle of the grid: the columns and rows of `range`. */
#define LOOP_OF_GRID(type, name)                                                                                       \
    LOOP_HEAD(type, name)                                                                                              \
    for (int row = range.row_begin; row < range.row_end; ++row) {                                                      \
        const int first = row * m.p.columns, behind = first + range.column_end;                                        \
        int i = first + range.column_begin;                                                                            \
        GRID_ROW(m.p.columns, m.p.rows, INDEPENDENT, name##_item(at, &m))                                              \
    }                                                                                                                  \
    }

/* ---- For a method's table of kernels ---- */

#define DECLARE_LOOPS(kind, type, name) kernel_loop name##_float, name##_double;

/* The name and the loop of a kernel. The variable `is_double` must say whether the program is in double precision.
 * FLOAT_CODE is for kernels that exist in float only. */
#define CODE(kernel)       .name = #kernel, .loop = is_double ? kernel##_double : kernel##_float
#define FLOAT_CODE(kernel) .name = #kernel, .loop = kernel##_float

/* DECLARE_ROWS declares one object or function for each processor level. ROWS_TABLE makes the table of pointers to
 * them. Processors other than x86-64 have only the level base. */
#ifdef __x86_64__
#define DECLARE_ROWS(type, name) extern type name##_base, name##_v3, name##_v4
#define ROWS_TABLE(name)                                                                                               \
    { &name##_base, &name##_v3, &name##_v4 }
#else
#define DECLARE_ROWS(type, name) extern type name##_base
#define ROWS_TABLE(name)                                                                                               \
    { &name##_base, &name##_base, &name##_base }
#endif

/* Declares a SIMD kernel in both precisions. `name` is the name without precision and processor level, such as
 * pbd_edge_lanes. */
#define DECLARE_SIMD_KERNEL(name)                                                                                      \
    DECLARE_ROWS(const struct simd_kernel, name##_float);                                                              \
    DECLARE_ROWS(const struct simd_kernel, name##_double)
#define SIMD_KERNEL(name)                                                                                              \
    .simd = ((const struct simd_kernel *const[2][PROCESSOR_LEVELS]){                                                   \
        ROWS_TABLE(name##_float), ROWS_TABLE(name##_double)})[is_double][processor_level()]

#endif
