/* Energies and strains of many springs, computed by vector units. */
#ifndef SPRINGBACK_METHOD_SPRING_BATCH_H
#define SPRINGBACK_METHOD_SPRING_BATCH_H

enum { SPRING_BATCH = 512 };

/* For spring k: d[c][k] is coordinate c of the vector between its ends, in m, and rest[k] its rest length, in m. */
struct spring_batch {
    _Alignas(64) double d[3][SPRING_BATCH], rest[SPRING_BATCH];
    double energy[SPRING_BATCH], strain[SPRING_BATCH]; /* results of spring_energy, in J, and of spring_strain, without
                                                          a unit (kernels/mass_spring.h) */
    int node[SPRING_BATCH], count;                     /* the first end of each spring; the number of springs */
};

/* Compute the energies and strains of the first batch->count springs; `stiffness` is in N/m. */
typedef void spring_batch_function(struct spring_batch *batch, double stiffness);

/* Springs from `count` consecutive nodes of a grid to as many other consecutive nodes: spring k is from from[c][k] to
 * to[c][k], where c is the coordinate, in m. All have the same rest length, in m, and stiffness, in N/m. The row's
 * arrays from[c] and to[c] must be readable up to ROW_SPARE (method.h) numbers after the last node. */
struct spring_row {
    const double *from[3], *to[3];
    double rest, stiffness;
    double *elastic, *strain; /* of each node: half of its springs' energies, and their largest strain */
    int count;
};

/* Add half of each spring's energy to elastic[k], and set strain[k] to the absolute strain of the spring if this strain
 * is larger than strain[k] or is NaN. */
typedef void spring_row_function(const struct spring_row *row);

#endif
