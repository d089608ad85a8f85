/* Implicit constraint enforcement as in the program of Va, Choi and Hong, "Parallel Cloth Simulation Using OpenGL
 * Shading Language", CSSE, 2022, section 4.2. The system (12) is assembled in each step, and each kernel of the table
 * below does one task. The last column says what one work item computes. Tables 3 to 8 are missing in our copy of the
 * paper. This code does what the paper's text says; (open) marks a choice of ours, for which the text says nothing.
 * CSR, CSC and COO store a sparse matrix by rows, by columns, and as a list of elements; SpMV is its product with a
 * vector.
 *
 *     disConstraint    Phi, J in CSR (arrays A, IA, JA), its transpose in CSC (B, IB, JB)  a constraint
 *     Vect             q' / dt + W F                                                       a node
 *     Spmm             A = J W J^T, element by element, in COO                             an element
 *     Rhs              b = Phi / dt^2 + J (q' / dt + W F) by SpMV                          a constraint
 *     CG               A p by SpMV in COO, atomic sums of its products                     an element
 *                      dot products: each group adds up its products in local memory,      a constraint
 *                      the next launch adds up the groups' sums
 *                      AxPY: lambda and r, then p (open: which of them share a launch)     a constraint
 *     ConstraintForce  J^T lambda by SpMV^T, atomic sums                                   a constraint
 *     UpdateNodes      (8) and (9)                                                         a node
 *
 * The paper also gives the name A to the array of J's values. In this file, only "arrays A, IA, JA" above and "the
 * paper's array A" mean this array; otherwise A is the matrix J W J^T. Row c of J has six elements, 2 d and -2 d. The
 * three arrays of J^T in CSC are equal to those of J in CSR. J and J^T are both stored, as in the paper, "without
 * additional transposing operation".
 *
 * The grid determines which elements of A may differ from 0: those in row c and column d for which the constraints c
 * and d are equal or share a node. The paper computes the number of these elements beforehand. The paper gives each
 * element its place in COO by an atomic counter, so the order of elements depends on timing.
 *
 * In the variant `paper` the host writes the row and the column of each element once, in the order of the rows (open:
 * another order can only cost more). Spmm then computes the values in each step. A value is the product a W b, where a
 * is a row of J and b is a column of J^T; a and b are stored with ascending indices. In the variant
 * `paper_atomic_places`, Spmm writes in each step the row, column and value of the elements that are not 0, at places
 * from an atomic counter, as in the paper.
 *
 * With adaptive constraints (section 4.3; table 9 is missing) disConstraint writes 0 in the row of a spring whose
 * length is in the allowed range, and Vect adds that spring's force (1) to F.
 *
 * The variant `paper_dense` stores all elements of A, for a small cloth, and a work item computes a row of A p. All
 * variants of this file have atomic sums, whose order depends on timing, so two runs need not be bit-identical. The
 * start and end of the iteration (without a warm start), the choice of the least residual and all signs are those of
 * constraint_enforcement.h. */
#ifndef SPRINGBACK_KERNELS_CONSTRAINT_ENFORCEMENT_PAPER_H
#define SPRINGBACK_KERNELS_CONSTRAINT_ENFORCEMENT_PAPER_H

#include "constraint_enforcement.h"
#include "dialect.h"
#include "mass_spring.h"

/* The parameters of constraint_enforcement.h, followed by sizes. */
struct constraint_paper_parameters {
    struct constraint_enforcement_parameters e;
    int constraints;
    int entries; /* number of stored elements of the matrix A */
};

/* The method's struct, for m constraints and n nodes. SI units. */
struct constraint_paper {
    GLOBAL quad *position, *velocity; /* [n]; position.w: inverse mass; velocity.w: factor of the push */
    GLOBAL const int *spring;         /* [m][2]: the ends, in ascending order */
    GLOBAL const scalar *rest;        /* [m]: rest lengths */
    GLOBAL scalar *error;             /* [m]: Phi */
    /* J: values [m][6] (the paper's array A), starts of rows [m + 1] (IA) and columns [m][6] (JA). */
    GLOBAL scalar *jacobian;
    GLOBAL int *jacobian_row, *jacobian_column;
    /* J^T: values [m][6] (the paper's array B), starts of columns [m + 1] (IB) and rows [m][6] (JB). */
    GLOBAL scalar *transpose;
    GLOBAL int *transpose_column, *transpose_row;
    GLOBAL scalar *acceleration; /* [n][3]: q' / dt + W F */
    GLOBAL scalar *force;        /* [n][3]: J^T lambda minus the forces of springs that are not constraints */
    GLOBAL const int *entry_row, *entry_column; /* row and column of each element of J W J^T that may differ from 0 */
    GLOBAL int *stored_row, *stored_column;     /* paper_atomic_places: row and column of each stored element */
    GLOBAL quad *stored;  /* paper_atomic_places: the first word is the number of stored elements */
    GLOBAL scalar *entry; /* values of the stored elements of the matrix A */
    GLOBAL scalar *residual, *direction, *product, *multiplier, *kept; /* [m] */
    GLOBAL const scalar *first, *second;                               /* [m]: the two vectors of a dot product */
    GLOBAL quad *shares;                      /* [m]: terms of a dot product that the fixed tree adds up */
    GLOBAL quad *sum;                         /* the dot product, if atomic additions compute it */
    GLOBAL quad *progress, *heading, *record; /* as in struct constraint_enforcement */
    TOTAL total;
    struct constraint_paper_parameters p;
    int step;
};

