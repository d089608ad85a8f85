/* The kernels of a list program (method/program.h) for tests. Colour by colour, they move the points of random pairs so
 * that the distance of the two points approaches the pair's rest length. They move the points of random groups of four
 * towards the centre of the group. The result has no physical meaning, but depends on the order of the colours. */
#include "dialect.h"

struct listed_parameters {
    scalar step, share;
};

struct listed {
    GLOBAL quad *position, *velocity;
    FRAME_SPACE quad *predicted, *blended;
    GLOBAL const int *ends, *corners;
    GLOBAL const real *rest;
    struct listed_parameters p;
    int step;
};

INLINE void listed_begin_item(int i, const struct listed *m) {
    const vec3 x = xyz(m->position[i]), v = xyz(m->velocity[i]);
    m->predicted[i] = quad_of(add(x, scale(m->p.step * (scalar)(1 + m->step % 3), v)), m->position[i].w);
}

struct listed_pair {
    int a, b;
    scalar rest;
};

INLINE struct listed_pair listed_edge_prefetch_item(int e, const struct listed *m) {
    const struct listed_pair pair = {m->ends[2 * e], m->ends[2 * e + 1], m->rest[e]};
    return pair;
}

INLINE void listed_edge_apply_item(int e, const struct listed_pair *pair, const struct listed *m) {
    (void)e;
    const quad a = m->predicted[pair->a], b = m->predicted[pair->b];
    const vec3 apart = subtract(xyz(b), xyz(a));
    const vec3 pull = scale(m->p.share * ((scalar)1 - pair->rest * inverse_root(inner(apart, apart))), apart);
    m->predicted[pair->a] = quad_of(add(xyz(a), pull), a.w);
    m->predicted[pair->b] = quad_of(subtract(xyz(b), pull), b.w);
}

INLINE void listed_edge_item(int e, const struct listed *m) {
    const struct listed_pair pair = listed_edge_prefetch_item(e, m);
    listed_edge_apply_item(e, &pair, m);
}

INLINE void listed_four_item(int f, const struct listed *m) {
    vec3 sum = vec3_of(0, 0, 0);
    for (int k = 0; k < 4; ++k)
        sum = add(sum, xyz(m->predicted[m->corners[4 * f + k]]));
    for (int k = 0; k < 4; ++k) {
        const int i = m->corners[4 * f + k];
        const quad x = m->predicted[i];
        m->predicted[i] = quad_of(add(xyz(x), scale(m->p.share, subtract(scale((scalar)0.25, sum), xyz(x)))), x.w);
    }
}

/* Pull point i towards point i - 1. The function reads both points from `predicted` and writes only to `blended`, so
 * the order of the points does not matter. */
INLINE void listed_blend_item(int i, const struct listed *m) {
    const vec3 x = xyz(m->predicted[i]), before = xyz(m->predicted[i ? i - 1 : i]);
    m->blended[i] = quad_of(add(x, scale(m->p.share * (scalar)0.1, subtract(before, x))), m->predicted[i].w);
}

INLINE void listed_end_item(int i, const struct listed *m) {
    const vec3 v = scale((scalar)1 / m->p.step, subtract(xyz(m->predicted[i]), xyz(m->position[i])));
    m->velocity[i] = quad_of(v, m->velocity[i].w);
    m->position[i] = m->predicted[i];
}

#define LISTED_KERNELS(KERNEL)                                                                                         \
    KERNEL(LIST, listed, listed_begin)                                                                                 \
    KERNEL(LIST, listed, listed_edge)                                                                                  \
    KERNEL(LIST, listed, listed_four)                                                                                  \
    KERNEL(LIST, listed, listed_blend)                                                                                 \
    KERNEL(LIST, listed, listed_end)
