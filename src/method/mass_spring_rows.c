/* Time steps of a grid, row by row, for vector units. Each spring is computed once, for the end that comes first. The
 * other end uses the result with its sign changed, which is exact. A node adds its forces in the order of
 * mass_spring.h, so the result is bit-identical. A missing spring has the force +0, which changes no sum, because a sum
 * that began with +0 is never -0.
 *
 * A tile is a range of columns, with all rows of the thread's range. A pass computes several steps of a tile, row by
 * row. Step k follows two rows behind step k - 1, so a node is read from memory and written back only once in a pass.
 * The data of a tile fit into a core's own cache.
 *
 * A tile also computes nodes beyond its borders with other tiles or ranges. In each step, these are two rows or columns
 * for each later step of the pass. */
#include "method/lanes.h"

#include "mass_spring.h"
#include "method/loops.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* If the old and new positions and velocities together need more bytes than this, we assume that they fit into no
 * cache. */
static const size_t CACHE = (size_t)48 << 20;

enum {
    HALO = 2,    /* length of a bend spring: a step of a node reads this many rows and columns around the node */
    STEPS = 8,   /* maximum number of steps in one pass */
    TILE = 1088, /* maximum number of columns of a tile, with the halos */
    EDGE = 16,   /* unused elements before the first column and after the last one, which vectors read */
    PLACES = EDGE + TILE + EDGE,
    MASS_ROWS = 32 /* number of rows whose masses are stored. Must be more than the distance from the row that is
                      fetched to the row that the last step moves */
};
_Static_assert(STEPS *HALO < MASS_ROWS, "a row of masses is still stored when the last step reads it");

struct row {
    _Alignas(64) scalar x[PLACES], y[PLACES], z[PLACES];
};

struct nodes {
    struct row position, velocity;
};

struct masses {
    _Alignas(64) scalar inverse[PLACES], share[PLACES];
};

/* Data of one step of a pass. `nodes` are three rows of nodes, each at its index modulo 3. The other members are forces
 * of springs that lead down from the rows above. A force is stored until the lower end of its spring has been moved. */
struct level {
    struct nodes nodes[3];
    struct row down, down_left, down_right, far_down[2];
};

struct tile {
    struct mass_spring_parameters p;
    int first, columns;   /* the first column that is computed, and the number of such columns */
    int own, own_columns; /* the first column that is written, and the number of such columns */
    struct level levels[STEPS];
    struct nodes last;
    struct masses masses[MASS_ROWS];
    _Alignas(64) quad out[TILE];
};

INLINE real load(const scalar *from) {
    real a;
    memcpy(&a, from, sizeof a);
    return a;
}

INLINE vec3 load3(const struct row *row, int k) {
    return vec3_of(load(row->x + k), load(row->y + k), load(row->z + k));
}

INLINE void keep(struct row *row, int k, vec3 a) {
    memcpy(row->x + k, &a.x, sizeof a.x);
    memcpy(row->y + k, &a.y, sizeof a.y);
    memcpy(row->z + k, &a.z, sizeof a.z);
}

/* `here`, with each element moved to an index that is higher by one or two. The first elements come from the end of
 * `before`. */
#if LANES == 2
#define SHIFTED_1 1, 2
#define SHIFTED_2 0, 1
#elif LANES == 4
#define SHIFTED_1 3, 4, 5, 6
#define SHIFTED_2 2, 3, 4, 5
#elif LANES == 8
#define SHIFTED_1 7, 8, 9, 10, 11, 12, 13, 14
#define SHIFTED_2 6, 7, 8, 9, 10, 11, 12, 13
#else
#define SHIFTED_1 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define SHIFTED_2 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
#endif
#define SHIFTED(before, here, by)                                                                                      \
    vec3_of(__builtin_shufflevector((before).x, (here).x, by), __builtin_shufflevector((before).y, (here).y, by),      \
            __builtin_shufflevector((before).z, (here).z, by))

/* A mask of the lanes whose node has a neighbour `right` columns to the right. If `right` is below 0, the neighbour is
 * to the left. `column` is the column of the first lane. */
INLINE word has_right(const struct tile *t, int column, int right) {
    scalar_word lane[LANES];
    for (int k = 0; k < LANES; ++k)
        lane[k] = column + k;
    word columns;
    memcpy(&columns, lane, sizeof columns);
    return (columns >= (scalar_word)-right) & (columns >= (scalar_word)0) &
           (columns < (scalar_word)(t->p.columns - (right > 0 ? right : 0)));
}

/* The forces of springs on LANES nodes with the positions p and velocities v. The other ends of these springs are in
 * the row `nodes`, from element k + right on. */
INLINE vec3 pull(vec3 p, vec3 v, const struct nodes *nodes, int k, int right, scalar rest,
                 const struct mass_spring_parameters *m) {
    return spring_force(p, v, load3(&nodes->position, k + right), load3(&nodes->velocity, k + right), EVERYWHERE(rest),
                        m->stiffness, m->damping);
}

