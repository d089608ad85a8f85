#include "report/comparison.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "report/figure_data.h"
#include "report/html.h"
#include "report/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *backend_of(const struct machine_run *run) {
    const char *backend = attributes_text(&run->facts, "backend");
    return backend ? backend : "-";
}

static bool is_timed(const struct pair *pair) {
    return !pair->work.count && isfinite(pair->ratio.value);
}

/* ---- Text, on a terminal or as a part of a page ---- */

/* A comparison that is being written to the file `out`: as HTML if is_page, otherwise as text. */
struct output {
    const struct comparison *comparison;
    bool is_page;
    FILE *out;
};

static void write_paragraph(const struct output *t, const char *text, enum terminal_style style) {
    if (t->is_page)
        html_put(t->out, "<p>{text}</p>\n", text);
    else
        fprintf(t->out, "\n%s%s%s\n", terminal_begin(t->out, style), text, terminal_end(t->out, style));
}

#define ADD_NUMBER(table, format, value) (isfinite(value) ? table_add(table, format, value) : table_add(table, "-"))

static void add_ratio(struct table *table, double ratio) {
    if (ratio < 999.5)
        table_add(table, "%.3g", ratio);
    else
        table_add(table, "%.0f", ratio);
}

static void add_share(struct table *table, const struct share *share) {
    const char *by = share->by_memory ? "memory" : "arithmetic";
    if (isnan(share->value))
        table_add(table, "-");
    else if (share->value < 0.1)
        table_add(table, "%.2g %% (%s)", 100 * share->value, by);
    else
        table_add(table, "%.0f %% (%s)", 100 * share->value, by);
}

static void add_contrast(struct table *table, const struct contrast *contrast) {
    table_add(table, "%s", contrast->name);
    table_add(table, "%s", contrast->of[0]);
    table_add(table, "%s", contrast->of[1]);
}

/* The smallest and largest value of a fact, for example of the processor's clock rate or the load average, in the timed
 * runs of a machine (side 0: A, side 1: B). "" if no run has the fact. Newly allocated; the caller frees it. */
static char *range_text(const struct comparison *comparison, int side, const char *name) {
    double least = INFINITY, most = -INFINITY;
    for (int p = 0; p < comparison->pair_count; ++p) {
        const double value = attributes_number(&comparison->pairs[p].run[side]->facts, name, NAN);
        if (!is_timed(&comparison->pairs[p]) || !(value >= 0))
            continue;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    return least > most ? text_copy("") : least < most ? text_format("%g to %g", least, most) : text_format("%g", most);
}

static void write_environment(const struct output *t) {
    static const char *const headings[] = {"what", "A", "B", NULL};
    static const char *const ranges[][2] = {{"clock_before_mhz", "processor's clock before a run, MHz"},
                                            {"temperature_before_c", "temperature before a run, degrees C"},
                                            {"load_before", "load average before a run"}};
    const struct comparison *comparison = t->comparison;
    struct table table = {.caption = "Differences of hardware and software, which should change no bit of a result",
                          .headings = headings};
    for (int i = 0; i < comparison->environment.count; ++i)
        add_contrast(&table, &comparison->environment.items[i]);
    for (int i = 0; i < comparison->unknown.count; ++i)
        add_contrast(&table, &comparison->unknown.items[i]);
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; ++r) {
        AUTO_FREE char *a = range_text(comparison, 0, ranges[r][0]), *b = range_text(comparison, 1, ranges[r][0]);
        if (strcmp(a, b) != 0)
            add_contrast(&table, &(struct contrast){(char *)ranges[r][1], {a, b}});
    }
    table_write(&table, t->is_page, t->out);
}

static void write_limits(const struct output *t) {
    static const char *const headings[] = {"machine",           "device",     "memory, GB/s",
                                           "arithmetic, Gop/s", "launch, us", NULL};
    struct table table = {.caption = "Hardware limits, as measured", .headings = headings};
    for (int k = 0; k < 2; ++k)
        for (int f = 0; f < t->comparison->machine[k]->limits_count; ++f) {
            const struct machine_limits *limits = &t->comparison->machine[k]->limits[f];
            table_add(&table, "%c", "AB"[k]);
            if (*limits->device)
                table_add(&table, "%s", limits->device);
            else
                table_add(&table, "processor, %d thread%s", limits->threads, limits->threads == 1 ? "" : "s");
            ADD_NUMBER(&table, "%.5g", 1e-9 * limits->best[LIMIT_COPY]);
            ADD_NUMBER(&table, "%.5g", 1e-9 * limits->best[LIMIT_OPERATIONS]);
            ADD_NUMBER(&table, "%.3g", 1e6 * limits->best[LIMIT_LAUNCH]);
        }
    table_write(&table, t->is_page, t->out);
}

