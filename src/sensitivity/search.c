#include "sensitivity/search.h"

#include "base/memory.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double moved_share = 1.0 / 3; /* the probability that a coordinate changes */

/* ---- Points that were tried ---- */

/* Add the text of a point (point_text) to search->tried, unless the text is there already. Returns whether the text was
 * added. The search then owns `text` in both cases. */
static bool note_tried(struct search *search, char *text) {
    pool_add(&search->pool, text);
    for (int t = 0; t < search->tried_count; ++t)
        if (!strcmp(search->tried[t], text))
            return false;
    *ARRAY_ADD(search->tried, search->tried_count) = text;
    return true;
}

char *point_text(const struct experiment *experiment, const struct value *values) {
    char *text = text_copy("");
    for (int a = 0; a < experiment->assumption_count; ++a)
        if (assumption_varies(&experiment->assumptions[a], RANGE_POSSIBLE))
            text_append(&text, "%s\t", values[a].text);
    return text;
}

char *member_text(const struct sweep_table *table, const struct sweep_member *member) {
    char *text = text_copy("");
    for (int a = 0; a < table->assumption_count; ++a)
        text_append(&text, "%s\t", member->values[a]);
    return text;
}

/* ---- The nearest members ---- */

/* Insert a member into the sorted list of nearest members, if it is nearer than the last of them. */
static void insert_nearest(struct search_target *target, int member, double distance) {
    for (int n = 0; n < SEARCH_CENTRES; ++n) {
        if (!(distance < target->distance[n]))
            continue;
        const int other = target->nearest[n];
        const double others = target->distance[n];
        target->nearest[n] = member;
        target->distance[n] = distance;
        member = other;
        distance = others;
    }
}

static int judge_target(const struct search *search, struct search_target *target) {
    const double before = target->distance[0];
    bool is_flat = true; /* all new members have the distance of the nearest earlier member */
    int status = STATUS_OK;
    for (int m = search->judged; m < search->set->count && !status && !target->is_found; ++m) {
        if (!sensitivity_is_evidence(&search->set->members[m]))
            continue;
        const struct claim_answer answer = claim_answer(target->claim, search->set, m, target->noise, &status);
        target->is_found = answer.any;
        is_flat = is_flat && answer.distance == before;
        insert_nearest(target, m, answer.distance);
    }
    if (!(target->distance[0] < before) && !is_flat)
        target->width *= SEARCH_SHRINKAGE;
    return status;
}

int search_judge(struct search *search) {
    int status = member_set_admit(search->set, search->claims);
    for (int t = 0; t < search->target_count && !status; ++t)
        if (!search->targets[t].is_found)
            status = judge_target(search, &search->targets[t]);
    search->judged = search->set->count;
    return status;
}

/* ---- New points ---- */

void search_draw_near(const struct experiment *experiment, const struct sweep_member *centre, double width,
                      gsl_rng *random, struct pool *pool, struct value *out) {
    const int dimensions = sample_dimensions(experiment);
    AUTO_FREE double *point = memory_new((size_t)dimensions, sizeof *point);
    AUTO_FREE int *axes = memory_new((size_t)dimensions, sizeof *axes);
    int count = 0;
    for (int d = 0; d < dimensions; ++d)
        if (sample_axis(experiment, d) != SAMPLE_FIXED)
            axes[count++] = d;
    if (sample_read(experiment, centre->values, pool, out))
        sample_place(experiment, out, point);
    const unsigned long always = count ? gsl_rng_uniform_int(random, (unsigned long)count) : 0;
    for (int k = 0; k < count; ++k) {
        const bool is_moved = gsl_rng_uniform(random) < moved_share || (unsigned long)k == always;
        const double step = gsl_ran_gaussian(random, width), other = gsl_rng_uniform(random);
        double *place = &point[axes[k]];
        if (is_moved)
            *place = sample_axis(experiment, axes[k]) == SAMPLE_CHOICE ? other : fmin(fmax(*place + step, 0), 1);
    }
    sample_at(experiment, RANGE_POSSIBLE, point, pool, out);
}

