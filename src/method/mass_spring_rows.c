/* A grid's step by rows, for vector units: each spring is computed once, for the end that comes first, and serves the
 * other with its sign changed, which is exact. A node sums in the order of mass_spring.h, so the bits are the same.
 *
 * A tile of columns walks down the rows. Three rows of nodes lie as structures of arrays, and of the springs that lead
 * downwards those that are still needed; all of it stays in a core's own cache. Where there is no spring its force is
 * +0, which changes no sum, since no sum that begins with +0 is ever -0. */
#include "method/mass_spring_loops.h"

#include "mass_spring.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Bytes of positions and velocities, old and new, that no cache holds. */
static const size_t CACHE = (size_t)48 << 20;

enum {
    TILE = 512, /* columns */
    HALO = 2,   /* a bend spring's length */
    EDGE = 16,  /* places before the tile's first column, so that it is aligned */
    PLACES = EDGE + TILE + 3 * EDGE,
    LANES =
        16 /* places that a loop takes at once: springs and nodes are computed in whole vectors, also where none are */
};

struct nodes {
    _Alignas(64) real x[PLACES], y[PLACES], z[PLACES], u[PLACES], v[PLACES], w[PLACES];
    _Alignas(64) real inverse_mass[PLACES], share[PLACES];
};

struct forces {
    _Alignas(64) real x[PLACES], y[PLACES], z[PLACES];
};

struct tile {
    struct mass_spring_parameters p;
    int first, width;      /* columns */
    struct nodes nodes[3]; /* rows r, r + 1 and r + 2, each at its index modulo 3 */
    struct forces right, far_right;
    struct forces down[2], down_left[2], down_right[2]; /* of rows r - 1 and r */
    struct forces far_down[3];                          /* of rows r - 2 to r */
    struct nodes next;
    _Alignas(64) quad out[TILE];
};

/* Places in a row that stand for columns [begin, end), cut to those that have a column `right` places on. */
struct span {
    int begin, end;
};

static struct span span_of(const struct tile *t, int begin, int end, int right) {
    const int least = right < 0 ? -right : 0, most = t->p.columns - (right > 0 ? right : 0);
    begin = begin < least ? least : begin;
    end = end > most ? most : end;
    return (struct span){begin - t->first + EDGE, (end > begin ? end : begin) - t->first + EDGE};
}

static void load(struct tile *t, const struct mass_spring *m, int row) {
    if (row < 0 || row >= t->p.rows)
        return;
    const struct span span = span_of(t, t->first - HALO, t->first + t->width + HALO, 0);
    const long start = (long)row * t->p.columns + t->first - EDGE;
    const quad *position = m->position + start, *velocity = m->velocity + start;
    struct nodes *to = &t->nodes[row % 3];
    INDEPENDENT
    for (int k = span.begin; k < span.end; ++k) {
        to->x[k] = position[k].x;
        to->y[k] = position[k].y;
        to->z[k] = position[k].z;
        to->inverse_mass[k] = position[k].w;
    }
    INDEPENDENT
    for (int k = span.begin; k < span.end; ++k) {
        to->u[k] = velocity[k].x;
        to->v[k] = velocity[k].y;
        to->w[k] = velocity[k].z;
        to->share[k] = velocity[k].w;
    }
}

INLINE vec3 position_at(const struct nodes *nodes, int k) {
    return vec3_of(nodes->x[k], nodes->y[k], nodes->z[k]);
}

INLINE vec3 velocity_at(const struct nodes *nodes, int k) {
    return vec3_of(nodes->u[k], nodes->v[k], nodes->w[k]);
}

INLINE vec3 force_at(const struct forces *forces, int k) {
    return vec3_of(forces->x[k], forces->y[k], forces->z[k]);
}

static void clear(struct forces *f, int begin, int end) {
    for (int k = begin; k < end; ++k)
        f->x[k] = f->y[k] = f->z[k] = 0;
}

/* The forces on nodes `a`, of columns [begin, end), of their springs to the nodes of `b` that stand `right` places on.
 * Without `b`, and around those columns, there are none. */
