#include "claim/claim_file.h"

#include "base/memory.h"
#include "base/number.h"
#include "claim/geometry.h"
#include "claim/quantity.h"
#include "claim/quantity_list.h"
#include "experiment/name.h"
#include "experiment/spelling.h"
#include "experiment/units.h"
#include "experiment/value.h"

#include <ctype.h>
#include <math.h>
#include <muParserDLL.h>
#include <stdlib.h>
#include <string.h>

/* The kinds of claims. `required`: the keys that a claim of the kind must have. `optional`: further keys that the claim
 * may have. */
static const struct {
    const char *name, *required, *optional;
} kinds[] = {
    [KIND_VALUE] = {"value", "from reported", "tolerance expect scales"},
    [KIND_BOUND] = {"bound", "from expect", "reported scales"},
    [KIND_RATIO] = {"ratio", "from reported", "tolerance expect scales"},
    [KIND_ORDER] = {"order", "from expect", "reported"},
    [KIND_SHAPE] = {"shape", "from reported", "tolerance expect"},
    [KIND_COUNT] = {"count", "from reported", ""},
    [KIND_CONSISTENCY] = {"consistency", "", "reported compute with finding verdict"},
    [KIND_CAPABILITY] = {"capability", "from", "expect reported"},
};

static const char kind_words[] = "value bound ratio order shape count consistency capability";
static const char common_keys[] =
    "id where says kind needs recorded why readings class fact headline optional short explained";

const char *claim_kind_name(enum claim_kind kind) {
    return kinds[kind].name;
}

static const char *const class_names[] = {"", "result", "count", "erratum", "background"};

const char *claim_class_name(const struct claim *claim) {
    return class_names[claim->class != CLASS_BY_KIND     ? claim->class
                       : claim->kind == KIND_CONSISTENCY ? CLASS_ERRATUM
                       : claim->kind == KIND_COUNT       ? CLASS_COUNT
                                                         : CLASS_RESULT];
}

struct place claim_place(const struct claim *claim, const char *key) {
    const struct node *item = document_item(claim->node, key);
    return item ? item->place : claim->node->place;
}

/* ---- Clauses ---- */

static void read_clauses(struct form *form, const struct node *node, void *field) {
    struct clauses *out = field;
    if (node->kind != NODE_MAP || !node->count) {
        form->status =
            fail_at(node->place, "`%s` must be a map of names and values, as in {time.step: 0.005 s}", node->key);
        return;
    }
    out->items = pool_add(&form->pool, memory_new((size_t)node->count, sizeof *out->items));
    for (int i = 0; i < node->count; i++) {
        const struct node *item = &node->items[i];
        struct clause clause = {.name = item->key, .place = item->key_place};
        form_words(form, item, &clause.value);
        if (clause.value)
            out->items[out->count++] = clause;
    }
}

/* Read clauses whose values are pure numbers. */
static void read_numbers(struct form *form, const struct node *node, void *field) {
    const struct clauses *out = field;
    read_clauses(form, node, field);
    for (int c = 0; c < out->count; ++c) {
        struct clause *clause = &out->items[c];
        form->status |=
            unit_read(document_item(node, clause->name)->place, clause->name, clause->value, "1", &clause->number);
    }
}

/* ---- Numbers as they are printed ---- */

#define MOST_EXPONENT 300 /* larger exponents of ten are refused; the largest of a double is 308 */

/* Read a printed decimal number, and half a unit in its last place. Returns the text after the number and its spaces.
 * Returns NULL in three cases: the text does not begin with a number, the character after the number is not a space, or
 * the exponent is too large. */
static const char *decimal_read(const char *text, double *number, double *half) {
    const char *end = number_read(text, number);
    long places = 0, exponent = 0;
    bool after_point = false;
    for (const char *at = text; end && at < end; at++) {
        if (*at == 'e' || *at == 'E') {
            exponent = strtol(at + 1, NULL, 10);
            break;
        }
        places += after_point && isdigit((unsigned char)*at);
        after_point = after_point || *at == '.';
    }
    if (!end || (*end && *end != ' ') || labs(exponent) > MOST_EXPONENT)
        return NULL;
    *half = 0.5 * pow(10, (double)(exponent - places));
    return end + strspn(end, " ");
}

/* Read a printed value. "5.61 %" gives the number 5.61, half a unit in its last place 0.005, and the unit "%". "6 to 7
 * 1/s" gives the middle of the range 6.5 and its half width 0.5. */
