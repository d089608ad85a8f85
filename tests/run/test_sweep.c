/* The table of a sweep: a written table is read unchanged, and a damaged table is refused. */
#include "shell.h"

#include "run/sweep.h"

#include <lzma.h>

TestSuite(sweep_table, .init = shell_begin, .fini = shell_end);

#define SUM  "0123456789abcdef0123456789abcdef"
#define PATH "p/e.tsv.xz"
#define HEAD "springback-sweep\t2\tp/e\tquick\t" SUM "\n"
#define COLUMNS                                                                                                        \
    HEAD "assumption\ttime.step\ts\t0.001 s to 0.01 s\t0.001 s to 0.1 s\n"                                             \
         "run\ta\nnote\tstatus\twhole\nparameter\ttime.step\t0.005 s\ts\tassumed\nrun\tb\n"                            \
         "column\tenergy\tmax\tJ\ncolumn\tenergy\tlast\tJ\n"
#define MEMBER(kind, number) "member\t" kind "\t" number "\t" SUM "\t0.005 s\n"
#define ROWS                 "row\twhole\t1.5\tnan\nrow\tdiverged\tinf\t-2.5e-07\n"
#define BARE_ROWS            "row\twhole\nrow\tdiverged\n"
#define NUMBERS(times)       "numbers" times("1.5") "numbers" times("inf") "numbers" times("nan") "numbers" times("-2.5e-07")
#define ONCE(number)         "\t" number "\n"
#define TWICE(number)        "\t" number "\t" number "\n"
#define WHOLE                COLUMNS MEMBER("likely", "0") BARE_ROWS "member\tpossible\t3\t-\t0.05 s\n" NUMBERS(ONCE)
#define SEARCHED                                                                                                       \
    COLUMNS "searched\tp.a\t200\n" MEMBER("likely", "0") BARE_ROWS MEMBER("search", "7") BARE_ROWS NUMBERS(TWICE)

static void write_compressed(const char *text) {
    static uint8_t packed[1 << 16];
    size_t used = 0;
    cr_assert_eq(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, strlen(text), packed, &used,
                                         sizeof packed),
                 LZMA_OK);
    FILE *file = fopen(PATH, "wb");
    cr_assert(file && fwrite(packed, 1, used, file) == used && !fclose(file));
}

static void expect_equal(const struct sweep_table *a, const struct sweep_table *b) {
    cr_assert(a->assumption_count == b->assumption_count && a->run_count == b->run_count &&
              a->column_count == b->column_count && a->member_count == b->member_count);
    cr_expect(!strcmp(a->experiment, b->experiment) && !strcmp(a->tier, b->tier) && !strcmp(a->digest, b->digest));
    cr_expect_str_eq(a->assumptions[0].likely, b->assumptions[0].likely);
    cr_expect_str_eq(a->assumptions[0].possible, b->assumptions[0].possible);
    cr_expect_str_eq(a->runs[0].notes[0].value, b->runs[0].notes[0].value);
    cr_expect_str_eq(a->runs[0].parameters[0].origin, b->runs[0].parameters[0].origin);
    cr_expect_str_eq(a->columns[1].reduction, b->columns[1].reduction);
    for (int m = 0; m < a->member_count; ++m) {
        const struct sweep_member *x = &a->members[m], *y = sweep_member(b, x->kind, x->number);
        cr_assert_not_null(y);
        cr_expect_str_eq(x->digest, y->digest);
        cr_expect_str_eq(x->values[0], y->values[0]);
        for (int r = 0; r < a->run_count && *x->digest; ++r)
            cr_expect_str_eq(x->status[r], y->status[r]);
        cr_expect_eq(memcmp(x->numbers, y->numbers, (size_t)(a->run_count * a->column_count) * sizeof *x->numbers), 0);
    }
}