/* The forces on the previous LANES nodes of the row, by the springs that lead from these nodes to the right. */
struct before {
    vec3 right, far_right, down_right;
};

/* One time step of LANES nodes of a row, from element k on. If `inner`, all of their neighbours exist. */
INLINE __attribute__((always_inline)) void move(const struct tile *t, struct level *l, const struct masses *masses,
                                                int row, int k, vec3 push, struct nodes *next, struct before *before,
                                                const int springs, const bool inner) {
    const struct mass_spring_parameters *p = &t->p;
    const struct nodes *here = &l->nodes[row % 3], *below = &l->nodes[(row + 1) % 3],
                       *far_below = &l->nodes[(row + 2) % 3];
    const bool has_below = inner || row + 1 < p->rows, has_far_below = inner || row + 2 < p->rows;
    const int column = t->first + k - EDGE;
    struct row *far_down = &l->far_down[row & 1];
    const vec3 none = vec3_everywhere(0, 0, 0);
    const vec3 x = load3(&here->position, k), v = load3(&here->velocity, k);
    vec3 force = none;
    if (springs & SPRINGS_STRUCTURAL) {
        vec3 right = pull(x, v, here, k, 1, p->rest_column, p);
        if (!inner)
            right = vec3_where(has_right(t, column, 1), right);
        force = subtract(force, SHIFTED(before->right, right, SHIFTED_1));
        force = add(force, right);
        before->right = right;
        force = subtract(force, load3(&l->down, k));
        const vec3 down = has_below ? pull(x, v, below, k, 0, p->rest_row, p) : none;
        force = add(force, down);
        keep(&l->down, k, down);
    }
    if (springs & SPRINGS_SHEAR) {
        const vec3 up_right = load3(&l->down_left, k + 1), up_left = load3(&l->down_right, k);
        force = subtract(force, SHIFTED(before->down_right, up_left, SHIFTED_1));
        force = subtract(force, up_right);
        before->down_right = up_left;
        vec3 down_left = none, down_right = none;
        if (has_below) {
            down_left = pull(x, v, below, k, -1, p->rest_shear, p);
            down_right = pull(x, v, below, k, 1, p->rest_shear, p);
        }
        if (!inner) {
            down_left = vec3_where(has_right(t, column, -1), down_left);
            down_right = vec3_where(has_right(t, column, 1), down_right);
        }
        force = add(force, down_left);
        force = add(force, down_right);
        keep(&l->down_left, k, down_left);
        keep(&l->down_right, k, down_right);
    }
    if (springs & SPRINGS_BEND) {
        vec3 far_right = pull(x, v, here, k, 2, 2 * p->rest_column, p);
        if (!inner)
            far_right = vec3_where(has_right(t, column, 2), far_right);
        force = subtract(force, SHIFTED(before->far_right, far_right, SHIFTED_2));
        force = add(force, far_right);
        before->far_right = far_right;
        force = subtract(force, load3(far_down, k));
        const vec3 down = has_far_below ? pull(x, v, far_below, k, 0, 2 * p->rest_row, p) : none;
        force = add(force, down);
        keep(far_down, k, down);
    }
    const vec3 velocity = velocity_after(v, force, load(masses->inverse + k), load(masses->share + k), push, *p);
    keep(&next->velocity, k, velocity);
    keep(&next->position, k, position_after(x, velocity, *p));
}

INLINE __attribute__((always_inline)) void move_row(const struct tile *t, struct level *l, const struct masses *masses,
                                                    int row, vec3 push, struct nodes *next, const int springs) {
    const vec3 none = vec3_everywhere(0, 0, 0);
    struct before before = {none, none, none};
    const bool has_below = row + HALO < t->p.rows;
    int k = EDGE;
    if (t->first == 0) {
        move(t, l, masses, row, k, push, next, &before, springs, false);
        k += LANES;
    }
    const int last = has_below ? EDGE + t->p.columns - HALO - LANES - t->first : 0;
    const int end = EDGE + t->columns;
    for (; k <= last && k < end; k += LANES)
        move(t, l, masses, row, k, push, next, &before, springs, true);
    for (; k < end; k += LANES)
        move(t, l, masses, row, k, push, next, &before, springs, false);
}

static void fetch(struct tile *t, const struct mass_spring *m, int row) {
    const long start = (long)row * t->p.columns + t->first;
    const quad *position = m->position + start, *velocity = m->velocity + start;
    struct row *x = &t->levels[0].nodes[row % 3].position, *v = &t->levels[0].nodes[row % 3].velocity;
    struct masses *masses = &t->masses[row % MASS_ROWS];
    INDEPENDENT
    for (int k = 0; k < t->columns; ++k) {
        x->x[EDGE + k] = position[k].x;
        x->y[EDGE + k] = position[k].y;
        x->z[EDGE + k] = position[k].z;
        masses->inverse[EDGE + k] = position[k].w;
    }
    INDEPENDENT
    for (int k = 0; k < t->columns; ++k) {
        v->x[EDGE + k] = velocity[k].x;
        v->y[EDGE + k] = velocity[k].y;
        v->z[EDGE + k] = velocity[k].z;
        masses->share[EDGE + k] = velocity[k].w;
    }
}

