#include "report/comparison.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "base/vector.h"
#include "report/machine.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Work ---- */

const char *backend_class(const struct machine_run *run) {
    const char *choice = attributes_text(&run->facts, "backend");
    const struct backend *backend = backend_find(attributes_text(&run->facts, "backend_kind"));
    if (backend && backend->has_devices)
        return backend->name;
    return choice ? choice : "-";
}

/* Whether a parameter may differ between two runs that did the same work. */
static bool is_ignored(const char *path) {
    return !strcmp(path, "time.repeats") || !strncmp(path, "record.", 7);
}

/* The text of an attribute; NULL if there is none. The function looks at the index `likely` first, because two runs
 * mostly have the same attributes in the same order. */
static const char *text_near(const struct attributes *facts, const char *name, int likely) {
    return likely < facts->count && !strcmp(facts->items[likely].name, name) ? facts->items[likely].value
                                                                             : attributes_text(facts, name);
}

/* Up to `most` differences between the work of two runs. */
static struct contrasts compare_work(const struct machine_run *a, const struct machine_run *b, int most) {
    static const char *const notes[] = {"body_hash", "nodes", "springs"};
    struct contrasts work = {NULL, 0};
    for (int p = 0; p < a->parameter.count && work.count < most; ++p) {
        const struct attribute *is = &a->parameter.items[p];
        const char *was = text_near(&b->parameter, is->name, p);
        if (!is_ignored(is->name) && (was ? strcmp(was, is->value) != 0 : !is->is_default))
            contrasts_add(&work, is->name, is->value, was);
    }
    for (int p = 0; p < b->parameter.count && work.count < most; ++p) {
        const struct attribute *is = &b->parameter.items[p];
        if (!is_ignored(is->name) && !text_near(&a->parameter, is->name, p) && !is->is_default)
            contrasts_add(&work, is->name, NULL, is->value);
    }
    for (size_t n = 0; n < sizeof notes / sizeof *notes && work.count < most; ++n) {
        const char *is = attributes_text(&a->facts, notes[n]), *was = attributes_text(&b->facts, notes[n]);
        if (is && was && strcmp(is, was) != 0)
            contrasts_add(&work, notes[n], is, was);
    }
    return work;
}

/* ---- Physics ---- */

static void compare_frames(struct pair *pair) {
    const struct machine_run *a = pair->run[0], *b = pair->run[1];
    pair->first_different = pair->last_same = -1;
    for (int f = 0, g = 0; f < a->frames && g < b->frames;) {
        if (a->frame[f] != b->frame[g]) {
            *(a->frame[f] < b->frame[g] ? &f : &g) += 1;
            continue;
        }
        ++pair->common;
        if (strcmp(a->hash[f], b->hash[g]) != 0 && pair->first_different < 0)
            pair->first_different = a->frame[f];
        else if (pair->first_different < 0)
            pair->last_same = a->frame[f];
        ++f;
        ++g;
    }
}

static bool is_exact(const struct machine_run *run) {
    const char *text = attributes_text(&run->facts, "bit_exact");
    return !text || strcmp(text, "no") != 0;
}

/* Replace a distance if the new value is larger. NaN counts as larger than every number. */
static void widen(struct distance *distance, const char *what, const char *unit, double value, int frame) {
    if (distance->what && !(value > distance->value || (isnan(value) && !isnan(distance->value))))
        return;
    *distance = (struct distance){what, unit, value, frame};
}

/* Find the largest distance between the positions of a node in the two runs. The search begins at the first different
 * frame, and uses the frames in which both runs recorded the geometry. */
