/* Fields: what a description file may say. One table of them is the parser's rule book, the source of the reference
 * manual, and what a trace records; a method brings a table of its own for its parameters. */
#ifndef SPRINGBACK_EXPERIMENT_FIELD_H
#define SPRINGBACK_EXPERIMENT_FIELD_H

#include <stdbool.h>

enum value_type {
    TYPE_INTEGER, /* 1 number, whole */
    TYPE_REAL,    /* 1 number with a unit */
    TYPE_PAIR,    /* 2 whole numbers: [52, 52] */
    TYPE_REAL2,   /* 2 numbers with units: [1 m, 1 m] */
    TYPE_REAL3,   /* 3 numbers with units: [0, -9.8 m/s^2, 0]; a bare 0 needs no unit */
    TYPE_CHOICE,  /* one word of the field's choices */
    TYPE_SET,     /* a list of different words of the field's choices, kept in the order of `choices` */
    TYPE_TEXT     /* any text */
};

struct field {
    const char *path; /* dotted, as in "time.step"; a method's own fields stand under "method." */
    enum value_type type;
    const char *unit;     /* the SI unit that a value is converted to, as udunits writes it; "1" for a pure number */
    const char *fallback; /* the default, as a file would have it; NULL where the field must be given */
    double least, most;   /* inclusive bounds on every component, in SI units */
    bool above_least;     /* the lower bound itself is not allowed */
    const char *choices;  /* for TYPE_CHOICE and TYPE_SET: the words, separated by spaces; "threads:1..." is each number
                           * of at most four digits from 1 */
    const char *doc;      /* one sentence for the manual */
};

/* A value of any type. Numbers are in the field's SI unit. */
struct value {
    int count; /* numbers in use: 0 for words */
    double number[3];
    char *text; /* canonical: "0.005 s", "52 52", "0 -9.8 0 m/s^2", "structural shear"; equal values, equal text */
};

#endif
