/* The verbs of the command, one file each. A verb takes its own words (the first is its name) and returns the exit
 * code. */
#ifndef SPRINGBACK_CLI_VERB_H
#define SPRINGBACK_CLI_VERB_H

#include "claim/claim.h"
#include "experiment/plan.h"

#include <argp.h>

typedef int verb_function(int count, char **words);

verb_function verb_run, verb_plan, verb_list, verb_devices, verb_mesh, verb_check, verb_diff, verb_export, verb_clean,
    verb_meshes, verb_manual, verb_sensitivity, verb_report, verb_compare, verb_record;

/* A NULL-ended list of words from the command line. */
struct words {
    const char **words;
    int count;
};

void words_add(struct words *words, const char *word);
void words_free(struct words *words);

/* What run and plan share: which files, and which runs of them. */
struct selection {
    struct words files, set, only, backends;
    const char *tier;
};

extern const struct argp_option selection_options[];
error_t selection_parse(int key, char *argument, struct argp_state *state); /* state->input is a struct selection */
void selection_free(struct selection *selection);
int selection_plan(const struct selection *selection, const char *file, struct plan *plan);

/* The page of the verdicts: where it is, and what it is made from beside them; NULL: the present folder's own. */
struct report_place {
    const char *page, *figures, *machines; /* the file, the scripts' folder, the records' folder */
};

/* Write the page of the verdicts on all claims of some files, with the traces by which they were judged. */
int report_write(const struct report_place *place, const struct words *files, const struct trace_set *traces,
                 const struct claim_report *reports);

/* Where results go if nobody says: out/<host>. Newly allocated. */
char *default_out(void);

/* Parse a verb's words, and the options that all verbs have; returns the exit code where the verb is done (help, or a
 * mistake), -1 where it is to go on. Every verb does this first. argp->doc says what the verb does, then, behind a \v,
 * shows an example: lines that begin with two spaces. */
int verb_parse(const struct argp *argp, int count, char **words, void *input);

/* Print what went wrong, a line a message, and return STATUS_BAD. */
int complain(void);

#endif