static int compare_geometry(struct pair *pair) {
    const struct trace_data *a = pair->run[0]->trace, *b = pair->run[1]->trace;
    if (!a || !b || !a->nodes || a->nodes != b->nodes)
        return STATUS_OK;
    AUTO_FREE double *x = memory_large(3 * a->nodes * sizeof *x);
    AUTO_FREE double *y = memory_large(3 * a->nodes * sizeof *y);
    if (!x || !y)
        return fail("%s: not enough memory for %zu nodes", a->path, a->nodes);
    int status = STATUS_OK;
    for (int k = 0, l = 0; k < a->mesh_frames && l < b->mesh_frames && !status;) {
        const int64_t frame = a->frame_index[a->mesh_frame[k]], other = b->frame_index[b->mesh_frame[l]];
        if (frame == other && frame >= pair->first_different) {
            status = trace_read_mesh(a, k, x);
            if (!status)
                status = trace_read_mesh(b, l, y);
            for (size_t i = 0; i < 3 * a->nodes && !status; i += 3)
                widen(&pair->distance, "position", "m", vector_distance(x + i, y + i), (int)frame);
        }
        k += frame <= other;
        l += other <= frame;
    }
    return status;
}

/* Find the largest relative difference between the last values of a series in the two runs. The difference is divided
 * by the larger absolute value. This is used if no geometry can be compared. */
static void compare_last(struct pair *pair) {
    const struct machine_run *a = pair->run[0], *b = pair->run[1];
    if (!a->frames || !b->frames || a->frame[a->frames - 1] != b->frame[b->frames - 1])
        return;
    for (int s = 0; s < a->last_count; ++s)
        for (int t = 0; t < b->last_count; ++t) {
            const double x = a->last[s].value, y = b->last[t].value, larger = fmax(fabs(x), fabs(y));
            if (!strcmp(a->last[s].name, b->last[t].name) && isfinite(x) && isfinite(y))
                widen(&pair->distance, a->last[s].name, "1", larger > 0 ? fabs(x - y) / larger : 0,
                      a->frame[a->frames - 1]);
        }
}

static int compare_physics(struct pair *pair) {
    compare_frames(pair);
    pair->physics = !pair->common                                      ? PHYSICS_UNKNOWN
                    : pair->first_different < 0                        ? PHYSICS_SAME
                    : is_exact(pair->run[0]) && is_exact(pair->run[1]) ? PHYSICS_DIFFERENT
                                                                       : PHYSICS_INEXACT;
    if (pair->first_different < 0)
        return STATUS_OK;
    const int status = compare_geometry(pair);
    if (!status && !pair->distance.what)
        compare_last(pair);
    return status;
}

/* ---- Speed ---- */

/* The confidence interval of the median of a run's frame times. *missed becomes the largest possible probability that
 * the median is outside the interval. */
static struct interval interval_of(const struct machine_run *run, double *missed) {
    const struct measure *m = &run->seconds;
    double covered = m->samples >= 6 ? 0.95 : 1 - ldexp(1, 1 - m->samples);
    struct interval interval = {m->low, m->high};
    if (run->sample_count == m->samples)
        interval = median_interval(run->samples, run->sample_count, 0.975, &covered);
    *missed = 1 - covered;
    return interval;
}

struct ratio ratio_of(const struct machine_run *a, const struct machine_run *b) {
    if (!a->seconds.samples || !b->seconds.samples)
        return (struct ratio){NAN, NAN, NAN, NAN};
    double missed[2];
    const struct interval of[2] = {interval_of(a, &missed[0]), interval_of(b, &missed[1])};
    return (struct ratio){a->seconds.value / b->seconds.value, of[0].low / of[1].high, of[0].high / of[1].low,
                          fmax(0, 1 - missed[0] - missed[1])};
}

/* The median frame time of a run's slowest repeat divided by the median of its fastest repeat. NaN if the run has only
 * one repeat, or no frame times. */
static double drift_of(const struct machine_run *run) {
    double least = INFINITY, most = 0;
    const double *at = run->samples;
    for (int r = 0; r < run->repeats; ++r) {
        if (run->repeat_samples[r]) {
            const double middle = median_of(at, run->repeat_samples[r]).value;
            least = fmin(least, middle);
            most = fmax(most, middle);
        }
        at += run->repeat_samples[r];
    }
    return run->repeats > 1 && most > 0 ? most / least : (double)NAN;
}

