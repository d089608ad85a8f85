/* Claims, which are statements of a paper, and the verdicts on the claims. Traces decide most verdicts. Every claim has
 * its own verdict; a paper never has a score. */
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
    VERDICT_MATCHES,    /* the claim is true; if it has a printed number, the measured number differs by at most half a
                           unit in the last printed place, or is in the printed range */
    VERDICT_WITHIN,     /* the measured number is within the claim's tolerance, which was chosen before the first run */
    VERDICT_SHAPE_ONLY, /* the measured number is not within the tolerance, but the order or bound is as expected */
    VERDICT_DEPENDS,    /* the claim is true in some set-ups or readings that the paper allows, but not in all; or the
                           noise of timings decides */
    VERDICT_DIFFERS,    /* false in all set-ups and readings that were tried */
    VERDICT_NOT_SWEPT,  /* the paper allows other values than the chosen ones, but the sweep is missing or outdated, has
                           too few members, or lacks a search */
    VERDICT_NOT_TESTABLE, /* one of: the claim needs a GPU, but no run used a GPU or a run's device is missing; a body
                             is a stand-in; the file of claims states this verdict */
    VERDICT_NOT_RUN,      /* runs that decide the claim do not exist, or have no value to judge */
    VERDICT_COUNT
};

const char *verdict_name(enum verdict verdict);            /* "matches", "within tolerance", "shape only", ... */
bool verdict_of_name(const char *name, enum verdict *out); /* returns whether a verdict has this name */

/* One run of a manifest (run/manifest.h). */
struct trace_run {
    const char *experiment; /* "va2022/resolutions" */
    const char *id;
    const char *reason;             /* why the run failed or is missing; else "" */
    enum run_status status;         /* as in the manifest; RUN_FAILED also if its trace could not be read */
    const struct trace_data *trace; /* NULL if the run failed or is missing */
};

/* An experiment that has a manifest. */
struct trace_experiment {
    const char *name; /* "va2022/resolutions" */
    const char **set; /* the values that `springback run --set` gave its runs: "method.stiffness=300 N/m", ... */
    int set_count;
    const char *outdated; /* why the results are outdated (trace_set_compare); NULL if they are up to date */
    bool is_of_mistake;   /* the results are outdated because the experiment file has a mistake, so no run can be
                             repeated */
    /* planned: number of runs that the experiment file plans in the tier of the results; runs that differ only in the
     * backend count once.
     * absent: number of planned runs that have no result; 0 if --set gave values. */
    int planned, absent;
    struct trace_index *index; /* the index of its folder; NULL if the experiment is outside the scope of
                                  trace_set_read */
};

/* The results in a folder: the runs that the manifests FOLDER/<paper>/<experiment>/runs.tsv list, with their traces.
 * The experiments are sorted by name; the runs are in the order of their manifests. */
struct trace_set {
    const char *folder;
    const char *sweeps; /* folder of the tables of sweeps (run/sweep.h); NULL: no table is read */
    const char *files;  /* folder of the experiment files; NULL before trace_set_compare */
    struct trace_data *traces;
    int count;
    struct trace_run *runs;
    int run_count;
    struct trace_experiment *experiments;
    int experiment_count;
    int named;              /* number of runs in the manifests of the experiments in the scope of trace_set_read */
    struct pool pool;       /* owns the texts and experiments */
    bool is_temporary;      /* the folder will be removed: it is an unpacked archive */
    struct trace_set *rest; /* the experiments outside the scope, which trace_set_has reads if it needs them; NULL if
                               there are none */
};

/* The claims to judge: those about the listed experiments ("va2022/resolutions"). An empty list means all claims. */
struct claim_scope {
    const char *const *experiments;
    int count;
};

/* Whether a scope contains the claims about an experiment. The scope NULL contains all claims. */
bool scope_has(const struct claim_scope *scope, const char *experiment);

/* Read the manifests below a folder, the traces that the manifests name, and the indexes of these traces
 * (trace/index.h). If `experiments` is not NULL, only experiments with a file EXPERIMENTS/<paper>/<experiment>.yaml are
 * read. If an experiment is outside the scope, only its name is read. A run whose trace is missing or damaged becomes a
 * failed run with a reason. Errors: a missing folder, a manifest that cannot be read or parsed, a trace that the system
 * cannot read. After an error *out is empty. */
