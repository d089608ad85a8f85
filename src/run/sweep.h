/* The table of a sweep over an experiment's assumptions: every member with the values of its assumptions, and the
 * series of its runs reduced to numbers, from which claims are judged without the traces.
 *
 *   DIR/<paper>/<experiment>.tsv.xz    a text, whose lines have cells with tabs between them:
 *
 *   springback-sweep 1 EXPERIMENT TIER DIGEST
 *   assumption PATH UNIT LIKELY POSSIBLE      a line for each that varies; the ranges as range_text writes them
 *   run ID                                    a line for each run that every member has, and behind it
 *   note NAME VALUE                             its notes in the first member
 *   parameter PATH VALUE UNIT ORIGIN            its parameters as taken
 *   column QUANTITY REDUCTION UNIT            a line for each number that is kept of a run
 *   searched CLAIM RUNS                       a line for each claim for which a search of at most RUNS members ended
 *   member KIND NUMBER DIGEST VALUE...        KIND: likely, possible, noise or search; the digest is of the runs' final
 *                                             states, or "-" if the values cannot be combined and it did not run; then
 *                                             a value for each assumption, and behind it, for each run,
 *   row STATUS NUMBER...                        a number for each column; nan where the run has none
 */
#ifndef SPRINGBACK_RUN_SWEEP_H
#define SPRINGBACK_RUN_SWEEP_H

#include "base/digest.h"
#include "base/memory.h"
#include "experiment/plan.h"
#include "trace/trace.h"

#include <stdbool.h>

#define DEFAULT_SWEEPS    "data/sweeps" /* folder of the tables */
#define MAX_SWEEP_MEMBERS 10000         /* of a kind; folders of members have four digits */

enum member_kind {
    MEMBER_LIKELY,   /* a point of the likely ranges; number 0 has the values as taken */
    MEMBER_POSSIBLE, /* a point of the possible ranges, from 1 */
    MEMBER_NOISE,    /* as taken, but for rounding of the starting positions, from 1 */
    MEMBER_SEARCH,   /* a point of the possible ranges that a search for a claim tried, from 1 */
    MEMBER_KINDS
};

const char *member_kind_name(enum member_kind kind); /* "likely", "possible", "noise", "search" */

struct sweep_assumption {
    const char *path, *unit, *likely, *possible;
};

struct sweep_run {
    const char *id;
    struct trace_note *notes;
    int note_count;
    struct trace_parameter *parameters;
    int parameter_count;
};

struct sweep_member {
    enum member_kind kind;
    int number;
    const char *digest;  /* "": it did not run */
    const char **values; /* [assumptions] canonical texts */
    const char **status; /* [runs] as in traces: "whole", "diverged" */
    float *numbers;      /* [runs][columns] */
};

/* A claim that held in no member, and for which a search ended. */
struct sweep_searched {
    const char *claim; /* its id */
    int runs;          /* members that the search could run */
};

struct sweep_table {
    const char *experiment, *tier;
    char digest[DIGEST_SIZE]; /* of all that the members depend on: runs, assumptions, ranges; "" for no table */
    struct sweep_assumption *assumptions;
    int assumption_count;
    struct sweep_run *runs;
    int run_count;
    struct trace_reduction *columns;
    int column_count;
    struct sweep_searched *searched;
    int searched_count;
    struct sweep_member *members;
    int member_count;
    size_t size;      /* bytes of a part, up to its last complete member */
    struct pool pool; /* memory of the above, arrays too */
};

/* Digest of everything that the members of a sweep depend on, but for the program: runs, assumptions and ranges. */
void sweep_digest(const struct plan *plan, char out[DIGEST_SIZE]);

/* Name of an experiment's table below a folder, newly allocated. */
char *sweep_path(const char *folder, const char *experiment);

/* Folder in which an experiment's members run, and a member's folder in it: OUT/<paper>/<experiment>/sensitivity/p0007;
 * newly allocated. */
char *sweep_folder(const char *out, const char *experiment);
char *sweep_member_folder(const char *sweep, enum member_kind kind, int number);

/* Whether this is the name of a member's folder. */
bool sweep_is_member(const char *entry);

/* The part of a table in that folder to which a process appends the members that it has run: members.tsv, or
 * members-2-of-4.tsv for the shard 2 of 4. `shards` is 0 for a whole sweep. `sensitivity` without --shard later writes
 * the table from all parts at once. Newly allocated. */
char *sweep_part_path(const char *sweep, int shard, int shards);

/* The part of the member likely 0 alone, members-0.tsv. It is the first part in the folder, and the table has the notes
 * of the first part. So the table does not depend on which member ended first. Newly allocated. */
char *sweep_first_part_path(const char *sweep);

/* Whether this is the name of a part. */
bool sweep_is_part(const char *entry);

/* Read a table. Without a file, or in a part without a member, the table is empty. Errors, with line: anything that is
 * not of the form above. If `is_part`, reading instead ends without an error at the first line that is damaged or
 * incomplete, as an interruption leaves it; a member that is not complete and what follows are left out. */
int sweep_read(const char *path, bool is_part, struct sweep_table *out);
void sweep_free(struct sweep_table *table);

/* Write a table at once, members in the order of their kinds and numbers; compressed, the same bytes for the same
 * table. */
int sweep_write(const char *path, const struct sweep_table *table);

/* Append a member to a table that is not compressed; first the table's head if there is no file. */
int sweep_append(const char *path, const struct sweep_table *head, const struct sweep_member *member);

/* The member of a kind and number, or NULL. */
const struct sweep_member *sweep_member(const struct sweep_table *table, enum member_kind kind, int number);

/* How many members a search for a claim could run; 0: no search for it ended. */
int sweep_searched_runs(const struct sweep_table *table, const char *claim);

/* Note that a search for a claim of at most `runs` members ended. The id must live as long as the table. */
void sweep_note_searched(struct sweep_table *table, const char *claim, int runs);

/* A number as the table has it, to five digits: equal before it is written and after it is read. */
float sweep_number(double number);

/* A member's numbers of one run, [table->column_count]. */
float *sweep_numbers(const struct sweep_table *table, const struct sweep_member *member, int run);

/* The trace that a run of a member stands for: its notes, status, parameters as taken, and reductions. Its memory is
 * the table's and the pool's. */
struct trace_data sweep_trace(const struct sweep_table *table, const struct sweep_member *member, int run,
                              struct pool *pool);

#endif
