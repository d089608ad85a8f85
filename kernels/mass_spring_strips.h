/* Two steps of a grid in one launch, for a GPU: (1) to (4) of mass_spring.h, bit-identical to mass_spring_grid.
 *
 * A step of a large cloth is limited by memory. Two steps at once read and write each node once instead of twice. Each
 * spring is computed once, for the end that comes first; the other end uses the force with its sign changed, which is
 * exact.
 *
 * A group of STRIP_LANES work items computes a strip of columns, and each work item one column of the strip. The group
 * moves from row to row. In one iteration, a work item reads row r and computes the first step of row r - 2 and the
 * second step of row r - STRIP_LAG. A step needs two nodes on each side (bend springs), so the results of the first and
 * the last STRIP_HALO columns of a strip are incomplete and are not written; neighbouring strips overlap. The rows of
 * neighbouring groups overlap in the same manner.
 *
 * Work items exchange positions, velocities and forces in local memory, with one barrier in an iteration. Therefore
 * each array of forces exists twice, and the two are used alternately (`parity`). The second step follows one row later
 * than would be possible with more barriers. A node adds its forces in the order of mass_spring.h. A missing spring
 * adds 0 with any sign, which changes no sum, because the sum begins with +0 and is never -0. */
#ifndef SPRINGBACK_KERNELS_MASS_SPRING_STRIPS_H
#define SPRINGBACK_KERNELS_MASS_SPRING_STRIPS_H

#define STRIP_STEPS   2
#define STRIP_LANES   128
#define STRIP_HALO    (2 * STRIP_STEPS)
#define STRIP_COLUMNS (STRIP_LANES - 2 * STRIP_HALO) /* columns that a group writes */
#define STRIP_LAG     (3 * STRIP_STEPS - 1)          /* rows from the one that is read to the one that is written */
#define STRIP_PLACES  (STRIP_LANES + 4)              /* two places at each end are read, but belong to no work item */
#define STRIP_BYTES   (STRIP_STEPS * STRIP_PLACES * 184) /* of local memory */

#if defined __OPENCL_VERSION__ && defined GRID_SPRINGS /* the grid's SPRINGS_*, if the device uses strips */

/* What the work items of a group share in one step: the nodes of three rows, each at its index modulo 3, and the forces
 * of the springs of one row on their first ends. */
struct strip_shared {
    quad position[3][STRIP_PLACES];   /* with x of the velocity in w */
    pair velocity[3][STRIP_PLACES];   /* y and z */
    quad right[2][STRIP_PLACES];      /* to the next column; w is x of the force of the spring down and right */
    pair down_right[2][STRIP_PLACES]; /* y and z */
    quad down_left[2][STRIP_PLACES], far_right[2][STRIP_PLACES];
};
typedef struct strip_shared mass_spring_grid_shared[STRIP_STEPS];

/* What a work item keeps from row to row in one step: the nodes of its column, and the forces of springs. A force is
 * that on the spring's first end, which is the upper or left end. */
struct strip {
    struct motion here, below, right; /* in the row that is computed, in the next one, in the next column */
    vec3 to_right, to_below, to_down_left, to_down_right, to_far_right, to_far_below; /* springs that begin here */
    vec3 from_above, from_up_left, from_up_right, from_far_above[2];                  /* springs that end here */
};

INLINE struct motion strip_read(__local const struct strip_shared *shared, int row, int place) {
    const quad x = shared->position[row][place];
    const pair v = shared->velocity[row][place];
    return motion_at(x, (quad)(x.w, v.x, v.y, 0));
}

INLINE vec3 strip_force(struct motion a, struct motion b, real rest, int exists,
                        const struct mass_spring_parameters *p) {
    const vec3 f = spring_force(a.x, a.v, b.x, b.v, rest, p->stiffness, p->damping);
    return vec3_where(exists, f);
}

/* Whether the columns `column` and `column` + `right` exist. */
INLINE int strip_has(int column, int right, const struct mass_spring_parameters *p) {
    return column >= 0 && column < p->columns && column + right >= 0 && column + right < p->columns;
}