static void read_printed(struct form *form, const struct node *node, void *field) {
    static const char to[] = "to ";
    struct claim *claim = field;
    double last = 0, rounding;
    claim->reported_unit = "";
    form_words(form, node, &claim->reported);
    if (!claim->reported)
        return;
    const char *unit = decimal_read(claim->reported, &claim->printed, &claim->printed_half);
    claim->is_range = unit && !strncmp(unit, to, sizeof to - 1);
    if (claim->is_range) {
        unit = decimal_read(unit + sizeof to - 1, &last, &rounding);
        claim->printed_half = 0.5 * (last - claim->printed);
        claim->printed += claim->printed_half;
    }
    if (!unit || (*unit && !unit_is_known(unit)))
        form->status = fail_at(node->place,
                               "`reported` is \"%.60s\"; write the number as printed, without separators, and its unit "
                               "after a space, such as 5.61 %%, or a range, such as 6 to 7 1/s",
                               claim->reported);
    else if (claim->is_range && !(claim->printed_half > 0))
        form->status =
            fail_at(node->place, "`reported` is \"%.60s\"; write the smaller number of a range first", claim->reported);
    else
        claim->reported_unit = unit;
    form_refuse_if(form, claim->is_range && claim->kind == KIND_COUNT, node->place,
                   "`reported` is a range; a count is one number; write one number, or use the kind `value`");
}

static const struct form_key tolerance_keys[] = {
    {"relative", offsetof(struct claim, relative), form_text, NULL},
    {"absolute", offsetof(struct claim, absolute), form_text, NULL},
    {.name = NULL},
};

static void read_tolerance(struct form *form, const struct node *node, void *field) {
    struct claim *claim = field;
    if (!form_read_map(form, node, "tolerance", tolerance_keys, claim))
        return;
    form_refuse_if(
        form, !claim->relative == !claim->absolute, node->place,
        "tolerance must have one of the keys relative and absolute, as in {relative: 25 %} or {absolute: 2 %}");
    if (claim->relative)
        form->status |= unit_read(node->place, "tolerance", claim->relative, "1", &claim->relative_share);
    double absolute = 0;
    if (claim->relative_share < 0 || (claim->absolute && (!number_read(claim->absolute, &absolute) || absolute < 0)))
        form->status =
            fail_at(node->place, "tolerance: %s is \"%.60s\"; write a number that is not below 0",
                    claim->absolute ? "absolute" : "relative", claim->absolute ? claim->absolute : claim->relative);
    form_refuse_if(form, !*claim->why, node->place, "the tolerance has no reason; write in `why` how it was chosen");
}

/* ---- Expectations ---- */

static const struct {
    const char *word;
    struct expect expect;
} expect_words[] = {
    {"increasing", {.kind = EXPECT_TREND, .relation = '<'}},
    {"decreasing", {.kind = EXPECT_TREND, .relation = '>'}},
    {"rises", {.kind = EXPECT_TREND, .relation = '<', .or_equal = true}},
    {"falls", {.kind = EXPECT_TREND, .relation = '>', .or_equal = true}},
    {"yes", {.kind = EXPECT_BOUND, .relation = '=', .bound = "1"}},
    {"no", {.kind = EXPECT_BOUND, .relation = '=', .bound = "0"}},
};

/* Read a relation at the beginning of a text: <, <=, >, >= or =. Returns the text after the relation. Returns NULL if
 * the text does not begin with a relation. */
static const char *read_relation(const char *text, struct expect *expect) {
    if (!*text || !strchr("<>=", *text))
        return NULL;
    *expect = (struct expect){.relation = text[0], .or_equal = text[0] != '=' && text[1] == '='};
    return text + (expect->or_equal ? 2 : 1);
}

/* Read "a < b < c": at most 8 names, with the same relation between all of them. Cuts `words` into the names. Returns
 * false if the text does not have this form. */
static bool read_chain(char *words, struct expect *expect) {
    const char *relation = NULL;
    bool wants_name = true;
    for (char *word; (word = strsep(&words, " "));) {
        const bool is_name = !strchr("<>=", *word);
        if (!*word)
            continue;
        if (is_name != wants_name || (is_name ? expect->name_count == 8 : relation && strcmp(relation, word) != 0))
            return false;
        if (is_name)
            expect->name[expect->name_count++] = word;
        else
            relation = word;
        wants_name = !wants_name;
    }
    struct expect read;
    const char *end = relation ? read_relation(relation, &read) : NULL;
    expect->kind = EXPECT_CHAIN;
    expect->relation = end ? read.relation : 0;
    expect->or_equal = end && read.or_equal;
    return end && !*end && !wants_name;
}

static void read_expect(struct form *form, const struct node *node, void *field) {
    struct claim *claim = field;
    struct expect *expect = &claim->expect;
    double number;
    form_words(form, node, &claim->expect_text);
    const char *text = claim->expect_text;
    for (size_t i = 0; text && i < sizeof expect_words / sizeof expect_words[0]; i++)
        if (!strcmp(text, expect_words[i].word)) {
            *expect = expect_words[i].expect;
            return;
        }
    const char *bound = text ? read_relation(text, expect) : NULL;
    if (bound) {
        expect->kind = EXPECT_BOUND;
        expect->bound = bound + strspn(bound, " ");
    }
    if (!text || (bound ? number_read(expect->bound, &number) != NULL
                        : read_chain(pool_add(&form->pool, text_copy(text)), expect)))
        return;
    *expect = (struct expect){0};
    form->status = fail_at(node->place,
                           "`expect` is \"%.60s\"; it can be a bound (\">= 30 1/s\"), yes, no, an order (a < b), "
                           "increasing, decreasing, rises or falls",
                           text);
}