/* ---- The system ---- */

/* The paper's kernel disConstraint: computes Phi of a constraint, equation (5), and the constraint's row of the
 * Jacobian J. Phi and the row are 0 for a constraint between two pinned nodes. In the adaptive method they are also 0
 * for a spring whose length is in the allowed range. */
INLINE void constraint_paper_constraint_item(int c, const struct constraint_paper *m) {
    const int first = 2 * c, ends[2] = {m->spring[first], m->spring[first + 1]};
    const quad a = m->position[ends[0]], b = m->position[ends[1]];
    const vec3 apart = subtract(xyz(a), xyz(b));
    const int acts = a.w + b.w > 0 && (!m->p.e.is_adaptive || constraint_acts(inner(apart, apart), m->rest[c], m->p.e));
    const vec3 d = vec3_where(acts, apart);
    const real along[3] = {2 * d.x, 2 * d.y, 2 * d.z};
    m->error[c] = acts ? constraint_error(inner(d, d), m->rest[c], m->p.e) : 0;
    for (int e = 0; e < 2; ++e)
        for (int k = 0; k < 3; ++k) {
            const int at = 6 * c + 3 * e + k;
            m->jacobian[at] = m->transpose[at] = e == 0 ? along[k] : -along[k];
            m->jacobian_column[at] = m->transpose_row[at] = 3 * ends[e] + k;
        }
    m->jacobian_row[c] = m->transpose_column[c] = 6 * c;
    if (c == m->p.constraints - 1)
        m->jacobian_row[c + 1] = m->transpose_column[c + 1] = 6 * m->p.constraints;
    if (c == 0) {
        m->progress[0] = quad_of(vec3_of(0, -1, 0), 0);
        m->progress[1] = quad_of(vec3_of(0, 0, 0), 0);
    }
}

/* W F of a node: the acceleration by all forces except constraints and springs. */
INLINE vec3 paper_drive(quad x, quad v, const struct constraint_paper *m) {
    const vec3 weight = vec3_of(m->p.e.m.gravity_x, m->p.e.m.gravity_y, m->p.e.m.gravity_z);
    return vec3_where(x.w > 0, add(weight, scale(v.w, push_in(m->step, m->p.e.m))));
}

/* The sum of the forces of a node's springs that are not constraints, in N; 0 unless constraints are adaptive. */
INLINE vec3 paper_slack(int i, const struct constraint_paper *m) {
    const struct constraint_enforcement e = {.position = m->position, .velocity = m->velocity, .p = m->p.e};
    const struct grid_node at = {i, i % m->p.e.m.columns, i / m->p.e.m.columns, 1};
    return m->p.e.is_adaptive ? slack_force(at, &e) : vec3_of(0, 0, 0);
}

/* Vect. This kernel also sets `force` to minus the forces of springs that are not constraints. J^T lambda is then added
 * to `force`. */
INLINE void constraint_paper_vector_item(int i, const struct constraint_paper *m) {
    const quad x = m->position[i], v = m->velocity[i];
    const vec3 slack = paper_slack(i, m);
    const vec3 sum = add(scale(m->p.e.rate, xyz(v)), add(paper_drive(x, v, m), scale(x.w, slack)));
    const real of[3] = {sum.x, sum.y, sum.z}, pull[3] = {0 - slack.x, 0 - slack.y, 0 - slack.z};
    for (int k = 0; k < 3; ++k) {
        m->acceleration[3 * i + k] = of[k];
        m->force[3 * i + k] = pull[k];
    }
}

