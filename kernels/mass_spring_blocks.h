/* Two steps of a grid in one launch, for a GPU and a grid of medium size: (1) to (4) of mass_spring.h, bit-identical to
 * mass_spring_grid. A grid of medium size has more nodes than a frame kernel can have work items, and at most about 512
 * x 512. For such a grid a launch takes about as long as the computation of a step.
 *
 * A group computes a block of BLOCK_COLUMNS x BLOCK_ROWS nodes. It reads the block and BLOCK_HALO nodes on each side
 * (the halo) into local memory. Then it computes the first step of the block and of the inner half of the halo, because
 * springs reach two nodes far. The results replace the nodes in local memory. Last, the group computes the second step
 * of the block. Neighbouring groups also compute the first step of nodes in this halo, with the same results. */
#ifndef SPRINGBACK_KERNELS_MASS_SPRING_BLOCKS_H
#define SPRINGBACK_KERNELS_MASS_SPRING_BLOCKS_H

#define BLOCK_STEPS   2
#define BLOCK_COLUMNS 32
#define BLOCK_ROWS    16
#define BLOCK_HALO    (2 * BLOCK_STEPS)
#define BLOCK_WIDTH   (BLOCK_COLUMNS + 2 * BLOCK_HALO) /* columns of the block with its halo */
#define BLOCK_HEIGHT  (BLOCK_ROWS + 2 * BLOCK_HALO)
#define BLOCK_PLACES  (BLOCK_WIDTH * BLOCK_HEIGHT)
#define BLOCK_BYTES   (24 * BLOCK_PLACES) /* of local memory */
#define BLOCK_LANES   736 /* work items: one for each node of the first step (36 x 20), in whole warps */

/* GRID_SPRINGS is the set of the grid's springs (SPRINGS_*). It is defined only if a launch computes several steps. */
#if defined __OPENCL_VERSION__ && defined GRID_SPRINGS

struct block_nodes {
    quad position[BLOCK_PLACES]; /* with x of the velocity in w */
    pair velocity[BLOCK_PLACES]; /* y and z of the velocity */
};
typedef struct block_nodes mass_spring_grid_blocks_shared[1];

INLINE struct motion block_read(__local const struct block_nodes *nodes, int place) {
    const quad x = nodes->position[place];
    const pair v = nodes->velocity[place];
    return motion_at(x, (quad)(x.w, v.x, v.y, 0));
}

INLINE void block_write(__local struct block_nodes *nodes, int place, struct motion node) {
    nodes->position[place] = quad_of(node.x, node.v.x);
    nodes->velocity[place] = (pair)(node.v.y, node.v.z);
}

/* A work item's node in one of the steps. */
struct block_node {
    int place, column, row; /* `place`: index in local memory; `column`, `row`: those of the node in the grid */
    int exists;             /* whether the work item has a node of the grid */
    real inverse_mass, share;
};

/* The node of work item `lane` in a step that computes `halo` nodes on each side of the block. */
INLINE struct block_node block_node_of(int lane, int left, int top, int halo, const struct mass_spring *m) {
    const int width = BLOCK_COLUMNS + 2 * halo, right = lane % width - halo, down = lane / width - halo;
    struct block_node node;
    node.place = (down + BLOCK_HALO) * BLOCK_WIDTH + right + BLOCK_HALO;
    node.column = left + right;
    node.row = top + down;
    node.exists = down < BLOCK_ROWS + halo && node.column >= 0 && node.column < m->p.columns && node.row >= 0 &&
                  node.row < m->p.rows;
    const int i = node.exists ? node.row * m->p.columns + node.column : 0;
    node.inverse_mass = m->position[i].w;
    node.share = m->velocity[i].w;
    return node;
}

