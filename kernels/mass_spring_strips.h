/* Two steps of a grid in one launch, for a GPU: (1) to (4) of mass_spring.h, bit-identical to mass_spring_grid.
 *
 * The bandwidth of memory limits the speed of a step of a large cloth. A launch of two steps reads and writes each node
 * once instead of twice. A group computes each spring of a step once, for the spring's upper or left end; the other end
 * uses the force with its sign changed, which is exact.
 *
 * A group computes a strip of STRIP_WIDTH columns, from row to row. Two sets of STRIP_WIDTH work items compute the two
 * steps, one column each. The second step is STRIP_DELAY rows behind the first. Because a work item computes only one
 * of the steps, it needs so few registers that two groups fit on a compute unit of an H100.
 *
 * A step needs two nodes on each side (bend springs). If the grid continues beyond one side of a strip, nodes are
 * missing there. The results of the STRIP_HALO columns at this side are then incomplete, and are not written. If the
 * strip ends at the border of the grid, no nodes are missing there, so the results of these columns are complete, and
 * are written. Neighbouring strips overlap. If several groups share the rows of a strip, the rows that successive
 * groups read overlap, too.
 *
 * Work items exchange nodes and forces in local memory, with one barrier per row. For each of the two steps, local
 * memory has three slots for rows of nodes, and two for rows of forces. Three rows are computed in one iteration of the
 * loop, so that the compiler knows the slots and copies fewer registers. A node adds its forces in the order of
 * mass_spring.h. A missing spring adds 0 with any sign, which changes no sum, because the sum begins with +0 and is
 * never -0. */
#ifndef SPRINGBACK_KERNELS_MASS_SPRING_STRIPS_H
#define SPRINGBACK_KERNELS_MASS_SPRING_STRIPS_H

#define STRIP_STEPS   2
#define STRIP_WIDTH   128                         /* columns of a strip */
#define STRIP_LANES   (STRIP_STEPS * STRIP_WIDTH) /* work items of a group */
#define STRIP_HALO    (2 * STRIP_STEPS)
#define STRIP_COLUMNS (STRIP_WIDTH - 2 * STRIP_HALO) /* columns from the start of one strip to the next start */
#define STRIP_COUNT(columns)                                                                                           \
    ((columns) > STRIP_WIDTH ? ((columns)-2 * STRIP_HALO + STRIP_COLUMNS - 1) / STRIP_COLUMNS : 1)
#define STRIP_DELAY  4                               /* rows by which the second step is behind the first */
#define STRIP_LAG    (STRIP_DELAY * STRIP_STEPS - 2) /* rows by which the written row is behind the newest row */
#define STRIP_SLOTS  3
#define STRIP_PLACES (STRIP_WIDTH + 4)                  /* columns, and two more at each end outside the strip */
#define STRIP_BYTES  (STRIP_STEPS * STRIP_PLACES * 184) /* of local memory */

/* GRID_SPRINGS is the set of the grid's springs (SPRINGS_*). It is defined only if a launch computes several steps. */
#if defined __OPENCL_VERSION__ && defined GRID_SPRINGS

struct strip_nodes {             /* the nodes of a row */
    quad position[STRIP_PLACES]; /* with x of the velocity in w */
    pair velocity[STRIP_PLACES]; /* y and z of the velocity */
};

struct strip_forces {         /* forces of the springs that begin in a row, on their first ends */
    quad right[STRIP_PLACES]; /* of the spring to the next column; w: x of the force of the spring down and right */
    quad down_left[STRIP_PLACES], far_right[STRIP_PLACES];
    pair down_right[STRIP_PLACES]; /* y and z of the force of the spring down and right */
};

/* Local memory of the work items that compute one step. */
struct strip_shared {
    struct strip_nodes nodes[STRIP_SLOTS];
    struct strip_forces forces[2];
};
typedef struct strip_shared mass_spring_grid_strips_shared[STRIP_STEPS];

/* What a work item keeps from row to row: nodes of its column and of the next two columns, and forces of springs. Each
 * force is the force on the spring's first end, which is the upper or left end. */
struct strip {
    struct motion here, below;      /* `here` is in the row that is computed, `below` in the next row */
    struct motion right, far_right; /* in the row that is computed, one and two columns to the right */
    vec3 to_right, to_below, to_down_left, to_down_right, to_far_right, to_far_below; /* springs that begin here */
    vec3 from_above, from_up_left, from_up_right, from_far_above[2];                  /* springs that end here */
};

