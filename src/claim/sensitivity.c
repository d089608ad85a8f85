#include "claim/sensitivity.h"

#include "base/memory.h"
#include "claim/answer.h"
#include "claim/evaluate.h"
#include "claim/geometry.h"
#include "claim/statistics.h"
#include "experiment/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Claims that a sweep cannot judge ---- */

static bool have_whereabouts(const struct clauses *clauses) {
    for (int c = 0; c < clauses->count; c++)
        if (source_is_whereabouts(clauses->items[c].name))
            return true;
    return false;
}

/* Whether runs compute a quantity. A quantity that no run computes is a count or a parameter. */
static bool is_computed(const struct member_set *set, const char *quantity) {
    bool found =
        !quantity || !strcmp(quantity, "diverged") || quantity_is_timing(quantity) || geometry_kind_named(quantity);
    for (int c = 0; c < set->table.column_count && !found; c++)
        found = !strcmp(set->table.columns[c].quantity, quantity);
    return found;
}

/* Whether a result of the runs, for example `diverged`, selects the runs of a claim. A claim about a parameter of the
 * selected runs then depends on the assumptions. */
static bool selects_by_result(const struct member_set *set, const struct source *from) {
    for (int c = 0; c < from->only.count; c++)
        if (is_computed(set, from->only.items[c].name))
            return true;
    return false;
}

/* Why a sweep cannot judge a claim; NULL if it can. */
static const char *reason_against(const struct claim *claim, const struct member_set *set) {
    const struct source *from = &claim->from;
    if (from->same)
        return "The claim compares a text of several runs, but a sweep has only one of these runs.";
    if (from->quantity && quantity_is_timing(from->quantity))
        return "The claim is about a timing, and sweeps are not timed.";
    if (set->count && !is_computed(set, from->quantity) && !selects_by_result(set, from))
        return "The claim is about a count of the body or the method, which no assumption changes.";
    if (from->between_devices || have_whereabouts(&from->numerator) || have_whereabouts(&from->denominator) ||
        have_whereabouts(&from->against) || source_is_whereabouts(from->each) || source_is_whereabouts(from->along) ||
        source_is_whereabouts(from->compare))
        return "The claim compares backends, and all members run on one backend.";
    return NULL;
}

/* ---- One member ---- */

struct trace_list member_set_select(const struct member_set *set, int m, const struct source *from) {
    struct trace_list list = {memory_new((size_t)set->table.run_count + 1, sizeof(const struct trace_data *)), 0};
    for (int r = 0; r < set->table.run_count; r++) {
        const struct trace_data *trace = &set->members[m].traces[r];
        if (source_selects(from, trace, true))
            list.items[list.count++] = trace;
    }
    return list;
}

/* The values that a claim compares in a member. Returns false if there are none. */
static bool member_table(const struct claim *claim, const struct member_set *set, int m, struct table *out) {
    AUTO(trace_list_free) struct trace_list list = member_set_select(set, m, &claim->from);
    return claim_table(claim, &list, out);
}

/* The noise of the values that one reading of a claim compares. */
static struct table reading_noise(const struct claim *claim, const struct member_set *set) {
    AUTO(table_free) struct table chosen = {.count = 0};
    struct table noise = {.count = 0};
    if (!set->count || !member_table(claim, set, 0, &chosen))
        return noise;
    for (int m = 1; m < set->count; m++) {
        AUTO(table_free) struct table other = {.count = 0};
        if (set->members[m].member->kind != MEMBER_NOISE || !member_table(claim, set, m, &other))
            continue;
        if (!noise.count) {
            noise = chosen;
            noise.entries = memory_new((size_t)chosen.count, sizeof *noise.entries);
            memcpy(noise.entries, chosen.entries, (size_t)chosen.count * sizeof *noise.entries);
            for (int k = 0; k < noise.count; k++)
                noise.entries[k].measure.value = 0;
        }
        for (int k = 0; k < chosen.count && k < other.count; k++) {
            const double away = fabs(chosen.entries[k].measure.value - other.entries[k].measure.value);
            noise.entries[k].measure.value = fmax(noise.entries[k].measure.value, away);
        }
    }
    return noise;
}