/* Spmm: the element of A + eps I in row c and column d (constraint_enforcement.h). */
INLINE real paper_product(int c, int d, const struct constraint_paper *m) {
    int j = m->jacobian_row[c], k = m->transpose_column[d];
    const int j_end = m->jacobian_row[c + 1], k_end = m->transpose_column[d + 1];
    real sum = c == d ? m->p.e.regularisation : 0;
    while (j < j_end && k < k_end) {
        const int column = m->jacobian_column[j], row = m->transpose_row[k];
        if (column == row)
            sum = sum + m->jacobian[j] * m->transpose[k] * m->position[row / 3].w;
        j += column <= row;
        k += row <= column;
    }
    return sum;
}

INLINE void constraint_paper_entry_item(int e, const struct constraint_paper *m) {
    m->entry[e] = paper_product(m->entry_row[e], m->entry_column[e], m);
}

INLINE void constraint_paper_entry_dense_item(int e, const struct constraint_paper *m) {
    m->entry[e] = paper_product(e / m->p.constraints, e % m->p.constraints, m);
}

/* Rhs: b of (12), stored as the residual, which equals b because all multipliers are 0 at the start. */
INLINE void constraint_paper_right_side_item(int c, const struct constraint_paper *m) {
    real sum = m->error[c] * m->p.e.rate * m->p.e.rate;
    for (int k = m->jacobian_row[c]; k < m->jacobian_row[c + 1]; ++k)
        sum = sum + m->jacobian[k] * m->acceleration[m->jacobian_column[k]];
    m->residual[c] = sum;
}

/* ---- The iteration ---- */

INLINE struct constraint_enforcement paper_iteration(const struct constraint_paper *m) {
    struct constraint_enforcement e = {
        .progress = m->progress, .heading = m->heading, .record = m->record, .p = m->p.e, .step = m->step};
    return e;
}

/* The state of the iteration. At its start the sum r . r is also b . b. */
INLINE struct iteration paper_standing(const struct constraint_paper *m) {
    const struct constraint_enforcement e = paper_iteration(m);
    const quad total = TOTAL_OF(m->total);
    return iteration_of(quad_of(vec3_of(total.x, total.x, 0), 0), standing_at(m->progress), &e);
}

/* Store a constraint's term of a dot product: of `first` and `second` (constraint_paper_dot_item), or of `first` and
 * itself (constraint_paper_squares_item). */
INLINE void constraint_paper_dot_item(int c, const struct constraint_paper *m) {
    m->shares[c] = quad_of(vec3_of(m->first[c] * m->second[c], 0, 0), 0);
}

INLINE void constraint_paper_squares_item(int c, const struct constraint_paper *m) {
    m->shares[c] = quad_of(vec3_of(m->first[c] * m->first[c], 0, 0), 0);
}

INLINE void constraint_paper_clear_item(int k, const struct constraint_paper *m) {
    m->sum[k] = quad_of(vec3_of(0, 0, 0), 0);
}

/* AxPY: update a constraint's multiplier by the previous stride, and compute the new direction. If the residual is the
 * least so far, also copy the multiplier to `kept`. */
INLINE void paper_direction(int c, const struct iteration *s, const struct constraint_paper *m) {
    if (s->had_ended)
        return;
    const real lambda = s->is_first ? 0 : m->multiplier[c] + s->alpha * m->direction[c];
    m->multiplier[c] = lambda;
    if (s->is_least)
        m->kept[c] = lambda;
    if (!s->has_ended)
        m->direction[c] = s->is_first ? m->residual[c] : m->residual[c] + s->beta * m->direction[c];
    m->product[c] = 0;
}

INLINE void constraint_paper_direction_all(int c, const struct constraint_paper_parameters p,
                                           const struct constraint_paper *m) {
    const struct constraint_enforcement e = paper_iteration(m);
    const struct iteration s = paper_standing(m);
    if (c < p.constraints)
        paper_direction(c, &s, m);
    if (c == 0)
        iteration_head(&s, &e);
}

/* SpMV with all elements of A, one work item per row. The work item of row c reads column c instead, which is equal
 * because A is symmetric. Neighbouring work items then read neighbouring addresses. */
INLINE void constraint_paper_multiply_dense_item(int c, const struct constraint_paper *m) {
    if (m->heading[1].z != 0)
        return;
    real sum = 0;
    for (int d = 0; d < m->p.constraints; ++d)
        sum = sum + m->entry[d * m->p.constraints + c] * m->direction[d];
    m->product[c] = sum;
}