Test(sweep_table, a_table_that_is_written_and_read_is_the_same) {
    struct sweep_table table, again, part;
    shell("mkdir p");
    write_compressed(WHOLE);
    cr_assert_eq(sweep_read(PATH, false, &table), STATUS_OK, "%s", failure_text());
    cr_assert(table.member_count == 2 && table.run_count == 2 && table.column_count == 2);
    cr_expect_eq(table.members[0].numbers[0], 1.5F);
    cr_expect(isnan(table.members[0].numbers[1]) && isinf(table.members[0].numbers[2]));
    cr_expect_str_eq(table.members[0].status[1], "diverged");
    cr_expect_str_eq(table.members[1].digest, "", "member 1 did not run");
    /* sweep_trace makes a trace that represents run 0 of member 0. */
    struct pool pool = {0};
    const struct trace_data trace = sweep_trace(&table, &table.members[0], 0, &pool);
    cr_expect_str_eq(trace_run_note(&trace, "status"), "whole");
    cr_expect_str_eq(trace_parameter_text(&trace, "time.step"), "0.005 s");
    cr_expect(trace.reduction_count == 2 && trace.reduced[0] == 1.5F);
    pool_free(&pool);
    /* The order of the members does not change the bytes of the file. */
    const struct sweep_member first = table.members[0];
    cr_assert_eq(sweep_write("one.xz", &table), STATUS_OK, "%s", failure_text());
    table.members[0] = table.members[1];
    table.members[1] = first;
    cr_assert_eq(sweep_write("two.xz", &table), STATUS_OK, "%s", failure_text());
    shell("cmp one.xz two.xz && xz -dc one.xz");
    expect_code(0);
    cr_expect_str_eq(said.out, WHOLE);
    cr_assert_eq(sweep_read("two.xz", false, &again), STATUS_OK, "%s", failure_text());
    expect_equal(&table, &again);
    /* Members are appended to a part file. If its last member is incomplete, the part file is read without this member.
     */
    for (int m = 0; m < 2; ++m)
        cr_assert_eq(sweep_append("part", &table, &table.members[m]), STATUS_OK, "%s", failure_text());
    cr_assert_eq(sweep_read("part", true, &part), STATUS_OK, "%s", failure_text());
    expect_equal(&table, &part);
    sweep_free(&part);
    text_write("part", COLUMNS MEMBER("likely", "0") ROWS MEMBER("likely", "1") "row\twhole\t1.5\tnan\nrow\tdiv");
    cr_assert_eq(sweep_read("part", true, &part), STATUS_OK, "%s", failure_text());
    cr_expect(part.member_count == 1 && part.members[0].number == 0);
    sweep_free(&part);
    sweep_free(&table);
    sweep_free(&again);
    /* No file means no table, and is not an error. */
    cr_assert_eq(sweep_read("nowhere", false, &table), STATUS_OK);
    cr_expect_null(table.experiment);
}

Test(sweep_table, a_search_is_kept) {
    struct sweep_table table;
    shell("mkdir p");
    write_compressed(SEARCHED);
    cr_assert_eq(sweep_read(PATH, false, &table), STATUS_OK, "%s", failure_text());
    cr_expect(sweep_searched_runs(&table, "p.a") == 200 && sweep_searched_runs(&table, "p.b") == 0);
    cr_expect_not_null(sweep_member(&table, MEMBER_SEARCH, 7));
    cr_assert_eq(sweep_write("one.xz", &table), STATUS_OK, "%s", failure_text());
    shell("xz -dc one.xz");
    cr_expect_str_eq(said.out, SEARCHED);
    sweep_note_searched(&table, "p.b", 5);
    sweep_note_searched(&table, "p.a", 300);
    cr_expect(sweep_searched_runs(&table, "p.a") == 300 && sweep_searched_runs(&table, "p.b") == 5);
    cr_expect_eq(table.searched_count, 2);
    sweep_free(&table);
    cr_expect(sweep_number(1.234567) == 1.2346F && isnan(sweep_number((double)NAN)) && isinf(sweep_number(-INFINITY)) &&
              sweep_number(1e300) == INFINITY);
    char *folder = sweep_member_folder("p", MEMBER_SEARCH, 7);
    cr_expect_str_eq(folder, "p/s0007");
    cr_expect(sweep_is_member(folder + 2) && !sweep_is_member("x0007"));
    char *part = sweep_part_path("o", 2, 4);
    cr_expect_str_eq(part, "o/members-2-of-4.tsv");
    cr_expect(sweep_is_part(part + 2) && sweep_is_part("members.tsv") && !sweep_is_part("members.ts"));
    free(part);
    free(folder);
}