INLINE void pull(struct tile *t, struct forces *f, const struct nodes *a, const struct nodes *b, int begin, int end,
                 const int right, real rest) {
    const struct span span = b ? span_of(t, begin, end, right) : (struct span){EDGE, EDGE};
    const real stiffness = t->p.stiffness, damping = t->p.damping;
    for (int first = span.begin / LANES * LANES; first < span.end; first += LANES)
        INDEPENDENT
    for (int k = first; k < first + LANES; ++k) {
        const vec3 force = spring_force(position_at(a, k), velocity_at(a, k), position_at(b, k + right),
                                        velocity_at(b, k + right), rest, stiffness, damping);
        f->x[k] = force.x;
        f->y[k] = force.y;
        f->z[k] = force.z;
    }
    clear(f, EDGE - HALO, span.begin);
    clear(f, span.end, EDGE + t->width + HALO);
}

/* The springs that lead downwards from a row, as far as the tile's nodes need them. */
static void pull_down(struct tile *t, int row, int row_begin) {
    const struct mass_spring_parameters *p = &t->p;
    const int begin = t->first, end = t->first + t->width;
    const struct nodes *here = &t->nodes[(row + 3) % 3];
    const struct nodes *below = row >= 0 && row + 1 < p->rows ? &t->nodes[(row + 1) % 3] : NULL;
    const struct nodes *far_below = row >= 0 && row + 2 < p->rows ? &t->nodes[(row + 2) % 3] : NULL;
    if (p->springs & SPRINGS_BEND)
        pull(t, &t->far_down[(row + 3) % 3], here, far_below, begin, end, 0, 2 * p->rest_row);
    if (row < row_begin - 1)
        return;
    if (p->springs & SPRINGS_STRUCTURAL)
        pull(t, &t->down[row & 1], here, below, begin, end, 0, p->rest_row);
    if (p->springs & SPRINGS_SHEAR) {
        pull(t, &t->down_left[row & 1], here, below, begin, end + 1, -1, p->rest_shear);
        pull(t, &t->down_right[row & 1], here, below, begin - 1, end, 1, p->rest_shear);
    }
}

static void pull_right(struct tile *t, int row) {
    const struct mass_spring_parameters *p = &t->p;
    const int begin = t->first, end = t->first + t->width;
    const struct nodes *here = &t->nodes[row % 3];
    if (p->springs & SPRINGS_STRUCTURAL)
        pull(t, &t->right, here, here, begin - 1, end, 1, p->rest_column);
    if (p->springs & SPRINGS_BEND)
        pull(t, &t->far_right, here, here, begin - 2, end, 2, 2 * p->rest_column);
}

/* Sum the forces on a row's nodes, and move them. */
INLINE void move(struct tile *t, int row, vec3 push, const int springs) {
    const struct nodes *here = &t->nodes[row % 3];
    const struct forces *down = &t->down[row & 1], *up = &t->down[(row + 1) & 1];
    const struct forces *down_left = &t->down_left[row & 1], *up_right = &t->down_left[(row + 1) & 1];
    const struct forces *down_right = &t->down_right[row & 1], *up_left = &t->down_right[(row + 1) & 1];
    const struct forces *far_down = &t->far_down[row % 3], *far_up = &t->far_down[(row + 1) % 3];
    const struct mass_spring_parameters p = t->p;
    struct nodes *next = &t->next;
    for (int first = EDGE; first < EDGE + t->width; first += LANES)
        INDEPENDENT
    for (int k = first; k < first + LANES; ++k) {
        vec3 force = vec3_of(0, 0, 0);
        if (springs & SPRINGS_STRUCTURAL) {
            force = subtract(force, force_at(&t->right, k - 1));
            force = add(force, force_at(&t->right, k));
            force = subtract(force, force_at(up, k));
            force = add(force, force_at(down, k));
        }
        if (springs & SPRINGS_SHEAR) {
            force = subtract(force, force_at(up_left, k - 1));
            force = subtract(force, force_at(up_right, k + 1));
            force = add(force, force_at(down_left, k));
            force = add(force, force_at(down_right, k));
        }
        if (springs & SPRINGS_BEND) {
            force = subtract(force, force_at(&t->far_right, k - 2));
            force = add(force, force_at(&t->far_right, k));
            force = subtract(force, force_at(far_up, k));
            force = add(force, force_at(far_down, k));
        }
        const vec3 velocity =
            velocity_after(velocity_at(here, k), force, here->inverse_mass[k], here->share[k], push, p);
        const vec3 position = position_after(position_at(here, k), velocity, p);
        next->x[k] = position.x;
        next->y[k] = position.y;
        next->z[k] = position.z;
        next->u[k] = velocity.x;
        next->v[k] = velocity.y;
        next->w[k] = velocity.z;
    }
}

