/* springback archive: write results as one file. */
#include "base/amount.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/project.h"
#include "claim/claim_file.h"
#include "cli/verb.h"
#include "experiment/plan.h"
#include "report/reproduction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct archive_verb {
    struct words names, claims;
    const char *out, *file;
    bool headline;
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
    {"headline", 0, NULL, "Only the experiments that decide headline claims, of the named papers or of all papers",
     OPTION_FLAG, .field = offsetof(struct archive_verb, headline)},
    {.name = NULL},
};

/* Add the headline claims that runs decide: those of the papers `names`, or of all papers if there are no names. */
static int add_headline_claims(const struct words *names, struct words *out) {
    AUTO(words_free) struct words files = {NULL, 0}, papers = {NULL, 0};
    int status = STATUS_OK;
    project_add_claims(&files);
    for (int f = 0; f < files.count && !status; ++f) {
        AUTO(claim_file_free) struct claim_file claims;
        status = claim_file_read(files.words[f], &claims);
        if (status || (names->count && !words_has(names, claims.paper)))
            continue;
        for (int c = 0; c < claims.count; ++c) {
            const struct claim *claim = &claims.claims[c];
            const bool has_runs = *claim_experiment(claim);
            if (claim->is_headline && has_runs && words_add_new(out, claim->id))
                words_add_new(&papers, claims.paper);
        }
    }
    for (int n = 0; n < names->count && !status; ++n)
        if (!words_has(&papers, names->words[n]))
            status = fail("'%s' is not a paper with headline claims; after --headline, each argument must be a paper",
                          names->words[n]);
    if (!status && !out->count)
        status = fail("paper_checks/: no headline claim that runs decide; archive papers or experiments without "
                      "--headline");
    return status;
}

static int archive(void *out) {
    const struct archive_verb *verb = out;
    const char *folder = results_folder(verb->out);
    AUTO(words_free) struct words part = {NULL, 0};
    AUTO_FREE char *file = text_copy(verb->file ? verb->file : folder);
    struct reproduction_summary summary;
    char size[AMOUNT_SIZE];
    if (verb->headline && add_headline_claims(&verb->names, &part))
        return STATUS_BAD;
    for (int n = 0; n < verb->names.count && !verb->headline; ++n) {
        AUTO_FREE char *experiment = plan_experiment_name(verb->names.words[n]);
        words_add_new(&part, strchr(verb->names.words[n], '/') ? experiment : verb->names.words[n]);
    }
    const struct words *selected = verb->headline ? &verb->names : &part;
    for (int n = 0; n < selected->count && !verb->file; ++n) {
        AUTO_FREE char *name = text_copy(selected->words[n]);
        for (char *slash; (slash = strchr(name, '/'));)
            *slash = '-';
        text_append(&file, "-%s", name);
    }
    if (!verb->file)
        text_append(&file, "%s.tar.zst", verb->headline ? "-headline" : "");
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