static struct share share_of(const struct machine *machine, const struct machine_run *run) {
    struct share share = {NAN, true};
    struct work work;
    if (run->seconds.samples && work_of(run, &work))
        share.value = work_limit(&work, machine_limits_of(machine, run), &share.by_memory) / run->seconds.value;
    return share;
}

/* ---- Pairs ---- */

static bool is_on_one_backend(const struct machine_run *a, const struct machine_run *b) {
    return !strcmp(backend_class(a), backend_class(b));
}

/* Whether run `a` of machine A and run `b` of machine B may form a pair. Both must be of one experiment. If `backends`
 * is NULL, both must be on the same kind of backend, or, if `elsewhere` is true, on different kinds. If `backends` is
 * given, `a` must be on backends[0] and `b` on backends[1], and there is no pair if `elsewhere` is true. */
static bool may_pair(const struct machine_run *a, const struct machine_run *b, const char *const *backends,
                     bool elsewhere) {
    if (strcmp(a->experiment, b->experiment) != 0)
        return false;
    if (backends)
        return !elsewhere && !strcmp(backend_class(a), backends[0]) && !strcmp(backend_class(b), backends[1]);
    return is_on_one_backend(a, b) != elsewhere;
}

/* Find the unpaired run of machine B whose work differs least from the work of `run`, a run of machine A. Returns the
 * index of the run of B; -1 if there is none. *work becomes up to `most` differences between the two runs. */
static int find_nearest(const struct machine_run *run, const struct machine *b, const bool *paired,
                        const char *const *backends, bool elsewhere, int most, struct contrasts *work) {
    int found = -1;
    for (int s = 0; s < b->run_count && (found < 0 || work->count); ++s) {
        if (paired[s] || !may_pair(run, &b->runs[s], backends, elsewhere))
            continue;
        struct contrasts differences = compare_work(run, &b->runs[s], found < 0 ? most : work->count);
        if (found < 0 || differences.count < work->count) {
            contrasts_free(work);
            *work = differences;
            found = s;
        } else {
            contrasts_free(&differences);
        }
    }
    return found;
}

/* Runs of A are paired with runs of B in three passes:
 * - PASS_SAME_BACKEND: runs with the same work on the same backend
 * - PASS_OTHER_BACKEND: runs with the same work on different backends
 * - PASS_DIFFERENT_WORK: each remaining run with the run on the same backend whose work differs least. These pairs are
 *   refused.
 * If the caller chose two backends, "the same backend" means: A's run is on the first chosen backend, and B's run on
 * the second. PASS_OTHER_BACKEND then finds no pair. */
enum pass { PASS_SAME_BACKEND, PASS_OTHER_BACKEND, PASS_DIFFERENT_WORK, PASSES };

static void pair_up(struct comparison *comparison, const char *const *backends) {
    const struct machine *a = comparison->machine[0], *b = comparison->machine[1];
    AUTO_FREE bool *paired = memory_new((size_t)b->run_count + 1, sizeof *paired);
    struct pair *pairs = memory_new((size_t)a->run_count + 1, sizeof *pairs); /* pairs[r]: run r of A */
    for (enum pass pass = 0; pass < PASSES; ++pass)
        for (int r = 0; r < a->run_count; ++r) {
            struct contrasts work = {NULL, 0};
            const int most = pass == PASS_DIFFERENT_WORK ? INT_MAX : 1; /* otherwise, one difference is enough */
            const int s = pairs[r].run[0]
                              ? -1
                              : find_nearest(&a->runs[r], b, paired, backends, pass == PASS_OTHER_BACKEND, most, &work);
            if (s < 0 || (work.count && pass != PASS_DIFFERENT_WORK)) {
                contrasts_free(&work);
                continue;
            }
            pairs[r] = (struct pair){.run = {&a->runs[r], &b->runs[s]},
                                     .work = work,
                                     .first_different = -1,
                                     .last_same = -1,
                                     .ratio = {NAN, NAN, NAN, NAN}};
            paired[s] = true;
            comparison->refused += pass == PASS_DIFFERENT_WORK;
        }
    for (int r = 0; r < a->run_count; ++r)
        if (pairs[r].run[0])
            pairs[comparison->pair_count++] = pairs[r];
    comparison->pairs = pairs;
    comparison->alone[0] = a->run_count - comparison->pair_count;
    comparison->alone[1] = b->run_count - comparison->pair_count;
}