INLINE struct motion strip_read(__local const struct strip_nodes *nodes, int place) {
    const quad x = nodes->position[place];
    const pair v = nodes->velocity[place];
    return motion_at(x, (quad)(x.w, v.x, v.y, 0));
}

INLINE void strip_write(__local struct strip_nodes *nodes, int place, struct motion node) {
    nodes->position[place] = quad_of(node.x, node.v.x);
    nodes->velocity[place] = (pair)(node.v.y, node.v.z);
}

/* Set a place outside the strip to zero, so that the forces that are read there are 0. */
INLINE void strip_clear(__local struct strip_shared *shared, int place) {
    const vec3 none = vec3_of(0, 0, 0);
    const struct motion rest = {none, none};
    UNROLLED
    for (int slot = 0; slot < STRIP_SLOTS; ++slot)
        strip_write(&shared->nodes[slot], place, rest);
    UNROLLED
    for (int parity = 0; parity < 2; ++parity) {
        __local struct strip_forces *forces = &shared->forces[parity];
        forces->right[place] = forces->down_left[place] = forces->far_right[place] = quad_of(none, 0);
        forces->down_right[place] = (pair)(0, 0);
    }
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

/* The index of the node of a row in an existing column. If `checked`, a row outside the grid is replaced by the nearest
 * row of the grid. If `checked` is 0, the row must exist. */
INLINE int strip_index(int row, int column, int checked, const struct mass_spring_parameters *p) {
    return (checked ? clamp(row, 0, p->rows - 1) : row) * p->columns + column;
}

/* Compute the springs that begin in row m, and store their forces. `below` is row m + 1. `arriving` is this column's
 * node of row m + 2. If not `checked`, all neighbours must exist. This function also moves s->right and s->far_right to
 * row m + 1. */
INLINE void strip_pull(struct strip *s, __local struct strip_forces *forces, __local const struct strip_nodes *below,
                       struct motion arriving, int place, int column, int m, int checked,
                       const struct mass_spring_parameters *p) {
    const int has_below = !checked || (m >= 0 && m + 1 < p->rows), has_far = !checked || (m >= 0 && m + 2 < p->rows);
    const struct motion down_right = strip_read(below, place + 1), down_left = strip_read(below, place - 1),
                        down_far_right = strip_read(below, place + 2);
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
        s->to_far_right =
            strip_force(s->here, s->far_right, 2 * p->rest_column, !checked || strip_has(column, 2, p), p);
        s->to_far_below = strip_force(s->here, arriving, 2 * p->rest_row, has_far, p);
    }
    forces->right[place] = quad_of(s->to_right, s->to_down_right.x);
    forces->down_right[place] = (pair)(s->to_down_right.y, s->to_down_right.z);
    forces->down_left[place] = quad_of(s->to_down_left, 0);
    forces->far_right[place] = quad_of(s->to_far_right, 0);
    s->right = down_right;
    s->far_right = down_far_right;
}

/* Returns the node s->here after the step, and moves `s` to the next row. The node's forces are added in the order of
 * grid_right and grid_down (mass_spring.h). `arriving` is this column's node two rows below. */
INLINE struct motion strip_move(struct strip *s, __local const struct strip_forces *forces, struct motion arriving,
                                int place, real inverse_mass, real share, vec3 push,
                                const struct mass_spring_parameters *p) {
    const quad left = forces->right[place - 1];
    const pair up_left = forces->down_right[place - 1];
    vec3 force = subtract(vec3_of(0, 0, 0), xyz(left));
    force = add(force, s->to_right);
    force = subtract(force, s->from_above);
    force = add(force, s->to_below);
    force = subtract(force, s->from_up_left);
    force = subtract(force, s->from_up_right);
    force = add(force, s->to_down_left);
    force = add(force, s->to_down_right);
    force = subtract(force, xyz(forces->far_right[place - 2]));
    force = add(force, s->to_far_right);
    force = subtract(force, s->from_far_above[0]);
    force = add(force, s->to_far_below);
    s->from_above = s->to_below;
    s->from_up_left = vec3_of(left.w, up_left.x, up_left.y);
    s->from_up_right = xyz(forces->down_left[place + 1]);
    s->from_far_above[0] = s->from_far_above[1];
    s->from_far_above[1] = s->to_far_below;
    struct motion after;
    after.v = velocity_after(s->here.v, force, inverse_mass, share, push, *p);
    after.x = position_after(s->here.x, after.v, *p);
    s->here = s->below;
    s->below = arriving;
    return after;
}