/* ---- Readings ---- */

/* A reading of a claim, by its number: 0 is the claim itself. */
static const struct claim *reading_of(const struct claim *claim, int reading) {
    return reading ? &claim->readings[reading - 1] : claim;
}

struct table *claim_noise(const struct claim *claim, const struct member_set *set) {
    struct table *noise = memory_new((size_t)claim->reading_count + 1, sizeof *noise);
    for (int r = 0; r < 1 + claim->reading_count; r++)
        noise[r] = reading_noise(reading_of(claim, r), set);
    return noise;
}

void claim_noise_free(struct table *noise, const struct claim *claim) {
    for (int r = 0; noise && r < 1 + claim->reading_count; r++)
        table_free(&noise[r]);
    free(noise);
}

char *sensitivity_measured(const struct sensitivity *sensitivity, const struct member_set *set, int member,
                           int reading) {
    const struct claim *claim = reading_of(sensitivity->claim, reading);
    AUTO(trace_list_free) struct trace_list list = member_set_select(set, member, &claim->from);
    AUTO(outcome_free) struct outcome outcome = outcome_of(claim, &list, 1);
    bool has_diverged = false;
    for (int t = 0; t < list.count; t++)
        has_diverged = has_diverged || !strcmp(trace_run_text(list.items[t], "status"), "diverged");
    const bool is_said = !has_diverged || strstr(outcome.measured, "blew up") || strstr(outcome.measured, "stable");
    return text_format("%s%s%s%s%s", outcome.measured, is_said ? "" : " (a run blew up)",
                       reading ? " by the reading \"" : "", reading ? claim->says : "", reading ? "\"" : "");
}

/* The runs that a reading selects, and the layout of its table. Both are the same in all members. */
struct reading_layout {
    int *runs; /* indices of the runs that the reading selects */
    int run_count;
    struct table_layout table;
};

static bool have_status(const struct clauses *clauses) {
    for (int c = 0; c < clauses->count; c++)
        if (!strcmp(clauses->items[c].name, "status"))
            return true;
    return false;
}

static bool is_status(const char *path) {
    return path && !strcmp(path, "status");
}

/* Whether the layout of a source's table depends on the note `status`, which is the only text of a run that differs
 * between members. */
static bool depends_on_status(const struct source *from) {
    return have_status(&from->select) || have_status(&from->reference) || have_status(&from->against) ||
           have_status(&from->numerator) || have_status(&from->denominator) || is_status(from->each) ||
           is_status(from->along) || is_status(from->compare);
}

/* The layouts of all readings, [1 + reading_count], made from the member with the chosen values. NULL if there are no
 * members, or if the layouts can differ between members. */
static struct reading_layout *layouts_make(const struct claim *claim, const struct member_set *set) {
    const int readings = 1 + claim->reading_count;
    for (int r = 0; r < readings; r++)
        if (!set->count || depends_on_status(&reading_of(claim, r)->from))
            return NULL;
    struct reading_layout *layouts = memory_new((size_t)readings, sizeof *layouts);
    for (int r = 0; r < readings; r++) {
        struct reading_layout *layout = &layouts[r];
        AUTO(trace_list_free)
        struct trace_list list = member_set_select(set, 0, &reading_of(claim, r)->from);
        layout->run_count = list.count;
        layout->runs = memory_new((size_t)list.count, sizeof *layout->runs);
        for (int t = 0; t < list.count; t++)
            layout->runs[t] = (int)(list.items[t] - set->members[0].traces);
        claim_layout(reading_of(claim, r), &list, &layout->table);
    }
    return layouts;
}