/* ---- Environments ---- */

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The values of a note in the environments of a machine's paired runs, as one text. `side` is 0 for machine A, 1 for B.
 * The text has up to four different values, sorted, and "and others" if there are more. Newly allocated; the caller
 * frees it. */
static char *side_text(const struct comparison *comparison, int side, const char *name) {
    enum { VALUES = 4 };
    const struct machine *machine = comparison->machine[side];
    const char *values[VALUES];
    AUTO_FREE bool *used = memory_new((size_t)machine->environment_count + 1, sizeof *used);
    char *text = text_copy("");
    int shown = 0;
    bool has_others = false;
    for (int p = 0; p < comparison->pair_count; ++p)
        used[comparison->pairs[p].run[side]->environment] = true;
    for (int e = 0; e < machine->environment_count; ++e) {
        const char *value = used[e] ? attributes_text(&machine->environments[e], name) : NULL;
        bool is_new = value != NULL;
        for (int v = 0; v < shown && is_new; ++v)
            is_new = strcmp(values[v], value) != 0;
        has_others = has_others || (is_new && shown == VALUES);
        if (is_new && shown < VALUES)
            values[shown++] = value;
    }
    qsort(values, (size_t)shown, sizeof *values, by_text);
    for (int v = 0; v < shown; ++v)
        text_append(&text, "%s%s", v ? "; " : "", values[v]);
    if (has_others)
        text_append(&text, "; and others");
    return text;
}

static void compare_environments(struct comparison *comparison) {
    static const char *const names[] = {"cpu",        "device",   "driver", "system", "governor", "compiler",   "flags",
                                        "springback", "revision", "tree",   "code",   "kernels",  "fp_contract"};
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        AUTO_FREE char *a = side_text(comparison, 0, names[n]);
        AUTO_FREE char *b = side_text(comparison, 1, names[n]);
        if (strcmp(a, b) != 0)
            contrasts_add(*a && *b ? &comparison->environment : &comparison->unknown, names[n], a, b);
    }
}

/* ---- Speeds by backend ---- */

static struct backend_speed *speed_of(struct comparison *comparison, const struct pair *pair) {
    const char *a = backend_class(pair->run[0]), *b = backend_class(pair->run[1]);
    AUTO_FREE char *backend = strcmp(a, b) != 0 ? text_format("%s, %s", a, b) : text_copy(a);
    for (int s = 0; s < comparison->speed_count; ++s)
        if (!strcmp(comparison->speeds[s].backend, backend))
            return &comparison->speeds[s];
    struct backend_speed *speed = ARRAY_ADD(comparison->speeds, comparison->speed_count);
    *speed = (struct backend_speed){.backend = text_copy(backend), .least = INFINITY};
    for (int k = 0; k < 2; ++k)
        speed->device[k] = attributes_text(&pair->run[k]->facts, "device");
    return speed;
}

