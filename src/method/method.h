/* Methods: parameters with units and docs, buffers, program, and measured quantities. The formulas are in kernels/. */
#ifndef SPRINGBACK_METHOD_METHOD_H
#define SPRINGBACK_METHOD_METHOD_H

#include "base/attributes.h"
#include "base/status.h"
#include "body/body.h"
#include "experiment/plan.h"
#include "method/program.h"

/* How a quantity is computed from the terms of the nodes, one for each node: their sum, the largest term, the absolute
 * value of the sum, or their 99th percentile (base/percentile.h). Terms of a percentile are not negative. */
enum quantity_kind { QUANTITY_SUM, QUANTITY_MAX, QUANTITY_MAGNITUDE, QUANTITY_PERCENTILE };

struct quantity {
    const char *name, *unit, *doc;
    enum quantity_kind kind;
};

enum { METHOD_QUANTITIES = 24 };

/* Positions in m and velocities in m/s of the nodes from `first` on. They are the run's reals, converted to doubles
 * without rounding. Each coordinate has an array. The arrays must be readable up to ROW_SPARE numbers after the last
 * node. */
enum { ROW_SPARE = 16 };
struct node_motion {
    int first;
    const double *position[3], *velocity[3]; /* [coordinate][node - first] */
};

/* Parts of a scene that not every method supports. */
enum method_takes { TAKES_OBSTACLES = 1, TAKES_WIND = 2 };

struct method {
    const char *name;
    const char *doc;            /* one sentence, which names the paper */
    const struct field *fields; /* ends with a NULL path */
    const struct quantity *quantities;

    /* How many of `quantities` a run on this body has, counted from the first one. Needs only what body_describe
     * sets. */
    int (*quantity_count)(const struct body *body);

    unsigned takes; /* the parts of a scene that the method supports: a bit set of enum method_takes */

    /* Time of a step, divided by the number of nodes plus springs (and by the number of iterations, if the method
     * iterates), relative to the same quotient of mass_spring. Used for forecasts. The value is the median of several
     * runs, from which a single run differs by up to a factor of three. */
    double relative_cost;

    /* The number of operations of one time step of a finished run. `notes` are the notes of its trace, such as
     * body_triangles; `parameters` are its parameters, such as method.iterations. The operations of each formula are
     * counted in kernels/ (method/build.h). Returns NAN if the number is unknown for these parameters. NULL if the
     * method's operations have not been counted. */
    double (*operations)(const struct attributes *notes, const struct attributes *parameters);

    /* Fails with the reason if the run is impossible. May be NULL. Needs only what body_describe sets. */
    int (*check)(const struct run *run, const struct body *body);

    /* Build the program of one frame. Needs only what body_describe sets. */
    void (*build)(const struct run *run, const struct body *body, struct program *program);

    /* Fill a buffer with its initial content. A buffer that needs no initial content is left unchanged. */
    void (*fill)(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out);

    /* For the nodes `begin` to `end` - 1, compute each node's terms of the quantities: out[quantity][node - begin].
     * `motion` has these nodes and all nodes within body_reach of them. */
    void (*measure)(const struct program *program, const struct body *body, const struct node_motion *motion, int begin,
                    int end, double *const *out);

    /* The program itself stores the last `noted` quantities for each frame in its buffer `record`, as reals. They are
     * not measured, and their kind is not used. `note` writes their `noted` values to the array `out`; `record` is
     * the content of that buffer. */
    int noted;
    void (*note)(const struct program *program, const void *record, double *out);
};

extern const struct method *const methods[];      /* ends with NULL */
extern const struct method_fields method_table[]; /* all methods, in the form that the plan's reader needs */

/* Fails if the method does not support a part of the run's scene. The message names this part and the methods that
 * support it. */
int method_check_scene(const struct method *method, const struct run *run);

const struct method *method_find(const char *name); /* NULL if no method has this name */

#endif