static void layouts_free(struct reading_layout *layouts, const struct claim *claim) {
    for (int r = 0; layouts && r < 1 + claim->reading_count; r++) {
        free(layouts[r].runs);
        table_layout_free(&layouts[r].table);
    }
    free(layouts);
}

/* The runs of a member that a reading selects. `layout` may be NULL. */
static struct trace_list select_runs(const struct member_set *set, int m, const struct source *from,
                                     const struct reading_layout *layout) {
    if (!layout)
        return member_set_select(set, m, from);
    struct trace_list list = {memory_new((size_t)layout->run_count, sizeof(const struct trace_data *)), 0};
    for (; list.count < layout->run_count; list.count++)
        list.items[list.count] = &set->members[m].traces[layout->runs[list.count]];
    return list;
}

/* Judge a claim in a member. If `out` is not NULL, set the elements m of its arrays `verdicts`, `shown` and `held`. If
 * by_reading is not NULL, the count of each reading that holds is increased (struct member_share). `layouts`: the
 * result of layouts_make, or NULL. */
static struct claim_answer judge_member(const struct claim *claim, const struct member_set *set, int m,
                                        const struct reading_layout *layouts, const struct table *noise,
                                        struct sensitivity *out, int *by_reading, int *status) {
    struct claim_answer answer = {.all = true, .distance = INFINITY};
    for (int r = 0; r < 1 + claim->reading_count; r++) {
        const struct claim *reading = reading_of(claim, r);
        const struct reading_layout *layout = layouts ? &layouts[r] : NULL;
        AUTO(trace_list_free) struct trace_list list = select_runs(set, m, &reading->from, layout);
        AUTO(outcome_free)
        struct outcome outcome = outcome_in_member(reading, &list, layout ? &layout->table : NULL, &noise[r]);
        const bool holds = verdict_holds(outcome.verdict) && !outcome.is_undecided;
        answer.is_undecided = answer.is_undecided || outcome.is_undecided || outcome.verdict == VERDICT_NOT_RUN;
        answer.is_unjudged = answer.is_unjudged || outcome.verdict == VERDICT_NOT_RUN;
        answer.all = answer.all && holds;
        answer.any = answer.any || holds;
        if (by_reading)
            by_reading[r] += holds;
        answer.distance = fmin(answer.distance, outcome.distance);
        if (out && (!r || (verdict_holds(out->verdicts[m]) && !holds))) {
            out->verdicts[m] = outcome.verdict;
            out->shown[m] = r;
        }
        if (out && (!r || out->held[m] < 0))
            out->held[m] = holds ? r : -1;
        *status = outcome.status ? outcome.status : *status;
    }
    return answer;
}

struct claim_answer claim_answer(const struct claim *claim, const struct member_set *set, int member,
                                 const struct table *noise, int *status) {
    return judge_member(claim, set, member, NULL, noise, NULL, NULL, status);
}

/* ---- The split ---- */

/* The value of a member on an axis (a number or a word), and whether the claim holds in the member. */
struct answer {
    double place;
    const char *word;
    bool holds;
};

static int by_answer(const void *a, const void *b) {
    const struct answer *x = a, *y = b;
    if (x->word && y->word && strcmp(x->word, y->word) != 0)
        return strcmp(x->word, y->word);
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->holds - y->holds; /* the order of equal answers does not matter */
}

/* The Gini impurity of a split, times the number of members. One side has n members, and the claim holds in `holding`
 * of them. In total there are `all` members, and the claim holds in all_holding of them. */
static double impurity(int holding, int n, int all_holding, int all) {
    const int others = all - n, others_holding = all_holding - holding;
    return 2.0 * holding * (n - holding) / n + 2.0 * others_holding * (others - others_holding) / others;
}

/* Compare the split by a question (sensitivity.h) with the best split until now, whose impurity is *least. The first
 * side of the question has n members, and the claim holds in `holding` of them. If the impurity is smaller, the split
 * becomes the best one, and the function returns true. */
