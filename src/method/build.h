/* Macros and functions from which methods build their programs and descriptions. */
#ifndef SPRINGBACK_METHOD_BUILD_H
#define SPRINGBACK_METHOD_BUILD_H

#include "method/method.h"

#include <math.h>

/* A method lists its buffers as BUFFER(name, type, sharing, items). BUFFER_INDEX makes an enumerator AT_name for each
 * buffer, and BUFFER_ENTRY makes the buffer's entry in the program's table. The type is quad, real or int. A buffer
 * that the program does not need has 0 items. */
#define BUFFER_INDEX(buffer, of_type, how, count) AT_##buffer,
#define BUFFER_ENTRY(buffer, of_type, how, count)                                                                      \
    [AT_##buffer] = {.name = #buffer, .type = #of_type, .sharing = (how), .items = (count)},

/* Bind up to 12 members of a method's struct to the buffers of the same names. */
#define BINDINGS(type, ...)                                                                                            \
    BINDINGS_PICK(__VA_ARGS__, BIND_12, BIND_11, BIND_10, BIND_9, BIND_8, BIND_7, BIND_6, BIND_5, BIND_4, BIND_3,      \
                  BIND_2, BIND_1, )                                                                                    \
    (type, __VA_ARGS__)
#define BINDINGS_PICK(a, b, c, d, e, f, g, h, i, j, k, l, chosen, ...) chosen
#define BIND_1(type, member)                                           BIND(type, member, AT_##member)
#define BIND_2(type, member, ...)                                      BIND_1(type, member), BIND_1(type, __VA_ARGS__)
#define BIND_3(type, member, ...)                                      BIND_1(type, member), BIND_2(type, __VA_ARGS__)
#define BIND_4(type, member, ...)                                      BIND_1(type, member), BIND_3(type, __VA_ARGS__)
#define BIND_5(type, member, ...)                                      BIND_1(type, member), BIND_4(type, __VA_ARGS__)
#define BIND_6(type, member, ...)                                      BIND_1(type, member), BIND_5(type, __VA_ARGS__)
#define BIND_7(type, member, ...)                                      BIND_1(type, member), BIND_6(type, __VA_ARGS__)
#define BIND_8(type, member, ...)                                      BIND_1(type, member), BIND_7(type, __VA_ARGS__)
#define BIND_9(type, member, ...)                                      BIND_1(type, member), BIND_8(type, __VA_ARGS__)
#define BIND_10(type, member, ...)                                     BIND_1(type, member), BIND_9(type, __VA_ARGS__)
#define BIND_11(type, member, ...)                                     BIND_1(type, member), BIND_10(type, __VA_ARGS__)
#define BIND_12(type, member, ...)                                     BIND_1(type, member), BIND_11(type, __VA_ARGS__)

/* Complete a program's tables. This function counts the sources. It counts buffers, kernels and stages if their count
 * is 0; a table of stages ends with STAGE_END. It finds the buffers position, velocity and record by their names, and
 * sets the item size of each buffer. A kernel whose number of columns is 0 gets `items` columns, and a kernel whose
 * number of rows is 0 gets one row. */
void program_complete(struct program *program, int items);

/* run_is_double: whether a run requests double precision. run_real_size: the bytes of the run's reals. */
bool run_is_double(const struct run *run);
int run_real_size(const struct run *run);

/* Fields that several methods have. `first` is the default value. If `first` is NULL, there is no default value, and
 * each experiment file must give a value. */
#define FIELD_CHOICE(path, words, first, doc)                                                                          \
    { path, TYPE_CHOICE, "1", first, -INFINITY, INFINITY, false, words, doc }
#define FIELD_UP_TO(most, path, unit, first, doc)                                                                      \
    { path, TYPE_REAL, unit, first, 0, most, false, NULL, doc }
#define FIELD_REAL(path, unit, first, doc) FIELD_UP_TO(INFINITY, path, unit, first, doc)
#define FIELD_PRECISION                                                                                                \
    FIELD_CHOICE("method.precision", "float double", "float",                                                          \
                 "Precision of positions, velocities and intermediate values.")
#define FIELD_STIFFNESS(equation)                                                                                      \
    FIELD_REAL("method.stiffness", "N/m", NULL, "Stiffness of every spring, ks in " equation ".")
#define FIELD_DAMPING(equation)                                                                                        \
    FIELD_REAL("method.damping", "N s/m", "0 N s/m", "Damping along every spring, kd in " equation ".")
#define FIELD_ITERATIONS(first, doc)                                                                                   \
    { "method.iterations", TYPE_INTEGER, "1", first, 1, 1e6, false, NULL, doc }

/* Define a method with the functions `check` and `build` of the file. The further arguments set other members. */
#define DEFINE_METHOD(variable, cost, what, ...)                                                                       \
    const struct method method_##variable = {                                                                          \
        .name = #variable,                                                                                             \
        .doc = (what),                                                                                                 \
        .fields = method_##variable##_fields,                                                                          \
        .relative_cost = (cost),                                                                                       \
        .check = check,                                                                                                \
        .build = build,                                                                                                \
        __VA_ARGS__,                                                                                                   \
    }

/* Define one of several methods of a file. The methods differ in fields, cost and operations. They share the file's
 * other functions. */
#define METHOD_OF(variable, kinds, cost, what)                                                                         \
    DEFINE_METHOD(variable, cost, what, .takes = (kinds), .quantities = quantities, .quantity_count = quantity_count,  \
                  .operations = variable##_operations, .fill = fill, .measure = measure)

/* ---- Operations in single precision, counted in kernels/: each multiplication, addition or division is one ----
 *
 * The comments at counts, here and in the files of methods, list the parts of a count. "(4 operations)" is the number
 * of operations of the part before it. A number alone in parentheses is the number of an equation. */

enum {
    OPS_ROOT = 13,                  /* inverse_root */
    OPS_RECIPROCAL = OPS_ROOT + 1,  /* reciprocal: the square of an inverse_root */
    OPS_SHARE = OPS_RECIPROCAL + 1, /* one number divided by another: a reciprocal and a product */
    OPS_VECTOR = 3,                 /* sum or multiple of a vec3 */
    OPS_INNER = 5                   /* inner product */
};

/* spring_force of mass_spring.h: d = p1 - p2, u = v1 - v2, |d|^2, its root, kd u.d / |d| (7 operations), the factor of
 * d (4 operations), the factor times d; and the addition of the force at both ends. */
enum { OPS_SPRING_FORCE = 2 * OPS_VECTOR + OPS_INNER + OPS_ROOT + 7 + 4 + OPS_VECTOR + 2 * OPS_VECTOR };

/* Equations (4) and (3) of va2022 for a node, in mass_spring.h: the three terms of the acceleration, two of which are
 * scaled; acceleration times dt, added to the velocity; velocity times dt, added to the position. */
enum { OPS_EULER = 2 * OPS_VECTOR + 2 * OPS_VECTOR + 2 * OPS_VECTOR + 2 * OPS_VECTOR };

/* xpbd.h, for a node: forces, the predicted displacement, and the velocity from the displacement. */
enum { OPS_PREDICTION = 3 * OPS_VECTOR + 2 * OPS_VECTOR + 2 * OPS_VECTOR };

/* For a tetrahedron: the edges from its first corner; and a column of the deformation gradient F, computed from these
 * edges. */
enum { OPS_EDGES = 3 * OPS_VECTOR, OPS_COLUMN_OF_F = 3 * OPS_VECTOR + 2 * OPS_VECTOR };

#endif