/* ---- Sources ---- */

static const struct reducer *read_reducer(struct form *form, const struct node *node, bool frames) {
    const char *name = NULL;
    form_text(form, node, &name);
    const struct reducer *reducer = name ? reducer_named(name) : NULL;
    if (!name || (reducer && (frames ? reducer->for_frames : reducer->for_runs)))
        return reducer;
    AUTO_FREE char *advice = spelling_advice(name, reducer_names(frames));
    form->status = fail_at(node->place, "`%s` is %.60s; %s", node->key, name, advice);
    return NULL;
}

static void read_over(struct form *form, const struct node *node, void *field) {
    struct source *from = field;
    form_refuse_if(form, node->kind != NODE_MAP, node->place,
                   "`over` must be a map, as in {body.mesh: mean, runs: median}");
    for (int i = 0; node->kind == NODE_MAP && i < node->count; i++) {
        const struct node *item = &node->items[i];
        const struct reducer *reducer = read_reducer(form, item, false);
        if (!strcmp(item->key, "each")) {
            from->over_each = reducer;
            form_refuse_if(form, !from->each && !from->along && !from->compare, item->key_place,
                           "over: {each: ...} reduces the values of `each`, `along` or `compare`, but `from` has none "
                           "of these keys; add one");
        } else if (from->over_count == 8) {
            form->status = fail_at(item->key_place, "`over` has more than 8 paths; write at most 8");
        } else {
            from->over[from->over_count].path = item->key;
            from->over[from->over_count++].reducer = reducer;
            if (!strcmp(item->key, "runs") && i + 1 < node->count && strcmp(node->items[i + 1].key, "each") != 0)
                form->status = fail_at(item->key_place,
                                       "`over` has the key `runs` before %s; write `runs` last, because this key "
                                       "reduces all remaining runs to one number",
                                       node->items[i + 1].key);
        }
    }
}

static void read_at(struct form *form, const struct node *node, void *field) {
    struct source *from = field;
    from->is_at_time = true;
    if (unit_read(node->place, "at", node->text ? node->text : "", "s", &from->at_time))
        form->status = STATUS_BAD;
    else if (from->at_time < 0)
        form->status = fail_at(node->place, "`at` is %.60s; expected a time of at least 0 s", node->text);
}

static void read_decay(struct form *form, const struct node *node, void *field) {
    struct source *from = field;
    if (unit_read(node->place, "decay", node->text ? node->text : "", "1", &from->decay))
        form->status = STATUS_BAD;
    else if (!(from->decay > 0 && from->decay < 1))
        form->status = fail_at(node->place, "decay is %.60s; expected a fraction above 0 and below 1", node->text);
}

static const struct form_key over_frames_keys[] = {
    {"at", 0, read_at, NULL},
    {"decay", 0, read_decay, NULL},
    {.name = NULL},
};

/* Read over_frames: the name of a reducer, {at: TIME}, or {decay: FRACTION}. */
static void read_over_frames(struct form *form, const struct node *node, void *field) {
    struct source *from = field;
    if (node->kind != NODE_MAP)
        from->over_frames = read_reducer(form, node, true);
    else if (form_read_map(form, node, "over_frames", over_frames_keys, from) && node->count != 1)
        form->status = fail_at(node->place,
                               "over_frames is %s; write a reducer (%s), a time, as in {at: 0.5 s}, or a fraction of "
                               "the largest value, as in {decay: 0.368}",
                               node->count ? "both a time and a fraction" : "an empty map", reducer_names(true));
}

static void read_statistic(struct form *form, const struct node *node, void *field) {
    struct source *from = field;
    const int statistic = form_choice(form, node, "statistic", "median lee2022"); /* in the order of enum statistic */
    from->statistic = statistic < 0 ? STATISTIC_MEDIAN : (enum statistic)statistic;
    form_refuse_if(form, statistic >= 0 && (!from->quantity || !quantity_is_timing(from->quantity)), node->key_place,
                   "`statistic` is for timings: frame_seconds, frames_per_second or step_seconds");
}

static void read_between(struct form *form, const struct node *node, void *field) {
    *(bool *)field = node->kind == NODE_SCALAR && !strcmp(node->text, "devices");
    form_refuse_if(form, !*(bool *)field, node->place, "`between` can only have the value devices");
}

/* Read a name that is used in the names of files and folders. */
static void read_name(struct form *form, const struct node *node, void *field) {
    form_text(form, node, field);
    if (*(const char **)field)
        form->status |= name_check(node->place, node->key, *(const char **)field);
}