static bool better(struct member_split *best, double *least, int holding, int n, int all_holding, int all) {
    const double mixed = impurity(holding, n, all_holding, all);
    if (mixed >= *least)
        return false;
    *least = mixed;
    const int others = all - n, others_holding = all_holding - holding;
    /* whether the claim holds in a larger fraction of the members on the first side than on the other side */
    const bool first = (long long)holding * others > (long long)others_holding * n;
    *best = (struct member_split){.above = !first,
                                  .holding_in = first ? holding : others_holding,
                                  .in = first ? n : others,
                                  .holding_out = first ? others_holding : holding,
                                  .out = first ? others : n};
    return true;
}

static double midway(const struct sweep_axis *axis, double below, double above) {
    const double middle = axis->wide ? sqrt(below) * sqrt(above) : below + (above - below) / 2;
    return axis->whole ? floor(middle) : middle;
}

/* Try all questions of one axis. Returns their number. */
static int ask(const struct sweep_axis *axis, struct answer *answers, int count, int all_holding, double *least,
               struct member_split *best) {
    int questions = 0, holding = 0;
    qsort(answers, (size_t)count, sizeof *answers, by_answer);
    for (int first = 0, last; first < count; first = last + 1) {
        int here = 0;
        for (last = first; last + 1 < count && (axis->is_word ? !strcmp(answers[last + 1].word, answers[first].word)
                                                              : answers[last + 1].place == answers[first].place);)
            last++;
        for (int k = first; k <= last; k++)
            here += answers[k].holds;
        holding += here;
        /* The first side has the members with the word, or the members up to the threshold. */
        const int side = axis->is_word ? last - first + 1 : last + 1;
        if (side == count)
            continue;
        questions++;
        if (!better(best, least, axis->is_word ? here : holding, side, all_holding, count))
            continue;
        best->axis = axis;
        if (axis->is_word) {
            best->word = answers[first].word;
            best->above = !best->above;
        } else {
            best->threshold = midway(axis, answers[last].place, answers[last + 1].place);
        }
    }
    return questions;
}

bool sensitivity_is_evidence(const struct set_member *member) {
    return !member->rejection && member->member->kind != MEMBER_NOISE;
}

/* Whether a member is admissible, and likely or possible. Only such members count in a share. */
static bool counts(const struct set_member *member) {
    return sensitivity_is_evidence(member) && member->member->kind != MEMBER_SEARCH;
}

static void find_split(const struct claim *claim, const struct member_set *set, struct sensitivity *out) {
    AUTO_FREE struct answer *answers = memory_new((size_t)set->count, sizeof *answers);
    const int members = out->likely.members + out->possible.members,
              holding = out->likely.holding + out->possible.holding;
    double least = INFINITY;
    int questions = 0;
    for (int a = 0; a < set->axis_count; a++) {
        const struct sweep_axis *axis = &set->axes[a];
        int count = 0;
        for (int m = 0; m < set->count; m++) {
            const struct set_member *member = &set->members[m];
            if (counts(member))
                answers[count++] =
                    (struct answer){axis->is_word ? 0 : member->places[a],
                                    axis->is_word ? member->member->values[axis->index] : NULL, out->holds[m]};
        }
        if (!source_is_about(&claim->from, axis->path))
            questions += ask(axis, answers, count, holding, &least, &out->split);
    }
    struct member_split *split = &out->split;
    if (!split->axis)
        return;
    const int in = split->holding_in, in_other = split->in - in, outside = split->holding_out,
              outside_other = split->out - outside;
    const double chance = questions * chance_of(in, split->in, holding, members);
    split->purity =
        (double)((in > in_other ? in : in_other) + (outside > outside_other ? outside : outside_other)) / members;
    char digits[32]; /* rounded to three digits, because math libraries differ in the last digits */
    snprintf(digits, sizeof digits, "%.3g", chance < 1 ? chance : 1);
    split->chance = strtod(digits, NULL);
}