/* STRIP_STEPS steps of the strip whose first column is `left`, in rows first .. end - 1. The loop may compute up to
 * STRIP_SLOTS - 1 rows more than necessary. It reads one row ahead, and prefetches the row after the row that it reads.
 *
 * If `checked` is 0, all neighbours of all nodes of the strip must exist, and also the rows from first - STRIP_HALO -
 * STRIP_LAG to end + STRIP_LAG + STRIP_SLOTS. */
INLINE void strip_run(int left, int first, int end, int checked, __local struct strip_shared *shared,
                      const struct mass_spring *m) {
    const struct mass_spring_parameters p = m->p;
    const int lane = (int)get_local_id(0), k = lane / STRIP_WIDTH, offset = lane % STRIP_WIDTH, place = offset + 2,
              column = left + offset, column_read = clamp(column, 0, p.columns - 1),
              writes = (offset >= STRIP_HALO || left == 0) && column < p.columns &&
                       (offset < STRIP_WIDTH - STRIP_HALO || left + STRIP_WIDTH >= p.columns);
    const vec3 none = vec3_of(0, 0, 0), push = push_in(m->step + k, p);
    const struct motion rest = {none, none};
    struct strip s;
    s.here = s.below = s.right = s.far_right = rest;
    s.from_above = s.from_up_left = s.from_up_right = s.from_far_above[0] = s.from_far_above[1] = none;
    __local struct strip_shared *mine = shared + k, *later = shared + (k + 1) % STRIP_STEPS;
    if (offset < 4)
        strip_clear(mine, offset < 2 ? offset : STRIP_WIDTH + offset);
    const int begin = strip_index(first - STRIP_HALO, column_read, checked, &p);
    quad x = m->position[begin], v = m->velocity[begin]; /* of this column's node in the row that is read */
    if (k == 0)
        strip_write(&mine->nodes[0], place, motion_at(x, v));
    barrier(CLK_LOCAL_MEM_FENCE);
    int parity = 0;
    for (int t = 0; t < end - first + STRIP_HALO + STRIP_LAG; t += STRIP_SLOTS) {
        UNROLLED
        for (int slot = 0; slot < STRIP_SLOTS; ++slot) {
            const int row = first - STRIP_HALO - STRIP_DELAY * k + t + slot, /* the row whose node arrives */
                done = row - 2, i = strip_index(done, column_read, checked, &p);
            const real inverse_mass = m->position[i].w, share = m->velocity[i].w;
            if (k == 0) {
                const int next = strip_index(row + 1, column_read, checked, &p),
                          soon = strip_index(row + 2, column_read, checked, &p);
                x = m->position[next];
                v = m->velocity[next];
                PREFETCH_LINE(m->position + soon);
                PREFETCH_LINE(m->velocity + soon);
            }
            const struct motion arriving = strip_read(&mine->nodes[slot], place);
            strip_pull(&s, &mine->forces[parity], &mine->nodes[(slot + 2) % STRIP_SLOTS], arriving, place, column, done,
                       checked, &p);
            barrier(CLK_LOCAL_MEM_FENCE);
            const struct motion after =
                strip_move(&s, &mine->forces[parity], arriving, place, inverse_mass, share, push, &p);
            if (k == 0)
                strip_write(&mine->nodes[(slot + 1) % STRIP_SLOTS], place, motion_at(x, v));
            if (k < STRIP_STEPS - 1)
                strip_write(&later->nodes[(slot + 2) % STRIP_SLOTS], place, after);
            else if (writes && done >= first && done < end) {
                m->position_next[done * p.columns + column] = quad_of(after.x, inverse_mass);
                m->velocity_next[done * p.columns + column] = quad_of(after.v, share);
            }
            parity ^= 1;
        }
    }
}

/* STRIP_STEPS steps of the group's part of the grid: a strip of columns, and `rows` rows. The loop is compiled twice,
 * with and without checks, because a branch inside the loop makes it a sixth slower on an H100. */
INLINE void mass_spring_grid_strips(int rows, __local struct strip_shared *shared, const struct mass_spring *m) {
    const int left = (int)get_group_id(0) * STRIP_COLUMNS, first = (int)get_group_id(1) * rows,
              end = min(first + rows, m->p.rows);
    if (left >= 2 && left + STRIP_WIDTH + 2 <= m->p.columns && first >= STRIP_HALO + STRIP_LAG &&
        end + STRIP_LAG + STRIP_SLOTS < m->p.rows)
        strip_run(left, first, end, 0, shared, m);
    else
        strip_run(left, first, end, 1, shared, m);
}

#endif
#endif
