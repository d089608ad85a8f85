#include "claim/sensitivity.h"

#include "base/memory.h"
#include "claim/evaluate.h"
#include "claim/geometry.h"
#include "claim/statistics.h"
#include "experiment/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which claims ---- */

/* What a trace says of where it ran. */
static bool is_whereabouts(const char *name) {
    return name && words_have("backend backend_kind device device_type threads", name, strlen(name));
}

static bool have_whereabouts(const struct clauses *clauses) {
    for (int c = 0; c < clauses->count; c++)
        if (is_whereabouts(clauses->items[c].name))
            return true;
    return false;
}

/* Whether the members have recorded geometry. */
static bool has_geometry(const struct member_set *set) {
    for (int i = 0; set->count && i < set->id_count; i++)
        if (set->members[0].traces[i]->mesh_frames)
            return true;
    return false;
}

static const char *reason_against(const struct claim *claim, const struct member_set *set) {
    const struct source *from = &claim->from;
    if (from->same)
        return "It compares texts of runs that the sweep makes once.";
    if (from->quantity && quantity_is_timing(from->quantity))
        return "It is a timing, and those are not taken here.";
    if (from->quantity && geometry_kind_named(from->quantity) && !has_geometry(set))
        return "It is measured on recorded geometry, of which the members have none without record.mesh_of: all.";
    if (from->between_devices || have_whereabouts(&from->numerator) || have_whereabouts(&from->denominator) ||
        have_whereabouts(&from->against) || is_whereabouts(from->each) || is_whereabouts(from->along) ||
        is_whereabouts(from->compare))
        return "It compares backends, and the members are run on one.";
    return NULL;
}

/* ---- One member ---- */

/* Whether a trace matches clauses, but for those on where it ran. */
static bool matches_anywhere(const struct trace_data *trace, const struct clauses *clauses) {
    bool matches = true;
    for (int c = 0; c < clauses->count && matches; c++) {
        const struct clauses one = {&clauses->items[c], 1};
        matches = is_whereabouts(one.items->name) || trace_matches(trace, &one);
    }
    return matches;
}

/* The runs of a member that a claim selects: those whose like with the values as taken it does. Where they ran does not
 * matter, since the bits are equal on all backends. */
static struct trace_list select_runs(const struct claim *claim, const struct member_set *set,
                                     const struct sweep_member *member) {
    struct trace_list list = {memory_new((size_t)set->id_count, sizeof(const struct trace_data *)), 0};
    for (int i = 0; i < set->id_count; i++) {
        const struct trace_data *as_taken = set->members[0].traces[i];
        if (matches_anywhere(as_taken, &claim->from.select) ||
            (claim->from.against.count && matches_anywhere(as_taken, &claim->from.reference)))
            list.items[list.count++] = member->traces[i];
    }
    return list;
}

static void judge_member(const struct claim *claim, const struct member_set *set, int m, struct sensitivity *out) {
    struct trace_list list = select_runs(claim, set, &set->members[m]);
    AUTO(outcome_free) struct outcome outcome = outcome_of(claim, &list, 1);
    out->verdicts[m] = outcome.verdict;
    out->measured[m] = pool_add(&out->pool, text_copy(outcome.measured));
    out->status = outcome.status ? outcome.status : out->status;
    free(list.items);
}

/* ---- What parts them ---- */

/* A member as a question sees it. */
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
    return x->holds - y->holds; /* like answers are alike: their order does not matter */
}

/* Gini's impurity of two sides, times the members of both. */
static double impurity(int holding, int n, int all_holding, int all) {
    const int others = all - n, others_holding = all_holding - holding;
    return 2.0 * holding * (n - holding) / n + 2.0 * others_holding * (others - others_holding) / others;
}

/* Take a question that puts n members, of which `holding` hold, on its first side, if it parts better than the best
 * so far. Returns whether it does. */
