#include "claim/headline.h"

#include "base/number.h"
#include "claim/sensitivity.h"

#include <stdlib.h>
#include <string.h>

static int number_of(json_t *object, const char *key) {
    return (int)json_integer_value(json_object_get(object, key));
}

/* A text up to its first comma, colon, semicolon or full stop, with a small first letter; newly allocated. */
static char *first_clause(const char *text) {
    const char *end = text;
    while (*end && *end != ',' && *end != ':' && *end != ';' && !(*end == '.' && (end[1] == ' ' || !end[1])))
        end++;
    char *clause = text_format("%.*s", (int)(end - text), text);
    const bool is_word = clause[0] && (clause[1] == ' ' || (clause[1] >= 'a' && clause[1] <= 'z'));
    if (is_word && clause[0] >= 'A' && clause[0] <= 'Z')
        clause[0] = (char)(clause[0] - 'A' + 'a');
    return clause;
}

/* An assumption in words: "node mass" for body.node_mass; newly allocated. */
static char *assumption_words(const char *path) {
    char *words = text_copy(strchr(path, '.') ? strchr(path, '.') + 1 : path);
    for (char *c = words; *c; c++)
        *c = *c == '_' || *c == '.' ? ' ' : *c;
    return words;
}

/* The number of set-ups in which a claim holds, as in "in 44 of 55 set-ups". The set-ups are the likely ones; if the
 * claim holds in none of them, the possible ones; if in none of these either, the searched ones. For possible and
 * searched set-ups the text is "in 3 of 60 of them", because dependence_text names their kind before. Newly
 * allocated. */
static char *share_text(json_t *sensitivity) {
    static const char *const kinds[][3] = {{"likely_holding", "likely", "set-ups"},
                                           {"possible_holding", "possible", "of them"},
                                           {"searched_holding", "searched", "of them"}};
    int k = 0;
    while (k < 2 && !number_of(sensitivity, kinds[k][0]))
        k++;
    k = number_of(sensitivity, kinds[k][0]) ? k : 0;
    return text_format("in %d of %d %s", number_of(sensitivity, kinds[k][0]), number_of(sensitivity, kinds[k][1]),
                       kinds[k][2]);
}

/* Why a sweep gives no verdict (sensitivity.h), as in "59 are needed"; newly allocated. */
static char *missing_text(json_t *sensitivity) {
    const int likely = number_of(sensitivity, "likely"), possible = number_of(sensitivity, "possible");
    if (number_of(sensitivity, "likely_holding") || likely + possible < ENOUGH_MEMBERS)
        return text_format("%d are needed", ENOUGH_MEMBERS);
    return text_copy(possible ? "no search is complete" : "only likely values were tried");
}

/* The cause of the verdict `depends`, as in "node mass"; newly allocated. */
static char *dependence_text(json_t *sensitivity) {
    json_t *split = json_object_get(sensitivity, "split");
    if (number_of(sensitivity, "likely_holding"))
        return json_real_value(json_object_get(split, "chance")) < 0.05 && json_is_object(split)
                   ? assumption_words(json_string_value(json_object_get(split, "path")))
                   : text_copy("several values");
    return text_copy(number_of(sensitivity, "possible_holding")   ? "unlikely values"
                     : number_of(sensitivity, "searched_holding") ? "searched values"
                     : number_of(sensitivity, "likely_undecided") ? "rounding, or on the reading"
                                                                  : "how the sentence is read");
}

/* The reason of a verdict as a short clause; newly allocated, "" if there is none. */
static char *clause_of(const struct claim_result *result) {
    json_t *sensitivity = result->sensitivity;
    const bool is_swept = sensitivity && json_object_get(sensitivity, "likely");
    if (*result->stand_in)
        return text_format("%s is a stand-in", result->stand_in);
    if (result->verdict == VERDICT_DIFFERS && *result->direction)
        return text_copy(result->direction);
    if (result->verdict == VERDICT_NOT_TESTABLE || result->verdict == VERDICT_NOT_RUN ||
        result->verdict == VERDICT_DIFFERS)
        return first_clause(result->why);
    if (!is_swept)
        return text_copy(result->verdict == VERDICT_DEPENDS
                             ? result->is_timed ? "on the noise of the timing" : "on how the sentence is read"
                         : result->verdict == VERDICT_NOT_SWEPT ? "no other values were tried"
                                                                : "");
    char *share = share_text(sensitivity);
    if (result->verdict == VERDICT_NOT_SWEPT) {
        AUTO_FREE char *missing = missing_text(sensitivity);
        text_append(&share, "; %s", missing);
    }
    if (result->verdict != VERDICT_DEPENDS)
        return share;
    const int best = number_of(sensitivity, "likely_by_best_reading");
    if (!number_of(sensitivity, "likely_holding") && !number_of(sensitivity, "likely_undecided") && best) {
        free(share);
        return text_format("on the reading: one holds in %d of %d set-ups", best, number_of(sensitivity, "likely"));
    }
    AUTO_FREE char *own = share, *dependence = dependence_text(sensitivity);
    return text_format("on %s%s%s", dependence, strncmp(own, "in 0 ", 5) ? ": " : "",
                       strncmp(own, "in 0 ", 5) ? own : "");
}

/* The measured value. For the kind order, words that say whether the values have the printed order. For a bound with a
 * range of values, the end of the range that decides: the larger one for an upper bound, the smaller one for a lower
 * bound. */
static const char *ours_of(const struct claim_result *result, struct pool *pool) {
    const bool is_judged = result->chosen_verdict != VERDICT_NOT_RUN;
    if (!strcmp(result->kind, "order") && is_judged)
        return strchr(result->reported, '<') || strchr(result->reported, '>')
                   ? (result->chosen_verdict == VERDICT_MATCHES ? "this order" : "other order")
                   : (result->chosen_verdict == VERDICT_MATCHES ? result->reported : "not so");
    const char *to = strstr(result->measured, " to ");
    if (!to || strcmp(result->kind, "bound") != 0)
        return result->measured;
    return *result->reported == '<'
               ? to + 4
               : pool_add(pool, text_format("%.*s", (int)(to - result->measured), result->measured));
}

static struct headline headline_of(const struct claim_result *result, struct pool *pool) {
    const bool is_chain = !strcmp(result->kind, "order") && strchr(result->reported, '<');
    return (struct headline){.result = result,
                             .sentence = *result->brief ? result->brief : result->says,
                             .paper = is_chain ? "this order" : result->reported,
                             .ours = ours_of(result, pool),
                             .verdict = verdict_name(result->verdict),
                             .clause = pool_add(pool, clause_of(result))};
}

void headlines_of(const struct claim_report *reports, int count, bool all, struct headlines *out) {
    bool has_any = false;
    *out = (struct headlines){.count = 0};
    for (int f = 0; f < count; f++)
        for (int r = 0; r < reports[f].count; r++)
            has_any = has_any || reports[f].results[r].is_headline;
    for (int f = 0; f < count; f++)
        for (int r = 0; r < reports[f].count; r++)
            if (all || !has_any || reports[f].results[r].is_headline)
                *ARRAY_ADD(out->rows, out->count) = headline_of(&reports[f].results[r], &out->pool);
}

void headlines_free(struct headlines *headlines) {
    free(headlines->rows);
    pool_free(&headlines->pool);
    *headlines = (struct headlines){.count = 0};
}