int trace_set_read(const char *folder, const char *experiments, const struct claim_scope *scope, struct trace_set *out);

/* Free a set. The indexes are written, unless `is_temporary` is set. */
void trace_set_free(struct trace_set *set);

/* The next run of an experiment after `last`; the experiment's first run if `last` is NULL. NULL after the last run. */
const struct trace_run *trace_set_next(const struct trace_set *set, const char *experiment,
                                       const struct trace_run *last);

/* Like trace_set_next, but skips runs without a trace. */
const struct trace_run *trace_set_next_trace(const struct trace_set *set, const char *experiment,
                                             const struct trace_run *last);

/* Whether a trace in the folder has this value of the parameter or note `name`. The trace may be of any experiment. The
 * notes of a trace are the attributes of its group /run (docs/trace.md). */
bool trace_set_has(const struct trace_set *set, const char *name, const char *value);

/* The experiment with this name, or NULL. */
const struct trace_experiment *trace_set_experiment(const struct trace_set *set, const char *name);

/* Set the members `set` and `set_count` of each struct trace_experiment from the parameters of the experiment's traces
 * (called by trace_set_read). */
void trace_set_note(struct trace_set *set);

/* Compare the results of each experiment with its file EXPERIMENTS/<paper>/<experiment>.yaml. Set `outdated`,
 * `is_of_mistake`, `planned` and `absent`, and trace_set.files. The results are compared with the runs that the file
 * plans now, in the tier with fewer differences. Backends, values from --set and experiments without a file are not
 * compared. If a file has a mistake, its results are outdated; the mistake is not reported as an error. */
void trace_set_compare(struct trace_set *set, const char *experiments);

struct claim_file;
struct member_sets;

struct claim_result {
    const char *id, *paper, *where, *says, *kind;
    const char *class, *fact;      /* class: claim_class_name; fact: "" if the claim does not name one */
    const char *brief, *explained; /* the claim's keys `short` and `explained`; "" if not given */
    bool is_headline;
    const char *experiment; /* the experiment whose runs decide: "va2022/resolutions"; "" if the text of the paper
                               decides */
    enum verdict verdict, recorded;
    enum verdict chosen_verdict; /* the verdict on the first reading, with the chosen values only; VERDICT_NOT_RUN if no
                                    runs were judged */
    bool has_recorded;           /* false: no verdict is recorded for this type of machine (with or without a GPU), or a
                                    body is a stand-in */
    bool is_unrun;               /* the results have no run of the claim's experiment, or is_partly_run is true */
    bool is_partly_run;          /* no run matches the claim, and the experiment file plans runs that have no result */
    /* is_incomplete is true in four cases:
     * - a run of the experiment failed, or its trace could not be read;
     * - the results are outdated;
     * - the experiment has no manifest, the claim is not optional, and no GPU or method that the claim needs (`needs`)
     *   is missing;
     * - the experiment has traces, but the claim selects none of them, and neither the machine nor BACKENDS= of make
     *   is the cause (why_unselected). */
    bool is_incomplete;
    bool is_timed;                   /* the claim's quantity is a measured time or rate */
    const char *reported, *measured; /* as text with units; "" if there is none */
    const char *interval;            /* of the measured value: "[a, b]" with units; "" if there is none */
    const char *why;                 /* the reason of the verdict, in a few sentences */
    const char *direction;           /* if the claim is false with the chosen values: "worse than printed, 67 % more";
                                        else "" */
    const char *stand_in;            /* the stand-in that replaces the paper's body; "" if there is none */
    const char *outdated;            /* why the results are outdated; "" if they are up to date */
    const char *tier;                /* "quick" or "full"; "quick full" if runs of both tiers decide; "" without runs */
    char *set;           /* the values that --set gave the experiment's runs: "PATH=VALUE; ..."; "" for none */
    const char *command; /* a shell command for the repository's folder, which repeats the runs that decide the verdict
                            and judges the claims about their experiment */
    const char **traces; /* "EXPERIMENT RUN" of each trace that decides the verdict, without members of sweeps */
    const char **files;  /* the file of each trace, relative to the folder of results */
    int trace_count;
    struct trace_parameter *assumptions; /* the assumptions of `traces`, each pair of a path and a value once; `unit`
                                            and `origin` are NULL if verdicts.json was read */
    int assumption_count;
    json_t *sensitivity; /* the result of sensitivity_json (sensitivity.h); NULL if no sweep decides the claim */
};

