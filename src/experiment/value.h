/* Values: conversion of document nodes to numbers and canonical text, by the type of a field. */
#ifndef SPRINGBACK_EXPERIMENT_VALUE_H
#define SPRINGBACK_EXPERIMENT_VALUE_H

#include "base/memory.h"
#include "experiment/document.h"
#include "experiment/field.h"

/* Read one value. The pool owns the value's text, as in all functions below. `choices` are the allowed words of a
 * choice or set (description_choices). Every mistake is reported at its place with the path of the field; then
 * out->text is NULL. */
int value_read(const struct node *node, const struct field *field, const char *choices, struct pool *pool,
               struct value *out);

/* Read one value from a text, for example from the command line. Messages name the text `source`. */
int value_parse(const char *text, const char *source, const struct field *field, const char *choices, struct pool *pool,
                struct value *out);

/* Read one value or a list of values. Errors: an empty list, and a value that occurs twice in a list. If `zip` is set,
 * the node must be a list, and values may occur twice. */
int values_read(const struct node *node, const struct field *field, const char *choices, bool zip, struct pool *pool,
                struct value **values, int *count);

/* Check that every number is inside the bounds of the field. A mistake is reported at `place`. */
int value_check_bounds(struct place place, const struct field *field, const struct value *value);

/* Make a value from numbers[type_numbers(field->type)], in the field's SI unit. */
struct value value_make(const struct field *field, const double *numbers, struct pool *pool);

bool value_equal(const struct value *a, const struct value *b);

/* The number of numbers in a value of the type; 0 for words. */
int type_numbers(enum value_type type);
const char *type_name(enum value_type type); /* "number", "list of words", ..., for messages and the manual */

/* Whether a space-separated list has the word that is the first `length` bytes of `word`. */
bool words_have(const char *words, const char *word, size_t length);

/* The index of a word in a space-separated list, from 0; -1 if the list does not have the word. */
int words_index(const char *words, const char *word);

#endif
