/* Claims: what a paper says, and what the traces say of it. One verdict a claim, never one score for a paper. */
#ifndef SPRINGBACK_CLAIM_CLAIM_H
#define SPRINGBACK_CLAIM_CLAIM_H

#include "base/json.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/words.h"
#include "run/manifest.h"
#include "trace/index.h"

#include <stdio.h>

enum verdict {
    VERDICT_MATCHES,      /* inside the paper's own printed range or rounding */
    VERDICT_WITHIN,       /* inside a tolerance that was committed, with its reason, before the run */
    VERDICT_SHAPE_ONLY,   /* the order, the slope or the crossover holds, the value does not */
    VERDICT_DEPENDS,      /* on values that the paper does not state: true for some of them and false for others */
    VERDICT_DIFFERS,      /* true for no values that the paper allows */
    VERDICT_NOT_SWEPT,    /* judged with the values as taken alone, though the paper leaves others open */
    VERDICT_NOT_TESTABLE, /* here */
    VERDICT_NOT_RUN,
    VERDICT_COUNT
};

const char *verdict_name(enum verdict verdict);            /* "matches", "within tolerance", "shape only", ... */
bool verdict_of_name(const char *name, enum verdict *out); /* whether there is a verdict of this name */

/* One run of a manifest: run/manifest.h says what a manifest holds. */
struct trace_run {
    const char *experiment; /* "va2022/resolutions" */
    const char *id;
    const char *reason;             /* why it failed or is missing; "" where it did not */
    enum run_status status;         /* as in the manifest; RUN_FAILED also if its trace could not be read */
    const struct trace_data *trace; /* NULL where failed or missing */
};

/* An experiment that has a manifest. */
struct trace_experiment {
    const char *name; /* "va2022/resolutions" */
    const char **set; /* what `springback run --set` gave its runs, on purpose: "method.stiffness=300 N/m", ... */
    int set_count;
    const char *outdated; /* why its runs are not those of its file, where trace_set_compare found that; else NULL */
    bool is_of_mistake;   /* since the file has one, and no run can be made anew */
    int planned, absent;  /* how many runs the file plans in this tier, backends aside, and how many have no result */
    struct trace_index *index; /* of its folder; NULL if its traces were not asked for */
};

/* The traces of a folder, as the manifests DIR/<paper>/<experiment>/runs.tsv name them: experiments by name, runs in
 * the order of their manifest. */
struct trace_set {
    const char *folder;
    const char *sweeps; /* folder of the sweeps' tables (run/sweep.h); NULL: none is read */
    const char *files;  /* folder of the experiments' files, after trace_set_compare; else NULL */
    struct trace_data *traces;
    int count;
    struct trace_run *runs;
    int run_count;
    struct trace_experiment *experiments;
    int experiment_count;
    int named;              /* runs that the manifests name */
    struct pool pool;       /* memory of the above */
    bool is_passing;        /* the folder goes away: an unpacked archive's */
    struct trace_set *rest; /* of the experiments that were not asked for, read when trace_set_has needs them */
};

/* Of which claims a verdict is wanted: of those whose runs are one of these experiments' ("va2022/resolutions"); of all
 * where there are none. */
struct claim_scope {
    const char *const *experiments;
    int count;
};

/* Whether a verdict is wanted of the claims about an experiment; a scope of NULL has all. */
bool scope_has(const struct claim_scope *scope, const char *experiment);

/* Read the manifests below a folder, and the traces that they name, by their folders' indexes (trace/index.h), which
 * trace_set_free writes. Where a folder of experiments is given and not NULL, only those whose file
 * EXPERIMENTS/<paper>/<experiment>.yaml is there; of the others, `experiments` has only the names that `scope` lacks
 * (NULL: none). A trace that is missing or damaged makes its run a failed one, with the reason. Errors: a manifest or a
 * trace that the system cannot read, a folder that is not there. */
int trace_set_read(const char *folder, const char *experiments, const struct claim_scope *scope, struct trace_set *out);
void trace_set_free(struct trace_set *set);

/* The runs of an experiment, one after another: the first where `last` is NULL, and NULL behind the last. */
const struct trace_run *trace_set_next(const struct trace_set *set, const char *experiment,
                                       const struct trace_run *last);

/* The same of those that have a trace. */
const struct trace_run *trace_set_next_trace(const struct trace_set *set, const char *experiment,
                                             const struct trace_run *last);

/* Whether any trace of the folder, of whatever experiment, has this value of a parameter or a note. */
bool trace_set_has(const struct trace_set *set, const char *name, const char *value);

