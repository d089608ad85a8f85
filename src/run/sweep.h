/* The table of a sweep over an experiment's assumptions. For each member, the table has the values of the assumptions.
 * For each run of a member, the table has numbers to which the series of the run are reduced. Claims are judged from
 * these numbers without the traces.
 *
 *   DIR/<paper>/<experiment>.tsv.xz    a text of lines, with tabs between cells:
 *
 *   springback-sweep 2 EXPERIMENT TIER DIGEST
 *   assumption PATH UNIT LIKELY POSSIBLE      one line for each assumption that varies; ranges as written by range_text
 *   run ID                                    one line for each run that every member has, followed by
 *   note NAME VALUE                             its notes in the member likely 0
 *   parameter PATH VALUE UNIT ORIGIN            its parameters, with the chosen values
 *   column QUANTITY REDUCTION UNIT            one line for each number that is stored per run
 *   searched CLAIM RUNS                       one line for each claim with a completed search of at most RUNS members
 *   member KIND NUMBER DIGEST VALUE...        KIND: likely, possible, noise or search. DIGEST: of the final states of
 *                                             the runs, or "-" if the values cannot be combined and the member did
 *                                             not run. VALUE: one for each assumption. Then follows, for each run,
 *   row STATUS                                  its status
 *   numbers NUMBER...                         after all members, one line for each column and run, sorted by column:
 *                                             one number for each member that ran; nan if the run has none
 *
 * In a part of a table (sweep_part_path), a row has the run's numbers, one for each column, and there are no lines
 * `numbers`. */
#ifndef SPRINGBACK_RUN_SWEEP_H
#define SPRINGBACK_RUN_SWEEP_H

#include "base/digest.h"
#include "base/memory.h"
#include "experiment/plan.h"
#include "trace/trace.h"

#include <stdbool.h>

#define DEFAULT_SWEEPS    "data/sweeps" /* folder of the tables */
#define MAX_SWEEP_MEMBERS 10000         /* of each kind; the names of their folders have four digits */

enum member_kind {
    MEMBER_LIKELY,   /* a point of the likely ranges; number 0 has the chosen values */
    MEMBER_POSSIBLE, /* a point of the possible ranges; numbers begin at 1 */
    MEMBER_NOISE,    /* the chosen values, with starting positions rounded differently; numbers begin at 1 */
    MEMBER_SEARCH,   /* a point of the possible ranges that a search for a claim tried; numbers begin at 1 */
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
    const char *digest;  /* digest of the final states of the runs; "" if the member did not run */
    const char **values; /* [assumptions] canonical texts */
    const char **status; /* [runs] as in traces: "whole", "diverged" */
    float *numbers;      /* [runs][columns] */
};

/* A claim with a complete search. */
struct sweep_searched {
    const char *claim; /* the claim's id */
    int runs;          /* the largest number of members that the search was allowed to run */
};

struct sweep_table {
    const char *experiment, *tier;
    char digest[DIGEST_SIZE]; /* sweep_digest of the plan; "" if there is no table */
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
    size_t size;      /* bytes of the text up to the end of its last complete member */
    struct pool pool; /* owns the texts and values of this table */
};

/* Digest of everything, except the program, on which the members of a sweep depend: the runs; and, for each
 * assumption that varies, its chosen value, ranges and first dimension. */
void sweep_digest(const struct plan *plan, char out[DIGEST_SIZE]);

/* The path of an experiment's table below a folder. Newly allocated; the caller frees it. */
char *sweep_path(const char *folder, const char *experiment);

/* The folder in which an experiment's members run, and the folder of one member in it:
 * OUT/<paper>/<experiment>/sensitivity/p0007. Newly allocated; the caller frees them. */
char *sweep_folder(const char *out, const char *experiment);
char *sweep_member_folder(const char *sweep, enum member_kind kind, int number);

/* Whether this is the name of a member's folder. */
bool sweep_is_member(const char *entry);

/* The path of a part: a table in the folder of a sweep to which a process appends the members that it has run. The
 * part is members.tsv, or members-2-of-4.tsv for shard 2 of 4; `shards` is 0 for a whole sweep. A later `sensitivity`
 * without --shard joins all parts. Newly allocated; the caller frees it. */
char *sweep_part_path(const char *sweep, int shard, int shards);

/* The path of the part members-0.tsv, which has only the member likely 0. This part is the first in the order of names,
 * and the joined table has the notes of the first part. Therefore the table does not depend on which member ended
 * first. Newly allocated; the caller frees it. */
char *sweep_first_part_path(const char *sweep);

/* Whether this is the name of a part. */
bool sweep_is_part(const char *entry);

/* Read a table. If there is no file, or a part has no member, the table is empty. The caller frees the table. Errors:
 * the file cannot be read or unpacked; a line does not have the format above. After an error nothing is allocated.
 *
 * An interruption can leave a damaged or incomplete line at the end of a part. If `is_part`, reading stops at this line
 * without an error, and an incomplete member is ignored. */
int sweep_read(const char *path, bool is_part, struct sweep_table *out);
void sweep_free(struct sweep_table *table);

/* Write a table atomically, with the members sorted by kind and number. The file is compressed, and equal tables give
 * equal bytes. */
int sweep_write(const char *path, const struct sweep_table *table);

/* Append a member to an uncompressed table. If there is no file, the head of the table is written first. */
int sweep_append(const char *path, const struct sweep_table *head, const struct sweep_member *member);

/* The member of a kind and number, borrowed from the table, or NULL. */
const struct sweep_member *sweep_member(const struct sweep_table *table, enum member_kind kind, int number);

/* The largest number of members that the complete search for a claim was allowed to run; 0 if no search for this claim
 * is complete. */
int sweep_searched_runs(const struct sweep_table *table, const char *claim);

/* Note a complete search for a claim with at most `runs` members. `claim` is borrowed and must outlive the table. */
void sweep_note_searched(struct sweep_table *table, const char *claim, int runs);

/* A number rounded to five significant digits, as in the table. Writing and reading the result does not change it. */
float sweep_number(double number);

/* The numbers of one run of a member, [table->column_count]; borrowed from the member. */
float *sweep_numbers(const struct sweep_table *table, const struct sweep_member *member, int run);

/* A trace with the data of a run of a member: its notes, status, parameters (with the chosen values, not the
 * member's), and reductions. Its memory belongs to the table and to the pool. */
struct trace_data sweep_trace(const struct sweep_table *table, const struct sweep_member *member, int run,
                              struct pool *pool);

#endif
