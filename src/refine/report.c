#include "base/json.h"
#include "base/memory.h"
#include "claim/quantity.h"
#include "refine/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- For people ---- */

/* "0.35 %", "-" where not known. */
static const char *share_text(double share, char out[32]) {
    if (isnan(share))
        return "-";
    if (isinf(share))
        return "all";
    snprintf(out, 32, "%.3g %%", 100 * share);
    return out;
}

/* "3.142"; "no number" where it is infinite or none. The unit stands once, behind the name. */
static char *value_text(const struct movement *movement, int v) {
    if (!movement->has[v])
        return text_copy("-");
    if (!isfinite(movement->value[v]))
        return text_copy("no number");
    return number_text(movement->value[v], strcmp(movement->unit, "yes or no") ? "1" : movement->unit);
}

static void print_movement(const struct movement *movement, int width, FILE *out) {
    const bool has_unit = strcmp(movement->unit, "1") != 0 && strcmp(movement->unit, "yes or no") != 0;
    char step[32], twice[32], order[32] = "-";
    char *name = text_format("%s%s%s", movement->name, has_unit ? ", " : "", has_unit ? movement->unit : "");
    fprintf(out, "    %-*s", width, name);
    for (int v = 0; v < VARIANTS; ++v) {
        char *value = value_text(movement, v);
        fprintf(out, "  %10s", value);
        free(value);
    }
    if (!isnan(movement->order))
        snprintf(order, sizeof order, "%.2f", movement->order);
    fprintf(out, "  %9s  %9s  %5s  %s\n", share_text(movement->with_step, step),
            share_text(movement->with_double, twice), order, origin_word_name(movement->word));
    free(name);
}

void refine_report_print(const struct refine_report *report, FILE *out) {
    int width = 20;
    for (int i = 0; i < report->count; ++i)
        for (int m = 0; m < report->items[i].movement_count; ++m) {
            const struct movement *movement = &report->items[i].movements[m];
            const int length = (int)(strlen(movement->name) + strlen(movement->unit)) + 2;
            width = length > width ? length : width;
        }
    if (!report->runs) {
        fprintf(out, "%s: nothing that had to be run\n", report->experiment);
    } else {
        fprintf(out, "%s: %d run%s, each with the step h, h/2, h/4, and with h in double precision\n",
                report->experiment, report->runs, report->runs == 1 ? "" : "s");
        fprintf(out, "    %-*s", width, report->count && report->items[0].is_claim ? "" : "at the last frame");
        for (int v = 0; v < VARIANTS; ++v)
            fprintf(out, "  %10s", variant_names[v]);
        fprintf(out, "  %9s  %9s  %5s  %s\n", "with step", "in double", "order", "owed to");
    }
    for (int i = 0; i < report->count; ++i) {
        const struct refinement *item = &report->items[i];
        fprintf(out, "%s: %s\n", item->id, origin_word_name(item->word));
        for (int m = 0; m < item->movement_count; ++m)
            print_movement(&item->movements[m], width, out);
        if (*item->why)
            fprintf(out, "    %s\n", item->why);
    }
}

/* ---- For programs ---- */

/* JSON has neither NaN nor infinities. */
static json_t *json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_movement(const struct movement *movement) {
    json_t *values = json_object();
    for (int v = 0; v < VARIANTS; ++v)
        json_object_set_new(values, variant_names[v], json_number(movement->value[v]));
    return json_pack("{so ss so so so so ss}", "name", json_text(movement->name), "unit", movement->unit, "values",
                     values, "with_step", json_number(movement->with_step), "with_double",
                     json_number(movement->with_double), "order", json_number(movement->order), "word",
                     origin_word_name(movement->word));
}

void refine_report_json(const struct refine_report *report, FILE *out) {
    for (int i = 0; i < report->count; ++i) {
        const struct refinement *item = &report->items[i];
        json_t *numbers = json_array(), *verdicts = json_object(), *blown = json_object(), *runs = json_object();
        for (int m = 0; m < item->movement_count; ++m)
            json_array_append_new(numbers, json_movement(&item->movements[m]));
        for (int v = 0; v < VARIANTS; ++v) {
            json_object_set_new(verdicts, variant_names[v],
                                item->verdict[v] ? json_string(item->verdict[v]) : json_null());
            json_object_set_new(blown, variant_names[v], json_integer(item->blown[v]));
            json_object_set_new(runs, variant_names[v], json_integer(item->runs[v]));
        }
        json_print(json_pack("{so so ss so so so so so}", "experiment", json_text(report->experiment),
                             item->is_claim ? "claim" : "run", json_text(item->id), "word",
                             origin_word_name(item->word), "numbers", numbers, "verdicts", verdicts, "blown_up", blown,
                             "runs", runs, "why", json_text(item->why)),
                   out);
    }
}