/* Compute the springs that begin in row m, for which row m + 2, `arriving`, has just become known. `slot` is the index
 * of row m modulo 3. If not `checked`, all neighbours must exist. */
INLINE void strip_pull(struct strip *s, __local struct strip_shared *shared, struct motion arriving, int slot,
                       int parity, int place, int column, int m, int checked, const struct mass_spring_parameters *p) {
    const int next = slot < 2 ? slot + 1 : 0, last = slot > 0 ? slot - 1 : 2;
    const int has_below = !checked || (m >= 0 && m + 1 < p->rows), has_far = !checked || (m >= 0 && m + 2 < p->rows);
    shared->position[last][place] = quad_of(arriving.x, arriving.v.x);
    shared->velocity[last][place] = (pair)(arriving.v.y, arriving.v.z);
    const struct motion far_right = strip_read(shared, slot, place + 2),
                        down_right = strip_read(shared, next, place + 1),
                        down_left = strip_read(shared, next, place - 1);
    const vec3 none = vec3_of(0, 0, 0);
    s->to_right = s->to_below = s->to_down_left = s->to_down_right = s->to_far_right = s->to_far_below = none;
    if (GRID_SPRINGS & SPRINGS_STRUCTURAL) {
        s->to_right = strip_force(s->here, s->right, p->rest_column, !checked || strip_has(column, 1, p), p);
        s->to_below = strip_force(s->here, s->below, p->rest_row, has_below, p);
    }
    if (GRID_SPRINGS & SPRINGS_SHEAR) {
        s->to_down_left =
            strip_force(s->here, down_left, p->rest_shear, has_below && (!checked || strip_has(column, -1, p)), p);
        s->to_down_right =
            strip_force(s->here, down_right, p->rest_shear, has_below && (!checked || strip_has(column, 1, p)), p);
    }
    if (GRID_SPRINGS & SPRINGS_BEND) {
        s->to_far_right = strip_force(s->here, far_right, 2 * p->rest_column, !checked || strip_has(column, 2, p), p);
        s->to_far_below = strip_force(s->here, arriving, 2 * p->rest_row, has_far, p);
    }
    shared->right[parity][place] = quad_of(s->to_right, s->to_down_right.x);
    shared->down_right[parity][place] = (pair)(s->to_down_right.y, s->to_down_right.z);
    shared->down_left[parity][place] = quad_of(s->to_down_left, 0);
    shared->far_right[parity][place] = quad_of(s->to_far_right, 0);
    s->right = down_right;
}

/* The node of row m after the step. Its forces are added in the order of grid_right and grid_down (mass_spring.h). */
INLINE struct motion strip_move(struct strip *s, __local const struct strip_shared *shared, struct motion arriving,
                                int parity, int place, real inverse_mass, real share, vec3 push,
                                const struct mass_spring_parameters *p) {
    const quad left = shared->right[parity][place - 1];
    const pair up_left = shared->down_right[parity][place - 1];
    vec3 force = subtract(vec3_of(0, 0, 0), xyz(left));
    force = add(force, s->to_right);
    force = subtract(force, s->from_above);
    force = add(force, s->to_below);
    force = subtract(force, s->from_up_left);
    force = subtract(force, s->from_up_right);
    force = add(force, s->to_down_left);
    force = add(force, s->to_down_right);
    force = subtract(force, xyz(shared->far_right[parity][place - 2]));
    force = add(force, s->to_far_right);
    force = subtract(force, s->from_far_above[0]);
    force = add(force, s->to_far_below);
    s->from_above = s->to_below;
    s->from_up_left = vec3_of(left.w, up_left.x, up_left.y);
    s->from_up_right = xyz(shared->down_left[parity][place + 1]);
    s->from_far_above[0] = s->from_far_above[1];
    s->from_far_above[1] = s->to_far_below;
    struct motion after;
    after.v = velocity_after(s->here.v, force, inverse_mass, share, push, *p);
    after.x = position_after(s->here.x, after.v, *p);
    s->here = s->below;
    s->below = arriving;
    return after;
}