static void expect_damaged(const char *flaw, const char *text) {
    struct sweep_table table;
    failure_clear();
    cr_expect_eq(sweep_read(PATH, false, &table), STATUS_BAD, "a damaged table was read: %s", text);
    cr_expect(strstr(failure_text(), flaw) && !strncmp(failure_text(), PATH, strlen(PATH)), "%s, not: %s",
              failure_text(), flaw);
    cr_expect(!table.experiment && !table.members, "a refused table must be empty");
    failure_clear();
}

Test(sweep_table, a_damaged_table_is_refused_with_its_line) {
    static const struct {
        const char *text, *flaw;
    } cases[] = {
        {"springback-sweep\t1\tp/e\tquick\t" SUM "\n",
         ":1:1: invalid table of a sweep: expected one springback-sweep line of version 2; remove "
         "the file and run springback sensitivity"},
        {"springback-sweep\t2\tp/e\tquick\t0123\n",
         ":1:1: invalid table of a sweep: the digest is missing or has a wrong length"},
        {HEAD HEAD, ":2:1: invalid table of a sweep: expected one springback-sweep line of version 2"},
        {"run\ta\n", ":1:1: invalid table of a sweep: an unknown first word"},
        {"", ": invalid table of a sweep: the table is incomplete"},
        {"this is no table\n", ":1:1: "},
        {HEAD "assumption\ttime.step\ts\t1 s to 2 s\n",
         ":2:1: invalid table of a sweep: a malformed or misplaced assumption"},
        {HEAD "run\ta\nassumption\ttime.step\ts\t1 s\t1 s\n",
         ":3:1: invalid table of a sweep: a malformed or misplaced assumption"},
        {HEAD "note\tstatus\twhole\n", ":2:1: invalid table of a sweep: a malformed or misplaced note"},
        {HEAD "run\ta\nparameter\ttime.step\t5 s\ts\n",
         ":3:1: invalid table of a sweep: a malformed or misplaced parameter"},
        {HEAD "run\ta\ncolumn\te\tmax\tJ\nrun\tb\n", ":4:1: invalid table of a sweep: a malformed or misplaced run"},
        {COLUMNS "member\tunlikely\t0\t" SUM "\t5 s\n",
         ":9:1: invalid table of a sweep: a malformed member, or too many members"},
        {COLUMNS "member\n", ":9:1: invalid table of a sweep: a malformed member, or too many members"},
        {COLUMNS "member\tlikely\n", ":9:1: invalid table of a sweep: a malformed member, or too many members"},
        {COLUMNS MEMBER("likely", "-1"), ":9:1: invalid table of a sweep: a wrong or repeated member number"},
        {COLUMNS MEMBER("likely", "99999"), ":9:1: invalid table of a sweep: a wrong or repeated member number"},
        {COLUMNS "member\tlikely\t0\t" SUM "\n", ":9:1: invalid table of a sweep: too few values"},
        {COLUMNS MEMBER("likely", "0") ROWS MEMBER("likely", "0") ROWS,
         ":12:1: invalid table of a sweep: a wrong or repeated member number"},
        {COLUMNS MEMBER("likely", "0") MEMBER("likely", "1"), ":10:1: invalid table of a sweep: the previous member "
                                                              "has too few rows"},
        {COLUMNS "searched\ta\n", ":9:1: invalid table of a sweep: a malformed, misplaced or repeated searched claim"},
        {COLUMNS "searched\t-\t200\n",
         ":9:1: invalid table of a sweep: a malformed, misplaced or repeated searched claim"},
        {COLUMNS "searched\ta\t0\n",
         ":9:1: invalid table of a sweep: a malformed, misplaced or repeated searched claim"},
        {COLUMNS "searched\ta\t10001\n",
         ":9:1: invalid table of a sweep: a malformed, misplaced or repeated searched claim"},
        {COLUMNS "searched\ta\t2e2\n",
         ":9:1: invalid table of a sweep: a malformed, misplaced or repeated searched claim"},
        {COLUMNS "searched\ta\t200\t1\n", ":9:1: invalid table of a sweep: too many cells"},
        {COLUMNS "searched\ta\t200\nsearched\ta\t200\n",
         ":10:1: invalid table of a sweep: a malformed, misplaced or repeated searched claim"},
        {COLUMNS MEMBER("likely", "0") ROWS "searched\ta\t200\n",
         ":12:1: invalid table of a sweep: a malformed, misplaced or repeated searched claim"},
        {COLUMNS MEMBER("likely", "0") ROWS "row\twhole\t1\t2\n", ":12:1: invalid table of a sweep: too many rows"},
        {COLUMNS MEMBER("likely", "0") "row\twhole\t1\n", ":10:1: invalid table of a sweep: a number is missing"},
        {COLUMNS MEMBER("likely", "0") "row\twhole\t1\t2\t3\n", ":10:1: invalid table of a sweep: too many"},
        {COLUMNS MEMBER("likely", "0") "row\twhole\t1\tx\n",
         ":10:1: invalid table of a sweep: a number is missing, or a cell is not a number"},
        {COLUMNS MEMBER("likely", "0") "row\twhole\t1\t2x\n",
         ":10:1: invalid table of a sweep: a number is missing, or a cell is not a number"},
        {COLUMNS MEMBER("likely", "0") "row\twhole\t1\t2\n", ":10:1: invalid table of a sweep: the table is"},
        {COLUMNS MEMBER("likely", "0") "row\twhole\nrow\twhole\t1\t2\n",
         ":11:1: invalid table of a sweep: rows with numbers and rows without"},
        {COLUMNS MEMBER("likely", "0") BARE_ROWS "numbers\t1\n", ":12:1: invalid table of a sweep: the table is"},
        {COLUMNS MEMBER("likely", "0") BARE_ROWS "numbers\t1\t2\n", ":12:1: invalid table of a sweep: too many cells"},
        {COLUMNS MEMBER("likely", "0") BARE_ROWS "numbers\tx\n",
         ":12:1: invalid table of a sweep: a number is missing, or a cell is not a number"},
        {COLUMNS MEMBER("likely", "0") BARE_ROWS "numbers\t1\n" MEMBER("likely", "1"),
         ":13:1: invalid table of a sweep: a misplaced member"},
        {COLUMNS MEMBER("likely", "0") ROWS "numbers\t1\n",
         ":12:1: invalid table of a sweep: misplaced or too many numbers"},
        {COLUMNS "numbers\t1\n", ":9:1: invalid table of a sweep: misplaced or too many numbers"},
        {COLUMNS MEMBER("likely", "0") "row\twhole\t1\t2\nrow\tdiv",
         ":11:1: invalid table of a sweep: the line does not end with a newline"},
    };
    shell("mkdir p");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        write_compressed(cases[c].text);
        expect_damaged(cases[c].flaw, cases[c].text);
    }
    /* A file that begins like a gzip file, and is therefore not an xz file. */
    text_write(PATH, "\x1f\x8b nonsense");
    expect_damaged("the file is damaged", "a text that begins like a gzip file");
    /* The file is cut at each byte, then each byte is changed. A cut file is refused. A changed file is refused, or
     * gives the same table. */
    write_compressed(WHOLE);
    struct sweep_table table, whole;
    cr_assert_eq(sweep_read(PATH, false, &whole), STATUS_OK);
    FILE *file = fopen(PATH, "rb");
    char bytes[4096];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    cr_assert_lt(size, sizeof bytes);
    for (size_t k = 0; k < 2 * size; ++k) {
        file = fopen(PATH, "wb");
        const char was = bytes[k % size];
        bytes[k % size] ^= k < size ? 0 : 4;
        fwrite(bytes, 1, k < size ? k : size, file);
        fclose(file);
        bytes[k % size] = was;
        failure_clear();
        const int status = sweep_read(PATH, false, &table);
        cr_expect_eq(status == STATUS_OK, failure_count() == 0);
        cr_expect(status || k >= size, "the file cut at byte %zu was read", k);
        if (!status)
            expect_equal(&whole, &table);
        sweep_free(&table);
    }
    sweep_free(&whole);
    failure_clear();
}
