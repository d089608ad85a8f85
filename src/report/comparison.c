#include "report/comparison.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "base/vector.h"
#include "report/roofline.h"

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

/* What is no part of the work. */
static bool is_aside(const char *path) {
    return !strcmp(path, "time.repeats") || !strncmp(path, "record.", 7);
}

/* One more difference, which is listed where there is a list. */
static void differ(int *count, struct contrasts *list, const char *name, const char *a, const char *b) {
    ++*count;
    if (list)
        contrasts_add(list, name, a, b);
}

/* How the work of two runs differs: nothing where it does not, and at once at the first where `list` is NULL. */
static int compare_work(const struct machine_run *a, const struct machine_run *b, struct contrasts *list) {
    static const char *const notes[] = {"body_hash", "nodes", "springs"};
    int count = 0;
    for (int p = 0; p < a->parameter.count && (list || !count); ++p) {
        const struct attribute *is = &a->parameter.items[p];
        const char *was = attributes_text(&b->parameter, is->name);
        if (!is_aside(is->name) && (was ? strcmp(was, is->value) != 0 : !is->is_default))
            differ(&count, list, is->name, is->value, was);
    }
    for (int p = 0; p < b->parameter.count && (list || !count); ++p) {
        const struct attribute *is = &b->parameter.items[p];
        if (!is_aside(is->name) && !attributes_text(&a->parameter, is->name) && !is->is_default)
            differ(&count, list, is->name, NULL, is->value);
    }
    for (size_t n = 0; n < sizeof notes / sizeof *notes && (list || !count); ++n) {
        const char *is = attributes_text(&a->facts, notes[n]), *was = attributes_text(&b->facts, notes[n]);
        if (is && was && strcmp(is, was) != 0)
            differ(&count, list, notes[n], is, was);
    }
    return count;
}

/* ---- Physics ---- */

static void compare_frames(struct pair *pair) {
    const struct machine_run *a = pair->run[0], *b = pair->run[1];
    pair->first_apart = pair->last_same = -1;
    for (int f = 0, g = 0; f < a->frames && g < b->frames;) {
        if (a->frame[f] != b->frame[g]) {
            *(a->frame[f] < b->frame[g] ? &f : &g) += 1;
            continue;
        }
        ++pair->common;
        if (strcmp(a->hash[f], b->hash[g]) != 0 && pair->first_apart < 0)
            pair->first_apart = a->frame[f];
        else if (pair->first_apart < 0)
            pair->last_same = a->frame[f];
        ++f;
        ++g;
    }
}

static bool is_exact(const struct machine_run *run) {
    const char *text = attributes_text(&run->facts, "bit_exact");
    return !text || strcmp(text, "no") != 0;
}

/* Keep the larger of two distances; one that is no number is larger than all. */
static void widen(struct distance *distance, const char *what, const char *unit, double value, int frame) {
    if (distance->what && !(value > distance->value || (isnan(value) && !isnan(distance->value))))
        return;
    *distance = (struct distance){what, unit, value, frame};
}