/* The one of a name, or NULL. */
const struct trace_experiment *trace_set_experiment(const struct trace_set *set, const char *name);

/* Note what --set gave the runs of each experiment; trace_set_read does. */
void trace_set_note(struct trace_set *set);

/* Compare the runs of each experiment with those that its file EXPERIMENTS/<paper>/<experiment>.yaml plans now in their
 * tier, but for the backend and what --set gave; where there is no such file, nothing is compared. Tables of sweeps
 * are held against the same files (trace_set.files). Says nothing of mistakes in a file, but takes note of them:
 * results are not of a file that cannot be read. */
void trace_set_compare(struct trace_set *set, const char *experiments);

struct claim_file;
struct member_sets;

struct claim_result {
    const char *id, *paper, *where, *says, *kind;
    const char *class, *fact;      /* as in the file; the fact "" where the claim is one alone */
    const char *brief, *explained; /* the keys `short` and `explained`; "" where not given */
    bool is_headline;
    const char *experiment; /* "va2022/resolutions", whose runs are asked; "" where the paper's own text answers */
    enum verdict verdict, recorded;
    enum verdict taken; /* the verdict on the sentence's own reading, with the values as taken alone */
    bool has_recorded;  /* false: no verdict is recorded for a machine like this one */
    bool is_unrun;      /* nothing of what it asks for was run, nor tried */
    bool is_partly_run; /* though other runs of its experiment were */
    bool is_incomplete; /* a run failed, a trace could not be read, its experiment has no manifest or is outdated */
    bool is_timed;      /* its quantity is a time or a rate that was measured */
    const char *reported, *measured; /* as text with units; "" where there is none */
    const char *interval;            /* "[a, b]" with units; "" where there is none */
    const char *why;                 /* what the verdict hangs on, in a sentence or two */
    const char *direction;           /* if the claim does not hold as taken: "worse than printed, 67 % more"; else "" */
    const char *stand_in;            /* the body that stands in for the paper's; "" where none does */
    const char *outdated; /* why the results are not of the experiment's file as it is now; "" where they are */
    const char *tier;     /* "quick" or "full", or "quick full" where the runs are of both; "" without runs */
    char *set;            /* what --set gave the experiment's runs: "PATH=VALUE; ..."; "" where it gave nothing */
    const char *command;  /* for a shell in the repository: runs what the verdict rests on again, and judges */
    const char **traces;  /* "EXPERIMENT RUN" of each trace that the verdict rests on, samples aside */
    const char **files;   /* the file of each, from the folder of results on */
    int trace_count;
    struct trace_parameter *assumptions; /* of these traces, each value once; without units */
    int assumption_count;
    json_t *sensitivity; /* sensitivity_json over all assumptions' ranges; NULL if no sweep is about the claim */
};

struct claim_report {
    const char *paper, *title, *doi; /* the latter two "" where the file does not say */
    struct claim_result *results;
    int count;
    bool incomplete;            /* one of them is */
    int status;                 /* of claims_judge */
    struct claim_file *claims;  /* what was judged; NULL if verdicts.json was read (claim_report_open) */
    struct member_sets *sweeps; /* of the claims' experiments, each read when it is first asked for; likewise */
    struct pool pool;           /* other memory of the above */
};

/* Judge the claims of one file of paper_checks/, all that `scope` has (NULL: all); where an experiment's assumptions
 * were swept (`springback sensitivity`), also by that. Mistakes in the file are reported with their place, those that
 * only the traces show (a unit of another kind) as well. The report is good to be freed in any
 * case; the traces must outlive it. */
int claims_judge(const char *file, const struct trace_set *traces, const struct claim_scope *scope,
                 struct claim_report *report);
void claim_report_free(struct claim_report *report);

/* Read the claims of a report, and begin its sweeps, unless it has them. Errors: mistakes in the file. */
int claim_report_open(struct claim_report *report, const char *file, const struct trace_set *traces);

/* The verdicts on all claims about a folder of results are judged once and kept in its verdicts.json, from which
 * `check`, `report` and `archive` take them.
 *
 * The file holds an object for each file of claims: {digest, paper, title, doi, incomplete, claims: [...], sum}, a
 * claim as `check --json` prints it, and the checksum of all else. The digest covers all that a verdict depends on:
 * this program, the claims, and by inode, size and times the experiments' files, the traces that the manifests name and
 * the sweeps. With another digest or checksum the claims are judged again.
 *
 * Judge files of claims by the traces (claims_judge), or take what verdicts.json holds of them. It is written if
 * a file was judged whole and the folder of results stays (trace_set.is_passing). `scope` as for claims_judge: results
 * that were kept may be more. reports[f] belongs to files[f]; each is freed by claim_report_free. Returns the worst
 * status; reports[f].status is each file's. */