/* A sentence on how many runs are bit-identical. Newly allocated; the caller frees it. */
static char *physics_text(const struct comparison *comparison) {
    const int *physics = comparison->physics, like = comparison->pair_count - comparison->refused;
    char *text =
        text_format("%d run%s on both machines: %d bit-identical", like, like == 1 ? "" : "s", physics[PHYSICS_SAME]);
    if (physics[PHYSICS_DIFFERENT])
        text_append(&text, ", %d DIFFER", physics[PHYSICS_DIFFERENT]);
    if (physics[PHYSICS_INEXACT])
        text_append(&text, ", %d differ because of methods or devices that are not bit-exact",
                    physics[PHYSICS_INEXACT]);
    if (physics[PHYSICS_UNKNOWN])
        text_append(&text, ", %d without a common recorded frame", physics[PHYSICS_UNKNOWN]);
    if (comparison->elsewhere)
        text_append(&text, ". %d of the runs used another kind of backend on B than on A", comparison->elsewhere);
    text_append(&text, ".");
    return text;
}

/* A sentence on the speed of B relative to A, by backend. Newly allocated; the caller frees it. */
static char *speed_text(const struct comparison *comparison) {
    char *text = text_copy("");
    for (int s = 0; s < comparison->speed_count; ++s) {
        const struct backend_speed *speed = &comparison->speeds[s];
        text_append(&text, "%s%s %.3g (%d run%s)", s ? ", " : "Speed of B relative to A (median): ", speed->backend,
                    speed->median, speed->runs, speed->runs == 1 ? "" : "s");
    }
    text_append(&text, comparison->speed_count ? "." : "No run was timed on both machines.");
    return text;
}

/* A sentence with the names of the facts that differ between the environments. Newly allocated; the caller frees it. */
static char *contrasts_text(const struct comparison *comparison) {
    char *text = text_copy("");
    for (int i = 0; i < comparison->environment.count; ++i)
        text_append(&text, "%s%s", i ? ", " : "Differs: ", comparison->environment.items[i].name);
    text_append(&text, comparison->environment.count ? "." : "The hardware and the software do not differ.");
    return text;
}

static void write_physics(const struct output *t) {
    AUTO_FREE char *text = physics_text(t->comparison);
    write_paragraph(t, text, t->comparison->physics[PHYSICS_DIFFERENT] ? TERMINAL_BAD : TERMINAL_GOOD);
}

/* Print the result in three lines: the bit-identical runs, the speed of B, and what differs in the environments. */
static void print_summary(const struct comparison *comparison, FILE *out) {
    const enum terminal_style style = comparison->physics[PHYSICS_DIFFERENT] ? TERMINAL_BAD : TERMINAL_GOOD;
    AUTO_FREE char *physics = physics_text(comparison), *speed = speed_text(comparison),
                   *contrasts = contrasts_text(comparison);
    fprintf(out, "%s%s%s\n%s\n%s\n\n", terminal_begin(out, style), physics, terminal_end(out, style), speed, contrasts);
}

static void add_distance(struct table *table, const struct distance *distance) {
    if (!distance->what)
        table_add(table, "not known");
    else if (!strcmp(distance->unit, "1"))
        table_add(table, "%s: %.3g of the larger value, in frame %d", distance->what, distance->value, distance->frame);
    else
        table_add(table, "%s: %.4g %s, in frame %d", distance->what, distance->value, distance->unit, distance->frame);
}

static void write_differing(const struct output *t) {
    static const char *const headings[] = {"run",
                                           "experiment",
                                           "backend",
                                           "common frames",
                                           "first different frame",
                                           "last equal frame",
                                           "largest difference",
                                           NULL};
    struct table table = {.caption = "Runs that are not bit-identical", .headings = headings};
    for (int p = 0; p < t->comparison->pair_count; ++p) {
        const struct pair *pair = &t->comparison->pairs[p];
        if (pair->work.count || pair->first_different < 0)
            continue;
        table_add(&table, "%s", pair->run[0]->id);
        table_add(&table, "%s", pair->run[0]->experiment);
        if (pair->is_elsewhere)
            table_add(&table, "A %s, B %s", backend_class(pair->run[0]), backend_class(pair->run[1]));
        else
            table_add(&table, "%s", backend_class(pair->run[0]));
        table_add(&table, "%d", pair->common);
        table_add(&table, "%d", pair->first_different);
        if (pair->last_same < 0)
            table_add(&table, "-");
        else
            table_add(&table, "%d", pair->last_same);
        add_distance(&table, &pair->distance);
    }
    table_write(&table, t->is_page, t->out);
}

