#include "claim/headline.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

static int number_of(json_t *object, const char *key) {
    return (int)json_integer_value(json_object_get(object, key));
}

/* A text up to its first comma, colon or full stop, beginning with a small letter; newly allocated. */
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

/* An assumption in words: "node mass" of body.node_mass; newly allocated. */
static char *assumption_words(const char *path) {
    char *words = text_copy(strchr(path, '.') ? strchr(path, '.') + 1 : path);
    for (char *c = words; *c; c++)
        *c = *c == '_' || *c == '.' ? ' ' : *c;
    return words;
}

/* In which share of the set-ups a claim holds, and what decides; newly allocated. */
static char *share_text(json_t *sensitivity) {
    const int likely = number_of(sensitivity, "likely"), holding = number_of(sensitivity, "likely_holding"),
              possible = number_of(sensitivity, "possible_holding"), found = number_of(sensitivity, "searched_holding");
    json_t *parting = json_object_get(sensitivity, "hangs_on");
    if (!holding && possible)
        return text_format("only in %d of %d possible set-ups", possible, number_of(sensitivity, "possible"));
    if (!holding && found)
        return text_format("only in %d of %d searched set-ups", found, number_of(sensitivity, "searched"));
    char *text = text_format("in %d of %d set-ups", holding, likely);
    if (holding == likely || !json_is_object(parting))
        return text;
    AUTO_FREE char *decisive = assumption_words(json_string_value(json_object_get(parting, "path")));
    const bool is_clear = json_real_value(json_object_get(parting, "chance")) < 0.05;
    text_append(&text, "; %s", is_clear ? decisive : "several values");
    text_append(&text, " decide%s", is_clear ? "s" : "");
    return text;
}

/* The reason for a verdict; newly allocated, "" if there is no more to say. */
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
        return text_copy(result->verdict == VERDICT_DEPENDS     ? "on how the sentence is read"
                         : result->verdict == VERDICT_NOT_SWEPT ? "no other values were tried"
                                                                : "");
    const bool is_undecided = !number_of(sensitivity, "likely_holding") &&
                              number_of(sensitivity, "likely_undecided") == number_of(sensitivity, "likely");
    char *share = share_text(sensitivity);
    if (result->verdict == VERDICT_DEPENDS && is_undecided && !strncmp(share, "in 0", 4)) {
        free(share);
        return text_copy("rounding decides, or the reading");
    }
    if (result->verdict == VERDICT_NOT_SWEPT)
        text_append(&share, "%s", number_of(sensitivity, "likely_holding") ? ", which are too few" : ", none searched");
    return share;
}

/* What was measured; of a range against a bound the end that decides. */
static const char *ours_of(const struct claim_result *result, struct pool *pool) {
    const bool is_taken = result->taken != VERDICT_NOT_RUN;
    if (!strcmp(result->kind, "order") && is_taken)
        return strchr(result->reported, '<') || strchr(result->reported, '>')
                   ? (result->taken == VERDICT_MATCHES ? "this order" : "other order")
                   : (result->taken == VERDICT_MATCHES ? result->reported : "not so");
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

void headlines_of(const struct claim_report *reports, int count, struct headlines *out) {
    *out = (struct headlines){.count = 0};
    for (int f = 0; f < count; f++)
        for (int r = 0; r < reports[f].count; r++)
            if (reports[f].results[r].is_headline)
                *ARRAY_ADD(out->rows, out->count) = headline_of(&reports[f].results[r], &out->pool);
}

void headlines_free(struct headlines *headlines) {
    free(headlines->rows);
    pool_free(&headlines->pool);
    *headlines = (struct headlines){.count = 0};
}
