#include "claim/claim_file.h"

#include "base/memory.h"
#include "base/number.h"
#include "claim/geometry.h"
#include "claim/quantity.h"
#include "experiment/document.h"
#include "experiment/name.h"
#include "experiment/spelling.h"
#include "experiment/units.h"

#include <ctype.h>
#include <math.h>
#include <muParserDLL.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct claim_file *out;
    int status;
};

/* The kinds, the keys that each must have, and those that it may have besides. */
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

static const char all_keys[] = "id where says kind from reported tolerance expect scales needs compute with finding "
                               "verdict recorded why";
static const char common_keys[] = "id where says kind needs recorded why";

const char *claim_kind_name(enum claim_kind kind) {
    return kinds[kind].name;
}

/* ---- Small tools ---- */

static void *keep(struct reader *reader, void *memory) {
    struct claim_file *out = reader->out;
    out->kept = memory_grow(out->kept, (size_t)out->kept_count + 1, sizeof *out->kept);
    return out->kept[out->kept_count++] = memory;
}

static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; length && (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

static const char *advice(struct reader *reader, const char *given, const char *words) {
    return keep(reader, spelling_advice(given, words));
}

static bool is_map(struct reader *reader, const struct node *node, const char *what, const char *words) {
    if (node->kind != NODE_MAP) {
        reader->status =
            fail_at(node->place, "%s is %s; it must be a map with the keys %s", what, document_kind(node), words);
        return false;
    }
    for (int i = 0; i < node->count; i++)
        if (!has_word(words, node->items[i].key))
            reader->status = fail_at(node->items[i].key_place, "%s has no key %.60s; %s", what, node->items[i].key,
                                     advice(reader, node->items[i].key, words));
    return true;
}

/* A scalar's text, or a list's words joined by spaces, as canonical texts are written; NULL where neither. */
static const char *node_text(struct reader *reader, const struct node *node, const char *what) {
    char *text = NULL;
    if (node->kind == NODE_SCALAR && *node->text)
        return keep(reader, text_copy(node->text));
    for (int i = 0; node->kind == NODE_LIST && i < node->count; i++) {
        const struct node *item = &node->items[i];
        if (item->kind != NODE_SCALAR || !*item->text) {
            text = NULL;
            break;
        }
        text = keep(reader, text ? text_format("%s %s", text, item->text) : text_copy(item->text));
    }
    if (!text)
        reader->status =
            fail_at(node->place, "%s has no value; write a word, a number, a text, or a list of them", what);
    return text;
}

static const char *item_text(struct reader *reader, const struct node *map, const char *key) {
    const struct node *item = document_item(map, key);
    return item ? node_text(reader, item, key) : NULL;
}

static void read_clauses(struct reader *reader, const struct node *map, const char *key, bool numbers,
                         struct clauses *out) {
    const struct node *item = document_item(map, key);
    if (!item)
        return;
    if (item->kind != NODE_MAP || !item->count) {
        reader->status = fail_at(item->place, "%s must be a map of names and values, as in {time.step: 0.005 s}", key);
        return;
    }
    out->items = keep(reader, memory_new((size_t)item->count, sizeof *out->items));
    for (int i = 0; i < item->count; i++) {
        const struct node *entry = &item->items[i];
        struct clause clause = {keep(reader, text_copy(entry->key)), node_text(reader, entry, entry->key), 0,
                                entry->key_place};
        if (!clause.value)
            continue;
        if (numbers && unit_read(entry->place, entry->key, clause.value, "1", &clause.number))
            reader->status = STATUS_BAD;
        out->items[out->count++] = clause;
    }
}

/* ---- Numbers as they are printed ---- */

#define MOST_EXPONENT 300 /* of ten, in a double */

/* A decimal number as it is printed, and half a unit in its last place; what follows it, or NULL where there is none.
 */
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

/* "5.61 %": the number 5.61, half a unit in its last printed place 0.005, the unit "%". "6 to 7 1/s": the middle of the
 * range 6.5, and half of it 0.5. */
static void read_printed(struct reader *reader, const struct node *node, struct claim *claim) {
    static const char to[] = "to ";
    double last = 0, rounding;
    claim->reported_place = node->place;
    claim->reported_unit = "";
    claim->reported = node_text(reader, node, "reported");
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
        reader->status = fail_at(node->place,
                                 "reported is \"%.60s\"; write the number as it is printed, without "
                                 "separators, and its unit after a space, as in 5.61 %%, or a range, as in 6 to 7 1/s",
                                 claim->reported);
    else if (claim->is_range && !(claim->printed_half > 0))
        reader->status = fail_at(
            node->place, "reported is \"%.60s\"; a range goes from the smaller number to the larger", claim->reported);
    else
        claim->reported_unit = unit;
}

static void read_tolerance(struct reader *reader, const struct node *node, struct claim *claim) {
    claim->tolerance_place = node->place;
    if (!is_map(reader, node, "tolerance", "relative absolute"))
        return;
    claim->relative = item_text(reader, node, "relative");
    claim->absolute = item_text(reader, node, "absolute");
    if (!claim->relative == !claim->absolute)
        reader->status = fail_at(node->place, "tolerance is either {relative: 25 %%} or {absolute: 2 %%}");
    if (claim->relative && unit_read(node->place, "tolerance", claim->relative, "1", &claim->relative_share))
        reader->status = STATUS_BAD;
    double absolute = 0;
    if (claim->relative_share < 0 || (claim->absolute && (!number_read(claim->absolute, &absolute) || absolute < 0)))
        reader->status =
            fail_at(node->place, "tolerance: %s is \"%.60s\"; write a number that is not below 0",
                    claim->absolute ? "absolute" : "relative", claim->absolute ? claim->absolute : claim->relative);
    if (!*claim->why)
        reader->status = fail_at(node->place, "a tolerance without a reason; say in why how it was chosen");
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

/* The relation that a text begins with, <, <=, >, >= or =; what follows it, or NULL if there is none. */
static const char *read_relation(const char *text, struct expect *expect) {
    if (!*text || !strchr("<>=", *text))
        return NULL;
    *expect = (struct expect){.relation = text[0], .or_equal = text[0] != '=' && text[1] == '='};
    return text + (expect->or_equal ? 2 : 1);
}

static void read_expect(struct reader *reader, const struct node *node, struct claim *claim) {
    struct expect *expect = &claim->expect;
    const char *text = claim->expect_text = node_text(reader, node, "expect");
    claim->expect_place = node->place;
    if (!text)
        return;
    for (size_t i = 0; i < sizeof expect_words / sizeof expect_words[0]; i++)
        if (!strcmp(text, expect_words[i].word)) {
            *expect = expect_words[i].expect;
            return;
        }
    const char *bound = read_relation(text, expect);
    if (bound) {
        double number;
        expect->kind = EXPECT_BOUND;
        expect->bound = bound + strspn(bound, " ");
        if (number_read(expect->bound, &number))
            return;
    } else {
        /* a < b < c: names between relations, all of them the same. */
        char *rest = keep(reader, text_copy(text));
        bool good = true;
        for (char *word; (word = strsep(&rest, " ")) && good;) {
            struct expect relation;
            if (!*word)
                continue;
            const char *end = read_relation(word, &relation);
            if (end) {
                good = !*end && expect->name_count > 0 &&
                       (!expect->relation ||
                        (expect->relation == relation.relation && expect->or_equal == relation.or_equal));
                expect->relation = relation.relation;
                expect->or_equal = relation.or_equal;
                expect->kind = EXPECT_NOTHING;
            } else {
                good = expect->name_count < 8 && expect->kind == EXPECT_NOTHING;
                if (good)
                    expect->name[expect->name_count++] = word;
                expect->kind = EXPECT_CHAIN; /* a relation must come before the next name */
            }
        }
        if (good && expect->kind == EXPECT_CHAIN && expect->name_count > 1)
            return;
    }
    *expect = (struct expect){0};
    reader->status = fail_at(node->place,
                             "expect is \"%.60s\"; it can be a bound (\">= 30 1/s\"), yes, no, an order "
                             "(a < b), increasing, decreasing, rises or falls",
                             text);
}

/* ---- Sources ---- */

static const struct reducer *read_reducer(struct reader *reader, const struct node *node, bool frames) {
    const char *name = node_text(reader, node, node->key);
    const struct reducer *reducer = name ? reducer_named(name) : NULL;
    if (!name || (reducer && (frames ? reducer->for_frames : reducer->for_runs)))
        return reducer;
    reader->status =
        fail_at(node->place, "%s is %.60s; %s", node->key, name, advice(reader, name, reducer_names(frames)));
    return NULL;
}

static void read_over(struct reader *reader, const struct node *node, struct source *from) {
    if (node->kind != NODE_MAP) {
        reader->status = fail_at(node->place, "over must be a map, as in {body.mesh: mean, runs: median}");
        return;
    }
    for (int i = 0; i < node->count; i++) {
        const struct node *item = &node->items[i];
        const struct reducer *reducer = read_reducer(reader, item, false);
        if (!strcmp(item->key, "each")) {
            from->over_each = reducer;
            if (!from->each && !from->along && !from->compare)
                reader->status = fail_at(item->key_place, "over has each, but there is no each to reduce; add one");
        } else if (from->over_count == 8) {
            reader->status = fail_at(item->key_place, "over has more than 8 paths");
        } else {
            from->over[from->over_count].path = keep(reader, text_copy(item->key));
            from->over[from->over_count++].reducer = reducer;
            if (!strcmp(item->key, "runs") && i + 1 < node->count && strcmp(node->items[i + 1].key, "each") != 0)
                reader->status = fail_at(item->key_place,
                                         "over reduces runs before %s; name runs last, since it "
                                         "leaves nothing to reduce",
                                         node->items[i + 1].key);
        }
    }
}

/* over_frames: a reducer's name, {at: TIME}, or {decay: SHARE}. */
static void read_over_frames(struct reader *reader, const struct node *node, struct source *from) {
    if (node->kind != NODE_MAP) {
        from->over_frames = read_reducer(reader, node, true);
        return;
    }
    if (!is_map(reader, node, "over_frames", "at decay"))
        return;
    const struct node *at = document_item(node, "at"), *decay = document_item(node, "decay");
    const char *time = item_text(reader, node, "at"), *share = item_text(reader, node, "decay");
    if (!node->count || (at && decay))
        reader->status =
            fail_at(node->place,
                    "over_frames is %s; write a reducer (%s), a time, as in {at: 0.5 s}, or a share of the "
                    "largest value, as in {decay: 0.368}",
                    node->count ? "both a time and a share" : "an empty map", reducer_names(true));
    else if ((at && time && unit_read(at->place, "at", time, "s", &from->at_time)) ||
             (decay && share && unit_read(decay->place, "decay", share, "1", &from->decay)))
        reader->status = STATUS_BAD;
    else if (at && time && !(from->at_time >= 0 && isfinite(from->at_time)))
        reader->status = fail_at(at->place, "at is %.60s; a run begins at 0 s", time);
    else if (decay && share && !(from->decay > 0 && from->decay < 1))
        reader->status = fail_at(decay->place, "decay is %.60s; a share between 0 and 1 would be right", share);
    from->is_at_time = at != NULL;
}

static void read_statistic(struct reader *reader, const struct node *node, struct source *from) {
    static const char *const names[] = {[STATISTIC_MEDIAN] = "median", [STATISTIC_LEE2022] = "lee2022"};
    const char *text = node_text(reader, node, "statistic");
    for (size_t s = 0; text && s < sizeof names / sizeof *names; s++)
        if (!strcmp(text, names[s])) {
            from->statistic = (enum statistic)s;
            if (!from->quantity || !quantity_is_timing(from->quantity))
                reader->status = fail_at(node->key_place, "statistic is for timings: frame_seconds, frames_per_second "
                                                          "or step_seconds");
            return;
        }
    if (text)
        reader->status =
            fail_at(node->place, "there is no statistic %.60s; %s", text, advice(reader, text, "median lee2022"));
}

/* `select` with the values of `against`: what a run is compared with. */
static void join_clauses(struct reader *reader, struct source *from) {
    const struct clauses *select = &from->select, *against = &from->against;
    struct clauses *out = &from->reference;
    out->items = keep(reader, memory_new((size_t)select->count + (size_t)against->count, sizeof *out->items));
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

/* What a quantity of recorded geometry needs beside it. */
static void read_against(struct reader *reader, const struct node *node, struct source *from) {
    const struct node *against = document_item(node, "against"), *quantity = document_item(node, "quantity");
    const struct geometry_kind *kind = from->quantity ? geometry_kind_named(from->quantity) : NULL;
    read_clauses(reader, node, "against", false, &from->against);
    if (against && !(kind && kind->is_pair))
        reader->status = fail_at(against->key_place, "against is for quantities of two runs: shape_distance, "
                                                     "centre_distance or height_difference");
    if (kind && kind->is_pair && !against)
        reader->status = fail_at(quantity->place,
                                 "%s compares two runs of one surface; say with which, as in against: {method.name: "
                                 "pbd_strain_tets}",
                                 kind->name);
    if (kind && !document_item(node, "over_frames"))
        reader->status = fail_at(quantity->place,
                                 "%s is a series over the recorded geometries; add over_frames, how it becomes one "
                                 "number: %s, {at: 0.5 s} or {decay: 0.368}",
                                 kind->name, reducer_names(true));
    if (from->against.count)
        join_clauses(reader, from);
}

static void read_from(struct reader *reader, const struct node *node, struct claim *claim) {
    struct source *from = &claim->from;
    if (!is_map(reader, node, "from",
                "experiment select quantity statistic over_frames over each along compare only numerator denominator "
                "against between same"))
        return;
    from->experiment = item_text(reader, node, "experiment");
    from->quantity = item_text(reader, node, "quantity");
    from->same = item_text(reader, node, "same");
    from->each = item_text(reader, node, "each");
    from->along = item_text(reader, node, "along");
    from->compare = item_text(reader, node, "compare");
    read_clauses(reader, node, "select", false, &from->select);
    read_clauses(reader, node, "numerator", false, &from->numerator);
    read_clauses(reader, node, "denominator", false, &from->denominator);
    read_clauses(reader, node, "only", false, &from->only);
    const struct node *over = document_item(node, "over"), *frames = document_item(node, "over_frames"),
                      *between = document_item(node, "between"), *statistic = document_item(node, "statistic");
    if (over)
        read_over(reader, over, from);
    if (frames)
        read_over_frames(reader, frames, from);
    if (statistic)
        read_statistic(reader, statistic, from);
    read_against(reader, node, from);
    const char *what = between ? node_text(reader, between, "between") : NULL;
    from->between_devices = what && !strcmp(what, "devices");
    if (what && !from->between_devices)
        reader->status = fail_at(between->place, "between is %.60s; it can only be devices", what);
    if (!document_item(node, "experiment"))
        reader->status = fail_at(node->place, "from has no experiment; name one, as in va2022/resolutions");
    if (from->experiment)
        reader->status |= name_check(document_item(node, "experiment")->place, "experiment", from->experiment);
    if (!document_item(node, "quantity") == !document_item(node, "same"))
        reader->status = fail_at(node->place, "from needs a quantity, or same for a text that must be equal; not both");
    if (from->same && claim->kind != KIND_CAPABILITY)
        reader->status = fail_at(node->place, "same goes with the kind capability only");
    if (!from->numerator.count != !from->denominator.count)
        reader->status = fail_at(node->place, "a ratio needs both a numerator and a denominator");
    if (claim->kind == KIND_RATIO && !from->numerator.count)
        reader->status = fail_at(node->place, "the kind ratio needs a numerator and a denominator");
    if (from->along && from->compare)
        reader->status = fail_at(node->place, "along is for numbers and compare for words; give one of them");
    if (claim->kind == KIND_SHAPE && !from->along)
        reader->status = fail_at(node->place, "the kind shape needs along: the axis of the slope");
}

/* ---- Consistency ---- */

#define FORMULA                                                                                                        \
    "write one formula of numbers, names that stand under with, + - * / ^, parentheses and the functions that "        \
    "docs/claims.md lists"
#define MOST_FORMULA 2000 /* characters; muParser drops a formula of 20,000 */

/* min and max; NaN if either is NaN. */
static double smaller(double a, double b) {
    return isnan(a) || a < b ? a : b;
}

static double larger(double a, double b) {
    return isnan(a) || a > b ? a : b;
}

/* All functions of a formula; docs/claims.md lists them. muParser's own `log` is `ln`, its _pi has 12 digits, and `sum`
 * and the like take 1,740 as two numbers. */
static const struct {
    const char *name;
    double (*of_one)(double);
    double (*of_two)(double, double);
} functions[] = {{"sqrt", .of_one = sqrt},   {"abs", .of_one = fabs},    {"rint", .of_one = round},
                 {"exp", .of_one = exp},     {"ln", .of_one = log},      {"log2", .of_one = log2},
                 {"log10", .of_one = log10}, {"sin", .of_one = sin},     {"cos", .of_one = cos},
                 {"tan", .of_one = tan},     {"asin", .of_one = asin},   {"acos", .of_one = acos},
                 {"atan", .of_one = atan},   {"min", .of_two = smaller}, {"max", .of_two = larger}};

/* Refuse what muParser would take, but for something else than is meant, and what it would not say well. */
static int check_formula(struct place place, const char *formula) {
    const size_t length = strlen(formula);
    if (length > MOST_FORMULA)
        return fail_at(place,
                       "compute: the formula has %zu characters; it may have at most %d, and parts of it can be named "
                       "under with",
                       length, MOST_FORMULA);
    for (const char *c = formula; *c; c++) {
        const int position = (int)(c - formula) + 1;
        if ((unsigned char)*c >= 0x80)
            return fail_at(place, "compute: character %d is no ASCII character; " FORMULA, position);
        if (!isalnum((unsigned char)*c) && !strchr("_.+-*/^(), ", *c))
            return fail_at(place, "compute: character %d is '%c'; " FORMULA, position, *c);
        if (*c == ',' && c > formula && isdigit((unsigned char)c[-1]) && isdigit((unsigned char)c[1]))
            return fail_at(place,
                           "compute: the comma at character %d is between two digits; write a number without "
                           "separators, as in 31434242, and arguments with a space, as in min(1, 2)",
                           position);
    }
    return STATUS_OK;
}

/* muParser reports an error only when it is asked, but an unset handler must not be called. */
static void no_handler(muParserHandle_t parser) {
    (void)parser;
}

static void compute(struct reader *reader, struct place place, struct claim *claim) {
    if (check_formula(place, claim->compute)) {
        reader->status = STATUS_BAD;
        return;
    }
    muParserHandle_t parser = mupCreate(0); /* 0: numbers are doubles */
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
        reader->status = fail_at(place, "compute: %s; " FORMULA, mupGetErrorMsg(parser));
    else if (results != 1)
        reader->status = fail_at(place, "compute: \"%.60s\" has %d results; " FORMULA, claim->compute, results);
    else if (!isfinite(claim->computed))
        reader->status = fail_at(place, "compute: %s is not finite; check the numbers under with", claim->compute);
    mupRelease(parser);
}

static enum verdict read_verdict(struct reader *reader, const struct node *node, bool *good) {
    const char *text = node_text(reader, node, "a verdict");
    for (int v = 0; text && v < VERDICT_COUNT; v++)
        if (!strcmp(text, verdict_name((enum verdict)v))) {
            *good = true;
            return (enum verdict)v;
        }
    if (text)
        reader->status = fail_at(node->place,
                                 "there is no verdict \"%.60s\"; one of: matches, within tolerance, shape "
                                 "only, sensitive, differs, not testable here, not run",
                                 text);
    *good = false;
    return VERDICT_NOT_RUN;
}

static void read_consistency(struct reader *reader, const struct node *node, struct claim *claim) {
    const struct node *formula = document_item(node, "compute"), *verdict = document_item(node, "verdict");
    int before = failure_count();
    bool good;
    read_clauses(reader, node, "with", true, &claim->with);
    claim->finding = item_text(reader, node, "finding");
    if (!formula == !claim->finding)
        reader->status = fail_at(claim->place, "a consistency claim has either compute, with and reported, or finding "
                                               "and verdict");
    if (formula && !claim->reported)
        reader->status = fail_at(formula->place, "compute needs reported, the printed number that it is to give");
    if (claim->finding && !verdict)
        reader->status = fail_at(claim->place, "a finding needs the verdict that it gives");
    if (verdict)
        claim->fixed = read_verdict(reader, verdict, &good);
    claim->compute = formula ? node_text(reader, formula, "compute") : NULL;
    if (claim->compute && failure_count() == before)
        compute(reader, formula->place, claim);
}

static void read_recorded(struct reader *reader, const struct node *node, struct claim *claim) {
    const struct node *everywhere = node;
    if (node->kind == NODE_MAP) {
        if (!is_map(reader, node, "recorded", "gpu no_gpu quick full"))
            return;
        const struct node *full = document_item(node, "full"),
                          *items[] = {document_item(node, "no_gpu"), document_item(node, "gpu")};
        everywhere = document_item(node, "quick");
        if ((everywhere || full) && (items[0] || items[1]))
            reader->status =
                fail_at((everywhere ? everywhere : full)->place,
                        "recorded has a tier beside gpu or no_gpu; have gpu and no_gpu, or quick and full");
        for (int i = 0; i < 2; i++)
            if (items[i])
                claim->recorded[i] = read_verdict(reader, items[i], &claim->has_recorded[i]);
        if (full)
            claim->recorded_full = read_verdict(reader, full, &claim->has_recorded_full);
    }
    if (everywhere) {
        claim->recorded[0] = claim->recorded[1] = read_verdict(reader, everywhere, &claim->has_recorded[0]);
        claim->has_recorded[1] = claim->has_recorded[0];
    }
}

/* ---- Claims ---- */

/* The keys that a kind must have, and those that it has no use for. */
static void check_keys(struct reader *reader, const struct node *node, const struct claim *claim) {
    const char *required = kinds[claim->kind].required, *optional = kinds[claim->kind].optional;
    for (int i = 0; i < node->count; i++) {
        const char *key = node->items[i].key;
        if (has_word(all_keys, key) && !has_word(common_keys, key) && !has_word(required, key) &&
            !has_word(optional, key))
            reader->status = fail_at(node->items[i].key_place, "a claim of the kind %s has no use for %s; leave it out",
                                     kinds[claim->kind].name, key);
    }
    char *rest = keep(reader, text_copy(required));
    for (char *key; *rest && (key = strsep(&rest, " "));) {
        if (!document_item(node, key))
            reader->status = fail_at(claim->place, "a claim of the kind %s needs %s", kinds[claim->kind].name, key);
        if (!rest)
            break;
    }
    if (claim->kind == KIND_CAPABILITY && !claim->from.same && !document_item(node, "expect"))
        reader->status = fail_at(claim->place, "a capability needs expect (yes, no or a bound), or from: {same: ...}");
    if (claim->kind == KIND_ORDER && claim->expect.kind == EXPECT_CHAIN && !claim->from.compare)
        reader->status =
            fail_at(claim->expect_place, "an order of names needs from: {compare: PATH}, whose values they "
                                         "are");
    if (claim->expect.kind == EXPECT_TREND && !claim->from.along)
        reader->status =
            fail_at(claim->expect_place, "%s needs from: {along: PATH}, a numeric axis", claim->expect_text);
    if ((claim->kind == KIND_BOUND || claim->kind == KIND_CAPABILITY) && claim->expect_text &&
        claim->expect.kind != EXPECT_BOUND && claim->expect.kind != EXPECT_NOTHING)
        reader->status = fail_at(claim->expect_place, "a claim of the kind %s expects a bound, as in \">= 30\"",
                                 kinds[claim->kind].name);
}

static void read_kind(struct reader *reader, const struct node *node, struct claim *claim) {
    const char *name = node_text(reader, node, "kind");
    for (int k = 0; name && k < KIND_UNKNOWN; k++)
        if (!strcmp(name, kinds[k].name)) {
            claim->kind = (enum claim_kind)k;
            return;
        }
    if (name)
        reader->status = fail_at(node->place, "there is no kind %.60s; %s", name,
                                 advice(reader, name, "value bound ratio order shape count consistency capability"));
    claim->kind = KIND_UNKNOWN;
}

static void read_claim(struct reader *reader, const struct node *node, struct claim *claim) {
    claim->place = node->place;
    claim->id = claim->where = claim->says = claim->why = claim->needs = "";
    claim->kind = KIND_UNKNOWN;
    if (!is_map(reader, node, "a claim", all_keys))
        return;
    const char **texts[] = {&claim->id, &claim->where, &claim->says, &claim->why, &claim->needs};
    const char *keys[] = {"id", "where", "says", "why", "needs"};
    for (int i = 0; i < 5; i++) {
        const char *text = item_text(reader, node, keys[i]);
        *texts[i] = text ? text : "";
    }
    const struct node *kind = document_item(node, "kind"), *from = document_item(node, "from"),
                      *reported = document_item(node, "reported"), *tolerance = document_item(node, "tolerance"),
                      *expect = document_item(node, "expect"), *recorded = document_item(node, "recorded");
    for (int i = 0; i < 3; i++)
        if (!document_item(node, (const char *[]){"id", "says", "kind"}[i]))
            reader->status = fail_at(node->place, "a claim has no %s; every claim needs an id, says and a kind",
                                     (const char *[]){"id", "says", "kind"}[i]);
    if (*claim->id && (!isalpha((unsigned char)*claim->id) ||
                       claim->id[strspn(claim->id, "abcdefghijklmnopqrstuvwxyz0123456789.-_")]))
        reader->status = fail_at(document_item(node, "id")->place,
                                 "the id \"%.60s\" must be made of small letters, "
                                 "digits, dots and dashes, a letter first",
                                 claim->id);
    if (kind)
        read_kind(reader, kind, claim);
    if (from)
        read_from(reader, from, claim);
    if (reported)
        read_printed(reader, reported, claim);
    if (claim->is_range && claim->kind == KIND_COUNT)
        reader->status =
            fail_at(reported->place, "reported is a range; a count is one number, and a value may be a range");
    if (tolerance)
        read_tolerance(reader, tolerance, claim);
    if (expect)
        read_expect(reader, expect, claim);
    if (recorded)
        read_recorded(reader, recorded, claim);
    read_clauses(reader, node, "scales", true, &claim->scales);
    if (claim->kind == KIND_UNKNOWN)
        return;
    check_keys(reader, node, claim);
    if (claim->kind == KIND_CONSISTENCY)
        read_consistency(reader, node, claim);
    if (claim->from.between_devices && !expect) /* a ratio's direction: on which side of 1 the paper's is */
        claim->expect = (struct expect){.kind = EXPECT_BOUND, .relation = claim->printed < 1 ? '<' : '>', .bound = "1"};
}

/* Whether two ids give one gnuplot variable: `a.b-c` gives a_b_c. */
static bool same_variable(const char *a, const char *b) {
    while (*a && (*a == *b || (!isalnum((unsigned char)*a) && *b && !isalnum((unsigned char)*b))))
        a++, b++;
    return !*a && !*b;
}

static void read_claims(struct reader *reader, const struct node *list) {
    if (list->kind != NODE_LIST || !list->count) {
        reader->status = fail_at(list->place, "claims must be a list of claims, each beginning with \"- id: \"");
        return;
    }
    struct claim_file *out = reader->out;
    out->claims = keep(reader, memory_new((size_t)list->count, sizeof *out->claims));
    out->count = list->count;
    for (int i = 0; i < list->count; i++) {
        read_claim(reader, &list->items[i], &out->claims[i]);
        for (int j = 0; j < i; j++)
            if (*out->claims[i].id && same_variable(out->claims[i].id, out->claims[j].id))
                reader->status =
                    fail_at(document_item(&list->items[i], "id")->place,
                            strcmp(out->claims[i].id, out->claims[j].id)
                                ? "the id %s and that of the claim at line %d make one variable for the figures, where "
                                  "dots and dashes are underscores; change one"
                                : "the id %s is taken by the claim at line %d; ids are unique",
                            out->claims[i].id, out->claims[j].place.line);
    }
}

int claim_file_read(const char *file, struct claim_file *out) {
    *out = (struct claim_file){.file = text_copy(file)};
    struct reader reader = {out, STATUS_OK};
    struct node root = {0};
    char *text = NULL;
    if (document_load(file, &text) || document_parse(text, out->file, true, &root)) {
        reader.status = STATUS_BAD;
    } else if (is_map(&reader, &root, "a file of claims", "springback paper title doi claims")) {
        const struct node *version = document_item(&root, "springback"), *claims = document_item(&root, "claims");
        if (!version || version->kind != NODE_SCALAR || strcmp(version->text, "1") != 0)
            reader.status = fail_at(version ? version->place : root.place,
                                    "a file of claims begins with springback: 1, the version of its form");
        out->paper = item_text(&reader, &root, "paper");
        if (out->paper)
            reader.status |= name_check(document_item(&root, "paper")->place, "paper", out->paper);
        const char *title = item_text(&reader, &root, "title"), *doi = item_text(&reader, &root, "doi");
        out->title = title ? title : "";
        out->doi = doi ? doi : "";
        if (doi && strncmp(doi, "10.", 3) != 0)
            reader.status = fail_at(document_item(&root, "doi")->place,
                                    "a doi begins with \"10.\", as in 10.1109/ACCESS.2023.3245130; not %.60s", doi);
        if (!document_item(&root, "paper"))
            reader.status = fail_at(root.place, "a file of claims names its paper, as in paper: va2022");
        if (claims)
            read_claims(&reader, claims);
        else
            reader.status = fail_at(root.place, "a file of claims has a list of claims");
    }
    document_free(&root);
    free(text);
    if (reader.status)
        claim_file_free(out);
    return reader.status;
}

void claim_file_free(struct claim_file *file) {
    for (int i = 0; i < file->kept_count; i++)
        free(file->kept[i]);
    free(file->kept);
    free(file->file);
    *file = (struct claim_file){0};
}