struct claim_report {
    /* title: of the paper, with authors, place and year (claim_file.citation). title and doi are "" if not known. */
    const char *paper, *title, *doi;
    struct claim_result *results;
    int count;
    bool incomplete;            /* at least one result is incomplete */
    int status;                 /* what claims_judge returned; STATUS_OK if verdicts.json was read */
    struct claim_file *claims;  /* the judged claims; NULL if verdicts.json was read (claim_report_open) */
    struct member_sets *sweeps; /* the sweeps of the claims' experiments, each read when it is first needed; NULL if
                                   verdicts.json was read (claim_report_open) */
    struct pool pool;           /* owns the other data of this struct */
};

/* Judge the claims of one file of paper_checks/ that are in `scope` (NULL: all). If the assumptions of an experiment
 * were swept (`springback sensitivity`), the sweep decides too. Mistakes in the file are reported with their place.
 * This includes mistakes that only the traces show, such as a unit of another kind. The caller frees the report, also
 * after an error. The traces must outlive the report. */
int claims_judge(const char *file, const struct trace_set *traces, const struct claim_scope *scope,
                 struct claim_report *report);
void claim_report_free(struct claim_report *report);

/* Set `claims` and `sweeps` of a report from a file of claims, unless `claims` is set already. The report owns both,
 * also after an error. Errors: mistakes in the file. */
int claim_report_open(struct claim_report *report, const char *file, const struct trace_set *traces);

/* Judge files of claims by the traces (claims_judge), or read their verdicts from FOLDER/verdicts.json. `scope` is as
 * for claims_judge, but stored results may cover more claims. reports[f] belongs to files[f]; the caller frees each
 * with claim_report_free. Returns the worst status of all files; reports[f].status is the status of files[f].
 *
 * verdicts.json is written if all claims of a file were judged without an error, and the folder is writable and not
 * temporary (trace_set.is_temporary). It has an object for each file of claims: {digest, paper, title, doi, incomplete,
 * claims: [...], sum}. A claim is stored as `check --json` prints it. `sum` is the checksum of the rest of the object.
 *
 * If the digest or the checksum differs, the claims are judged again. The digest covers everything that a verdict
 * depends on: this program, the claims, the experiment files, the traces that the manifests list, and the tables of
 * sweeps. For experiment files, traces and tables, the digest covers the inode, size and times, not the content. */
int verdicts_of(const char *const *files, int count, const struct trace_set *traces, const struct claim_scope *scope,
                struct claim_report *reports);

/* Whether the verdict differs from the recorded one. False if no verdict is recorded, or if is_unrun is true. */
bool claim_result_changed(const struct claim_result *result);

/* STATUS_OK if every verdict is the recorded one, STATUS_CHANGED if one is not, STATUS_BAD if the report is incomplete.
 * If `untimed` is set, verdicts on timings may differ from the recorded verdicts, which come from another machine. */
int claim_report_status(const struct claim_report *report, bool untimed);

/* Print a line for each verdict that is not the recorded one. */
void claim_report_print_changed(const struct claim_report *report, FILE *out);

/* Print the first screen of `check`: at most 40 rows, one for each headline claim. If `all` is set or no claim is a
 * headline, each claim has a row. Rows are at most `width` columns wide (80 or more). Then follows a line for each
 * paper with the number of facts by verdict: first the facts that runs decide, then counts and the paper's own
 * arithmetic. With P papers, this makes at most 44 + 2 P lines. The total follows (claim_report_print_total). */
void claim_summary_print(const struct claim_report *report, bool all, FILE *out, int width);

