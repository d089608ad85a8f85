/* The paper's own program of constraint enforcement and of its adaptive kind, and what it is compared with
 * (kernels/constraint_enforcement_paper.h): for OpenCL alone, and not in the same bits each time. */
#ifndef SPRINGBACK_METHOD_CONSTRAINT_PAPER_H
#define SPRINGBACK_METHOD_CONSTRAINT_PAPER_H

#include "body/body.h"
#include "experiment/plan.h"
#include "method/program.h"

#include <stdbool.h>

/* The words of method.variant for it, and what they mean: for a field's words and doc. */
#define CONSTRAINT_PAPER_WORDS "paper paper_atomic_dots paper_atomic_places paper_dense"
#define CONSTRAINT_PAPER_DOC                                                                                           \
    "paper puts it together in COO each step, as the paper does, with atomic sums, on OpenCL alone; "                  \
    "paper_atomic_dots "                                                                                               \
    "is that with dot products by atomics, paper_atomic_places that with the elements that are not 0 at places from "  \
    "an atomic counter, paper_dense that with all of the matrix stored."

/* The reals at the beginning of the parameters that all variants have, in bytes. */
#define CONSTRAINT_REALS (offsetof(struct constraint_enforcement_parameters, m) + MASS_SPRING_REALS)

/* Whether the run's variant is one of these. */
bool constraint_paper_is(const struct run *run);

/* Whether such a run can be had: fails with what is wrong with it. Needs only what body_describe gives. */
int constraint_paper_check(const struct run *run, const struct body *body);

/* The program of one frame, of the parameters that it shares with others (in doubles). Likewise. */
struct constraint_enforcement_parameters;
void constraint_paper_build(const struct run *run, const struct body *body,
                            const struct constraint_enforcement_parameters *parameters, struct program *program);

/* What a buffer holds at the start, but for positions and velocities. */
void constraint_paper_fill(const struct body *body, const struct program *program, int buffer, void *out);

#endif
