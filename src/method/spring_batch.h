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

#endif