/* Print everything that is known of one claim, its sentence first: the printed and the measured value; the verdict and
 * its reason; a set-up in which the claim holds and a set-up in which the claim does not hold; and the assumptions. A
 * set-up is printed with its command, unless the set-up has the chosen values. */
void claim_result_print(const struct claim_result *result, FILE *out, int width);

/* A set-up in which a claim holds ("holds_in") or does not ("fails_in"). `options`: the options of `run` that give this
 * set-up; "" for the chosen values. `measured`: the value that was measured in the set-up. `tier`: the tier of its
 * runs.
 */
struct claim_example {
    const char *options, *measured, *tier;
};

/* Set *out to the example with the key `kind`, which is "holds_in" or "fails_in". Returns whether the result has this
 * example. The result owns the texts. */
bool claim_result_example(const struct claim_result *result, const char *kind, struct claim_example *out);

/* Whether runs decide the claim (class result), and not the text of the paper or a number of a body or a method. */
bool claim_result_is_decided_by_runs(const struct claim_result *result);

/* Print a sentence that counts the verdicts on all claims of the report, in lines of at most `width` columns. */
void claim_report_print_total(const struct claim_report *report, FILE *out, int width);

/* A verdict's style on a terminal (enum terminal_style). */
int verdict_style(enum verdict verdict);

/* Print a table for the terminal, at most `width` columns wide (40 or more). Verdicts are coloured if base/terminal.h
 * allows it. The total follows (claim_report_print_total). */
void claim_report_print(const struct claim_report *report, FILE *out, int width);

/* claim_result_json returns a claim's result as a JSON object, a new reference. claim_result_read sets *out from such
 * an object, and returns false if the object does not have this form. The report's pool owns the texts of *out. */
json_t *claim_result_json(const struct claim_result *result);
bool claim_result_read(json_t *object, struct claim_report *report, struct claim_result *out);

/* Print one JSON object for each claim, one on each line. */
void claim_report_json(const struct claim_report *report, FILE *out);

/* Write a Markdown table of the recorded verdicts for the tier quick, with a row for each file of claims. The row has
 * numbers of facts by verdict: first of the facts that runs decide, then of the other facts. A fact has the worst
 * verdict of its claims. If the numbers are different on a machine with an OpenCL GPU, a second row has these numbers.
 * Errors: mistakes in the files. */
int claims_write_recorded(const char *const *files, int count, FILE *out);

struct recorded_audit {
    /* claims: number of claims; swept: number of claims that a sweep decides; contradictions: with RECORDED_AUDIT,
     * number of claims whose recorded verdict contradicts their sweep; else 0 */
    int claims, swept, contradictions;
    struct words outdated; /* experiments whose tables are outdated and decide nothing; the caller calls words_free */
};

enum recorded_form {
    RECORDED_JSON,  /* an object for each claim: {id, class, fact, headline, verdict, holds, members, share, explained}.
                       The claim holds in `holds` of `members` likely and possible members that are admissible.
                       `share`: the fraction of the admissible likely members in which the claim holds, 0 to 1 */
    RECORDED_AUDIT, /* a line for each claim whose recorded verdict contradicts its sweep */
    RECORDED_SHARES /* a table for figures: a row for each claim that a sweep decides */
};

/* Compare the recorded verdicts of some files of claims with the tables of sweeps below a folder, and print the result
 * in the form `form`. A table decides nothing if it is outdated for its experiment file in the folder `experiments`.
 * Errors: mistakes in the files or tables. */
int claims_audit(const char *const *files, int count, const char *sweeps_folder, const char *experiments,
                 enum recorded_form form, FILE *out, struct recorded_audit *audit);

/* Write the printed values of a paper as gnuplot variables, for the figures: the claim va2022.speed-up.mean gives
 * `va2022_speed_up_mean = 61`. Numbers are as printed: 5.61 % is 5.61, with its unit in a comment. A printed range (6
 * to 7) gives its middle (6.5) and two more variables for its ends, `..._low` and `..._high`. */
int claims_write_gnuplot(const char *file, FILE *out);

#endif