static bool better(struct parting *best, double *least, int holding, int n, int all_holding, int all) {
    const double mixed = impurity(holding, n, all_holding, all);
    if (mixed >= *least)
        return false;
    *least = mixed;
    const int others = all - n, others_holding = all_holding - holding;
    const bool first = (long long)holding * others > (long long)others_holding * n; /* holds rather on the first side */
    *best = (struct parting){.above = !first,
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

/* Ask all questions of one axis. Returns how many there were. */
static int ask(const struct sweep_axis *axis, struct answer *answers, int count, int all_holding, double *least,
               struct parting *best) {
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
        /* The first side is that of the word, or that below the threshold. */
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

static void find_parting(const struct claim *claim, const struct member_set *set, struct sensitivity *out) {
    AUTO_FREE struct answer *answers = memory_new((size_t)set->count, sizeof *answers);
    double least = INFINITY;
    int questions = 0;
    for (int a = 0; a < set->axis_count; a++) {
        const struct sweep_axis *axis = &set->axes[a];
        int count = 0;
        for (int m = 0; m < set->count; m++) {
            const struct sweep_member *member = &set->members[m];
            if (out->verdicts[m] != VERDICT_NOT_RUN)
                answers[count++] =
                    (struct answer){axis->is_word ? 0 : member->places[a],
                                    axis->is_word ? member->texts[axis->index] : NULL, verdict_holds(out->verdicts[m])};
        }
        if (!source_is_about(&claim->from, axis->path))
            questions += ask(axis, answers, count, out->holding, &least, &out->parting);
    }
    struct parting *parting = &out->parting;
    if (!parting->axis)
        return;
    const int in = parting->holding_in, in_other = parting->in - in, outside = parting->holding_out,
              outside_other = parting->out - outside;
    const double chance = questions * chance_of(in, parting->in, out->holding, out->members);
    parting->purity =
        (double)((in > in_other ? in : in_other) + (outside > outside_other ? outside : outside_other)) / out->members;
    char digits[32]; /* no more than libm's functions agree on everywhere */
    snprintf(digits, sizeof digits, "%.3g", chance < 1 ? chance : 1);
    parting->chance = strtod(digits, NULL);
}

/* ---- The whole ---- */

struct sensitivity *sensitivity_of(const struct claim *claim, const struct member_set *set) {
    struct sensitivity *out = memory_new(1, sizeof *out);
    const char *reason = reason_against(claim, set);
    if (reason) {
        out->left_out = reason;
        return out;
    }
    out->verdicts = pool_add(&out->pool, memory_new((size_t)set->count, sizeof *out->verdicts));
    out->measured = pool_add(&out->pool, memory_new((size_t)set->count, sizeof(const char *)));
    for (int m = 0; m < set->count; m++) {
        judge_member(claim, set, m, out);
        if (out->verdicts[m] == VERDICT_NOT_RUN) {
            out->without++;
            continue;
        }
        out->members++;
        out->holding += verdict_holds(out->verdicts[m]);
    }
    if (!set->count || out->verdicts[0] == VERDICT_NOT_RUN) {
        out->left_out = "It has no verdict with the values as taken.";
        return out;
    }
    const struct interval interval = wilson_of(out->holding, out->members);
    out->holds_as_taken = verdict_holds(out->verdicts[0]);
    out->share = (double)out->holding / out->members;
    out->low = interval.low;
    out->high = interval.high;
    if (out->holding && out->holding < out->members)
        find_parting(claim, set, out);
    return out;
}

void sensitivity_free(struct sensitivity *sensitivity) {
    if (!sensitivity)
        return;
    pool_free(&sensitivity->pool);
    free(sensitivity);
}

double sensitivity_agreement(const struct sensitivity *sensitivity) {
    return sensitivity->holds_as_taken ? sensitivity->share : 1 - sensitivity->share;
}

char *sensitivity_count_text(const struct sensitivity *sensitivity) {
    char *text =
        text_format("%d of %d members over all assumptions' ranges (%.3g %%, 95 %% interval %.3g %% to %.3g %%",
                    sensitivity->holding, sensitivity->members, 100 * sensitivity->share, 100 * sensitivity->low,
                    100 * sensitivity->high);
    if (sensitivity->without)
        text_append(&text, ", and %d have no verdict", sensitivity->without);
    text_append(&text, ")");
    return text;
}

char *parting_text(const struct parting *parting) {
    if (!parting->axis)
        return text_copy("");
    const struct sweep_axis *axis = parting->axis;
    /* "method.stiffness", or "scene.push.acceleration[1]" for the second number of a vector */
    AUTO_FREE char *name =
        axis->component < 0 ? text_copy(axis->path) : text_format("%s[%d]", axis->path, axis->component);
    if (axis->is_word)
        return text_format("%s: it holds %s %s in %d of %d, and %s in %d of %d", name,
                           parting->above ? "with" : "without", parting->word, parting->holding_in, parting->in,
                           parting->above ? "else" : "with it", parting->holding_out, parting->out);
    return text_format("%s: it holds %s %s (%s to %s) in %d of %d, and %s in %d of %d", name,
                       parting->above ? "above"
                       : axis->whole  ? "up to"
                                      : "below",
                       number_text(parting->threshold, axis->unit).text, parting->above ? "up" : "down",
                       number_text(parting->above ? axis->high : axis->low, axis->unit).text, parting->holding_in,
                       parting->in, parting->above ? axis->whole ? "up to it" : "below" : "above", parting->holding_out,
                       parting->out);
}

static json_t *parting_json(const struct parting *parting) {
    const struct sweep_axis *axis = parting->axis;
    json_t *object = json_pack("{ss so so ss}", "path", axis->path, "component",
                               axis->component < 0 ? json_null() : json_integer(axis->component), "holds",
                               json_string(axis->is_word    ? parting->above ? "with" : "without"
                                           : parting->above ? "above"
                                                            : "below"),
                               "unit", axis->unit);
    if (axis->is_word)
        json_object_set_new(object, "word", json_text(parting->word));
    else
        json_object_update_new(
            object, json_pack("{sf s[ff]}", "threshold", parting->threshold, "range", axis->low, axis->high));
    json_object_update_new(object, json_pack("{si si si si sf sf}", "holding_there", parting->holding_in, "there",
                                             parting->in, "holding_elsewhere", parting->holding_out, "elsewhere",
                                             parting->out, "purity", parting->purity, "chance", parting->chance));
    return object;
}

json_t *sensitivity_json(const struct sensitivity *sensitivity) {
    if (sensitivity->left_out)
        return json_pack("{so}", "left_out", json_text(sensitivity->left_out));
    AUTO_FREE char *count = sensitivity_count_text(sensitivity), *parting = parting_text(&sensitivity->parting);
    return json_pack("{si si si sf s[ff] sb sf so so so}", "members", sensitivity->members, "holding",
                     sensitivity->holding, "without_verdict", sensitivity->without, "share", sensitivity->share,
                     "interval", sensitivity->low, sensitivity->high, "holds_as_taken", sensitivity->holds_as_taken,
                     "agreement", sensitivity_agreement(sensitivity), "hangs_on",
                     sensitivity->parting.axis ? parting_json(&sensitivity->parting) : json_null(), "count_text",
                     json_text(count), "parting_text", json_text(parting));
}