/* Whether a member is inside the split (struct member_split). */
static bool is_on_side(const struct member_set *set, const struct member_split *split,
                       const struct set_member *member) {
    const struct sweep_axis *axis = split->axis;
    if (axis->is_word)
        return !strcmp(member->member->values[axis->index], split->word) == split->above;
    return (member->places[axis - set->axes] > split->threshold) == split->above;
}

/* If the split's chance is below 0.05, choose two examples that show the dependence. holds_in becomes the first member
 * inside the split in which the claim holds. fails_in becomes the first member outside in which the claim does not
 * hold. */
static void choose_examples(const struct member_set *set, const bool *fails, struct sensitivity *out) {
    int holds_in = -1, fails_in = -1;
    if (!out->split.axis || out->split.chance >= 0.05)
        return;
    for (int m = 0; m < set->count; m++) {
        const struct set_member *member = &set->members[m];
        if (!counts(member))
            continue;
        const bool is_there = is_on_side(set, &out->split, member);
        holds_in = holds_in < 0 && out->holds[m] && is_there ? m : holds_in;
        fails_in = fails_in < 0 && fails[m] && !is_there ? m : fails_in;
    }
    out->holds_in = holds_in < 0 ? out->holds_in : holds_in;
    out->fails_in = fails_in < 0 ? out->fails_in : fails_in;
}

/* ---- The verdict ---- */

/* The worst verdict of the likely members that count. */
static enum verdict worst_grade(const struct member_set *set, const struct sensitivity *out) {
    enum verdict worst = VERDICT_MATCHES;
    for (int m = 0; m < set->count; m++)
        if (counts(&set->members[m]) && set->members[m].member->kind == MEMBER_LIKELY && out->verdicts[m] > worst)
            worst = out->verdicts[m];
    return worst;
}

/* Whether possible members were run, or no possible range is wider than the likely one. */
static bool tried_possible(const struct member_set *set, const struct sensitivity *out) {
    bool is_wider = false;
    for (int a = 0; a < set->table.assumption_count; a++)
        is_wider = is_wider || strcmp(set->table.assumptions[a].likely, set->table.assumptions[a].possible) != 0;
    return out->possible.members > 0 || !is_wider;
}

/* The verdict by the rule in sensitivity.h. may_hold: a reading is true in some member, or a likely or possible member
 * is undecided. */
static enum verdict verdict_by_rule(const struct member_set *set, const struct sensitivity *out, bool may_hold) {
    const int members = out->likely.members + out->possible.members,
              holding = out->likely.holding + out->possible.holding;
    if (out->likely.members >= ENOUGH_MEMBERS && out->likely.holding == out->likely.members)
        return worst_grade(set, out);
    if (!may_hold)
        return out->may_differ && out->search_runs >= SEARCH_RUNS ? VERDICT_DIFFERS : VERDICT_NOT_SWEPT;
    const int found = out->searched.holding + out->searched.partly;
    const bool holds_in_likely = /* case 3 of the rule: in all likely members, but these are too few */
        out->likely.members > 0 && out->likely.holding == out->likely.members;
    return !holds_in_likely && (members >= ENOUGH_MEMBERS || holding || found) ? VERDICT_DEPENDS : VERDICT_NOT_SWEPT;
}

