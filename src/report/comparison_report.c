#include "report/comparison.h"

#include "base/json.h"
#include "base/terminal.h"
#include "report/gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char side_name[2] = {'A', 'B'};

/* ---- For people ---- */

static const char *backend_of(const struct machine_run *run) {
    const char *backend = attributes_text(&run->facts, "backend");
    return backend ? backend : "-";
}

static void print_machines(const struct comparison *comparison, FILE *out) {
    for (int k = 0; k < 2; ++k) {
        const struct machine *machine = comparison->machine[k];
        fprintf(out, "%c  %s: %s, %d run%s", side_name[k], machine->path, machine->is_record ? "a record" : "results",
                machine->run_count, machine->run_count == 1 ? "" : "s");
        if (comparison->alone[k])
            fprintf(out, ", %d of them not in %c%s", comparison->alone[k], side_name[1 - k],
                    comparison->machine[1 - k]->is_record && !machine->is_record
                        ? " (a record has none that vary an assumption)"
                        : "");
        fputc('\n', out);
    }
}

static void print_floors(const struct comparison *comparison, FILE *out) {
    for (int k = 0; k < 2; ++k)
        for (int f = 0; f < comparison->machine[k]->floor_count; ++f) {
            const struct machine_floor *floor = &comparison->machine[k]->floors[f];
            fprintf(out, "  %c  ", side_name[k]);
            if (*floor->device)
                fprintf(out, "%s", floor->device);
            else
                fprintf(out, "processor, %d thread%s", floor->threads, floor->threads == 1 ? "" : "s");
            fprintf(out, ": copies %.4g GB/s", 1e-9 * floor->best[FLOOR_COPY]);
            if (isfinite(floor->best[FLOOR_OPERATIONS]))
                fprintf(out, ", computes %.4g Gop/s", 1e-9 * floor->best[FLOOR_OPERATIONS]);
            if (isfinite(floor->best[FLOOR_LAUNCH]))
                fprintf(out, ", launches in %.3g us", 1e6 * floor->best[FLOOR_LAUNCH]);
            fputc('\n', out);
        }
}

