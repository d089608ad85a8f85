#include "claim/fit.h"

#include "base/memory.h"
#include "claim/evaluate.h"

#include <stdlib.h>
#include <string.h>

/* ---- Claims and set-ups ---- */

/* The index of an experiment's set in fit->experiments. A set that is not in the list is added. */
static int experiment_of(struct fit *fit, struct member_set *set) {
    for (int e = 0; e < fit->experiment_count; ++e)
        if (fit->experiments[e] == set)
            return e;
    *ARRAY_ADD(fit->experiments, fit->experiment_count) = set;
    return fit->experiment_count - 1;
}

/* The index of the member with this kind and number; -1 if the set has no such member, or if the member is not evidence
 * (sensitivity_is_evidence). */
static int member_at(const struct member_set *set, enum member_kind kind, int number) {
    for (int m = 0; m < set->count; ++m)
        if (set->members[m].member->kind == kind && set->members[m].member->number == number)
            return sensitivity_is_evidence(&set->members[m]) ? m : -1;
    return -1;
}

/* Whether members of two experiments have the same values of all assumptions that both experiments share. */
static bool is_agreed(const struct member_set *a, int member, const struct member_set *b, int other) {
    for (int i = 0; i < a->table.assumption_count; ++i)
        for (int j = 0; j < b->table.assumption_count; ++j)
            if (a->is_shared[i] && b->is_shared[j] &&
                !strcmp(a->table.assumptions[i].path, b->table.assumptions[j].path) &&
                strcmp(a->members[member].member->values[i], b->members[other].member->values[j]) != 0)
                return false;
    return true;
}

/* Add the set-up with this kind and number if each experiment has such a member, and if these members have the same
 * values of the shared assumptions. Otherwise count the set-up in fit->unjoined or fit->left_out. */
static void add_setup(struct fit *fit, enum member_kind kind, int number) {
    struct fit_setup setup = {.kind = kind, .number = number};
    bool is_admissible = true, is_joined = true;
    setup.members = pool_add(&fit->pool, memory_new((size_t)fit->experiment_count, sizeof *setup.members));
    for (int e = 0; e < fit->experiment_count; ++e) {
        setup.members[e] = member_at(fit->experiments[e], kind, number);
        is_admissible = is_admissible && setup.members[e] >= 0;
        for (int f = 0; f < e && is_admissible; ++f)
            is_joined =
                is_joined && is_agreed(fit->experiments[e], setup.members[e], fit->experiments[f], setup.members[f]);
    }
    if (is_admissible && is_joined)
        *ARRAY_ADD(fit->setups, fit->setup_count) = setup;
    fit->unjoined += is_admissible && !is_joined;
    fit->left_out += !is_admissible;
}

/* Add the set-ups of a kind: one set-up for each number that a member of this kind has in at least one table. */
static void add_setups(struct fit *fit, enum member_kind kind) {
    AUTO_FREE bool *is_there = memory_new(MAX_SWEEP_MEMBERS, sizeof *is_there);
    for (int e = 0; e < fit->experiment_count; ++e) {
        const struct sweep_table *table = &fit->experiments[e]->table;
        for (int m = 0; m < table->member_count; ++m)
            if (table->members[m].kind == kind)
                is_there[table->members[m].number] = true;
    }
    for (int number = 0; number < MAX_SWEEP_MEMBERS; ++number)
        if (is_there[number])
            add_setup(fit, kind, number);
}

/* ---- Searched set-ups ---- */

double fit_score(const struct claim *claim) {
    return claim->is_headline ? 1.001 : 1;
}

/* The score of each member of an experiment, [set->count]: the sum of fit_score of the experiment's claims that hold in
 * the member. Newly allocated. */