static void judge(const struct claim *claim, struct member_set *set, const struct claim_file *claims,
                  struct sensitivity *out) {
    const size_t members = (size_t)set->count + 1;
    struct member_share *const shares[] = {
        [MEMBER_LIKELY] = &out->likely, [MEMBER_POSSIBLE] = &out->possible, [MEMBER_SEARCH] = &out->searched};
    bool has_no_verdict = !set->count; /* with the chosen values, at least one reading has no value to judge */
    int true_in = -1;                  /* the first member in which a reading is true */
    *out = (struct sensitivity){.claim = claim,
                                .left_out = reason_against(claim, set),
                                .verdict = VERDICT_NOT_SWEPT,
                                .holds_in = -1,
                                .fails_in = -1};
    out->is_fixed = out->left_out != NULL;
    if (out->left_out || (out->status = member_set_admit(set, claims)))
        return;
    out->verdicts = pool_add(&out->pool, memory_new(members, sizeof *out->verdicts));
    out->shown = pool_add(&out->pool, memory_new(members, sizeof *out->shown));
    out->held = pool_add(&out->pool, memory_new(members, sizeof *out->held));
    out->holds = pool_add(&out->pool, memory_new(members, sizeof *out->holds));
    out->skipped = set->skipped;
    out->search_runs = sweep_searched_runs(&set->table, claim->id);
    struct table *noise = claim_noise(claim, set);
    AUTO_FREE bool *fails = memory_new(members, sizeof *fails);
    struct reading_layout *layouts = layouts_make(claim, set);
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        if (shares[k])
            shares[k]->by_reading =
                pool_add(&out->pool, memory_new((size_t)claim->reading_count + 1, sizeof *shares[k]->by_reading));
    for (int m = 0; m < set->count; m++) {
        const enum member_kind kind = set->members[m].member->kind;
        struct member_share *share = shares[kind];
        const bool is_evidence = sensitivity_is_evidence(&set->members[m]);
        const struct claim_answer answer =
            judge_member(claim, set, m, layouts, noise, out, is_evidence ? share->by_reading : NULL, &out->status);
        out->holds[m] = answer.all;
        has_no_verdict = m ? has_no_verdict : answer.is_unjudged;
        out->rejected += set->members[m].rejection && kind != MEMBER_NOISE && kind != MEMBER_SEARCH;
        if (!is_evidence)
            continue;
        share->members++;
        share->holding += answer.all;
        share->partly += answer.any && !answer.all;
        share->undecided += !answer.all && answer.is_undecided;
        true_in = answer.any && true_in < 0 ? m : true_in;
        if (answer.all && out->holds_in < 0)
            out->holds_in = m;
        fails[m] = !answer.all && !answer.is_undecided;
        if (fails[m] && out->fails_in < 0 && kind != MEMBER_SEARCH)
            out->fails_in = m;
    }
    layouts_free(layouts, claim);
    claim_noise_free(noise, claim);
    if (has_no_verdict) {
        out->left_out = "The claim has no verdict with the chosen values.";
        return;
    }
    const struct interval interval = wilson_of(out->likely.holding, out->likely.members ? out->likely.members : 1);
    out->low = interval.low;
    out->high = interval.high;
    out->holds_with_chosen_values = out->holds[0];
    const bool may_hold = true_in >= 0 || out->likely.undecided || out->possible.undecided;
    out->may_differ =
        !may_hold && out->likely.members + out->possible.members >= ENOUGH_MEMBERS && tried_possible(set, out);
    out->verdict = verdict_by_rule(set, out, may_hold);
    if (out->likely.holding + out->possible.holding > 0 && out->fails_in >= 0)
        find_split(claim, set, out);
    choose_examples(set, fails, out);
    if (out->holds_in < 0)
        out->holds_in = true_in; /* in this member, only some readings are true; so the claim does not differ */
}

const struct sensitivity *sensitivity_of(const struct claim *claim, struct member_set *set,
                                         const struct claim_file *claims) {
    for (int j = 0; j < set->judged_count; j++)
        if (set->judged[j]->claim == claim)
            return set->judged[j];
    struct sensitivity *out = memory_new(1, sizeof *out);
    judge(claim, set, claims, out);
    return *ARRAY_ADD(set->judged, set->judged_count) = out;
}