/* Between which numbers a fact of the timed runs lies, such as clocks and loads; nothing where none has it. */
static void print_range(const struct comparison *comparison, int side, const char *name, const char *what, FILE *out) {
    double least = INFINITY, most = -INFINITY;
    for (int p = 0; p < comparison->pair_count; ++p) {
        const struct machine_run *run = comparison->pairs[p].run[side];
        const double value = attributes_number(&run->facts, name, NAN);
        if (!isfinite(comparison->pairs[p].ratio.value) || !(value >= 0))
            continue;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    if (least == most)
        fprintf(out, "  %c  %s %g\n", side_name[side], what, least);
    else if (least < most)
        fprintf(out, "  %c  %s %g to %g\n", side_name[side], what, least, most);
}

static void print_physics(const struct comparison *comparison, FILE *out) {
    const int like = comparison->pair_count - comparison->refused;
    fprintf(out, "\nphysics: %d run%s of both: ", like, like == 1 ? "" : "s");
    fprintf(out, "%s%d in the same bits%s", terminal_begin(out, TERMINAL_GOOD), comparison->physics[PHYSICS_SAME],
            terminal_end(out, TERMINAL_GOOD));
    if (comparison->physics[PHYSICS_APART])
        fprintf(out, ", %s%d NOT%s", terminal_begin(out, TERMINAL_BAD), comparison->physics[PHYSICS_APART],
                terminal_end(out, TERMINAL_BAD));
    if (comparison->physics[PHYSICS_INEXACT])
        fprintf(out, ", %d by methods or devices that do not keep them", comparison->physics[PHYSICS_INEXACT]);
    if (comparison->physics[PHYSICS_UNKNOWN])
        fprintf(out, ", %d without a frame that both recorded", comparison->physics[PHYSICS_UNKNOWN]);
    if (comparison->elsewhere)
        fprintf(out, "; %d of them on one kind of backend by A, on another by B", comparison->elsewhere);
    fputc('\n', out);
    for (int p = 0; p < comparison->pair_count; ++p) {
        const struct pair *pair = &comparison->pairs[p];
        if (pair->unlike.count || pair->first_apart < 0 || (pair->physics == PHYSICS_INEXACT && !pair->distance.what))
            continue;
        fprintf(out, "  %s %s\n", pair->run[0]->experiment, pair->run[0]->id);
        if (pair->is_elsewhere)
            fprintf(out, "    on %s by A, on %s by B\n", backend_class(pair->run[0]), backend_class(pair->run[1]));
        fprintf(out, "    frame %d is the first that differs of %d that both recorded", pair->first_apart,
                pair->common);
        if (pair->last_same >= 0)
            fprintf(out, "; they are the same up to frame %d", pair->last_same);
        if (pair->distance.what && strcmp(pair->distance.unit, "1") != 0)
            fprintf(out, "; %s by %.4g %s at most, in frame %d", pair->distance.what, pair->distance.value,
                    pair->distance.unit, pair->distance.frame);
        else if (pair->distance.what)
            fprintf(out, "; of the series, %s differs most, by %.3g %% in frame %d", pair->distance.what,
                    100 * pair->distance.value, pair->distance.frame);
        fputc('\n', out);
    }
}

static void format_share(const struct share *share, char out[16]) {
    if (isnan(share->value))
        snprintf(out, 16, "-");
    else
        snprintf(out, 16, share->value < 0.1 ? "%.2g %% %s" : "%.0f %% %s", 100 * share->value,
                 share->by_memory ? "mem" : "op");
}

static void format_ratio(double ratio, char out[16]) {
    snprintf(out, 16, ratio < 999.5 ? "%.3g" : "%.0f", ratio);
}

static bool is_timed(const struct pair *pair) {
    return !pair->unlike.count && isfinite(pair->ratio.value);
}

static void print_speed(const struct comparison *comparison, FILE *out) {
    int timed = 0;
    for (int p = 0; p < comparison->pair_count; ++p)
        timed += is_timed(&comparison->pairs[p]);
    fprintf(out, "\nspeed: %d run%s that both timed\n", timed, timed == 1 ? "" : "s");
    if (!timed)
        return;
    print_floors(comparison, out);
    for (int k = 0; k < 2; ++k) {
        print_range(comparison, k, "clock_before_mhz", "processor's clock, MHz", out);
        print_range(comparison, k, "temperature_before_c", "temperature, degrees C", out);
        print_range(comparison, k, "load_before", "load of the machine", out);
    }
    fprintf(out, "  %-10s %12s %12s %9s  %-22s %5s  %13s %13s     %s\n", "backend", "A, ms", "B, ms", "A / B",
            "interval", "holds", "of A's limit", "of B's limit", "run");
    const char *experiment = "";
    for (int p = 0; p < comparison->pair_count; ++p) {
        const struct pair *pair = &comparison->pairs[p];
        if (!is_timed(pair))
            continue;
        if (strcmp(experiment, pair->run[0]->experiment) != 0)
            fprintf(out, "  %s\n", experiment = pair->run[0]->experiment);
        char interval[64], share[2][16];
        snprintf(interval, sizeof interval, "[%.4g, %.4g]", pair->ratio.low, pair->ratio.high);
        for (int k = 0; k < 2; ++k)
            format_share(&pair->share[k], share[k]);
        fprintf(out, "  %-10s %12.5g %12.5g %9.4g  %-22s %3.0f %%  %13s %13s%s  %s\n", backend_of(pair->run[0]),
                1e3 * pair->run[0]->seconds.value, 1e3 * pair->run[1]->seconds.value, pair->ratio.value, interval,
                100 * pair->ratio.confidence, share[0], share[1],
                pair->drift[0] > 1.1 || pair->drift[1] > 1.1 ? " ~" : "  ", pair->run[0]->id);
    }
    fprintf(out,
            "  A / B: how many times as fast B is, by the medians of a frame; ~: the repeats' own medians lie more "
            "than a tenth apart\n"
            "  of the limit: the least time that copying (mem) or computing (op) the work takes, over the measured "
            "one; above 100 %%: a cache holds it\n");
    for (int s = 0; s < comparison->speed_count; ++s) {
        const struct backend_speed *speed = &comparison->speeds[s];
        char times[3][16];
        format_ratio(speed->median, times[0]);
        format_ratio(speed->least, times[1]);
        format_ratio(speed->most, times[2]);
        fprintf(out, "  in all, %s: %s times as fast, the median of %d run%s, from %s to %s\n", speed->backend,
                times[0], speed->runs, speed->runs == 1 ? "" : "s", times[1], times[2]);
    }
}

static void print_papers(const struct comparison *comparison, FILE *out) {
    if (!comparison->paper_count)
        return;
    fprintf(out,
            "\nof the hardware's limit, what the papers reached against ours\n"
            "  %-32s %-26s %12s %13s %13s %13s\n",
            "claim", "machine", "frames/s", "paper", "A", "B");
    for (int p = 0; p < comparison->paper_count; ++p) {
        const struct paper_share *paper = &comparison->papers[p];
        char rate[32], share[3][16];
        format_share(&paper->share, share[0]);
        for (int k = 0; k < 2; ++k)
            format_share(&paper->ours[k], share[k + 1]);
        if (isinf(paper->reported->high))
            snprintf(rate, sizeof rate, ">= %g", paper->reported->low);
        else if (paper->reported->high > paper->reported->low)
            snprintf(rate, sizeof rate, "%g to %g", paper->reported->low, paper->reported->high);
        else
            snprintf(rate, sizeof rate, "%g", paper->reported->low);
        fprintf(out, "  %-32s %-26s %12s %13s %13s %13s\n", paper->reported->claim, paper->machine->name, rate,
                share[0], share[1], share[2]);
    }
    fprintf(out, "  by the vendors' published bandwidth and arithmetic, and the steps a frame that the experiment "
                 "assumes\n");
}

static void print_refused(const struct comparison *comparison, FILE *out) {
    if (!comparison->refused)
        return;
    fprintf(out, "\nrefused: %d run%s of unlike work\n", comparison->refused, comparison->refused == 1 ? "" : "s");
    for (int p = 0, alike; p < comparison->pair_count; p += alike ? alike : 1) {
        const struct pair *pair = &comparison->pairs[p];
        if (!(alike = refused_alike(comparison, p)))
            continue;
        fprintf(out, "  %s %s", pair->run[0]->experiment, pair->run[0]->id);
        fprintf(out, alike > 1 ? ", and %d more\n" : "\n", alike - 1);
        contrasts_print(&pair->unlike, "    ", out);
    }
}

void comparison_print(const struct comparison *comparison, FILE *out) {
    print_machines(comparison, out);
    fprintf(out, comparison->apart.count ? "\nwhere and by what they ran differs; it should change no bit\n"
                                         : "\nwhere and by what they ran: no difference is known\n");
    contrasts_print(&comparison->apart, "  ", out);
    for (int k = 0; k < 2; ++k) {
        int told = 0;
        for (int i = 0; i < comparison->unknown.count; ++i)
            if (!strcmp(comparison->unknown.items[i].of[k], "-"))
                fprintf(out, "%s%s",
                        told++ ? ", "
                        : k    ? "  not known of B: "
                               : "  not known of A: ",
                        comparison->unknown.items[i].name);
        fputs(told ? "\n" : "", out);
    }
    print_physics(comparison, out);
    print_speed(comparison, out);
    print_papers(comparison, out);
    print_refused(comparison, out);
}

/* ---- For programs ---- */

static const char *const physics_names[PHYSICS_KINDS] = {
    [PHYSICS_SAME] = "same", [PHYSICS_APART] = "apart", [PHYSICS_INEXACT] = "inexact", [PHYSICS_UNKNOWN] = "unknown"};

static json_t *json_share(const struct share *share) {
    if (isnan(share->value))
        return json_null();
    return json_pack("{so ss}", "value", json_number(share->value), "bound",
                     share->by_memory ? "memory" : "arithmetic");
}

static json_t *json_side(const struct pair *pair, int side) {
    static const char *const told[] = {
        "device",           "status",          "load_before",          "load_after",
        "clock_before_mhz", "clock_after_mhz", "temperature_before_c", "temperature_after_c"};
    const struct machine_run *run = pair->run[side];
    json_t *object =
        json_pack("{so so so so}", "id", json_text(run->id), "backend", json_text(backend_of(run)), "repeats_apart",
                  json_number(pair->drift[side]), "share_of_limit", json_share(&pair->share[side]));
    for (size_t t = 0; t < sizeof told / sizeof *told; ++t)
        if (attributes_text(&run->facts, told[t]))
            json_object_set_new(object, told[t], json_text(attributes_text(&run->facts, told[t])));
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
    if (pair->unlike.count) {
        json_object_set_new(object, "refused", contrasts_json(&pair->unlike));
        return object;
    }
    json_object_set_new(object, "physics",
                        json_pack("{ss si so so so}", "verdict", physics_names[pair->physics], "common_frames",
                                  pair->common, "first_frame_apart", json_index(pair->first_apart), "last_frame_same",
                                  json_index(pair->last_same), "largest_difference",
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
    json_t *pairs = json_array(), *papers = json_array(), *speeds = json_array();
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
    json_print(json_pack("{so so si si si si s{si si si si} so so so so so}", "a",
                         json_text(comparison->machine[0]->path), "b", json_text(comparison->machine[1]->path),
                         "only_a", comparison->alone[0], "only_b", comparison->alone[1], "refused", comparison->refused,
                         "two_backends", comparison->elsewhere, "physics", "same", comparison->physics[PHYSICS_SAME],
                         "apart", comparison->physics[PHYSICS_APART], "inexact", comparison->physics[PHYSICS_INEXACT],
                         "unknown", comparison->physics[PHYSICS_UNKNOWN], "environment",
                         contrasts_json(&comparison->apart), "unknown", contrasts_json(&comparison->unknown), "speeds",
                         speeds, "runs", pairs, "papers", papers),
               out);
}

/* ---- For gnuplot ---- */

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