/* Set `reference`: the clauses of `select` whose names `against` does not have, then the clauses of `against`. */
static void join_clauses(struct form *form, struct source *from) {
    const struct clauses *select = &from->select, *against = &from->against;
    struct clauses *out = &from->reference;
    out->items = pool_add(&form->pool, memory_new((size_t)select->count + (size_t)against->count, sizeof *out->items));
    for (int s = 0; s < select->count; s++) {
        bool replaced = false;
        for (int a = 0; a < against->count; a++)
            replaced = replaced || !strcmp(select->items[s].name, against->items[a].name);
        if (!replaced)
            out->items[out->count++] = select->items[s];
    }
    for (int a = 0; a < against->count; a++)
        out->items[out->count++] = against->items[a];
}

static void read_quantity(struct form *form, const struct node *node, void *field) {
    form_text(form, node, field);
    const char *name = *(const char **)field;
    AUTO_FREE char *refusal = name ? quantity_refusal(name) : NULL;
    form_refuse_if(form, refusal != NULL, node->place, refusal);
}

#define AT(field) offsetof(struct source, field)

static const struct form_key source_keys[] = {
    {"experiment", AT(experiment), read_name, "`from` has no experiment; name one, as in va2022/resolutions"},
    {"select", AT(select), read_clauses, NULL},
    {"quantity", AT(quantity), read_quantity, NULL},
    {"statistic", 0, read_statistic, NULL},
    {"over_frames", 0, read_over_frames, NULL},
    {"each", AT(each), form_text, NULL},
    {"along", AT(along), form_text, NULL},
    {"compare", AT(compare), form_text, NULL},
    {"over", 0, read_over, NULL},
    {"only", AT(only), read_clauses, NULL},
    {"numerator", AT(numerator), read_clauses, NULL},
    {"denominator", AT(denominator), read_clauses, NULL},
    {"against", AT(against), read_clauses, NULL},
    {"between", AT(between_devices), read_between, NULL},
    {"same", AT(same), form_text, NULL},
    {.name = NULL},
};

/* Check that `against` is given for quantities of two runs and for no other quantity, and that `over_frames` is given
 * for all quantities of the recorded geometry. */
static void check_geometry(struct form *form, const struct node *node, const struct source *from) {
    const struct node *against = document_item(node, "against"), *quantity = document_item(node, "quantity");
    const struct geometry_kind *kind = from->quantity ? geometry_kind_named(from->quantity) : NULL;
    const bool is_pair = kind && kind->is_pair;
    if (against && !is_pair)
        form->status = fail_at(against->key_place, "`against` is for quantities of two runs: shape_distance, "
                                                   "centre_distance, height_difference or position_distance");
    if (is_pair && !against)
        form->status = fail_at(quantity->place,
                               "%s compares two runs of one surface; select the other run, as in against: "
                               "{method.name: pbd_strain_tets}",
                               kind->name);
    if (kind && !document_item(node, "over_frames"))
        form->status = fail_at(quantity->place,
                               "%s is a series over the recorded geometries; add over_frames to reduce it to one "
                               "number: %s, {at: 0.5 s} or {decay: 0.368}",
                               kind->name, reducer_names(true));
}

static void read_from(struct form *form, const struct node *node, void *field) {
    struct claim *claim = field;
    struct source *from = &claim->from;
    if (!form_read_map(form, node, "from", source_keys, from))
        return;
    check_geometry(form, node, from);
    if (from->against.count)
        join_clauses(form, from);
    form_refuse_if(form, !document_item(node, "quantity") == !document_item(node, "same"), node->place,
                   "`from` needs either the key `quantity`, or the key `same` for a text that must be equal in all "
                   "runs");
    form_refuse_if(form, from->same && claim->kind != KIND_CAPABILITY, node->place,
                   "the key `same` is for the kind capability only");
    form_refuse_if(form, !from->numerator.count != !from->denominator.count, node->place,
                   "a ratio needs both a numerator and a denominator");
    form_refuse_if(form, claim->kind == KIND_RATIO && !from->numerator.count, node->place,
                   "the kind ratio needs a numerator and a denominator");
    form_refuse_if(form, from->along && from->compare, node->place,
                   "`along` is for numbers and `compare` is for words; give one of these keys");
    form_refuse_if(form, claim->kind == KIND_SHAPE && !from->along, node->place,
                   "the kind shape needs along: PATH; the slope is computed over the numbers at this path");
}

/* ---- Consistency ---- */

#define FORMULA                                                                                                        \
    "write one formula of numbers, names from the key `with`, the operators + - * / ^, parentheses, and the "          \
    "functions that docs/claims.md lists"
#define MOST_FORMULA 2000 /* characters; muParser fails with a formula of 20,000 */

/* The functions min and max of a formula. The result is NaN if an argument is NaN. */
static double smaller(double a, double b) {
    return isnan(a) || a < b ? a : b;
}

static double larger(double a, double b) {
    return isnan(a) || a > b ? a : b;
}

/* All functions of a formula; docs/claims.md lists them. muParser's own definitions are not used: its `log` is `ln`,
 * its _pi has only 12 decimals, and functions such as `sum` read 1,740 as two numbers. */