static void sum_speeds(struct comparison *comparison) {
    for (int p = 0; p < comparison->pair_count; ++p)
        if (isfinite(comparison->pairs[p].ratio.value)) {
            const double ratio = comparison->pairs[p].ratio.value;
            struct backend_speed *speed = speed_of(comparison, &comparison->pairs[p]);
            *ARRAY_ADD(speed->ratios, speed->runs) = ratio;
            speed->least = fmin(speed->least, ratio);
            speed->most = fmax(speed->most, ratio);
        }
    for (int s = 0; s < comparison->speed_count; ++s)
        comparison->speeds[s].median = median_of(comparison->speeds[s].ratios, comparison->speeds[s].runs).value;
}

/* ---- The papers' machines ---- */

static bool is_selected(const struct machine_reported *reported, const struct machine_run *run) {
    bool is = !strcmp(run->experiment, reported->experiment);
    for (int s = 0; s < reported->select.count && is; ++s) {
        const char *name = reported->select.items[s].name, *text = attributes_text(&run->parameter, name);
        text = text ? text : attributes_text(&run->facts, name);
        is = text && !strcmp(text, reported->select.items[s].value);
    }
    return is;
}

static void add_paper(struct comparison *comparison, const struct machine *machine,
                      const struct machine_reported *reported) {
    struct paper_share paper = {.machine = machine, .reported = reported, .share = {NAN, true}};
    struct work work = {0, 0};
    bool is_known = false;
    for (int k = 0; k < 2; ++k) {
        const struct machine *ours = comparison->machine[k];
        const struct machine_run *run = NULL;
        paper.ours[k] = (struct share){NAN, true};
        for (int r = 0; r < ours->run_count && !run; ++r)
            if (ours->runs[r].seconds.samples && is_selected(reported, &ours->runs[r]))
                run = &ours->runs[r];
        if (run)
            paper.ours[k] = share_of(ours, run);
        if (run && !is_known)
            is_known = work_of(run, &work);
    }
    if (!is_known)
        return;
    const struct machine_limits *limits = machine->limits_count ? &machine->limits[0] : NULL;
    paper.share.value = work_limit(&work, limits, &paper.share.by_memory) * reported->low;
    *ARRAY_ADD(comparison->papers, comparison->paper_count) = paper;
}

/* ---- The whole comparison ---- */

int machines_compare(const struct machine *a, const struct machine *b, const char *const *backends,
                     const struct machine *papers, int paper_count, struct comparison *out) {
    *out = (struct comparison){.machine = {a, b}};
    pair_up(out, backends);
    int status = STATUS_OK;
    for (int p = 0; p < out->pair_count && !status; ++p) {
        struct pair *pair = &out->pairs[p];
        for (int k = 0; k < 2; ++k) {
            pair->drift[k] = drift_of(pair->run[k]);
            pair->share[k] = (struct share){NAN, true};
        }
        if (pair->work.count)
            continue;
        status = compare_physics(pair);
        ++out->physics[pair->physics];
        pair->is_elsewhere = !backends && !is_on_one_backend(pair->run[0], pair->run[1]);
        out->elsewhere += pair->is_elsewhere;
        if (!pair->is_elsewhere)
            pair->ratio = ratio_of(pair->run[0], pair->run[1]);
        for (int k = 0; k < 2; ++k)
            pair->share[k] = share_of(out->machine[k], pair->run[k]);
    }
    compare_environments(out);
    sum_speeds(out);
    for (int m = 0; m < paper_count; ++m)
        for (int r = 0; r < papers[m].reported_count; ++r)
            add_paper(out, &papers[m], &papers[m].reported[r]);
    return status;
}

void comparison_free(struct comparison *comparison) {
    for (int p = 0; p < comparison->pair_count; ++p)
        contrasts_free(&comparison->pairs[p].work);
    for (int s = 0; s < comparison->speed_count; ++s) {
        free(comparison->speeds[s].backend);
        free(comparison->speeds[s].ratios);
    }
    free(comparison->speeds);
    contrasts_free(&comparison->environment);
    contrasts_free(&comparison->unknown);
    free(comparison->pairs);
    free(comparison->papers);
    *comparison = (struct comparison){.refused = 0};
}
