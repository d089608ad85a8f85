#include "report/roofline.h"

#include "method/method.h"

#include <math.h>
#include <string.h>

bool work_of(const struct machine_run *run, struct work *out) {
    const double nodes = attributes_number(&run->facts, "nodes", NAN);
    const double steps = attributes_number(&run->facts, "steps_per_frame", NAN);
    const char *precision = attributes_text(&run->parameter, "method.precision");
    const char *name = attributes_text(&run->facts, "method");
    const char *variant = attributes_text(&run->parameter, "method.variant");
    const struct method *method = name ? method_find(name) : NULL;
    const bool is_double = precision && !strcmp(precision, "double"), is_own = !variant || !strcmp(variant, "tuned");
    *out = (struct work){4 * 4 * (is_double ? 8 : 4) * nodes * steps, NAN};
    /* The arithmetic that is measured is that of single precision; and a paper's own program computes other things. */
    if (method && method->operations && !is_double && is_own)
        out->operations = method->operations(&run->facts, &run->parameter) * steps;
    return isfinite(out->bytes) && out->bytes > 0;
}

double work_limit(const struct work *work, const struct machine_floor *floor, bool *by_memory) {
    const double memory = floor ? work->bytes / floor->best[FLOOR_COPY] : (double)NAN;
    const double arithmetic = floor ? work->operations / floor->best[FLOOR_OPERATIONS] : (double)NAN;
    const bool bound = !(arithmetic > memory);
    if (by_memory)
        *by_memory = bound;
    return bound ? memory : arithmetic;
}
