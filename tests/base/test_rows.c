/* Sorting items into rows, and comparing lists of numbers. */
#include "base/rows.h"

#include <criterion/criterion.h>

Test(rows, items_lie_by_row_in_rising_order) {
    const int row[] = {2, 0, -1, 2, 3, 0, 2};
    int start[6], item[7];
    rows_sort(5, 7, row, start, item);
    const int starts[] = {0, 2, 2, 5, 6, 6}, items[] = {1, 5, 0, 3, 6, 4};
    cr_expect_arr_eq(start, starts, sizeof starts);
    cr_expect_arr_eq(item, items, sizeof items);
}

Test(rows, no_items_leave_empty_rows) {
    int start[3] = {7, 7, 7};
    rows_sort(2, 0, NULL, start, NULL);
    cr_expect(start[0] == 0 && start[1] == 0 && start[2] == 0);
}

Test(rows, lists_are_compared_from_the_first_number_on) {
    const int a[] = {1, 5, 2}, b[] = {1, 5, 3}, c[] = {0, 9, 9};
    cr_expect_lt(ints_compare(a, b, 3), 0);
    cr_expect_gt(ints_compare(b, a, 3), 0);
    cr_expect_eq(ints_compare(a, b, 2), 0);
    cr_expect_lt(ints_compare(c, a, 3), 0);
    cr_expect_lt(ints_compare((const int[]){-2147483647}, (const int[]){2147483647}, 1), 0);
}