static const struct {
    const char *name;
    double (*of_one)(double);
    double (*of_two)(double, double);
} functions[] = {{"sqrt", .of_one = sqrt},   {"abs", .of_one = fabs},    {"rint", .of_one = round},
                 {"exp", .of_one = exp},     {"ln", .of_one = log},      {"log2", .of_one = log2},
                 {"log10", .of_one = log10}, {"sin", .of_one = sin},     {"cos", .of_one = cos},
                 {"tan", .of_one = tan},     {"asin", .of_one = asin},   {"acos", .of_one = acos},
                 {"atan", .of_one = atan},   {"min", .of_two = smaller}, {"max", .of_two = larger}};

/* Refuse formulas that muParser would misunderstand, or for which its message would be unclear. */
static int check_formula(struct place place, const char *formula) {
    const size_t length = strlen(formula);
    if (length > MOST_FORMULA)
        return fail_at(place,
                       "compute: the formula has %zu characters; at most %d are allowed; write a shorter formula",
                       length, MOST_FORMULA);
    for (const char *c = formula; *c; c++) {
        const int position = (int)(c - formula) + 1;
        if ((unsigned char)*c >= 0x80)
            return fail_at(place, "compute: character %d is not an ASCII character; " FORMULA, position);
        if (!isalnum((unsigned char)*c) && !strchr("_.+-*/^(), ", *c))
            return fail_at(place, "compute: character %d is '%c'; " FORMULA, position, *c);
        if (*c == ',' && c > formula && isdigit((unsigned char)c[-1]) && isdigit((unsigned char)c[1]))
            return fail_at(place,
                           "compute: the comma at character %d is between two digits; write a number without "
                           "separators, as in 31434242, and a space between arguments, as in min(1, 2)",
                           position);
    }
    return STATUS_OK;
}

/* muParser requires an error handler. This handler does nothing, because compute() finds errors by mupError(). */
static void no_handler(muParserHandle_t parser) {
    (void)parser;
}

static void compute(struct form *form, struct claim *claim) {
    const struct place place = claim_place(claim, "compute");
    if (check_formula(place, claim->compute)) {
        form->status = STATUS_BAD;
        return;
    }
    muParserHandle_t parser = mupCreate(0); /* the argument 0 selects doubles */
    int results = 0;
    mupSetErrorHandler(parser, no_handler);
    mupClearConst(parser);
    mupClearFun(parser);
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        if (functions[f].of_one)
            mupDefineFun1(parser, functions[f].name, functions[f].of_one, 1);
        else
            mupDefineFun2(parser, functions[f].name, functions[f].of_two, 1);
    for (int i = 0; i < claim->with.count; i++)
        mupDefineConst(parser, claim->with.items[i].name, claim->with.items[i].number);
    bool bad = mupError(parser);
    if (!bad) {
        mupSetExpr(parser, claim->compute);
        const double *values = mupEvalMulti(parser, &results);
        bad = mupError(parser);
        claim->computed = bad ? (double)NAN : values[0];
    }
    if (bad)
        form->status = fail_at(place, "compute: %s; " FORMULA, mupGetErrorMsg(parser));
    else if (results != 1)
        form->status = fail_at(place, "compute: \"%.60s\" has %d results; " FORMULA, claim->compute, results);
    else if (!isfinite(claim->computed))
        form->status =
            fail_at(place, "compute: the result of %s is not finite; check the numbers of `with`", claim->compute);
    mupRelease(parser);
}

static void read_verdict(struct form *form, const struct node *node, void *field) {
    struct stated_verdict *out = field;
    const char *text = NULL;
    form_text(form, node, &text);
    if (text && verdict_of_name(text, &out->verdict))
        out->is_given = true;
    else if (text)
        form->status =
            fail_at(node->place,
                    "there is no verdict \"%.60s\"; the verdicts are: matches, within tolerance, shape only, "
                    "depends, differs, not swept, not testable here, not run",
                    text);
}

static void check_consistency(struct form *form, const struct node *node, const struct claim *claim) {
    form_refuse_if(form, !claim->compute == !claim->finding, claim->node->place,
                   "a consistency claim needs either the keys `compute` and `reported`, or the keys `finding` and "
                   "`verdict`");
    form_refuse_if(form, claim->compute && !claim->reported, claim_place(claim, "compute"),
                   "the key `compute` needs the key `reported`, which is the printed number");
    form_refuse_if(form, claim->finding && !document_item(node, "verdict"), claim->node->place,
                   "a finding needs the verdict that follows from it, as in verdict: differs");
}

struct recorded {
    struct stated_verdict no_gpu, gpu, quick, full;
};

static const struct form_key recorded_keys[] = {
    {"gpu", offsetof(struct recorded, gpu), read_verdict, NULL},
    {"no_gpu", offsetof(struct recorded, no_gpu), read_verdict, NULL},
    {"quick", offsetof(struct recorded, quick), read_verdict, NULL},
    {"full", offsetof(struct recorded, full), read_verdict, NULL},
    {.name = NULL},
};