static double *scores_of(const struct fit *fit, int experiment) {
    struct member_set *set = fit->experiments[experiment];
    double *scores = memory_new((size_t)set->count + 1, sizeof *scores);
    for (int i = 0; i < fit->count; ++i) {
        const struct claim *claim = fit->items[i].claim;
        if (fit->items[i].experiment != experiment)
            continue;
        const bool *holds = sensitivity_of(claim, set, fit->claims)->holds;
        for (int m = 0; m < set->count; ++m)
            scores[m] += holds[m] ? fit_score(claim) : 0;
    }
    return scores;
}

/* The member of an experiment with the highest score, among the members that are evidence and have the shared values of
 * all members that the set-up has already; -1 if there is no such member. In setup->members, -1 means that the set-up
 * has no member of an experiment yet. */
static int best_agreed(const struct fit *fit, const struct fit_setup *setup, int experiment, const double *scores) {
    const struct member_set *set = fit->experiments[experiment];
    int best = -1;
    for (int m = 0; m < set->count; ++m) {
        bool is_possible = sensitivity_is_evidence(&set->members[m]) && (best < 0 || scores[m] > scores[best]);
        for (int e = 0; e < fit->experiment_count && is_possible; ++e)
            is_possible = setup->members[e] < 0 || is_agreed(set, m, fit->experiments[e], setup->members[e]);
        best = is_possible ? m : best;
    }
    return best;
}

/* Add the set-up that has a searched member of one experiment, and best_agreed of each other experiment. Does nothing
 * if an experiment has no member with these shared values, or if the set-up is there already. */
static void add_searched(struct fit *fit, int experiment, int member, double *const *scores, int *number) {
    struct fit_setup setup = {.kind = MEMBER_SEARCH, .number = *number + 1};
    bool is_joined = true;
    setup.members = pool_add(&fit->pool, memory_new((size_t)fit->experiment_count, sizeof *setup.members));
    for (int e = 0; e < fit->experiment_count; ++e)
        setup.members[e] = e == experiment ? member : -1;
    for (int e = 0; e < fit->experiment_count && is_joined; ++e) {
        if (e != experiment)
            setup.members[e] = best_agreed(fit, &setup, e, scores[e]);
        is_joined = setup.members[e] >= 0;
    }
    for (int s = 0; s < fit->setup_count && is_joined; ++s)
        is_joined = memcmp(fit->setups[s].members, setup.members,
                           (size_t)fit->experiment_count * sizeof *setup.members) != 0; /* else it is there already */
    if (!is_joined)
        return;
    *ARRAY_ADD(fit->setups, fit->setup_count) = setup;
    ++*number;
}

static void add_searched_setups(struct fit *fit) {
    double **scores = memory_new((size_t)fit->experiment_count + 1, sizeof *scores);
    int number = 0;
    for (int e = 0; e < fit->experiment_count; ++e)
        scores[e] = scores_of(fit, e);
    for (int e = 0; e < fit->experiment_count; ++e)
        for (int m = 0; m < fit->experiments[e]->count; ++m)
            if (fit->experiments[e]->members[m].member->kind == MEMBER_SEARCH &&
                sensitivity_is_evidence(&fit->experiments[e]->members[m]))
                add_searched(fit, e, m, scores, &number);
    for (int e = 0; e < fit->experiment_count; ++e)
        free(scores[e]);
    free(scores);
}

static bool is_headline_or_result(const struct claim *claim) {
    return claim->is_headline || !strcmp(claim_class_name(claim), "result");
}

/* Store in which set-ups a claim holds, and add the claim to the counts of these set-ups. */
static void add_answers(struct fit *fit, struct fit_claim *item) {
    const bool *holds = sensitivity_of(item->claim, fit->experiments[item->experiment], fit->claims)->holds;
    item->holds = pool_add(&fit->pool, memory_new((size_t)fit->setup_count + 1, sizeof *item->holds));
    item->holding = 0;
    for (int s = 0; s < fit->setup_count; ++s) {
        struct fit_setup *setup = &fit->setups[s];
        item->holds[s] = holds[setup->members[item->experiment]];
        item->holding += item->holds[s];
        setup->holding += item->holds[s];
        setup->headlines += item->holds[s] && item->claim->is_headline;
    }
}

