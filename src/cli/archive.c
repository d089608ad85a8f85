/* springback archive: write results as one file. */
#include "base/amount.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "cli/verb.h"
#include "experiment/plan.h"
#include "report/reproduction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct archive_verb {
    struct words names, claims;
    const char *out, *file;
};

static const struct verb_option options[] = {
    {"out", 'o', "DIR", "Folder of the results (default: out/<machine>)", OPTION_PATH,
     .field = offsetof(struct archive_verb, out)},
    {"file", 'f', "FILE",
     "The archive; its name must end with .tar, .tar.gz, .tar.xz or .tar.zst (default: DIR.tar.zst; if arguments "
     "select a part, DIR-PART.tar.zst)",
     OPTION_PATH, .field = offsetof(struct archive_verb, file)},
    {"claims", 0, "FILE",
     "A file of claims (default: the files in paper_checks/ about these results); may be given several times",
     OPTION_WORDS, .field = offsetof(struct archive_verb, claims)},
    {.name = NULL},
};

static int archive(void *out) {
    const struct archive_verb *verb = out;
    const char *folder = results_folder(verb->out);
    AUTO(words_free) struct words part = {NULL, 0};
    AUTO_FREE char *file = text_copy(verb->file ? verb->file : folder);
    struct reproduction_summary summary;
    char size[AMOUNT_SIZE];
    for (int n = 0; n < verb->names.count; ++n) {
        AUTO_FREE char *experiment = plan_experiment_name(verb->names.words[n]);
        words_add_new(&part, strchr(verb->names.words[n], '/') ? experiment : verb->names.words[n]);
    }
    for (int n = 0; n < part.count && !verb->file; ++n) {
        AUTO_FREE char *name = text_copy(part.words[n]);
        for (char *slash; (slash = strchr(name, '/'));)
            *slash = '-';
        text_append(&file, "-%s", name);
    }
    if (!verb->file)
        text_append(&file, ".tar.zst");
    interrupt_catch();
    const int status = reproduction_write(file, folder, &part, verb->claims.words, verb->claims.count, &summary);
    if (!status)
        printf("%s: %d files, %d traces, %d verdicts, %s before compression\n", file, summary.files, summary.traces,
               summary.verdicts, amount_bytes(summary.bytes, size));
    return status;
}

const struct verb verb_archive = {
    .arguments = "[PAPER|EXPERIMENT|CLAIM...]",
    .doc = "Write results with their experiments, claims, figures and verdicts as one file, which springback check "
           "--archive judges again. Without arguments: all results of a folder. Otherwise those of papers (va2022), of "
           "experiments (va2022/resolutions, or the experiment's file), and of the experiments that decide a claim "
           "(va2022.speed-up.mean). Only an archive of a whole paper has figures."
           "\vExample: the results of one experiment\n"
           "  springback archive va2022/strong-push --file push.tar.gz",
    .options = options,
    .size = sizeof(struct archive_verb),
    .run = archive};