static void write_backends(const struct output *t) {
    static const char *const headings[] = {"backend", "A's device", "B's device", "runs",
                                           "median",  "least",      "most",       NULL};
    struct table table = {.caption = "Speed of B relative to A", .headings = headings};
    for (int s = 0; s < t->comparison->speed_count; ++s) {
        const struct backend_speed *speed = &t->comparison->speeds[s];
        table_add(&table, "%s", speed->backend);
        for (int k = 0; k < 2; ++k)
            table_add(&table, "%s", speed->device[k] ? speed->device[k] : "-");
        table_add(&table, "%d", speed->runs);
        add_ratio(&table, speed->median);
        add_ratio(&table, speed->least);
        add_ratio(&table, speed->most);
    }
    table_write(&table, t->is_page, t->out);
}

static void write_speeds(const struct output *t) {
    static const char *const headings[] = {
        "run",     "experiment",        "backend",           "A, ms", "B, ms", "A / B", "from", "to", "confidence",
        "repeats", "A, share of limit", "B, share of limit", NULL};
    if (!t->comparison->speed_count)
        return;
    write_paragraph(
        t,
        "Speed of B relative to A: the median frame time of A divided by that of B. The confidence interval "
        "is valid for any distribution of the frame times. Repeats are `unequal` if the "
        "medians of two repeats of a run differ by more than a tenth; a run with one repeat counts as "
        "`equal`. The limit is the rate that memory bandwidth or arithmetic allows; more than 100 % means "
        "that the body fits into a cache.",
        TERMINAL_PLAIN);
    struct table table = {.caption = "Runs that were timed on both machines", .headings = headings};
    for (int p = 0; p < t->comparison->pair_count; ++p) {
        const struct pair *pair = &t->comparison->pairs[p];
        if (!is_timed(pair))
            continue;
        table_add(&table, "%s", pair->run[0]->id);
        table_add(&table, "%s", pair->run[0]->experiment);
        table_add(&table, "%s", backend_of(pair->run[0]));
        table_add(&table, "%.5g", 1e3 * pair->run[0]->seconds.value);
        table_add(&table, "%.5g", 1e3 * pair->run[1]->seconds.value);
        add_ratio(&table, pair->ratio.value);
        add_ratio(&table, pair->ratio.low);
        add_ratio(&table, pair->ratio.high);
        table_add(&table, "%.0f %%", 100 * pair->ratio.confidence);
        table_add(&table, pair->drift[0] > 1.1 || pair->drift[1] > 1.1 ? "unequal" : "equal");
        add_share(&table, &pair->share[0]);
        add_share(&table, &pair->share[1]);
    }
    table_write(&table, t->is_page, t->out);
}

static void write_papers(const struct output *t) {
    static const char *const headings[] = {"claim", "where", "machine", "frames per second", "paper", "A", "B", NULL};
    if (!t->comparison->paper_count)
        return;
    write_paragraph(t,
                    "Share of the hardware limit that a paper's machine, A and B reached. The limit of a paper's "
                    "machine is computed from the bandwidth and the arithmetic rate that its vendor states. The "
                    "memory traffic and the arithmetic of a frame are those of our run of the experiment, with the "
                    "steps per frame of our experiment file.",
                    TERMINAL_PLAIN);
    struct table table = {.caption = "Share of the limit that the papers' machines, A and B reached",
                          .headings = headings};
    for (int p = 0; p < t->comparison->paper_count; ++p) {
        const struct paper_share *paper = &t->comparison->papers[p];
        const double low = paper->reported->low, high = paper->reported->high;
        table_add(&table, "%s", paper->reported->claim);
        table_add(&table, "%s", paper->reported->where);
        table_add(&table, "%s", paper->machine->name);
        if (isinf(high))
            table_add(&table, "at least %g", low);
        else if (high > low)
            table_add(&table, "%g to %g", low, high);
        else
            table_add(&table, "%g", low);
        add_share(&table, &paper->share);
        add_share(&table, &paper->ours[0]);
        add_share(&table, &paper->ours[1]);
    }
    table_write(&table, t->is_page, t->out);
}

static bool contrasts_equal(const struct contrasts *a, const struct contrasts *b) {
    bool equal = a->count == b->count;
    for (int i = 0; i < a->count && equal; ++i)
        equal = !strcmp(a->items[i].name, b->items[i].name) && !strcmp(a->items[i].of[0], b->items[i].of[0]) &&
                !strcmp(a->items[i].of[1], b->items[i].of[1]);
    return equal;
}

