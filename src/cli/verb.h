/* The commands of the program (`springback COMMAND`), one file each. In the code a command is a verb. */
#ifndef SPRINGBACK_CLI_VERB_H
#define SPRINGBACK_CLI_VERB_H

#include "base/words.h"
#include "claim/claim.h"
#include "experiment/plan.h"

#include <argp.h>

/* The effect of an option on the struct of its verb. */
enum option_kind {
    OPTION_FLAG,   /* sets a bool */
    OPTION_TEXT,   /* sets a const char * */
    OPTION_PATH,   /* sets a const char * to a path that is not empty */
    OPTION_NUMBER, /* sets a double from `low` to `high` */
    OPTION_WHOLE,  /* sets an int from `low` to `high` */
    OPTION_WORDS,  /* adds to a struct words; may be given several times */
    OPTION_OWN     /* calls `take` */
};

struct verb_option {
    const char *name;
    int letter; /* 0: none */
    const char *argument, *doc;
    enum option_kind kind;
    size_t field;     /* offset in the verb's struct */
    double low, high; /* limits of a number */
    const char *range;
    void (*take)(void *verb, const char *argument, struct argp_state *state);
};

/* A verb: its arguments and its action. Its struct starts with a struct words for the arguments that are not options.
 */
struct verb {
    const char *arguments; /* "FILE..."; NULL: no arguments */
    const char *doc;       /* description; then, after a \v, an example in lines that start with two spaces */
    const struct verb_option *options; /* ends with a NULL name */
    bool has_selection;                /* its struct starts with a struct selection, and it has those options too */
    const char *const *shard_words; /* further words for a process that runs a shard, ending with NULL. NULL: the verb
                                       has no --shard, by which processes share work (spread.h) */
    const char *missing;            /* error message if there are no arguments; NULL: arguments are optional */
    void (*check)(void *verb, struct argp_state *state); /* checks all options and arguments at the end; may be NULL */
    size_t size;                                         /* of its struct */
    const void *defaults;                                /* initial value of its struct; NULL: zeros */
    int (*run)(void *verb);                              /* returns the exit code */
    int (*each)(void *verb, const char *file); /* instead of run: called for each file; returns the exit code */
};

extern const struct verb verb_run, verb_plan, verb_list, verb_devices, verb_mesh, verb_check, verb_diff, verb_export,
    verb_archive, verb_clean, verb_meshes, verb_manual, verb_sensitivity, verb_verify, verb_fit, verb_report,
    verb_compare, verb_record, verb_view;

/* Parse the words of a verb, of which the first is its name, into its struct, run the verb, and print errors. Returns
 * the exit code. */
int verb_do(const struct verb *verb, int count, char **words);

/* What run, plan and sensitivity share: the files, the selected runs, and the folder of the results from --out. */
struct selection {
    struct words files, set, only, backends;
    const char *tier, *out;
    int shard, shards; /* 0 of 0: all */
    bool is_shared;    /* other processes have run everything that is not timed (spread.h) */
};

struct plan_options selection_plan_options(const struct selection *selection);
int selection_plan(const struct selection *selection, const char *file, struct plan *plan);

/* Write a page with the verdicts on all claims of some files, given the traces by which they were judged. It also
 * compares these results with the recorded machines in a folder; `machines` NULL: data/machines, if that exists. */
int report_write(const char *page, const char *machines, const struct words *files, const struct trace_set *traces,
                 struct claim_report *reports);

/* The folder of results: `named`, the argument of --out, or out/<machine> if that is NULL. The second is a static text.
 */
const char *results_folder(const char *named);

#define MAX_SHARDS 10000

/* Parse the argument of --shard, for example "2/4" for the second of four, into the selection that starts the verb's
 * struct. */
void shard_take(void *selection, const char *argument, struct argp_state *state);

/* For verbs whose --set changes the experiment: require --out, so that the results have a separate folder. `selection`
 * starts the verb's struct. */
void verb_check_set(void *selection, struct argp_state *state);

/* Print the collected messages, one per line, and clear them. Returns STATUS_BAD. */
int complain(void);

#endif
