/* Fields: the keys that an experiment file may have. One table of fields controls the parser, the reference manual and
 * the parameters that a trace records. Each method adds a table for its own parameters. */
#ifndef SPRINGBACK_EXPERIMENT_FIELD_H
#define SPRINGBACK_EXPERIMENT_FIELD_H

#include <stdbool.h>

enum value_type {
    TYPE_INTEGER, /* one whole number */
    TYPE_REAL,    /* one number with a unit */
    TYPE_PAIR,    /* two whole numbers: [52, 52] */
    TYPE_REAL2,   /* two numbers with units: [1 m, 1 m]; a 0 needs no unit */
    TYPE_REAL3,   /* three numbers with units: [0, -9.8 m/s^2, 0]; a 0 needs no unit */
    TYPE_CHOICE,  /* one word of the field's choices */
    TYPE_SET,     /* a list of different words of the field's choices, kept in the order of `choices` */
    TYPE_TEXT     /* any text */
};

struct field {
    const char *path; /* dotted, as in "time.step"; the fields of a method begin with "method." */
    enum value_type type;
    const char *unit;     /* the SI unit that a value is converted to, in udunits' syntax; "1" for a pure number */
    const char *fallback; /* the default, in the syntax of a file; NULL if a run with this field must give a value */
    double least, most;   /* bounds of each number, in SI units; -INFINITY and INFINITY if there is no bound */
    bool above_least;     /* whether numbers must be larger than `least`; otherwise they may also be equal to it */
    const char *choices;  /* for TYPE_CHOICE and TYPE_SET: the words, separated by spaces; "threads:1..." allows
                           * threads:1 to threads:9999 */
    const char *doc;      /* the meaning of the field, in one or more sentences for the manual */
};

/* A value of any type. Numbers are in the field's SI unit. */
struct value {
    int count; /* how many elements of `number` are used; 0 for words */
    double number[3];
    char *text; /* canonical: "0.005 s", "52 52", "0 -9.8 0 m/s^2", "structural shear"; equal values have equal texts */
};

#endif