void sensitivities_free(struct member_set *set) {
    for (int j = 0; j < set->judged_count; j++) {
        pool_free(&set->judged[j]->pool);
        free(set->judged[j]);
    }
    free(set->judged);
    set->judged = NULL;
    set->judged_count = 0;
}

char *sensitivity_count_text(const struct sensitivity *sensitivity) {
    const struct member_share *likely = &sensitivity->likely, *possible = &sensitivity->possible,
                              *searched = &sensitivity->searched;
    const int undecided = likely->undecided + possible->undecided, partly = likely->partly + possible->partly,
              found = searched->holding + searched->partly;
    char *text = sensitivity->may_differ && searched->members
                     ? text_format("in none of %d likely, %d possible and %d searched set-ups", likely->members,
                                   possible->members, searched->members)
                     : text_format("in %d of %d likely set-ups and in %d of %d other possible ones", likely->holding,
                                   likely->members, possible->holding, possible->members);
    if (partly) {
        text_append(&text,
                    "; in %d more set-ups, only some readings of the sentence hold. Of the likely set-ups, the claim "
                    "holds in %d by the first reading",
                    partly, likely->by_reading[0]);
        for (int r = 0; r < sensitivity->claim->reading_count; r++)
            text_append(&text, ", in %d by the reading \"%s\"", likely->by_reading[r + 1],
                        sensitivity->claim->readings[r].says);
    }
    if (undecided)
        text_append(&text,
                    "; %d likely or possible set-ups are undecided, because rounding decides or nothing can be "
                    "compared",
                    undecided);
    if (found && !likely->holding && !possible->holding)
        text_append(&text, "; the claim holds, by at least one reading, in %d of %d searched set-ups", found,
                    searched->members);
    if (sensitivity->rejected)
        text_append(&text, "; %d set-ups are not admissible: the scene does not do what the paper says",
                    sensitivity->rejected);
    if (sensitivity->skipped)
        text_append(&text, "; %d set-ups cannot be run", sensitivity->skipped);
    return text;
}

char *sensitivity_options(const struct member_set *set, int member) {
    char *text = text_copy("");
    for (int a = 0; a < set->table.assumption_count; a++) {
        const char *value = set->members[member].member->values[a], *unit = set->table.assumptions[a].unit;
        double numbers[3];
        const int count = text_numbers(value, numbers);
        if (!strcmp(value, set->members[0].member->values[a]))
            continue;
        AUTO_FREE char *setting = text_format("%s=%s", set->table.assumptions[a].path, count < 2 ? value : "");
        for (int k = 0; k < count && count > 1; k++)
            text_append(&setting, "%s%.6g%s%s%s", k ? ", " : "[", numbers[k], strcmp(unit, "1") ? " " : "",
                        strcmp(unit, "1") ? unit : "", k + 1 < count ? "" : "]");
        AUTO_FREE char *quoted = shell_quoted(setting);
        text_append(&text, "%s--set %s", *text ? " " : "", quoted);
    }
    return text;
}

char *split_text(const struct member_split *split) {
    if (!split->axis)
        return text_copy("");
    const struct sweep_axis *axis = split->axis;
    /* "method.stiffness", or "scene.push.acceleration[1]" for the second number of a vector */
    AUTO_FREE char *name =
        axis->component < 0 ? text_copy(axis->path) : text_format("%s[%d]", axis->path, axis->component);
    if (axis->is_word)
        return text_format("%s: the claim holds in %d of %d set-ups %s %s, and in %d of %d %s %s", name,
                           split->holding_in, split->in, split->above ? "with" : "without", split->word,
                           split->holding_out, split->out, split->above ? "without" : "with", split->word);
    const char *below = axis->whole ? "at most" : "below";
    AUTO_FREE char *threshold = text_copy(number_text(split->threshold, axis->unit).text);
    return text_format(
        "%s: the claim holds in %d of %d set-ups with values %s %s (%s: %s), and in %d of %d with values "
        "%s %s",
        name, split->holding_in, split->in, split->above ? "above" : below, threshold,
        split->above ? "largest" : "smallest", number_text(split->above ? axis->high : axis->low, axis->unit).text,
        split->holding_out, split->out, split->above ? below : "above", threshold);
}

