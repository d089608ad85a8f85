/* The system of (12) of va2022, solved by CHOLMOD's direct factorisation. */
#ifndef SPRINGBACK_TESTS_CONSTRAINT_DIRECT_H
#define SPRINGBACK_TESTS_CONSTRAINT_DIRECT_H

#include "constraint_cloth.h"

#include <cholmod.h>

/* The solution of (A + eps I) lambda = b by a Cholesky factorisation, with A = J M^-1 J^T and eps = `regularisation`.
 * [count], newly allocated. */
static inline double *solve(const struct system *system, const double *b, double regularisation) {
    cholmod_common common;
    cholmod_start(&common);
    const size_t n = (size_t)system->count;
    cholmod_triplet *triplet = cholmod_allocate_triplet(n, n, n * n, 1, CHOLMOD_REAL, &common);
    for (int c = 0; c < system->count; ++c)
        for (int d = c; d < system->count; ++d) {
            const double value = entry(system, c, d) + (c == d ? regularisation : 0);
            if (value != 0) {
                ((int *)triplet->i)[triplet->nnz] = c;
                ((int *)triplet->j)[triplet->nnz] = d;
                ((double *)triplet->x)[triplet->nnz++] = value;
            }
        }
    cholmod_sparse *matrix = cholmod_triplet_to_sparse(triplet, 0, &common);
    cholmod_factor *factor = cholmod_analyze(matrix, &common);
    cholmod_factorize(matrix, factor, &common);
    cr_assert_eq(common.status, CHOLMOD_OK, "the matrix is not positive definite");
    cholmod_dense *right = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, &common);
    memcpy(right->x, b, n * sizeof *b);
    cholmod_dense *solution = cholmod_solve(CHOLMOD_A, factor, right, &common);
    double *lambda = memory_new(n, sizeof *lambda);
    memcpy(lambda, solution->x, n * sizeof *lambda);
    cholmod_free_dense(&solution, &common);
    cholmod_free_dense(&right, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_free_sparse(&matrix, &common);
    cholmod_free_triplet(&triplet, &common);
    cholmod_finish(&common);
    return lambda;
}

#endif