/* The number of consecutive pairs, beginning with the p-th, that have the experiment of the p-th pair and are refused
 * for the same differences. 0 if the p-th pair is not refused. */
static int count_equal_refusals(const struct comparison *comparison, int p) {
    const struct pair *first = &comparison->pairs[p];
    int count = 0;
    while (first->work.count && p + count < comparison->pair_count &&
           !strcmp(first->run[0]->experiment, comparison->pairs[p + count].run[0]->experiment) &&
           contrasts_equal(&first->work, &comparison->pairs[p + count].work))
        ++count;
    return count;
}

static void write_refused(const struct output *t) {
    static const char *const headings[] = {"difference", "A", "B", "runs", NULL};
    const struct comparison *comparison = t->comparison;
    AUTO_FREE char *caption =
        text_format("Refused: %d run%s with different work", comparison->refused, comparison->refused == 1 ? "" : "s");
    struct table table = {.caption = caption, .headings = headings};
    for (int p = 0, equal; p < comparison->pair_count; p += equal ? equal : 1) {
        const struct pair *pair = &comparison->pairs[p];
        equal = count_equal_refusals(comparison, p);
        for (int i = 0; equal && i < pair->work.count; ++i) {
            add_contrast(&table, &pair->work.items[i]);
            if (equal > 1)
                table_add(&table, "%s %s, and %d more", pair->run[0]->experiment, pair->run[0]->id, equal - 1);
            else
                table_add(&table, "%s %s", pair->run[0]->experiment, pair->run[0]->id);
        }
    }
    table_write(&table, t->is_page, t->out);
}

static void write_details(const struct output *t) {
    write_environment(t);
    write_limits(t);
    write_differing(t);
    write_speeds(t);
    write_papers(t);
    write_refused(t);
}

void comparison_print(const struct comparison *comparison, FILE *out) {
    const struct output t = {comparison, false, out};
    print_summary(comparison, out);
    for (int k = 0; k < 2; ++k) {
        const struct machine *machine = comparison->machine[k];
        fprintf(out, "%c  %s: %s, %d run%s", "AB"[k], machine -> path, machine -> is_record ? "a record" : "results",
                machine->run_count, machine->run_count == 1 ? "" : "s");
        if (comparison->alone[k])
            fprintf(out, ", %d of them without a corresponding run in %c%s", comparison->alone[k], "BA"[k],
                    comparison -> machine[1 - k] -> is_record && !machine
                    -> is_record ? " (the record may be older than these results)" : "");
        fputc('\n', out);
    }
    write_backends(&t);
    write_details(&t);
}

void comparison_html(const struct comparison *comparison, FILE *out) {
    const struct output t = {comparison, true, out};
    html_put(out, "<section class=\"comparison\">\n<h3>{text} (A) and {text} (B)</h3>\n", comparison->machine[0]->name,
             comparison->machine[1]->name);
    write_physics(&t);
    write_backends(&t);
    fputs("<details><summary>Hardware, software, and the share of the limit that the papers' machines "
          "reached</summary>\n",
          out);
    write_environment(&t);
    write_limits(&t);
    write_papers(&t);
    fputs("</details>\n</section>\n", out);
}

/* ---- JSON ---- */

static const char *const physics_names[PHYSICS_KINDS] = {[PHYSICS_SAME] = "same",
                                                         [PHYSICS_DIFFERENT] = "apart",
                                                         [PHYSICS_INEXACT] = "inexact",
                                                         [PHYSICS_UNKNOWN] = "unknown"};

static json_t *json_share(const struct share *share) {
    if (isnan(share->value))
        return json_null();
    return json_pack("{so ss}", "value", json_number(share->value), "bound",
                     share->by_memory ? "memory" : "arithmetic");
}

static json_t *json_side(const struct pair *pair, int side) {
    static const char *const shown[] = {
        "device",           "status",          "load_before",          "load_after",
        "clock_before_mhz", "clock_after_mhz", "temperature_before_c", "temperature_after_c"};
    const struct machine_run *run = pair->run[side];
    json_t *object =
        json_pack("{so so so so}", "id", json_text(run->id), "backend", json_text(backend_of(run)), "repeats_apart",
                  json_number(pair->drift[side]), "share_of_limit", json_share(&pair->share[side]));
    for (size_t t = 0; t < sizeof shown / sizeof *shown; ++t)
        if (attributes_text(&run->facts, shown[t]))
            json_object_set_new(object, shown[t], json_text(attributes_text(&run->facts, shown[t])));
    if (run->seconds.samples)
        json_object_set_new(object, "frame_seconds",
                            json_pack("{so so so si}", "median", json_number(run->seconds.value), "low",
                                      json_number(run->seconds.low), "high", json_number(run->seconds.high), "samples",
                                      run->seconds.samples));
    return object;
}

