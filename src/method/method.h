/* Methods: parameters with units and docs, buffers, program, and what is measured. The formulas are in kernels/. */
#ifndef SPRINGBACK_METHOD_METHOD_H
#define SPRINGBACK_METHOD_METHOD_H

#include "base/attributes.h"
#include "base/status.h"
#include "body/body.h"
#include "experiment/plan.h"
#include "method/program.h"

/* What becomes of the nodes' shares: their sum, the largest, or the sum without its sign. */
enum quantity_kind { QUANTITY_SUM, QUANTITY_MAX, QUANTITY_MAGNITUDE };

/* One measured quantity. */
struct quantity {
    const char *name, *unit, *doc;
    enum quantity_kind kind;
};

enum { METHOD_QUANTITIES = 20 };

/* What a scene may have that not every method knows. */
enum method_takes { TAKES_OBSTACLES = 1, TAKES_WIND = 2 };

struct method {
    const char *name;
    const char *doc;            /* one sentence, and the paper */
    const struct field *fields; /* ends with a NULL path */
    const struct quantity *quantities;

    /* How many of the quantities a run on this body has, from the first on. Needs only what body_describe gives. */
    int (*quantity_count)(const struct body *body);

    unsigned takes; /* of enum method_takes */

    /* What a node or spring takes, in an iteration if there are such, beside one of mass_spring: for forecasts. A
     * median of runs, from which single ones are up to three times off. */
    double relative_cost;

    /* Operations of one time step of a run that was made, by its trace's notes (body_triangles) and parameters
     * (method.iterations): each formula once, as kernels/ has it (method/build.h). NaN if they are not known. May
     * be NULL: nobody counted. */
    double (*operations)(const struct attributes *notes, const struct attributes *parameters);

    /* Whether the run can be had: says what is wrong with it. May be NULL. Needs only what body_describe gives. */
    int (*check)(const struct run *run, const struct body *body);

    /* The program of one frame. Likewise. */
    void (*build)(const struct run *run, const struct body *body, struct program *program);

    /* What a buffer holds at the start; buffers that need no content are left alone. */
    void (*fill)(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out);

    /* The quantities of nodes [begin, end), each node's share: out[quantity][node - begin]. The state is
     * [nodes][3] doubles of exactly the run's reals. */
    void (*measure)(const struct program *program, const struct body *body, const double (*position)[3],
                    const double (*velocity)[3], int begin, int end, double *const *out);

    /* The last so many quantities are not measured but noted: what the program itself left of the frame in its buffer
     * `record`, of reals. Their kind says nothing. */
    int noted;
    void (*note)(const struct program *program, const void *record, double *out);
};

extern const struct method *const methods[];      /* ends with NULL */
extern const struct method_fields method_table[]; /* the same, as the plan's reader needs it */

/* Whether the method takes all that the run's scene has; if not, says what it does not, and which methods would. */
int method_check_scene(const struct method *method, const struct run *run);

const struct method *method_find(const char *name); /* NULL if there is none */

#endif
