#if WIDTH > 1
#define LANES WIDTH
#endif
#include "scene_bits.h"
#include "obstacle.h"
#include "wind.h"

#include <string.h>

#define JOIN_ALL(a, b, c, d) a##b##c##d
#define JOIN(a, b, c, d)     JOIN_ALL(a, b, c, d)

/* Component k of the quads `first`, `first` + stride, ...: one quad in each lane. */
static real load(const void *quads, int first, int stride, int k) {
    const scalar *from = (const scalar *)quads + 4 * first + k;
#ifdef LANES
    real a = {0};
    for (int l = 0; l < LANES; ++l)
        a[l] = from[4 * stride * l];
    return a;
#else
    (void)stride;
    return *from;
#endif
}

static vec3 load_place(const void *quads, int first, int stride) {
    return vec3_of(load(quads, first, stride, 0), load(quads, first, stride, 1), load(quads, first, stride, 2));
}

static void store_place(void *quads, int first, vec3 a) {
    scalar part[3][WIDTH], *to = (scalar *)quads + 4 * first;
    memcpy(part[0], &a.x, sizeof part[0]);
    memcpy(part[1], &a.y, sizeof part[1]);
    memcpy(part[2], &a.z, sizeof part[2]);
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < WIDTH; ++l)
            to[4 * l + k] = part[k][l];
}

void JOIN(scene_bits_, REAL, _, WIDTH)(const struct scene_bits *bits) {
    const struct obstacle_parameters p = {(scalar)bits->sphere[0], (scalar)bits->sphere[1], (scalar)bits->sphere[2],
                                          (scalar)bits->sphere[3]};
    const struct wind_parameters wind = {.velocity_x = (scalar)bits->wind[0],
                                         .velocity_y = (scalar)bits->wind[1],
                                         .velocity_z = (scalar)bits->wind[2],
                                         .drag = (scalar)bits->wind[3]};
    for (int i = 0; i < 3 * bits->triangles; i += WIDTH) {
        const vec3 x = load_place(bits->position, i, 1);
        const word moves = load(bits->position, i, 1, 3) > 0;
        store_place(bits->kept, i,
                    obstacles_kept_out(x, moves, OBSTACLE_SPHERE | OBSTACLE_CONVEX, bits->planes, bits->start,
                                       bits->solids, p));
    }
    for (int t = 0; t < bits->triangles; t += WIDTH) {
        vec3 x[3], v[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = load_place(bits->position, 3 * t + k, 3);
            v[k] = load_place(bits->velocity, 3 * t + k, 3);
        }
        store_place(bits->force, t, wind_on_triangle(x[0], x[1], x[2], v[0], v[1], v[2], wind));
    }
}
