/* Energies and strains of many springs, computed by vector units. */
#ifndef SPRINGBACK_METHOD_SPRING_BATCH_H
#define SPRINGBACK_METHOD_SPRING_BATCH_H

enum { SPRING_BATCH = 512 };

/* A batch of springs. d[c][k] is coordinate c of the vector between the ends of spring k, in m. rest[k] is the rest
 * length of spring k, in m. */
struct spring_batch {
    _Alignas(64) double d[3][SPRING_BATCH], rest[SPRING_BATCH];
    double energy[SPRING_BATCH], strain[SPRING_BATCH]; /* results: the energy in J (spring_energy in
                                                          kernels/mass_spring.h) and the strain (spring_strain), which
                                                          has no unit */
    int node[SPRING_BATCH], count;                     /* `node`: the first end of each spring; `count`: the number of
                                                          springs */
};

/* Compute the energies and strains of the first batch->count springs; `stiffness` is in N/m. */
typedef void spring_batch_function(struct spring_batch *batch, double stiffness);

/* Springs from `count` consecutive nodes of a grid to `count` other consecutive nodes. Coordinate c of the first end of
 * spring k is from[c][k], and of its second end to[c][k], in m. All springs have the same rest length, in m, and
 * stiffness, in N/m. The arrays from[c] and to[c] must be readable up to ROW_SPARE (method.h) numbers after the last
 * node. */
struct spring_row {
    const double *from[3], *to[3];
    double rest, stiffness;
    double *elastic, *strain; /* for each node: half of its springs' energies; the largest strain of its springs */
    int count;
};

/* Add half of the energy of spring k to elastic[k]. Set strain[k] to the absolute strain of spring k if this strain is
 * larger than strain[k] or is NaN. */
typedef void spring_row_function(const struct spring_row *row);

#endif