static void draw_target(struct search *search, struct search_target *target) {
    enum { TRIALS = 50 }; /* largest number of draws for one new point */
    const size_t assumptions = (size_t)search->experiment->assumption_count;
    AUTO_FREE struct value *values = memory_new(assumptions, sizeof *values);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(random, target->seed + (unsigned long)target->runs);
    int centres = 0, drawn = 0;
    while (centres < SEARCH_CENTRES && target->nearest[centres] >= 0)
        ++centres;
    for (int k = 0; centres && k < SEARCH_BATCH && target->runs < search->most_runs; ++k) {
        bool is_new = false;
        for (int trial = 0; trial < TRIALS && !is_new; ++trial) {
            search_draw_near(search->experiment, search->set->members[target->nearest[k % centres]].member,
                             target->width, random, search->values, values);
            is_new = note_tried(search, point_text(search->experiment, values));
        }
        if (!is_new)
            continue;
        search->points = memory_grow(search->points, ((size_t)search->point_count + 1) * assumptions, sizeof *values);
        memcpy(search->points + (size_t)search->point_count++ * assumptions, values, assumptions * sizeof *values);
        ++target->runs;
        ++drawn;
    }
    target->is_exhausted = !drawn;
    gsl_rng_free(random);
}

void search_draw(struct search *search) {
    search->point_count = 0;
    for (int t = 0; t < search->target_count; ++t) {
        struct search_target *target = &search->targets[t];
        if (!target->is_found && !target->is_exhausted && target->runs < search->most_runs)
            draw_target(search, target);
    }
}

/* ---- The search ---- */

/* The hash FNV-1a of a text, with 32 bits. */
static unsigned long seed_of(const char *text) {
    unsigned long seed = 2166136261;
    for (; *text; ++text)
        seed = ((seed ^ (unsigned char)*text) * 16777619) & 0xffffffff;
    return seed;
}

static void add_target(struct search *search, const struct claim *claim) {
    *ARRAY_ADD(search->targets, search->target_count) =
        (struct search_target){.claim = claim,
                               .noise = claim_noise(claim, search->set),
                               .runs = sweep_searched_runs(&search->set->table, claim->id),
                               .nearest = {-1, -1, -1},
                               .distance = {INFINITY, INFINITY, INFINITY},
                               .width = SEARCH_WIDTH,
                               .seed = seed_of(claim->id)};
}

int search_begin(const struct experiment *experiment, const struct claim_file *claims, struct member_set *set,
                 int most_runs, struct pool *values, struct search *search) {
    int status = STATUS_OK;
    *search = (struct search){
        .experiment = experiment, .claims = claims, .set = set, .most_runs = most_runs, .values = values};
    for (int c = 0; c < claims->count && !status; ++c) {
        const struct claim *claim = &claims->claims[c];
        if (strcmp(claim_experiment(claim), set->experiment) != 0)
            continue;
        const struct sensitivity *sensitivity = sensitivity_of(claim, set, claims);
        status = sensitivity->status;
        if (!status && !sensitivity->left_out && sensitivity->may_differ && sensitivity->search_runs < most_runs)
            add_target(search, claim);
    }
    for (int m = 0; m < set->table.member_count && search->target_count; ++m)
        if (set->table.members[m].kind != MEMBER_NOISE)
            note_tried(search, member_text(&set->table, &set->table.members[m]));
    return status ? status : search_judge(search);
}

void search_free(struct search *search) {
    for (int t = 0; t < search->target_count; ++t)
        claim_noise_free(search->targets[t].noise, search->targets[t].claim);
    free(search->targets);
    free(search->tried);
    free(search->points);
    pool_free(&search->pool);
    *search = (struct search){.experiment = NULL};
}