INLINE void paper_stride(int c, scalar alpha, const struct constraint_paper *m) {
    m->residual[c] = m->residual[c] - alpha * m->product[c];
}

INLINE void constraint_paper_stride_all(int c, const struct constraint_paper_parameters p,
                                        const struct constraint_paper *m) {
    const struct constraint_enforcement e = paper_iteration(m);
    const scalar alpha = stride_of(TOTAL_OF(m->total), standing_at(m->heading));
    if (c < p.constraints && m->heading[1].z == 0)
        paper_stride(c, alpha, m);
    if (c == 0)
        iteration_stride(alpha, &e);
}

/* ---- Atomic sums, in float only ---- */

#ifndef REAL_IS_double
#ifdef __OPENCL_VERSION__
#define atomic_next(count) atomic_inc(count)
#else
#define atomic_next(count) __atomic_fetch_add(count, 1, __ATOMIC_RELAXED)
#endif

/* Spmm of the variant paper_atomic_places. */
INLINE void constraint_paper_entry_placed_item(int e, const struct constraint_paper *m) {
    const int row = m->entry_row[e], column = m->entry_column[e];
    const real product = paper_product(row, column, m);
    if (product != 0) {
        const int place = atomic_next((volatile GLOBAL int *)m->stored);
        m->stored_row[place] = row;
        m->stored_column[place] = column;
        m->entry[place] = product;
    }
}

/* SpMV in COO: multiply stored element e of A by the direction, and add the product atomically to its row of A p. */
INLINE void constraint_paper_multiply_item(int e, const struct constraint_paper *m) {
    if (m->heading[1].z == 0)
        atomic_add_own(&m->product[m->entry_row[e]], m->entry[e] * m->direction[m->entry_column[e]]);
}

INLINE void constraint_paper_multiply_placed_item(int e, const struct constraint_paper *m) {
    if (e < *(GLOBAL const int *)m->stored)
        constraint_paper_multiply_item(e, m);
}

INLINE void constraint_paper_dot_atomic_item(int c, const struct constraint_paper *m) {
    atomic_add_own((GLOBAL real *)m->sum, m->first[c] * m->second[c]);
}

/* SpMV^T of Steinberger et al., "How naive is naive SpMV on the GPU?", 2016, the paper's [18]. Each work item
 * multiplies a column of J^T by the column's multiplier, and adds the products to the rows in which the column has
 * elements. If the last multipliers are those with the least residual, the work item first stores its multiplier in
 * `kept`. */
INLINE void paper_force(int c, const struct iteration *s, const struct constraint_paper *m) {
    if (s->is_least || s->least < 0)
        m->kept[c] = s->alpha > 0 ? m->multiplier[c] + s->alpha * m->direction[c] : m->multiplier[c];
    const real lambda = m->kept[c];
    for (int k = m->transpose_column[c]; k < m->transpose_column[c + 1]; ++k)
        atomic_add_own(&m->force[m->transpose_row[k]], m->transpose[k] * lambda);
}

INLINE void constraint_paper_force_all(int c, const struct constraint_paper_parameters p,
                                       const struct constraint_paper *m) {
    const struct iteration s = paper_standing(m);
    if (c < p.constraints)
        paper_force(c, &s, m);
}
#endif

/* ---- After the iteration ---- */

/* UpdateNodes: the velocity (8) and the position (9) replace *v and *x of node i. */
INLINE void paper_update(int i, quad *x, quad *v, const struct constraint_paper *m) {
    const int at = 3 * i;
    const vec3 pull = vec3_of(m->force[at], m->force[at + 1], m->force[at + 2]);
    const vec3 acceleration = subtract(paper_drive(*x, *v, m), scale(x->w, pull));
    const vec3 velocity = vec3_where(x->w > 0, add(xyz(*v), scale(m->p.e.m.step, acceleration)));
    *v = quad_of(velocity, v->w);
    *x = quad_of(position_after(xyz(*x), velocity, m->p.e.m), x->w);
}

INLINE void constraint_paper_update_all(int i, const struct constraint_paper_parameters p,
                                        const struct constraint_paper *m) {
    const struct constraint_enforcement e = paper_iteration(m);
    const struct iteration s = paper_standing(m);
    if (i < p.e.m.columns * p.e.m.rows) {
        quad x = m->position[i], v = m->velocity[i];
        paper_update(i, &x, &v, m);
        m->position[i] = x;
        m->velocity[i] = v;
    }
    if (i == 0)
        constraint_note(&s, s.is_least || s.least < 0 ? s.squared : s.least, &e);
}

#endif
