/* Values: from a document's nodes to numbers and canonical text, by a field's type. */
#ifndef SPRINGBACK_EXPERIMENT_VALUE_H
#define SPRINGBACK_EXPERIMENT_VALUE_H

#include "base/memory.h"
#include "experiment/document.h"
#include "experiment/field.h"

/* Read one value, whose text is the pool's, as those of all functions below. `choices` are the words of a choice or set
 * (the field's own, or the methods' names). Every mistake is reported at its place with the field's path; then *out is
 * empty. */
int value_read(const struct node *node, const struct field *field, const char *choices, struct pool *pool,
               struct value *out);

/* The same of a text, as the command line has it; `source` is what messages call it. */
int value_parse(const char *text, const char *source, const struct field *field, const char *choices, struct pool *pool,
                struct value *out);

/* Read one value, or a list where the type wants one value: a sweep. An empty sweep is a mistake, and so is a value
 * that stands in it twice, but for a zip's: there the value must be a list, and may repeat. */
int values_read(const struct node *node, const struct field *field, const char *choices, bool zip, struct pool *pool,
                struct value **values, int *count);

/* Whether every number is inside the field's bounds; if not, says so at `place`. */
int value_check_bounds(struct place place, const struct field *field, const struct value *value);

/* The value of a type of numbers, as many as it has, in the field's SI unit. */
struct value value_make(const struct field *field, const double *numbers, struct pool *pool);

bool value_equal(const struct value *a, const struct value *b);

/* How many numbers a value of the type has; 0 for words. */
int type_numbers(enum value_type type);
const char *type_name(enum value_type type); /* "number", "list of words", ...: for messages and the manual */

/* Whether a space-separated list holds a word. */
bool words_have(const char *words, const char *word, size_t length);

/* Where it holds it, from 0; -1: nowhere. */
int words_index(const char *words, const char *word);

#endif