/* STRIP_STEPS steps of the strip whose first column is `left`, in rows first .. end - 1. If not `checked`, all
 * neighbours of all its nodes must exist. */
INLINE void strip_run(int left, int first, int end, int checked, __local struct strip_shared *shared,
                      const struct mass_spring *m) {
    const struct mass_spring_parameters p = m->p;
    const int lane = (int)get_local_id(0), place = lane + 2, column = left + lane,
              column_read = clamp(column, 0, p.columns - 1),
              writes = lane >= STRIP_HALO && lane < STRIP_LANES - STRIP_HALO && column < p.columns;
    const vec3 none = vec3_of(0, 0, 0);
    const struct motion rest = {none, none};
    struct strip strips[STRIP_STEPS];
    struct motion arriving[STRIP_STEPS + 1];
    vec3 push[STRIP_STEPS];
    real inverse_mass[STRIP_LAG + 1], share[STRIP_LAG + 1]; /* of the last rows; the newest is the last */
    UNROLLED
    for (int k = 0; k < STRIP_STEPS; ++k) {
        strips[k].here = strips[k].below = strips[k].right = arriving[k + 1] = rest;
        strips[k].from_above = strips[k].from_up_left = strips[k].from_up_right = none;
        strips[k].from_far_above[0] = strips[k].from_far_above[1] = none;
        push[k] = push_in(m->step + k, p);
    }
    UNROLLED
    for (int k = 0; k <= STRIP_LAG; ++k)
        inverse_mass[k] = share[k] = 0;
    const int begin = clamp(first - STRIP_HALO, 0, p.rows - 1) * p.columns + column_read;
    quad x = m->position[begin], v = m->velocity[begin];
    int slot = 0, parity = 0;
    for (int r = first - STRIP_HALO; r < end + STRIP_LAG; ++r) {
        arriving[0] = motion_at(x, v);
        UNROLLED
        for (int k = 0; k < STRIP_LAG; ++k) {
            inverse_mass[k] = inverse_mass[k + 1];
            share[k] = share[k + 1];
        }
        inverse_mass[STRIP_LAG] = x.w;
        share[STRIP_LAG] = v.w;
        const int next = clamp(r + 1, 0, p.rows - 1) * p.columns + column_read; /* is read during this iteration */
        x = m->position[next];
        v = m->velocity[next];
        UNROLLED
        for (int k = 0; k < STRIP_STEPS; ++k)
            strip_pull(&strips[k], &shared[k], arriving[k], slot, parity, place, column, r - 2 - 3 * k, checked, &p);
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLLED
        for (int k = STRIP_STEPS - 1; k >= 0; --k) {
            const int row = STRIP_LAG - 2 - 3 * k;
            arriving[k + 1] = strip_move(&strips[k], &shared[k], arriving[k], parity, place, inverse_mass[row],
                                         share[row], push[k], &p);
        }
        const int done = r - STRIP_LAG, i = done * p.columns + column;
        if (done >= first && writes) {
            m->position_next[i] = quad_of(arriving[STRIP_STEPS].x, inverse_mass[0]);
            m->velocity_next[i] = quad_of(arriving[STRIP_STEPS].v, share[0]);
        }
        slot = slot < 2 ? slot + 1 : 0;
        parity ^= 1;
    }
}

/* STRIP_STEPS steps of the group's part of the grid: a strip of columns, and `rows` rows. The loop exists twice,
 * because a branch in it makes it a sixth slower on an H100. */
INLINE void mass_spring_grid_strips(int rows, __local struct strip_shared *shared, const struct mass_spring *m) {
    const int left = (int)get_group_id(0) * STRIP_COLUMNS - STRIP_HALO, first = (int)get_group_id(1) * rows,
              end = min(first + rows, m->p.rows);
    if (left >= 2 && left + STRIP_LANES + 2 <= m->p.columns && first >= STRIP_HALO + STRIP_LAG &&
        end + STRIP_LAG <= m->p.rows)
        strip_run(left, first, end, 0, shared, m);
    else
        strip_run(left, first, end, 1, shared, m);
}

#endif
#endif
