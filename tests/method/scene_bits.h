/* Obstacles and wind on many places, compiled for each precision, an element and eight at a time: their bits must be
 * the same. Buffers are of the precision's reals. */
#ifndef SPRINGBACK_TESTS_SCENE_BITS_H
#define SPRINGBACK_TESTS_SCENE_BITS_H

struct scene_bits {
    int triangles;                   /* a multiple of 8; triangle t has the corners 3 t to 3 t + 2 */
    const void *position, *velocity; /* [3 triangles] quads; what has no inverse mass in w does not move */
    const void *planes;              /* quads */
    const int *start;                /* [solids + 1] */
    int solids;
    double sphere[4], wind[4]; /* centre and radius; velocity and drag */
    void *kept, *force;        /* out: [3 triangles], [triangles] quads */
};

void scene_bits_float_1(const struct scene_bits *bits);
void scene_bits_float_8(const struct scene_bits *bits);
void scene_bits_double_1(const struct scene_bits *bits);
void scene_bits_double_8(const struct scene_bits *bits);

#endif
