#include "sensitivity/fit_search.h"

#include "backend/backend.h"
#include "base/file.h"
#include "base/memory.h"
#include "claim/answer.h"
#include "method/method.h"
#include "sensitivity/members.h"
#include "sensitivity/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTHS = 6 }; /* number of different standard deviations in a batch */

/* An experiment of the paper in the search. */
struct participant {
    struct sweeper sweeper;
    struct sweeper_options options;
    char *file;
    struct member_set *set;
    int centre;                /* index in `set` of the experiment's member in the best known set-up */
    bool is_moved;             /* the experiment is varied; if not, it keeps the member `centre` */
    struct value *points;      /* [SEARCH_BATCH][assumptions] its values in each set-up of a batch */
    int members[SEARCH_BATCH]; /* index in `set` of its member in each set-up; -1: the values cannot be combined */
};

/* A value of an assumption that experiments share. */
struct shared_value {
    const struct field *field;
    struct value value;
};

struct session {
    struct fit *fit;
    struct participant *participants; /* [fit->experiment_count] */
    struct table **noise;             /* [fit->count] result of claim_noise for each claim */
    struct shared_value *shared;      /* the shared values of the set-up that is being drawn */
    int shared_count;
};

/* ---- Begin and end ---- */

/* Forecast the duration of a member with these values, in s. The member is planned, and then removed from the plan. */
static int forecast(struct participant *participant, const struct value *values, double *seconds) {
    struct sweeper *sweeper = &participant->sweeper;
    sweeper_plan(sweeper, MEMBER_SEARCH, MAX_SWEEP_MEMBERS - 1, values);
    const int status = sweeper_survey(sweeper, sweeper->member_count - 1);
    const struct planned_member *member = &sweeper->members[--sweeper->member_count];
    *seconds = member->seconds;
    free(member->reason);
    free(member->folder);
    return status;
}

static int begin_participant(struct participant *participant, struct member_set *set, int centre,
                             const struct fit_search_options *options) {
    struct sweeper *sweeper = &participant->sweeper;
    double seconds = 0;
    participant->set = set;
    participant->centre = centre;
    participant->file = text_format("%s/%s.yaml", options->experiments, set->experiment);
    participant->options = (struct sweeper_options){
        .plan = {.tier = set->table.tier, .methods = method_table, .backend_words = backend_words},
        .out = options->out,
        .sweeps = options->sweeps,
        .claims = options->claims,
        .quiet = options->quiet};
    *sweeper = (struct sweeper){.file = participant->file, .options = &participant->options};
    if (sweeper_begin(sweeper))
        return STATUS_BAD;
    for (int m = 0; m < sweeper->member_count; ++m)
        if (!sweeper->members[m].found)
            return fail("%s: the table is incomplete; run springback sensitivity first", sweeper->table_path);
    sweeper_add_others(sweeper, 0);
    const struct experiment *experiment = &sweeper->base.experiment;
    const size_t assumptions = (size_t)experiment->assumption_count;
    participant->points = pool_add(&sweeper->pool, memory_new(SEARCH_BATCH * assumptions, sizeof *participant->points));
    if (!sample_read(experiment, set->members[centre].member->values, &sweeper->pool, participant->points))
        return fail("%s: the values of a member are not in the possible ranges; remove the table and run springback "
                    "sensitivity",
                    sweeper->table_path);
    const int status = forecast(participant, participant->points, &seconds);
    participant->is_moved = seconds <= options->seconds;
    return status;
}

static int begin(struct session *session, const struct fit_search_options *options, struct fit_found *found) {
    struct fit *fit = session->fit;
    int status = STATUS_OK;
    session->participants = memory_new((size_t)fit->experiment_count, sizeof *session->participants);
    session->noise = memory_new((size_t)fit->count, sizeof *session->noise);
    for (int e = 0; e < fit->experiment_count && !status; ++e) {
        status = begin_participant(&session->participants[e], fit->experiments[e], fit->setups[fit->best].members[e],
                                   options);
        found->moved += session->participants[e].is_moved;
    }
    for (int i = 0; i < fit->count; ++i)
        session->noise[i] = claim_noise(fit->items[i].claim, fit->experiments[fit->items[i].experiment]);
    return status;
}

static void session_free(struct session *session) {
    for (int e = 0; session->participants && e < session->fit->experiment_count; ++e) {
        sweeper_free(&session->participants[e].sweeper);
        free(session->participants[e].file);
    }
    for (int i = 0; session->noise && i < session->fit->count; ++i)
        claim_noise_free(session->noise[i], session->fit->items[i].claim);
    free(session->participants);
    free(session->noise);
    free(session->shared);
}

/* ---- Set-ups ---- */