int verdicts_of(const char *const *files, int count, const struct trace_set *traces, const struct claim_scope *scope,
                struct claim_report *reports);

/* Whether a verdict is recorded, and it is another; never of an experiment that has no results. */
bool claim_result_changed(const struct claim_result *result);

/* STATUS_OK when every verdict is the recorded one, STATUS_CHANGED when one is not, STATUS_BAD when the report is
 * incomplete. Where `untimed`, what was timed may be other than recorded, which is of another machine. */
int claim_report_status(const struct claim_report *report, bool untimed);

/* A line for each verdict that is not the recorded one, the id first; nothing where there is none. */
void claim_report_print_changed(const struct claim_report *report, FILE *out);

/* The first screen of some claims, at most `width` columns wide (80 or more): a row each of the headline claims, or of
 * all if there is no headline among them, or `all`; of more than 40 the first 40. Then the verdicts counted by paper,
 * those on what was simulated apart from those on counts and on the paper's own arithmetic. 56 lines at most. */
void claim_summary_print(const struct claim_report *report, bool all, FILE *out, int width);

/* All that is known of one claim, its sentence first: what is printed and what was measured, the verdict and its
 * reason, set-ups in which it holds and in which it does not, each with its command, and the assumptions. */
void claim_result_print(const struct claim_result *result, FILE *out, int width);

/* A set-up in which a claim holds ("holds_in") or does not ("fails_in"): the options of `run` that give its values, ""
 * for the experiment's own; what was measured there; and the tier of its runs. */
struct claim_example {
    const char *options, *measured, *tier;
};

/* The example of a kind, whose texts the result owns. Returns whether there is one. */
bool claim_result_example(const struct claim_result *result, const char *kind, struct claim_example *out);

/* Whether runs decide it, and not the paper's own text or a number of a body or a method. */
bool claim_result_is_simulated(const struct claim_result *result);

/* Its last line, which counts verdicts over all claims. */
void claim_report_print_total(const struct claim_report *report, FILE *out, int width);

/* A verdict's style on a terminal (enum terminal_style). */
int verdict_style(enum verdict verdict);

/* A table for the terminal, at most `width` columns wide (40 or more), verdicts coloured where base/terminal.h says so;
 * last a line that counts verdicts. */
void claim_report_print(const struct claim_report *report, FILE *out, int width);

/* A claim's result as a JSON object; newly allocated. claim_result_read is its inverse: it returns false if the object
 * is not of this form. What it reads lies in the report's pool. */
json_t *claim_result_json(const struct claim_result *result);
bool claim_result_read(json_t *object, struct claim_report *report, struct claim_result *out);

/* One JSON object a claim, a line each. */
void claim_report_json(const struct claim_report *report, FILE *out);

/* Write a Markdown table of the verdicts that files of claims have recorded of the tier quick, a row a file: how many
 * of each. Where they are others on a machine with an OpenCL GPU, that is a row of its own. Errors: mistakes in the
 * files. */
int claims_write_recorded(const char *const *files, int count, FILE *out);

struct recorded_audit {
    int claims, swept, contradictions;
    struct words outdated; /* experiments whose tables are outdated, and so decide nothing; to be freed */
};

enum recorded_form {
    RECORDED_JSON,  /* an object for each claim: {id, class, fact, headline, verdict, holds, members, share, explained},
                       where  `holds` of `members` admissible members hold and `share` is that of the likely ones */
    RECORDED_AUDIT, /* a line for each claim whose recorded verdict is not the one that the table gives */
    RECORDED_SHARES /* for figures, a table: a row for each claim that a sweep decides */
};

/* Go through the claims of some files with the tables of sweeps below a folder, held against the experiments' files in
 * another, and print what `form` says. Errors: mistakes in the files or tables. */
int claims_audit(const char *const *files, int count, const char *sweeps_folder, const char *experiments,
                 enum recorded_form form, FILE *out, struct recorded_audit *audit);

/* The papers' stated values as gnuplot variables, for the figures: the claim va2022.speed-up.mean gives
 * `va2022_speed_up_mean = 61`. Numbers are as printed: 5.61 % is 5.61, with its unit in a comment. Of a printed range,
 * 6 to 7, it is the middle, and there are `..._low` and `..._high`. */
int claims_write_gnuplot(const char *file, FILE *out);

#endif