static int best_of(const struct fit *fit) {
    int best = fit->setup_count ? 0 : -1;
    for (int s = 1; s < fit->setup_count; ++s) {
        const struct fit_setup *a = &fit->setups[s], *b = &fit->setups[best];
        if (a->holding > b->holding || (a->holding == b->holding && a->headlines > b->headlines))
            best = s;
    }
    return best;
}

/* Count the claims that hold in each set-up. */
static void count_claims(struct fit *fit) {
    for (int s = 0; s < fit->setup_count; ++s)
        fit->setups[s].holding = fit->setups[s].headlines = 0;
    for (int i = 0; i < fit->count; ++i)
        add_answers(fit, &fit->items[i]);
    fit->best = best_of(fit);
}

/* Add the headline and result claims that a sweep judges. */
static int add_claims(struct fit *fit) {
    AUTO(words_free) struct words experiments = {NULL, 0};
    int status = STATUS_OK;
    for (int c = 0; c < fit->claims->count; ++c)
        if (*claim_experiment(&fit->claims->claims[c]) && is_headline_or_result(&fit->claims->claims[c]))
            words_add_new(&experiments, claim_experiment(&fit->claims->claims[c]));
    member_sets_read_ahead(fit->sets, &experiments);
    for (int c = 0; c < fit->claims->count && !status; ++c) {
        const struct claim *claim = &fit->claims->claims[c];
        const char *experiment = claim_experiment(claim);
        if (!*experiment || !is_headline_or_result(claim))
            continue;
        struct member_set *set = member_sets_find(fit->sets, experiment);
        if (!set)
            return STATUS_BAD;
        if (!set->count || !set->is_shared || member_set_has_stand_in(set, &claim->from))
            continue;
        const struct sensitivity *sensitivity = sensitivity_of(claim, set, fit->claims);
        status = sensitivity->status;
        if (!status && !sensitivity->left_out) {
            const int e = experiment_of(fit, set);
            *ARRAY_ADD(fit->items, fit->count) = (struct fit_claim){.claim = claim, .experiment = e};
        }
    }
    return status;
}

int fit_make(struct claim_file *claims, struct member_sets *sets, struct fit *fit) {
    *fit = (struct fit){.claims = claims, .sets = sets, .best = -1};
    if (add_claims(fit))
        return STATUS_BAD;
    for (int kind = MEMBER_LIKELY; kind <= MEMBER_POSSIBLE; ++kind)
        add_setups(fit, (enum member_kind)kind);
    add_searched_setups(fit);
    count_claims(fit);
    return STATUS_OK;
}

void fit_free(struct fit *fit) {
    free(fit->experiments);
    free(fit->items);
    free(fit->setups);
    pool_free(&fit->pool);
    *fit = (struct fit){.best = -1};
}

bool fit_excludes(const struct fit *fit, int a, int b) {
    bool is_together = false;
    for (int s = 0; s < fit->setup_count && !is_together; ++s)
        is_together = fit->items[a].holds[s] && fit->items[b].holds[s];
    return fit->items[a].holding && fit->items[b].holding && !is_together;
}

char *fit_options(const struct fit *fit, int setup, int experiment) {
    return sensitivity_options(fit->experiments[experiment], fit->setups[setup].members[experiment]);
}

/* ---- Output ---- */

