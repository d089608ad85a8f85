/* Constraint enforcement and adaptive constraints as in va2022's own program, and variants of both methods for
 * comparison (kernels/constraint_enforcement_paper.h). All variants of this file exist in OpenCL only, and two runs of
 * the same variant need not be bit-identical. */
#ifndef SPRINGBACK_METHOD_CONSTRAINT_PAPER_H
#define SPRINGBACK_METHOD_CONSTRAINT_PAPER_H

#include "body/body.h"
#include "experiment/plan.h"
#include "method/program.h"

#include <stdbool.h>

/* The words of method.variant for the variants of this file, and the text that documents them. */
#define CONSTRAINT_PAPER_WORDS "paper paper_atomic_dots paper_atomic_places paper_dense"
#define CONSTRAINT_PAPER_DOC                                                                                           \
    "paper: assembles the matrix as a list of elements (COO) in each step, as va2022 does, with "                      \
    "atomic sums; paper_atomic_dots: like the variant paper, but with dot products by atomic "                         \
    "sums; paper_atomic_places: like the variant paper, but an atomic counter gives the places of the nonzero "        \
    "elements; paper_dense: like the variant paper, but stores all elements of the matrix. All variants except "       \
    "tuned run on OpenCL only."

/* Bytes of the reals at the start of the parameters of all variants. */
#define CONSTRAINT_REALS (offsetof(struct constraint_enforcement_parameters, m) + MASS_SPRING_REALS)

/* Whether the run's variant is one of CONSTRAINT_PAPER_WORDS. */
bool constraint_paper_is(const struct run *run);

/* Fails with the reason if the run is impossible. Needs only what body_describe sets. */
int constraint_paper_check(const struct run *run, const struct body *body);

/* Build the program of one frame. `parameters` are those of kernels/constraint_enforcement.h, in doubles. Needs only
 * what body_describe sets. */
struct constraint_enforcement_parameters;
void constraint_paper_build(const struct run *run, const struct body *body,
                            const struct constraint_enforcement_parameters *parameters, struct program *program);

/* Fill a buffer with its initial content. The buffer must not be that of positions or velocities. */
void constraint_paper_fill(const struct body *body, const struct program *program, int buffer, void *out);

#endif
