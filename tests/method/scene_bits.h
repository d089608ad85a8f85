/* The effect of obstacles and wind at many positions. The functions are compiled for each precision, and compute one
 * element or eight elements at a time. For each precision, both results must be bit-identical. The numbers in the
 * buffers have the precision of the function. */
#ifndef SPRINGBACK_TESTS_SCENE_BITS_H
#define SPRINGBACK_TESTS_SCENE_BITS_H

struct scene_bits {
    int triangles;                   /* a multiple of 8; triangle t has the corners 3 t to 3 t + 2 */
    const void *position, *velocity; /* [3 triangles] quads; a node with inverse mass w = 0 does not move */
    const void *planes;              /* quads, as in obstacle.h */
    const int *start;                /* [solids + 1] the first plane of each convex body */
    int solids;
    double sphere[4], wind[4]; /* centre and radius, m; velocity, m/s, and drag, kg/m^2/s */
    void *kept, *force;        /* results: [3 triangles] positions outside the obstacles, [triangles] forces; quads */
};

void scene_bits_float_1(const struct scene_bits *bits);
void scene_bits_float_8(const struct scene_bits *bits);
void scene_bits_double_1(const struct scene_bits *bits);
void scene_bits_double_8(const struct scene_bits *bits);

#endif
