/* A listed program's functions, for test_listed.c and for OpenCL: points pulled towards each other along random pairs,
 * and towards the middle of random fours, colour by colour. It means nothing, and every order but the colours' shows.
 */
#include "dialect.h"

struct listed_parameters {
    scalar step, share;
};

#define PARAMETERS const struct listed_parameters p

static inline void listed_begin(GLOBAL const quad *position, GLOBAL const quad *velocity, FRAME_SPACE quad *predicted,
                                PARAMETERS, const int step, const int item) {
    const vec3 x = xyz(position[item]), v = xyz(velocity[item]);
    predicted[item] = quad_of(add(x, scale(p.step * (scalar)(1 + step % 3), v)), position[item].w);
}

struct listed_pair {
    int a, b;
    scalar rest;
};

static inline struct listed_pair listed_edge_take(FRAME_SPACE quad *predicted, GLOBAL const int *ends,
                                                  GLOBAL const real *rest, PARAMETERS, const int item) {
    (void)predicted;
    (void)p;
    const struct listed_pair pair = {ends[2 * item], ends[2 * item + 1], rest[item]};
    return pair;
}

static inline void listed_edge_apply(FRAME_SPACE quad *predicted, GLOBAL const int *ends, GLOBAL const real *rest,
                                     PARAMETERS, const int step, const int item, const struct listed_pair *pair) {
    (void)ends;
    (void)rest;
    (void)step;
    (void)item;
    const quad a = predicted[pair->a], b = predicted[pair->b];
    const vec3 apart = subtract(xyz(b), xyz(a));
    const vec3 pull = scale(p.share * ((scalar)1 - pair->rest * inverse_root(inner(apart, apart))), apart);
    predicted[pair->a] = quad_of(add(xyz(a), pull), a.w);
    predicted[pair->b] = quad_of(subtract(xyz(b), pull), b.w);
}

static inline void listed_edge(FRAME_SPACE quad *predicted, GLOBAL const int *ends, GLOBAL const real *rest, PARAMETERS,
                               const int step, const int item) {
    const struct listed_pair pair = listed_edge_take(predicted, ends, rest, p, item);
    listed_edge_apply(predicted, ends, rest, p, step, item, &pair);
}

static inline void listed_four(FRAME_SPACE quad *predicted, GLOBAL const int *corners, PARAMETERS, const int step,
                               const int item) {
    (void)step;
    vec3 sum = vec3_of(0, 0, 0);
    for (int k = 0; k < 4; ++k)
        sum = add(sum, xyz(predicted[corners[4 * item + k]]));
    for (int k = 0; k < 4; ++k) {
        const int i = corners[4 * item + k];
        const quad x = predicted[i];
        predicted[i] = quad_of(add(xyz(x), scale(p.share, subtract(scale((scalar)0.25, sum), xyz(x)))), x.w);
    }
}

/* Every point towards the one before it, all from the same places. */
static inline void listed_blend(FRAME_SPACE const quad *predicted, FRAME_SPACE quad *blended, PARAMETERS,
                                const int step, const int item) {
    (void)step;
    const vec3 x = xyz(predicted[item]), before = xyz(predicted[item ? item - 1 : item]);
    blended[item] = quad_of(add(x, scale(p.share * (scalar)0.1, subtract(before, x))), predicted[item].w);
}

static inline void listed_end(GLOBAL quad *position, GLOBAL quad *velocity, FRAME_SPACE const quad *predicted,
                              PARAMETERS, const int step, const int item) {
    (void)step;
    const vec3 v = scale((scalar)1 / p.step, subtract(xyz(predicted[item]), xyz(position[item])));
    velocity[item] = quad_of(v, velocity[item].w);
    position[item] = predicted[item];
}