static void interleave(quad *to, const struct row *from, const scalar *w, int begin, int count) {
    INDEPENDENT
    for (int k = 0; k < count; ++k) {
        to[k].x = from->x[begin + k];
        to[k].y = from->y[begin + k];
        to[k].z = from->z[begin + k];
        to[k].w = w[begin + k];
    }
}

/* Copy quads to memory, bypassing the caches. The caches would first read the memory that is about to be
 * overwritten. */
static void stream(quad *to, const quad *from, int count) {
#ifdef __SSE2__
    const size_t pieces = (size_t)count * (sizeof(quad) / sizeof(__m128i));
    for (size_t k = 0; k < pieces; ++k)
        _mm_stream_si128((__m128i *)to + k, _mm_load_si128((const __m128i *)from + k));
#else
    memcpy(to, from, (size_t)count * sizeof *to);
#endif
}

static void store(struct tile *t, const struct mass_spring *m, int row) {
    const struct masses *masses = &t->masses[row % MASS_ROWS];
    const long start = (long)row * t->p.columns + t->own;
    const int begin = EDGE + t->own - t->first;
    quad *position = m->position_next + start, *velocity = m->velocity_next + start;
    const bool is_beyond = sizeof(quad) * 4 * (size_t)t->p.columns * (size_t)t->p.rows > CACHE;
    interleave(is_beyond ? t->out : position, &t->last.position, masses->inverse, begin, t->own_columns);
    if (is_beyond)
        stream(position, t->out, t->own_columns);
    interleave(is_beyond ? t->out : velocity, &t->last.velocity, masses->share, begin, t->own_columns);
    if (is_beyond)
        stream(velocity, t->out, t->own_columns);
}

static int clamped(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

static void advance_tile(struct tile *t, const struct mass_spring *m, struct range range, int steps) {
    enum { ALL = SPRINGS_STRUCTURAL | SPRINGS_SHEAR | SPRINGS_BEND };
    const int rows = t->p.rows, begin = clamped(range.row_begin - HALO * steps, 0, rows);
    for (int s = 0; s < steps; ++s) { /* the first row that a step moves gets no forces from above */
        struct level *l = &t->levels[s];
        memset(&l->down, 0, sizeof *l - offsetof(struct level, down));
    }
    for (int newest = begin; newest < range.row_end + HALO * steps; ++newest) {
        if (newest < rows)
            fetch(t, m, newest);
        for (int s = 0; s < steps; ++s) {
            const int row = newest - HALO * (s + 1), further = steps - 1 - s;
            /* A step also processes two rows above the rows that it needs, because springs lead down from these two
             * rows. They lack the forces from above, so their motion is wrong, and is not used. */
            if (row < range.row_begin - HALO * (further + 1) || row < 0 || row >= range.row_end + HALO * further ||
                row >= rows)
                continue;
            struct nodes *next = further ? &t->levels[s + 1].nodes[row % 3] : &t->last;
            const vec3 push = push_in(m->step + s, t->p);
            if (t->p.springs == ALL)
                move_row(t, &t->levels[s], &t->masses[row % MASS_ROWS], row, push, next, ALL);
            else
                move_row(t, &t->levels[s], &t->masses[row % MASS_ROWS], row, push, next, t->p.springs);
            if (!further && row >= range.row_begin)
                store(t, m, row);
        }
    }
}

static void run(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(mass_spring);
    struct tile *t = workspace.scratch;
    t->p = m.p;
    const int halo = HALO * steps, width = range.column_end - range.column_begin;
    const int most = m.p.columns <= TILE ? TILE : TILE - 2 * halo, tiles = (width + most - 1) / most;
    for (int k = 0; k < tiles; ++k) {
        t->own = range.column_begin + (int)((long long)width * k / tiles);
        t->own_columns = range.column_begin + (int)((long long)width * (k + 1) / tiles) - t->own;
        t->first = clamped(t->own - halo, 0, m.p.columns);
        t->columns = clamped(t->own + t->own_columns + halo, 0, m.p.columns) - t->first;
        advance_tile(t, &m, range, steps);
    }
#ifdef __SSE2__
    _mm_sfence(); /* the following barrier does not order stores that bypass the caches */
#endif
}

const struct simd_kernel ROWS(mass_spring_grid_rows) = {.run = run, .scratch = sizeof(struct tile), .steps = STEPS};