/* The node after a step. If `checked`, neighbours may be missing; a missing one adds +0 (grid_gather). */
INLINE struct motion block_move(__local const struct block_nodes *nodes, struct block_node at, int checked, vec3 push,
                                const struct mass_spring *m) {
    const struct motion here = block_read(nodes, at.place);
    vec3 force = vec3_of(0, 0, 0);
    UNROLLED
    for (int k = 0; k < 12; ++k)
        if (GRID_SPRINGS >> k / 4 & 1) {
            const int right = grid_right[k], down = grid_down[k], column = at.column + right, row = at.row + down,
                      missing = checked && (column < 0 || column >= m->p.columns || row < 0 || row >= m->p.rows);
            const struct motion there = block_read(nodes, missing ? at.place : at.place + down * BLOCK_WIDTH + right);
            const real rest =
                k / 4 == 1 ? m->p.rest_shear : (k < 4 ? 1 : 2) * (right == 0 ? m->p.rest_row : m->p.rest_column);
            force = add(force, vec3_where(!missing, force_between(here, there, rest, m)));
        }
    struct motion after;
    after.v = velocity_after(here.v, force, at.inverse_mass, at.share, push, m->p);
    after.x = position_after(here.x, after.v, m->p);
    return after;
}

/* block_move, compiled twice: with and without checks. Only this function has both branches, because PoCL 3.1 loses the
 * stores of a kernel that has barriers in both branches. */
INLINE struct motion block_step(__local const struct block_nodes *nodes, struct block_node at, int checked, vec3 push,
                                const struct mass_spring *m) {
    return checked ? block_move(nodes, at, 1, push, m) : block_move(nodes, at, 0, push, m);
}

/* BLOCK_STEPS steps of the block whose first node is in column `left` and row `top`. If not `checked`, the block and
 * its halo must be inside the grid. */
INLINE void block_run(int left, int top, int checked, __local struct block_nodes *nodes, const struct mass_spring *m) {
    const int lane = (int)get_local_id(0);
    UNROLLED
    for (int part = 0; part < (BLOCK_PLACES + BLOCK_LANES - 1) / BLOCK_LANES; ++part) {
        const int k = part * BLOCK_LANES + lane, column = left - BLOCK_HALO + k % BLOCK_WIDTH,
                  row = top - BLOCK_HALO + k / BLOCK_WIDTH, i = row * m->p.columns + column;
        if (k < BLOCK_PLACES && (!checked || (column >= 0 && column < m->p.columns && row >= 0 && row < m->p.rows)))
            block_write(nodes, k, motion_at(m->position[i], m->velocity[i]));
    }
    const struct block_node first = block_node_of(lane, left, top, BLOCK_HALO / 2, m),
                            second = block_node_of(lane, left, top, 0, m);
    barrier(CLK_LOCAL_MEM_FENCE);
    struct motion after = {vec3_of(0, 0, 0), vec3_of(0, 0, 0)};
    if (first.exists)
        after = block_step(nodes, first, checked, push_in(m->step, m->p), m);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first.exists)
        block_write(nodes, first.place, after);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (second.exists) {
        const int i = second.row * m->p.columns + second.column;
        after = block_step(nodes, second, checked, push_in(m->step + 1, m->p), m);
        m->position_next[i] = quad_of(after.x, second.inverse_mass);
        m->velocity_next[i] = quad_of(after.v, second.share);
    }
}

/* BLOCK_STEPS steps of the group's block. `rows` is BLOCK_ROWS. */
INLINE void mass_spring_grid_blocks(int rows, __local struct block_nodes *shared, const struct mass_spring *m) {
    const int left = (int)get_group_id(0) * BLOCK_COLUMNS, top = (int)get_group_id(1) * rows;
    const int inside = left >= BLOCK_HALO && left + BLOCK_COLUMNS + BLOCK_HALO <= m->p.columns && top >= BLOCK_HALO &&
                       top + BLOCK_ROWS + BLOCK_HALO <= m->p.rows;
    block_run(left, top, !inside, shared, m);
}

#endif
#endif
