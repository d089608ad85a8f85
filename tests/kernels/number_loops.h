/* Loops in C over the items of number_items.h, with all vector widths. The name of a loop is NAME_PRECISION_LANES. */
#ifndef SPRINGBACK_TESTS_NUMBER_LOOPS_H
#define SPRINGBACK_TESTS_NUMBER_LOOPS_H

enum { NUMBER_FIELDS = 3, TETRAHEDRON_FIELDS = 26, TETRAHEDRON_RESULTS = 50 };

/* `in` and `out` have fields of n items each; n is a multiple of 16. */
typedef void number_loop(int n, const void *in, void *out);

number_loop numbers_float_1, numbers_float_8, numbers_float_16, numbers_double_1, numbers_double_4, numbers_double_8;
number_loop tetrahedra_float_1, tetrahedra_float_8, tetrahedra_float_16, tetrahedra_double_1, tetrahedra_double_4,
    tetrahedra_double_8;

#endif