static json_t *json_pair(const struct pair *pair) {
    json_t *object = json_pack("{so so so}", "experiment", json_text(pair->run[0]->experiment), "a", json_side(pair, 0),
                               "b", json_side(pair, 1));
    if (pair->work.count) {
        json_object_set_new(object, "refused", contrasts_json(&pair->work));
        return object;
    }
    json_object_set_new(object, "physics",
                        json_pack("{ss si so so so}", "verdict", physics_names[pair->physics], "common_frames",
                                  pair->common, "first_frame_apart", json_index(pair->first_different),
                                  "last_frame_same", json_index(pair->last_same), "largest_difference",
                                  pair->distance.what
                                      ? json_pack("{so so so si}", "of", json_text(pair->distance.what), "unit",
                                                  json_text(pair->distance.unit), "value",
                                                  json_number(pair->distance.value), "frame", pair->distance.frame)
                                      : json_null()));
    json_object_set_new(object, "ratio",
                        isfinite(pair->ratio.value)
                            ? json_pack("{so so so so}", "value", json_number(pair->ratio.value), "low",
                                        json_number(pair->ratio.low), "high", json_number(pair->ratio.high),
                                        "confidence", json_number(pair->ratio.confidence))
                            : json_null());
    return object;
}

static json_t *json_paper(const struct paper_share *paper) {
    return json_pack("{so so so so s[oo] so so so}", "claim", json_text(paper->reported->claim), "paper",
                     json_text(paper->reported->paper), "where", json_text(paper->reported->where), "machine",
                     json_text(paper->machine->name), "frames_per_second", json_number(paper->reported->low),
                     json_number(paper->reported->high), "share", json_share(&paper->share), "a",
                     json_share(&paper->ours[0]), "b", json_share(&paper->ours[1]));
}

void comparison_json(const struct comparison *comparison, FILE *out) {
    json_t *pairs = json_array(), *papers = json_array(), *speeds = json_array(), *physics = json_object();
    for (int k = 0; k < PHYSICS_KINDS; ++k)
        json_object_set_new(physics, physics_names[k], json_integer(comparison->physics[k]));
    for (int s = 0; s < comparison->speed_count; ++s) {
        const struct backend_speed *speed = &comparison->speeds[s];
        json_array_append_new(speeds, json_pack("{so si so so so}", "backend", json_text(speed->backend), "runs",
                                                speed->runs, "median", json_number(speed->median), "least",
                                                json_number(speed->least), "most", json_number(speed->most)));
    }
    for (int p = 0; p < comparison->pair_count; ++p)
        json_array_append_new(pairs, json_pair(&comparison->pairs[p]));
    for (int p = 0; p < comparison->paper_count; ++p)
        json_array_append_new(papers, json_paper(&comparison->papers[p]));
    json_print(json_pack("{so so si si si si so so so so so so}", "a", json_text(comparison->machine[0]->path), "b",
                         json_text(comparison->machine[1]->path), "only_a", comparison->alone[0], "only_b",
                         comparison->alone[1], "refused", comparison->refused, "two_backends", comparison->elsewhere,
                         "physics", physics, "environment", contrasts_json(&comparison->environment), "unknown",
                         contrasts_json(&comparison->unknown), "speeds", speeds, "runs", pairs, "papers", papers),
               out);
}

/* ---- gnuplot ---- */

void comparison_table(const struct comparison *comparison, FILE *out) {
    fputs("experiment\trun\tbackend\ta_ms\tb_ms\tratio\tlow\thigh\tconfidence\ta_share\tb_share\n", out);
    for (int p = 0; p < comparison->pair_count; ++p) {
        const struct pair *pair = &comparison->pairs[p];
        if (!is_timed(pair))
            continue;
        const char *const cells[] = {pair->run[0]->experiment, pair->run[0]->id, backend_class(pair->run[0])};
        for (int c = 0; c < 3; ++c) {
            gnuplot_write_cell(cells[c], out);
            fputc('\t', out);
        }
        fprintf(out, "%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\n", 1e3 * pair->run[0]->seconds.value,
                1e3 * pair->run[1]->seconds.value, pair->ratio.value, pair->ratio.low, pair->ratio.high,
                pair->ratio.confidence, pair->share[0].value, pair->share[1].value);
    }
}