/* Read a verdict, or a map with verdicts for machines with and without a GPU, or a map with verdicts for tiers. */
static void read_recorded(struct form *form, const struct node *node, void *field) {
    struct claim *claim = field;
    struct recorded recorded = {.full = {false, VERDICT_NOT_RUN}};
    if (node->kind != NODE_MAP)
        read_verdict(form, node, &recorded.quick);
    else
        form_read_map(form, node, "recorded", recorded_keys, &recorded);
    const struct node *quick = document_item(node, "quick"), *tier = quick ? quick : document_item(node, "full");
    form_refuse_if(form, tier && (document_item(node, "gpu") || document_item(node, "no_gpu")),
                   tier ? tier->place : node->place,
                   "`recorded` has keys for a tier and for a GPU; use either `gpu` and `no_gpu`, or `quick` and "
                   "`full`");
    claim->recorded[0] = recorded.no_gpu.is_given ? recorded.no_gpu : recorded.quick;
    claim->recorded[1] = recorded.gpu.is_given ? recorded.gpu : recorded.quick;
    claim->recorded_full = recorded.full;
}

/* ---- Claims ---- */

static void read_id(struct form *form, const struct node *node, void *field) {
    const char **id = field;
    form_text(form, node, id);
    if (!isalpha((unsigned char)**id) || (*id)[strspn(*id, "abcdefghijklmnopqrstuvwxyz0123456789.-_")])
        form->status = fail_at(
            node->place,
            "the id \"%.60s\" must be made of small letters, digits, dots, dashes and underscores, and begin with a "
            "letter",
            *id);
}

static void read_kind(struct form *form, const struct node *node, void *field) {
    const int kind = form_choice(form, node, "kind", kind_words);
    *(enum claim_kind *)field = kind < 0 ? KIND_UNKNOWN : (enum claim_kind)kind;
}

static const struct form_key reading_keys[] = {
    {"says", offsetof(struct claim, says), form_text, "a reading needs `says`: which statistic it uses"},
    {"from", 0, read_from, "a reading needs its own `from`"},
    {.name = NULL},
};

static void read_readings(struct form *form, const struct node *node, void *field) {
    struct claim *claim = field;
    form_refuse_if(form, node->kind != NODE_LIST || !node->count, node->place,
                   "readings must be a list of maps: - {says: by the mean edge, from: {...}}");
    if (node->kind != NODE_LIST)
        return;
    claim->readings = pool_add(&form->pool, memory_new((size_t)node->count, sizeof *claim->readings));
    for (int i = 0; i < node->count; i++) {
        struct claim *reading = &claim->readings[claim->reading_count++];
        *reading =
            (struct claim){.node = node, .id = claim->id, .kind = claim->kind, .why = "", .where = "", .needs = ""};
        form_read_map(form, &node->items[i], "a reading", reading_keys, reading);
    }
}

static void read_class(struct form *form, const struct node *node, void *field) {
    const int class = form_choice(form, node, "class", "result count erratum background");
    *(enum claim_class *)field = (enum claim_class)(class + 1);
}

static void read_headline(struct form *form, const struct node *node, void *field) {
    *(bool *)field = form_choice(form, node, "headline", "true") == 0;
}

static void read_optional(struct form *form, const struct node *node, void *field) {
    *(bool *)field = form_choice(form, node, "optional", "true") == 0;
}

#define NEEDED(key) "this claim has no key `" key "`; every claim needs the keys `id`, `says` and `kind`"
#define IN(field)   offsetof(struct claim, field)

/* The keys are read in this order, because some functions use the values of earlier keys. */
static const struct form_key claim_keys[] = {
    {"id", IN(id), read_id, NEEDED("id")},
    {"where", IN(where), form_text, NULL},
    {"says", IN(says), form_text, NEEDED("says")},
    {"kind", IN(kind), read_kind, NEEDED("kind")},
    {"why", IN(why), form_text, NULL},
    {"from", 0, read_from, NULL},
    {"reported", 0, read_printed, NULL},
    {"tolerance", 0, read_tolerance, NULL},
    {"expect", 0, read_expect, NULL},
    {"scales", IN(scales), read_numbers, NULL},
    {"needs", IN(needs), form_words, NULL},
    {"compute", IN(compute), form_text, NULL},
    {"with", IN(with), read_numbers, NULL},
    {"finding", IN(finding), form_text, NULL},
    {"verdict", IN(fixed), read_verdict, NULL},
    {"recorded", 0, read_recorded, NULL},
    {"class", IN(class), read_class, NULL},
    {"fact", IN(fact), form_text, NULL},
    {"explained", IN(explained), form_text, NULL},
    {"short", IN(brief), form_text, NULL},
    {"headline", IN(is_headline), read_headline, NULL},
    {"optional", IN(is_optional), read_optional, NULL},
    {"readings", 0, read_readings, NULL},
    {.name = NULL},
};