static json_t *split_json(const struct member_split *split) {
    const struct sweep_axis *axis = split->axis;
    json_t *object = json_pack("{ss so so ss}", "path", axis->path, "component",
                               axis->component < 0 ? json_null() : json_integer(axis->component), "holds",
                               json_string(axis->is_word  ? split->above ? "with" : "without"
                                           : split->above ? "above"
                                                          : "below"),
                               "unit", axis->unit);
    if (axis->is_word)
        json_object_set_new(object, "word", json_text(split->word));
    else
        json_object_update_new(object,
                               json_pack("{sf s[ff]}", "threshold", split->threshold, "range", axis->low, axis->high));
    json_object_update_new(object, json_pack("{si si si si sf sf}", "holding_there", split->holding_in, "there",
                                             split->in, "holding_elsewhere", split->holding_out, "elsewhere",
                                             split->out, "purity", split->purity, "chance", split->chance));
    return object;
}

/* A member as an example: its options of `springback run`, and the measured value; null if m is -1. `holds`: whether
 * the example shows that the claim holds, in at least one reading. */
static json_t *example_json(const struct sensitivity *sensitivity, const struct member_set *set, int m, bool holds) {
    if (m < 0)
        return json_null();
    const bool is_partly = holds && !sensitivity->holds[m]; /* only some readings hold */
    AUTO_FREE char *options = sensitivity_options(set, m),
                   *value = sensitivity_measured(sensitivity, set, m,
                                                 is_partly ? sensitivity->held[m] : sensitivity->shown[m]),
                   *measured =
                       text_format("%s%s", value, is_partly && !sensitivity->held[m] ? " by the first reading" : "");
    return json_pack("{ss si so so ss}", "kind", member_kind_name(set->members[m].member->kind), "number",
                     set->members[m].member->number, "measured", json_text(measured), "options", json_text(options),
                     "tier", set->table.tier);
}

/* The largest number of likely members in which a single reading holds. */
static int best_reading(const struct sensitivity *sensitivity) {
    int best = 0;
    for (int r = 0; r <= sensitivity->claim->reading_count; r++)
        best = sensitivity->likely.by_reading[r] > best ? sensitivity->likely.by_reading[r] : best;
    return best;
}

json_t *sensitivity_json(const struct sensitivity *sensitivity, const struct member_set *set) {
    if (sensitivity->left_out)
        return json_pack("{so}", "left_out", json_text(sensitivity->left_out));
    const struct member_share *likely = &sensitivity->likely, *possible = &sensitivity->possible;
    AUTO_FREE char *count = sensitivity_count_text(sensitivity), *split = split_text(&sensitivity->split);
    return json_pack("{si si si si si si si si si si si s[ff] sb so so so so so}", "likely", likely->members,
                     "likely_holding", likely->holding, "likely_by_best_reading", best_reading(sensitivity),
                     "likely_undecided", likely->undecided, "possible", possible->members, "possible_holding",
                     possible->holding, "possible_undecided", possible->undecided, "searched",
                     sensitivity->searched.members, "searched_holding",
                     sensitivity->searched.holding + sensitivity->searched.partly, "rejected", sensitivity->rejected,
                     "skipped", sensitivity->skipped, "interval", sensitivity->low, sensitivity->high,
                     "holds_with_chosen_values", sensitivity->holds_with_chosen_values, "split",
                     sensitivity->split.axis ? split_json(&sensitivity->split) : json_null(), "holds_in",
                     example_json(sensitivity, set, sensitivity->holds_in, true), "fails_in",
                     example_json(sensitivity, set, sensitivity->fails_in, false), "count_text", json_text(count),
                     "split_text", json_text(split));
}