void fit_print(const struct fit *fit, FILE *out) {
    fprintf(
        out,
        "%s: %d headline and result claims, in %d set-ups of %d experiments. %d other set-ups are not admissible or "
        "did not run in one of the experiments. In %d more, the experiments have different values of a shared "
        "assumption.\n",
        fit->claims->paper, fit->count, fit->setup_count, fit->experiment_count, fit->left_out, fit->unjoined);
    for (const struct member_set *set = fit->sets->first; set; set = set->next)
        if (set->is_outdated)
            fprintf(out, "%s is left out: its table does not match the experiment file; run springback sensitivity\n",
                    set->experiment);
    if (fit->best < 0)
        return;
    const struct fit_setup *best = &fit->setups[fit->best];
    fprintf(out, "the largest number of claims holds in the set-up %s %d: %d of %d\n", member_kind_name(best->kind),
            best->number, best->holding, fit->count);
    for (int e = 0; e < fit->experiment_count; ++e) {
        AUTO_FREE char *options = fit_options(fit, fit->best, e);
        fprintf(out, "  %s: %s\n", fit->experiments[e]->experiment, *options ? options : "chosen values");
    }
    fprintf(out, "claims that hold in no set-up:\n");
    for (int i = 0; i < fit->count; ++i)
        if (!fit->items[i].holding)
            fprintf(out, "  %s\n", fit->items[i].claim->id);
    fprintf(out, "pairs of claims that hold in some set-ups, but never together:\n");
    for (int a = 0; a < fit->count; ++a)
        for (int b = a + 1; b < fit->count; ++b)
            if (fit_excludes(fit, a, b))
                fprintf(out, "  %s (in %d) and %s (in %d)\n", fit->items[a].claim->id, fit->items[a].holding,
                        fit->items[b].claim->id, fit->items[b].holding);
}

static json_t *best_json(const struct fit *fit) {
    if (fit->best < 0)
        return json_null();
    const struct fit_setup *best = &fit->setups[fit->best];
    json_t *holds = json_array(), *options = json_object();
    for (int i = 0; i < fit->count; ++i)
        if (fit->items[i].holds[fit->best])
            json_array_append_new(holds, json_text(fit->items[i].claim->id));
    for (int e = 0; e < fit->experiment_count; ++e) {
        AUTO_FREE char *text = fit_options(fit, fit->best, e);
        json_object_set_new(options, fit->experiments[e]->experiment, json_text(text));
    }
    return json_pack("{ss si si si so so}", "kind", member_kind_name(best->kind), "number", best->number, "holding",
                     best->holding, "headlines", best->headlines, "holds", holds, "options", options);
}

json_t *fit_json(const struct fit *fit) {
    json_t *nowhere = json_array(), *apart = json_array(), *outdated = json_array();
    for (const struct member_set *set = fit->sets->first; set; set = set->next)
        if (set->is_outdated)
            json_array_append_new(outdated, json_text(set->experiment));
    for (int a = 0; a < fit->count; ++a) {
        if (!fit->items[a].holding)
            json_array_append_new(nowhere, json_text(fit->items[a].claim->id));
        for (int b = a + 1; b < fit->count; ++b)
            if (fit_excludes(fit, a, b))
                json_array_append_new(
                    apart, json_pack("[oo]", json_text(fit->items[a].claim->id), json_text(fit->items[b].claim->id)));
    }
    return json_pack("{so si si si si so so so so}", "paper", json_text(fit->claims->paper), "claims", fit->count,
                     "setups", fit->setup_count, "left_out", fit->left_out, "unjoined", fit->unjoined, "outdated",
                     outdated, "best", best_json(fit), "nowhere", nowhere, "apart", apart);
}

char *fit_script(const struct fit *fit, const char *claims) {
    const struct fit_setup *best = &fit->setups[fit->best];
    AUTO_FREE char *out = text_format("out/fit/%s", fit->claims->paper), *folder = shell_quoted(out),
                   *file = shell_quoted(claims);
    char *text =
        text_format("#!/bin/sh\n# The set-up %s %d, in which %d of %d headline and result claims hold.\nset -e\n",
                    member_kind_name(best->kind), best->number, best->holding, fit->count);
    for (int e = 0; e < fit->experiment_count; ++e) {
        AUTO_FREE char *options = fit_options(fit, fit->best, e),
                       *path = text_format("experiments/%s.yaml", fit->experiments[e]->experiment),
                       *quoted = shell_quoted(path);
        text_append(&text, "springback run --out %s %s%s%s\n", folder, quoted, *options ? " " : "", options);
    }
    text_append(&text, "springback check --out %s %s\n", folder, file);
    return text;
}