/* The largest way between a node of the one and the same of the other, over the geometries that both recorded. */
static int compare_geometry(struct pair *pair) {
    const struct trace_data *a = pair->run[0]->trace, *b = pair->run[1]->trace;
    if (!a || !b || !a->nodes || a->nodes != b->nodes)
        return STATUS_OK;
    AUTO_FREE double *x = memory_large(3 * a->nodes * sizeof *x);
    AUTO_FREE double *y = memory_large(3 * a->nodes * sizeof *y);
    int status = x && y ? STATUS_OK : fail("%s: not enough memory for %zu nodes", a->path, a->nodes);
    for (int k = 0, l = 0; k < a->mesh_frames && l < b->mesh_frames && !status;) {
        const int64_t frame = a->frame_index[a->mesh_frame[k]], other = b->frame_index[b->mesh_frame[l]];
        if (frame == other && frame >= pair->first_apart) {
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

/* Where there is no geometry of both: the series' last values, relative to the larger one. */
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
                    : pair->first_apart < 0                            ? PHYSICS_SAME
                    : is_exact(pair->run[0]) && is_exact(pair->run[1]) ? PHYSICS_APART
                                                                       : PHYSICS_INEXACT;
    if (pair->first_apart < 0)
        return STATUS_OK;
    const int status = compare_geometry(pair);
    if (!status && !pair->distance.what)
        compare_last(pair);
    return status;
}

/* ---- Speed ---- */

/* The interval of a run's median, and how often it fails to hold at most. */
static struct interval interval_of(const struct machine_run *run, double *missed) {
    const struct median *m = &run->seconds;
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
        share.value = work_limit(&work, machine_floor_of(machine, run), &share.by_memory) / run->seconds.value;
    return share;
}

/* ---- Pairs ---- */

static bool is_on_one_backend(const struct machine_run *a, const struct machine_run *b) {
    return !strcmp(backend_class(a), backend_class(b));
}

static bool is_of_one_experiment(const struct machine_run *a, const struct machine_run *b) {
    return !strcmp(a->experiment, b->experiment) && !strcmp(a->sample, b->sample);
}

/* Runs that may meet: of one experiment, one assumption's sample, and one kind of backend, or those that were named. */
static bool may_meet(const struct machine_run *a, const struct machine_run *b, const char *const *backends) {
    return is_of_one_experiment(a, b) &&
           (backends ? !strcmp(backend_class(a), backends[0]) && !strcmp(backend_class(b), backends[1])
                     : is_on_one_backend(a, b));
}

/* Runs that meet for their physics alone, since the one ran on another kind of backend than the other. */
static bool may_meet_elsewhere(const struct machine_run *a, const struct machine_run *b, const char *const *backends) {
    return !backends && is_of_one_experiment(a, b) && !is_on_one_backend(a, b);
}

static struct pair *add_pair(struct comparison *comparison, const struct machine_run *a, const struct machine_run *b) {
    struct pair *pair = ARRAY_ADD(comparison->pairs, comparison->pair_count);
    *pair = (struct pair){.run = {a, b}, .first_apart = -1, .last_same = -1, .ratio = {NAN, NAN, NAN, NAN}};
    return pair;
}

/* Each run without a partner meets the first that is of like work, free, and may meet it. */
static void meet_alike(const struct machine *a, const struct machine *b, const char *const *backends,
                       bool (*may)(const struct machine_run *, const struct machine_run *, const char *const *),
                       int *partner, bool *taken) {
    for (int r = 0; r < a->run_count; ++r)
        for (int s = 0; s < b->run_count && !partner[r]; ++s)
            if (!taken[s] && may(&a->runs[r], &b->runs[s], backends) && !compare_work(&a->runs[r], &b->runs[s], NULL)) {
                partner[r] = s + 1;
                taken[s] = true;
            }
}

/* Like work on the same backend first, then like work on another; what then remains meets the nearest of unlike work,
 * to be refused. */
static void pair_up(struct comparison *comparison, const char *const *backends) {
    const struct machine *a = comparison->machine[0], *b = comparison->machine[1];
    AUTO_FREE bool *taken = memory_new((size_t)b->run_count + 1, sizeof *taken);
    AUTO_FREE int *partner = memory_new((size_t)a->run_count + 1, sizeof *partner); /* from 1; 0: none */
    meet_alike(a, b, backends, may_meet, partner, taken);
    meet_alike(a, b, backends, may_meet_elsewhere, partner, taken);
    for (int r = 0; r < a->run_count; ++r) {
        if (partner[r]) {
            add_pair(comparison, &a->runs[r], &b->runs[partner[r] - 1]);
            continue;
        }
        struct contrasts nearest = {NULL, 0};
        int found = -1;
        for (int s = 0; s < b->run_count; ++s) {
            if (taken[s] || !may_meet(&a->runs[r], &b->runs[s], backends))
                continue;
            struct contrasts unlike = {NULL, 0};
            compare_work(&a->runs[r], &b->runs[s], &unlike);
            if (found < 0 || unlike.count < nearest.count) {
                contrasts_free(&nearest);
                nearest = unlike;
                found = s;
            } else {
                contrasts_free(&unlike);
            }
        }
        if (found < 0) {
            ++comparison->alone[0];
            continue;
        }
        taken[found] = true;
        ++comparison->refused;
        add_pair(comparison, &a->runs[r], &b->runs[found])->unlike = nearest;
    }
    for (int s = 0; s < b->run_count; ++s)
        comparison->alone[1] += !taken[s];
}

/* ---- Environments ---- */

/* The different values that the runs of one side have of a note, as one text. */
struct values {
    const char *items[4];
    int count; /* of all; only the first few are kept */
};

static void values_add(struct values *values, const char *value) {
    const int kept = values->count < 4 ? values->count : 4;
    for (int v = 0; v < kept; ++v)
        if (!strcmp(values->items[v], value))
            return;
    if (values->count < 4)
        values->items[values->count] = value;
    ++values->count;
}

static char *values_text(const struct values *values) {
    char *text = text_copy(values->count ? values->items[0] : "");
    for (int v = 1; v < values->count && v < 4; ++v) {
        text_append(&text, "; %s", values->items[v]);
    }
    if (values->count > 4) {
        text_append(&text, "; and others");
    }
    return text;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The environments of one side's runs that are compared. */
static char *side_text(const struct comparison *comparison, int side, const char *name) {
    const struct machine *machine = comparison->machine[side];
    AUTO_FREE bool *used = memory_new((size_t)machine->environment_count + 1, sizeof *used);
    struct values values = {.count = 0};
    for (int p = 0; p < comparison->pair_count; ++p)
        used[comparison->pairs[p].run[side]->environment] = true;
    for (int e = 0; e < machine->environment_count; ++e) {
        const char *text = used[e] ? attributes_text(&machine->environments[e], name) : NULL;
        if (text)
            values_add(&values, text);
    }
    qsort(values.items, (size_t)(values.count < 4 ? values.count : 4), sizeof *values.items, by_text);
    return values_text(&values);
}

static void compare_environments(struct comparison *comparison) {
    static const char *const names[] = {"cpu",        "device",   "driver", "system", "governor", "compiler",   "flags",
                                        "springback", "revision", "tree",   "code",   "kernels",  "fp_contract"};
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        AUTO_FREE char *a = side_text(comparison, 0, names[n]);
        AUTO_FREE char *b = side_text(comparison, 1, names[n]);
        if (strcmp(a, b) != 0)
            contrasts_add(*a && *b ? &comparison->apart : &comparison->unknown, names[n], a, b);
    }
}

/* ---- Speeds by backend ---- */

static char *backends_text(const struct pair *pair) {
    const char *a = backend_class(pair->run[0]), *b = backend_class(pair->run[1]);
    return strcmp(a, b) != 0 ? text_format("%s, %s", a, b) : text_copy(a);
}

static struct backend_speed *speed_of(struct comparison *comparison, const struct pair *pair) {
    char *backend = backends_text(pair);
    for (int s = 0; s < comparison->speed_count; ++s)
        if (!strcmp(comparison->speeds[s].backend, backend)) {
            free(backend);
            return &comparison->speeds[s];
        }
    struct backend_speed *speed = ARRAY_ADD(comparison->speeds, comparison->speed_count);
    *speed = (struct backend_speed){.backend = backend};
    return speed;
}

static void sum_speeds(struct comparison *comparison) {
    for (int p = 0; p < comparison->pair_count; ++p)
        if (isfinite(comparison->pairs[p].ratio.value))
            ++speed_of(comparison, &comparison->pairs[p])->runs;
    AUTO_FREE double *ratios = memory_new((size_t)comparison->pair_count + 1, sizeof *ratios);
    for (int s = 0; s < comparison->speed_count; ++s) {
        struct backend_speed *speed = &comparison->speeds[s];
        int count = 0;
        for (int p = 0; p < comparison->pair_count; ++p)
            if (isfinite(comparison->pairs[p].ratio.value) && speed_of(comparison, &comparison->pairs[p]) == speed)
                ratios[count++] = comparison->pairs[p].ratio.value;
        speed->median = median_of(ratios, count).value;
        speed->least = speed->most = ratios[0];
        for (int r = 1; r < count; ++r) {
            speed->least = fmin(speed->least, ratios[r]);
            speed->most = fmax(speed->most, ratios[r]);
        }
    }
}

/* ---- The papers' machines ---- */

static bool is_selected(const struct machine_reported *reported, const struct machine_run *run) {
    bool is = !strcmp(run->experiment, reported->experiment) && !*run->sample;
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
        paper.ours[k] = (struct share){NAN, true};
        for (int r = 0; r < ours->run_count && !paper.run[k]; ++r)
            if (ours->runs[r].seconds.samples && is_selected(reported, &ours->runs[r]))
                paper.run[k] = &ours->runs[r];
        if (paper.run[k])
            paper.ours[k] = share_of(ours, paper.run[k]);
        if (paper.run[k] && !is_known)
            is_known = work_of(paper.run[k], &work);
    }
    if (!is_known)
        return;
    const struct machine_floor *floor = machine->floor_count ? &machine->floors[0] : NULL;
    paper.share.value = work_limit(&work, floor, &paper.share.by_memory) * reported->low;
    *ARRAY_ADD(comparison->papers, comparison->paper_count) = paper;
}

/* ---- All of it ---- */

static bool contrasts_equal(const struct contrasts *a, const struct contrasts *b) {
    bool equal = a->count == b->count;
    for (int i = 0; i < a->count && equal; ++i)
        equal = !strcmp(a->items[i].name, b->items[i].name) && !strcmp(a->items[i].of[0], b->items[i].of[0]) &&
                !strcmp(a->items[i].of[1], b->items[i].of[1]);
    return equal;
}

int refused_alike(const struct comparison *comparison, int p) {
    const struct pair *first = &comparison->pairs[p];
    int count = 0;
    while (first->unlike.count && p + count < comparison->pair_count &&
           !strcmp(first->run[0]->experiment, comparison->pairs[p + count].run[0]->experiment) &&
           contrasts_equal(&first->unlike, &comparison->pairs[p + count].unlike))
        ++count;
    return count;
}

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
        if (pair->unlike.count)
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
        contrasts_free(&comparison->pairs[p].unlike);
    for (int s = 0; s < comparison->speed_count; ++s)
        free(comparison->speeds[s].backend);
    free(comparison->speeds);
    contrasts_free(&comparison->apart);
    contrasts_free(&comparison->unknown);
    free(comparison->pairs);
    free(comparison->papers);
    *comparison = (struct comparison){.refused = 0};
}
