/* The verbs of the command, one file each. */
#ifndef SPRINGBACK_CLI_VERB_H
#define SPRINGBACK_CLI_VERB_H

#include "base/words.h"
#include "claim/claim.h"
#include "experiment/plan.h"

#include <argp.h>

/* What an option does to the struct of its verb. */
enum option_kind {
    OPTION_FLAG,   /* sets a bool */
    OPTION_TEXT,   /* sets a const char * */
    OPTION_PATH,   /* likewise, and must not be empty */
    OPTION_NUMBER, /* sets a double from `low` to `high` */
    OPTION_WHOLE,  /* likewise an int */
    OPTION_WORDS,  /* adds to a struct words: it may be given again */
    OPTION_OWN     /* calls `take` */
};

struct verb_option {
    const char *name;
    int letter; /* 0: none */
    const char *argument, *doc;
    enum option_kind kind;
    size_t field;     /* its offset in the verb's struct */
    double low, high; /* of a number, and in words: "degrees, -360 to 360" */
    const char *range;
    void (*take)(void *verb, const char *argument, struct argp_state *state);
};

/* How a verb is called, and what it does. Its struct begins with a struct words for the arguments that are no options.
 */
struct verb {
    const char *arguments; /* "FILE..."; NULL: it takes none */
    const char *doc;       /* what it does, then, behind a \v, an example: lines that begin with two spaces */
    const struct verb_option *options; /* ends with a NULL name */
    bool has_selection;                /* its struct begins with a struct selection, and it has the options of that */
    const char *const *shard_words;    /* what a shard beside others gets behind its words; ends with NULL. NULL: it has
                                        * no --shard, by which processes share work (spread.h) */
    const char *missing;               /* what to say if there are no arguments; NULL: that is well */
    void (*check)(void *verb, struct argp_state *state); /* all of it, at the end; may be NULL */
    size_t size;                                         /* of its struct */
    const void *defaults;                                /* what its struct is before its words; NULL: zeros */
    int (*run)(void *verb);                              /* returns the exit code */
    int (*each)(void *verb, const char *file);           /* in place of run: what is done with each of its files */
};

extern const struct verb verb_run, verb_plan, verb_list, verb_devices, verb_mesh, verb_check, verb_diff, verb_export,
    verb_archive, verb_clean, verb_meshes, verb_manual, verb_sensitivity, verb_verify, verb_fit, verb_report,
    verb_compare, verb_record, verb_view;

/* Parse a verb's words, the first of which is its name, into its struct, do what they ask for, and print what went
 * wrong. Returns the exit code. */
int verb_do(const struct verb *verb, int count, char **words);

/* What run, plan and sensitivity share: which files, which runs of them, and the folder of the results that was named.
 */
struct selection {
    struct words files, set, only, backends;
    const char *tier, *out;
    int shard, shards; /* 0 of 0: all */
    bool is_shared;    /* other processes have made what is not timed (spread.h) */
};

struct plan_options selection_plan_options(const struct selection *selection);
int selection_plan(const struct selection *selection, const char *file, struct plan *plan);

/* Write the page of the verdicts on all claims of some files, with the traces by which they were judged, beside the
 * records of a folder of machines; NULL: of data/machines, if it is there. */
int report_write(const char *page, const char *machines, const struct words *files, const struct trace_set *traces,
                 struct claim_report *reports);

/* Where results go: the folder that --out named, or else out/<machine>. */
const char *results_folder(const char *named);

#define MAX_SHARDS 10000

/* Takes the argument of --shard, "2/4" for the second of four, into the selection that begins the verb's struct. */
void shard_take(void *selection, const char *argument, struct argp_state *state);

/* For verbs whose --set alters the experiment: the results need a folder of their own. `selection` begins the verb's
 * struct. */
void verb_check_set(void *selection, struct argp_state *state);

/* Print what went wrong, a line a message, and return STATUS_BAD. */
int complain(void);

#endif