static void interleave(quad *to, const real *x, const real *y, const real *z, const real *w, int width) {
    INDEPENDENT
    for (int k = 0; k < width; ++k) {
        to[k].x = x[k];
        to[k].y = y[k];
        to[k].z = z[k];
        to[k].w = w[k];
    }
}

/* Past the caches, which would fetch what is about to be overwritten. */
static void stream(quad *to, const quad *from, int width) {
#ifdef __SSE2__
    const size_t pieces = (size_t)width * (sizeof(quad) / sizeof(__m128i));
    for (size_t k = 0; k < pieces; ++k)
        _mm_stream_si128((__m128i *)to + k, _mm_load_si128((const __m128i *)from + k));
#else
    memcpy(to, from, (size_t)width * sizeof *to);
#endif
}

static void store(struct tile *t, const struct mass_spring *m, int row) {
    const struct nodes *here = &t->nodes[row % 3], *next = &t->next;
    const long start = (long)row * t->p.columns + t->first;
    const int e = EDGE, width = t->width;
    quad *position = m->position_next + start, *velocity = m->velocity_next + start;
    const bool is_beyond = sizeof(quad) * 4 * (size_t)t->p.columns * (size_t)t->p.rows > CACHE;
    interleave(is_beyond ? t->out : position, next->x + e, next->y + e, next->z + e, here->inverse_mass + e, width);
    if (is_beyond)
        stream(position, t->out, width);
    interleave(is_beyond ? t->out : velocity, next->u + e, next->v + e, next->w + e, here->share + e, width);
    if (is_beyond)
        stream(velocity, t->out, width);
}

void ROWS(mass_spring_grid_rows)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct mass_spring m = {.position = buffers[0],
                                  .velocity = buffers[1],
                                  .position_next = buffers[2],
                                  .velocity_next = buffers[3],
                                  .p = *(const struct mass_spring_parameters *)parameters,
                                  .step = step};
    const vec3 push = push_in(step, m.p);
    static _Thread_local struct tile t;
    t.p = m.p;
    for (t.first = range.column_begin; t.first < range.column_end; t.first += TILE) {
        t.width = range.column_end - t.first < TILE ? range.column_end - t.first : TILE;
        for (int row = range.row_begin - HALO; row < range.row_begin; ++row)
            load(&t, &m, row);
        load(&t, &m, range.row_begin);
        for (int row = range.row_begin - HALO; row < range.row_end; ++row) {
            if (row >= range.row_begin - 1)
                load(&t, &m, row + HALO);
            pull_down(&t, row, range.row_begin);
            if (row < range.row_begin)
                continue;
            pull_right(&t, row);
            if (m.p.springs == (SPRINGS_STRUCTURAL | SPRINGS_SHEAR | SPRINGS_BEND))
                move(&t, row, push, SPRINGS_STRUCTURAL | SPRINGS_SHEAR | SPRINGS_BEND);
            else
                move(&t, row, push, m.p.springs);
            store(&t, &m, row);
        }
    }
#ifdef __SSE2__
    _mm_sfence(); /* the barrier that follows does not order what went past the caches */
#endif
}