static const struct form_key admissible_keys[] = {
    {"says", IN(says), form_text, "a condition needs `says`: what the scene must do"},
    {"from", 0, read_from, "a condition needs `from`"},
    {"expect", 0, read_expect, "a condition needs a bound, as in expect: \"< 0.01 m\""},
    {.name = NULL},
};

/* Check that a claim has the keys that its kind needs, and no keys that its kind cannot have. */
static void check_keys(struct form *form, const struct node *node, const struct claim *claim) {
    const char *name = kinds[claim->kind].name;
    AUTO_FREE char *needed = text_copy(kinds[claim->kind].required);
    AUTO_FREE char *used = text_format("%s %s %s", common_keys, needed, kinds[claim->kind].optional);
    for (const struct form_key *key = claim_keys; key->name; key++) {
        const struct node *item = document_item(node, key->name);
        if (item && !words_have(used, key->name, strlen(key->name)))
            form->status =
                fail_at(item->key_place, "a claim of the kind %s cannot have the key `%s`; remove it", name, key->name);
    }
    for (char *rest = needed, *key; (key = strsep(&rest, " "));)
        if (*key && !document_item(node, key))
            form->status = fail_at(claim->node->place, "a claim of the kind %s needs the key `%s`", name, key);
    form_refuse_if(form, claim->kind == KIND_CAPABILITY && !claim->from.same && !document_item(node, "expect"),
                   claim->node->place,
                   "a capability needs the key `expect` (yes, no or a bound), or from: {same: ...}");
    form_refuse_if(form, claim->kind == KIND_ORDER && claim->expect.kind == EXPECT_CHAIN && !claim->from.compare,
                   claim_place(claim, "expect"),
                   "an order of names needs from: {compare: PATH}; the names are values at this path");
    if (claim->expect.kind == EXPECT_TREND && !claim->from.along)
        form->status = fail_at(claim_place(claim, "expect"),
                               "expect: %s needs from: {along: PATH}; the values at this path must be numbers",
                               claim->expect_text);
    if ((claim->kind == KIND_BOUND || claim->kind == KIND_CAPABILITY) &&
        (claim->expect.kind == EXPECT_CHAIN || claim->expect.kind == EXPECT_TREND))
        form->status =
            fail_at(claim_place(claim, "expect"), "a claim of the kind %s expects a bound, as in \">= 30\"", name);
}

/* Complete the readings of a claim. A reading differs from its claim in `from` and `says` only. */
static void settle_readings(struct claim *claim) {
    for (int r = 0; r < claim->reading_count; r++) {
        const struct claim own = claim->readings[r];
        claim->readings[r] = *claim;
        claim->readings[r].says = own.says;
        claim->readings[r].from = own.from;
        claim->readings[r].readings = NULL;
        claim->readings[r].reading_count = 0;
    }
}

static void read_claim(struct form *form, const struct node *node, struct claim *claim) {
    const int before = failure_count();
    *claim = (struct claim){.node = node,
                            .id = "",
                            .where = "",
                            .says = "",
                            .why = "",
                            .needs = "",
                            .fact = "",
                            .explained = "",
                            .brief = "",
                            .kind = KIND_UNKNOWN};
    if (!form_read_map(form, node, "a claim", claim_keys, claim) || claim->kind == KIND_UNKNOWN)
        return;
    check_keys(form, node, claim);
    if (claim->kind == KIND_CONSISTENCY)
        check_consistency(form, node, claim);
    if (claim->kind == KIND_CONSISTENCY && claim->compute && failure_count() == before)
        compute(form, claim);
    /* If a ratio between devices differs from the printed ratio, only its direction is judged. The direction is as
     * printed if both ratios are on the same side of 1. */
    if (claim->from.between_devices && !claim->expect_text)
        claim->expect = (struct expect){.kind = EXPECT_BOUND, .relation = claim->printed < 1 ? '<' : '>', .bound = "1"};
    settle_readings(claim);
}

static void read_admissible(struct form *form, const struct node *list, void *field) {
    struct claim_file *out = field;
    form_refuse_if(form, list->kind != NODE_LIST, list->place,
                   "admissible must be a list of conditions: - {says: ..., from: {...}, expect: ...}");
    if (list->kind != NODE_LIST)
        return;
    out->admissible = pool_add(&form->pool, memory_new((size_t)list->count + 1, sizeof *out->admissible));
    for (int i = 0; i < list->count; i++) {
        struct claim *condition = &out->admissible[out->admissible_count++];
        *condition = (struct claim){
            .node = &list->items[i], .id = "admissible", .where = "", .why = "", .needs = "", .kind = KIND_BOUND};
        form_read_map(form, &list->items[i], "a condition", admissible_keys, condition);
        form_refuse_if(form, condition->expect.kind != EXPECT_BOUND, list->items[i].place,
                       "a condition needs a bound, as in expect: \"< 0.01 m\"");
    }
}

