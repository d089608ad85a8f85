/* Functions that compute the effect of obstacles and wind at many positions. A function's name ends with its precision
 * and with the number of elements that it computes at a time. For each precision, the results of 1 and of 8 elements at
 * a time must be bit-identical. The quads in the buffers have the precision of the function. */
#ifndef SPRINGBACK_TESTS_SCENE_BITS_H
#define SPRINGBACK_TESTS_SCENE_BITS_H

struct scene_bits {
    int triangles;                   /* a multiple of 8; triangle t has the corners 3 t to 3 t + 2 */
    const void *position, *velocity; /* [3 * triangles] quads; a node with inverse mass w = 0 does not move */
    const void *planes;              /* quads, as in obstacle.h */
    const int *start;                /* [solids + 1] the first plane of each convex body */
    int solids;
    double sphere[4], wind[4]; /* sphere: centre and radius, in m; wind: velocity, in m/s, and drag, in kg/m^2/s */
    void *kept, *force; /* the results, in quads. kept[3 * triangles]: the positions, moved out of obstacles, in m.
                          force[triangles]: the force of the wind on each triangle, in N */
};

void scene_bits_float_1(const struct scene_bits *bits);
void scene_bits_float_8(const struct scene_bits *bits);
void scene_bits_double_1(const struct scene_bits *bits);
void scene_bits_double_8(const struct scene_bits *bits);

#endif