/* Set the shared assumptions in `values`, the values of an experiment, to the values in session->shared. A shared
 * assumption that session->shared does not have yet is added there with its value. */
static void share(struct session *session, const struct experiment *experiment, struct value *values) {
    for (int a = 0; a < experiment->assumption_count; ++a) {
        const struct assumption *assumption = &experiment->assumptions[a];
        int s = 0;
        if (!assumption->is_shared || !assumption_varies(assumption, RANGE_POSSIBLE))
            continue;
        while (s < session->shared_count && session->shared[s].field != assumption->field)
            ++s;
        if (s < session->shared_count)
            values[a] = session->shared[s].value;
        else
            *ARRAY_ADD(session->shared, session->shared_count) = (struct shared_value){assumption->field, values[a]};
    }
}

/* Draw the k-th set-up of a batch. Experiments that keep their member come first, so that the varied experiments use
 * the shared values of these members. */
static void draw(struct session *session, int k, gsl_rng *random) {
    const double width = SEARCH_WIDTH * pow(SEARCH_SHRINKAGE, k % WIDTHS);
    session->shared_count = 0;
    for (int is_moved = 0; is_moved < 2; ++is_moved)
        for (int e = 0; e < session->fit->experiment_count; ++e) {
            struct participant *participant = &session->participants[e];
            const struct experiment *experiment = &participant->sweeper.base.experiment;
            struct value *values = participant->points + (size_t)k * (size_t)experiment->assumption_count;
            const struct sweep_member *centre = participant->set->members[participant->centre].member;
            if (participant->is_moved != is_moved)
                continue;
            if (is_moved)
                search_draw_near(experiment, centre, width, random, &participant->sweeper.pool, values);
            else
                sample_read(experiment, centre->values, &participant->sweeper.pool, values);
            share(session, experiment, values);
        }
}

/* The number of claims that hold in the k-th set-up of the batch, plus 0.001 for each headline claim among them; -1 if
 * the set-up is not admissible. */
static double score(const struct session *session, int k, int *status) {
    double sum = 0;
    for (int e = 0; e < session->fit->experiment_count; ++e) {
        const struct participant *participant = &session->participants[e];
        if (participant->is_moved && (participant->members[k] < 0 ||
                                      !sensitivity_is_evidence(&participant->set->members[participant->members[k]])))
            return -1;
    }
    for (int i = 0; i < session->fit->count && !*status; ++i) {
        const struct fit_claim *item = &session->fit->items[i];
        const struct participant *participant = &session->participants[item->experiment];
        const int member = participant->is_moved ? participant->members[k] : participant->centre;
        if (claim_answer(item->claim, participant->set, member, session->noise[i], status).all)
            sum += fit_score(item->claim);
    }
    return sum;
}

/* Run a batch of `count` set-ups. If the largest score is larger than *best, *best becomes this score, and its set-up
 * becomes the centre. */
static int run_batch(struct session *session, int count, double *best) {
    int status = STATUS_OK, better = -1;
    for (int e = 0; e < session->fit->experiment_count && !status; ++e) {
        struct participant *participant = &session->participants[e];
        if (!participant->is_moved)
            continue;
        status = sweeper_run_points(&participant->sweeper, participant->points, count, participant->set,
                                    participant->members);
        status = status ? status : member_set_admit(participant->set, session->fit->claims);
    }
    for (int k = 0; k < count && !status; ++k) {
        const double here = score(session, k, &status);
        if (here > *best + 1e-6) {
            *best = here;
            better = k;
        }
    }
    for (int e = 0; e < session->fit->experiment_count && better >= 0; ++e)
        if (session->participants[e].is_moved)
            session->participants[e].centre = session->participants[e].members[better];
    return status;
}

int fit_search(struct fit *fit, const struct fit_search_options *options, struct fit_found *found) {
    AUTO(session_free) struct session session = {.fit = fit};
    const struct fit_setup *setup = &fit->setups[fit->best];
    double best = setup->holding + 0.001 * setup->headlines;
    *found = (struct fit_found){.runs = 0};
    int status = begin(&session, options, found);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(random, 1);
    while (!status && found->moved && found->runs < options->runs) {
        const int left = options->runs - found->runs, count = left < SEARCH_BATCH ? left : SEARCH_BATCH;
        for (int k = 0; k < count; ++k)
            draw(&session, k, random);
        status = run_batch(&session, count, &best);
        found->runs += count;
    }
    gsl_rng_free(random);
    for (int e = 0; e < fit->experiment_count && !status; ++e) {
        struct participant *participant = &session.participants[e];
        if (participant->is_moved) {
            status = sweeper_keep_searched(&participant->sweeper);
            status = status ? status : sweeper_write(&participant->sweeper);
            if (!status)
                temporary_remove(participant->sweeper.folder);
        }
    }
    return status;
}