/* Whether two ids give the same gnuplot variable: `a.b-c` and `a_b.c` both give a_b_c. */
static bool same_variable(const char *a, const char *b) {
    while (*a && (*a == *b || (!isalnum((unsigned char)*a) && *b && !isalnum((unsigned char)*b))))
        a++, b++;
    return !*a && !*b;
}

static void read_claims(struct form *form, const struct node *list, void *field) {
    struct claim_file *out = field;
    if (list->kind != NODE_LIST || !list->count) {
        form->status = fail_at(list->place, "`claims` must be a list of claims, each beginning with \"- id: \"");
        return;
    }
    out->claims = pool_add(&form->pool, memory_new((size_t)list->count, sizeof *out->claims));
    out->count = list->count;
    for (int i = 0; i < list->count; i++) {
        const struct claim *claim = &out->claims[i];
        read_claim(form, &list->items[i], &out->claims[i]);
        for (const struct claim *other = out->claims; other < claim; other++)
            if (*claim->id && same_variable(claim->id, other->id))
                form->status =
                    fail_at(document_item(&list->items[i], "id")->place,
                            strcmp(claim->id, other->id)
                                ? "the id %s and that of the claim at line %d give the same variable for the figures, "
                                  "because dots and dashes become underscores; change one of the ids"
                                : "the id %s is also the id of the claim at line %d; change one of the ids",
                            claim->id, other->node->place.line);
    }
}

/* ---- Files ---- */

#define VERSION "a file of claims begins with springback: 1, the version of its format"

static void read_version(struct form *form, const struct node *node, void *field) {
    (void)field;
    form_refuse_if(form, node->kind != NODE_SCALAR || strcmp(node->text, "1") != 0, node->place, VERSION);
}

static void read_doi(struct form *form, const struct node *node, void *field) {
    const char **doi = field;
    form_text(form, node, doi);
    if (**doi && strncmp(*doi, "10.", 3) != 0)
        form->status =
            fail_at(node->place, "`doi` is %.60s; a doi begins with \"10.\", as in 10.1109/ACCESS.2023.3245130", *doi);
}

static void read_authors(struct form *form, const struct node *node, void *field) {
    bool is_list = node->kind == NODE_LIST && node->count;
    for (int i = 0; i < node->count; ++i)
        is_list = is_list && node->items[i].kind == NODE_SCALAR && *node->items[i].text;
    form_refuse_if(form, !is_list, node->place, "`authors` must be a list of names, as in [Hongly Va, Min Hong]");
    *(const struct node **)field = node;
}

/* The text for claim_file.citation. Newly allocated; the caller frees it. */
static char *citation_of(const struct claim_file *claims) {
    char *text = text_copy("");
    for (int i = 0; claims->authors && i < claims->authors->count; ++i)
        text_append(&text, "%s%s", i ? ", " : "", claims->authors->items[i].text);
    text_append(&text, "%s%s", *text && *claims->title ? ": " : "", claims->title);
    text_append(&text, "%s%s", *text && *claims->published ? ", " : "", claims->published);
    return text;
}

static const struct form_key file_keys[] = {
    {"springback", 0, read_version, VERSION},
    {"paper", offsetof(struct claim_file, paper), read_name,
     "a file of claims names its paper, for example paper: va2022"},
    {"title", offsetof(struct claim_file, title), form_text, NULL},
    {"authors", offsetof(struct claim_file, authors), read_authors, NULL},
    {"published", offsetof(struct claim_file, published), form_text, NULL},
    {"doi", offsetof(struct claim_file, doi), read_doi, NULL},
    {"claims", 0, read_claims, "a file of claims needs the key `claims`, which is a list of claims"},
    {"admissible", 0, read_admissible, NULL},
    {.name = NULL},
};

/* Whether a file is an experiment file, or a file of shared assumptions, and not a file of claims. */
static bool is_experiment(const struct node *root) {
    return root->kind == NODE_MAP && !document_item(root, "claims") &&
           (document_item(root, "method") || document_item(root, "body") || document_item(root, "assumptions"));
}

int claim_file_read(const char *file, struct claim_file *out) {
    *out = (struct claim_file){.title = "", .published = "", .doi = "", .citation = ""};
    if (!form_open(file, &out->form) && is_experiment(&out->form.root))
        out->form.status = fail_at(out->form.root.place,
                                   "this is a file of an experiment or of assumptions; name a file of claims, such as "
                                   "those in paper_checks/; --about selects an experiment's claims");
    else if (!out->form.status)
        form_read_map(&out->form, &out->form.root, "a file of claims", file_keys, out);
    const int status = out->form.status;
    if (status)
        claim_file_free(out);
    else
        out->citation = pool_add(&out->form.pool, citation_of(out));
    return status;
}

void claim_file_free(struct claim_file *file) {
    form_close(&file->form);
    *file = (struct claim_file){.count = 0};
}
