/* The commands of the program (`springback COMMAND`). In the code a command is called a verb. NAME.c defines verb_NAME,
 * except that sensitivity.c also defines verb_verify. */
#ifndef SPRINGBACK_CLI_VERB_H
#define SPRINGBACK_CLI_VERB_H

#include "base/words.h"
#include "claim/claim.h"
#include "experiment/plan.h"

#include <argp.h>

/* How an option changes the struct in which its verb stores the values of options and arguments. */
enum option_kind {
    OPTION_FLAG,   /* sets a bool */
    OPTION_TEXT,   /* sets a const char * */
    OPTION_PATH,   /* sets a const char * to a path that is not empty */
    OPTION_NUMBER, /* sets a double from `low` to `high` */
    OPTION_WHOLE,  /* sets an int from `low` to `high` */
    OPTION_WORDS,  /* adds to a struct words; may be given several times */
    OPTION_OWN     /* calls the option's function `take` */
};

struct verb_option {
    const char *name;
    int letter;                 /* the short name, as 'b' for -b; 0 if the option has none */
    const char *argument, *doc; /* argument: the name of the option's argument in --help; NULL for OPTION_FLAG */
    enum option_kind kind;
    size_t field;      /* offset of the value in the verb's struct, in bytes */
    double low, high;  /* limits of a number */
    const char *range; /* the limits in words, for the message: "a whole number from 2 to 9999" */
    void (*take)(void *verb, const char *argument, struct argp_state *state); /* for OPTION_OWN */
};

/* A verb: its options, its arguments and its action. Each verb defines a struct that stores the values of its options
 * and arguments. If the verb has arguments that are not options, this struct starts with a struct words for them. */
struct verb {
    const char *arguments; /* for --help, as "FILE..."; NULL if the verb has no arguments */
    const char *doc;       /* description; then, after a \v, an example in lines that start with two spaces */
    const struct verb_option *options; /* ends with a NULL name */
    bool has_selection; /* its struct starts with a struct selection; the verb also has the options --backend, --tier,
                           --only and --set */
    const char *const *shard_words; /* options that spread.h adds to the command line of a process for one shard; ends
                                       with NULL. The pointer is NULL if the verb has no --shard */
    const char *missing;            /* the message if no arguments are given; NULL: arguments are optional, or `check`
                                       tests their number */
    void (*check)(void *verb, struct argp_state *state); /* checks all options and arguments at the end; may be NULL */
    size_t size;                                         /* of the verb's struct, in bytes */
    const void *defaults;                                /* initial value of the verb's struct; NULL means all zeros */
    int (*run)(void *verb);                              /* returns the exit code */
    int (*each)(void *verb, const char *file); /* replaces `run` if not NULL: called for each argument; returns the exit
                                                  code */
};

extern const struct verb verb_run, verb_plan, verb_list, verb_devices, verb_mesh, verb_check, verb_diff, verb_export,
    verb_archive, verb_clean, verb_meshes, verb_manual, verb_sensitivity, verb_verify, verb_fit, verb_report,
    verb_compare, verb_record, verb_view;

/* Run a verb: parse `words` into its struct, call its action, and print errors. words[0] is the verb's name. Returns
 * the exit code. */
int verb_do(const struct verb *verb, int count, char **words);

/* The arguments and options that the verbs with has_selection share (run, plan, sensitivity, verify): the files, the
 * selected runs, and the folder of the results from --out. */
struct selection {
    struct words files, set, only, backends;
    const char *tier, *out;
    int shard, shards; /* I and N of --shard I/N; both 0 without --shard */
    bool is_shared;    /* true after the processes of --backend X:all have ended; these processes do all untimed runs
                          (spread.h) */
};

struct plan_options selection_plan_options(const struct selection *selection);
int selection_plan(const struct selection *selection, const char *file, struct plan *plan);

/* Write the report to the file `page`. The report has the verdicts on all claims of `files`, which were judged by
 * `traces`, and a comparison of `traces` with the recorded machines in the folder `machines`. If `machines` is NULL,
 * the folder is data/machines, if data/machines exists. reports[f] has the verdicts of files[f]. */
int report_write(const char *page, const char *machines, const struct words *files, const struct trace_set *traces,
                 struct claim_report *reports);

/* The folder of results: `named`, the argument of --out, or out/<machine> if `named` is NULL. The text out/<machine> is
 * in static memory. */
const char *results_folder(const char *named);

#define MAX_SHARDS 10000

/* Parse the argument of --shard, for example "2/4" for the second of four. `selection` is the start of the verb's
 * struct. A wrong argument ends the program with a message. */
void shard_take(void *selection, const char *argument, struct argp_state *state);

/* The function `check` of verbs whose --set changes the experiment. If --set is given, --out is required, so that the
 * results have a separate folder. `selection` is the start of the verb's struct. */
void verb_check_set(void *selection, struct argp_state *state);

/* Print the collected messages, one per line, and clear them. Returns STATUS_BAD. */
int complain(void);

#endif
